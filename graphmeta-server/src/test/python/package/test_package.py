"""The package graphmeta against a server with the sample campaign, which GRAPHMETA_CONNECT names.

GRAPHMETA_COMMAND is bin/graphmeta of the distribution, GRAPHMETA_DOCS the directory of the documentation.
"""

import asyncio
import concurrent.futures.thread
import os
import random
import re
import subprocess
import tempfile
import threading
import unittest
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timezone
from pathlib import Path

import graphmeta
from graphmeta import wire
from graphmeta.answers import TABLE_ROWS, Answer, Lineage
from graphmeta.picture import ELEMENTS
from graphmeta.text import shortened

SUMMARY = "/scratch/amira/sweepC/summary.txt"
CONFIG = "/proj/hx01/config/model.cfg"
MOMENT = datetime(2026, 11, 21, 0, 35, 30, tzinfo=timezone.utc)
SEED = int(os.environ.get("GRAPHMETA_SEED", random.SystemRandom().randrange(2**31)))
DRAWN = {"svg", "rect", "text", "title", "path"}
HOSTILE = [
    "</title><script>alert(1)</script>",
    '" onload="alert(1)',
    "<img src=x onerror=alert(1)>&amp;&#60;",
    "]]><!--",
    "\x00\x07\x1b[31m\x7f\x9b\ufffe\uffff",
    "\udcff\ud800",
    "abc\u202egnp.exe\u2066\u200f",
    "a\u0301" * 300,
    "\u4f60" * 300,
    "",
]


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph = graphmeta.connect()

    @classmethod
    def tearDownClass(cls):
        cls.graph.close()

    def test_times_are_text_dates_and_milliseconds(self):
        millis = int(MOMENT.timestamp() * 1000)
        for time in ["2026-11-21T00:35:30Z", MOMENT, millis]:
            self.assertEqual(1, len(self.graph.history(CONFIG, as_of=time)), time)
            self.assertEqual(1, len(self.graph.history(CONFIG, until=time)), time)
        with self.assertRaisesRegex(ValueError, "no time zone"):
            self.graph.history(CONFIG, as_of=datetime(2026, 11, 21))
        with self.assertRaises(graphmeta.RequestError):
            self.graph.history(CONFIG, known_at="1999-01-01T00:00:00Z")

    def test_a_limit_marks_the_answer(self):
        whole = self.graph.lineage(SUMMARY)
        self.assertFalse(whole.partial)
        part = self.graph.lineage(SUMMARY, limit=5)
        self.assertTrue(part.partial)
        self.assertEqual(5, len(part))
        self.assertIn("partial", repr(part))
        self.assertIn("partial", part._repr_html_())
        self.assertTrue(part.to_networkx().graph["partial"])
        self.assertFalse(self.graph.history(CONFIG).partial)
        self.assertTrue(self.graph.history(CONFIG, limit=1).partial)

    def test_graphs_have_the_links_of_the_rows(self):
        lineage = self.graph.lineage(SUMMARY, labels=["file", "process"])
        network = lineage.to_networkx()
        links = sorted((row["index"], link["to"], link["relation"]) for row in lineage for link in row.get("links", []))
        self.assertEqual(links, sorted(network.edges(keys=True)))
        self.assertEqual([row["id"] for row in lineage], [network.nodes[row["index"]]["id"] for row in lineage])
        self.assertGreater(len(links), 20)

    def test_tables_have_the_fields_of_the_rows(self):
        for answer in [self.graph.lineage(SUMMARY), self.graph.history(CONFIG, reads=True), self.graph.diff("job:184275", "job:184317")]:
            table = answer.to_pandas()
            self.assertEqual({field for row in answer for field in row}, set(table.columns))
            self.assertEqual([row.get("id") for row in answer], [None if value != value else value for value in table["id"]])
        self.assertEqual("UTC", str(self.graph.history(CONFIG).to_pandas()["valid"].dt.tz))
        self.assertEqual(0, len(self.graph.history("/home/bjorn/tune.py").to_pandas()))

    def test_within_an_event_loop_as_in_a_notebook(self):
        async def ask():
            with graphmeta.connect() as graph:
                return len(graph.lineage(SUMMARY)), graph.g.V(CONFIG).count().next()

        self.assertEqual((len(self.graph.lineage(SUMMARY)), 1), asyncio.run(ask()))

    def test_the_collector_of_garbage_starts_no_thread(self):
        """It can come while this thread holds the lock that starting one needs."""

        async def collect():
            transport = wire._Transport()
            with concurrent.futures.thread._global_shutdown_lock:
                transport.__del__()
            transport.close()

        thread = threading.Thread(target=lambda: asyncio.run(collect()), daemon=True)
        thread.start()
        thread.join(20)
        self.assertFalse(thread.is_alive())

    def test_by_many_threads(self):
        expected = list(self.graph.lineage(SUMMARY))
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(list(self.graph.lineage(SUMMARY)))) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual([expected] * 16, answers)

    def test_errors_say_what_the_server_says(self):
        with self.assertRaisesRegex(graphmeta.RequestError, "depht.*unknown") as raised:
            self.graph.call("graphmeta.lineage", id=SUMMARY, depht=3)
        self.assertEqual(499, raised.exception.status)
        with self.assertRaisesRegex(graphmeta.RequestError, "Nothing with the id '/nothing'"):
            self.graph.lineage("/nothing")
        with self.assertRaisesRegex(graphmeta.ConnectError, "does not let the token in"):
            graphmeta.connect(token="wrong")
        with self.assertRaisesRegex(graphmeta.ConnectError, "does not let x in"):
            graphmeta.connect(user="x", password="y")
        with self.assertRaisesRegex(graphmeta.ConnectError, "localhost:1 .*graphmeta server"):
            graphmeta.connect("localhost:1")
        with self.assertRaises(graphmeta.ConnectError):
            graphmeta.connect(tls=True)
        for address in [":", "localhost:", "localhost:x", "localhost:70000"]:
            with self.assertRaisesRegex(ValueError, "is no address"):
                graphmeta.connect(address)

    def test_questions_never_write(self):
        before = self.graph.g.V().count().next()
        with self.assertRaises(graphmeta.RequestError):
            self.graph.call("graphmeta.nothing")
        self.assertEqual(before, self.graph.g.V().count().next())

    def test_the_token_is_taken_only_where_it_is_safe(self):
        address = os.environ["GRAPHMETA_CONNECT"]
        with tempfile.TemporaryDirectory() as home:
            found = next(Path(os.environ["HOME"], ".graphmeta").glob(f"*-{address.rpartition(':')[2]}.token"))
            copy = Path(home, ".graphmeta", found.name)
            copy.parent.mkdir()
            copy.write_text(found.read_text())
            own = os.environ["HOME"]
            os.environ["HOME"] = home
            try:
                copy.chmod(0o644)
                with self.assertRaisesRegex(graphmeta.ConnectError, "set its mode to 600"):
                    graphmeta.connect()
                copy.chmod(0o600)
                graphmeta.connect().close()
                copy.unlink()
                with self.assertRaisesRegex(graphmeta.ConnectError, "asks for a log-in"):
                    graphmeta.connect()
            finally:
                os.environ["HOME"] = own

    def test_load_is_that_of_the_command_line(self):
        with self.assertRaisesRegex(graphmeta.LoadError, "No command 'no-such-command'"):
            self.graph.load("darshan", "/logs", command="no-such-command")
        command = os.environ["GRAPHMETA_COMMAND"]
        sample = Path(command).parent.parent / "sample/campaign"
        with self.assertRaises(graphmeta.LoadError) as raised:
            self.graph.load("darshan", sample / "nothing", command=command)
        self.assertIn("graphmeta", str(raised.exception))
        options = subprocess.run([command, "load", "darshan", "--help"], capture_output=True, text=True, check=True)
        if "--connect" not in options.stdout:
            self.skipTest("the command line loads into a directory only")
        summary = self.graph.load("sacct", sample / "sacct.txt", command=command)
        self.assertEqual((0, 79, 0), (summary["loaded"], summary["unchanged"], summary["failed"]))


