"""S9: whatever a name is made to mean, the server asks nobody inside. Staff choose where it goes out: the logo of a document
(with redirects), the licence server, the mail server. The names they give are answered with a public address first and a
private one then, with both at once, or with a private one; a public server redirects inwards, by name, number and scheme.
What listens inside is never reached, but by the name that the operator allows, over the same ways.

turning_names.py SVC DATABASE PRO

A library loaded before the server's own answers for the names, and leads each address to a port of ours.
"""
import http.server
import os
import sys
import threading
import time
import urllib.parse

from proving import Site, arguments, ask, compiled, day, figure

SVC, DATABASE, (PRO,) = arguments(2)
PUBLIC, DEAD = "93.184.216.34", "93.184.216.35"  # nobody answers at the other one
ALLOWED = "allowed-0.names.example"
# Where a public server leads.
INWARDS = ("http://private-0.names.example/", "http://both-0.names.example/", "http://localhost/", "http://127.0.0.1/",
           "http://2130706433/", "http://0x7f.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://10.0.0.1/",
           "http://169.254.169.254/latest/meta-data/", "http://allowed-0.names.example:443/", "//127.0.0.1/",
           "file:///etc/passwd", "gopher://127.0.0.1:80/_x", "dict://127.0.0.1:80/x")
SOURCE = r"""
#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

template <class Function>
static Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

static void note(const std::string& line) {
    static const int file = open(std::getenv("PROOF_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string text = line + "\n";
    if (write(file, text.data(), text.size()) < 0)
        abort();
}

static in_port_t port_of(const char* name) { return htons(static_cast<in_port_t>(std::atoi(std::getenv(name)))); }

static std::vector<std::string> addresses(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, int> asked;
    const auto kind = name.substr(0, name.find('-'));
    if (kind == "public")
        return {OUTSIDE};
    if (kind == "both")
        return {DEAD, "127.0.0.1"};
    const std::lock_guard guard(mutex);
    return {kind == "turning" && asked[name]++ == 0 ? OUTSIDE : "127.0.0.1"};
}

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
    static const auto usual = next<decltype(&getaddrinfo)>("getaddrinfo");
    if (!name || !std::strstr(name, ".names.example"))
        return usual(name, service, hints, found);
    addrinfo** end = found;
    for (const auto& each : addresses(name)) {
        if (const int failed = usual(each.c_str(), service, hints, end))
            return failed;
        note(std::string(name) + " is " + each);
        while (*end)
            end = &(*end)->ai_next;
    }
    return 0;
}

extern "C" int connect(int socket, const sockaddr* to, socklen_t size) {
    static const auto usual = next<decltype(&connect)>("connect");
    char text[INET6_ADDRSTRLEN] = "";
    if (to->sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(to)->sin6_addr, text, sizeof text);
        note(std::string("inside ") + text);
    }
    if (to->sa_family != AF_INET)
        return usual(socket, to, size);
    sockaddr_in there{};
    std::memcpy(&there, to, sizeof there);
    inet_ntop(AF_INET, &there.sin_addr, text, sizeof text);
    if (std::string(text) == DEAD) {
        errno = ECONNREFUSED;
        return -1;
    }
    const bool is_public = std::string(text) == OUTSIDE;
    if (!is_public)
        note(std::string("inside ") + text);
    there.sin_port = port_of(is_public ? "PROOF_PUBLIC_PORT" : "PROOF_INSIDE_PORT");
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return usual(socket, reinterpret_cast<const sockaddr*>(&there), sizeof there);
}

extern "C" int getpeername(int socket, sockaddr* peer, socklen_t* size) {
    static const auto usual = next<decltype(&getpeername)>("getpeername");
    const int done = usual(socket, peer, size);
    auto* there = reinterpret_cast<sockaddr_in*>(peer);
    if (done == 0 && peer->sa_family == AF_INET && there->sin_port == port_of("PROOF_PUBLIC_PORT"))
        inet_pton(AF_INET, OUTSIDE, &there->sin_addr);
    return done;
}
"""


class Listener(http.server.ThreadingHTTPServer):
    """Counts who comes. `/to?URL` leads there, `/slow` waits until it is let go; all else is an answer."""

    daemon_threads = True

    def __init__(self):
        self.hits, self.slow, self.let_go = 0, threading.Event(), threading.Event()
        super().__init__(("127.0.0.1", 0), Visit)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        taken = super().get_request()
        self.hits += 1
        return taken

    def handle_error(self, *_):
        pass  # a licence server is greeted by TLS, a mail server by silence


class Visit(http.server.BaseHTTPRequestHandler):
    timeout = 5

    def log_message(self, *_):
        pass

    def do_GET(self):
        path, _, more = self.path.partition("?")
        if path == "/slow":
            self.server.slow.set()
            self.server.let_go.wait(4)
        self.send_response(302 if path == "/to" else 200)
        if path == "/to":
            self.send_header("Location", urllib.parse.unquote(more))
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()


