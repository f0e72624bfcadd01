"""S17: secrets go in by every door; none is found in the log, the metrics, the database, a backup or staff's answers.

canaries.py SVC DATABASE
"""
import base64
import gzip
import pathlib
import secrets
import subprocess
import sys

from proving import Site, arguments, day, figure

SVC, DATABASE, _ = arguments()


def stored(site):
    """The whole database as bytes."""
    url = site.environment["SVC_DATABASE_URL"]
    if DATABASE == "sqlite":
        path = pathlib.Path(url.removeprefix("sqlite:"))
        return b"".join(each.read_bytes() for each in path.parent.glob(path.name + "*"))
    return subprocess.run(["pg_dump", url.removeprefix("postgresql:")], check=True, capture_output=True).stdout


def main():
    with Site(SVC, DATABASE) as site:
        server = site.servers[0]
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 10)
        canary = {what: f"canary{what}{secrets.token_hex(12)}" for what in
                  ("password", "wrong", "mail", "account", "idempotent", "query", "bearer")}
        made = site.as_staff("POST", "/auth/application-passwords", {"name": "canary"})
        assert made.status == 201, made
        canary["application"] = next(v for v in made.data.values() if isinstance(v, str) and len(v) > 20)
        booked = site.book(trip, day(), account_password=canary["account"])
        assert booked.status == 201, booked
        canary["guest"] = booked.data["booking_token"]
        site.call("POST", "/auth/login", {"username": "boss", "password": canary["wrong"]})
        canary["staff"] = site.password.split()[-1]
        signed = site.call("POST", "/auth/login", {"username": "boss", "password": canary["staff"]})
        assert signed.status == 200, signed
        canary["cookie"] = signed.headers["set-cookie"].split("=", 1)[1].split(";")[0]
        site.as_staff("PUT", "/settings", {"smtp_password": canary["mail"]})
        site.call("GET", f"/payment/status/{booked.data['id']}?booking_token={canary['guest']}")
        site.call("GET", f"/bookings?token={canary['query']}", headers={"Authorization": f"Bearer {canary['bearer']}"})
        basic = base64.b64encode(f"boss:{canary['password']}".encode()).decode()
        site.call("GET", "/bookings", headers={"Authorization": f"Basic {basic}"})
        site.call("POST", "/booking/session", {"trip_id": trip, "token": canary["query"], "card": "4242424242424242"},
                  headers={"Idempotency-Key": canary["idempotent"]})
        canary["card"] = "4242424242424242"
        backup = site.dir / "canary.backup"
        if DATABASE == "sqlite":
            site.run("backup", str(backup))
        places = {
            "log": "\n".join(filter(None, server.lines)).encode(),
            "metrics": server.ask("/metrics", admin=True)[2].encode(),
            "database": stored(site),
            "settings": site.as_staff("GET", "/settings").text.encode(),
            "bookings": site.as_staff("GET", "/bookings").text.encode(),
            "booking": site.as_staff("GET", f"/bookings/{booked.data['id']}").text.encode(),
            "passwords": site.as_staff("GET", "/auth/application-passwords").text.encode()}
        if backup.exists():
            whole = backup.read_bytes()
            places["backup"] = gzip.decompress(whole) if whole[:2] == b"\x1f\x8b" else whole
        assert len(places["log"]) > 1000 and len(places["database"]) > 10_000
        found = [(what, place) for what, secret in canary.items() for place, text in places.items()
                 if secret.encode() in text or base64.b64encode(secret.encode())[:-4] in text]
        assert not found, found
        figure(f"secrets {len(canary)}, places {len(places)}, found 0")


if __name__ == "__main__":
    sys.exit(main())
