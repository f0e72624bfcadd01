"""S6: what an answer shows and no input takes is sent back as input, changed, on every write route and by several roles;
whoever books or registers sends prices, statuses, owners and roles along; and every id of one customer is asked for by
another one, a guest and nobody. Nothing changes that may not, nobody reads what is somebody else's, and what is another's
is answered as what is not there.

field_swaps.py SVC DATABASE PRO
"""
import base64
import datetime
import sys

import needed
from furnished import FAR, PASSWORD, PDF, furnished
from proving import arguments, day, figure, filled_in
from walking import elsewhere, sample, uploaded

SVC, DATABASE, (PRO,) = arguments(2)
# Fields that change by themselves when another one of the record is written.
LIVE = {"row_version", "version", "updated_at", "modified_at", "last_used_at", "nonce"}
# The last writer.
WRITER = {"updated_by", "updated_by_name"}
# Fields that a shop must never take from a buyer: owner, price, payments, status.
WISHES = {"id": 999, "user_id": 1, "customer_id": 1, "booking_id": 1, "reference": "SVC-EVIL0000", "booking_number": "SVC-1",
          "price": 0.01, "unit_price": 0.01, "total": 0.01, "total_amount": 0.01, "subtotal": 0.01, "discount": 9999,
          "coupon_discount": 9999, "amount_paid": 9999, "paid_amount": 9999, "paid": 9999, "pay_now": 0, "amount_due": 0,
          "balance": 0, "balance_due": 0, "tax": 0, "currency": "XXX", "status": "confirmed", "booking_status": "confirmed",
          "payment_status": "paid", "payment_method": "full", "confirmed_at": "2026-01-01T00:00:00Z",
          "created_at": "2001-01-01T00:00:00Z", "departure_id": 1, "capacity_override": True, "source": "forged",
          "internal_notes": "mine", "role": "administrator", "capabilities": ["manage_options"], "by_staff": True,
          "needs_attention": False, "verified_at": "2026-01-01T00:00:00Z", "client": "", "is_deleted": True}
# Posts that make no record which could keep a wish, and why.
NO_RECORD = {
    "/auth/login": "makes a session for who knows a password", "/auth/register": "by registered()",
    "/auth/resend-verification": "sends a mail", "/auth/password/forgot": "sends a mail",
    "/auth/verify-email": "counts a mailed secret", "/auth/password/reset": "counts a mailed secret",
    "/booking/verify-email": "counts a mailed secret", "/modules/bulk-toggle": "turns modules on",
    "/modules/{slug}/toggle": "turns a module on", "/attributes/orders": "puts records in order",
    "/trips/{id}/attributes": "says values", "/trips/{trip_id}/downloads": "answers a list, which nothing is told of",
    "/sample-data/import": "makes samples of ours", "/booking/session": "by checkout()", "/booking/create": "by checkout()",
    "/booking/summary": "keeps nothing", "/booking/validate": "keeps nothing",
    "/booking/coupons": "keeps a code", "/bookings/{id}/email": "sends a mail",
    "/customers/my-bookings/{id}/cancel": "by cancelled()", "/payment/create-intent": "tells the provider what is due",
    "/payment/remaining": "the same", "/payment/remaining/session": "opens what is due",
    "/payment/confirm": "asks the provider what was paid", "/payment/{gateway}/complete": "asks the provider what was paid",
    "/payment/webhook/{gateway}": "the provider's words, which are signed",
    "/payment/gateways/{gateway}/config": "keeps what its definition names", "/license/activate": "asks the license server",
    "/license/save": "keeps a key", "/recurring-availability/preview": "keeps nothing",
    **{f"/{each}/bulk": "ends or shows records" for each in (
        "destinations", "activities", "trip-categories", "difficulty-levels", "traveler-categories", "attributes", "trips")}}
# Puts beside a GET that are not sent back, and why.
NOT_BACK = {"/settings": "takes all that it shows", "/modules/{slug}/settings": "takes all that it shows",
            "/booking/session": "by checkout()", "/settings/booking-form": "takes all that it shows",
            "/trips/{id}/revisions/{revision_id}": "takes nothing: the trip becomes what it was",
            "/bookings/{id}/travellers": "answers a list of what it takes", "/settings/pages": "answers a list of what it takes"}
# Public records with an id.
OPEN = {"/attributes/values/{id}", "/trips/{id}/attributes", "/trips/public/{slug}", "/trips/{id}/available-dates",
        "/trips/{id}/availability-template", "/trips/{id}/date-pricing", "/booking/trip/{id}", "/payment/callback/{gateway}"}
