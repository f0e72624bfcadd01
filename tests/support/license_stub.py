"""The licence server of tests on loopback: it answers each question as it is told, signed with the key that tests and the
library svc-pro-licensed believe (license_key.cpp), or not at all."""
import base64
import http.server
import json
import pathlib
import ssl
import subprocess
import tempfile
import threading

# PKCS 8 of an Ed25519 key, before its seed.
HEAD = bytes.fromhex("302e020100300506032b657004220420")
SEED = b"t" * 32
ROOTS = "/etc/ssl/certs/ca-certificates.crt"


class LicenseStub:
    """`with LicenseStub() as server`. `server.answer`: the members of the next answers besides the nonce; None: no
    answer. `server.asked`: what was asked."""

    def __init__(self):
        self.answer, self.asked = None, []
        self.folder = tempfile.TemporaryDirectory(prefix="license-stub-")
        self.home = pathlib.Path(self.folder.name)
        (self.home / "sign.der").write_bytes(HEAD + SEED)
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                      "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem")

    def _openssl(self, *words):
        return subprocess.run(["openssl", *words], cwd=self.home, check=True, capture_output=True).stdout

    def sign(self, body):
        (self.home / "body").write_bytes(body)  # one question at a time: Ed25519 is signed from a file
        signature = self._openssl("pkeyutl", "-sign", "-rawin", "-in", "body", "-keyform", "DER", "-inkey", "sign.der")
        return base64.b64encode(signature).decode()

    def __enter__(self):
        stub, lock = self, threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.asked.append(asked)
                if stub.answer is None:
                    self.connection.close()
                    return
                body = json.dumps({"nonce": asked["nonce"], **stub.answer}).encode()
                with lock:
                    signature = stub.sign(body)
                self.send_response(200)
                self.send_header("X-Svc-Signature", signature)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self.home / "cert.pem", self.home / "key.pem")
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()

    @property
    def target(self):
        return f"127.0.0.1:{self.server.server_address[1]}"

    @property
    def environment(self):
        return {"SVC_OUTBOUND_PRIVATE_HOSTS": self.target}

    @property
    def trusted(self):
        """The command under which a server trusts the stub's certificate in place of the machine's authorities: libcurl
        reads no environment, so the file lies over theirs, for that process alone. Empty where the machine lets nobody
        mount, as in a chroot: there nothing reaches the stub."""
        if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
            return ()
        return ("unshare", "-rm", "sh", "-c", f'mount --bind "$0" {ROOTS} && exec "$@"', str(self.home / "cert.pem"))
