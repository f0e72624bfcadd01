"""The admin in a browser: every list, a clerk's day, every role, accessibility, sizes.

admin_test.py SVC DATABASE FOLDER PRO: FOLDER has node_modules of this folder's lock file; admin.mjs runs beside them. Pro
has its licence and the modules that the desk knows are on. Not run unless named: `take_pictures [SCREEN…]`, see
admin_pictures.mjs.
"""
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import urllib.parse

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
import google_stub  # noqa: E402
import mailchimp_stub  # noqa: E402
import tracking_stub  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, FOLDER, PRO = sys.argv[1:5]
MODULES = ("flexible_payments", "scheduled_payments", "additional_services", "webhooks", "dynamic_pricing", "email_automation",
           "abandoned_booking_recovery", "custom_landing_pages", "trip_consent", "dynamic_form_field", "google_calendar", "mailchimp", "facebook_pixel", "google_analytics")
ROLES = ("owner", "manager", "sales_agent", "front_desk", "guide", "accountant", "marketing", "auditor")


class Mails(http.server.BaseHTTPRequestHandler):
    """/{template}/{address}: the link in the latest e-mail of this template to this address; /links/{template}/{address}:
    all its links, as JSON. /html/{template}/{address}: what it says. /sql/{statement}: what only time or an older release does to the data."""

    site = None

    def do_GET(self):
        kind, rest = urllib.parse.unquote(self.path).strip("/").split("/", 1)
        if kind == "links":
            said = json.dumps(self.site.mailed_links(*rest.split("/", 1)))
        elif kind == "html":
            self.site.mailed_links(*rest.split("/", 1))  # waits for it
            said = self.site.mailed_text(*rest.split("/", 1))
        else:
            said = str(self.site.sql(rest)) if kind == "sql" else self.site.mailed_link(kind, rest)
        self.send_response(200)
        self.end_headers()
        self.wfile.write((said or "").encode())

    def log_message(self, *_):
        pass


def main():
    folder = pathlib.Path(FOLDER) / DATABASE  # Node looks for packages in the folders above the script
    shutil.rmtree(folder, ignore_errors=True)  # a part that is gone does not run
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "*.json", ".npmrc"), dirs_exist_ok=True)
    with socket.socket() as free, socket.socket() as other:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        other.bind(("127.0.0.1", 0))
        hooks = f"127.0.0.1:{other.getsockname()[1]}"  # where a part of the test receives webhooks
    google = google_stub.Google()
    mailchimp = mailchimp_stub.Mailchimp()
    partners = tracking_stub.Partners()
    # At its own public address, from which the pictures come.
    with Site(SVC, DATABASE, servers=0, environment={**google.environment, "SVC_SITE_URL": f"http://127.0.0.1:{port}",
                                                          "SVC_PRO_LIBRARY": os.path.abspath(PRO),
                                                          "SVC_PAYMENT_API_BASES": f"google_calendar={google.url},mailchimp={mailchimp.url},"
                                                          f"meta={partners.url},google={partners.url}",
                                                          "SVC_OUTBOUND_PRIVATE_HOSTS": f"{hooks},{google.place},{mailchimp.place},{partners.place}"}) as site:
        site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                 " VALUES (1, 'test', '', 'active', 'agency', 0, 0)")
        site.start(port)
        for module in MODULES:
            turned = site.as_staff("POST", f"/modules/{module}/toggle", {"enabled": True})
            assert turned.status == 200, turned
        saved = site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "staff_rate_limit": 0, "public_rate_limit": 0, "enable_deposit": True,
                                                   "deposit_percentage": 20, "enable_scheduled_payments": True})
        assert saved.status == 200, saved
        # Its pictures take their time where the machine is busy.
        loaded = site.servers[0].ask("/svc/v1/sample-data/import", "POST", "{}",
                                     {**site.staff, "Content-Type": "application/json"}, timeout=500)
        assert loaded[0] in (200, 202), loaded
        users = {"administrator": ["boss", site.password.split()[-1]]}
        for role in ROLES if DATABASE == "sqlite" else ("sales_agent",):
            password = site.run("user", "add", role, "--email", f"{role}@example.org", "--role", role, "--generate")
            users[role] = [role, password.split()[-1]]
        Mails.site = site
        mails = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mails)
        threading.Thread(target=mails.serve_forever, daemon=True).start()
        environment = {**os.environ, "HOOKS": hooks, "GOOGLE": google.url, "MAILCHIMP_KEY": mailchimp_stub.KEY, "MAILS": f"http://127.0.0.1:{mails.server_address[1]}", "BASE": f"http://127.0.0.1:{site.servers[0].port}", "USERS": json.dumps(users),
                       "DATABASE": DATABASE, "STAFF": site.staff["Authorization"], "SOURCES": str(HERE.parents[1] / "base/web")}
        done = subprocess.run(["node", "admin.mjs", *sys.argv[5:]], cwd=folder, env=environment)
    sys.exit(done.returncode)


main()
