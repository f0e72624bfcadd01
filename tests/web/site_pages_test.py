"""The site in a browser: every page and state with and without scripts, wide and narrow; booking by keyboard and by card.

site_pages_test.py SVC DATABASE FOLDER PRO [PART...]: FOLDER has node_modules of this folder's lock file; site.mjs runs
beside them. Not run unless named, both with the sample catalogue: `speed`, LCP and CLS with CPU x4 and slow 4G, and
`pictures [STATE...]` (see pictures.mjs). With PICTURES a folder, en-XB, ar and de are pictured too; with THEME one, its
files are the theme's.
"""
import datetime
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
import provider_stub  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, FOLDER, PRO = sys.argv[1:5]


def day(ahead):
    return (datetime.date.today() + datetime.timedelta(days=ahead)).isoformat()


class Bank(http.server.BaseHTTPRequestHandler):
    """What the browser's test cannot do by itself. What a customer does in the card's fields: /pay/pi_1, /decline/pi_1.
    What comes by e-mail: /mail/{template}/{address} is the link in the latest one. What time does: /expire/{reference}
    of an unpaid booking; /plan/{reference} of a balance that is charged later. What the catalogue has: /first/{slug}, a trip's first free day."""

    stripe = site = None

    def do_GET(self):
        what, name, *more = urllib.parse.unquote(self.path).strip("/").split("/")
        text = getattr(self, what)(name, *more) or ""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def pay(self, name):
        self.stripe.pay(name)

    def decline(self, name):
        self.stripe.decline(name, "Your card was declined.")

    def mail(self, template, address):
        return self.site.mailed_link(template, address)

    def expire(self, reference):
        long_ago = 100 * 3600 * 1_000_000
        self.site.sql(f"UPDATE svc_bookings SET pay_by = created_at - {long_ago} WHERE reference = '{reference}'")
        for _ in range(1200):
            self.site.as_staff("POST", "/tools/cron-run", {"hook": "svc_booking_expiry"})
            if self.site.as_staff("GET", f"/bookings?search={reference}").data[0]["status"] == "cancelled":
                return
            time.sleep(0.05)

    def plan(self, reference):
        """Three parts of a booking's balance: one to come, one in two months, one that failed for good."""
        booking = self.site.as_staff("GET", f"/bookings?search={reference}").data[0]["id"]
        for number, (ahead, status) in enumerate(((20, "scheduled"), (60, "scheduled"), (-3, "failed")), 1):
            self.site.sql("INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type, amount_minor,"
                          " currency, planned_total_minor, scheduled_date, status, max_attempts, created_at, updated_at) VALUES"
                          f" ({booking}, 1, {number}, 'charge', 'installment', {1000 + number}, 'USD', 12000, '{day(ahead)}',"
                          f" '{status}', 3, 3, 3)")

    def first(self, slug):
        trip = self.site.call("GET", f"/trips/public/{slug}").data["id"]
        for one in self.site.call("GET", f"/trips/{trip}/available-dates").data:
            if not one["is_full"] and one["available_capacity"] > 4:
                return one["date"]

    def log_message(self, *_):
        pass


ACCENTED = dict(zip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "àƀçđéƒğĥïĵķļɱñöþǫŕšţüṽŵẋýžÀƁÇÐÉƑĞĤÏĴĶĻṀÑÖÞǪŔŠŢÜṼŴẊÝŽ"))
ARABIC = dict(zip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "ابتدهفغحيجكلمنوپقرسطعڤشخثز" * 2))


# A theme's file from elsewhere, see site_hostile.mjs.
HOSTILE = """<h1 style="position:fixed">Taken over</h1><script>window.evil = 1</script><style>main { display: none }</style>
<img src="https://evil.example/x.png" alt="" onerror="window.evil = 2"><script src="https://evil.example/x.js"></script>
<iframe src="https://evil.example/"></iframe><a href="javascript:window.evil=3">Win</a>
"""


def written(text, letters):
    """A text in other letters, but for what a MessageFormat has in braces as names and keywords."""
    out, depth = "", 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        out += letters.get(letter, letter) if depth % 2 == 0 else letter
    return out


def write_languages(folder):
    """The catalogues of two languages of the operator, of pages, of the lines about money that pages share with
    documents, and of what is refused: en-XB, English with accents and a third longer, and ar, in Arabic letters."""
    sys.path.insert(0, str(HERE.parents[1] / "base/i18n"))
    import collect
    for catalogue in ("site", "document", "error"):
        (folder / catalogue).mkdir(parents=True)
        texts = collect.used(catalogue)
        for language, letters, more in (("en-XB", ACCENTED, 3), ("ar", ARABIC, 0)):
            entries = [f"msgid {collect.quoted(text)}\n"
                       f"msgstr {collect.quoted(written(text, letters) + ('~' * (len(text) // more) if more else ''))}\n"
                       for text in texts]
            (folder / catalogue / f"{language}.po").write_text("\n".join(entries), encoding="utf-8")


