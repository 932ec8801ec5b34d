"""Tests the server of Examples/server over real connections."""

import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/CommandTests"))
from support import PATIENCE, make_ten, wait_until_asleep  # noqa: E402

USERS = (ROOT / "Examples/users.csv").read_bytes()
RULES = ROOT / "Examples/users.rules.yaml"
MIB = 1 << 20


class Server:
    """A private server on a free port."""

    def __init__(self, rules=RULES, **settings):
        environment = os.environ | {name: str(value) for name, value in settings.items()}
        self.process = subprocess.Popen(
            [os.environ["ASSAY_SERVER"], rules, "0"], env=environment, stdout=subprocess.PIPE, text=True
        )
        self.port = int(re.fullmatch(r"listening on port (\d+)\n", self.process.stdout.readline())[1])

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure is not None:
            self.process.kill()
            self.process.wait()
            return
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0

    def connect(self):
        return contextlib.closing(socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE))

    def exchange(self, path, body, type=None, **headers):
        """Sends a complete request and reads the whole response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            fields = {name.replace("_", "-"): value for name, value in headers.items()}
            if type is not None:
                fields["Content-Type"] = type
            connection.request("POST", path, body, fields)
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def problem(self, path, body, status, type=None, **headers):
        """The problem document with which the server must respond."""
        seen, fields, content = self.exchange(path, body, type, **headers)
        assert (seen, fields["Content-Type"]) == (status, "application/problem+json"), content
        document = json.loads(content)
        assert document["status"] == status
        return document

    def post_user(self, user, status, query="", **headers):
        return self.problem("/users" + query, json.dumps(user).encode(), status, "application/json", **headers)

    def uploads(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", "/health")
            return json.loads(connection.getresponse().read())["uploads"]

    def wait_for_uploads(self, count):
        end = time.monotonic() + PATIENCE
        while self.uploads() != count:
            assert time.monotonic() < end, f"there are {self.uploads()} uploads instead of {count}"
            time.sleep(0.05)

    def memory(self, field="VmHWM"):
        """Resident memory in bytes: the peak, or the current value."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(field + r":\s+(\d+) kB", status)[1]) * 1024


class Upload:
    """A chunked upload over a connection. The response can be read during the upload."""

    def __init__(self, connection, path="/clean"):
        self.connection = connection
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        self.sent = 0

    def send(self, pieces):
        for piece in pieces:
            if piece:
                self.connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.sent += len(piece)

    def end(self):
        self.connection.sendall(b"0\r\n\r\n")

    def send_all(self, pieces):
        self.send(pieces)
        self.end()

    def head(self):
        """The status and the header of the response."""
        self.stream = self.connection.makefile("rb")
        status = int(self.stream.readline().split()[1])
        return status, http.client.parse_headers(self.stream)

    def chunks(self):
        """The chunks of the response. Afterwards, `trailer` is set."""
        while True:
            line = self.stream.readline()
            if not line:
                raise EOFError("the answer was broken off")
            size = int(line, 16)
            if size == 0:
                break
            piece = self.stream.read(size)
            if len(piece) < size:
                raise EOFError("the answer was broken off")
            yield piece
            self.stream.readline()
        self.trailer = dict(http.client.parse_headers(self.stream).items())


