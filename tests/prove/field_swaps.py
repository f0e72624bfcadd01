"""S6: what an answer shows and no input takes is sent back as input, changed, on every write route; whoever books sends
prices, statuses and owners along; and every id of one customer is asked for by another one, a guest and nobody. Nothing
changes that may not, and nobody reads what is somebody else's.

field_swaps.py SVC DATABASE PRO
"""
import datetime
import os
import sys

from proving import Site, arguments, day, figure, filled_in
from walking import Walk, with_everything

SVC, DATABASE, (PRO,) = arguments(2)
# What moves by itself when something else of the record is written.
LIVE = {"row_version", "version", "updated_at", "modified_at", "last_used_at", "nonce"}
APART = ("/auth/", "/license/", "/modules/", "/sample-data", "/bulk", "/webhook/", "/settings", "/media", "/email",
         "/payment/", "/duplicate", "/restore", "/orders", "/feed", "/preview", "/booking/", "/revisions")
# What a shop must never take from whoever books: its owner, its price, what was paid, where it stands.
WISHES = {"id": 999, "user_id": 1, "customer_id": 1, "booking_id": 1, "reference": "SVC-EVIL0000", "booking_number": "SVC-1",
          "price": 0.01, "unit_price": 0.01, "total": 0.01, "total_amount": 0.01, "subtotal": 0.01, "discount": 9999,
          "coupon_discount": 9999, "amount_paid": 9999, "paid_amount": 9999, "paid": 9999, "pay_now": 0, "amount_due": 0,
          "balance": 0, "balance_due": 0, "tax": 0, "currency": "XXX", "status": "confirmed", "booking_status": "confirmed",
          "payment_status": "paid", "payment_method": "full", "confirmed_at": "2026-01-01T00:00:00Z",
          "created_at": "2001-01-01T00:00:00Z", "departure_id": 1, "capacity_override": True, "source": "forged",
          "internal_notes": "mine", "role": "administrator", "capabilities": ["manage_options"], "by_staff": True,
          "needs_attention": False, "verified_at": "2026-01-01T00:00:00Z", "client": "", "is_deleted": True}


