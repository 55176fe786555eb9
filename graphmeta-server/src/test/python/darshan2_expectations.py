"""Writes what darshan-parser reads from logs of Darshan 2, for the tests of the Java reader to agree with.

Usage: darshan2_expectations.py DARSHAN_PARSER FOLDER OUTPUT.tsv.gz      (made with darshan-util 2.3.1)

DARSHAN_PARSER is the program of that name of Darshan 2; that of Darshan 3 doesn't read these logs, and neither does
pydarshan. FOLDER is searched for *.darshan, *.darshan.gz and *.darshan.bz2. OUTPUT is compressed text, fields separated by
tabs, in which \\t, \\n and \\\\ are escaped. A log is an L line and the lines behind it:

  L  path below FOLDER, SHA-256, format version (before a conversion), uid, job id, processes, start s, end s, command line
  K  key, value of the metadata
  M  type, path of a mount (sorted)
  R  id, rank, end of the path, digest of all counters; of the first records, in the order of the log
  S  number of records, SHA-256 over the R lines of all of them

The digest is the start of SHA-256 over "NAME=value LF" of all counters in the order of the log, with six decimals where
they are floating-point numbers. Of a log that was obfuscated, whose command line is a number, the ends of paths are left
out: they are numbers, too.
"""

import gzip
import hashlib
import pathlib
import subprocess
import sys

FIRST_RECORDS = 20


def escaped(text):
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def line(kind, *fields):
    return "\t".join([kind] + [escaped(str(field)) for field in fields]) + "\n"


def record(key, counters):
    text = "".join(f"{name}={value}\n" for name, value in counters)
    return line("R", *key, hashlib.sha256(text.encode()).hexdigest()[:16])


def describe(parser, folder, path):
    output = subprocess.run([parser, "--base", path], check=True, capture_output=True).stdout.decode()
    job, metadata, mounts, records = {}, [], [], []
    key, counters = None, []
    for text in output.split("\n"):
        if text.startswith("# metadata: "):
            metadata.append(text[len("# metadata: ") :].split(" = ", 1))
        elif text.startswith("# mount entry: "):
            mounts.append(tuple(reversed(text[len("# mount entry: ") :].split("\t")[1:])))
        elif text.startswith("# ") and ": " in text and key is None:
            name, value = text[2:].split(": ", 1)
            job.setdefault(name, value)
        elif text and not text.startswith("#"):
            rank, file, name, value, end = text.split("\t")[:5]
            if name == "CP_INDEP_OPENS":
                if key is not None:
                    records.append(record(key, counters))
                key, counters = (file, rank, "" if job["exe"].isdigit() else end[3:]), []
            counters.append((name, value))
    if key is not None:
        records.append(record(key, counters))
    out = line(
        "L",
        path.relative_to(folder).as_posix(),
        hashlib.sha256(path.read_bytes()).hexdigest(),
        job["darshan log version"],
        *(job[name] for name in ("uid", "jobid", "nprocs", "start_time", "end_time")),
        job["exe"].strip(),
    )
    out += "".join(line("K", *pair) for pair in metadata)
    out += "".join(line("M", *mount) for mount in sorted(mounts))
    out += "".join(records[:FIRST_RECORDS])
    return out + line("S", len(records), hashlib.sha256("".join(records).encode()).hexdigest())


def main():
    parser, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    suffixes = (".darshan", ".darshan.gz", ".darshan.bz2")
    logs = sorted(path for path in folder.rglob("*") if path.name.endswith(suffixes))
    text = "".join(describe(parser, folder, path) for path in logs)
    with open(sys.argv[3], "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=9, mtime=0, filename="") as out:
            out.write(text.encode())


main()
