"""What a customer finds in the mailbox: one e-mail for each thing that happened, also after the server was away.

mail_test.py SVC DATABASE
"""
import contextlib
import datetime
import json
import pathlib
import random
import re
import socket
import subprocess
import sys
import time
import unittest

SUPPORT = pathlib.Path(__file__).parent.parent / "support"
sys.path.insert(0, str(SUPPORT))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


class Sink:
    """The SMTP server of the tests on a port that stays the same while it is down."""

    def __init__(self, folder):
        self.log, self.process = pathlib.Path(folder) / "mails", None
        # Below the ports that the system gives to connections, which could take it while the sink is down.
        for self.port in random.sample(range(20_000, 30_000), 20):
            with socket.socket() as held, contextlib.suppress(OSError):
                held.bind(("127.0.0.1", self.port))
                break

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", str(SUPPORT / "smtp_sink.py"), str(self.log), "--port", str(self.port)],
            stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == f"port {self.port}\n"

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None

    def mails(self):
        if not self.log.exists():
            return []
        # The last line may be half written.
        return [json.loads(line) for line in self.log.read_text().splitlines(keepends=True) if line.endswith("\n")]


@contextlib.contextmanager
def given_site():
    with contextlib.ExitStack() as stack:
        site = Site(SVC, DATABASE, servers=0)
        stack.enter_context(site)
        sink = Sink(site.dir)
        stack.callback(sink.stop)
        site.environment |= {"SVC_PRO_LIBRARY": "none", "SVC_OUTBOUND_PRIVATE_HOSTS": f"127.0.0.1:{sink.port}"}
        site.start()
        saved = site.as_staff("PUT", "/settings", {
            "company_name": "Peaks & Rivers", "from_email": "office@example.org", "admin_email": "", "smtp_enabled": True,
            "smtp_host": "127.0.0.1", "smtp_port": sink.port, "smtp_encryption": "none"})
        assert saved.status == 200, saved
        assert saved.data.get("rejected_keys", []) == [], saved
        yield site, sink


def until(what, seconds=60):
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found


def states(site):
    return dict(site.sql("SELECT status, COUNT(*) FROM svc_email_outbox GROUP BY status"))


def given_booking(site, name="Ada"):
    trip = site.given_trip(title="Nile <b>& more</b> cruise")["id"]
    made = site.book(trip, DAY, "Ada", contact_first_name=name)
    assert made.status == 201, made
    return made.data