def cut(content, size):
    return (content[start : start + size] for start in range(0, len(content), size))


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The outputs of the command for the same table."""
    directory = tmp_path_factory.mktemp("expected")
    names = {"clean": "good.csv", "rejects": "bad.csv", "findings": "why.jsonl"}
    options = [f"--{output}={name}" for output, name in names.items()]
    run = [os.environ["ASSAY"], "clean", "-", f"--rules={RULES}", "--report=r.json", "--quiet", *options]
    subprocess.run(run, input=USERS, cwd=directory, check=True)
    outputs = {output: (directory / name).read_bytes() for output, name in names.items()}
    report = json.loads((directory / "r.json").read_text())
    counts = report["inputs"][0]
    trailer = {
        f"Assay-{name.capitalize()}": str(counts[name]) for name in ("records", "clean", "rejected", "undecided")
    }
    trailer["Assay-Findings"] = str(report["findings"]["total"])
    return outputs, trailer


# POST /users

GOOD = {
    "email": "anna@example.org",
    "name": "Anna Ødegård",
    "tags": ["early-bird"],
    "addresses": [{"street": "Storgata 1", "postalCode": "0155", "country": "NO"}],
    "newsletter": False,
}
BAD = {
    "email": "anna at example.org",
    "name": "x" * 81,
    "tags": ["early-bird", "Late Riser"],
    "addresses": [
        {"street": "Storgata 1", "postalCode": "0155", "country": "NO"},
        {"street": "", "postalCode": "!", "country": "Norway"},
    ],
    "newsletter": True,
}


def test_a_good_user(server):
    body = json.dumps(GOOD).encode()
    assert server.exchange("/users", body, "application/json; charset=utf-8")[::2] == (204, b"")


def test_all_mistakes_with_their_places(server):
    problem = server.post_user(BAD, 422)
    assert problem["type"] == "https://example.org/problems/validation"
    assert problem["title"] == "Some values break the rules"
    assert [(e["pointer"], e["path"], e["code"]) for e in problem["errors"]] == [
        ("#/email", "email", "email.format"),
        ("#/name", "name", "name.maxLength"),
        ("#/tags/1", "tags[1]", "tags[].format"),
        ("#/addresses/1/street", "addresses[1].street", "addresses[].street.required"),
        ("#/addresses/1/postalCode", "addresses[1].postalCode", "postal-code"),
        ("#/addresses/1/country", "addresses[1].country", "addresses[].country.format"),
        ("#", "", "newsletter-email"),
    ]
    assert problem["errors"][1]["parameters"] == {"max": 80}
    assert problem["errors"][2]["parameters"] == {"format": "slug"}
    assert problem["errors"][4]["detail"] == "is not a postal code"
    assert all(e["detail"] for e in problem["errors"])


def test_no_value_by_default(server):
    body = json.dumps(BAD | {"email": "secret"}).encode()
    assert b"secret" not in server.exchange("/users", body, "application/json")[2]
    errors = server.post_user(BAD | {"email": "secret"}, 422, "?values=true")["errors"]
    assert errors[0]["value"] == '"secret"'
    assert errors[5]["value"] == '"Norway"'


def test_in_the_language_of_the_reader(server):
    english, russian = (
        server.post_user(BAD, 422, Accept_Language=language)["errors"][1]["detail"]
        for language in ("fr", "ru;q=0.9, en")
    )
    assert "80" in english and english.isascii()
    assert "80" in russian and re.search("[а-я]", russian)


@pytest.mark.parametrize(
    "change, expected",
    [
        (
            {"addresses": [{"street": "x", "country": "NO"}]},
            [("#/addresses/0/postalCode", "addresses[].postalCode.required", "Is missing")],
        ),
        ({"name": None}, [("#/name", "name.required", "Is missing")]),
        ({"tags": ["a", 7]}, [("#/tags/1", "tags[].format", "Is not of the type string")]),
        (
            {"newsletter": "yes", "email": None},
            [
                ("#/email", "email.required", "Is missing"),
                ("#/newsletter", "newsletter.type", "Is not of the type boolean"),
            ],
        ),
        ({"tags": "a"}, [
            ("#/tags", "tags.type", "Is not of the type array"), ("#/tags", "tags[].format", "Is not of the type array")
        ]),
    ],
)
def test_json_that_is_no_user(server, change, expected):
    errors = server.post_user(GOOD | change, 422)["errors"]
    assert [(error["pointer"], error["code"], error["detail"]) for error in errors] == expected


def test_invalid_requests(server):
    for body in (b"", b"{", b'{"email": secret}', b"\xff\xfe{}"):
        problem = server.problem("/users", body, 400, "application/json")
        assert "JSON" in problem["detail"] or "UTF-8" in problem["detail"]
        assert (problem["type"], problem["title"]) == ("about:blank", "Bad Request")
    server.problem("/users", json.dumps(GOOD).encode(), 415, "text/plain")
    server.problem("/users", b" " * 70_000, 413, "application/json")
    server.problem("/users", cut(b" " * 70_000, 1000), 413, "application/json")
    server.problem("/nothing", b"", 404)


# POST /clean


@pytest.mark.parametrize("size", [1, 997, 65_536, len(USERS)])
def test_an_upload_agrees_with_the_command(server, expected, size):
    outputs, trailer = expected
    # One byte at a time takes long, so that case has only the header and some rows.
    table = USERS if size > 1 else b"".join(USERS.splitlines(True)[:30])
    for output, media_type in {"clean": "text/csv", "rejects": "text/csv", "findings": "application/jsonl"}.items():
        with server.connect() as connection:
            upload = Upload(connection, f"/clean?output={output}")
            sender = threading.Thread(target=upload.send_all, args=[cut(table, size)])
            sender.start()
            status, fields = upload.head()
            assert (status, fields["Content-Type"]) == (200, media_type)
            assert fields["Trailer"] == ", ".join(trailer)
            content = b"".join(upload.chunks())
            sender.join()
        if size > 1:
            assert content == outputs[output] and upload.trailer == trailer
        else:
            assert upload.trailer["Assay-Records"] != "0"
            assert output != "clean" or content and outputs[output].startswith(content)
    server.wait_for_uploads(0)


def test_with_curl(server, expected, tmp_path):
    outputs, trailer = expected
    run = ["curl", "-sS", "--fail", "-T", ROOT / "Examples/users.csv", "-X", "POST", "-H", "Expect:", "-D",
           tmp_path / "fields"]
    done = subprocess.run([*run, f"http://127.0.0.1:{server.port}/clean"], capture_output=True, check=True)
    assert done.stdout == outputs["clean"]
    fields = dict(re.findall(r"(?m)^(Assay-\w+): (\d+)$", (tmp_path / "fields").read_text()))
    assert fields == trailer


def test_values_in_findings_only_on_request(server):
    def findings(query):
        content = server.exchange("/clean?output=findings" + query, USERS)[2]
        return [json.loads(line) for line in content.splitlines()]

    without, with_values = findings(""), findings("&values=true")
    assert len(without) == len(with_values) > 100
    assert not any("value" in finding for finding in without)
    assert all("value" in finding for finding in with_values)


@pytest.mark.parametrize(
    "table, details",
    [
        (b"", ["the upload is empty: a header was expected"]),
        (b"BZh91AY&SY" + bytes(100), ["the upload is bzip2 data, not CSV"]),
        (b"\x1f\x8b\x08\x00" + bytes(100), ["the upload is damaged at byte 0: gzip: the packed data is invalid"]),
        (USERS.replace(b"email,", b"emial,", 1), ["the upload: no column is named 'email'   did you mean 'emial'?"]),
        (b"a,b;c\n" * 100_000, ["the upload: the delimiter may be ',' or ';': each gives several columns"]),
    ],
)
def test_uploads_that_are_no_table(server, table, details):
    for body in (table, cut(table, 1000)):
        errors = server.problem("/clean", body, 422)["errors"]
        assert [error["detail"] for error in errors] == details


def test_a_packed_upload_is_unpacked_as_it_comes(server):
    packed = gzip.compress(USERS)
    assert server.exchange("/clean", cut(packed, 1000))[2] == server.exchange("/clean", USERS)[2]


def test_requests_that_cannot_be(server):
    assert "rejects or findings" in server.problem("/clean?output=all", USERS, 400)["detail"]
    server.problem("/clean", USERS, 415, Content_Encoding="gzip")
    server.wait_for_uploads(0)


def test_an_upload_that_is_too_large():
    with Server(MAX_UPLOAD_BYTES=100_000) as server:
        assert server.problem("/clean", USERS, 413)["detail"] == "an upload has at most 100000 bytes"
        # The error occurs after the response has begun, so the response must not appear complete.
        with server.connect() as connection:
            upload = Upload(connection)
            upload.send([USERS[:90_000]])
            assert upload.head()[0] == 200
            with contextlib.suppress(OSError):
                upload.send_all([USERS[90_000:]])
            with pytest.raises((EOFError, ConnectionResetError)):
                list(upload.chunks())
        server.wait_for_uploads(0)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table of 200 MiB: its rules, its header, a body, and the number of repetitions of the body."""
    directory = tmp_path_factory.mktemp("large")
    make_ten(directory / "ten.csv", 40_000)
    header, body = (directory / "ten.csv").read_bytes().split(b"\n", 1)
    rules = directory / "ten.rules.yaml"
    fields = "[{name: name, constraints: {pattern: '[^A].*'}}, {name: email, format: email}]"
    rules.write_text(f"fieldsMatch: subset\nfields: {fields}")
    return rules, header + b"\n", body, 200 * MIB // len(body) + 1


