"""Writes what pydarshan reads from Darshan logs, for the tests of the Java reader to agree with.

Usage: darshan_expectations.py FOLDER OUTPUT.tsv.gz      (needs: pip install darshan, made with 3.5.0)

FOLDER is searched for *.darshan. OUTPUT is compressed text, fields separated by tabs, in which \\t, \\n and \\\\ are
escaped. A log is an L line and the lines behind it:

  L  path below FOLDER, SHA-256, format version, uid, job id, processes, start s, start ns, end s, end ns, command line
  K  key, value of the metadata
  M  type, path of a mount (sorted)
  D  module, version, compressed bytes, partial (0 or 1), in the order of the slots
  N  number of names, SHA-256 over "id TAB name LF" sorted by id
  R  module, id, rank, path, reads, writes, bytes read, bytes written, digest of all counters; in the order of the log

The digest is the start of SHA-256 over "NAME=value LF" of the integer counters, then of the floating-point counters with
the hex digits of their big-endian IEEE 754 bytes as value. Counters that a record of that version doesn't have, which
the library adds as -1 or 0, are left out.

Faults of the library (3.5.0), found by looking at the bytes of the logs:
- In big-endian logs it doesn't swap the bytes of three timers of POSIX records before version 4 (it takes the indexes of
  the rename counters, which such records lack, for indexes of timers). Undone here.
- In POSIX records of versions 2 and 3 it loses up to four of the last timers (it moves the old record's length after it
  has grown) and gives 0. These timers are left out of the digest.
- It has no command line where the log has no mounts. Taken from the job region here.
"""

import gzip
import hashlib
import pathlib
import struct
import sys
import zlib

from darshan.backend import cffi_backend as backend

ADDED_IN = {
    "POSIX": {
        "POSIX_FILENOS": 4,
        "POSIX_DUPS": 4,
        "POSIX_RENAME_SOURCES": 4,
        "POSIX_RENAME_TARGETS": 4,
        "POSIX_RENAMED_FROM": 4,
        "POSIX_F_CLOSE_START_TIMESTAMP": 3,
        "POSIX_F_OPEN_END_TIMESTAMP": 3,
    },
    "STDIO": {"STDIO_FDOPENS": 2},
}

UNSWAPPED = ("POSIX_F_META_TIME", "POSIX_F_MAX_READ_TIME", "POSIX_F_MAX_WRITE_TIME")

LOST = (
    "POSIX_F_FASTEST_RANK_TIME",
    "POSIX_F_SLOWEST_RANK_TIME",
    "POSIX_F_VARIANCE_RANK_TIME",
    "POSIX_F_VARIANCE_RANK_BYTES",
)


def escaped(text):
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def line(kind, *fields):
    return "\t".join([kind] + [escaped(str(field)) for field in fields]) + "\n"


def digest(module, version, counters, timers):
    added = ADDED_IN[module]
    text = ""
    for name, value in counters:
        if version >= added.get(name, 1):
            text += f"{name}={value}\n"
    for name, value in timers:
        if version >= added.get(name, 1) and not (version in (2, 3) and name in LOST):
            text += f"{name}={struct.pack('>d', value).hex()}\n"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def swapped(value):
    return struct.unpack(">d", struct.pack("<d", value))[0]


def records(log, module, version, names, big_endian):
    counter_names = backend.counter_names(module)
    timer_names = backend.fcounter_names(module)
    while (record := backend.log_get_record(log, module)) is not None:
        counters = dict(zip(counter_names, (int(value) for value in record["counters"])))
        timers = list(zip(timer_names, (float(value) for value in record["fcounters"])))
        if big_endian and module == "POSIX" and version < 4:
            timers = [(name, swapped(value) if name in UNSWAPPED else value) for name, value in timers]
        yield line(
            "R",
            module,
            record["id"],
            record["rank"],
            names.get(record["id"], ""),
            *(counters[f"{module}_{name}"] for name in ("READS", "WRITES", "BYTES_READ", "BYTES_WRITTEN")),
            digest(module, version, counters.items(), timers),
        )


def command_line(log, content):
    if text := backend.log_get_exe(log):
        return text.rstrip()
    order = "<" if content[8:16] == struct.pack("<q", 6567223) else ">"
    wide = content.startswith(b"3.41")
    (end,) = struct.unpack_from(order + "Q", content, 32 if wide else 24)
    job = zlib.decompress(content[1328 if wide else 360 : end])
    return job[(56 if wide else 40) + 1024 :].split(b"\0")[0].decode().rstrip()


def describe(folder, path):
    content = path.read_bytes()
    log = backend.log_open(str(path))
    job = backend.log_get_job(log)
    out = line(
        "L",
        path.relative_to(folder).as_posix(),
        hashlib.sha256(content).hexdigest(),
        job["log_ver"],
        job["uid"],
        job["jobid"],
        job["nprocs"],
        job["start_time_sec"],
        job["start_time_nsec"],
        job["end_time_sec"],
        job["end_time_nsec"],
        command_line(log, content),
    )
    for key, value in job["metadata"].items():
        out += line("K", key, value)
    for mount_path, mount_type in sorted(backend.log_get_mounts(log), key=lambda mount: (mount[1], mount[0])):
        out += line("M", mount_type, mount_path)
    modules = backend.log_get_modules(log)
    for name, module in sorted(modules.items(), key=lambda entry: entry[1]["idx"]):
        out += line("D", name, module["ver"], module["len"], int(module["partial_flag"]))
    names = backend.log_get_name_records(log)
    joined = "".join(f"{record_id}\t{names[record_id]}\n" for record_id in sorted(names))
    out += line("N", len(names), hashlib.sha256(joined.encode()).hexdigest())
    big_endian = content[8:16] == struct.pack(">q", 6567223)
    for module in ("POSIX", "STDIO"):
        if module in modules:
            for text in records(log, module, modules[module]["ver"], names, big_endian):
                out += text
    backend.log_close(log)
    return out


def main():
    folder = pathlib.Path(sys.argv[1])
    text = "".join(describe(folder, path) for path in sorted(folder.rglob("*.darshan")))
    with open(sys.argv[2], "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=9, mtime=0, filename="") as out:
            out.write(text.encode())


main()
