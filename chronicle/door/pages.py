"""The files of the page, and the HTTP headers that go with them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from websockets.datastructures import Headers
from websockets.http11 import Response

TYPES: Final = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
        ".svg": "image/svg+xml",
        ".png": "image/png",
        ".ico": "image/x-icon",
        ".woff2": "font/woff2",
        ".json": "application/json",
        ".webmanifest": "application/manifest+json",
    }
)
NONCE: Final = b"{nonce}"
"""The placeholder in the page for the nonce of its content security policy."""

_HEADERS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"),
    ("X-Frame-Options", "DENY"),
)
_NO_PAGE: Final = b"""<!doctype html><meta charset="utf-8"><title>The desk</title>
<p>This installation has no desk page. Install Chronicle from a release.</p>
"""


class Page(NamedTuple):
    """The content of one address, with its media type."""

    type: str
    body: bytes


def pages(assets: Path) -> dict[str, Page]:
    """Every address with its content: the page and the fonts. The files are read once, so that no request
    reaches the disk."""
    desk_folder = assets / "desk"
    files = {
        f"/{file.relative_to(desk_folder).as_posix()}": file for file in desk_folder.rglob("*")
    }
    files |= {f"/fonts/{file.name}": file for file in (assets / "fonts").glob("*")}
    files["/fonts.css"] = assets / "fonts.css"
    pages_by_address = {
        address: Page(TYPES[file.suffix], file.read_bytes())
        for address, file in files.items()
        if file.suffix in TYPES and file.is_file()
    }
    pages_by_address["/"] = pages_by_address.pop("/index.html", Page(TYPES[".html"], _NO_PAGE))
    return pages_by_address


def page_response(page: Page, host: str) -> Response:
    """The response with a page and its content security policy."""
    nonce = secrets.token_urlsafe(16)
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "style-src-attr": "'none'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "connect-src": f"'self' ws://{host}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
    }
    headers = {"Content-Security-Policy": "; ".join(map(" ".join, policy.items()))}
    body = page.body
    if page.type == TYPES[".html"]:
        body = body.replace(NONCE, nonce.encode())
    return respond(HTTPStatus.OK, body, page.type, headers)


def respond(
    status: HTTPStatus,
    body: bytes,
    type: str = "text/plain; charset=utf-8",
    further_headers: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """A response with the headers that every response has."""
    headers = Headers(
        [
            ("Content-Type", type),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Connection", "close"),
            *_HEADERS,
            *further_headers.items(),
        ]
    )
    return Response(status.value, status.phrase, headers, body)
