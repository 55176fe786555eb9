"""GraphMeta through gremlinpython. PORT and GRAPHMETA_TOKEN come from the environment."""

import logging
import os
import unittest
import uuid
from datetime import datetime, timedelta, timezone

from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from gremlin_python.process.traversal import P, T
from gremlin_python.statics import bigint, long

logging.disable(logging.CRITICAL)  # errors that are expected would be printed

URL = "ws://localhost:%s/gremlin" % os.environ["PORT"]
LOG_IN = {"username": "token", "password": os.environ["GRAPHMETA_TOKEN"]}
CONFIG = "/proj/hx01/config/model.cfg"
FIGURE = "/scratch/amira/sweep1/figure.svg"
MOMENT = datetime(2026, 11, 21, 0, 35, 25, tzinfo=timezone.utc)
SERVICES = [
    "graphmeta." + name
    for name in ["backup", "check", "diff", "history", "impact", "index", "lineage", "load", "placement", "search", "session", "status", "top"]
]


class DriverTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.connection = DriverRemoteConnection(URL, "g", **LOG_IN)
        cls.g = traversal().with_remote(cls.connection)

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()

    def refused(self, *parts):
        """Expects an error of the server whose message has all these parts."""
        test = self

        class Expectation:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                test.assertIsInstance(error, GremlinServerError)
                for part in parts:
                    test.assertIn(part, str(error))
                return True

        return Expectation()

    def test_session_goes_on_elsewhere(self):
        """A token a little ahead tells whether it was heeded: without it the server would read below."""
        client = Client(URL, "g", **LOG_IN)
        try:
            added = client.submit("g.addV('note').property(id, 'session:py').id()")
            self.assertEqual(["session:py"], added.all().result())
            written = added.status_attributes["graphmeta.session"]
        finally:
            client.close()
        self.assertGreaterEqual(self.g.call("graphmeta.session").next(), written)
        ahead = "%016x" % (int(written, 16) + (200_000 << 10))
        there = self.g.with_("graphmeta.session", ahead)
        self.assertGreaterEqual(there.call("graphmeta.session").next(), ahead)
        self.assertEqual(1, there.V("session:py").count().next())
        with self.refused("graphmeta.session", "is not a session token"):
            self.g.with_("graphmeta.session", "2026-11-21").V().next()
        self.g.V("session:py").drop().iterate()

    def test_example(self):
        port = os.environ["PORT"]
        # [example]
        connection = DriverRemoteConnection(
            f"ws://localhost:{port}/gremlin", "g",
            username="token", password=os.environ["GRAPHMETA_TOKEN"])
        g = traversal().with_remote(connection)

        now = g.V().has_label("job").count().next()
        moment = datetime(2026, 11, 21, 0, 35, 25, tzinfo=timezone.utc)
        then = g.with_("asOf", moment).V().has_label("job").count().next()
        known = g.with_("knownAt", "2026-11-01T00:00:00Z").V().count().next()
        # [end]
        self.assertEqual((79, 18, 0), (now, then, known))
        connection.close()

    def test_read(self):
        counts = self.g.V().group_count().by(T.label).next()
        self.assertEqual(79, counts["job"])
        self.assertEqual(233, counts["process"])
        job = self.g.V("job:184268").element_map("name", "state").next()
        self.assertEqual("sw1_k0.064_r3", job["name"])
        self.assertEqual("job:184268", job[T.id])
        path = self.g.V(CONFIG).in_("wrote").in_("contains").dedup().path().next()
        self.assertEqual([CONFIG], path.objects[0:1] and [path.objects[0].id])

    def test_search(self):
        """Loaded a moment ago, and searched without a word about indexes."""
        found = self.g.call("graphmeta.search", {"query": "model cfg", "label": "file"})
        self.assertIn(CONFIG, [vertex.id for vertex in found.to_list()])
        pending = {"query": "state:PENDING", "label": "job", "sort": "id", "limit": 1000}
        past = self.g.with_("asOf", MOMENT)
        there = [vertex.id for vertex in past.call("graphmeta.search", pending).to_list()]
        self.assertIn("job:184268", there)
        self.assertEqual(sorted(past.V().has("job", "state", "PENDING").id_().to_list()), sorted(there))
        states = {"query": "state:COMPLETED OR state:FAILED", "facet": "state"}
        for counted in self.g.call("graphmeta.search", states).to_list():
            count = self.g.V().has("job", "state", counted["value"]).count().next()
            self.assertEqual(count, counted["count"], counted)
        with self.refused("(model", "cannot be read"):
            self.g.call("graphmeta.search", {"query": "(model"}).to_list()

    def test_as_of(self):
        millis = long(MOMENT.timestamp() * 1000)
        for time in [MOMENT, "2026-11-21T00:35:25Z", "2026-11-21T01:35:25+01:00", millis]:
            source = self.g.with_("asOf", time)
            self.assertEqual(18, source.V().has_label("job").count().next(), time)
            self.assertEqual("PENDING", source.V("job:184268").values("state").next(), time)
        self.assertEqual("COMPLETED", self.g.V("job:184268").values("state").next())

    def test_known_at(self):
        before = datetime(2026, 11, 1, tzinfo=timezone.utc)
        for time in [before, "2026-11-01T00:00:00Z", long(before.timestamp() * 1000)]:
            self.assertEqual(0, self.g.with_("knownAt", time).V().count().next(), time)
        tomorrow = datetime.now(timezone.utc) + timedelta(days=1)
        with self.refused("asOf", "noon"):
            self.g.with_("asOf", "noon").V().next()
        with self.refused("ahead of the clock"):
            self.g.with_("knownAt", tomorrow).V().has_label("job").count().next()
            self.fail("told what will be known")

    def test_write_each_by_itself(self):
        self.g.add_v("note").property(T.id, "py:1").property("text", "a").iterate()
        self.g.add_v("note").property(T.id, "py:2").property("text", "b").iterate()
        self.g.V("py:1").add_e("about").to(__.V("py:2")).property("weight", 0.5).iterate()
        self.g.V("py:1").property("text", "changed").iterate()
        self.assertEqual("changed", self.g.V("py:1").values("text").next())
        self.assertEqual(0.5, self.g.V("py:1").out_e("about").values("weight").next())
        self.g.V("py:1", "py:2").drop().iterate()
        self.assertEqual(0, self.g.V("py:1", "py:2").count().next())

    def test_transactions(self):
        transaction = self.g.tx()
        source = transaction.begin()
        source.add_v("note").property(T.id, "py:tx1").iterate()
        self.assertTrue(source.V("py:tx1").has_next())
        self.assertFalse(self.g.V("py:tx1").has_next())
        transaction.commit().all().result()
        self.assertTrue(self.g.V("py:tx1").has_next())

        transaction = self.g.tx()
        source = transaction.begin()
        source.add_v("note").property(T.id, "py:tx2").iterate()
        source.V("py:tx1").drop().iterate()
        transaction.rollback().all().result()
        self.assertFalse(self.g.V("py:tx2").has_next())
        self.assertTrue(self.g.V("py:tx1").has_next())
        self.g.V("py:tx1").drop().iterate()

    def test_the_loser_of_a_conflict_learns_of_it_from_the_result(self):
        self.g.add_v("note").property(T.id, "py:hot").property("n", 0).iterate()
        first, second = self.g.tx(), self.g.tx()
        one, two = first.begin(), second.begin()
        one.V("py:hot").property("n", 1).iterate()
        two.V("py:hot").property("n", 2).iterate()
        first.commit().all().result()
        answer = second.commit()  # raises nothing, whatever comes of it
        with self.refused("n"):
            answer.all().result()
            self.fail("both committed")
        self.assertEqual(1, self.g.V("py:hot").values("n").next())
        self.g.V("py:hot").drop().iterate()

    def test_ids(self):
        given = {
            "text": ("py:id", "py:id"),
            "path": ("/py/a b/ü.dat", "/py/a b/ü.dat"),
            "int": (4711, 4711),
            "long": (long(4711000000000), 4711000000000),
            "beyond 2^53": (long(9007199254740993), "9007199254740993"),
            "uuid": (uuid.UUID(int=7), uuid.UUID(int=7)),
        }
        for kind, (identity, seen) in given.items():
            created = self.g.add_v("note").property(T.id, identity).next()
            self.assertEqual(seen, created.id, kind)
            self.assertEqual(seen, self.g.V(identity).id_().next(), kind)
            self.assertEqual(seen, self.g.V(str(identity)).id_().next(), kind)
            self.assertEqual(1, self.g.V().has_id(identity).count().next(), kind)
        generated = self.g.add_v("note").property("text", "x").next()
        self.assertEqual(generated.id, self.g.V(generated.id).id_().next())
        edge = self.g.V("py:id").add_e("about").to(__.V(generated.id)).next()
        self.assertEqual(edge.id, self.g.E(edge.id).id_().next())
        prop = self.g.V(generated.id).properties("text").next()
        self.assertEqual(prop.id, self.g.V(generated.id).properties("text").id_().next())
        self.g.V().has_label("note").drop().iterate()

    def test_values(self):
        values = {
            "boolean": True,
            "int": -7,
            "long": long(9007199254740993),
            "big": bigint(2**70),
            "double": 0.1,
            "text": "naïve\n\u4f60",
            "uuid": uuid.UUID(int=9),
            "date": MOMENT,
            "list": [1, "a", 2.5],
            "set": {"a", "b"},
            "map": {"a": 1, "b": [1, 2]},
        }
        creation = self.g.add_v("note").property(T.id, "py:values")
        for key, value in values.items():
            creation = creation.property(key, value)
        creation.iterate()
        read = self.g.V("py:values").element_map().next()
        if read["date"].tzinfo is None:  # gremlinpython 3.7 reads dates without their zone
            read["date"] = read["date"].replace(tzinfo=timezone.utc)
        for key, value in values.items():
            self.assertEqual(value, read[key], key)
        self.g.V("py:values").drop().iterate()

    def test_large_result(self):
        self.assertEqual(
            50_000, len(self.g.V().limit(50).V().limit(50_000).id_().to_list())
        )

    def test_services(self):
        listed = self.g.call("--list").to_list()
        self.assertEqual(SERVICES, sorted(name for name in listed if name.startswith("graphmeta.")))
        self.assertEqual(110, len(self.g.call("graphmeta.lineage", {"id": FIGURE}).to_list()))
        past = self.g.with_("asOf", "2026-11-21T00:35:30Z")
        self.assertEqual(1, len(past.call("graphmeta.history").with_("id", CONFIG).to_list()))
        history = self.g.call("graphmeta.history").with_("id", CONFIG).to_list()
        self.assertEqual(["wrote", "wrote"], [change["operation"] for change in history])
        affected = {"id": CONFIG, "at": "2026-11-21T00:35:26Z"}
        self.assertEqual(59, len(self.g.call("graphmeta.impact", affected).to_list()))
        runs = {"a": "job:184268", "b": "job:184267"}
        self.assertEqual(15, len(self.g.call("graphmeta.diff", runs).to_list()))
        placed = self.g.call("graphmeta.placement").with_("ids", CONFIG).to_list()
        self.assertEqual([[0]], [[part["entries"] for part in vertex["out"]] for vertex in placed])
        with self.refused("graphmeta.lineage", "depht"):
            self.g.call("graphmeta.lineage", {"id": FIGURE, "depht": 3}).to_list()

    def test_errors(self):
        with self.refused("AddVertex", "past"):
            self.g.with_("asOf", MOMENT).add_v("note").property(T.id, "note:nowhere").iterate()
            self.fail("written into the past")
        with self.refused("asof"):
            self.g.with_("asof", MOMENT).V().next()
        with self.refused("job:184268"):
            self.g.add_v("note").property(T.id, "job:184268").iterate()
        self.assertEqual(79, self.g.V().has_label("job").count().next())

    def test_scripts(self):
        client = Client(URL, "g", **LOG_IN)
        try:
            count = client.submit("g.V().hasLabel(x).count()", {"x": "job"}).all().result()
            self.assertEqual([79], count)
            with self.refused("gremlin"):
                client.submit("System.exit(1)").all().result()
        finally:
            client.close()


if __name__ == "__main__":
    unittest.main(verbosity=1)
