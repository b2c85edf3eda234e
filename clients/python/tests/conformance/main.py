"""What a client has to get right, against a running server.

    python3 clients/python/tests/conformance/main.py martlet://127.0.0.1:6278/conformance

Prints a line for each check and exits with 1 if one failed. Uses the table conformance, which it drops first, and the
databases conformance-made and conformance-renamed of the same server, which it drops too.
"""

import sys
import time
from urllib.parse import urlsplit, urlunsplit

from martlet.v1 import grammar_pb2 as ast
from martlet.v1 import rows_pb2
from martlet_client import Martlet, MartletError, MartletServer

EDGES = [
    None, 0, 1, -1, 2**63 - 1, -(2**63), 0.0, -0.0, 1.5, 1e308, 5e-324, float("inf"), "", "é 日本 👍", "a\0b", b"", b"\0\xff",
    "x" * 70_000, b"y" * 70_000,
]


def select_parameter():
    """SELECT ?1"""
    expression = ast.Expression(parameter=ast.Parameter(index=1))
    return ast.Statement(select=ast.Select(columns=[ast.ResultColumn(expression=expression)]))


def same(left, right):
    return type(left) is type(right) and repr(left) == repr(right)


def values_come_back(database):
    for value in EDGES:
        (row,) = database.execute(select_parameter(), value).rows
        assert same(row[0], value), (row[0], value)


def rows_keep_their_types(database):
    insert = ast.Statement(
        insert=ast.Insert(
            into=ast.Table(name="conformance"), columns=["id", "v"], rows=ast.Parameter(index=1, list=True, columns=2)
        )
    )
    rows = list(enumerate(EDGES))
    assert database.execute(insert, rows).rows_changed == len(EDGES)
    back = database.execute("select id, v from conformance order by id").rows
    assert all(same(got[1], want[1]) for got, want in zip(back, rows)), back


def lists_of_any_length(database):
    found = ast.Expression(
        call=ast.Call(
            operator=ast.OPERATOR_IN,
            arguments=[
                ast.Expression(column=ast.Column(name="id")),
                ast.Expression(parameter=ast.Parameter(index=1, list=True)),
            ],
        )
    )
    statement = ast.Statement(
        select=ast.Select(
            columns=[ast.ResultColumn(expression=ast.Expression(column=ast.Column(name="id")))],
            **{"from": ast.TableSource(table=ast.Table(name="conformance"))},
            where=found,
        )
    )
    for numbers in ([], [1], list(range(5)), list(range(50_000))):
        rows = database.execute(statement, numbers).rows
        assert sorted(row[0] for row in rows) == [n for n in numbers if n < len(EDGES)], len(rows)


def results_larger_than_the_credit(database):
    sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select i, 'row ' || i from n"
    count = total = 0
    for batch in database.stream(sql):
        count += len(batch)
        total += sum(row[0] for row in batch)
    assert (count, total) == (200_000, 200_000 * 200_001 // 2), (count, total)


def batches_of_nulls_use_up_no_credit_for_ever(database):
    """Columns without bytes, where the account of the credit is all overhead."""
    columns = ", ".join(["null"] * 100)
    sql = f"with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000) select {columns} from n"
    assert sum(len(batch) for batch in database.stream(sql)) == 50_000


def statements_run_while_rows_are_read(database):
    """No row of a stream is lost to what is asked meanwhile, be it another stream."""
    sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < {0}) select i, 'row ' || i from n"
    for count in (2_000, 100_000):
        first, second = ([row[0] for row in batch] for batch in database.stream(sql.format(count))), []
        seen = []
        for batch in database.stream(sql.format(count)):
            second.extend(row[0] for row in batch)
            assert database.execute("select 7").rows == [(7,)]
            seen.extend(next(first, []))
        for batch in first:
            seen.extend(batch)
        assert seen == second == list(range(1, count + 1)), (len(seen), len(second))


