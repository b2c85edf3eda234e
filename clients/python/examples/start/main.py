"""A table, rows and a transaction: PYTHONPATH=. python3 examples/start/main.py martlet://127.0.0.1:6278/shop"""

import sys

from martlet_client import Martlet, MartletServer

url = sys.argv[1] if len(sys.argv) > 1 else "martlet://127.0.0.1:6278/shop"
with Martlet(url, create=True) as database:
    database.execute("create table if not exists items(id integer primary key, title text, price real)")
    database.execute("insert into items(title, price) values (?1, ?2)", "Tea", 4.5)
    for title, price in database.execute("select title, price from items where price > ?1", 4.0).rows:
        print(title, price)

    transaction = database.begin()
    database.execute("update items set price = price * 2", transaction=transaction)
    database.finish(transaction, commit=False)

with MartletServer(url) as server:
    for entry in server.databases():
        print(entry.name, entry.bytes)
