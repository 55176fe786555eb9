"""GraphMeta over plain HTTP, as AWS Graph Explorer and scripts use it. PORT and GRAPHMETA_TOKEN come from the environment."""

import base64
import json
import os
import unittest
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = "http://localhost:%s/gremlin" % os.environ["PORT"]
BASIC = base64.b64encode(b"token:" + os.environ["GRAPHMETA_TOKEN"].encode()).decode()
LOG_IN = {"Authorization": "Basic " + BASIC}
TYPED = "application/vnd.gremlin-v3.0+json"
UNTYPED = "application/vnd.gremlin-v3.0+json;types=false"
CONFIG = "/proj/hx01/config/model.cfg"


def plain(value):
    """GraphSON 3 without its types."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "@type" not in value:
        return {key: plain(each) for key, each in value.items()}
    inner = plain(value.get("@value"))
    if value["@type"] == "g:Map":
        keys = [json.dumps(key) if isinstance(key, dict) else key for key in inner[0::2]]
        return dict(zip(keys, inner[1::2]))
    return inner


class HttpTest(unittest.TestCase):
    def post(self, gremlin, accept=TYPED, **more):
        body = json.dumps(dict(gremlin=gremlin, **more)).encode()
        headers = {"Content-Type": "application/json", "Accept": accept, **LOG_IN}
        request = urllib.request.Request(URL, body, headers)
        with urllib.request.urlopen(request) as response:
            return response.headers["Content-Type"], json.load(response)

    def explore(self, gremlin):
        """As Graph Explorer asks: with an id of the query beside it, for typed GraphSON 3."""
        kind, answer = self.post(gremlin, queryId=str(uuid.uuid4()))
        self.assertTrue(kind.startswith(TYPED), kind)
        self.assertEqual(200, answer["status"]["code"])
        self.assertEqual("g:List", answer["result"]["data"]["@type"])
        return plain(answer["result"]["data"])

    def test_session_goes_on_elsewhere(self):
        """A token a little ahead tells whether it was heeded: without it the server would read below."""

        def ask(gremlin, **headers):
            body = json.dumps({"gremlin": gremlin}).encode()
            head = {"Content-Type": "application/json", **LOG_IN, **headers}
            with urllib.request.urlopen(urllib.request.Request(URL, body, head)) as response:
                json.load(response)
                return response.headers["GraphMeta-Session"]

        written = ask("g.addV('note').property(id, 'session:http')")
        self.assertGreaterEqual(ask("g.V('session:http').count()"), written)
        ahead = "%016x" % (int(written, 16) + (200_000 << 10))
        self.assertGreaterEqual(ask("g.V().limit(1).count()", **{"GraphMeta-Session": ahead}), ahead)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            ask("g.V().count()", **{"GraphMeta-Session": "2026-11-21"})
        self.assertEqual(400, refused.exception.code)
        self.assertIn("is not a session token", refused.exception.read().decode())
        ask("g.V('session:http').drop()")

    def test_the_labels_and_how_many_there_are(self):
        counts = self.explore("g.V().groupCount().by(label)")[0]
        self.assertEqual(79, counts["job"])
        self.assertEqual(3, counts["user"])

    def test_one_example_of_each_label(self):
        example = self.explore(
            'g.V().union(__.hasLabel("job").limit(1), __.hasLabel("user").limit(1)).fold()'
            '.project("job", "user").by(unfold().hasLabel("job")).by(unfold().hasLabel("user"))'
        )[0]
        self.assertEqual("job", example["job"]["label"])
        self.assertIn("name", example["user"]["properties"])

    def test_which_labels_are_joined(self):
        joined = self.explore(
            "g.E().groupCount().by(project('from', 'edge', 'to')"
            ".by(outV().label()).by(label()).by(inV().label()))"
        )[0]
        key = json.dumps({"from": "user", "edge": "ran", "to": "job"})
        self.assertEqual(79, joined[key])

    def test_neighbours_with_their_edges(self):
        found = self.explore(
            'g.V("%s").as("from").both().hasLabel("process").and(has("commandLine", containing("tune")))'
            '.dedup().range(0, 10).as("to").project("vertex", "edges").by()'
            '.by(__.select("from").bothE().where(otherV().where(eq("to"))).dedup().fold())' % CONFIG
        )
        self.assertGreaterEqual(len(found), 2)
        for each in found:
            self.assertEqual("process", each["vertex"]["label"])
            self.assertTrue(each["edges"])

    def test_how_many_neighbours_of_each_label(self):
        counts = self.explore(
            'g.V("%s").group().by(id).by(both().dedup().groupCount().by(label))' % CONFIG
        )[0]
        self.assertGreater(counts[CONFIG]["process"], 40)

    def test_search(self):
        found = self.explore(
            'g.V().hasLabel("file").or(has(id, containing("model.cfg")),'
            'has("name", containing("model.cfg"))).range(0, 10)'
        )
        self.assertIn(CONFIG, [vertex["id"] for vertex in found])

    def test_the_past_by_both_ways_to_ask(self):
        query = "g.with('asOf', '2026-11-21T00:35:25Z').V().hasLabel(x).count()"
        _, answer = self.post(query, UNTYPED, bindings={"x": "job"})
        self.assertEqual([18], answer["result"]["data"])
        url = URL + "?" + urllib.parse.urlencode({"gremlin": "g.V().hasLabel('job').count()"})
        with urllib.request.urlopen(urllib.request.Request(url, headers=LOG_IN)) as response:
            self.assertEqual([79], plain(json.load(response)["result"]["data"]))

    def test_get_only_reads_and_nobody_comes_in_without_the_token(self):
        url = URL + "?" + urllib.parse.urlencode({"gremlin": "g.addV('note').property(id, 'http:2')"})
        for headers, status in [(LOG_IN, 403), ({}, 401), ({"Authorization": "Basic eDp5"}, 401)]:
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(urllib.request.Request(url, headers=headers))
            self.assertEqual(status, refused.exception.code)
        self.assertEqual([0], self.explore("g.V('http:2').count()"))

    def test_a_write_is_committed(self):
        self.post("g.addV('note').property(id, 'http:1')")
        self.assertEqual(["http:1"], self.explore("g.V('http:1').id()"))
        self.post("g.V('http:1').drop()")
        self.assertEqual([0], self.explore("g.V('http:1').count()"))

    def test_errors_have_a_status_and_say_why(self):
        for gremlin, part in [
            ("g.V(", "g.V("),
            ("g.with('asof', 1).V()", "asof"),
            ("System.exit(1)", "System"),
            ("g.io('/tmp/graph.xml').write()", "io"),
        ]:
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.post(gremlin)
            self.assertGreaterEqual(refused.exception.code, 400)
            self.assertIn(part, json.load(refused.exception)["message"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
