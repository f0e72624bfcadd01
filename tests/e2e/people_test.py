"""Customers and accounts over real sockets: staff's records, an account from registration to erasure, and the commands.

people_test.py SVC DATABASE
"""
import datetime
import json
import pathlib
import re
import sys
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
PASSWORD = "correct horse battery"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class People(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE).__enter__()
        cls.addClassCleanup(cls.site.__exit__, None, None, None)
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        cls.trip = cls.site.given_trip()["id"]
        cls.site.given_departure(cls.trip, DAY, 100)
        cls.site.wait_until_all_show(cls.trip)

    def mailed_path(self, template, address):
        """The path of the link in the latest e-mail of that kind, once it is there."""
        for _ in range(1200):
            self.site.open_mails()
            rows = self.site.sql(
                f"SELECT id FROM svc_email_outbox WHERE template_key = '{template}' AND to_email = '{address}'"
                " AND body_text LIKE '%token=%' ORDER BY id DESC LIMIT 1")
            if rows:
                text = "\n".join("|".join(row) for row in self.site.sql(
                    f"SELECT body_text FROM svc_email_outbox WHERE id = {rows[0][0]}"))
                return re.search(r"/svc/v1(/[\w/-]+\?token=[0-9a-fv.]+)", text).group(1)
            time.sleep(0.05)
        self.fail(f"no {template} went to {address}")

    def press(self, path, **fields):
        """Opens the page of a mailed link and presses its button, as a browser without scripts does."""
        page = self.site.call("GET", path)
        self.assertEqual(page.status, 200, page)
        self.assertIn("text/html", page.headers["content-type"])
        self.assertEqual(page.text.count("<button"), 1)
        place, query = path.split("?")
        token = urllib.parse.parse_qs(query)["token"][0]
        body = urllib.parse.urlencode({"token": token, **fields})
        status, headers, text = self.site.servers[0].ask("/svc/v1" + place, "POST", body, FORM)
        return status, text

    def account(self, name):
        """Registers, proves the address and signs in; the headers of the session."""
        address = f"{name}@example.org"
        made = self.site.call("POST", "/auth/register", {
            "first_name": name.title(), "last_name": "Byte", "email": address, "phone": "+44 20 7946 0001",
            "password": PASSWORD, "confirm_password": PASSWORD})
        self.assertEqual(made.status, 201, made)
        status, text = self.press(self.mailed_path("customer_email_verification", address), password=PASSWORD,
                                  confirm_password=PASSWORD)
        self.assertEqual(status, 200, text)
        return address, self.signed_in(address)

    def signed_in(self, address):
        answer = self.site.call("POST", "/auth/login", {"username": address, "password": PASSWORD})
        self.assertEqual(answer.status, 200, answer)
        return {"Cookie": answer.headers["set-cookie"].split(";")[0], "X-Host-Nonce": answer.data["nonce"]}

    def test_staff_find_merge_and_delete_customers(self):
        first = self.site.as_staff("POST", "/customers", {"first_name": "Zoë", "last_name": "Łukasz",
                                                          "email": "zoe@example.org", "phone": "020 7946 0099"})
        self.assertEqual(first.status, 201, first)
        again = self.site.as_staff("POST", "/customers", {"first_name": "Zoe", "email": "ZOE@example.org"})
        self.assertEqual((again.status, again.json["data"]["existing_id"]), (409, first.data["id"]))
        booked = self.site.book(self.trip, DAY, name="Zora", contact_phone="+44 20 7946 0099")
        self.assertEqual(booked.status, 201, booked)
        found = self.site.as_staff("GET", "/customers?search=lukasz")
        self.assertEqual([each["id"] for each in found.data], [first.data["id"]])
        groups = self.site.as_staff("GET", "/customers/duplicates").data
        pair = next(group for group in groups if group["reason"] == "phone")
        source = next(each["id"] for each in pair["customers"] if each["email"] == "zora@example.org")
        ids = {"source_id": source, "target_id": first.data["id"]}
        preview = self.site.as_staff("GET", "/customers/merge?" + urllib.parse.urlencode(ids))
        self.assertEqual(preview.data["moved"]["bookings"], 1)
        merged = self.site.as_staff("POST", "/customers/merge", ids)
        self.assertEqual((merged.status, merged.data["total_bookings"]), (200, 1), merged)
        refused = self.site.as_staff("DELETE", f"/customers/{first.data['id']}")
        self.assertEqual((refused.status, refused.json["code"]), (409, "svc_in_use"))
        self.assertEqual(self.site.call("GET", "/customers").status, 401)

    def test_an_account_changes_its_address_by_the_mailed_link_and_its_password(self):
        old, session = self.account("wanda")
        asked = self.site.call("POST", "/customers/me/email", {"email": "wanda.new@example.org",
                                                               "current_password": PASSWORD}, session)
        self.assertEqual((asked.status, asked.data["pending_email"]), (200, "wanda.new@example.org"), asked)
        path = self.mailed_path("account_email_change_request", "wanda.new@example.org")
        self.assertEqual(self.site.call("GET", "/auth/me", headers=session).data["user"]["email"], old)
        status, text = self.press(path)  # by somebody who only has the mailbox
        self.assertEqual(status, 400, text)
        self.assertIn("w***@example.org", text)
        self.assertEqual(self.site.call("GET", "/customers/me", headers=session).data["email"], old)
        status, text = self.press(path, current_password=PASSWORD)
        self.assertEqual(status, 200, text)
        self.assertEqual(self.site.call("GET", "/customers/me", headers=session).status, 401)  # other sessions end
        session = self.signed_in("wanda.new@example.org")
        self.assertEqual(self.site.call("GET", "/customers/me", headers=session).data["email"], "wanda.new@example.org")
        self.assertEqual(self.site.call("POST", "/auth/login", {"username": old, "password": PASSWORD}).status, 401)

    def test_a_person_gets_their_data_and_is_erased_and_the_commands_do_the_same(self):
        address, session = self.account("xenia")
        profile = self.site.call("PUT", "/customers/me", {"city": "Quincunx"}, session)
        self.assertEqual(profile.status, 200, profile)
        self.assertIn("Quincunx", self.site.run("person", "export", address))
        asked = self.site.call("POST", "/customers/me/export", {"current_password": PASSWORD}, session)
        self.assertEqual(asked.status, 200, asked)
        status, text = self.press(self.mailed_path("account_privacy_link", address))
        self.assertEqual((status, json.loads(text)["customer"]["city"]), (200, "Quincunx"))
        asked = self.site.call("POST", "/customers/me/erasure", {"current_password": PASSWORD}, session)
        self.assertEqual(asked.status, 200, asked)
        for _ in range(1200):
            path = self.mailed_path("account_privacy_link", address)
            if "erasure" in path:
                break
            time.sleep(0.05)
        status, text = self.press(path)
        self.assertEqual(status, 200, text)
        self.assertEqual(self.site.call("GET", "/auth/me", headers=session).status, 401)
        with self.assertRaisesRegex(AssertionError, "No data is stored"):
            self.site.run("person", "export", address)
        made = self.site.as_staff("POST", "/customers", {"first_name": "Yuri", "email": "yuri@example.org"})
        self.assertEqual(made.status, 201, made)
        with self.assertRaises(AssertionError):  # not without --yes
            self.site.run("person", "erase", "yuri@example.org")
        self.assertIn("svc_customers 1", self.site.run("person", "erase", "yuri@example.org", "--yes"))
        self.assertFalse(self.site.as_staff("GET", "/customers?search=yuri").data)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