class Ways:
    """Staff's settings that send the server somewhere."""

    def __init__(self, site):
        self.site, self.notes, self.port = site, site.dir / "names.log", site.servers[0].port
        made = site.book(site.given_trip()["id"], day())
        assert made.status == 201, made
        self.booking, self.number = made.data["booking_id"], 0

    def said(self):
        return self.notes.read_text().splitlines() if self.notes.exists() else []

    def inside(self):
        """Connections inwards that were begun, whether or not somebody listens there."""
        return sum(line.startswith("inside ") for line in self.said())

    def set(self, **settings):
        told = self.site.as_staff("PUT", "/settings", settings)
        assert told.status == 200, told

    def name(self, kind):
        self.number += 1
        return f"{kind}-{self.number}.names.example"

    def logo(self, url):
        """An invoice with the logo from there: it is made, whatever becomes of the logo."""
        self.set(company_logo=url)
        self.invoice()

    def invoice(self):
        status, told = ask(self.port, "GET", f"/bookings/{self.booking}/invoice?preview=1", headers=self.site.staff)
        assert status == 200 and told["success"], (status, told)

    def licence(self, name):
        self.set(license_store_url=f"https://{name}/")
        status, told = ask(self.port, "POST", "/license/check", {}, self.site.staff)
        assert (status, told["code"]) == (502, "svc_upstream_error"), (status, told)

    def mail(self, name):
        """Waits until an e-mail was tried by that server."""
        self.set(from_email="office@example.org", smtp_enabled=True, smtp_encryption="none", smtp_port=25, smtp_host=name)
        self.site.sql("UPDATE svc_email_outbox SET next_attempt_at = 0 WHERE status = 'queued'")
        assert self.site.book(self.site.given_trip()["id"], day()).status == 201
        until = time.monotonic() + 30
        while not any(line.startswith(name) for line in self.said()):
            assert time.monotonic() < until, "no e-mail was tried"
            time.sleep(0.05)
        self.set(smtp_enabled=False)

    def through(self, outside, target):
        """The logo from a public server that leads there."""
        seen = outside.hits
        self.logo(f"http://{self.name('public')}/to?{urllib.parse.quote(target, safe='')}")
        assert outside.hits == seen + 1, f"the public server was not asked for {target}"


def turned_between(ways, outside):
    """While one thread has the answer of the public address, another asks for the same name again."""
    name = ways.name("turning")
    ways.set(company_logo=f"http://{name}/slow")
    first = threading.Thread(target=ways.invoice)
    first.start()
    assert outside.slow.wait(10), "the public address was not asked"
    ways.logo(f"http://{name}/again")
    outside.let_go.set()
    first.join()
    return name


def given_names(ways, outside):
    """Each way out by names of each kind; the names."""
    names = [ways.name(kind) for kind in ("private", "both")]
    for name in names:
        ways.logo(f"http://{name}/logo")
    names.append(turned_between(ways, outside))
    # Its second port is looked up anew, within the one request.
    names.append(ways.name("turning"))
    ways.logo(f"http://{names[-1]}/to?https%3A%2F%2F{names[-1]}%2Flogo")
    for way in (ways.licence, ways.mail):
        for kind in ("private", "both"):
            names.append(ways.name(kind))
            way(names[-1])
    return names


def main():
    with Site(SVC, DATABASE, servers=0, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
        outside, inside = Listener(), Listener()
        addresses = f'#define OUTSIDE "{PUBLIC}"\n#define DEAD "{DEAD}"\n'
        site.environment |= {"LD_PRELOAD": compiled(site, "names", addresses + SOURCE), "PROOF_LOG": f"{site.dir}/names.log",
                             "PROOF_PUBLIC_PORT": str(outside.server_port), "PROOF_INSIDE_PORT": str(inside.server_port),
                             "SVC_OUTBOUND_PRIVATE_HOSTS": f"{ALLOWED}:80"}
        site.start()
        ways = Ways(site)
        assert site.as_staff("POST", "/license/save", {"license_key": "SVC-AAAA-BBBB-CCCC-1234567890"}).status == 200
        names = given_names(ways, outside)
        for target in INWARDS:
            ways.through(outside, target)
        hits, begun, said = inside.hits, ways.inside(), ways.said()
        assert (hits, begun) == (0, 0), (hits, [line for line in said if line.startswith("inside ")][:5])
        for name in names:
            assert f"{name} is 127.0.0.1" in said, f"{name} was never turned inwards"
        ways.logo(f"http://{ALLOWED}/logo")
        ways.through(outside, f"http://{ALLOWED}/logo")
        allowed = inside.hits
        figure(f"names turned inwards {len(names)} (logo, licence, mail), redirects inwards {len(INWARDS)}: hits inside {hits},"
               f" connections begun {begun}; asked outside {outside.hits}; of the allowed name {allowed} of 2")
        assert allowed == 2 and ways.inside() == 2, (allowed, ways.said()[-5:])


if __name__ == "__main__":
    sys.exit(main())
