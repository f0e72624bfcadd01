"""An SMTP server on a loopback port that notes what it takes, and fails, hangs or dawdles as it is told.

smtp_sink.py LOG [--fail PERCENT] [--hang PERCENT] [--late MS] [--starttls DIR] [--login USER PASSWORD] [--port N] [--seed N]
prints "port N" once it listens. LOG gets a JSON line for each e-mail before it is acknowledged. --starttls makes a
certificate authority and a certificate for 127.0.0.1 in DIR (ca.pem) and refuses mail without encryption.
Each e-mail (by Message-ID) is refused at most twice and left hanging at most once.
"""
import argparse
import asyncio
import collections
import email
import email.policy
import json
import random
import ssl
import subprocess
import time

from aiosmtpd.smtp import SMTP, AuthResult


def make_certificates(folder):
    def run(*command):
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=test authority", "-keyout", "ca.key", "-out", "ca.pem")
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=127.0.0.1",
        "-keyout", "server.key", "-out", "server.csr")
    with open(folder + "/extensions", "w") as out:
        out.write("subjectAltName=IP:127.0.0.1\n")
    run("openssl", "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-days", "2", "-extfile", "extensions", "-out", "server.pem")


def part(message, kind):
    found = message.get_body(preferencelist=(kind,))
    return found.get_content().replace("\r\n", "\n") if found else None


class Sink:
    def __init__(self, arguments):
        self.arguments = arguments
        self.random = random.Random(arguments.seed)
        self.refused = collections.Counter()
        self.hung = collections.Counter()
        self.log = open(arguments.log, "a", buffering=1)

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        name = str(message["Message-ID"])
        if self.random.randrange(100) < self.arguments.fail and self.refused[name] < 2:
            self.refused[name] += 1
            return "451 4.3.0 Try again later"
        if self.random.randrange(100) < self.arguments.hang and self.hung[name] < 1:
            self.hung[name] += 1
            await asyncio.sleep(3600)
        if self.arguments.late:
            await asyncio.sleep(self.random.randrange(self.arguments.late) / 1000)
        headers = [[key, str(value)] for key, value in message.items()]
        self.log.write(json.dumps({
            "at": time.time(), "from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None,
            "login": session.authenticated is True, "headers": headers, "subject": str(message["Subject"]),
            "id": name, "type": message.get_content_type(), "text": part(message, "plain"),
            "html": part(message, "html"),
            "raw": envelope.content.decode("latin-1")}) + "\n")
        return "250 OK"


async def serve(arguments):
    options = {}
    if arguments.starttls:
        make_certificates(arguments.starttls)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.starttls + "/server.pem", arguments.starttls + "/server.key")
        options.update(tls_context=context, require_starttls=True)
    if arguments.login:
        expected = tuple(one.encode() for one in arguments.login)

        def check(server, session, envelope, mechanism, data):
            return AuthResult(success=(data.login, data.password) == expected, handled=False)

        options.update(authenticator=check, auth_required=True, auth_require_tls=bool(arguments.starttls))
    sink = Sink(arguments)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(sink, hostname="sink.example", **options), "127.0.0.1", arguments.port)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await asyncio.sleep(24 * 3600)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--fail", type=int, default=0)
    parser.add_argument("--hang", type=int, default=0)
    parser.add_argument("--late", type=int, default=0)
    parser.add_argument("--starttls")
    parser.add_argument("--login", nargs=2)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