def main():
    folder = pathlib.Path(FOLDER) / f"site-{DATABASE}"  # Node looks for packages in the folders above the script
    folder.mkdir(exist_ok=True)
    for script in ("site.mjs", "site_consent.mjs", "site_flows.mjs", "site_hostile.mjs", "site_refusals.mjs", "visitor.mjs", "session.mjs", "pictures.mjs"):
        shutil.copy(HERE / script, folder)
    stripe = Bank.stripe = provider_stub.Stripe("sk_test_1")
    bank = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bank)
    threading.Thread(target=bank.serve_forever, daemon=True).start()
    with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO), "SVC_OUTBOUND_PRIVATE_HOSTS": stripe.place,
                                          "SVC_PAYMENT_API_BASES": f"stripe={stripe.url}"}) as site:
        Bank.site = site
        site.as_staff("POST", "/tools/cron-run", {"hook": "svc_booking_expiry"})  # bookings expire from its first run on
        site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                 " VALUES (1, 'site', '', 'active', 'personal', 0, 0)")  # so that modules of Pro can be switched on
        if {"pictures", "speed"} & set(sys.argv[5:]):
            site.run("samples")
        write_languages(site.dir / "var/theme/svc/i18n")
        if "THEME" in os.environ:  # a theme that is being drawn, without building the program
            shutil.copytree(os.environ["THEME"], site.dir / "var/theme/svc", dirs_exist_ok=True)
        (site.dir / "var/theme/svc/listing-trip-category.html").write_text(HOSTILE)
        # Once more at its own public address, which return addresses begin with.
        first = site.servers.pop()
        first.process.terminate()
        first.process.wait()
        site.environment["SVC_SITE_URL"] = f"http://127.0.0.1:{first.port}"
        site.start(first.port)
        site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "public_rate_limit": 0, "company_name": "Blue Boots"})
        saved = site.as_staff("POST", "/payment/gateways/stripe/config", {
            "enabled": True, "test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1", "webhook_secret": "whsec_1"})
        assert saved.status == 200, saved
        place = site.as_staff("POST", "/destinations", {"name": "Lofoten", "status": "publish"}).data["id"]
        trips = {}
        for name, more in (("Fjord kayaks", {"regular_price": 120, "destinations": [place]}), ("Lighthouse walk", {"regular_price": 45}),
                           ("Whale watching in the Donaudampfschifffahrtsgesellschaft", {"regular_price": 1234.5})):
            trip = site.given_trip(title=name, cancellation_policy="Until a week before, all is paid back.", **more)
            for ahead in (33, 40, 47, 75):
                site.given_departure(trip["id"], day(ahead), 3 if ahead == 47 else 12)
            trips[trip["slug"]] = trip["id"]
        slugs = list(trips)
        site.given_departure(trips[slugs[1]], day(54), 12, departure_time="09:00")
        site.given_departure(trips[slugs[1]], day(54), 12, departure_time="14:30")
        for rating in (5, 4):
            site.as_staff("POST", "/reviews", {"trip_id": trips[slugs[0]], "rating": rating, "status": "approved",
                                               "author_name": "Reader", "content": "Calm water, good food."})
        password = site.run("user", "add", "ada", "--email", "ada@example.org", "--role", "svc_customer", "--generate")
        newcomer = site.run("user", "add", "vera", "--email", "vera@example.org", "--role", "svc_customer", "--generate")
        site.wait_until_all_show(trips[slugs[0]])
        site.as_staff("POST", "/tools/cron-run", {"hook": "media_sizes"})
        for _ in range(1200):  # the pictures' copies are made beside the server's work
            if all(one["featured_image_srcset"] for one in site.call("GET", "/trips/public?per_page=50").data if one["featured_image_url"]):
                break
            time.sleep(0.05)
        environment = {**os.environ, "BASE": f"http://127.0.0.1:{site.servers[0].port}", "DATABASE": DATABASE,
                       "STAFF": site.staff["Authorization"], "PASSWORD": password.split()[-1], "NEWCOMER": newcomer.split()[-1], "BOSS": site.password.split()[-1],
                       "SLUGS": json.dumps(slugs),
                       "DAYS": json.dumps([day(33), day(40), day(47), day(54), day(75)]),
                       "BANK": f"http://127.0.0.1:{bank.server_address[1]}"}
        done = subprocess.run(["node", "site.mjs", *sys.argv[5:]], cwd=folder, env=environment)
    stripe.close()
    bank.shutdown()
    sys.exit(done.returncode)


main()
