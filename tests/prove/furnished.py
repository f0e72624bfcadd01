"""A site with one of everything, so that no route is left for want of an id: `with furnished(svc, database, pro) as shop`.

What a walk of the routes could not make by samples is made here by hand; what is refused is an error.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from proving import Site, day, free_port
from walking import Walk, elsewhere, uploaded, with_everything

import provider_stub  # of tests/support, which proving names as a place to look

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF\n"
FAR = 90  # days ahead: what is left to pay is due a while before
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")
PASSWORD = "a good long one"
ITS_HASH = "$argon2id$v=19$m=19456,t=2,p=1$+WHmdw4moFfygckbeIqQoA$hS4yXvDq9lOGSJNWvhNit88rFHinikxVI7yVt/rmCLI"
SINK = pathlib.Path(__file__).parent.parent / "support/smtp_sink.py"


class Shop:
    """A site, its walk, its Stripe, and `about`: what was made, by name."""

    def __init__(self, site, stripe):
        self.site, self.stripe, self.walk, self.about = site, stripe, Walk(site), {}

    def made(self, path, body, status=201, headers=None):
        answer = self.site.as_staff("POST", path, body, headers)
        assert answer.status == status, (path, answer)
        return answer.data

    def knows(self, **ids):
        """`trips=3` is the id of /trips/{id}, `of_trip_id=3` that of {trip_id}."""
        for name, value in ids.items():
            self.walk.ids["{" + name[3:] + "}" if name.startswith("of_") else "/" + name.replace("_", "-")] = value

    def account(self, name, trip, days=40, **more):
        """One who books with an account, proves its address and signs in: headers, and the answer of the booking, which is
        theirs from then on."""
        email = f"{name.lower()}@example.org"
        booked = self.site.book(trip, day(days), name, headers=elsewhere(), create_account=True, account_password=PASSWORD,
                                special_requests=f"private of {name}", **more)
        assert booked.status == 201, booked
        self.site.sql("UPDATE svc_users SET email_verified_at = created_at, status = 'active', password_hash ="  # as the link does
                      f" '{ITS_HASH}' WHERE email_lower = '{email}'")
        signed = self.site.call("POST", "/auth/login", {"username": email, "password": PASSWORD})
        assert signed.status == 200, signed
        return {"Cookie": signed.headers["set-cookie"].split(";")[0], "X-Host-Nonce": signed.data["nonce"]}, booked.data

    def deposit(self, trip, headers, name="Dora"):
        """A booking whose deposit is paid with a card that is kept: the booking, its saved method and scheduled payment."""
        booked = self.site.book(trip, day(FAR), name, headers=headers, payment_method="deposit", payment_gateway="stripe")
        assert booked.status == 201, booked
        booking = booked.data["booking_id"]
        begun = self.site.call("POST", "/payment/create-intent", {"gateway": "stripe", "booking_id": booking,
                                                                  "save_card": True}, headers)
        assert begun.status == 200 and begun.data["saves_method"], begun
        self.stripe.pay(begun.data["payment_id"], method=f"pm_{name.lower()}")
        paid = self.site.call("POST", "/payment/confirm", {"gateway": "stripe", "booking_id": booking,
                                                           "transaction_id": begun.data["payment_id"]}, headers)
        assert paid.status == 200 and paid.data["status"] == "completed", paid
        saved = self.site.call("GET", "/customers/me/payment-methods", headers=headers).data[0]["id"]
        for _ in range(300):
            rows = self.site.as_staff("GET", f"/scheduled-payments?booking_id={booking}").data
            if rows:
                return booking, saved, rows[0]["id"], paid.data["payment_id"]
            time.sleep(0.1)
        raise AssertionError("what is left was never planned")


def the_catalogue(shop):
    site, made = shop.site, shop.made
    for path in ("destinations", "activities", "trip-categories", "difficulty-levels", "traveler-categories", "item-types",
                 "additional-services"):
        priced = {"price": 5} if path == "additional-services" else {}
        one = made(f"/{path}", {"name": f"Harbour {path}", "status": "publish", **priced})
        shop.knows(**{path.replace("-", "_"): one["id"]})
    attribute = made("/attributes", {"name": "Harbour pace", "field_type": "select", "status": "publish",
                                     "show_in_filters": True, "show_on_frontend": True,
                                     "field_options": [{"label": "Easy", "value": "easy"}]})["id"]
    ids = shop.walk.ids
    trip = site.given_trip(title="Harbour plain walk", duration=3, destinations=[ids["/destinations"]],
                           activity_types=[ids["/activities"]], trip_category=[ids["/trip-categories"]],
                           difficulty_level=ids["/difficulty-levels"])
    told = site.as_staff("POST", f"/trips/{trip['id']}/attributes", {"attributes": {str(attribute): "easy"}})
    assert told.status == 200, told
    assert site.as_staff("PUT", f"/trips/{trip['id']}", {"summary": "A walk by the harbour."}).status == 200
    shop.knows(trips=trip["id"], of_trip_id=trip["id"], trip=trip["id"], public=trip["slug"], attributes=attribute,
               of_attribute_id=attribute, values=attribute, of_taxonomy="destinations",
               of_revision_id=site.as_staff("GET", f"/trips/{trip['id']}/revisions").data[0]["id"])
    shop.knows(items=made("/items", {"name": "Harbour boat", "type_id": ids["/item-types"]})["id"])
    entry = made("/itineraries", {"trip_id": trip["id"], "mode": "activity", "day": 1, "title": "Harbour boat"})
    shop.knows(itineraries=entry["id"], of_day_id=entry["day_id"])
    for name, content, visibility in (("harbour.png", PNG, "public"), ("harbour.pdf", PDF, "booked_only")):
        status, _, data = uploaded(site, name, content, visibility=visibility)
        assert status == 201, data
        shop.about[visibility] = json.loads(data)["data"]["id"]
    shop.knows(media=shop.about["public"], of_image_id=shop.about["public"], of_attachment_id=shop.about["public"])
    listed = site.as_staff("POST", f"/trips/{trip['id']}/downloads", {"items": [
        {"attachment_id": shop.about["booked_only"], "title": "Harbour map", "visibility": "booked_only", "enabled": True}]})
    assert listed.status == 200, listed
    shop.knows(downloads=listed.data[0]["id"])
    return trip["id"]


def the_dates(shop, trip):
    site, made = shop.site, shop.made
    place = {"from_location": "Harbour quay", "notes": "By the harbour."}
    departure = site.given_departure(trip, day(), 500, **place)["id"]
    site.given_departure(trip, day(FAR), 500, **place)
    open_one = made("/availability", {"trip_id": trip, "departure_date": day(50), "departure_time": "09:00",
                                       "seats_total": 20, **place})["id"]
    gone = site.given_departure(trip, day(20), 5, **place)["id"]
    site.sql(f"UPDATE svc_departures SET start_date = '{day(-30)}', end_date = '{day(-28)}', status = 'past' WHERE id = {gone}")
    rule = made("/recurring-availability", {"trip_id": trip, "rule_type": "weekly", "days_of_week": [1], "name": "Harbour rule",
                                            "start_date": day(200), "seats_total": 20})["id"]
    feed = site.as_staff("POST", "/departures/feed")
    assert feed.status in (200, 201), feed
    shop.knows(departures=departure, of_departure_id=departure, availability=open_one, recurring_availability=rule,
               recurring_rules=rule, calendar=feed.data["url"].rsplit("/", 1)[-1].removesuffix(".ics"))
    shop.knows(discounts=made("/discounts", {"code": "HARBOUR", "name": "Harbour ten", "type": "percentage", "amount": 10,
                                             "status": "publish"})["id"])


def the_sales(shop, trip):
    site = shop.site
    guest = site.book(trip, day(), "Gast")
    assert guest.status == 201, guest
    shop.about["guest"] = guest.data
    booking, saved, planned, payment = shop.deposit(trip, site.staff)
    shop.about |= {"booking": booking, "payment": payment, "saved": saved, "planned": planned}
    shop.made("/payments", {"booking_id": booking, "amount": 1, "gateway": "cash", "status": "pending"})
    password = shop.made("/auth/application-passwords", {"name": "a second one"})
    shop.about["password"] = password
    shop.knows(bookings=booking, my_bookings=booking, booking=booking, of_booking_id=booking, status=booking,
               payments=payment, of_payment_id=payment, payment_methods=saved, scheduled_payments=planned,
               application_passwords=password["id"], modules="flexible_payments", of_gateway="stripe")


@contextlib.contextmanager
def furnished(svc, database, pro, **more):
    """`more`: environment of the server."""
    stripe = provider_stub.Stripe("sk_test_1")
    try:
        with Site(svc, database, environment={
                "SVC_PRO_LIBRARY": os.path.abspath(pro), "SVC_PAYMENT_API_BASES": f"stripe={stripe.url}", **more,
                "SVC_OUTBOUND_PRIVATE_HOSTS": ",".join(filter(None, (
                    stripe.place, more.get("SVC_OUTBOUND_PRIVATE_HOSTS"))))}) as site:
            with_everything(site)
            saved = site.as_staff("POST", "/payment/gateways/stripe/config", {
                "enabled": True, "test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1",
                "webhook_secret": "whsec_1"})
            assert saved.status == 200, saved
            told = site.as_staff("PUT", "/settings", {"allow_save_payment_methods": True, "enable_deposit": True,
                                                      "deposit_percentage": 25, "enable_scheduled_payments": True})
            assert told.status == 200 and not told.data["rejected_keys"], told
            shop = Shop(site, stripe)
            trip = the_catalogue(shop)
            the_dates(shop, trip)
            the_sales(shop, trip)
            yield shop
    finally:
        stripe.close()


@contextlib.contextmanager
def furnished_with_mails(svc, database, pro):
    """The same beside a mail server of ours: the shop, the server's port, the file of what it was given."""
    with tempfile.TemporaryDirectory(prefix="svc-mails-") as place:
        port, log = free_port(), pathlib.Path(place) / "mails"
        sink = subprocess.Popen([sys.executable, str(SINK), str(log), "--port", str(port)], stdout=subprocess.PIPE,
                                text=True)
        try:
            assert sink.stdout.readline() == f"port {port}\n"
            with furnished(svc, database, pro, SVC_OUTBOUND_PRIVATE_HOSTS=f"127.0.0.1:{port}") as shop:
                yield shop, port, log
        finally:
            sink.kill()
            sink.wait()
