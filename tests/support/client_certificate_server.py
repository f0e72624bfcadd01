"""An HTTPS server on a loopback port that answers the name in the certificate of its client, and nobody without one.

client_certificate_server.py DIR   makes ca.pem, client.pem, client.key and stranger.pem, stranger.key in DIR, then says
"port N"
"""
import http.server
import ssl
import subprocess
import sys
from pathlib import Path

folder = Path(sys.argv[1])


def run(*command):
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def authority(name):
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")


def certificate(name, by, extension):
    (folder / f"{name}.ext").write_text(extension)
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
        "-keyout", f"{name}.key", "-out", f"{name}.csr")
    run("openssl", "x509", "-req", "-in", f"{name}.csr", "-CA", f"{by}.pem", "-CAkey", f"{by}.key", "-CAcreateserial",
        "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.pem")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        subject = dict(part[0] for part in self.connection.getpeercert()["subject"])
        body = subject["commonName"].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a client without a certificate


authority("ca")
authority("other")
certificate("server", "ca", "subjectAltName=IP:127.0.0.1\n")
certificate("client", "ca", "extendedKeyUsage=clientAuth\n")
certificate("stranger", "other", "extendedKeyUsage=clientAuth\n")
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder / "server.pem", folder / "server.key")
context.load_verify_locations(folder / "ca.pem")
context.verify_mode = ssl.CERT_REQUIRED
server = Server(("127.0.0.1", 0), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True)
print("port", server.server_address[1], flush=True)
server.serve_forever()