def test_a_large_upload_waits_for_its_reader(large, tmp_path):
    rules, header, body, times = large
    run = [os.environ["ASSAY"], "clean", "-", "--rules", rules, "--rejects", "none", "--quiet"]
    with open(tmp_path / "good.csv", "wb") as good:
        command = subprocess.Popen(run, stdin=subprocess.PIPE, stdout=good)
        command.stdin.write(header)
        for _ in range(times):
            command.stdin.write(body)
        command.stdin.close()
        assert command.wait() == 0

    with Server(rules) as server, server.connect() as connection:
        # Small buffers in the system, so that waiting data is in the server or unsent.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        before = server.memory("VmRSS")
        upload = Upload(connection)

        def pieces():
            yield header
            for _ in range(times):
                yield from cut(body, 1 << 16)

        sender = threading.Thread(target=upload.send_all, args=[pieces()], daemon=True)
        sender.start()
        assert upload.head()[0] == 200
        # The client does not read, so the upload must stop.
        sent = -1
        while sent != upload.sent:
            sent = upload.sent
            wait_until_asleep(server.process)
            time.sleep(1)
        assert sent < 24 * MIB, "the server read on although nothing was taken"
        halted = sent
        # Slowly at first, then at full speed.
        with open(tmp_path / "good.csv", "rb") as good:
            for number, chunk in enumerate(upload.chunks()):
                assert chunk == good.read(len(chunk))
                if number < 20:
                    time.sleep(0.1)
                    assert upload.sent < halted + (number + 2) * 2 * MIB
            assert good.read(1) == b""
        sender.join()
        assert upload.trailer["Assay-Records"] == str(body.count(b"\n") * times)
        assert int(upload.trailer["Assay-Rejected"]) > 1000
        assert upload.sent > 200 * MIB
        grown = server.memory() - before
        print(f"peak memory: {before / MIB:.0f} MiB before, {grown / MIB:.0f} MiB more; halted after "
              f"{halted / MIB:.1f} MiB")
        assert grown < 48 * MIB


