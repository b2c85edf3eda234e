"""A small blocking Martlet client: statements as trees, rows as tuples, and the databases of a server.

The generated messages come from the repository's root with
    protoc --proto_path=proto --python_out=clients/python proto/martlet/v1/*.proto
and need the protobuf package (Debian: python3-protobuf).
"""

import collections
import contextlib
import hashlib
import hmac
import ipaddress
import itertools
import math
import socket
import ssl
import struct
from urllib.parse import parse_qs, unquote, urlsplit

from google.protobuf.message import DecodeError
from martlet.v1 import grammar_pb2, rows_pb2, session_pb2

CREDIT_BYTES = 1 << 20
PROTOCOL = "martlet/1"


class MartletError(Exception):
    """What the server answered; `reason` is stable, the text is for people."""

    def __init__(self, error):
        super().__init__(error.message)
        self.code = error.code
        self.reason = error.reason
        self.path = error.path
        self.retryable = error.retryable
        self.outcome_unknown = error.outcome_unknown


class MartletConnectionError(MartletError, ConnectionError):
    """There is no connection, or none any more; its cause is the system's own error.

    `outcome_unknown`: a request was on its way, and a write may have happened or not.
    """

    def __init__(self, text, outcome_unknown=False):
        Exception.__init__(self, text)
        self.code, self.reason, self.path = 14, "CONNECTION", ""
        self.retryable, self.outcome_unknown = not outcome_unknown, outcome_unknown


class MartletTimeoutError(MartletConnectionError, TimeoutError):
    """The connection's `timeout` has passed. The connection is closed, because its answer may still come."""


class Result:
    """The rows of a statement and what it changed."""

    def __init__(self):
        self.columns = []
        self.rows = []
        self.rows_changed = 0
        self.last_insert_rowid = 0
        self.skipped = False
        self.error = None


def encode_value(value, message):
    """Writes a Python value into a protobuf Value; a list is a list parameter, of rows where it holds tuples."""
    if value is None:
        message.null = True
    elif isinstance(value, bool):
        message.integer = int(value)
    elif isinstance(value, int):
        message.integer = value
    elif isinstance(value, float):
        message.real = checked_real(value)
    elif isinstance(value, str):
        message.text = value.encode()
    elif isinstance(value, (bytes, bytearray)):
        message.blob = bytes(value)
    elif isinstance(value, list):
        encode_rows([row if isinstance(row, tuple) else (row,) for row in value], message.rows)
    else:
        raise TypeError(f"{type(value).__name__} cannot be a parameter")


def checked_real(value):
    """SQLite would make NULL of what is not a number, without a word."""
    if math.isnan(value):
        raise ValueError("NaN cannot be a parameter: SQLite has no such value; None is NULL")
    return value


def encode_rows(rows, batch):
    """Packs rows column by column; every column is written as a mixed one, which holds any values."""
    batch.row_count = len(rows)
    for values in zip(*rows):
        column = batch.columns.add(kind=rows_pb2.COLUMN_KIND_MIXED)
        tags, data, ends = bytearray(), bytearray(), []
        for value in values:
            integer, real = 0, 0.0
            if value is None:
                tags.append(rows_pb2.COLUMN_KIND_NULL)
            elif isinstance(value, int):
                tags.append(rows_pb2.COLUMN_KIND_INTEGER)
                integer = value
            elif isinstance(value, float):
                tags.append(rows_pb2.COLUMN_KIND_REAL)
                real = checked_real(value)
            else:
                is_text = isinstance(value, str)
                tags.append(rows_pb2.COLUMN_KIND_TEXT if is_text else rows_pb2.COLUMN_KIND_BLOB)
                data += value.encode() if is_text else value
            column.integers.append(integer)
            column.reals.append(real)
            ends.append(len(data))
        column.tags, column.data = bytes(tags), bytes(data)
        column.ends.extend(ends)


def decode_rows(batch):
    """The rows of a batch as tuples."""
    columns = [list(decode_column(column, batch.row_count)) for column in batch.columns]
    return list(zip(*columns)) if columns else [()] * batch.row_count


