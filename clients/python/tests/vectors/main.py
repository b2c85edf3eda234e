"""The dialogues of proto/vectors against a running server.

    python3 clients/python/tests/vectors/main.py martlet://127.0.0.1:6278/vectors [FILE …]

Each file is one connection: messages that are sent, and what their answers hold. A message is protobuf's JSON, in which an
object {"utf8": …}, {"hex": …} or {"tree": …} stands for bytes: of a text, of hexadecimal digits, of a serialized statement.
An answer may hold more than the file says, but no other elements in a list. Prints a line for each file and exits with 1 if
one failed. The database is made anew for each. The files in messages/ are single messages with their bytes; no server is asked.
"""

import base64
import glob
import json
import os
import sys
from urllib.parse import urlsplit, urlunsplit

from google.protobuf import json_format
from martlet.v1 import grammar_pb2, session_pb2
from martlet_client import Connection, MartletError, MartletServer

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../proto/vectors")

# What the last message of an answer holds.
ENDS = ("hello", "completion", "error", "pong", "inspection", "databases")


class Wire(Connection):
    """A connection that sends messages as they are; the hello is the first of them."""

    def _say_hello(self, database, create, setup, token):
        self.database = database


def with_bytes(value):
    """The JSON with bytes as protobuf's JSON has them."""
    if isinstance(value, list):
        return [with_bytes(item) for item in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["utf8"]:
        content = value["utf8"].encode()
    elif list(value) == ["hex"]:
        content = bytes.fromhex(value["hex"])
    elif list(value) == ["tree"]:
        tree = json_format.ParseDict(with_bytes(value["tree"]), grammar_pb2.Statement())
        content = tree.SerializeToString(deterministic=True)
    else:
        return {key: with_bytes(item) for key, item in value.items()}
    return base64.b64encode(content).decode()


def holds(found, wanted):
    """Whether an answer has all that the file says."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(key in found and holds(found[key], item) for key, item in wanted.items())
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(holds, found, wanted))
    return found == wanted


def answers(wire, request_id):
    """All messages that answer a request, as one for each step of a batch: a server may cut an answer anywhere."""
    found = {}
    while True:
        reply = wire._receive(request_id)
        part = json_format.MessageToDict(reply, preserving_proto_field_name=True)
        found.setdefault(reply.step, {}).update(part)
        if reply.step == 0 and any(reply.HasField(end) for end in ENDS):
            return list(found.values())


def run(path, url):
    with open(path, encoding="utf-8") as file:
        dialogue = json.load(file)
    with Wire(url, "") as wire:
        for number, step in enumerate(dialogue["steps"], 1):
            request = json_format.ParseDict(with_bytes(step["send"]), session_pb2.ClientMessage())
            wire._send(request)
            if "answers" not in step:
                continue
            found = answers(wire, request.request_id)
            assert holds(found, with_bytes(step["answers"])), f"step {number}: {json.dumps(found)}"


def check_messages(path, message):
    """Each message of the file has the bytes that the file says, and those are the message."""
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)["messages"]
    for vector in vectors:
        built = json_format.ParseDict(with_bytes(vector["message"]), message())
        content = bytes.fromhex(vector["bytes"])
        assert built.SerializeToString(deterministic=True) == content, vector["what"]
        assert message.FromString(content) == built, vector["what"]


def main(url, paths):
    failures = 0
    for name, message in (("client", session_pb2.ClientMessage), ("server", session_pb2.ServerMessage)):
        try:
            check_messages(os.path.join(VECTORS, "messages", name + ".json"), message)
            print(f"ok      messages/{name}.json")
        except Exception as error:
            failures += 1
            print(f"failed  messages/{name}.json: {type(error).__name__} {error}")
    server = urlsplit(url)
    name = server.path.lstrip("/")
    with MartletServer(url) as all_databases:
        for path in paths:
            try:
                all_databases.drop_database(name, end_sessions=True)
            except MartletError as error:
                assert error.code == 5, error
            title = os.path.basename(path)
            try:
                run(path, urlunsplit(server._replace(path="/")))
                print(f"ok      {title}")
            except Exception as error:
                failures += 1
                print(f"failed  {title}: {type(error).__name__} {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    files = sys.argv[2:] or sorted(glob.glob(os.path.join(VECTORS, "*.json")))
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "martlet://127.0.0.1:6278/vectors", files))
