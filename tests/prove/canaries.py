"""S17: secrets go in by every door, and to every route where it asks for none, in debug mode too; none is found in the log,
the metrics, the database, a backup or what any route answers to staff, to another customer and to visitors. A server that
crashes leaves no core.

canaries.py SVC DATABASE PRO
"""
import base64
import gzip
import json
import pathlib
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

from furnished import PASSWORD, furnished_with_mails
from proving import arguments, day, figure, filled_in
from walking import elsewhere, fetched, sample

SVC, DATABASE, (PRO,) = arguments(2)
CARD = "4242424242424242"
SECRET = re.compile("password|secret|token")
# Creations that are told nothing they know, as changes are, or what is looked for afterwards would not be there any more.
KEEPS = {"/payment/gateways/{gateway}/config", "/trips/{trip_id}/downloads"}

# Where a secret belongs, and why.
GIVEN = {("feed", "answers to staff"): "whose feed it is reads its address",
         ("feed", "answers to the walk of staff"): "the same",
         ("download", "answers to staff"): "who may fetch the file is given its link"}


def canary(what):
    return f"canary{what}{secrets.token_hex(12)}"


def shapes(secret):
    """The secret as it may be written down: itself, in an address, and in base64 wherever it begins there."""
    found = {secret.encode(), urllib.parse.quote(secret, safe="").encode()}
    for ahead in range(3):
        coded = base64.b64encode(b"x" * ahead + secret.encode()).decode()
        found.add(coded[-(-ahead * 8 // 6):-4].encode())
    return found


def stored(site):
    """The whole database as bytes."""
    url = site.environment["SVC_DATABASE_URL"]
    if DATABASE == "sqlite":
        path = pathlib.Path(url.removeprefix("sqlite:"))
        return b"".join(each.read_bytes() for each in path.parent.glob(path.name + "*"))
    return subprocess.run(["pg_dump", url.removeprefix("postgresql:")], check=True, capture_output=True).stdout


def backed_up(site):
    copy = site.dir / "canary.backup"
    site.run("backup", str(copy))
    whole = copy.read_bytes()
    if DATABASE == "postgres":  # packed: what it holds is what would be restored
        whole += subprocess.run(["pg_restore", "-f", "-", str(copy)], check=True, capture_output=True).stdout
    return gzip.decompress(whole) if whole[:2] == b"\x1f\x8b" else whole


def memory_of(process):
    """What a core would hold: all that the process may write to. Read as it runs; gdb does not attach everywhere."""
    whole = []
    with open(f"/proc/{process.pid}/mem", "rb", 0) as memory:
        for line in pathlib.Path(f"/proc/{process.pid}/maps").read_text().splitlines():
            place, rights = line.split()[:2]
            if rights.startswith("rw"):
                begin, end = (int(each, 16) for each in place.split("-"))
                memory.seek(begin)
                for _ in range(begin, end, 65536):
                    block = memory.read(min(65536, end - begin))
                    if block.strip(b"\0"):
                        whole.append(block)
    return b"".join(whole)


def cores_after(place, command):
    """The cores of a command that is allowed to leave one, and is struck as it runs."""
    process = subprocess.Popen(["prlimit", "--core=unlimited:unlimited", *command], cwd=place, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    assert process.poll() is None, command
    process.send_signal(signal.SIGSEGV)
    process.wait()
    return list(pathlib.Path(place).glob("core*"))


def no_core(site, known):
    """The server's memory holds the secrets that it works with, so a crash must write none of it. How many it holds."""
    server = site.start(under=("prlimit", "--core=unlimited:unlimited"))
    assert site.call("GET", "/bookings", headers=basic("boss", known["application password"]), server=-1).status == 200
    limits = pathlib.Path(f"/proc/{server.process.pid}/limits").read_text()
    assert re.search(r"^Max core file size +0 +0 ", limits, re.M), limits
    memory = memory_of(server.process)
    held = sum(secret.encode() in memory for secret in known.values())
    server.process.send_signal(signal.SIGSEGV)
    server.process.wait()
    assert not list(site.dir.glob("core*")), "a core of the server"
    site.servers.pop()
    with tempfile.TemporaryDirectory(prefix="svc-core-") as place:
        planted = cores_after(place, ["sleep", "60"])  # what is not held back leaves one, where the kernel writes them so
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text()
    assert planted or pattern.startswith(("|", "/")), "no core is ever written here"
    return held, planted


def by_staff(shop, known):
    """Secrets of an operator: of gateways, of mail, of the license and of other services."""
    site = shop.site
    for gateway, fields in (("stripe", ("live_secret_key", "webhook_secret", "previous_webhook_secret")),
                            ("razorpay", ("live_key_secret", "test_key_secret", "webhook_secret", "previous_webhook_secret")),
                            ("paypal", ("client_secret", "webhook_secret")), ("pay_later", ("webhook_secret",)),
                            ("bank_transfer", ("webhook_secret",))):
        kept = {field: canary(gateway + field.replace("_", "")) for field in fields}
        if "live_secret_key" in kept:
            kept["live_secret_key"] = "sk_live_" + kept["live_secret_key"]
        saved = site.as_staff("POST", f"/payment/gateways/{gateway}/config", kept)
        assert saved.status == 200, saved
        known |= {f"{gateway} {field}": secret for field, secret in kept.items()}
    for setting in ("smtp_password", "recaptcha_secret_key", "sms_api_key"):
        known[setting] = canary(setting.replace("_", ""))
        saved = site.as_staff("PUT", "/settings", {setting: known[setting]})
        assert saved.status == 200 and not saved.data["rejected_keys"], saved
    known["license key"] = "SVC-" + "-".join(secrets.token_hex(4).upper() for _ in range(4))
    saved = site.as_staff("POST", "/license/save", {"license_key": known["license key"]})
    assert saved.status == 200, saved
    made = shop.made("/auth/application-passwords", {"name": "canary"})
    known["application password"] = made["password"]
    assert site.call("GET", "/bookings", headers=basic("boss", made["password"])).status == 200
    feed = site.as_staff("POST", "/departures/feed").data["url"]
    known["feed"] = feed.rsplit("/", 1)[-1].removesuffix(".ics")
    assert site.call("GET", f"/departures/calendar/{known['feed']}").status == 200


def basic(name, secret):
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()}


def signing_in(site, known):
    for what, name, password in (("wrong", "boss", canary("wrong")), ("unknown", "nobody", canary("unknown")),
                                 ("staff", "boss", site.password.split()[-1])):
        known[what] = password
        signed = site.call("POST", "/auth/login", {"username": name, "password": password}, elsewhere())
    assert signed.status == 200, signed
    known["cookie"] = signed.headers["set-cookie"].split("=", 1)[1].split(";")[0]
    known["nonce"] = signed.data["nonce"]
    session = {"Cookie": signed.headers["set-cookie"].split(";")[0], "X-Host-Nonce": known["nonce"]}
    assert site.call("GET", "/bookings", headers=session).status == 200
    known["registered"] = canary("registered")
    made = site.call("POST", "/auth/register", {
        "first_name": "Reg", "last_name": "Istered", "email": "registered@example.org", "password": known["registered"],
        "confirm_password": known["registered"]})
    assert made.status in (200, 201), made


def booking(shop, known):
    """A guest who makes an account, pays by card and fetches documents and files."""
    site, trip = shop.site, shop.walk.ids["/trips"]
    opened = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": day()})
    known["session"] = opened.data["session_id"]
    known["account"], known["once"] = canary("account"), canary("once")
    booked = site.call("POST", "/booking/create", filled_in({
        "session_id": known["session"], "contact_email": "canary@example.org", "payment_gateway": "stripe",
        "create_account": True, "account_password": known["account"], "account_password_confirm": known["account"]}),
        {"Idempotency-Key": known["once"]})
    assert booked.status == 201, booked
    number, known["guest"] = booked.data["booking_id"], booked.data["booking_token"]
    earlier = shop.about["guest"]  # whose address was not asked to be proven yet
    known["earlier guest"] = earlier["booking_token"]
    begun = site.call("POST", "/payment/create-intent", {"gateway": "stripe", "booking_id": earlier["id"]},
                      {"X-Svc-Booking-Token": earlier["booking_token"]})
    assert begun.status == 200, begun
    known["provider"] = shop.stripe.made[begun.data["payment_id"]]["client_secret"]
    assert known["provider"] in begun.text
    sent = site.as_staff("POST", f"/scheduled-payments/outstanding/{earlier['id']}/send-link")
    assert sent.status == 200, sent
    if booked.data.get("invoice_token"):
        known["invoice"] = booked.data["invoice_token"]
        site.call("GET", f"/booking/{number}/invoice?preview=1&invoice_token={known['invoice']}")
    site.call("GET", f"/payment/status/{number}?booking_token={known['guest']}")
    link = site.as_staff("GET", f"/downloads/{shop.walk.ids['/downloads']}/download-url").data["download_url"]
    known["download"] = re.search(r"sig=(\w+)", link)[1]
    assert fetched(site, "GET", link[link.index("/svc/v1"):])[0] == 200


def by_accident(site, trip, known):
    """Where no secret belongs: addresses, headers, unknown fields, places that are not there, bodies that are refused."""
    for what in ("query", "bearer", "basic", "path", "referer", "body", "nested", "signature", "cut", "recaptcha", "cookies"):
        known[what] = canary(what)
    known["card"] = CARD
    site.call("GET", f"/trips?application_password={known['application password']}&q=boss:{known['application password']}")
    site.call("GET", f"/bookings?token={known['query']}", headers={"Authorization": f"Bearer {known['bearer']}"})
    site.call("GET", "/bookings", headers={**basic("boss", known["basic"]), **elsewhere()})
    site.call("GET", f"/departures/calendar/0.1.{known['path']}", headers=elsewhere())
    site.call("GET", f"/trips/public?booking_token={known['query']}&password={known['query']}",
              headers={"Referer": f"https://peaks.example/?invoice_token={known['referer']}",
                       "Cookie": f"a=b; __Host-svc_session={known['cookies']}; svc_session={known['cookies']}"})
    site.call("POST", "/booking/session", {"trip_id": trip, "token": known["body"], "card": CARD, "cvc": known["body"],
                                           "card_number": "4242 4242 4242 4242",
                                           "deep": {"secret": known["nested"], "list": [{"api_key": known["nested"]}]}})
    site.call("POST", "/booking/create", filled_in({"session_id": known["body"], "recaptcha_token": known["recaptcha"],
                                                    "account_password": known["body"]}), elsewhere())
    site.as_staff("PUT", "/settings", {"smtp_password": [known["nested"]], "timezone": "Mars/Olympus"})
    for gateway in ("stripe", "razorpay", "paypal"):
        headers = {"Content-Type": "application/json", **{name: f"t=1,v1={known['signature']}" for name in (
            "Stripe-Signature", "Card-Signature", "X-Razorpay-Signature", "Paypal-Transmission-Sig")}}
        body = json.dumps({"secret": known["signature"]}).encode()
        fetched(site, "POST", f"/svc/v1/payment/webhook/{gateway}", body, headers)
    fetched(site, "POST", "/svc/v1/auth/login", f'{{"username":"boss","password":"{known["cut"]}"'.encode(),
            {"Content-Type": "application/json", **elsewhere()})


def by_every_route(shop, known):
    """In a query, a header, fields and whoever asks, where no route knows of them, and in known fields for another secret; how
    many routes, and all that they answered to staff and to others. Links to other pages are the asker's own address again."""
    walk, told = shop.walk, {True: [], False: []}
    known |= {f"walked {what}": canary(f"walked{what}") for what in ("query", "header", "field", "word", "basic", "bearer")}
    field = known["walked field"]
    stray = urllib.parse.urlencode({name: known["walked query"] for name in ("stray", "password", "api_key", "access_token")})
    heads = {"X-Stray": known["walked header"], "X-Api-Key": known["walked header"], "Content-Type": "application/json"}
    real = walk.ids
    missing = {name: 999_999_999 if isinstance(value, int) else value for name, value in real.items()}

    def text(name, longest):
        return known["walked word"] if SECRET.search(name) and longest > 60 else "plain"[:longest]
    callers = [shop.site.staff, {"Authorization": f"Bearer {known['walked bearer']}"}, basic("boss", known["walked basic"])]
    routes, statuses = walk.routes("get", "post", "put", "delete"), []
    for method, path, route in routes:
        walk.ids = missing if method == "DELETE" else real
        target, schema = walk.filled(path), walk.body_schema(route) or {}
        walk.ids = real
        taken = schema and method == "POST" and path not in KEEPS
        body = {**(walk.references(sample(schema, text=text)) if taken else {}),
                "stray": field, "deep": {"client_secret": field, "pin": [field]},
                **{name: field for name in ("secret", "card_cvc") if name not in schema.get("properties", {})}}
        for caller in callers[method == "DELETE" and "{" not in path:]:
            status, pairs, data = fetched(shop.site, method, f"/svc/v1{target}?{stray}",
                                          None if method == "GET" else json.dumps(body), {**heads, **elsewhere(), **caller})
            by_staff = caller is shop.site.staff
            statuses += [status] if by_staff else []
            told[by_staff] += [*(f"{name}: {value}".encode() for name, value in pairs if name != "Link"), data]
    # They were taken in, and not refused at the door.
    assert 500 not in statuses and sum(status < 300 for status in statuses) > len(routes) / 2, statuses
    return len(routes), b"\n".join(told[True]), b"\n".join(told[False])


def mailed(site, log, known):
    """Tokens of the links in what was mailed."""
    for _ in range(600):
        if site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE status IN ('queued', 'sending')") == [["0"]] and \
                site.sql("SELECT COUNT(*) FROM svc_domain_events WHERE dispatched_at IS NULL") == [["0"]]:
            break
        time.sleep(0.1)
    mails = [json.loads(line) for line in log.read_text().splitlines()]
    for mail in mails:
        page = (mail["html"] or "").replace("&amp;", "&")
        for name, token in re.findall(r"[?&](\w*(?:token|session|sig|key)\w*)=([\w.%-]{20,})", page):
            known[f"mailed {name} {len(known)}"] = urllib.parse.unquote(token)
    assert sum(what.startswith("mailed") for what in known) >= 3, list(known)


def answers(shop, who):
    """Everything that any route answers to them."""
    walk, whole = shop.walk, []
    for _, path, _ in walk.routes("get"):
        whole.append(fetched(shop.site, "GET", "/svc/v1" + walk.filled(path), headers=who)[2])
    return b"\n".join(whole)


def main():
    for before in ("", "b", "bo", "boss:"):  # a secret is known again in base64, wherever it begins
        coded = base64.b64encode(f"{before}canary0123456789abcdef".encode())
        assert any(shape in coded for shape in shapes("canary0123456789abcdef")), before
    with furnished_with_mails(SVC, DATABASE, PRO) as (shop, port, log):
        look(shop, port, log)


def look(shop, port, log):
    site, known = shop.site, {}
    server, trip = site.servers[0], shop.walk.ids["/trips"]
    told = site.as_staff("PUT", "/settings", {
        "debug_mode": True, "smtp_enabled": True, "smtp_host": "127.0.0.1", "smtp_port": port, "smtp_encryption": "none",
        "from_email": "office@example.org", "admin_email": "desk@example.org", "require_guest_email_verification": True,
        "require_email_verification": True})
    assert told.status == 200 and not told.data["rejected_keys"], told
    by_staff(shop, known)
    signing_in(site, known)
    booking(shop, known)
    by_accident(site, trip, known)
    routes, to_staff, to_others = by_every_route(shop, known)
    mailed(site, log, known)
    open_secret = canary("open")  # what must be found, or nothing is looked at
    site.given_trip(title=open_secret)
    customer = shop.account("Dina", trip)[0]
    places = {"log": "\n".join(filter(None, server.lines)).encode(), "metrics": server.ask("/metrics", admin=True)[2].encode(),
              "readiness": server.ask("/readyz", admin=True)[2].encode(), "database": stored(site), "backup": backed_up(site),
              "answers to staff": answers(shop, site.staff), "answers to a customer": answers(shop, customer),
              "answers to visitors": answers(shop, {}), "answers to the walk of staff": to_staff,
              "answers to the walk of others": to_others}
    for where in ("database", "backup", "answers to staff"):
        assert open_secret.encode() in places[where], where
    assert b'"event":"request"' in places["log"] and len(places["log"]) > 1000
    found = [(what, where) for what, secret in known.items() for where, text in places.items()
             if (what.split()[0], where) not in GIVEN and any(shape in text for shape in shapes(secret))]
    assert not found, found
    held, planted = no_core(site, known)
    site.check_invariants()
    walked = sum(what.startswith("walked") for what in known)
    figure(f"secrets {len(known)}, of them {walked} by each of {routes} routes, places {len(places)}, found 0;"
           f" cores of a struck server 0 (its memory holds {held} of them; of another program {len(planted)})")


if __name__ == "__main__":
    sys.exit(main())