def other(value):
    """A value of the same kind that is not this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 7777
    if isinstance(value, str):
        return "2001-01-01T00:00:00Z" if value[:4].isdigit() and "T" in value else value + "swapped"
    if isinstance(value, list):
        return value + [4242]
    return {"swapped": 4242} if value is None or isinstance(value, dict) else value


def takes(schema):
    names = set()
    for name, its in (schema or {}).get("properties", {}).items():
        names |= {name, *its.get("x-also", [])}
    return names


def sent_back(site, walk):
    """Every member of an object that its PUT does not take, sent to it with another value."""
    tried, kept = 0, []
    for method, path, route in walk.routes("put"):
        get, target = walk.paths[path].get("get"), walk.filled(path)
        if not get or not target or any(part in path for part in APART):
            continue
        before = site.as_staff("GET", target)
        if before.status != 200 or not isinstance(before.data, dict):
            continue
        input_names = takes(walk.body_schema(route))
        fixed = {name: value for name, value in before.data.items() if name not in input_names and name not in LIVE}
        site.as_staff(method, target, {name: other(value) for name, value in fixed.items()})
        after = site.as_staff("GET", target).data
        tried += len(fixed)
        kept += [(path, name, value, after.get(name)) for name, value in fixed.items() if after.get(name) != value]
    return tried, kept


def made_with(walk):
    """What a creation answers must not be what it was told, where it does not ask for it."""
    tried, kept = 0, []
    for method, path, route in walk.routes("post"):
        schema = walk.body_schema(route)
        if any(part in path for part in APART) or not schema:
            continue
        # Staff may say what was paid, and then it is: refunded is what nothing in these bodies leads to.
        names = {name: value for name, value in {**WISHES, "payment_status": "refunded"}.items() if name not in takes(schema)}
        answer, _ = walk.send(method, path, route, lambda name, longest: "plain"[:longest], names)
        if answer is None or answer.status not in (200, 201) or not isinstance(answer.json.get("data"), dict):
            continue
        tried += len(names)
        kept += [(path, name, answer.data[name]) for name, value in names.items()
                 if name in answer.data and answer.data[name] == value and value not in ("full", False, 0, "", 1)]
    return tried, kept


def checkout(site, trip):
    """The same booking without and with wishes is the same booking."""
    def booked(wishes):
        opened = site.call("POST", "/booking/session", {**wishes, "trip_id": trip, "travel_date": day()})
        assert opened.status == 201, opened
        held = {"X-Svc-Session": opened.data["session_id"]}
        site.call("PUT", "/booking/session", {**wishes, "trip_id": trip, "travel_date": day()}, held)
        made = site.call("POST", "/booking/create", filled_in({
            **wishes, "contact_last_name": "Wishes", "payment_gateway": "pay_later"}), held)
        assert made.status == 201, made
        return site.as_staff("GET", f"/bookings/{made.data['id']}").data
    asks = dict(WISHES)
    plain, wished = booked({}), booked(asks)
    own = {"id", "booking_id", "reference", "booking_number", "created_at", "updated_at", "booking_date", "status_log",
           "history", "invoice_token", "departure", "expires_at"}
    differing = [(name, plain[name], wished.get(name)) for name in plain if name not in own and plain[name] != wished.get(name)
                 and not isinstance(plain[name], (dict, list))]
    # Each ends its own hours after it was made.
    lives = [datetime.datetime.fromisoformat(one["expires_at"]) - datetime.datetime.fromisoformat(one["created_at"])
             for one in (plain, wished)]
    assert lives[0] == lives[1], lives
    assert wished["id"] != 999 and wished["reference"] != WISHES["reference"] and not differing, differing
    return len(asks) * 3


def customer(site, trip, name):
    """One who books with an account, signed in: headers, and what is theirs."""
    made = site.book(trip, day(), name, create_account=True, account_password="a good long one",
                     special_requests=f"private of {name}")
    assert made.status == 201, made
    signed = site.call("POST", "/auth/login", {"username": f"{name.lower()}@example.org", "password": "a good long one"})
    assert signed.status == 200, signed
    headers = {"Cookie": signed.headers["set-cookie"].split(";")[0], "X-Host-Nonce": signed.data["nonce"]}
    paid = site.as_staff("POST", "/payments", {"booking_id": made.data["id"], "amount": 5, "gateway": "cash",
                                               "status": "completed"})
    assert paid.status == 201, paid
    return headers, made.data["id"], paid.data["id"]


def everything(site, trip):
    """What must be the same afterwards: bookings, people and payments as they are stored."""
    columns = "id, customer_id, user_id, contact_email, status, payment_status, total_minor, amount_paid_minor, travel_date"
    return [site.sql(f"SELECT {columns} FROM svc_bookings WHERE trip_id = {trip} ORDER BY id"),
            site.sql("SELECT id, booking_id, amount_minor, status FROM svc_payments ORDER BY id"),
            site.sql("SELECT id, email_lower, role_id, status FROM svc_users ORDER BY id"),
            site.sql("SELECT id, email_lower, user_id FROM svc_customers ORDER BY id")]


def swapped_ids(site, walk, trip):
    """Every route that names a booking or a payment, in its path or its body, by who has nothing to do with it."""
    _, bea_booking, bea_payment = customer(site, trip, "Bea")
    adams, adam_booking, _ = customer(site, trip, "Adam")
    guest = site.book(trip, day(), "Gast").data
    callers = {"a customer": adams, "a guest": {"X-Svc-Booking-Token": guest["booking_token"]}, "nobody": {},
               "a nonce without its cookie": {"X-Host-Nonce": adams["X-Host-Nonce"]}}
    walk.ids |= {"/bookings": bea_booking, "/my-bookings": bea_booking, "{booking_id}": bea_booking, "/booking": bea_booking,
                 "/payments": bea_payment, "{payment_id}": bea_payment, "/customers": bea_booking}
    before, asked, leaks = everything(site, trip), 0, []
    for method, path, route in walk.routes("get", "post", "put", "delete"):
        schema = walk.body_schema(route)
        names_it = {"booking_id", "payment_id"} & takes(schema)
        if not names_it and not any(f"{part}/{{" in path for part in ("bookings", "booking", "payments", "payment", "status")):
            continue
        target = walk.filled(path.replace("{gateway}", "pay_later"))
        if target is None or "/webhook/" in path or path == "/booking/trip/{id}":
            continue
        body = None if schema is None else {**{name: bea_booking if name == "booking_id" else bea_payment for name in names_it},
                                            "status": "cancelled", "amount": 1, "gateway": "pay_later",
                                            "transaction_id": "x", "reason": "x"}
        for who, headers in callers.items():
            answer = site.call(method, target, body, headers)
            asked += 1
            if answer.status < 300 or answer.status >= 500 or "Bea" in answer.text or "bea@" in answer.text:
                leaks.append((who, method, target, answer))
        # The guest's secret in the body and in the query is no better than in its header.
        answer = site.call(method, target + f"?booking_token={guest['booking_token']}", body and {
            **body, "booking_token": guest["booking_token"]})
        asked += 1
        if answer.status < 300 or "Bea" in answer.text:
            leaks.append(("a guest's query", method, target, answer))
    assert site.call("GET", f"/customers/my-bookings/{adam_booking}", headers=adams).status == 200  # the callers are alive
    own = site.call("GET", "/customers/my-bookings", headers=adams)
    assert own.status == 200 and [each["id"] for each in own.data] == [adam_booking], own
    now = everything(site, trip)
    assert now == before, [pair for pair in zip(before, now) if pair[0] != pair[1]]
    return asked, leaks


def main():
    with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
        with_everything(site)
        walk = Walk(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 500)
        booked = site.book(trip, day()).data["id"]
        walk.ids |= {"/trips": trip, "{trip_id}": trip, "/bookings": booked, "{booking_id}": booked}
        created, kept = made_with(walk)
        assert not kept, kept[:10]
        back, kept = sent_back(site, walk)
        assert not kept, kept[:10]
        wishes = checkout(site, trip)
        swaps, leaks = swapped_ids(site, walk, trip)
        assert not leaks, "\n".join(map(str, leaks[:10]))
        site.check_invariants()
        assert created > 200 and back > 50 and swaps > 50, (created, back, swaps)
        figure(f"fields sent to creations {created}, back to their records {back}, to checkout {wishes}; ids of somebody else"
               f" {swaps}; taken 0, told 0")


if __name__ == "__main__":
    sys.exit(main())
