"""By which name somebody asks for a server of this computer: a stranger's web site may have given itself
its address."""

from __future__ import annotations

import ipaddress
import platform
import re
from typing import Final

_LOCAL: Final = frozenset(("localhost", "127.0.0.1", "::1"))
_HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^:\[\]]+))(?::\d*)?", re.IGNORECASE)


def known(asked: str, own: str) -> bool:
    """Whether a Host header means a server that is bound to the address ``own``.

    One that is bound to every address of this computer may be asked by any address, as no web site can
    choose what browsers send then, and by the computer's own name.
    """
    if not asked:
        return True
    match = _HOST.fullmatch(asked.strip())
    if match is None:
        return False
    name = (match[1] or match[2]).rstrip(".").casefold()
    if name == own.casefold():
        return True
    if own in _LOCAL:
        return name in _LOCAL
    if own not in ("", "0.0.0.0", "::"):
        return False
    mine = platform.node().casefold()
    return name in _LOCAL or name in (mine, f"{mine}.local") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