# Whose being there is no secret, as the trip's page lists them for all: to others they are refused, not missing.
LISTED = {"/downloads/{id}", "/downloads/{id}/download-url"}


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


def made_with(shop):
    """What a creation answers must not be what it was told, where it does not ask for it."""
    tried, kept, writes = 0, [], 0
    for method, path, route in shop.walk.routes("post"):
        schema = shop.walk.body_schema(route)
        if path in NO_RECORD or not schema:
            continue
        # Staff may say what was paid, and then it is: refunded is what nothing in these bodies leads to.
        names = {name: value for name, value in {**WISHES, "payment_status": "refunded"}.items() if name not in takes(schema)}
        answer, _ = needed.send(shop, method, path, route, lambda name, longest: "plain"[:longest], names)
        assert answer is not None and answer.status in (200, 201) and isinstance(answer.data, dict), (path, answer)
        tried, writes = tried + len(names), writes + 1
        kept += [(path, name, answer.data[name]) for name, value in names.items()
                 if name in answer.data and answer.data[name] == value and value not in ("full", False, 0, "", 1)]
    assert not kept, kept[:10]
    return writes, tried


def user(site, login, role):
    site.run("user", "add", login, "--email", f"{login}@example.org", "--role", role, "--generate")
    secret = site.run("password", "add", login, "--name", "tests").strip().splitlines()[-1]
    return {"Authorization": "Basic " + base64.b64encode(f"{login}:{secret}".encode()).decode()}


def sent_back(shop, roles):
    """Every member of an object that its PUT does not take, sent to it with another value by each role that reads it."""
    site, tried, kept, refused = shop.site, 0, [], 0
    for method, path, route in shop.walk.routes("put"):
        if not shop.walk.paths[path].get("get") or path in NOT_BACK:
            continue
        target, input_names = shop.walk.filled(path), takes(shop.walk.body_schema(route))
        assert target, f"no id for {path}"
        for role, headers in roles.items():
            read = site.call("GET", target, headers=headers)
            if role != "administrator" and read.status in (401, 403):
                continue
            assert read.status == 200 and isinstance(read.data, dict), (role, target, read)
            fixed = {name: value for name, value in read.data.items() if name not in input_names and name not in LIVE}
            before = site.as_staff("GET", target).data
            answer = site.call(method, target, {name: other(value) for name, value in fixed.items()}, headers)
            after = site.as_staff("GET", target).data
            if role != "administrator" and answer.status in (401, 403):
                refused += 1
                fixed = {name: value for name, value in before.items() if name not in LIVE}
            else:
                assert answer.status == 200, (role, target, answer)
            tried += len(fixed)
            kept += [(role, path, name, before.get(name), after.get(name)) for name, value in fixed.items()
                     if (after.get(name) == other(value) if name in WRITER else after.get(name) != before.get(name))]
    assert not kept, kept[:10]
    return tried, refused


def checkout(site, trip):
    """The same booking without and with wishes is the same booking."""
    def booked(wishes):
        opened = site.call("POST", "/booking/session", {**wishes, "trip_id": trip, "travel_date": day()})
        assert opened.status == 201, opened
        held = {"X-Svc-Session": opened.data["session_id"]}
        put = site.call("PUT", "/booking/session", {**wishes, "trip_id": trip, "travel_date": day()}, held)
        assert put.status == 200, put
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


def registered(site):
    """A registration with extra fields is the same as without: a customer whose address is not proven."""
    wishes = {**WISHES, "role_id": 1, "login": "boss", "email_verified": True, "email_verified_at": "2026-01-01T00:00:00Z"}

    def stored(name, more):
        made = site.call("POST", "/auth/register", {
            **more, "first_name": name, "last_name": "Wishes", "email": f"{name.lower()}@example.org", "password": PASSWORD,
            "confirm_password": PASSWORD}, elsewhere())
        assert made.status in (200, 201), made
        rows = site.sql("SELECT r.slug, u.status, u.login_lower, u.email_verified_at, u.id < 900,"
                        " (SELECT COUNT(*) FROM svc_user_capabilities c WHERE c.user_id = u.id) FROM svc_users u"
                        f" JOIN svc_roles r ON r.id = u.role_id WHERE u.email_lower = '{name.lower()}@example.org'")
        assert len(rows) == 1 and rows[0][0] == "svc_customer", rows
        return [each.replace(name.lower(), "") for each in rows[0]]
    plain, wished = stored("Cleo", {}), stored("Gwen", {**wishes, "status": "active"})
    assert plain == wished and plain[3] == "" and plain[5] == "0", (plain, wished)
    return len(wishes)


