"""A small blocking Martlet client: statements as trees, rows as tuples, and the databases of a server.

The generated messages come from the repository's root with
    protoc --proto_path=proto --python_out=clients/python proto/martlet/v1/*.proto
and need the protobuf package (Debian: python3-protobuf).
"""

import itertools
import socket
import struct
from urllib.parse import parse_qs, unquote, urlsplit

from martlet.v1 import grammar_pb2, rows_pb2, session_pb2

CREDIT_BYTES = 1 << 20


class MartletError(Exception):
    """What the server answered; `reason` is stable, the text is for people."""

    def __init__(self, error):
        super().__init__(error.message)
        self.code = error.code
        self.reason = error.reason
        self.path = error.path
        self.retryable = error.retryable
        self.outcome_unknown = error.outcome_unknown


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
        message.real = value
    elif isinstance(value, str):
        message.text = value.encode()
    elif isinstance(value, (bytes, bytearray)):
        message.blob = bytes(value)
    elif isinstance(value, list):
        encode_rows([row if isinstance(row, tuple) else (row,) for row in value], message.rows)
    else:
        raise TypeError(f"{type(value).__name__} cannot be a parameter")


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
                real = value
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
    if parts.scheme != "martlet" or not parts.hostname:
        raise ValueError("a Martlet URL is martlet://host:port/database or martlet+unix:///path.sock?db=name")
    family = socket.AF_INET6 if ":" in parts.hostname else socket.AF_INET
    return family, (parts.hostname, parts.port or 6278), parts.path.lstrip("/")


class Connection:
    """One connection: frames, ids and the hello. `with … as connection:` closes it at the end."""

    def __init__(self, url, database, create=False, setup=(), timeout=None):
        """`timeout`: seconds that one answer may take; None waits as long as the server does."""
        self.url = url
        family, address = parse_url(url)[:2]
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(address)
            if family != socket.AF_UNIX:
                self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._ids = itertools.count(1)
            self._say_hello(database, create, setup)
        except BaseException:
            self._socket.close()
            raise

    def _say_hello(self, database, create, setup):
        request = self._request()
        request.hello.protocol = 1
        request.hello.database = database.encode()
        request.hello.client = b"martlet-python"
        request.hello.create = create
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
        reply = self._answer(request.request_id)
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
            self._send(credit)

    def _send(self, message):
        content = message.SerializeToString()
        self._socket.sendall(struct.pack(">BI", 0, len(content)) + content)

    def _answer(self, request_id):
        """The one message that answers a request; raises what it says is wrong."""
        reply = self._receive(request_id)
        if reply.HasField("error"):
            raise MartletError(reply.error)
        return reply

    def _receive(self, request_id):
        while True:
            flags, length = struct.unpack(">BI", self._exactly(5))
            if flags != 0:
                raise ConnectionError("the server sent a frame of a kind that this client does not know")
            reply = session_pb2.ServerMessage.FromString(self._exactly(length))
            if reply.request_id == 0 and reply.HasField("error"):
                raise MartletError(reply.error)
            if reply.request_id == request_id:
                return reply

    def _exactly(self, count):
        content = bytearray()
        while len(content) < count:
            part = self._socket.recv(count - len(content))
            if not part:
                raise ConnectionError("the server closed the connection")
            content += part
        return bytes(content)


class Martlet(Connection):
    """A connection to one database: statements, batches and transactions."""

    def __init__(self, url, create=False, setup=(), timeout=None):
        """`setup`: CREATE TEMPORARY VIEW and TRIGGER, as trees or SQL text, that all statements of the connection see."""
        self._shapes = {}
        self._columns = {}
        super().__init__(url, parse_url(url)[2], create, setup, timeout)

    def execute(self, statement, *parameters, transaction=0, deadline_ms=0):
        """Runs a tree (or SQL text) and returns all of its rows."""
        result = Result()
        for batch in self.stream(statement, *parameters, transaction=transaction, deadline_ms=deadline_ms, into=result):
            result.rows.extend(batch)
        return result

    def stream(self, statement, *parameters, transaction=0, deadline_ms=0, into=None):
        """Runs a tree (or SQL text) and yields its rows in the batches in which they arrive."""
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
        while True:
            reply = self._receive(request.request_id)
            if reply.HasField("error"):
                if reply.error.reason != "UNPREPARED":
                    raise MartletError(reply.error)
                self._shapes.pop(content, None)
                request.execute.statement = content
                request.execute.columns_version = 0
                self._send(request)
                continue
            if reply.HasField("columns"):
                result.columns = [column.name for column in reply.columns.columns]
                if shape is not None:
                    self._columns[shape] = reply.columns
                else:
                    self._columns[content] = reply.columns
            elif shape in self._columns and not result.columns:
                result.columns = [column.name for column in self._columns[shape].columns]
            if reply.HasField("rows"):
                self._extend_credit(request.request_id, credit_of(reply.rows))
                yield decode_rows(reply.rows)
            if reply.HasField("completion"):
                self._complete(result, reply.completion, content)
                return

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

    def __init__(self, url, timeout=None):
        """A database that the URL names is not looked at."""
        super().__init__(url, "", timeout=timeout)

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
