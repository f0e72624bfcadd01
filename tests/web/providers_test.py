"""Scripts of providers on the site's pages, in a browser: reCAPTCHA's token on protected forms, Razorpay's window.

providers_test.py SVC FOLDER PRO: FOLDER has node_modules of this folder's lock file; providers.mjs runs beside them.
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
import urllib.parse

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
import provider_stub  # noqa: E402
from installation import Site  # noqa: E402

SVC, FOLDER, PRO = sys.argv[1:4]
# The interface of reCAPTCHA's script; a token is good once.
RECAPTCHA = """window.grecaptcha = { ready: (run) => setTimeout(run, 50), execute: async (key, { action }) => {
  window.asked = (window.asked ?? 0) + 1;
  if (window.unable) throw new Error('no');
  return `${window.robot ? 'robot' : 'person'} ${key} ${action} ${crypto.randomUUID()}`;
} };"""


class Providers(http.server.BaseHTTPRequestHandler):
    """reCAPTCHA's script and its siteverify; and what a customer does in Razorpay's window: /authorize/order_1."""

    razorpay, used, refused = None, set(), []

    def answer(self, kind, body, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path)
        if path.path == "/api.js":
            good = urllib.parse.parse_qs(path.query).get("render") == ["site-key"]
            return self.answer("text/javascript", RECAPTCHA.encode() if good else b"throw new Error('key')")
        order = path.path.rsplit("/", 1)[1]
        payment = self.razorpay.authorize(order)["id"]
        self.answer("application/json", json.dumps({
            "razorpay_payment_id": payment, "razorpay_order_id": order,
            "razorpay_signature": self.razorpay.proof(order, payment)}).encode())

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        token = form["response"][0]
        is_good = token.startswith("person site-key ") and token not in self.used
        self.used.add(token)
        self.answer("application/json", json.dumps({"success": is_good, "score": 0.9}).encode())

    def log_message(self, *_):
        pass


def main():
    folder = pathlib.Path(FOLDER) / "providers"  # Node looks for packages in the folders above the script
    folder.mkdir(exist_ok=True)
    shutil.copy(HERE / "providers.mjs", folder)
    razorpay = Providers.razorpay = provider_stub.Razorpay("rzp_test_1:s3cret")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Providers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"127.0.0.1:{server.server_address[1]}"
    with Site(SVC, "sqlite", environment={
            "SVC_PRO_LIBRARY": os.path.abspath(PRO), "SVC_OUTBOUND_PRIVATE_HOSTS": f"{razorpay.place},{place}",
            "SVC_PAYMENT_API_BASES": f"razorpay={razorpay.url}"}) as site:
        # Once more at its own public address, which return addresses begin with.
        first = site.servers.pop()
        first.process.terminate()
        first.process.wait()
        site.environment["SVC_SITE_URL"] = f"http://127.0.0.1:{first.port}"
        site.start(first.port)
        put = site.as_staff("PUT", "/settings", {
            "api_rate_limit": 0, "public_rate_limit": 0, "unproven_mails_per_hour": 0, "recaptcha_site_key": "site-key",
            "recaptcha_secret_key": "secret", "recaptcha_verify_url": f"http://{place}/siteverify",
            "recaptcha_script_url": f"http://{place}/api.js"})
        assert put.status == 200, put
        saved = site.as_staff("POST", "/payment/gateways/razorpay/config", {
            "enabled": True, "test_key_id": "rzp_test_1", "test_key_secret": "s3cret", "webhook_secret": "hook"})
        assert saved.status == 200, saved
        trip = site.given_trip(title="Nile cruise", regular_price=200)
        site.given_departure(trip["id"], (datetime.date.today() + datetime.timedelta(days=40)).isoformat(), 100)
        site.wait_until_all_show(trip["id"])
        environment = {**os.environ, "BASE": f"http://127.0.0.1:{site.servers[0].port}", "SLUG": trip["slug"],
                       "TRIP": str(trip["id"]), "STAFF": site.staff["Authorization"], "PROVIDERS": f"http://{place}"}
        done = subprocess.run(["node", "providers.mjs"], cwd=folder, env=environment)
    razorpay.close()
    server.shutdown()
    sys.exit(done.returncode)


main()
