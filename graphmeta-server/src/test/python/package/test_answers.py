"""Random questions, asked by the package and by the command line with --json: the answers are the same.

The server, which GRAPHMETA_CONNECT names, has the sample campaign. GRAPHMETA_SEED is the seed, GRAPHMETA_QUESTIONS how many.
"""

import json
import os
import random
import re
import subprocess
import unittest
from datetime import datetime, timedelta, timezone

import graphmeta

SEED = int(os.environ.get("GRAPHMETA_SEED", random.SystemRandom().randrange(2**31)))
QUESTIONS = int(os.environ.get("GRAPHMETA_QUESTIONS", 36))
BEGIN = datetime(2026, 11, 21, 0, 33, 30, tzinfo=timezone.utc)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def plain(value):
    """With times, as dates or as text, as one kind of thing."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain(inner) for inner in value]
    if isinstance(value, str) and TIME.fullmatch(value):
        value = datetime.fromisoformat(value.replace("Z", "+00:00"))
    if isinstance(value, datetime):
        return f"{value.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%S.%f}"
    return value


class Questions:
    """Draws a question: words for the command line, and how the package is asked the same."""

    def __init__(self, graph):
        self.draw = random.Random(SEED)
        ids = {label: sorted(graph.g.V().has_label(label).id_().to_list()) for label in ["job", "process"]}
        self.jobs, self.processes = ids["job"], ids["process"]
        self.files = sorted(graph.g.V().has_label("process").out("wrote").dedup().id_().to_list())

    def time(self):
        moment = BEGIN + timedelta(microseconds=self.draw.randrange(330_000_000))
        return f"{moment:%Y-%m-%dT%H:%M:%S.%fZ}"

    def some(self, given):
        """Some of the options, each a pair of its word and its name in Python, with its value."""
        words, named = [], {}
        for word, name, value in given:
            if self.draw.random() < 0.4:
                words += [word] if value is True else [word, str(value)]
                named[name] = value
        return words, named

    def view(self):
        known = "2026-01-01T00:00:00Z" if self.draw.random() < 0.1 else f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
        return [("--as-of", "as_of", self.time()), ("--known-at", "known_at", known)]

    def bounds(self):
        return [("--depth", "depth", self.draw.randrange(12)), ("--limit", "limit", self.draw.randrange(1, 60))]

    def lineage(self):
        start = self.draw.choice(self.draw.choice([self.files, self.files, self.jobs, self.processes, ["/nothing"]]))
        if self.draw.random() < 0.4:
            words, named = self.some(self.bounds())
            at = self.time()
            return ["lineage", start, "--forward", "--as-of", at, *words], dict(direction="forward", at=at, **named)
        words, named = self.some(self.bounds() + self.view())
        return ["lineage", start, *words], named

    def impact(self):
        words, named = self.some(self.bounds() + self.view()[1:] + [("--at", "at", self.time())])
        return ["impact", self.draw.choice(self.files), *words], named

    def history(self):
        start = self.draw.choice(self.draw.choice([self.files, self.files, self.jobs, self.processes]))
        windows = [("--since", "since", self.time()), ("--until", "until", self.time()), ("--reads", "reads", True)]
        words, named = self.some(windows + self.view())
        return ["history", start, *words], named

    def diff(self):
        words, named = self.some([("--lineage", "lineage", True)] + self.view())
        if self.draw.random() < 0.5:
            ids = self.draw.sample(self.files, self.draw.randrange(1, 4))
            return ["diff", *ids, "--from", self.time(), *words], dict(named, ids=ids)
        return ["diff", *self.draw.sample(self.draw.choice([self.jobs, self.processes]), 2), *words], named

    def next(self, number):
        return [self.lineage, self.impact, self.history, self.diff][number % 4]()


def asked(graph, words, named):
    """The answer of the package: its rows, or what it raises."""
    kind, *rest = words
    try:
        if kind != "diff":
            return [plain(row) for row in getattr(graph, kind)(rest[0], **named)]
        if "ids" in named:
            return [plain(row) for row in graph.diff(from_=rest[rest.index("--from") + 1], **named)]
        return [plain(row) for row in graph.diff(rest[0], rest[1], **named)]
    except graphmeta.RequestError as e:
        return without_now(str(e))


def without_now(message):
    """Without the time of the question, which some messages have."""
    return TIME.sub("T", message)


class AnswersTest(unittest.TestCase):
    def test_the_command_line_gives_the_same(self):
        kinds = {"refused": 0, "empty": 0, "partial": 0, "whole": 0}
        with graphmeta.connect() as graph:
            questions = Questions(graph)
            for number in range(QUESTIONS):
                words, named = questions.next(number)
                what = f"seed {SEED}, question {number}: {' '.join(words)}"
                line = [os.environ["GRAPHMETA_COMMAND"], *words, "--json"]
                done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False)
                answer = asked(graph, words, named)
                if done.returncode == 0:
                    expected = [plain(json.loads(row)) for row in done.stdout.splitlines()]
                else:
                    expected = without_now(done.stderr.strip().removeprefix("graphmeta: "))
                self.assertEqual(expected, answer, what)
                kinds[kind_of(answer)] += 1
        print(f"seed {SEED}: {QUESTIONS} questions: {kinds}")
        self.assertGreater(kinds["whole"], QUESTIONS / 4, kinds)


def kind_of(answer):
    if isinstance(answer, str):
        return "refused"
    if not answer:
        return "empty"
    return "partial" if answer[-1].get("partial") else "whole"


if __name__ == "__main__":
    unittest.main(verbosity=1)
