"""Values and URLs without a server."""

import contextlib
import itertools
import socket
import struct
import threading
import unittest

import martlet_client
from martlet.v1 import rows_pb2, session_pb2
from martlet_client import credit_of, decode_rows, encode_rows, encode_value, parse_url


def connection_over(socket):
    """A connection that has said its hello."""
    connection = martlet_client.Martlet.__new__(martlet_client.Martlet)
    connection._socket, connection._arrived, connection._incoming, connection._closing = socket, {}, bytearray(), None
    connection._ids, connection._shapes, connection._columns, connection._credit_max = itertools.count(2), {}, {}, 1 << 20
    return connection


def said(**fields):
    """A message of the server, framed."""
    content = session_pb2.ServerMessage(**fields).SerializeToString()
    return struct.pack(">BI", 0, len(content)) + content


def say_later(peer, content):
    threading.Timer(0.05, lambda: peer.sendall(content)).start()


class Values(unittest.TestCase):
    def test_rows_come_back_as_they_went_in(self):
        tables = [
            [],
            [(1,)],
            [(None, "", b""), (2**63 - 1, "a\0b", b"\0\xff"), (-(2**63), "é 日本 👍", b"x")],
            [(index, None if index % 3 else 1.5, str(index)) for index in range(100)],
        ]
        for rows in tables:
            batch = rows_pb2.RowBatch()
            encode_rows(rows, batch)
            self.assertEqual(decode_rows(rows_pb2.RowBatch.FromString(batch.SerializeToString())), rows)

    def test_rows_without_columns_keep_their_number(self):
        self.assertEqual(decode_rows(rows_pb2.RowBatch(row_count=3)), [(), (), ()])

    def test_a_column_of_one_kind_marks_its_nulls_in_bits(self):
        column = rows_pb2.RowBatch().columns.add(kind=rows_pb2.COLUMN_KIND_INTEGER, integers=range(10), nulls=bytes([0b10, 0b10]))
        rows = decode_rows(rows_pb2.RowBatch(row_count=10, columns=[column]))
        self.assertEqual([row[0] for row in rows], [0, None, 2, 3, 4, 5, 6, 7, 8, None])

    def test_credit_is_counted_as_the_server_counts_it(self):
        batch = rows_pb2.RowBatch(row_count=2)
        self.assertEqual(credit_of(batch), 8)
        batch.columns.add(kind=rows_pb2.COLUMN_KIND_TEXT, ends=[1, 3], data=b"abc", nulls=b"\0")
        self.assertEqual(credit_of(batch), 8 + 8 + 1 + 3 + 4 * 2)

    def test_parameters_take_the_kind_of_their_python_type(self):
        kinds = [(None, "null"), (True, "integer"), (1, "integer"), (1.0, "real"), ("x", "text"), (b"x", "blob"), ([1], "rows")]
        for value, kind in kinds:
            message = rows_pb2.Value()
            encode_value(value, message)
            self.assertEqual(message.WhichOneof("kind"), kind)
        for value in (2**63, {}, object()):
            with self.assertRaises((TypeError, ValueError)):
                encode_value(value, rows_pb2.Value())

    def test_what_is_not_a_number_is_refused_and_does_not_become_null(self):
        for value in (float("nan"), [1.0, float("nan")], [(1, float("nan"))]):
            with self.assertRaisesRegex(ValueError, "NaN"):
                encode_value(value, rows_pb2.Value())
        encode_value(float("inf"), rows_pb2.Value())