class PictureTest(unittest.TestCase):
    def test_whatever_names_there_are(self):
        names = random.Random(SEED)
        for round_ in range(200):
            rows = [random_row(names, index) for index in range(names.randrange(1, 30))]
            lineage = Lineage(names.choice(HOSTILE), rows)
            check(self, lineage.svg(), f"seed {SEED}, round {round_}")
            check(self, f"<div>{lineage._repr_html_()}</div>", f"seed {SEED}, round {round_}", {"div", "p"} | DRAWN)
            table = Answer(names.choice(HOSTILE), rows)._repr_html_()
            check(self, f"<div>{table}</div>", f"seed {SEED}", {"div", "p", "table", "thead", "tbody", "tr", "th", "td"})

    def test_has_a_limit(self):
        rows = [{"index": i, "id": f"/f{i}", "label": "file", "depth": i % 7} for i in range(ELEMENTS * 3)]
        lineage = Lineage("all", rows)
        self.assertEqual(ELEMENTS + 1, lineage.svg().count("<svg "))
        self.assertIn(f"the {ELEMENTS} nearest are drawn", lineage._repr_html_())
        self.assertEqual(TABLE_ROWS + 1, Answer("all", rows)._repr_html_().count("<tr>"))

    def test_of_nothing(self):
        check(self, Lineage("nothing", []).svg(), "of nothing")


