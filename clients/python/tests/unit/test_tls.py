"""TLS and tokens, against a server of a few lines and certificates that the `openssl` command makes."""

import hashlib
import os
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import unittest

from martlet.v1 import session_pb2
from martlet_client import Martlet, MartletServer, is_loopback, parse_fingerprint


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Server:
    """Says hello over TLS, and keeps what the hellos held."""

    def __init__(self, certificate, key, protocols=("martlet/1",), client_ca=None):
        self.hellos = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        if protocols:
            self._context.set_alpn_protocols(list(protocols))
        if client_ca:
            self._context.verify_mode = ssl.CERT_REQUIRED
            self._context.load_verify_locations(client_ca)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            try:
                with self._context.wrap_socket(plain, server_side=True) as peer:
                    self._greet(peer)
            except (OSError, struct.error):
                plain.close()

    def _greet(self, peer):
        length = struct.unpack(">BI", peer.recv(5))[1]
        hello = session_pb2.ClientMessage.FromString(peer.recv(length))
        self.hellos.append(hello.hello)
        reply = session_pb2.ServerMessage(request_id=hello.request_id)
        reply.hello.protocol = 1
        content = reply.SerializeToString()
        peer.sendall(struct.pack(">BI", 0, len(content)) + content)
        peer.recv(1)

    def close(self):
        self._listener.close()


class TLS(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for name, names in [("server", "DNS:localhost,IP:127.0.0.1"), ("other", "DNS:elsewhere.example,IP:192.0.2.7")]:
            openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "10", "-subj",
                "/CN=localhost", "-addext", f"subjectAltName={names}", "-keyout", cls.path(f"{name}.key"), "-out",
                cls.path(f"{name}.pem"),
            )  # fmt: skip

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def server(self, name="server", **options):
        server = Server(self.path(f"{name}.pem"), self.path(f"{name}.key"), **options)
        self.addCleanup(server.close)
        return server

    def connect(self, server, host="localhost", **options):
        with Martlet(f"martlet+tls://{host}:{server.port}/shop", timeout=10, **options):
            pass

    def test_a_trusted_server_hears_the_token(self):
        server = self.server()
        self.connect(server, ca=self.path("server.pem"), token="mlt_secret")
        self.connect(server, "127.0.0.1", ca=self.path("server.pem"))
        with MartletServer(f"martlet+tls://localhost:{server.port}", ca=self.path("server.pem"), token="mlt_whole"):
            pass
        self.assertEqual([hello.credential for hello in server.hellos], [b"mlt_secret", b"", b"mlt_whole"])

    def test_another_authority_or_name_is_refused_before_the_hello(self):
        server, other = self.server(), self.server("other")
        for host, target, options in [
            ("localhost", server, {}),
            ("localhost", server, {"ca": self.path("other.pem")}),
            ("localhost", other, {"ca": self.path("other.pem")}),
            ("127.0.0.1", other, {"ca": self.path("other.pem")}),
        ]:
            with self.assertRaises(ssl.SSLCertVerificationError):
                self.connect(target, host, token="mlt_secret", **options)
        self.connect(other, ca=self.path("other.pem"), server_name="elsewhere.example")
        self.assertEqual(len(server.hellos) + len(other.hellos), 1)

    def test_a_pinned_certificate_is_accepted_and_no_other(self):
        with open(self.path("other.pem")) as file:
            fingerprint = hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).hexdigest()
        server, other = self.server(), self.server("other")
        self.connect(other, fingerprint=fingerprint)
        self.connect(other, fingerprint=":".join(fingerprint[i : i + 2] for i in range(0, 64, 2)).upper())
        with self.assertRaises(ssl.SSLError):
            self.connect(server, fingerprint=fingerprint, token="mlt_secret")
        self.assertEqual(server.hellos, [])
        for text in ("", "ab", "g" * 64, "a" * 66):
            with self.assertRaises(ValueError):
                parse_fingerprint(text)

    def test_a_server_of_another_protocol_is_refused(self):
        for protocols in ((), ("http/1.1",)):
            server = self.server(protocols=protocols)
            with self.assertRaises(ssl.SSLError):
                self.connect(server, ca=self.path("server.pem"), token="mlt_secret")
            self.assertEqual(server.hellos, [])

    def test_a_client_shows_its_certificate(self):
        server = self.server(client_ca=self.path("other.pem"))
        mine = {"certfile": self.path("other.pem"), "keyfile": self.path("other.key")}
        self.connect(server, ca=self.path("server.pem"), **mine)
        with self.assertRaises(OSError):
            self.connect(server, ca=self.path("server.pem"))

    def test_a_token_is_not_sent_in_the_clear(self):
        for host in ("db.example", "10.0.0.1", "[2001:db8::1]"):
            with self.assertRaises(ValueError):
                Martlet(f"martlet://{host}:1/shop", token="mlt_secret")
        for host in ("localhost", "127.0.0.1", "[::1]"):
            with self.assertRaises(OSError):
                Martlet(f"martlet://{host}:1/shop", token="mlt_secret")
        self.assertTrue(is_loopback("127.8.8.8") and not is_loopback("127.1") and not is_loopback("localhost.example"))

    def test_settings_of_tls_need_a_url_of_tls(self):
        with self.assertRaises(TypeError):
            Martlet("martlet://localhost:1/shop", ca="authority.pem")
