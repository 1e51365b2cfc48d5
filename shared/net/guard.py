"""Which addresses may be asked. It refuses everything that is not plainly a public host on a web port."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from shared.errors import Forbidden, Invalid, Unreachable

if TYPE_CHECKING:
    import httpx

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host, as text."""


class Blocked(Forbidden):
    """A public host that the allowlist does not name: a person may allow it, and then the guard looks again."""

    code = "egress_blocked"

    def __init__(self, host: str) -> None:
        super().__init__(f"{host} is not among the allowed hosts", next="Allow it in Settings.")
        self.host = host


PORTS = frozenset({80, 443, 8080, 8443})
_CORRECT = "Correct the address."
_ONLY_PUBLIC = "Only public addresses are asked, whatever is allowed: nothing on this machine or inside a network."

# Global unicast is 2000::/3; these parts of it lead elsewhere: Teredo and its neighbours, 6to4 and documentation.
# Each can carry an IPv4 address inside, past a check that looks at the outer one only.
_UNICAST = IPv6Network("2000::/3")
_NOT_PUBLIC = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
# Protocol assignments and the 6to4 relays, which `is_global` of some Python versions lets through.
_NOT_PUBLIC_4 = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")))
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?)*")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_HERE = ("localhost", "local", "internal", "localdomain")
"""Top-level names that never lead to the internet."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where one request goes: what was asked for, and the checked address to connect to."""

    url: str
    scheme: str
    host: str
    port: int
    address: str

    @property
    def authority(self) -> str:
        """The Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.scheme == "https" else 80) else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Network:
    """How names are looked up and connections made. Both are for tests; nothing else gets around the guard."""

    resolve: "Resolve" = field(default_factory=lambda: system_resolve)
    transport: "httpx.AsyncBaseTransport | None" = None


def host_allowed(host: str, patterns: Sequence[str]) -> bool:
    """Whether the allowlist names the host; `*.example.org` means its subdomains, and not itself."""
    for pattern in patterns:
        wanted = pattern.strip().lower().rstrip(".")
        if wanted.startswith("*."):
            if host.endswith(wanted[1:]) and len(host) > len(wanted) - 1:
                return True
        elif wanted and host == wanted:
            return True
    return False


def public(address: str) -> bool:
    """Whether an address is one of the public internet: not ours, not a neighbour's, not a cloud's metadata."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        if ip.scope_id is not None or ip not in _UNICAST or any(ip in net for net in _NOT_PUBLIC):
            return False
        return ip.is_global
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not any(ip in net for net in _NOT_PUBLIC_4)


def split(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of a web address, normalised the way a browser would read it."""
    if any(char <= " " or char == "\\" or char == "\x7f" for char in url):
        raise Invalid("The address holds characters that no address may hold", code="address_invalid", next=_CORRECT)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise Invalid("The address can't be read", code="address_invalid", next=_CORRECT) from error
    if parts.scheme not in ("http", "https"):
        raise Forbidden(
            "Only http and https addresses are asked", code="address_blocked", next="Give one that begins with https."
        )
    if parts.username is not None or parts.password is not None:
        raise Forbidden(
            "Addresses with a user name are not asked", code="address_blocked", next="Leave it out of the address."
        )
    if "%" in host or ("[" in parts.netloc) != (":" in host):
        raise Invalid(
            "The address can't be read", code="address_invalid", next=_CORRECT
        )  # a zone, or brackets around a name
    if port is None:
        port = 443 if parts.scheme == "https" else 80
    if port not in PORTS:
        raise Forbidden(
            f"Port {port} is not a web port", code="address_blocked", next="Use one of 80, 443, 8080 and 8443."
        )
    return parts.scheme, _normal(host), port


def _normal(host: str) -> str:
    if ":" in host:
        try:
            return str(IPv6Address(host))
        except ValueError as error:
            raise Invalid("The address can't be read", code="address_invalid", next=_CORRECT) from error
    try:
        # The codec folds full-width digits and letters, behind which a number can hide.
        name = host.encode("idna").decode().lower().removesuffix(".")
    except UnicodeError as error:
        raise Invalid("The address's host name can't be read", code="address_invalid", next=_CORRECT) from error
    if not _HOST.fullmatch(name):
        raise Invalid("The address's host name can't be read", code="address_invalid", next=_CORRECT)
    if _NUMBER.fullmatch(name.rsplit(".", 1)[-1]):
        # Resolvers read 2130706433, 0177.1 and 0x7f.1 as 127.0.0.1; only the plain form is what it seems.
        try:
            return str(IPv4Address(name))
        except ValueError as error:
            raise Forbidden("Addresses in disguise are not asked", code="address_blocked", next=_CORRECT) from error
    return name


def _literal(host: str) -> bool:
    return ":" in host or _NUMBER.fullmatch(host.rsplit(".", 1)[-1]) is not None


def inside(host: str) -> bool:
    """Whether a normalised host says by itself that it lies on this machine or inside a network."""
    return not public(host) if _literal(host) else host.rsplit(".", 1)[-1] in _HERE


async def check(url: str, patterns: Sequence[str], resolve: Resolve) -> Target:
    """Where to connect for this address, or Forbidden. The name is looked up once, and only here."""
    scheme, host, port = split(url)
    # Before the list is asked: nobody must be told to allow what stays forbidden then.
    if inside(host):
        raise Forbidden(f"{host} is an address inside a network", code="address_blocked", next=_ONLY_PUBLIC)
    if not host_allowed(host, patterns):
        raise Blocked(host)
    addresses = [host] if _literal(host) else await resolve(host, port)
    if not addresses:
        raise Unreachable(f"{host} has no address", next="Check the address.")
    # One private address among public ones is how a rebinding name looks: refuse it whole.
    if not all(public(address) for address in addresses):
        raise Forbidden(f"{host} leads to an address inside a network", code="address_blocked", next=_ONLY_PUBLIC)
    return Target(url=url, scheme=scheme, host=host, port=port, address=addresses[0])


async def system_resolve(host: str, port: int) -> Sequence[str]:
    """The system's resolver."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise Unreachable(f"{host} could not be found", next="Check the address.") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