class TextTest(unittest.TestCase):
    def test_shortened_text_fits_and_is_as_long_as_it_can_be(self):
        columns = lambda text: sum(2 if letter in "日本" else 1 for letter in text)  # noqa: E731
        drawn = random.Random(1)
        for _ in range(5_000):
            text = "".join(drawn.choice("ab日本") for _ in range(drawn.randint(0, 12)))
            most, keep_end = drawn.randint(1, 10), drawn.random() < 0.5
            short = shortened(text, most, keep_end)
            if columns(text) <= most:
                self.assertEqual(short, text)
                continue
            self.assertIn(columns(short), (most, most - 1), (text, most))
            left = short.strip("…")
            self.assertTrue(text.endswith(left) if keep_end else text.startswith(left), (text, short))


class RowsTest(unittest.TestCase):
    def test_fields_are_those_of_the_reference(self):
        page = Path(os.environ["GRAPHMETA_DOCS"], "reference/services.md").read_text(encoding="utf-8")
        for service, rows in [
            ("lineage", graphmeta.LineageRow),
            ("history", graphmeta.HistoryRow),
            ("diff", graphmeta.DiffRow),
        ]:
            section = page.split(f"\n## graphmeta.{service}\n")[1].split("\n## ")[0]
            fields = set()
            for table in re.findall(r"\| Key \|.*\n\|[ -|]+\n((?:\|.*\n)+)", section):
                for line in table.splitlines():
                    fields.update(re.findall(r"`(\w+)`", line.split("|")[1]))
            self.assertEqual(fields | {"partial"}, set(rows.__annotations__), service)


def random_row(names, index):
    row = {
        "index": index,
        "id": names.choice(HOSTILE) + names.choice(["", "/a/b c.dat"]),
        "label": names.choice(["file", "process", "job", names.choice(HOSTILE)]),
        "depth": names.randrange(6),
    }
    for field in ["version", "description", "fate", "writer"]:
        if names.random() < 0.7:
            row[field] = names.choice(HOSTILE)
    if names.random() < 0.3:
        row["doubts"] = [names.choice(HOSTILE)]
    row["links"] = [{"relation": names.choice(HOSTILE), "to": names.randrange(40)} for _ in range(names.randrange(4))]
    return row


def check(test, text, what, known=DRAWN):
    """It is XML of known elements, without anything that a page could act on."""
    text.encode("utf-8")
    for element in ElementTree.fromstring(text).iter():
        test.assertIn(element.tag.rpartition("}")[2], known, what)
        for name in element.attrib:
            test.assertFalse(name.startswith("on") or "href" in name, what)
    test.assertNotIn("\u202e", text, what)


if __name__ == "__main__":
    print("seed", SEED)
    unittest.main(verbosity=1)
