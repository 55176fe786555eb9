"""Which server to ask and how to be let in: by the same variables and files as the command line."""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
import stat
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ConnectError

DEFAULT_PORT = 8182
TOKEN_USER = "token"

_HOST_NAME = Path("/proc/sys/kernel/hostname")


@dataclass(frozen=True)
class Server:
    """A server, and the log-in for it; without a user none is sent."""

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: str | None = None

    @property
    def address(self) -> str:
        """Host and port."""
        return f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """Where its endpoint is."""
        return f"{'wss' if self.tls else 'ws'}://{self.address}/gremlin"

    def ssl_context(self) -> ssl.SSLContext | None:
        """How it has to prove who it is; nothing without encryption."""
        return ssl.create_default_context(cafile=self.ca_file) if self.tls else None


def find(
    address: str | None,
    user: str | None,
    password: str | None,
    token: str | None,
    tls: bool,
    ca_file: str | os.PathLike[str] | None,
) -> Server:
    """The server that the arguments name; what they leave out comes from the environment."""
    host, port = _parse(address or os.environ.get("GRAPHMETA_CONNECT", "").strip() or "localhost")
    authority = None if ca_file is None else os.fspath(ca_file)
    encrypted = tls or authority is not None
    if user is not None and token is not None:
        raise ValueError("user and token exclude each other; give one of them")
    if user is None and password is not None:
        raise ValueError("A password without its user; give user=, or token= for the token of a server")
    if user is not None:
        secret = os.environ.get("GRAPHMETA_PASSWORD") if password is None else password
        if secret is None:
            raise ValueError(f"No password for {user}; give password= or set GRAPHMETA_PASSWORD")
        return Server(host, port, user, secret, encrypted, authority)
    secret = token or os.environ.get("GRAPHMETA_TOKEN") or _token_on_this_machine(host, port)
    if secret is None:
        return Server(host, port, tls=encrypted, ca_file=authority)
    return Server(host, port, TOKEN_USER, secret, encrypted, authority)


def _parse(address: str) -> tuple[str, int]:
    colon = address.rfind(":")
    has_port = colon >= 0 and "]" not in address[colon:]
    host = address[:colon] if has_port else address
    port = address[colon + 1 :] if has_port else str(DEFAULT_PORT)
    if not host or not (port.isascii() and port.isdigit()) or int(port) > 65_535:
        raise ValueError(f"{address!r} is no address; expected one such as localhost:{DEFAULT_PORT}")
    return host, int(port)


def _token_on_this_machine(host: str, port: int) -> str | None:
    """The token of a server that the same user started here; it is only ever sent to this machine."""
    if not _is_loopback(host.strip("[]")):
        return None
    file = Path(os.environ.get("HOME") or Path.home(), ".graphmeta", f"{_host_name()}-{port}.token")
    try:
        mode = file.stat().st_mode
        if not stat.S_ISREG(mode):
            return None
        if os.name == "posix" and mode & 0o077:
            raise ConnectError(
                f"The token in {file} cannot be taken: others can use it ({stat.filemode(mode)[1:]}); set its mode to 600"
            )
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(socket.getaddrinfo(host, None)[0][4][0]).is_loopback
    except (OSError, ValueError):
        return False  # an unknown name: connecting says so


def _host_name() -> str:
    try:
        return _HOST_NAME.read_text(encoding="utf-8").strip()
    except OSError:
        return socket.gethostname()
