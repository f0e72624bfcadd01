#!/usr/bin/python3
"""Fails on a route that reads a booking without its caller: staff's routes read by `seen(id, caller)`, which knows the
caller's rights and departures. A file whose routes have proven the caller in another way is listed here with how."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tree import own_files  # noqa: E402

READS = re.compile(r"\b(?:records_?|bookings_?)\s*(?:\.|->)\s*(?:find|answers|last_payment)\(|booking::Service::read\(")
ROUTES = re.compile(r"\.handle\s*=|\bapi::Request\b|\busing api::Request\b")
PROVEN = {
    "base/sales/booking/desk/file_routes.cpp": "staff by seen(), customers by Ownership of the booking in the path",
    "base/sales/booking/desk/later_answer_routes.cpp": "the gate asks Ownership of the booking that the path names",
    "base/sales/booking/desk/later_service_routes.cpp": "staff by seen(), customers by Ownership of the booking in the path",
    "base/sales/booking/guest/own_routes.cpp": "the gate asks Ownership of the booking that the path names",
    "base/sales/payment/paying_routes.cpp": "Ownership is asked before anything of the booking is returned",
    "base/sales/payment/provider_routes.cpp": "the provider's event is proven, and nothing of the booking is returned",
    "base/sales/payment/saved_method_routes.cpp": "after seen(): the charge that this request has begun",
    "base/messaging/routes.cpp": "the payment of a booking that seen() has returned",
    "base/people/reviews/requests.cpp": "the booking that the mailed review link or the account itself names",
    "base/people/my_account/feature.cpp": "the booking that the account's own review link names",
    "base/people/privacy/feature.cpp": "the bookings of the person who is signed in",
}


def faults_in(path, text):
    if not ROUTES.search(text) or path in PROVEN:
        return []
    return [f"{path}:{text.count(chr(10), 0, match.start()) + 1}: a route reads a booking without its caller: "
            "use seen(id, request.caller), or list the file in check_door.py with how its caller is proven"
            for match in READS.finditer(text)]


def check(root):
    faults, seen = [], set()
    for file in own_files(root, ".cpp"):
        path = file.relative_to(root).as_posix()
        if not path.startswith(("base/", "pro/")):
            continue
        text = file.read_text()
        faults += faults_in(path, text)
        if path in PROVEN and READS.search(text):
            seen.add(path)
    return faults + [f"check_door.py: {path} reads no booking any more" for path in sorted(set(PROVEN) - seen)]


if __name__ == "__main__":
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "every route reads bookings through its caller's door")
    sys.exit(1 if found else 0)
