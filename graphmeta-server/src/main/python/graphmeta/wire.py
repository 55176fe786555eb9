"""Requests to a server, by gremlinpython: from any thread, and from within an event loop such as that of a notebook."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import aiohttp
from gremlin_python.driver.aiohttp.transport import AiohttpTransport
from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import ConfigurationError, GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal

from .errors import ConnectError, GraphMetaError, RequestError
from .server import TOKEN_USER, Server

MESSAGE_BYTES = 64 << 20
"""Most bytes of one message of an answer; an answer comes in many."""

CONNECTIONS = 4
"""Most requests of one graph that are under way at the same time; more wait."""

CONNECT_SECONDS = 20
"""How long a server may take to accept a connection."""

_T = TypeVar("_T")
_UNAUTHORIZED = 401

# The driver logs each error that it raises, at length; without a handler that would be printed.
logging.getLogger("gremlinpython").addHandler(logging.NullHandler())


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
        return True
    except RuntimeError:
        return False


def _apart(call: Callable[..., _T], *arguments: Any) -> _T:
    """Runs something of the driver's own event loop; in another thread where this one is in a loop already."""
    if not _is_in_loop():
        return call(*arguments)
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(call, *arguments).result()


class _Transport(AiohttpTransport):  # type: ignore[misc]  # it comes without types
    def connect(self, url: str, headers: Any = None) -> None:
        _apart(self._connect_in_time, url, headers)

    def _connect_in_time(self, url: str, headers: Any) -> None:
        late = self._loop.call_later(CONNECT_SECONDS, self._cancel)
        try:
            super().connect(url, headers)
        except asyncio.CancelledError:
            super().close()
            raise TimeoutError(f"nothing within {CONNECT_SECONDS} seconds; is TLS on at one end only?") from None
        except BaseException:
            super().close()  # the driver closes only what was connected
            raise
        finally:
            late.cancel()

    def _cancel(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    def close(self) -> None:
        _apart(super().close)

    def __del__(self) -> None:
        # The collector of garbage comes at any point, with any lock held: no thread can be started here.
        if not _is_in_loop():
            super().close()


class Wire:
    """Connections to one server, opened as they are needed."""

    def __init__(self, server: Server) -> None:
        self.server = server
        context = server.ssl_context()
        tls = {} if context is None else {"ssl": context}
        options: dict[str, Any] = {
            "username": server.user,
            "password": server.password,
            "pool_size": CONNECTIONS,
            "transport_factory": lambda: _Transport(max_msg_size=MESSAGE_BYTES, **tls),
        }
        self._traversals = DriverRemoteConnection(server.url, "g", **options)
        self._scripts = Client(server.url, "g", **options)
        self.g: Any = traversal().with_(self._traversals)

    def ask(self, question: Callable[[], _T]) -> _T:
        """Runs a request; its failures as those of this package."""
        try:
            return question()
        except GremlinServerError as e:
            raise self._refused(e) from None
        except ConfigurationError:
            raise ConnectError(
                f"The server at {self.server.address} asks for a log-in and no token of it was found; "
                "give user= and password=, or token=, or set GRAPHMETA_TOKEN"
            ) from None
        except (aiohttp.ClientError, OSError, RuntimeError) as e:
            raise ConnectError(
                f"No answer from a server at {self.server.address} ({e}); "
                "expected one that 'graphmeta server' started"
            ) from e

    def _refused(self, error: Any) -> GraphMetaError:
        message = str(error.status_message)
        if error.status_code == _UNAUTHORIZED:
            who = "the token" if self.server.user == TOKEN_USER else self.server.user
            return ConnectError(f"The server at {self.server.address} does not let {who} in: {message}")
        return RequestError(message, int(error.status_code))

    def script(self, gremlin: str, variables: Mapping[str, Any] | None) -> list[Any]:
        """The results of a script of gremlin-lang."""
        return list(self._scripts.submit(gremlin, dict(variables or {})).all().result())

    def close(self) -> None:
        """Closes all connections; twice does no harm."""
        self._scripts.close()
        self._traversals.close()