def a_stream_that_is_left_ends_at_the_server(database):
    sql = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n"
    for _ in database.stream(sql):
        break
    assert database.execute("select 8").rows == [(8,)]
    with MartletServer(database.url) as server:
        for _ in range(200):
            counters = {counter.name: counter.value for counter in server.inspect().counters}
            if counters["open_reads"] == 0:
                break
            time.sleep(0.02)
    assert counters["open_reads"] == 0, counters["open_reads"]


def a_write_whose_rows_are_left_stays(database):
    update = "update left_rows set n = n + 1 returning n, hex(zeroblob(200))"
    database.execute("drop table if exists left_rows")
    database.execute("create table left_rows(n)")
    numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select 0 from n"
    database.execute("insert into left_rows " + numbers)
    for _ in database.stream(update):
        break
    transaction = database.begin()
    for _ in database.stream(update, transaction=transaction):
        break
    database.execute("insert into left_rows values (2)", transaction=transaction)
    database.finish(transaction)
    assert database.execute("select min(n), max(n), count(*) from left_rows").rows == [(2, 2, 20_001)]


def text_that_is_not_utf8_is_an_error(database):
    for sql in (
        "select 1, cast(x'ff41' as text) as bad",
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 9999) "
        "select i, case i when 9000 then cast(x'c328' as text) else 'é' end as bad from n",
    ):
        try:
            database.execute(sql)
        except MartletError as error:
            assert error.reason == "NOT_UTF8" and "(bad)" in str(error), error
        else:
            raise AssertionError(sql)
    assert database.execute("select cast(cast(x'ff41' as text) as blob), char(97, 0, 98)").rows == [(b"\xff\x41", "a\0b")]


def shapes_are_remembered_and_forgotten(database):
    statement = select_parameter()
    database.execute(statement, 1)
    content = statement.SerializeToString(deterministic=True)
    assert len(database._shapes[content]) == 16
    database._shapes[content] = bytes(16)
    assert database.execute(statement, 7).rows == [(7,)]


def errors_are_structured(database):
    try:
        database.execute("select nope from conformance")
        raise AssertionError("the statement is wrong and was taken")
    except MartletError as error:
        assert error.code == 3 and not error.retryable and not error.outcome_unknown, vars(error)
    try:
        database.execute("insert into conformance(id) values (0)")
        raise AssertionError("the key is there already and was taken")
    except MartletError as error:
        assert error.reason == "CONSTRAINT", vars(error)
    assert database.ping()


def batches_refer_to_earlier_steps(database):
    reference = rows_pb2.StepReference(step=1, field=rows_pb2.StepReference.FIELD_LAST_INSERT_ROWID)
    results = database.batch([
        ("insert into conformance(v) values (?1)", ["parent"]),
        ("insert into conformance(v) values (?1) returning v", [reference]),
    ])
    assert results[1].rows == [(results[0].last_insert_rowid,)], results[1].rows
    before = database.execute("select count(*) from conformance").rows
    try:
        database.batch([("insert into conformance(v) values (1)", []), ("insert into conformance(id) values (0)", [])])
        raise AssertionError("an atomic batch with a failing step succeeded")
    except MartletError:
        pass
    assert database.execute("select count(*) from conformance").rows == before


def transactions_commit_and_roll_back(database):
    count = "select count(*) from conformance where v = 'transaction'"
    for commit in (False, True):
        transaction = database.begin()
        database.execute("insert into conformance(v) values ('transaction')", transaction=transaction)
        assert database.execute(count, transaction=transaction).rows == [(1,)]
        database.finish(transaction, commit=commit)
        assert database.execute(count).rows == [(int(commit),)]


