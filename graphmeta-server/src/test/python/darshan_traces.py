"""Writes what pydarshan reads of when bytes were moved, for the tests of the Java reader to agree with.

Usage: darshan_traces.py FOLDER OUTPUT.tsv.gz      (needs: pip install darshan, made with 3.5.0)

FOLDER is searched for *.darshan with the modules DXT_POSIX, DXT_MPIIO or HEATMAP. OUTPUT is compressed text, fields separated
by tabs:

  T  path below FOLDER, module, number of records, number of calls, SHA-256 over all of them
  H  path below FOLDER, width of a span, bytes read in each span, bytes written in each span, separated by commas

The SHA-256 is over a line "id rank writes reads LF" for each record, behind it a line "offset length start end LF" for each
call, writes first; times with the hex digits of their big-endian IEEE 754 bytes. Bytes are those of POSIX and STDIO over
all ranks, spans with less than none as none.
"""

import gzip
import hashlib
import pathlib
import struct
import sys

from darshan.backend import cffi_backend as backend


def trace(log, module):
    text, records, calls = [], 0, 0
    while (record := backend.log_get_dxt_record(log, module, dtype="dict")) is not None:
        records += 1
        text.append(f"{record['id']} {record['rank']} {record['write_count']} {record['read_count']}\n")
        for call in record["write_segments"] + record["read_segments"]:
            calls += 1
            times = " ".join(struct.pack(">d", call[key]).hex() for key in ("start_time", "end_time"))
            text.append(f"{call['offset']} {call['length']} {times}\n")
    return records, calls, hashlib.sha256("".join(text).encode()).hexdigest()


def heatmap(log):
    names = backend.log_get_name_records(log)
    width, read, written = 0, [], []
    while (record := backend._log_get_heatmap_record(log)) is not None:
        if names.get(record["id"]) not in ("heatmap:POSIX", "heatmap:STDIO"):
            continue
        width = record["bin_width_seconds"]
        for bins, sums in ((record["read_bins"], read), (record["write_bins"], written)):
            sums.extend([0] * (len(bins) - len(sums)))
            for i, count in enumerate(bins):
                sums[i] += max(0, int(count))
    return width, ",".join(map(str, read)), ",".join(map(str, written))


def describe(folder, path):
    log = backend.log_open(str(path))
    name = path.relative_to(folder).as_posix()
    out = ""
    for module in backend.log_get_modules(log):
        if module in ("DXT_POSIX", "DXT_MPIIO"):
            out += "\t".join(["T", name, module, *map(str, trace(log, module))]) + "\n"
        elif module == "HEATMAP":
            out += "\t".join(["H", name, *map(str, heatmap(log))]) + "\n"
    backend.log_close(log)
    return out


def main():
    folder = pathlib.Path(sys.argv[1])
    text = "".join(describe(folder, path) for path in sorted(folder.rglob("*.darshan")))
    with open(sys.argv[2], "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=9, mtime=0, filename="") as out:
            out.write(text.encode())


main()
