"""The promises of svc and what shows each: the one list that `make prove` runs and docs/PROMISES.md is made of.

A proof is an executable that ends with 0 when the promise held and says what it saw in lines `figure: ...`.
"""
import dataclasses

BOTH = ("sqlite", "postgres")

# Cases that a test may skip on one database, by the printed reason; any other skipped case makes its row red.
SKIPPED = {("operator_test.py", "sqlite"): ("a database server that goes away",),
           ("operator_test.py", "postgres"): ("a disk of its own for the database's file",)}


@dataclasses.dataclass(frozen=True)
class Proof:
    how: str                   # shown by this: a test's name, or a script of this folder
    cases: str = ""            # doctest binaries: these cases alone
    part: str = ""             # scripts: the first argument, where it tells one proof of a promise from the next
    databases: tuple = ("",)   # one row each; "": the proof looks at both or at none itself
    arguments: tuple = ()      # behind the database
    full_arguments: tuple = ()  # instead of them in the full set
    only_full: bool = False
    slow: int = 600            # seconds after which it has failed
    alone: bool = False        # what runs beside it would spoil it


@dataclasses.dataclass(frozen=True)
class Promise:
    name: str
    says: str
    proofs: tuple = ()
    missing: str = ""  # what is not shown yet; a red row


def unit(binary, cases=""):
    return Proof(binary, cases)


def e2e(test, *arguments, full=(), only_full=False, slow=600):
    return Proof(f"{test}_test.py", databases=BOTH, arguments=arguments, full_arguments=full, only_full=only_full,
                 slow=slow)


def script(name, *arguments, databases=BOTH, part="", full=(), only_full=False, slow=600, alone=False):
    return Proof(f"{name}.py", part=part, databases=databases, arguments=arguments, full_arguments=full, only_full=only_full,
                 slow=slow, alone=alone)


def quick_on_sqlite(name, *arguments, **more):
    """The quick set has ten minutes; what costs more on PostgreSQL and shows the same there waits for the long one."""
    return (script(name, *arguments, databases=("sqlite",), **more),
            script(name, *arguments, databases=("postgres",), only_full=True, **more))


