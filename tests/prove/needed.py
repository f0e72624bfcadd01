"""What writes need that no sample of their schema says: days that are free, a session, a payment that may be changed.

`send(shop, method, path, route, text)` is a write of the walk with that in it.
"""
import itertools

from proving import day, filled_in

NUMBERS = itertools.count(300)
PASSWORD = "a good long one"


def free_day():
    return day(next(NUMBERS))


def a_guest(shop, **more):
    """A booking of its own, for what ends one."""
    booked = shop.site.book(shop.walk.ids["/trips"], day(), f"Guest{next(NUMBERS)}", **more)
    assert booked.status == 201, booked
    return booked.data


def a_session(shop):
    opened = shop.site.call("POST", "/booking/session", {"trip_id": shop.walk.ids["/trips"], "travel_date": day()})
    assert opened.status == 201, opened
    return opened.data["session_id"]


def cash(shop, status="completed"):
    return shop.made("/payments", {"booking_id": a_guest(shop)["id"], "amount": 2, "gateway": "cash", "status": status})["id"]


def a_transaction(text):
    """No two payments have one name."""
    return f"{text('transaction_id', 180)}{next(NUMBERS)}"


def people(text):
    lead = filled_in({})["travelers"][0]
    return {"travelers": [{**lead, **{name: text(name, 100) for name in ("first_name", "last_name", "nationality", "note")}}]}


def of_a_session(shop, _):
    return {"session_id": a_session(shop), "travelers_count": 1, "traveler_counts": None, "trip_id": shop.walk.ids["/trips"], "travel_date": day(), "departure_time": None,
            "availability_id": None, "coupon_code": None, "payment_method": "full"}


def by_hand(shop, text):
    return {"trip_id": shop.walk.ids["/trips"], "travel_date": day(), "departure_time": None, "availability_id": None,
            "coupon_code": None, "payment_gateway": "cash", "payment_method": "full", "status": "pending",
            "booking_status": "pending", "payment_status": "pending", "amount_paid": 0, "travelers_count": 1,
            **people(text)}


def an_entry(shop):
    entry = shop.made("/itineraries", {"trip_id": shop.walk.ids["/trips"], "mode": "activity", "day": 1, "title": "Boat"})
    return {"itineraries": entry["id"], "of_day_id": entry["day_id"]}


# A trip that can still be booked by one grown-up on the days that are there.
BOOKABLE = {"min_travelers": 1, "max_travelers": 50, "age_min": None, "age_max": None, "booking_window_days": None,
            "booking_deadline_hours": None, "available_from": None, "available_to": None, "pricing_type": "regular",
            "price_types": [], "status": "publish", "seasonal_enable_date": None, "seasonal_disable_date": None,
            "scheduled_publish_at": None, "scheduled_unpublish_at": None, "duration": 3, "regular_price": 40,
            "sale_price": None, "discounted_price": None, "availability_dates": []}
# By method and path: (fields of the body, ids of the path), each a function of the shop and of the text.
NEEDED = {
    "POST /items": (lambda shop, _: {"type_id": shop.walk.ids["/item-types"]}, None),
    "POST /attributes": (lambda *_: {"required": False}, None),  # or no trip could be published without it
    "PUT /attributes/{id}": (lambda *_: {"required": False, "field_type": "select"}, None),
    "PUT /trips/{id}": (lambda *_: dict(BOOKABLE), None),
    "POST /itineraries": (lambda *_: {"mode": "activity", "day": 1}, None),
    "PUT /itineraries/{id}": (lambda *_: {"mode": "activity", "day": 1}, an_entry),
    "PUT /itineraries/day/{day_id}/activities/bulk": (
        lambda shop, text: {"activities": [{"title": text("title", 255), "description": text("description", 2000)}]}, an_entry),
    "POST /trips/{trip_id}/departures": (lambda *_: {"start_date": free_day(), "end_date": None, "time": None}, None),
    "PUT /trips/{trip_id}/departures/{id}": (
        lambda *_: {"start_date": day(), "end_date": None, "time": None, "cancel_bookings": False, "sale_state": "open"}, None),
    "POST /availability": (lambda *_: {"departure_date": free_day(), "arrival_date": None, "seats_total": 20}, None),
    "PUT /availability/{id}": (
        lambda *_: {"departure_date": day(50), "arrival_date": None, "cancel_bookings": False, "seats_total": 20,
                    "status": "available", "is_blocked": False}, None),
    "POST /availability/{id}/duplicate": (lambda *_: {"departure_date": free_day()}, None),
    "PUT /booking/session": (of_a_session, None),
    "POST /booking/summary": (of_a_session, None),
    "POST /booking/coupons": (lambda shop, _: {"session_id": a_session(shop), "code": "HARBOUR"}, None),
    "POST /bookings": (by_hand, None),
    "PUT /bookings/{id}": (by_hand, lambda shop: {"bookings": a_guest(shop)["id"]}),
    "PUT /bookings/{id}/travellers": (lambda _, text: people(text), lambda shop: {"bookings": a_guest(shop)["id"]}),
    "PUT /bookings/{id}/status": (lambda *_: {"status": "cancelled"}, lambda shop: {"bookings": a_guest(shop)["id"]}),
    "POST /bookings/{id}/restore": (lambda *_: {"force": False}, lambda shop: {"bookings": trashed(shop)}),
    "POST /bookings/{id}/payments": (
        lambda _, text: {"gateway": "cash", "status": "completed", "amount": 1, "currency": "USD",
                         "transaction_id": a_transaction(text)},
        lambda shop: {"bookings": a_guest(shop)["id"]}),
    "POST /bookings/{id}/charge": (lambda shop, _: {"saved_method_id": shop.about["saved"], "amount": 1}, None),
    "POST /payments": (
        lambda shop, text: {"booking_id": a_guest(shop)["id"], "gateway": "cash", "status": "completed", "amount": 1,
                            "currency": "USD", "transaction_id": a_transaction(text)}, None),
    "PUT /payments/{id}": (
        lambda _, text: {"gateway": "cash", "status": "pending", "amount": 1, "currency": "USD",
                         "transaction_id": a_transaction(text)},
        lambda shop: {"payments": cash(shop, "pending")}),
    "POST /payments/{id}/refunds": (lambda *_: {"amount": 1}, lambda shop: {"payments": cash(shop)}),
    "POST /auth/register": (
        lambda *_: {"email": f"new{next(NUMBERS)}@example.org", "password": PASSWORD, "confirm_password": PASSWORD}, None),
    "POST /customers/my-bookings/{id}/cancel": (
        lambda shop, _: {"booking_token": shop.about["ended"]["booking_token"]},
        lambda shop: {"my_bookings": kept_for_its_token(shop)}),
}


def trashed(shop):
    booking = a_guest(shop)["id"]
    gone = shop.site.as_staff("DELETE", f"/bookings/{booking}")
    assert gone.status == 200, gone
    return booking


def kept_for_its_token(shop):
    shop.about["ended"] = a_guest(shop)
    return shop.about["ended"]["id"]


def send(shop, method, path, route, text, more=None, headers=None):
    """(answer, body) as of Walk.send; the ids that it needed for itself are forgotten again."""
    fields, ids = NEEDED.get(f"{method} {path}", (None, None))
    before = dict(shop.walk.ids)
    own = ids(shop) if ids else {}
    shop.knows(**own)
    try:
        return shop.walk.send(method, path, route, text, {**(more or {}), **(fields(shop, text) if fields else {})}, headers)
    finally:
        if own:
            shop.walk.ids |= {name: value for name, value in before.items() if shop.walk.ids[name] != value}
