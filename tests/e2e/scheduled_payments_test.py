"""Balances that are charged by themselves, through the whole program beside a stub of Stripe: planned, charged, declined,
never answered, paid otherwise, called off with their booking.

scheduled_payments_test.py SVC DATABASE PRO
"""
import base64
import datetime
import os
import pathlib
import re
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import provider_stub  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
TODAY = datetime.datetime.now(datetime.timezone.utc).date()
DAY = (TODAY + datetime.timedelta(days=90)).isoformat()
RUN, REMIND = "scheduled_payments_run", "scheduled_payments_reminders"


def in_days(count):
    return (TODAY + datetime.timedelta(days=count)).isoformat()


class ScheduledPayments(unittest.TestCase):
    callers = 0

    @classmethod
    def setUpClass(cls):
        cls.stripe = provider_stub.Stripe("sk_test_1")
        cls.site = Site(SVC, DATABASE, environment={
            "SVC_PRO_LIBRARY": os.path.abspath(PRO), "SVC_OUTBOUND_PRIVATE_HOSTS": cls.stripe.place,
            "SVC_PAYMENT_API_BASES": f"stripe={cls.stripe.url}"}).__enter__()
        cls.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'personal', 0, 0)")
        saved = cls.site.as_staff("POST", "/payment/gateways/stripe/config", {
            "enabled": True, "test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1",
            "webhook_secret": "whsec_1"})
        assert saved.status == 200, saved
        cls.without_the_module = cls.site.as_staff("GET", "/scheduled-payments")
        cls.without_its_base = cls.toggle("scheduled_payments")
        for module in ("flexible_payments", "scheduled_payments"):
            turned = cls.toggle(module)
            assert turned.status == 200, turned
        cls.set(public_rate_limit=0, api_rate_limit=0, allow_save_payment_methods=True, enable_deposit=True,
                deposit_percentage=25, enable_scheduled_payments=True, admin_email="desk@example.org")
        cls.trip = cls.site.given_trip(regular_price=100)["id"]
        cls.site.wait_until_all_show(cls.trip)
        open_one = cls.site.book(cls.trip, DAY, payment_gateway="stripe").data["booking_id"]
        begun = cls.site.call("POST", "/payment/create-intent", {"gateway": "stripe", "booking_id": open_one})
        cls.never_paid = cls.stripe.made[begun.data["payment_id"]]

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.site.__exit__(None, None, None)
            cls.stripe.close()

    @classmethod
    def toggle(cls, module):
        return cls.site.as_staff("POST", f"/modules/{module}/toggle", {"enabled": True})

    @classmethod
    def set(cls, **settings):
        done = cls.site.as_staff("PUT", "/settings", settings)
        assert done.status == 200 and not done.data["rejected_keys"], done

    def until(self, what, wanted=True):
        for _ in range(600):
            seen = what()
            if seen == wanted:
                return
            time.sleep(0.1)
        self.fail(f"{wanted} was waited for, and it stayed {seen}")

    def intent(self, body, headers):
        ScheduledPayments.callers += 1
        return self.site.call("POST", "/payment/create-intent", body,
                              {"X-Forwarded-For": f"198.51.100.{self.callers}", **headers})

    def deposit_of(self, method="pm_ada", save=True, guest=False):
        """A booking whose deposit of 25 was paid by a card."""
        made = self.site.book(self.trip, DAY, headers={} if guest else self.site.staff, payment_method="deposit",
                              payment_gateway="stripe")
        self.assertEqual(made.status, 201, made)
        booking = made.data["booking_id"]
        proof = {"X-Svc-Booking-Token": made.data["booking_token"]} if guest else self.site.staff
        begun = self.intent({"gateway": "stripe", "booking_id": booking, "save_card": save}, proof)
        self.assertEqual((begun.status, begun.data["amount"]), (200, 25), begun)
        self.stripe.pay(begun.data["payment_id"], method=method)
        paid = self.site.call("POST", "/payment/confirm", {"gateway": "stripe", "booking_id": booking,
                                                           "transaction_id": begun.data["payment_id"]}, proof)
        self.assertEqual((paid.status, paid.data["status"]), (200, "completed"), paid)
        return booking

    def rows(self, booking):
        listed = self.site.as_staff("GET", f"/scheduled-payments?booking_id={booking}")
        self.assertEqual(listed.status, 200, listed)
        return listed.data

    def planned(self, booking, count=1):
        self.until(lambda: len(self.rows(booking)), count)
        return self.rows(booking)

    def state(self, booking):
        now = self.site.as_staff("GET", f"/payment/status/{booking}").data
        return now["status"], now["payment_status"], now["amount_paid"]

    def owed(self, booking):
        reference = self.site.as_staff("GET", f"/bookings/{booking}").data["reference"]
        return self.site.as_staff("GET", f"/scheduled-payments/outstanding?search={reference}").data

    def make_due(self, booking):
        self.site.sql(f"UPDATE svc_scheduled_payments SET scheduled_date = '{TODAY.isoformat()}', next_attempt_at = NULL"
                      f" WHERE booking_id = {booking}")

    def run_job(self, job=RUN, at_once=True):
        """One turn of a job, from its beginning to its end. `at_once`: another job is woken, by whose end the clock is
        looked at; it asks the provider too."""
        before = self.site.sql(f"SELECT COALESCE(last_finished_at, 0) FROM svc_jobs WHERE name = '{job}'")
        self.site.sql(f"UPDATE svc_jobs SET next_run_at = 0 WHERE name = '{job}'")
        ended = lambda: self.site.sql(  # noqa: E731
            f"SELECT COALESCE(last_finished_at, 0) FROM svc_jobs WHERE name = '{job}' AND locked_by IS NULL") not in ([], before)
        if at_once:
            headers, body = self.stripe.event("payment_intent.processing", self.never_paid, "whsec_1")
            self.site.servers[0].ask("/svc/v1/payment/webhook/stripe", "POST", body.encode(), headers)
        self.until(ended)

    def mails(self, template, booking):
        self.site.open_mails()
        return int(self.site.sql(f"SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = '{template}'"
                                 f" AND (booking_id = {booking} OR body_html LIKE '%>Open booking ' || (SELECT reference FROM svc_bookings"
                                 f" WHERE id = {booking}) || '<%')")[0][0])

    def told(self, action, row):
        return self.site.sql(f"SELECT arguments FROM svc_domain_events WHERE name = '{action}'"
                             f" AND arguments LIKE '[{row},%' ORDER BY id")

    def test_there_is_nothing_of_it_without_the_module_and_nothing_for_who_may_not(self):
        self.assertEqual(self.without_the_module.status, 404)
        self.assertEqual(self.without_its_base.status, 403)
        for path in ("/scheduled-payments", "/scheduled-payments/stats", "/scheduled-payments/outstanding"):
            self.assertEqual(self.site.call("GET", path).status, 401)
            self.assertEqual(self.site.as_staff("GET", path).status, 200)
        self.site.run("user", "add", "clerk", "--email", "clerk@example.org", "--role", "accountant", "--generate")
        password = self.site.run("password", "add", "clerk", "--name", "tests").strip().splitlines()[-1]
        clerk = {"Authorization": "Basic " + base64.b64encode(f"clerk:{password}".encode()).decode()}
        self.assertEqual(self.site.call("GET", "/scheduled-payments", headers=clerk).status, 200)
        for path in ("/scheduled-payments/1/cancel", "/scheduled-payments/outstanding/1/send-link"):
            self.assertEqual(self.site.call("POST", path).status, 401)
            self.assertEqual(self.site.call("POST", path, headers=clerk).status, 403)
            self.assertEqual(self.site.as_staff("POST", path.replace("/1", "/99999")).status, 404)
        for query in ("status=none", "from=2026-02-30", "from=2026-05-02&to=2026-05-01", "orderby=secret"):
            self.assertEqual(self.site.as_staff("GET", f"/scheduled-payments?{query}").status, 400, query)

    def test_a_balance_is_charged_once_it_is_due_and_the_customer_hears_of_it(self):
        booking = self.deposit_of()
        row, = self.planned(booking)
        self.assertEqual((row["amount"], row["scheduled_date"], row["status"], row["payment_type"], row["gateway"]),
                         (75, in_days(15), "scheduled", "balance", "stripe"))
        self.assertEqual(self.owed(booking), [])
        self.run_job()  # its day has not come
        self.assertEqual(self.rows(booking)[0]["status"], "scheduled")
        self.site.sql(f"UPDATE svc_scheduled_payments SET scheduled_date = '{in_days(3)}' WHERE booking_id = {booking}")
        day_is_open = f"DELETE FROM svc_job_days WHERE job_name = '{REMIND}'"
        for _ in range(2):
            self.site.sql(day_is_open)
            self.run_job(REMIND)
        self.until(lambda: self.mails("scheduled_payment_reminder", booking), 1)
        self.make_due(booking)
        self.run_job()
        row, = self.rows(booking)
        self.assertEqual((row["status"], row["status_label"], row["attempts"]), ("paid", "Paid", 0))
        self.assertEqual(self.state(booking), ("confirmed", "paid", 100))
        payments = self.site.as_staff("GET", f"/bookings/{booking}/payments").data
        self.assertEqual([(one["id"], one["source"], one["amount"], one["type"]) for one in payments][1:],
                         [(row["payment_id"], "scheduled", 75, "final")])
        charge = self.stripe.made[payments[1]["transaction_id"]]
        self.assertEqual((charge["amount"], charge["payment_method"]), (7500, "pm_ada"))
        self.assertIn(f"sched:{row['id']}:1", self.stripe.answers)
        self.until(lambda: self.mails("scheduled_payment_succeeded", booking), 1)
        self.until(lambda: self.mails("admin_payment_received", booking), 2)
        self.assertEqual(self.mails("payment_received", booking), 1)  # of the deposit
        (told,), = self.told("svc_scheduled_payment_success", row["id"])
        for words in (f'"booking_id":{booking}', '"fully_paid":true', '"balance_after_formatted":"USD 0.00"',
                      '"scheduled_amount_formatted":"USD 75.00"', '"payment_type_label":"Balance"'):
            self.assertIn(words, told)
        again = self.site.as_staff("POST", f"/scheduled-payments/{row['id']}/cancel")
        self.assertEqual((again.status, again.json["code"]), (409, "svc_conflict"), again)

    def test_a_card_that_is_declined_is_tried_three_times_and_then_the_link_is_sent_once(self):
        booking = self.deposit_of("pm_declined")
        row = self.planned(booking)[0]["id"]
        for attempt in (1, 2, 3):
            self.make_due(booking)
            self.run_job()
            now, = self.rows(booking)
            self.assertEqual((now["attempts"], now["last_error"]), (attempt, "Your card was declined."))
            self.assertEqual((now["status"], now["permanent_failure"]),
                             ("scheduled", False) if attempt < 3 else ("failed", True))
            self.assertEqual(now["next_attempt_at"] is None, attempt == 3)
            if attempt == 1:  # a day must pass
                self.run_job()
                self.assertEqual(self.rows(booking)[0]["attempts"], 1)
        self.until(lambda: self.mails("scheduled_payment_failed", booking), 3)
        self.until(lambda: self.mails("admin_scheduled_payment_failed", booking), 3)
        told = [one for one, in self.told("svc_scheduled_payment_failed", row)]
        self.assertEqual(["\"permanent\":true" in one for one in told], [False, False, True])
        self.assertEqual(self.state(booking), ("pending", "partial", 25))
        owing, = self.owed(booking)
        self.assertEqual((owing["amount_due"], owing["reason"], owing["tour_date"]), (75, "charge_failed", DAY))
        path = f"/scheduled-payments/outstanding/{booking}/send-link"
        sent = [self.site.as_staff("POST", path, headers={"Idempotency-Key": "link-1"}) for _ in range(2)]
        self.assertEqual([(one.status, one.data["sent"]) for one in sent], [(200, True)] * 2, sent)
        twice = self.site.as_staff("POST", path)
        self.assertEqual((twice.status, twice.json["code"]), (409, "link_already_sent"), twice)
        self.assertEqual(self.owed(booking), [])
        self.until(lambda: self.mails("scheduled_payment_reminder", booking), 1)
        (body,), = self.body_of(booking)
        token = re.search(r"booking_token=(p[12]\.[0-9A-Za-z_.-]+)", body)[1]
        link = self.rows(booking)[-1]
        self.assertEqual((link["kind"], link["status"], link["id"]), ("link", "scheduled", sent[0].data["scheduled_payment_id"]))
        # Whoever has that mail pays by it, and what the row was there for is over.
        begun = self.intent({"gateway": "stripe", "booking_id": booking}, {"X-Svc-Booking-Token": token})
        self.assertEqual((begun.status, begun.data["amount"]), (200, 75), begun)
        self.stripe.pay(begun.data["payment_id"])
        paid = self.site.call("POST", "/payment/confirm", {"gateway": "stripe", "booking_id": booking, "transaction_id":
                                                           begun.data["payment_id"]}, {"X-Svc-Booking-Token": token})
        self.assertEqual(paid.status, 200, paid)
        self.until(lambda: [(one["status"], one["payment_id"], one["cancel_reason"]) for one in self.rows(booking)],
                   [("failed", None, None), ("paid", paid.data["payment_id"], None)])
        nothing = self.site.as_staff("POST", path)
        self.assertEqual((nothing.status, nothing.json["code"]), (400, "no_balance_due"), nothing)

    def body_of(self, booking):
        self.site.open_mails()
        one_line = "replace(body_html, {}(10), ' ')".format("char" if DATABASE == "sqlite" else "chr")
        return self.site.sql(f"SELECT {one_line} FROM svc_email_outbox WHERE booking_id = {booking}"
                             " AND template_key = 'scheduled_payment_reminder'")

    def test_a_charge_without_an_answer_is_asked_about_and_not_made_twice(self):
        booking = self.deposit_of("pm_lost")
        self.planned(booking)
        self.make_due(booking)
        charges = len(self.stripe.of("pi"))
        self.stripe.faults.append("lost")
        self.run_job(at_once=False)
        self.assertEqual(self.rows(booking)[0]["status"], "processing")
        self.assertEqual(self.state(booking), ("pending", "partial", 25))
        other = self.site.as_staff("POST", "/payment/remaining", {"gateway": "stripe", "booking_id": booking})
        self.assertEqual((other.status, other.json["code"]), (409, "charge_in_progress"), other)
        late = self.site.as_staff("POST", f"/scheduled-payments/{self.rows(booking)[0]['id']}/cancel")
        self.assertEqual(late.status, 409, late)
        self.run_job()  # half an hour must pass
        self.assertEqual(self.rows(booking)[0]["status"], "processing")
        self.site.sql(f"UPDATE svc_scheduled_payments SET last_attempt_at = last_attempt_at - 1860000000"
                      f" WHERE booking_id = {booking}")
        self.run_job()
        self.assertEqual(self.rows(booking)[0]["status"], "paid")
        self.assertEqual(self.state(booking), ("confirmed", "paid", 100))
        self.assertEqual(len(self.stripe.of("pi")), charges + 1)

    def test_parts_follow_another_total_and_end_with_their_booking_or_its_balance(self):
        self.set(scheduled_payment_type="installments", scheduled_payment_installments=3)
        try:
            edited, cancelled, trashed, refunded, settled = (self.deposit_of() for _ in range(5))
            rows = self.planned(edited, 3)
            self.assertEqual([(one["amount"], one["scheduled_date"], one["payment_type"]) for one in rows],
                             [(25, in_days(15), "installment"), (25, in_days(45), "installment"),
                              (25, in_days(75), "installment")])
            for booking in (cancelled, trashed, refunded, settled):
                self.planned(booking, 3)
            ends = lambda booking: [(one["status"], one["cancel_reason"]) for one in self.rows(booking)]  # noqa: E731
            raised = self.site.as_staff("PUT", f"/bookings/{edited}", {"total_amount": 125.01})
            self.assertEqual(raised.status, 200, raised)
            self.until(lambda: [one["amount"] for one in self.rows(edited)], [33.33, 33.33, 33.35])
            one = self.site.as_staff("POST", f"/scheduled-payments/{rows[0]['id']}/cancel")
            self.assertEqual((one.status, one.data["status"], one.data["cancel_reason"]), (200, "cancelled", "admin"), one)
            gone = self.site.as_staff("PUT", f"/bookings/{cancelled}/status", {"status": "cancelled"})
            self.assertEqual(gone.status, 200, gone)
            self.until(lambda: ends(cancelled), [("cancelled", "cancelled")] * 3)
            self.assertEqual(self.site.as_staff("DELETE", f"/bookings/{trashed}").status, 200)
            self.until(lambda: ends(trashed), [("cancelled", "trashed")] * 3)
            self.site.as_staff("POST", f"/bookings/{trashed}/restore")
            payment = self.site.as_staff("GET", f"/bookings/{refunded}/payments").data[0]["id"]
            back = self.site.as_staff("POST", f"/payments/{payment}/refunds", {"amount": 5})
            self.assertEqual((back.status, back.data["status"]), (201, "completed"), back)
            self.until(lambda: ends(refunded), [("cancelled", "refund")] * 3)
            self.assertEqual([one["reason"] for one in self.owed(refunded)], ["cancelled_by_admin"])
            begun = self.site.as_staff("POST", "/payment/remaining", {"gateway": "stripe", "booking_id": settled})
            self.assertEqual((begun.status, begun.data["amount"]), (200, 75), begun)
            self.stripe.pay(begun.data["payment_id"])
            self.assertEqual(self.site.as_staff("POST", "/payment/confirm", {
                "gateway": "stripe", "booking_id": settled, "transaction_id": begun.data["payment_id"]}).status, 200)
            self.until(lambda: ends(settled), [("cancelled", "paid_in_full")] * 3)
            for booking in (cancelled, trashed, refunded, settled):
                self.make_due(booking)
            charges = len(self.stripe.of("pi"))
            self.run_job()
            self.assertEqual(len(self.stripe.of("pi")), charges)
            self.assertEqual(ends(trashed), [("cancelled", "trashed")] * 3)
            stats = self.site.as_staff("GET", "/scheduled-payments/stats").data
            self.assertGreaterEqual(stats["cancelled"], 13)
            self.assertEqual(stats["scheduled"], len(self.site.as_staff(
                "GET", "/scheduled-payments?status=scheduled&per_page=100").data))
            self.assertEqual(stats["overdue"], 0)
            owing = {order: [(one["tour_date"], one["booking_id"]) for one in self.site.as_staff(
                "GET", f"/scheduled-payments/outstanding?per_page=100&order={order}").data] for order in ("asc", "desc")}
            self.assertEqual(owing["asc"], owing["desc"][::-1])
            self.assertGreater(len(owing["asc"]), 1)
        finally:
            self.set(scheduled_payment_type="single", scheduled_payment_installments=1)

    def test_an_installment_that_is_paid_early_is_not_charged_again(self):
        self.set(scheduled_payment_type="installments", scheduled_payment_installments=3)
        try:
            booking = self.deposit_of()
            self.planned(booking, 3)
            plan = lambda: [(one["number"], one["amount"]) for one in  # noqa: E731
                            self.site.as_staff("GET", f"/bookings/{booking}").data["payment_terms"]["plan"]]
            self.assertEqual(plan(), [(1, 25), (2, 25), (3, 25)])
            begun = self.intent({"gateway": "stripe", "booking_id": booking, "next_installment": True, "save_card": True},
                                self.site.staff)
            self.assertEqual((begun.status, begun.data["amount"]), (200, 25), begun)
            self.stripe.pay(begun.data["payment_id"], method="pm_other")
            paid = self.site.as_staff("POST", "/payment/confirm", {
                "gateway": "stripe", "booking_id": booking, "transaction_id": begun.data["payment_id"]})
            self.assertEqual((paid.status, paid.data["status"]), (200, "completed"), paid)
            state = lambda: [one["status"] for one in self.rows(booking)]  # noqa: E731
            self.until(state, ["paid", "scheduled", "scheduled"])
            self.assertEqual(plan(), [(2, 25), (3, 25)])
            self.make_due(booking)
            self.run_job()
            self.until(state, ["paid", "paid", "cancelled"])  # on one day they are one charge
            self.assertEqual(self.state(booking), ("confirmed", "paid", 100))
            payments = self.site.as_staff("GET", f"/bookings/{booking}/payments").data
            self.assertEqual([(one["source"], one["amount"]) for one in payments],
                             [("gateway", 25), ("gateway", 25), ("scheduled", 50)])
            # With the card of that payment.
            self.assertEqual(self.stripe.made[payments[2]["transaction_id"]]["payment_method"], "pm_other")
        finally:
            self.set(scheduled_payment_type="single", scheduled_payment_installments=1)

    def test_who_let_us_keep_no_card_owes_with_a_reason(self):
        guest, careful = self.deposit_of(guest=True), self.deposit_of(save=False)
        self.until(lambda: [one["reason"] for one in self.owed(careful)], ["no_saved_method"])
        self.assertEqual([(one["reason"], one["amount_due"]) for one in self.owed(guest)], [("guest_booking", 75)])
        by_hand = self.site.book(self.trip, DAY, headers=self.site.staff, payment_method="deposit").data["booking_id"]
        recorded = self.site.as_staff("POST", "/payments", {"booking_id": by_hand, "amount": 25, "gateway": "cash",
                                                            "status": "completed"})
        self.assertEqual(recorded.status, 201, recorded)
        self.until(lambda: [one["reason"] for one in self.owed(by_hand)], ["gateway_unsupported"])
        self.set(enable_scheduled_payments=False)
        try:
            early = self.deposit_of()
            self.until(lambda: self.mails("payment_received", early), 1)
            self.assertEqual(self.rows(early), [])
            self.assertEqual([one["reason"] for one in self.owed(early)], ["module_enabled_later"])
        finally:
            self.set(enable_scheduled_payments=True)
        # A booking that is deleted for good takes its rows along.
        row = self.site.as_staff("POST", f"/scheduled-payments/outstanding/{early}/send-link")
        self.assertEqual(row.status, 200, row)
        unpaid = self.site.book(self.trip, DAY, headers=self.site.staff).data["booking_id"]
        self.assertEqual(self.site.as_staff("POST", f"/scheduled-payments/outstanding/{unpaid}/send-link").status, 200)
        for _ in range(2):
            self.assertEqual(self.site.as_staff("DELETE", f"/bookings/{unpaid}?force=true").status, 200)
            if not self.site.sql(f"SELECT id FROM svc_bookings WHERE id = {unpaid}"):
                break
        self.assertEqual(self.site.sql(f"SELECT id FROM svc_scheduled_payments WHERE booking_id = {unpaid}"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
