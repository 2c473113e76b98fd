"""Check the Host header of requests to a local server: a foreign web site may have pointed its own name at
this computer (DNS rebinding)."""

from __future__ import annotations

import ipaddress
import platform
import re
from typing import Final

_LOCAL_NAMES: Final = frozenset(("localhost", "127.0.0.1", "::1"))
_HOST_PATTERN: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^:\[\]]+))(?::\d*)?", re.IGNORECASE)


def is_own_host(host_header: str, server_address: str) -> bool:
    """Whether a Host header names the server bound to the address ``server_address``.

    A server bound to every address accepts any IP address, because a web site cannot choose the header that
    browsers send then, and the computer's own name."""
    if not host_header:
        return True
    match = _HOST_PATTERN.fullmatch(host_header.strip())
    if match is None:
        return False
    host_name = (match[1] or match[2]).rstrip(".").casefold()
    if host_name == server_address.casefold():
        return True
    if server_address in _LOCAL_NAMES:
        return host_name in _LOCAL_NAMES
    if server_address not in ("", "0.0.0.0", "::"):
        return False
    computer_name = platform.node().casefold()
    return (
        host_name in _LOCAL_NAMES
        or host_name in (computer_name, f"{computer_name}.local")
        or _is_ip_address(host_name)
    )


def _is_ip_address(host_name: str) -> bool:
    try:
        ipaddress.ip_address(host_name)
    except ValueError:
        return False
    return True