def setups_are_seen_by_their_own_sessions(database):
    trigger = (
        "create temp trigger t after insert on conformance when new.v = 'seen' begin "
        "insert into conformance(v) values ('noted'); end"
    )
    # The second is longer than a hello may be.
    for setup in ([trigger], [trigger, f"create temp view long as select '{'x' * 40_000}' as v"]):
        with Martlet(database.url, setup=setup) as other:
            other.execute("insert into conformance(v) values ('seen')")
    database.execute("insert into conformance(v) values ('seen')")
    assert database.execute("select count(*) from conformance where v = 'noted'").rows == [(2,)]
    for setup, path in (([trigger, "select 1"], "setup[1]"), (["create temp table t(a)"], "setup[0]")):
        try:
            Martlet(database.url, setup=setup)
            raise AssertionError("a setup of other statements was taken")
        except MartletError as error:
            assert error.path == path, error.path
    try:
        database.execute("create temp view v as select 1")
        raise AssertionError("a temporary view was made on a connection that others share")
    except MartletError as error:
        assert error.reason == "NOT_ALLOWED", error.reason


def savepoints_undo_their_own(database):
    transaction = database.begin()
    insert = "insert into conformance(v) values ('savepoint')"
    count = "select count(*) from conformance where v = 'savepoint'"
    database.execute(insert, transaction=transaction)
    database.savepoint(transaction, 1)
    database.execute(insert, transaction=transaction)
    database.roll_back_to(transaction, 1)
    database.execute(insert, transaction=transaction)
    database.release(transaction, 1)
    database.finish(transaction)
    assert database.execute(count).rows == [(2,)]


def databases_are_made_renamed_and_dropped(database):
    first, second = "conformance-made", "conformance-renamed"
    with MartletServer(database.url) as server:
        for name in (first, second):
            try:
                server.drop_database(name, end_sessions=True)
            except MartletError as error:
                assert (error.code, error.reason) == (5, "UNKNOWN_DATABASE"), vars(error)
        server.create_database(first)
        try:
            server.create_database(first)
            raise AssertionError("a database was made over another")
        except MartletError as error:
            assert error.code == 6, vars(error)
        server.rename_database(first, second)
        names = [entry.name for entry in server.databases()]
        assert second in names and first not in names and names == sorted(names), names
        with Martlet(with_database(database.url, second)) as open_one:
            assert open_one.ping()
            try:
                server.drop_database(second)
                raise AssertionError("a database was dropped under a session")
            except MartletError as error:
                assert error.code == 9, vars(error)
            server.drop_database(second, end_sessions=True)
        assert second not in [entry.name for entry in server.databases()]
        try:
            Martlet(with_database(database.url, second))
            raise AssertionError("a database that is gone was opened")
        except MartletError as error:
            assert (error.code, error.reason) == (5, "UNKNOWN_DATABASE"), vars(error)


def with_database(url, name):
    """The same server's URL with another database."""
    parts = urlsplit(url)
    if parts.scheme == "martlet+unix":
        return urlunsplit(parts._replace(query=f"db={name}"))
    return urlunsplit(parts._replace(path=f"/{name}"))


CHECKS = [
    values_come_back, rows_keep_their_types, lists_of_any_length, results_larger_than_the_credit,
    batches_of_nulls_use_up_no_credit_for_ever, statements_run_while_rows_are_read, a_stream_that_is_left_ends_at_the_server,
    a_write_whose_rows_are_left_stays, text_that_is_not_utf8_is_an_error, shapes_are_remembered_and_forgotten,
    errors_are_structured, batches_refer_to_earlier_steps, transactions_commit_and_roll_back, savepoints_undo_their_own,
    setups_are_seen_by_their_own_sessions, databases_are_made_renamed_and_dropped,
]


def main(url):
    failures = 0
    with Martlet(url, create=True) as database:
        database.execute("drop table if exists conformance")
        database.execute("create table conformance(id integer primary key, v)")
        for check in CHECKS:
            try:
                check(database)
                print(f"ok      {check.__name__.replace('_', ' ')}")
            except Exception as error:
                failures += 1
                print(f"failed  {check.__name__.replace('_', ' ')}: {type(error).__name__} {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "martlet://127.0.0.1:6278/conformance"))