def cancelled(shop, trip):
    """A customer's own booking, all that it shows sent back, changed, with its cancellation: what changes is the same as
    without."""
    def changed(name, wished):
        headers, booked = shop.account(name, trip)
        own, staffs = f"/customers/my-bookings/{booked['id']}", f"/bookings/{booked['id']}"
        shown, before = shop.site.call("GET", own, headers=headers), shop.site.as_staff("GET", staffs).data
        assert shown.status == 200, shown
        wishes = {**WISHES, **{name: other(value) for name, value in shown.data.items()}} if wished else {}
        ended = shop.site.call("POST", own + "/cancel", {**wishes, "reason": "Rain."}, headers)
        assert ended.status == 200, ended
        after = shop.site.as_staff("GET", staffs).data
        assert after["status"] == "cancelled", after
        return len(wishes), {name: after[name] for name in before if after[name] != before[name] and name not in LIVE}
    (_, plain), (count, wished) = changed("Emma", False), changed("Erik", True)
    assert set(plain) == set(wished), set(plain) ^ set(wished)
    differing = [(name, plain[name], wished[name]) for name in plain
                 if not isinstance(plain[name], (dict, list)) and not str(plain[name]).startswith("20")  # moments
                 and plain[name] != wished[name]]
    assert not differing, differing
    return count


def everything(site):
    """Values that must be the same afterwards, as stored."""
    columns = "id, customer_id, user_id, contact_email, status, payment_status, total_minor, amount_paid_minor, travel_date"
    return [site.sql(statement) for statement in (
        f"SELECT {columns} FROM svc_bookings ORDER BY id",
        "SELECT id, booking_id, amount_minor, status FROM svc_payments ORDER BY id",
        "SELECT id, email_lower, role_id, status FROM svc_users ORDER BY id",
        "SELECT id, email_lower, user_id FROM svc_customers ORDER BY id",
        "SELECT id, customer_id, status FROM svc_saved_payment_methods ORDER BY id",
        "SELECT id, user_id, name, revoked_at FROM svc_application_passwords ORDER BY id",
        "SELECT id, booking_id, status, scheduled_date FROM svc_scheduled_payments ORDER BY id",
        "SELECT id, is_private, alt_text FROM svc_media ORDER BY id",
        "SELECT id, trip_id, media_id, visibility FROM svc_trip_downloads ORDER BY id",
        "SELECT id, title, status FROM svc_trips ORDER BY id",
        "SELECT id, start_date, capacity, status FROM svc_departures ORDER BY id")]


def belongings(shop):
    """Bea: a trip that she alone has booked, with a file for who has; a card that is kept, a payment to come, a password."""
    site = shop.site
    trip = site.given_trip(title="Bea alone", regular_price=60)["id"]
    for ahead in (40, FAR):
        site.given_departure(trip, day(ahead), 50)
    status, _, data = uploaded(site, "bea.pdf", PDF + b"private of Bea", visibility="booked_only")
    assert status == 201, data
    private = int(site.sql("SELECT MAX(id) FROM svc_media")[0][0])
    listed = shop.made(f"/trips/{trip}/downloads", {"items": [
        {"attachment_id": private, "title": "Of Bea", "visibility": "booked_only", "enabled": True}]}, 200)
    bea, _ = shop.account("Bea", trip)
    booking, saved, planned, payment = shop.deposit(trip, bea, "Bea")
    confirmed = site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "confirmed"})
    assert confirmed.status == 200, confirmed
    password = site.call("POST", "/auth/application-passwords", {"name": "of Bea"}, bea)
    assert password.status == 201, password
    shop.knows(bookings=booking, my_bookings=booking, booking=booking, of_booking_id=booking, status=booking,
               outstanding=booking, payments=payment, of_payment_id=payment, payment_methods=saved,
               scheduled_payments=planned, application_passwords=password.data["id"], media=private,
               downloads=listed[0]["id"], calendar=shop.walk.ids["/calendar"][:-1] + "x")
    return bea, {"booking_id": booking, "payment_id": payment, "saved_method_id": saved}, trip


