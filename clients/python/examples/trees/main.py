"""Trees from Python: PYTHONPATH=. python3 examples/trees/main.py martlet://127.0.0.1:6278/example"""

import sys

from martlet.v1 import grammar_pb2 as ast
from martlet_client import Martlet


def column(name):
    return ast.Expression(column=ast.Column(name=name))


def parameter(index):
    return ast.Expression(parameter=ast.Parameter(index=index))


def call(operator, *arguments):
    return ast.Expression(call=ast.Call(operator=operator, arguments=arguments))


def main(url):
    with Martlet(url, create=True) as database:
        database.execute("create table if not exists items(id integer primary key, title text, price real)")

        # INSERT INTO "items" ("title", "price") … one parameter that holds all rows.
        insert = ast.Statement(
            insert=ast.Insert(
                into=ast.Table(name="items"),
                columns=["title", "price"],
                rows=ast.Parameter(index=1, list=True, columns=2),
            )
        )
        done = database.execute(insert, [("Tea", 4.5), ("Coffee", 6.25), ("Water", None)])
        print(f"{done.rows_changed} rows inserted")

        # SELECT "title", "price" FROM "items" WHERE "price" > ?1 ORDER BY "price" DESC
        expensive = ast.Statement(
            select=ast.Select(
                columns=[ast.ResultColumn(expression=column("title")), ast.ResultColumn(expression=column("price"))],
                **{"from": ast.TableSource(table=ast.Table(name="items"))},
                where=call(ast.OPERATOR_GREATER, column("price"), parameter(1)),
                order_by=[
                    ast.OrderingTerm(expression=column("price"), direction=ast.OrderingTerm.DIRECTION_DESCENDING)
                ],
            )
        )
        result = database.execute(expensive, 4.0)
        print(result.columns)
        for row in result.rows:
            print(row)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "martlet://127.0.0.1:6278/example")
