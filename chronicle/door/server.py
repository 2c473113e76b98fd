"""The server: it answers those only who come by its own name, from its own page, with its own key."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import socket
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from chronicle.campaigns import fault_in
from chronicle.core.host_header import known
from chronicle.door.guests import Guests
from chronicle.door.keys import Keys
from chronicle.door.pages import found, pages, respond
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom

SOCKET: Final = "/desk"
"""The address of the WebSocket."""
EVERYWHERE: Final = "0.0.0.0"
"""The host of a server that others nearby find as well."""
LARGEST: Final = 20 * 1024 * 1024
"""The largest question of a keeper, in bytes: a file and what is around it."""
LARGEST_OF_GUEST: Final = 4 * 1024
"""The largest question of a guest, in bytes."""
LARGEST_OF_STRANGER: Final = 1024
"""The largest message of somebody who has not shown a key yet, in bytes."""
PATIENCE: Final = 5.0
"""Seconds in which somebody has to finish a request, and then has to show a key."""
MOST_STRANGERS: Final = 32
"""How many connections are held at once that have shown no key. A browser opens six to fetch the page."""
MOST_KEEPERS: Final = 32
"""How many desks of keepers may be open at once."""
MOST_GUESTS: Final = 32
"""How many guests may look on at once."""
PAUSE: Final = 0.4
"""Seconds between two looks at the disk."""


class Strangers:
    """The connections that have shown no key. If there are too many, the oldest of those that come from the
    busiest address is ended, so that nobody who comes from another address is kept out."""

    def __init__(self, most: int = MOST_STRANGERS) -> None:
        self._most = most
        # In the order of arrival.
        self._from: dict[ServerConnection, str] = {}

    def __len__(self) -> int:
        return len(self._from)

    def arrive(self, connection: ServerConnection) -> None:
        """Hold one connection more, and end another one if there are too many."""
        self._from[connection] = str((connection.remote_address or ("",))[0])
        if len(self._from) > self._most:
            ((busiest, _),) = Counter(self._from.values()).most_common(1)
            oldest = next(one for one, address in self._from.items() if address == busiest)
            self.leave(oldest)
            oldest.transport.abort()

    def leave(self, connection: ServerConnection) -> None:
        """Stop counting a connection: it has shown a key, or has ended."""
        self._from.pop(connection, None)


class Visit(ServerConnection):
    """A connection to the server, counted among the strangers from its first moment on."""

    def __init__(self, strangers: Strangers, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._strangers = strangers

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection."""
        super().connection_made(transport)
        self._strangers.arrive(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self._strangers.leave(self)
        super().connection_lost(exc)


class Door:
    """One server and the desks behind it."""

    def __init__(self, room: CampaignRoom, assets: Path, host: str = "127.0.0.1") -> None:
        self.room, self.host = room, host
        self.keys = Keys()
        self._pages = pages(assets)
        # Questions are answered one after the other, on a thread that keeps no connection waiting.
        self._worker = ThreadPoolExecutor(1, "desk")
        self._strangers = Strangers()
        self._guests = Guests(room.folder)
        # What has changed up to now is no news.
        room.outside_changes()
        # Guests have no desk here: a process of their own answers them.
        self._open: dict[ServerConnection, Desk | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: Server | None = None

    @property
    def port(self) -> int:
        """The port it listens on."""
        assert self._server is not None
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def run(
        self, ready: Callable[[], object] = lambda: None, ports: Sequence[int] = (0,)
    ) -> None:
        """Serve until cancelled, on the first of some ports that is free (0: any). ``ready`` is called
        once somebody can come in."""
        try:
            async with await self._listen(ports) as server:
                self._server = server
                ready()
                await self._watch()
        finally:
            # What is being written is written to its end; whoever is here has left by then.
            self._worker.shutdown(wait=True)
            await self._guests.close()

    async def _listen(self, ports: Sequence[int]) -> Server:
        # The library names a class here, and calls it.
        visit: Any = partial(Visit, self._strangers)
        for port in ports:
            try:
                return await serve(
                    self._serve,
                    self.host,
                    port,
                    create_connection=visit,
                    process_request=self._request,
                    # Nobody can be made to unpack anything, and strangers send next to nothing.
                    compression=None,
                    max_size=LARGEST_OF_STRANGER,
                    max_queue=4,
                    open_timeout=PATIENCE,
                    # A question that takes long keeps what comes after it from being read, the answer
                    # to a ping among it: it closes nobody's desk.
                    ping_timeout=None,
                    server_header=None,
                )
            except OSError as error:
                if port == ports[-1] or error.errno != errno.EADDRINUSE:
                    raise
        raise ValueError("no port to listen on")

    # -- who may come in ---------------------------------------------------------------------------

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """What is answered to a request; None lets a WebSocket begin."""
        hosts = request.headers.get_all("Host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not host or not known(host, self.host):
            return respond(HTTPStatus.FORBIDDEN, b"This is served under its own name only.\n")
        path = request.path.partition("?")[0]
        if path == SOCKET:
            if request.headers.get("Origin") != f"http://{host}":
                return respond(HTTPStatus.FORBIDDEN, b"Questions come from the page itself.\n")
            return None
        if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin") and (
            request.headers.get("Sec-Fetch-Mode") != "navigate"
        ):
            return respond(HTTPStatus.FORBIDDEN, b"This is for its own page.\n")
        page = self._pages.get(path)
        if page is None:
            return respond(HTTPStatus.NOT_FOUND, b"There is nothing here.\n")
        return found(page, host)

    async def _enter(self, connection: ServerConnection) -> bool:
        """Let in whoever shows a key, a token or a code; True if somebody came in."""
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            async with asyncio.timeout(PATIENCE):
                question = _read(await connection.recv())
                word = question.get("key")
                entered = (
                    self.keys.enter(word)
                    if question.get("ask") == "enter" and isinstance(word, str)
                    else None
                )
                id = question.get("id")
                if entered is None:
                    # So that nobody tries many in a short time.
                    await asyncio.sleep(1)
                    return await self._refuse(connection, id, "this key is not known here")
                key, guest = entered
                alike = sum((desk is None) == guest for desk in self._open.values())
                if alike >= (MOST_GUESTS if guest else MOST_KEEPERS):
                    who = "guests" if guest else "desks"
                    return await self._refuse(connection, id, f"too many {who} are open here")
                self._strangers.leave(connection)
                connection.protocol.max_message_size = LARGEST_OF_GUEST if guest else LARGEST
                desk = None if guest else Desk(self.room, tell=self._changed)
                self._open[connection] = desk
                answer = {"key": key, "guest": guest}
                await connection.send(_written({"id": id, "answer": answer}))
                return True
        return False

    async def _refuse(self, connection: ServerConnection, id: object, message: str) -> bool:
        refused = {"message": message, "help": []}
        await connection.send(_written({"id": id, "refused": refused}))
        await connection.close(1008)
        return False

    # -- questions ---------------------------------------------------------------------------------

    async def _serve(self, connection: ServerConnection) -> None:
        try:
            if await self._enter(connection):
                desk = self._open[connection]
                async for message in connection:
                    await connection.send(await self._answered(desk, _read(message)))
        except ConnectionClosed:
            pass
        finally:
            gone = self._open.pop(connection, None)
            if gone is not None:
                await self._work(gone.leave)

    async def _answered(self, desk: Desk | None, question: dict[str, Any]) -> str:
        """The answer to a question, as JSON; without a desk, to a guest's."""
        if desk is None:
            return await self._guests.answer(question)
        if question.get("ask") == "invite":
            invited = self.invite(keeper=question.get("keeper") is True)
            return _written({"id": question.get("id"), "answer": invited})
        return _written(await self._answer(desk, question))

    async def _answer(self, desk: Desk, question: dict[str, Any]) -> Any:
        try:
            return await self._work(desk.ask, question)
        except Exception as error:
            if os.environ.get("CHRONICLE_DEBUG"):
                raise
            # The page would come back and ask the same again, for ever: it is told instead.
            fault = fault_in(self.room.folder, error)
            said = {"message": fault.message, "help": [*fault.help]}
            return {"id": question.get("id"), "refused": said}

    @property
    def address(self) -> str:
        """Where others nearby find it; empty where it is for this computer alone."""
        return f"http://{nearby()}:{self.port}/" if self.host == EVERYWHERE else ""

    def invite(self, *, keeper: bool = False) -> dict[str, Any]:
        """How somebody else comes in: one more keeper by a link that works once, guests by a code as often
        as they like. ``dots`` is the link as a QR code, row by row, for who comes from another device."""
        word = self.keys.token() if keeper else self.keys.code()
        here = self.address
        link = f"{here or f'http://{self.host}:{self.port}/'}#{word}"
        dots = draw_code(link) if here else []
        return {"word": word, "address": here, "link": link, "dots": dots}

    async def _work(self, act: Callable[..., Any], *given: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._worker, act, *given))

    # -- what changes ------------------------------------------------------------------------------

    def _changed(self, campaign: str, by: Desk) -> None:
        """A desk has changed a campaign: the others are told. Called on the worker's thread."""
        assert self._server is not None
        self._server.get_loop().call_soon_threadsafe(self._tell, campaign, by)

    def _tell(self, campaign: str, by: Desk | None = None) -> None:
        message = _written({"tell": "changed", "campaign": campaign})
        for connection, desk in [*self._open.items()]:
            if by is None or desk is not by:
                self._telling(_send(connection, message))

    def _telling(self, act: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(act)
        # The loop itself does not keep them.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self) -> None:
        """Look at the disk now and then: somebody may write with an editor."""
        while True:
            await asyncio.sleep(PAUSE)
            for campaign in await self._work(self.room.outside_changes):
                self._tell(campaign)


def draw_code(link: str) -> list[str]:
    """Return the QR code of a link, row by row: ``1`` is dark. The margin around it is not in the rows.

    Raises:
        segno.DataOverflowError: when the link has more than 2,953 bytes.
    """
    # Only a desk that others can reach draws one; most of the time of this import goes into modules for the web.
    from segno import make_qr

    return ["".join(map(str, row)) for row in make_qr(link).matrix]


def nearby() -> str:
    """The address of this computer among those nearby. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
            return str(way.getsockname()[0])
        except OSError:
            return socket.gethostname()


async def _send(connection: ServerConnection, message: str) -> None:
    with contextlib.suppress(ConnectionClosed):
        await connection.send(message)


def _read(message: str | bytes) -> dict[str, Any]:
    """A question; an empty one if it cannot be read."""
    with contextlib.suppress(ValueError, RecursionError):
        question = json.loads(message)
        if isinstance(question, dict):
            return question
    return {}


def _written(answer: object) -> str:
    # ASCII: half of a sign in a question stands in its answer as well.
    return json.dumps(answer, separators=(",", ":"))