class URLs(unittest.TestCase):
    def test_addresses(self):
        self.assertEqual(parse_url("martlet://host/shop"), (socket.AF_INET, ("host", 6278), "shop"))
        self.assertEqual(parse_url("martlet+tls://host/shop"), (socket.AF_INET, ("host", 6278), "shop"))
        self.assertEqual(parse_url("martlet://[::1]:7/shop"), (socket.AF_INET6, ("::1", 7), "shop"))
        self.assertEqual(parse_url("martlet+unix:///a%20b.sock?db=shop"), (socket.AF_UNIX, "/a b.sock", "shop"))
        for url in ("http://host/shop", "host/shop", "martlet:shop", ""):
            with self.assertRaises(ValueError):
                parse_url(url)

    def test_nobody_there_is_an_error_and_leaves_no_socket(self):
        with self.assertRaises(martlet_client.MartletConnectionError) as raised:
            martlet_client.Martlet("martlet+unix:///nowhere/martlet.sock?db=shop")
        self.assertIsInstance(raised.exception, martlet_client.MartletError)
        self.assertIsInstance(raised.exception, ConnectionError)
        self.assertIsInstance(raised.exception.__cause__, FileNotFoundError)
        self.assertTrue(raised.exception.retryable and not raised.exception.outcome_unknown)
        self.assertIn("/nowhere/martlet.sock", str(raised.exception))

    def test_a_connection_that_ends_is_an_error_of_the_connection(self):
        here, there = socket.socketpair()
        connection = connection_over(here)
        there.close()
        with self.assertRaises(martlet_client.MartletConnectionError) as raised:
            connection._receive(1)
        self.assertTrue(raised.exception.outcome_unknown and not raised.exception.retryable)
        here.close()

    def test_the_servers_last_word_comes_before_the_sockets(self):
        for words, reason, outcome_unknown in (
            (session_pb2.Error(reason="NOT_FOUND", message="The database was dropped."), "NOT_FOUND", False),
            # Without a word the request that could not be sent has not run.
            (None, "CONNECTION", False),
        ):
            here, there = socket.socketpair()
            connection = connection_over(here)
            if words:
                # Rows of a request that nobody waits for any more come before it.
                for reply in (session_pb2.ServerMessage(request_id=7), session_pb2.ServerMessage(error=words)):
                    content = reply.SerializeToString()
                    there.sendall(struct.pack(">BI", 0, len(content)) + content)
            there.close()
            with self.assertRaises(martlet_client.MartletError) as raised:
                connection._send(session_pb2.ClientMessage(request_id=2))
            self.assertEqual(raised.exception.reason, reason)
            self.assertEqual(raised.exception.outcome_unknown, outcome_unknown)
            self.assertIsInstance(raised.exception.__cause__, OSError)
            with self.assertRaises(martlet_client.MartletConnectionError) as again:
                connection._send(session_pb2.ClientMessage(request_id=3))
            self.assertIn("Open another one", str(again.exception))

    def test_a_server_that_has_said_that_it_closes_is_sent_nothing_new(self):
        closing = said(closing=session_pb2.Closing(message="Bye."))
        last_word = said(error=session_pb2.Error(reason="SHUTTING_DOWN", retryable=True))
        for words, ends, reason in (
            (closing, False, "CONNECTION"),
            (closing, True, "CONNECTION"),
            (said(request_id=7) + closing + last_word, True, "SHUTTING_DOWN"),
            (b"", True, "CONNECTION"),
            # The beginning of a message, whose rest never comes.
            (closing + said(request_id=7)[:3], False, "CONNECTION"),
        ):
            here, there = socket.socketpair()
            here.settimeout(5)
            connection = connection_over(here)
            there.sendall(words)
            if ends:
                there.shutdown(socket.SHUT_WR)
            errors = []
            for ask in (lambda: connection.execute("insert into t values (1)"), connection.begin, connection.ping):
                with self.subTest(words=words, ends=ends), self.assertRaises(martlet_client.MartletError) as raised:
                    ask()
                errors.append(raised.exception)
                self.assertTrue(errors[-1].retryable and not errors[-1].outcome_unknown)
            self.assertEqual(errors[0].reason, reason)
            there.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                self.assertEqual(there.recv(1), b"")
            here.close()
            there.close()

    def test_a_transaction_ends_at_a_server_that_closes(self):
        here, there = socket.socketpair()
        here.settimeout(5)
        connection = connection_over(here)
        there.sendall(said(closing=session_pb2.Closing(message="Bye.")))
        say_later(there, said(request_id=2, completion={}))
        connection.finish(1)
        there.close()
        here.close()

    def test_what_comes_for_a_stream_before_another_request_is_kept(self):
        here, there = socket.socketpair()
        here.settimeout(5)
        connection = connection_over(here)
        rows = rows_pb2.RowBatch(row_count=1)
        stream = connection.stream("select 1")
        say_later(there, said(request_id=2, rows=rows))
        self.assertEqual(next(stream), [()])
        # The answer's first half is here before the next request, and its rest behind that one's answer.
        end = said(request_id=2, rows=rows, completion={})
        there.sendall(said(request_id=2, rows=rows) + end[:4])
        say_later(there, end[4:] + said(request_id=3, pong={"payload": b"ping"}))
        self.assertTrue(connection.ping())
        self.assertEqual(list(stream), [[()], [()]])
        there.close()
        here.close()

    def test_what_could_not_be_said_of_a_stream_leaves_its_write_unknown(self):
        here, there = socket.socketpair()
        connection = connection_over(here)
        there.close()
        with self.assertRaises(martlet_client.MartletConnectionError) as raised:
            connection._extend_credit(1, 100)
        self.assertTrue(raised.exception.outcome_unknown and not raised.exception.retryable)

    def test_an_answer_that_does_not_come_in_time_ends_the_connection(self):
        here, there = socket.socketpair()
        here.settimeout(0.01)
        connection = connection_over(here)
        with self.assertRaises(martlet_client.MartletTimeoutError) as raised:
            connection._receive(1)
        for kind in (TimeoutError, ConnectionError, martlet_client.MartletConnectionError):
            self.assertIsInstance(raised.exception, kind)
        self.assertTrue(raised.exception.outcome_unknown and not raised.exception.retryable)
        # A late answer is not taken for that to another request, which is not sent.
        with self.assertRaises(martlet_client.MartletConnectionError) as again:
            connection._send(session_pb2.ClientMessage(request_id=2))
        self.assertTrue(again.exception.retryable and not again.exception.outcome_unknown)
        self.assertEqual(there.recv(1), b"")
        there.close()


if __name__ == "__main__":
    unittest.main()