PROMISES = (
    Promise("R1", "No seat is sold twice, by however many servers: the ledger of seats equals the counts, at rest nothing "
            "is unsold while somebody was refused.",
            (script("seat_history", "1", "7", "200", "2000", slow=900),
             e2e("seat_mix", full=("20",), slow=1800), e2e("seat_race"))),
    Promise("R2", "A payment takes effect once, however often and by whichever way it is reported.",
            (unit("payment_tests"), e2e("payments"), script("payment_storm", "1", "40", full=("60", "40"), slow=900),
             e2e("scheduled_payments"))),
    Promise("R3", "A write with an Idempotency-Key happens once: its answer, or that it was begun, is kept in the write's own "
            "transaction.",
            (unit("idempotency_tests"), unit("gate_tests"), script("repeated", "300", full=("4000",)))),
    Promise("R4", "Mails and events are rows of the write's transaction: at least once, in order for one booking.",
            (unit("hooks_tests"), unit("messaging_tests"), *quick_on_sqlite("mail_test"),
             script("mail_delays", "200", part="healthy", full=("5000",)),
             *quick_on_sqlite("mail_delays", "20", "2", part="faults", full=("150", "15"), slow=1800))),
    Promise("R5", "Retries keep their distance and end; what failed for good is listed.",
            (unit("messaging_tests"), unit("jobs_tests"),
             *quick_on_sqlite("dead_receiver", "10000", "3", full=("10000", "60")),
             *quick_on_sqlite("dead_endpoint", "10000", "6", full=("10000", "60")),
             unit("pro_tests", "*webhooks:*"), e2e("webhooks"))),
    Promise("R6", "A killed process loses nothing that was answered and leaves nothing half done; nor does any single "
            "failing statement.",
            (e2e("booking_crash", full=("1000",), slow=1800), script("killed_writes", "5", full=("all",)),
             script("kth_write", "2", "104", "17", full=("1", "160", "1"), slow=1800),
             unit("store_crash_tests"), Proof("store_tests", only_full=True), unit("booking_tests", "*statement*"))),
    Promise("R7", "A power cut loses nothing that was answered.",
            (script("power_cuts", "40", databases=("sqlite",), full=("400",), slow=1200),)),
    Promise("R8", "A schema step happens whole or not at all, whoever starts when and is killed where.",
            (unit("migration_tests"),
             *quick_on_sqlite("killed_migrations", "1", "600", "100", full=("20", "100", "4"), slow=900))),
    Promise("R9", "A backup taken under load is whole.",
            (script("backups", "2", "1", "0", full=("20", "5", "1024"), slow=900), *quick_on_sqlite("operator_test"))),
    Promise("R10", "A full disk refuses writes, serves reads, and heals by itself.",
            (script("full_disk", "2", full=("40", "mounts")), unit("store_crash_tests", "*full disk*"))),
    Promise("R11", "A failing sync is no success: what was acknowledged is there afterwards.",
            (script("failing_sync", "60", full=("600",)),)),
    Promise("R12", "Little memory is no crash: what is too big is refused before it is read.",
            (script("little_memory", "4", databases=("sqlite",), full=("120",)),
             script("little_memory", "4", databases=("postgres",), full=("60",), only_full=True),
             unit("svc-http-test", "who may fail*"))),
    Promise("R13", "Days are the site's, over both changes of its clock, whichever way the server's clock is set.",
            (unit("core_tests", "*zone*,*day*,*clock*,*month*"), unit("jobs_tests"),
             unit("availability_tests", "*clock*,*recurring rule*"),
             *quick_on_sqlite("steered_clock", "2"))),
    Promise("R14", "Restarting servers one after the other behind a proxy loses no answer.",
            (script("rolling_restart", "4", full=("20",), slow=900), unit("svc-http-test"))),
    Promise("R15", "Overload is refused at once, by the time that a request would wait and not by number, and what a server can "
            "do it goes on doing.",
            (*quick_on_sqlite("overload", "2.5", "40", full=("20", "200"), alone=True),
             script("buyers_at_once", "500", alone=True), unit("svc-http-test"))),
    Promise("R16", "Slow and big clients are cut off, a thousand at once, and the others do not notice; what is in flight is bounded "
            "in bytes.",
            (script("slow_clients", "1000", "5", databases=("sqlite",), full=("1000", "1", "each"), alone=True),
             script("bytes_in_flight", "6", databases=("sqlite",), full=("60",), alone=True),
             unit("svc-http-test"))),
    Promise("R17", "A slow, cut or dying database or partner costs its own requests alone, and heals without a restart.",
            (script("cut_database", "8", databases=("postgres",), full=("64",), slow=900),
             script("cut_database", "8", databases=("sqlite",), only_full=True),
             script("held_lock", "1", "8", databases=("sqlite",), full=("3", "8")), unit("outbound_tests"))),
    Promise("R18", "Every answer has its log line, found by its request id.",
            (script("log_lines", "2000", full=("100000",)), unit("gate_tests"), unit("core_tests"))),
    Promise("R19", "Health says what is broken.", (script("broken_health", "1", full=("20", "mounts")), *quick_on_sqlite("operator_test"))),
    Promise("R20", "Metrics are labelled by route, never by what a client chose.",
            (unit("metrics_tests"), unit("gate_tests", "*metrics*"), *quick_on_sqlite("operator_test"))),
    Promise("R21", "No leak: memory, descriptors, threads and the write-ahead log stay what they were once warm; no fault under the "
            "sanitizers.",
            (*quick_on_sqlite("soak", "20", full=("1200",)),
             *(Proof("sanitizers.py", part=name, databases=("both",), only_full=True, slow=1800, alone=True)
               for name in ("asan", "tsan")))),
    Promise("R22", "A schedule of operations made of a seed ends in the same state each time, with every invariant kept "
            "after each step.",
            (script("schedules", "300", databases=("sqlite",), full=("10000",), slow=900),
             script("schedules", "40", databases=("postgres",), full=("1000",), slow=900),
             script("seeded", "6", full=("200",), slow=3600))),
    Promise("R23", "Through a proxy, broken requests among good ones, every answer reaches who asked.",
            (Proof("R23_answers_in_place", slow=900), Proof("wire_vectors"),
             script("bursts", "1500", databases=("sqlite",), full=("20000",)))),
    Promise("S1", "Passwords by argon2id, a bounded number at once, the same work for unknown names.",
            (unit("crypto_tests"), unit("identity_tests"),
             script("many_logins", "1", databases=("sqlite",), full=("5",)))),
    Promise("S2, S3, S4", "Sessions, nonces and application passwords: random, hashed at rest, ended at once; a cookie "
            "without its nonce is nobody.", (unit("identity_tests"),)),
    Promise("S5, S6", "Every route against every kind of caller and object, against a table kept by hand; foreign and "
            "unknown ids answer alike; no field and no id sent along changes what it may not.",
            (unit("route_tests"), script("field_swaps"))),
    Promise("S7", "Guests' tokens: bound to booking and purpose, hashed, expiring, guesses limited.",
            (unit("identity_tests"),
             unit("rest_tests", "*guessed at*,*is no guess*,*token*,*proves the address by the mailed link*,*session that made*"),
             script("guessed_tokens", "6000", full=("1000000",), slow=900))),
    Promise("S8", "Card webhooks: every vector of a forged, late or repeated event.",
            (unit("pro_tests", "*signature*,*event*"), unit("payment_tests", "*event*"), Proof("card_gateways", alone=True),
             e2e("card_payments"))),
    Promise("S9", "One way out: public addresses alone, bounded in time and bytes.",
            (unit("outbound_tests"), script("turning_names", databases=("sqlite",)))),
    Promise("S10, S11", "Uploads are bounded and recognised by their content; downloads have signed, short-lived links; an archive, "
            "a table or an export that is imported is checked and bounded before it is read whole.",
            (unit("media_tests"), unit("content_tests", "*link*,*visibility*,*download*,*who booked*,*of this trip*,*file*"),
             unit("transfer_tests", "*archive*,*table*,*serialized*,*no export*"), e2e("media"), e2e("tools"))),
    Promise("S12", "Values reach SQL as parameters only.",
            (Proof("structure_sql"), Proof("structure_checks"), unit("route_tests", "*text in a search*,*wildcards*"),
             *quick_on_sqlite("injections", part="probe"),
             script("injections", part="sqlmap", only_full=True))),
    Promise("S13", "JSON and HTTP are read strictly and within bounds.",
            (unit("json_tests"), Proof("wire_vectors"),
             *(Proof("fuzz.py", part=target, arguments=("10",), full_arguments=("600", "keep"), databases=("both",))
               for target in ("json", "http", "html")))),
    Promise("S14", "Markup from outside keeps what a list allows; whatever comes out, of any kind, is text there.",
            (unit("html_tests"), unit("messaging_tests"), *quick_on_sqlite("markers"))),
    Promise("S15", "No value becomes a header.", (unit("svc-http-test"), unit("outbound_tests"))),
    Promise("S16, S17", "Errors show nothing internal; no secret reaches a log, the metrics or another answer.",
            (unit("gate_tests"), *quick_on_sqlite("broken_database", "80", full=("4",), slow=900), *quick_on_sqlite("canaries"))),
    Promise("S18", "Secrets are sealed at rest and masked when read.",
            (unit("crypto_tests"), unit("settings_tests"), unit("pro_tests"), *quick_on_sqlite("operator_test"))),
    Promise("S19", "A licence server that is gone, slow or lying never costs a booking.",
            (unit("pro_tests"), script("license_server", databases=("sqlite",)))),
    Promise("S20", "Rate limits are exact across processes and bounded in memory.",
            (unit("limits_tests"), unit("identity_tests"),
             *quick_on_sqlite("many_addresses", "10000", "0", full=("300000", "100"), slow=900))),
    Promise("S21", "Response times reveal no secret, nor whether an address has an account.",
            quick_on_sqlite("secret_times", "400", "200", "100", full=("50000", "10000", "2500"), slow=1800, alone=True)),
    Promise("S22", "Only a plugin file that the operator put there, whole and unchanged, runs; a bad one never stops the "
            "base.", (unit("plugin_library_tests"), unit("plugin_tests"))),
    Promise("S23", "Bill of materials, two builds alike.",
            (Proof("package_test", only_full=True), Proof("two_builds.py", arguments=("part",), full_arguments=("all",), databases=("both",),
                                          slow=900))),
    Promise("S24, S25", "Hardened binaries; a unit without rights it does not need.",
            (Proof("structure_hardening"), Proof("under_unit_doctor_sqlite"), Proof("package_test", only_full=True), *(
                Proof(test, only_full=True) for test in (
                    "under_unit_main_job_sqlite", "under_unit_main_job_postgres", "under_unit_media_sqlite",
                    "under_unit_checkout_sqlite", "under_unit_doctor_postgres", "under_unit_operator_sqlite",
                    "under_unit_pro_sqlite")))),
    Promise("S26", "Public flows are limited by address, session and target.",
            (unit("limits_tests"), unit("rest_tests", "*unpaid*,*share is*,*counts no more*"),
             unit("plugin_pages_tests", "*are limited by address*"),
             script("one_client"), e2e("coupon_race"), e2e("abandoned_bookings"))),
    Promise("Documents", "Whoever asks for documents without pause costs nobody else: they have a lane of their own, render"
            " on threads of the lowest priority, bounded in text and time, and are limited by booking.",
            (unit("pdf_tests", "*marks*,*in its time*"),
             unit("documents_tests", "*own lane*,*rendered*,*stranger typed*"),
             *quick_on_sqlite("vouchers", "8", "60", full=("30", "400"), alone=True))),
    Promise("Nodes", "A storm of bookings over three servers behind a proxy, one of them killed and the database restarted: "
            "nothing acknowledged is lost, nothing sold twice.",
            (script("storm", databases=("postgres",), slow=900),)),
)
