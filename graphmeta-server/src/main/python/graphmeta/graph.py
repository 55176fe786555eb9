"""A graph that a server holds, and the questions to it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import TracebackType
from typing import Any, TypeVar

from gremlin_python.process.strategies import ReadOnlyStrategy
from gremlin_python.statics import long

from . import server as servers
from .answers import Answer, Lineage
from .errors import GraphMetaError, LoadError
from .rows import DiffRow, HistoryRow, LineageRow
from .wire import Wire

Time = str | datetime | int
"""A time: ISO-8601 text, a date with its time zone, or milliseconds since 1970."""

Path = str | os.PathLike[str]

R = TypeVar("R", bound=Mapping[str, Any])


def connect(
    address: str | None = None,
    *,
    user: str | None = None,
    password: str | None = None,
    token: str | None = None,
    tls: bool = False,
    ca_file: Path | None = None,
) -> Graph:
    """Connects to a server that ``graphmeta server`` started.

    Args:
        address: ``HOST`` or ``HOST:PORT``. Otherwise that of the variable ``GRAPHMETA_CONNECT``, or ``localhost:8182``.
        user: Name to log in with; without it the token of the server is used.
        password: That of the user; otherwise that of ``GRAPHMETA_PASSWORD``.
        token: That of the server; otherwise that of ``GRAPHMETA_TOKEN``, or of a server that you started on this machine.
        tls: Encrypt the connection.
        ca_file: PEM file with the certificates to trust, instead of those of the system; encrypts.

    Raises:
        ConnectError: The server cannot be reached, or does not let one in.
    """
    graph = Graph(servers.find(address, user, password, token, tls, ca_file))
    try:
        graph.gremlin("g.inject(0)")
    except BaseException:
        graph.close()
        raise
    return graph


class Graph:
    """A graph that a server holds. Close it, or use it with ``with``; safe for use by many threads.

    The parameters of questions are those of the server's services, whose reference page has all of them; those that
    are ``None`` are left out. ``as_of`` asks for what was true then, ``known_at`` for what the database knew then.
    """

    def __init__(self, server: servers.Server) -> None:
        self._server = server
        self._wire = Wire(server)

    @property
    def g(self) -> Any:
        """The traversal source of gremlinpython, for traversals of your own; they raise the driver's errors."""
        return self._wire.g

    def gremlin(self, script: str, variables: Mapping[str, Any] | None = None) -> list[Any]:
        """The results of a script of gremlin-lang, such as ``g.V(id).out()`` with the variables ``{"id": ...}``."""
        return self._wire.ask(lambda: self._wire.script(script, variables))

    def lineage(
        self,
        id: str,
        *,
        direction: str | None = None,
        at: Time | None = None,
        version: Time | None = None,
        depth: int | None = None,
        limit: int | None = None,
        labels: str | Iterable[str] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
    ) -> Lineage:
        """What a file, process or job rests on; with the direction ``forward``, what rests on it."""
        return self._lineage("lineage", id, as_of, known_at, direction=direction, at=at, version=version, depth=depth,
                             limit=limit, labels=labels, since=since, until=until)  # fmt: skip

    def impact(
        self,
        id: str,
        *,
        at: Time | None = None,
        version: Time | None = None,
        depth: int | None = None,
        limit: int | None = None,
        labels: str | Iterable[str] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
    ) -> Lineage:
        """What is affected by one version of a file; the newest, unless ``at`` or ``version`` names another."""
        return self._lineage("impact", id, as_of, known_at, at=at, version=version, depth=depth, limit=limit,
                             labels=labels, since=since, until=until)  # fmt: skip

    def history(
        self,
        id: str,
        *,
        reads: bool | None = None,
        kind: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        time: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
    ) -> Answer[HistoryRow]:
        """What became of an element; of a file, who wrote it and, with ``reads``, who read it."""
        rows: list[HistoryRow] = self._ask("graphmeta.history", as_of, known_at, id=id, reads=reads, kind=kind,
                                           since=since, until=until, time=time, order=order, limit=limit)  # fmt: skip
        return Answer(f"history of {id}", rows)

    def diff(
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        ids: str | Iterable[str] | None = None,
        from_: Time | None = None,
        to: Time | None = None,
        lineage: bool | None = None,
        limit: int | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
    ) -> Answer[DiffRow]:
        """In what two jobs or processes differ; or, with ``ids`` and ``from_``, elements from themselves at two times."""
        given = {"a": a, "b": b, "ids": ids, "from": from_, "to": to, "lineage": lineage, "limit": limit}
        rows: list[DiffRow] = self._ask("graphmeta.diff", as_of, known_at, **given)
        return Answer(f"difference of {a} and {b}" if ids is None else f"difference of {ids}", rows)

    def call(
        self, service: str, /, *, as_of: Time | None = None, known_at: Time | None = None, **parameters: Any
    ) -> Answer[dict[str, Any]]:
        """What another service answers in rows, such as ``graphmeta.placement``."""
        rows: list[dict[str, Any]] = self._ask(service, as_of, known_at, **parameters)
        return Answer(service, rows)

    def load(
        self,
        source: str,
        *paths: Path,
        options: Iterable[str] = (),
        command: Path = "graphmeta",
    ) -> dict[str, Any]:
        """Has the command line load logs into the graph: ``load("darshan", "/logs/2026/11")``.

        Args:
            source: As in ``graphmeta load SOURCE``, such as ``darshan`` or ``sacct``.
            paths: What to load.
            options: More options of the command, such as ``["--zone", "Europe/Berlin"]``; of a server with TLS whose
                certificate the Java does not trust, ``["--trust-store", FILE]``.
            command: ``bin/graphmeta`` of the distribution, if it is not on the ``PATH``.

        Returns:
            The summary of ``graphmeta load --json``.

        Raises:
            LoadError: It failed, or loaded a part.
        """
        found = shutil.which(os.fspath(command))
        if found is None:
            raise LoadError(
                f"No command {os.fspath(command)!r} is on the PATH; expected bin/graphmeta of the distribution "
                "(command= names it)",
                {},
            )
        line = [found, "load", source, *[os.fspath(path) for path in paths], "--connect", self._server.address, "--json", *options]
        return _run(line + self._log_in_options(), self._log_in_variables())

    def _log_in_options(self) -> list[str]:
        named = self._server.user not in ("", servers.TOKEN_USER)
        return (["--user", self._server.user] if named else []) + (["--tls"] if self._server.tls else [])

    def _log_in_variables(self) -> dict[str, str]:
        variables = {name: value for name, value in os.environ.items() if name != "GRAPHMETA_DB"}
        if self._server.user:
            secret = "GRAPHMETA_TOKEN" if self._server.user == servers.TOKEN_USER else "GRAPHMETA_PASSWORD"
            variables[secret] = self._server.password
        return variables

    def _lineage(
        self, service: str, id: str, as_of: Time | None, known_at: Time | None, **parameters: Any
    ) -> Lineage:
        rows: list[LineageRow] = self._ask(
            f"graphmeta.{service}", as_of, known_at, id=id, result="graph", **parameters
        )
        return Lineage(f"{service} of {id}", rows)

    def _ask(self, service: str, as_of: Time | None, known_at: Time | None, **parameters: Any) -> list[Any]:
        source = self._wire.g.with_strategies(ReadOnlyStrategy())
        for option, time in (("asOf", as_of), ("knownAt", known_at)):
            if time is not None:
                source = source.with_(option, _sent(time))
        given = {name: _sent(value) for name, value in parameters.items() if value is not None}
        return self._wire.ask(lambda: list(source.call(service, given).to_list()))

    def close(self) -> None:
        """Closes the connections."""
        self._wire.close()

    def __enter__(self) -> Graph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<graph at {self._server.address}>"


def _sent(value: Any) -> Any:
    """A parameter as the server takes it."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; give it one, or text such as 2026-11-21T00:35:25Z")
        return value.isoformat()
    if isinstance(value, int) and not isinstance(value, bool):
        return long(value)
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        return value
    return [_sent(each) for each in value]


def _run(line: list[str], variables: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run(line, env=variables, capture_output=True, encoding="utf-8", errors="replace", check=False)
    summary: dict[str, Any] = {}
    try:
        summary = json.loads(done.stdout or "{}")
    except ValueError as e:
        raise GraphMetaError(f"{line[0]} answered no JSON: {done.stdout[:200]!r}") from e
    if done.returncode != 0:
        raise LoadError(done.stderr.strip() or f"{line[0]} ended with code {done.returncode}", summary)
    return summary