def test_many_uploads_at_once(server, expected):
    outputs, trailer = expected

    def upload(number):
        output = list(outputs)[number % 3]
        with server.connect() as connection:
            upload = Upload(connection, f"/clean?output={output}")
            sender = threading.Thread(target=upload.send_all, args=[cut(USERS, 10_000 + 777 * number)])
            sender.start()
            assert upload.head()[0] == 200
            content = b"".join(upload.chunks())
            sender.join()
            return content == outputs[output] and upload.trailer == trailer

    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(upload, range(24)))
    server.wait_for_uploads(0)


def test_a_client_that_disconnects(server):
    header, rows = USERS.split(b"\n", 1)
    # During the upload, before and after the response has begun, and while the server waits for its reader.
    for part in (USERS[:1000], USERS[:100_000], header + b"\n" + rows * 20):
        with server.connect() as connection:
            upload = Upload(connection)
            threading.Thread(target=quietly, args=[upload.send, cut(part, 10_000)], daemon=True).start()
            server.wait_for_uploads(1)
            time.sleep(0.3)
            assert server.uploads() == 1
            connection.shutdown(socket.SHUT_RDWR)
        server.wait_for_uploads(0)


def quietly(function, *arguments):
    with contextlib.suppress(OSError):
        function(*arguments)


def test_an_interrupted_upload_is_not_complete(server):
    length = len(USERS) + 10
    for part in (USERS[:1000], USERS):
        with server.connect() as connection:
            connection.sendall(f"POST /clean HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode() + part)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.makefile("rb").read()
        assert b"Assay-Records:" not in answer and not answer.endswith(b"0\r\n\r\n"), answer[-200:]
    server.wait_for_uploads(0)


def test_no_more_uploads_than_there_are_places(expected):
    with Server(MAX_UPLOADS=1) as server, server.connect() as connection:
        upload = Upload(connection)
        upload.send([USERS[:100_000]])
        assert upload.head()[0] == 200
        assert server.problem("/clean", USERS, 503)["detail"] == "too many uploads under way"
        upload.send_all([USERS[100_000:]])
        assert b"".join(upload.chunks()) == expected[0]["clean"]
        server.wait_for_uploads(0)
        assert server.exchange("/clean", USERS)[0] == 200


def test_a_client_that_never_reads():
    with Server(IDLE_SECONDS=2) as server, server.connect() as connection:
        upload = Upload(connection)
        rows = USERS.split(b"\n", 1)[1]
        with pytest.raises(OSError):
            upload.send_all([USERS[: len(USERS) - len(rows)]] + [rows] * 100)
        server.wait_for_uploads(0)
