"""``serve`` is for this computer: other names are refused, odd addresses not found, and it goes on."""

import gc
import http.client
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from mkdocs.livereload import LiveReloadServer

from chronicle.adapters.serve import Server
from chronicle.core.host_header import is_own_host

requests: list[str] = []
"""What was told to whoever makes what is looked for."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveReloadServer]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "index.html").write_text("<body>ours</body>")
    (folder / "sub").mkdir()
    (folder / "sub" / "index.html").write_text("<body>sub</body>")
    (folder / "пещера.html").write_text("<body>cave</body>")
    (folder.parent / "secret.txt").write_text("not for you")
    running = Server(
        lambda: None, host="127.0.0.1", port=0, root=str(folder), on_request=requests.append
    )
    running.server_bind()
    running.server_activate()
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield running
    running.observer.stop()
    running.socket.close()


def ask(server: LiveReloadServer, path: str, host: str | None = None) -> tuple[int, bytes]:
    port = server.socket.getsockname()[1]
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    line.putrequest("GET", "/", skip_host=True)
    # As typed: the client would refuse what a stranger sends.
    line._buffer[0] = f"GET {path} HTTP/1.1".encode()  # type: ignore[attr-defined]
    line.putheader("Host", f"127.0.0.1:{port}" if host is None else host)
    line.endheaders()
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer.status, body


@pytest.mark.parametrize(
    "path", ["/", "/index.html", "/sub/", "/%D0%BF%D0%B5%D1%89%D0%B5%D1%80%D0%B0.html"]
)
def test_pages_are_served(server: LiveReloadServer, path: str) -> None:
    assert ask(server, path)[0] == 200
    assert requests[-1] == unquote(path[1:])


@pytest.mark.parametrize(
    "path",
    [
        "/%00", "/index.html%00", "/sub%00/", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/../secret.txt",
        "/..%5csecret.txt", "/sub/..%5c..%5csecret.txt", "//evil.invalid/%2f..", "/%0d%0aSet-Cookie:x=1",
        "/" + "a" * 5_000, "/" + "a/" * 4_000, "/" + "%D0%BF" * 200, "/%ff%fe", "/%C0%AE%C0%AE/secret.txt",
        "/livereload/" + "9" * 5_000 + "/1", "/livereload/x/1", "/index.html/", "/пещера", "/\x7f", "/%7f",
        "/C:%5cWindows", "/nul", "/\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
    ],
    ids=lambda path: ascii(path)[:24],
)  # fmt: skip
def test_odd_addresses_are_not_found(
    server: LiveReloadServer, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    status, body = ask(server, path)
    assert status == 404, (status, body[:80])
    assert b"not for you" not in body
    assert not [record for record in caplog.records if record.exc_info]
    assert ask(server, "/")[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.invalid", "evil.invalid:8000", "127.0.0.1.evil.invalid", "localhost.evil.invalid",
        "localhost@evil.invalid", "192.168.1.7", "0.0.0.0", "[::1].evil.invalid", "x y", "[", ":",
        "example.com:127.0.0.1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/livereload/0/1", "/%00"])
def test_a_page_that_came_by_another_name_gets_nothing(
    server: LiveReloadServer, host: str, path: str
) -> None:
    status, body = ask(server, path, host)
    assert status == 403
    assert b"ours" not in body


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1", "[::1]:8000", "localhost.", ""]
)
def test_its_own_names_are_known(server: LiveReloadServer, host: str) -> None:
    assert ask(server, "/", host)[0] == 200


@pytest.mark.parametrize(
    ("asked", "own", "yes"),
    [
        ("192.168.1.7:8000", "0.0.0.0", True),
        ("[fe80::1]", "::", True),
        ("evil.invalid", "0.0.0.0", False),
        ("table.home", "table.home", True),
        ("localhost", "table.home", False),
        ("192.168.1.7", "192.168.1.7", True),
    ],
)
def test_who_is_meant_depends_on_what_it_is_bound_to(asked: str, own: str, yes: bool) -> None:
    assert is_own_host(asked, own) is yes


# MkDocs leaves the open file to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_file_that_vanishes_while_it_is_asked_for_ends_nothing(
    server: LiveReloadServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = Path(server.root) / "style.css"
    file.write_text("p {}")

    def gone(path: str) -> int:
        raise FileNotFoundError(path)

    with monkeypatch.context() as patch:
        patch.setattr("mkdocs.livereload.os.path.getsize", gone)
        assert ask(server, "/style.css")[0] in (404, 500)
    assert ask(server, "/style.css") == (200, b"p {}")
    # What is logged of it holds the file open.
    caplog.clear()
    gc.collect()
