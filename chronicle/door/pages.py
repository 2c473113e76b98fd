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

MEDIA_TYPE_BY_ENDING: Final = MappingProxyType(
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
NONCE_PLACEHOLDER: Final = b"{nonce}"
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


class ServedPage(NamedTuple):
    """The content of one address, with its media type."""

    media_type: str
    content: bytes


def read_pages(assets_folder: Path) -> dict[str, ServedPage]:
    """Every address with its content: the page and the fonts. The files are read once, so that no request
    reaches the disk."""
    desk_folder = assets_folder / "desk"
    file_by_address = {
        f"/{file.relative_to(desk_folder).as_posix()}": file for file in desk_folder.rglob("*")
    }
    file_by_address |= {f"/fonts/{file.name}": file for file in (assets_folder / "fonts").glob("*")}
    file_by_address["/fonts.css"] = assets_folder / "fonts.css"
    pages_by_address = {
        address: ServedPage(MEDIA_TYPE_BY_ENDING[file.suffix], file.read_bytes())
        for address, file in file_by_address.items()
        if file.suffix in MEDIA_TYPE_BY_ENDING and file.is_file()
    }
    pages_by_address["/"] = pages_by_address.pop(
        "/index.html", ServedPage(MEDIA_TYPE_BY_ENDING[".html"], _NO_PAGE)
    )
    return pages_by_address


def page_response(page: ServedPage, host: str) -> Response:
    """The response with a page and its content security policy."""
    nonce = secrets.token_urlsafe(16)
    policy_by_directive = {
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
    headers = {"Content-Security-Policy": "; ".join(map(" ".join, policy_by_directive.items()))}
    body = page.content
    if page.media_type == MEDIA_TYPE_BY_ENDING[".html"]:
        body = body.replace(NONCE_PLACEHOLDER, nonce.encode())
    return respond(HTTPStatus.OK, body, page.media_type, headers)


def respond(
    status: HTTPStatus,
    body: bytes,
    media_type: str = "text/plain; charset=utf-8",
    further_headers: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """A response with the headers that every response has."""
    headers = Headers(
        [
            ("Content-Type", media_type),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Connection", "close"),
            *_HEADERS,
            *further_headers.items(),
        ]
    )
    return Response(status.value, status.phrase, headers, body)