def decode_column(column, row_count):
    for row in range(row_count):
        kind = column.kind
        if kind == rows_pb2.COLUMN_KIND_MIXED:
            kind = column.tags[row]
        elif column.nulls and column.nulls[row // 8] >> (row % 8) & 1:
            kind = rows_pb2.COLUMN_KIND_NULL
        if kind == rows_pb2.COLUMN_KIND_NULL:
            yield None
        elif kind == rows_pb2.COLUMN_KIND_INTEGER:
            yield column.integers[row]
        elif kind == rows_pb2.COLUMN_KIND_REAL:
            yield column.reals[row]
        else:
            content = column.data[column.ends[row - 1] if row else 0 : column.ends[row]]
            yield content.decode() if kind == rows_pb2.COLUMN_KIND_TEXT else content


def credit_of(batch):
    """What a batch of rows uses up of the credit, counted as the server counts it."""
    total = 8
    for column in batch.columns:
        total += 8 + len(column.nulls) + len(column.tags) + len(column.data)
        total += 8 * (len(column.integers) + len(column.reals)) + 4 * len(column.ends)
    return total


def raw(sql):
    """A statement of SQL text; a server may deny it."""
    statement = grammar_pb2.Statement()
    statement.raw.parts.add().sql = sql
    return statement


def parse_url(url):
    """The socket's family, its address, and the database's name, which may be empty."""
    parts = urlsplit(url)
    if parts.scheme == "martlet+unix":
        return socket.AF_UNIX, unquote(parts.path), parse_qs(parts.query).get("db", [""])[0]
    if parts.scheme not in ("martlet", "martlet+tls") or not parts.hostname:
        raise ValueError(
            "a Martlet URL is martlet://host:port/database, martlet+tls://host:port/database or martlet+unix:///path.sock?db=name"
        )
    family = socket.AF_INET6 if ":" in parts.hostname else socket.AF_INET
    return family, (parts.hostname, parts.port or 6278), parts.path.lstrip("/")


def is_loopback(host):
    """Whether it is this machine's own: localhost, or an address of the loopback."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_secrecy(url):
    """Raises where a token would leave this machine in the clear."""
    parts = urlsplit(url)
    if parts.scheme == "martlet" and not is_loopback(parts.hostname):
        raise ValueError(f"The token is not sent to {parts.hostname} in the clear. Connect to martlet+tls://.")


def parse_fingerprint(text):
    """The 32 bytes of a SHA-256 in hexadecimal digits, with or without colons."""
    try:
        digest = bytes.fromhex(text.replace(":", ""))
    except ValueError:
        digest = b""
    if len(digest) != 32:
        raise ValueError("the fingerprint is not the SHA-256 of a certificate: it has 64 hexadecimal digits")
    return digest


def encrypt(connection, host, ca=None, certfile=None, keyfile=None, fingerprint=None, server_name=None):
    """TLS around a connected socket, after the server has proved who it is; there is no way to leave that out.

    `ca`: the PEM file of the authorities to trust, the system's without it; `certfile` and `keyfile`: who this client is;
    `fingerprint`: accept exactly the certificate with this SHA-256; `server_name`: what the certificate has to bear, the
    URL's host without it.
    """
    expected = parse_fingerprint(fingerprint) if fingerprint is not None else None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    context.set_alpn_protocols([PROTOCOL])
    if expected is not None:
        # The certificate is compared as a whole, below.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif ca is not None:
        context.load_verify_locations(ca)
    else:
        context.load_default_certs()
    if certfile is not None:
        context.load_cert_chain(certfile, keyfile)
    encrypted = context.wrap_socket(connection, server_hostname=server_name or host)
    try:
        found = hashlib.sha256(encrypted.getpeercert(binary_form=True) or b"").digest()
        if expected is not None and not hmac.compare_digest(found, expected):
            raise ssl.SSLError(f"the server's certificate has another fingerprint, {found.hex()}")
        if encrypted.selected_alpn_protocol() != PROTOCOL:
            raise ssl.SSLError(f"the server did not choose the protocol {PROTOCOL}; is it a Martlet server?")
    except BaseException:
        encrypted.close()
        raise
    return encrypted


def connection_error(text, error, outcome_unknown=False):
    """What a program is raised for an error of the socket."""
    kind = MartletTimeoutError if isinstance(error, TimeoutError) else MartletConnectionError
    return kind(f"{text}: {error.strerror or error}.", outcome_unknown)


class Connection:
    """One connection: frames, ids and the hello. `with … as connection:` closes it at the end."""

    def __init__(self, url, database, create=False, setup=(), timeout=None, token=None, **tls):
        """`timeout`: seconds that one answer may take; None waits as long as the server does.

        `token` says who asks; it goes over TLS, over Unix sockets and to this machine's own addresses. `tls`: for
        martlet+tls:// the arguments of `encrypt`.
        """
        self.url = url
        family, address = parse_url(url)[:2]
        is_encrypted = urlsplit(url).scheme == "martlet+tls"
        if tls and not is_encrypted:
            raise TypeError(f"{', '.join(tls)}: for martlet+tls:// URLs")
        if token:
            check_secrecy(url)
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(timeout)
            try:
                self._socket.connect(address)
            except OSError as error:
                raise connection_error(f"Nobody answers at {url}", error) from error
            if family != socket.AF_UNIX:
                self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if is_encrypted:
                self._socket = encrypt(self._socket, address[0], **tls)
            self._ids = itertools.count(1)
            # What has come and was not looked at yet.
            self._incoming = bytearray()
            # Why the server takes nothing new; None while it does.
            self._closing = None
            # What came for a stream while another request was waited for; its credit bounds it.
            self._arrived = {}
            self._say_hello(database, create, setup, token)
        except BaseException:
            self._socket.close()
            raise

    def _say_hello(self, database, create, setup, token):
        request = self._request()
        request.hello.protocol = 1
        request.hello.database = database.encode()
        request.hello.client = b"martlet-python"
        request.hello.create = create
        request.hello.credential = (token or "").encode()
        statements = [(raw(item) if isinstance(item, str) else item).SerializeToString() for item in setup]
        # A hello has at most 16 KiB, so what is longer follows in a message of its own, under the same id.
        if sum(map(len, statements)) > 8 << 10:
            request.hello.setup_follows = True
            self._send(request)
            following = session_pb2.ClientMessage(request_id=request.request_id)
            following.setup.statements.extend(statements)
            self._send(following)
        else:
            request.hello.setup.extend(statements)
            self._send(request)
        try:
            reply = self._answer(request.request_id)
        except MartletConnectionError as error:
            # Nothing was asked for that could have happened.
            error.retryable, error.outcome_unknown = True, False
            raise
        self.server = reply.hello.server
        # A server that does not say it drops what goes beyond 64 MiB.
        self._credit_max = min(reply.hello.credit_bytes_max or 64 << 20, 2**32 - 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    def ping(self):
        """Whether the server answers."""
        return self.ask("ping", payload=b"ping").pong.payload == b"ping"

    def inspect(self, shapes=0, sessions=0):
        """The server's counters by name, its busiest shapes and its sessions, as an Inspection message has them."""
        return self.ask("inspect", shapes=shapes, sessions=sessions).inspection

    def ask(self, kind, **fields):
        """Sends a request of any kind, with the fields that it has in session.proto, and gives the message that answers it.

        For what is answered with rows, and for batches, there are methods.
        """
        request = self._request()
        message = getattr(request, kind)
        message.CopyFrom(type(message)(**fields))
        message.SetInParent()
        self._send(request)
        return self._answer(request.request_id)

    # Messages

    def _request(self):
        return session_pb2.ClientMessage(request_id=next(self._ids))

    def _extend_credit(self, request_id, count):
        if count:
            credit = session_pb2.ClientMessage(request_id=request_id)
            credit.credit.bytes = count
            self._send(credit, outcome_unknown=True)

    @contextlib.contextmanager
    def _using_socket(self, outcome_unknown=True):
        """An error of the socket is one of the connection, which is over then: what it was to answer may come later.

        Those of TLS stay what they are. The server's last word, if it said why it closes, comes before the socket's.
        """
        if self._socket.fileno() < 0:
            raise MartletConnectionError("The connection is closed. Open another one.")
        try:
            yield
        except ssl.SSLError:
            raise
        except OSError as error:
            last_word = None if isinstance(error, TimeoutError) else self._last_word()
            self._socket.close()
            raise last_word or connection_error("The connection is lost", error, outcome_unknown) from error

    def _last_word(self):
        """The server's error about the connection, if it has arrived; None if there is none."""
        content = self._incoming
        with contextlib.suppress(OSError):
            self._socket.setblocking(False)
            while part := self._socket.recv(65_536):
                content += part
        while len(content) >= 5:
            flags, length = struct.unpack_from(">BI", content)
            if flags != 0 or len(content) < 5 + length:
                return None
            with contextlib.suppress(DecodeError):
                reply = session_pb2.ServerMessage.FromString(bytes(content[5 : 5 + length]))
                if reply.request_id == 0 and reply.HasField("error"):
                    return MartletError(reply.error)
            del content[: 5 + length]
        return None

    def _send(self, message, outcome_unknown=False):
        """A request that could not be sent to its end does not run; `outcome_unknown` is for what is about another one."""
        self._check_taken(message)
        content = message.SerializeToString()
        with self._using_socket(outcome_unknown):
            self._socket.sendall(struct.pack(">BI", 0, len(content)) + content)

    def _check_taken(self, message):
        """Raises where the server has said that it takes nothing new, or has gone: then the request is not sent.

        A server that closes says so before, and for one that has waited long it is there by now. Transactions that are
        open may end.
        """
        kind = message.WhichOneof("kind")
        if kind in (None, "hello", "setup", "credit", "cancel"):
            return
        with self._using_socket(outcome_unknown=False):
            has_ended = self._take_what_is_here()
        while (reply := self._whole_message()) is not None:
            self._sort_in(reply)
        if has_ended:
            self._socket.close()
        if self._closing is not None and (has_ended or not getattr(getattr(message, kind), "transaction", 0)):
            raise MartletConnectionError(f"The server ends this connection: {self._closing}")
        if has_ended:
            raise MartletConnectionError("The server closed the connection.")

    def _take_what_is_here(self):
        """Takes what has arrived, without waiting. Gives whether the server has closed the connection."""
        timeout = self._socket.gettimeout()
        try:
            self._socket.setblocking(False)
            while part := self._socket.recv(65_536):
                self._incoming += part
            return True
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        finally:
            self._socket.settimeout(timeout)

    def _whole_message(self):
        """The next message if all of it is here; None otherwise."""
        if len(self._incoming) < 5 or len(self._incoming) < 5 + struct.unpack_from(">BI", self._incoming)[1]:
            return None
        return self._message()

    def _message(self):
        """The next message, which is waited for."""
        flags, length = struct.unpack(">BI", self._exactly(5))
        if flags != 0:
            raise MartletConnectionError(
                "The server sent a frame of a kind that this client does not know.", outcome_unknown=True
            )
        return session_pb2.ServerMessage.FromString(self._exactly(length))

    def _sort_in(self, reply):
        """Takes what a message says of the connection, and keeps it if it is for a stream that is open."""
        if reply.HasField("closing"):
            self._closing = reply.closing.message
        if reply.request_id == 0 and reply.HasField("error"):
            self._socket.close()
            raise MartletError(reply.error)
        if reply.request_id in self._arrived:
            self._arrived[reply.request_id].append(reply)

    def _answer(self, request_id):
        """The one message that answers a request; raises what it says is wrong."""
        reply = self._receive(request_id)
        if reply.HasField("error"):
            raise MartletError(reply.error)
        return reply

    def _receive(self, request_id):
        """The next message for the request; those for streams that are open are kept for them."""
        if self._arrived.get(request_id):
            return self._arrived[request_id].popleft()
        while True:
            reply = self._message()
            if reply.request_id == request_id:
                return reply
            self._sort_in(reply)

    def _exactly(self, count):
        while len(self._incoming) < count:
            with self._using_socket():
                part = self._socket.recv(max(count - len(self._incoming), 65_536))
            if not part:
                raise MartletConnectionError("The server closed the connection.", outcome_unknown=True)
            self._incoming += part
        content = bytes(self._incoming[:count])
        del self._incoming[:count]
        return content


class Martlet(Connection):
    """A connection to one database: statements, batches and transactions."""

    def __init__(self, url, create=False, setup=(), timeout=None, token=None, **tls):
        """`setup`: CREATE TEMPORARY VIEW and TRIGGER, as trees or SQL text, that all statements of the connection see.

        `token` and `tls`: as in `Connection`.
        """
        self._shapes = {}
        self._columns = {}
        super().__init__(url, parse_url(url)[2], create, setup, timeout, token, **tls)

    def execute(self, statement, *parameters, transaction=0, deadline_ms=0):
        """Runs a tree (or SQL text) and returns all of its rows."""
        result = Result()
        for batch in self.stream(statement, *parameters, transaction=transaction, deadline_ms=deadline_ms, into=result):
            result.rows.extend(batch)
        return result

    def stream(self, statement, *parameters, transaction=0, deadline_ms=0, into=None):
        """Runs a tree (or SQL text) and yields its rows in the batches in which they arrive.

        Other requests may run between two batches; inside of a transaction the next statement waits until the rows have
        come, so read them to their end first. Leaving the loop, or `close()` of what this gives, ends the query; what a write
        did stays.
        """
        result = into if into is not None else Result()
        content = (raw(statement) if isinstance(statement, str) else statement).SerializeToString(deterministic=True)
        request = self._request()
        request.execute.transaction = transaction
        request.execute.deadline_ms = deadline_ms
        request.execute.credit = min(CREDIT_BYTES, self._credit_max)
        for value in parameters:
            encode_value(value, request.execute.parameters.add())
        shape = self._shapes.get(content)
        if shape is None:
            request.execute.statement = content
        else:
            request.execute.shape = shape
            request.execute.columns_version = self._columns[shape].version if shape in self._columns else 0
        self._send(request)
        self._arrived[request.request_id] = collections.deque()
        is_over = False
        try:
            while True:
                reply = self._receive(request.request_id)
                if reply.HasField("error"):
                    is_over = reply.error.reason != "UNPREPARED"
                    if is_over:
                        raise MartletError(reply.error)
                    self._shapes.pop(content, None)
                    request.execute.statement = content
                    request.execute.columns_version = 0
                    self._send(request)
                    continue
                if reply.HasField("columns"):
                    result.columns = [column.name for column in reply.columns.columns]
                    self._columns[content if shape is None else shape] = reply.columns
                elif shape in self._columns and not result.columns:
                    result.columns = [column.name for column in self._columns[shape].columns]
                is_over = reply.HasField("completion")
                if reply.HasField("rows"):
                    if not is_over:
                        self._extend_credit(request.request_id, credit_of(reply.rows))
                    yield decode_rows(reply.rows)
                if is_over:
                    self._complete(result, reply.completion, content)
                    return
        finally:
            del self._arrived[request.request_id]
            if not is_over and self._socket.fileno() >= 0:
                with contextlib.suppress(OSError):
                    self._send(session_pb2.ClientMessage(request_id=request.request_id, cancel=session_pb2.Cancel()))

    def _complete(self, result, completion, content):
        result.rows_changed = completion.rows_changed
        result.last_insert_rowid = completion.last_insert_rowid
        result.skipped = completion.skipped
        if completion.shape:
            self._shapes[content] = completion.shape
            if content in self._columns:
                self._columns[completion.shape] = self._columns.pop(content)

    def batch(self, steps, atomic=True):
        """Runs (statement, parameters) pairs in one round trip; gives a Result for each step, with `error` where it failed."""
        request = self._request()
        request.batch.atomic = atomic
        # Rows of a batch are bounded by the server, and wanted at once.
        request.batch.credit = self._credit_max
        for statement, parameters in steps:
            step = request.batch.steps.add()
            step.statement = (raw(statement) if isinstance(statement, str) else statement).SerializeToString()
            for value in parameters:
                if isinstance(value, rows_pb2.StepReference):
                    step.parameters.add().reference.CopyFrom(value)
                else:
                    encode_value(value, step.parameters.add())
        self._send(request)
        results = [Result() for _ in steps]
        while True:
            reply = self._receive(request.request_id)
            if reply.step == 0:
                if reply.HasField("error"):
                    raise MartletError(reply.error)
                if reply.HasField("completion"):
                    return results
                continue
            result = results[reply.step - 1]
            if reply.HasField("columns"):
                result.columns = [column.name for column in reply.columns.columns]
            if reply.HasField("rows"):
                result.rows.extend(decode_rows(reply.rows))
            if reply.HasField("error"):
                result.error = MartletError(reply.error)
            if reply.HasField("completion"):
                self._complete(result, reply.completion, b"")

    def begin(self, write=True):
        """Opens a transaction; give the number to `execute` and to `finish`."""
        return self.ask("begin", mode="MODE_WRITE" if write else "MODE_READ").request_id

    def finish(self, transaction, commit=True):
        self.ask("finish", transaction=transaction, commit=commit)

    def savepoint(self, transaction, number):
        """Sets a savepoint; `number` is the caller's own."""
        self.ask("savepoint", transaction=transaction, number=number, action="ACTION_SET")

    def release(self, transaction, number):
        """Forgets the savepoint; what was done since stays."""
        self.ask("savepoint", transaction=transaction, number=number, action="ACTION_RELEASE")

    def roll_back_to(self, transaction, number):
        """Undoes what was done since the savepoint, which stays."""
        self.ask("savepoint", transaction=transaction, number=number, action="ACTION_ROLL_BACK_TO")

    def check(self, whole=False, deadline_ms=600_000):
        """Looks the database over; gives rows of check, object, ok, message and value."""
        task = session_pb2.Maintain.TASK_CHECK_WHOLE if whole else session_pb2.Maintain.TASK_CHECK
        return self._maintain(task, deadline_ms)

    def unfence(self, deadline_ms=600_000):
        """Lets a database that the server has fenced take writes again."""
        self._maintain(session_pb2.Maintain.TASK_UNFENCE, deadline_ms)

    def _maintain(self, task, deadline_ms):
        request = self._request()
        request.maintain.task = task
        request.maintain.deadline_ms = deadline_ms
        request.maintain.credit = min(CREDIT_BYTES, self._credit_max)
        self._send(request)
        rows = []
        while True:
            reply = self._receive(request.request_id)
            if reply.HasField("error"):
                raise MartletError(reply.error)
            if reply.HasField("rows"):
                self._extend_credit(request.request_id, credit_of(reply.rows))
                rows.extend(decode_rows(reply.rows))
            if reply.HasField("completion"):
                return rows


class MartletServer(Connection):
    """A connection to a server as a whole: its databases. It runs no statements."""

    def __init__(self, url, timeout=None, token=None, **tls):
        """A database that the URL names is not looked at. `token` and `tls`: as in `Connection`."""
        super().__init__(url, "", timeout=timeout, token=token, **tls)

    def databases(self):
        """All databases by name: DatabaseInfo messages with name, state, bytes, log_bytes and sessions."""
        found = []
        while True:
            after = found[-1].name.encode() if found else b""
            page = self.ask("administer", task="TASK_LIST", database=after).databases
            found.extend(page.databases)
            if not page.more or not page.databases:
                return found

    def create_database(self, name):
        """Makes an empty database; raises if there is one of that name."""
        self.ask("administer", task="TASK_CREATE", database=name.encode())

    def rename_database(self, name, new_name, end_sessions=False):
        """Gives a database another name; raises if somebody has it open, unless `end_sessions`."""
        self.ask(
            "administer", task="TASK_RENAME", database=name.encode(), new_name=new_name.encode(), end_sessions=end_sessions
        )

    def drop_database(self, name, end_sessions=False):
        """Removes a database for good; raises if somebody has it open, unless `end_sessions`."""
        self.ask("administer", task="TASK_DROP", database=name.encode(), end_sessions=end_sessions)