class Mail(unittest.TestCase):
    def test_a_booking_and_its_cancellation_send_one_e_mail_each(self):
        with given_site() as (site, sink):
            sink.start()
            booking = given_booking(site, "Ada <i>x</i>")
            until(lambda: len(sink.mails()) == 1)
            mail = sink.mails()[0]
            self.assertEqual(mail["to"], ["ada@example.org"])
            self.assertEqual(mail["from"], "office@example.org")
            self.assertIn(booking["reference"], mail["subject"])
            for body in (mail["html"], mail["text"]):
                self.assertIn(booking["reference"], body)
                self.assertIn("Nile", body)
                self.assertIn("40.00", body)
                self.assertNotIn("{{", body)
            self.assertNotIn("<i>", mail["html"])
            self.assertNotIn("<b>&", mail["html"])
            self.assertIn("Peaks &amp; Rivers", mail["html"])
            self.assertIn("Peaks & Rivers", mail["text"])

            path = f"/bookings/{booking['booking_id']}/status"
            for _ in range(3):
                self.assertEqual(site.as_staff("PUT", path, {"status": "cancelled"}).status, 200)
            until(lambda: len(sink.mails()) == 2)
            self.assertIn("cancelled", sink.mails()[1]["subject"])
            self.assertIn(booking["reference"], sink.mails()[1]["text"])
            # Nothing more is on its way: what there was to send is sent.
            until(lambda: states(site) == {"sent": "2"})
            self.assertEqual(len({mail["id"] for mail in sink.mails()}), 2)
            self.assertEqual(len(sink.mails()), 2)

    def test_a_part_and_the_rest_of_a_price_are_told_apart(self):
        with given_site() as (site, sink):
            sink.start()
            site.as_staff("PUT", "/settings", {"email_template_partial_payment": True, "admin_email": "desk@example.org"})
            booking = given_booking(site)
            about_payments = 0
            for amount in (15, 25):
                paid = site.as_staff("POST", "/payments", {"booking_id": booking["booking_id"], "amount": amount,
                                                           "gateway": "cash", "status": "completed"})
                self.assertEqual(paid.status, 201, paid)
                # An e-mail says what holds when it is made: the one about the part is made before the rest is paid.
                about_payments += 2
                until(lambda: len([m for m in sink.mails()
                                   if "payment" in m["subject"].lower() or "part" in m["subject"]]) == about_payments)
            until(lambda: set(states(site)) == {"sent"})
            to_customer = [m for m in sink.mails() if m["to"] == ["ada@example.org"] and "received" in m["subject"]]
            part, rest = [m for m in to_customer if "your booking" not in m["subject"]]
            self.assertIn("a part payment", part["subject"])
            for text in ("15.00", "40.00", "25.00"):  # this one, the total, what is left
                self.assertIn(text, part["text"])
            self.assertIn("your payment", rest["subject"])
            self.assertNotIn("a part payment", rest["text"])
            to_staff = [m for m in sink.mails() if m["to"] == ["desk@example.org"]
                        and m["subject"].startswith("Payment for")]
            self.assertEqual(len(to_staff), 2)

    def test_a_guests_link_proves_no_other_address_than_the_one_it_was_sent_to(self):
        with given_site() as (site, sink):
            sink.start()
            asked = site.as_staff("PUT", "/settings", {"require_guest_email_verification": True})
            self.assertEqual(asked.status, 200, asked)
            booking = given_booking(site)
            path = f"/bookings/{booking['booking_id']}"

            def link_to(address):
                mail = until(lambda: [one for one in sink.mails() if one["to"] == [address]])[-1]
                return re.search(r"verify-email\?token=([\w.%-]+)", mail["text"])[1]

            def press(token):
                return site.call("POST", "/booking/verify-email", {"token": token})

            first = link_to("ada@example.org")
            self.assertEqual(site.as_staff("PUT", path, {"contact_email": "eve@example.org"}).status, 200)
            second = link_to("eve@example.org")
            for _ in range(2):
                refused = press(first)
                self.assertEqual((refused.status, refused.json["code"]), (409, "email_changed"), refused)
                self.assertNotIn("eve", refused.text)
            page = site.call("GET", f"/booking/verify-email?token={second}")
            self.assertEqual(page.status, 200, page)
            self.assertIn("<form", page.text)
            self.assertEqual(site.as_staff("GET", path).data["status"], "pending_verification")
            self.assertEqual(press(second).data["status"], "pending")
            self.assertEqual(press(first).json["code"], "email_changed")

    def test_mail_waits_for_a_server_that_is_down(self):
        with given_site() as (site, sink):
            booking = given_booking(site)
            until(lambda: site.sql("SELECT id FROM svc_email_outbox WHERE status = 'queued' AND attempts > 0"))
            self.assertEqual(site.as_staff("GET", f"/bookings/{booking['booking_id']}").data["status"], "pending")
            site.kill()
            sink.start()
            site.sql("UPDATE svc_email_outbox SET next_attempt_at = 0")  # its time has come
            site.start()
            until(lambda: len(sink.mails()) == 1)
            self.assertIn(booking["reference"], sink.mails()[0]["subject"])
            until(lambda: states(site) == {"sent": "1"})

    def test_mail_that_was_switched_off_is_not_sent(self):
        with given_site() as (site, sink):
            sink.start()
            site.as_staff("PUT", "/settings", {"email_template_booking": False})
            booking = given_booking(site)
            site.as_staff("PUT", f"/bookings/{booking['booking_id']}/status", {"status": "confirmed"})
            until(lambda: len(sink.mails()) == 1)
            self.assertIn("confirmed", sink.mails()[0]["subject"])
            self.assertEqual(states(site).get("suppressed"), "1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