def leaked(path, answer):
    """Whether it is more than a refusal, or tells of Bea."""
    return "Bea" in answer.text or "bea@" in answer.text or answer.status == 429 or answer.status >= 500 or (
        answer.status < 400 and path not in OPEN)


def swapped_ids(shop, trip):
    """Every route that names a thing of somebody's, in its path or its body, by who has nothing to do with it."""
    site, walk = shop.site, shop.walk
    bea, hers, her_trip = belongings(shop)
    adams, adam = shop.account("Adam", trip)
    guest = shop.about["guest"]
    callers = {"a customer": adams, "a guest": {"X-Svc-Booking-Token": guest["booking_token"]}, "nobody": {},
               "a nonce without its cookie": {"X-Host-Nonce": adams["X-Host-Nonce"]},
               "a customer with a guest's token": {**adams, "X-Svc-Booking-Token": guest["booking_token"]}}
    # She can read records that others cannot.
    for target in (f"/customers/my-bookings/{hers['booking_id']}", "/customers/me/payment-methods",
                   f"/downloads/{walk.ids['/downloads']}/download-url?booking_id={hers['booking_id']}",
                   f"/payment/{hers['payment_id']}/invoice?preview=1"):
        mine = site.call("GET", target, headers=bea)
        assert mine.status == 200 and leaked(target, mine), (target, mine)
    before, asked, leaks, routes = everything(site), 0, [], 0
    real = dict(walk.ids)
    missing = {name: 999_999_999 if isinstance(value, int) else value for name, value in real.items()}
    for method, path, route in walk.routes("get", "post", "put", "delete"):
        schema = walk.body_schema(route)
        names_it = set(hers) & takes(schema)
        if "{" not in path and not names_it:
            continue
        walk.ids = missing
        absent = walk.filled(path)
        walk.ids = real
        target = walk.filled(path)
        assert target, f"no id for {path}"
        routes += 1
        body = None if schema is None else {**walk.references(sample(schema)), **{name: hers[name] for name in names_it}}
        nothing = None if body is None else {**body, **{name: 999_999_999 for name in names_it}}
        for who, headers in callers.items():
            told = [site.call(method, where, what, {**headers, **elsewhere()})
                    for where, what in ((target, body), (absent, nothing))]
            asked += 2
            answer = told[0]
            if leaked(path, answer):
                leaks.append((who, method, target, answer))
            elif answer.status >= 400 and names(told[0]) != names(told[1]) and path not in LISTED:
                leaks.append((who, method, target, *told))
        # The guest's secret in the body and in the query is no better than in its header.
        answer = site.call(method, target + f"?booking_token={guest['booking_token']}", body and {
            **body, "booking_token": guest["booking_token"]}, elsewhere())
        asked += 1
        if leaked(path, answer):
            leaks.append(("a guest's query", method, target, answer))
    assert not leaks, "\n".join(map(str, leaks[:20]))
    assert site.call("GET", f"/customers/my-bookings/{adam['id']}", headers=adams).status == 200  # the callers are alive
    own = site.call("GET", "/customers/my-bookings", headers=adams)
    assert own.status == 200 and [each["id"] for each in own.data] == [adam["id"]], own
    now = everything(site)
    assert now == before, [pair for pair in zip(before, now) if pair[0] != pair[1]]
    return routes, asked


def names(answer):
    return answer.status, answer.json.get("code"), answer.json.get("message")


def main():
    with furnished(SVC, DATABASE, PRO) as shop:
        site, trip = shop.site, shop.walk.ids["/trips"]
        paths = set(shop.walk.paths)
        named = {*NO_RECORD, *NOT_BACK, *OPEN, *LISTED}
        assert named <= paths, named - paths
        writes, created = made_with(shop)
        roles = {"administrator": site.staff, "sales_agent": user(site, "agent", "sales_agent"),
                 "marketing": user(site, "writer", "marketing"), "a customer": shop.account("Fred", trip)[0]}
        back, refused = sent_back(shop, roles)
        wishes = checkout(site, trip) + registered(site) + cancelled(shop, trip)
        routes, swaps = swapped_ids(shop, trip)
        site.check_invariants()
        assert writes >= 25 and created > 800 and back > 300 and routes > 120, (writes, created, back, routes)
        figure(f"fields sent to {writes} creations {created}, back to their records by {len(roles)} roles {back}"
               f" (refused to a role {refused}), by customers {wishes}; routes with an id of somebody else {routes}, asked"
               f" {swaps} times; taken 0, told 0")


if __name__ == "__main__":
    sys.exit(main())
