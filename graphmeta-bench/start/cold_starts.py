#!/usr/bin/env python3
"""Times commands of several distributions, each time in a new process, in turn.

    cold_starts.py --runs 20 --db DIR NAME=LAUNCHER [NAME=LAUNCHER ...]

DIR is a database of the sample campaign ("graphmeta demo --db DIR"); LAUNCHER is bin/graphmeta of a distribution.
Prints a table in Markdown: seconds by the clock, median and worst, and of processors, median.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time

FIGURE = "/scratch/amira/sweep1/figure.svg"
COMMANDS = {
    "query": ["query", "g.V().hasLabel('job').count()"],
    "lineage": ["lineage", FIGURE],
}


def run(launcher, words, environment):
    """Seconds by the clock and of processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run([launcher, *words], env=environment, stdout=subprocess.DEVNULL, check=True)
    took = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--db", required=True)
    parser.add_argument("launchers", nargs="+", metavar="NAME=LAUNCHER")
    arguments = parser.parse_args()
    launchers = [each.rsplit("=", 1) for each in arguments.launchers]
    environment = dict(os.environ, GRAPHMETA_DB=arguments.db)
    times = {}
    for number in range(arguments.runs):
        for command, words in COMMANDS.items():
            # Whoever is first in one round is last in another.
            for name, launcher in launchers[number % len(launchers):] + launchers[:number % len(launchers)]:
                times.setdefault((command, name), []).append(run(launcher, words, environment))
        print(f"round {number + 1} of {arguments.runs}", file=sys.stderr)
    print("| command | distribution | median | worst | least | processors, median |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (command, name), found in times.items():
        clock = [each[0] for each in found]
        print(
            f"| `{command}` | {name} | {statistics.median(clock):.2f} | {max(clock):.2f} | {min(clock):.2f}"
            f" | {statistics.median(each[1] for each in found):.2f} |"
        )


if __name__ == "__main__":
    main()
