"""The server: it answers those only who come by its own name, from its own page, with its own key."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import socket
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from chronicle.campaigns import fault_in
from chronicle.core.hosts import known
from chronicle.desk.ask import Desk
from chronicle.desk.room import Room
from chronicle.door.keys import Keys
from chronicle.door.pages import found, pages, respond

SOCKET: Final = "/desk"
"""The address of the WebSocket."""
EVERYWHERE: Final = "0.0.0.0"
"""The host of a server that others nearby find as well."""
LARGEST: Final = 20 * 1024 * 1024
"""The largest question: a file and what is around it."""
PATIENCE: Final = 15.0
"""Seconds in which somebody has to show a key."""
MOST_OPEN: Final = 64
"""How many connections are kept at once."""
PAUSE: Final = 0.4
"""Seconds between two looks at the disk."""


class Door:
    """One server and the desks behind it."""

    def __init__(self, room: Room, assets: Path, host: str = "127.0.0.1") -> None:
        self.room, self.host = room, host
        self.keys = Keys()
        self._pages = pages(assets)
        # Questions are answered one after the other, on a thread that keeps no connection waiting.
        self._worker = ThreadPoolExecutor(1, "desk")
        self._open: dict[ServerConnection, Desk] = {}
        self._told: dict[str, int] = {}
        """How many outside changes of each open campaign the desks were told of."""
        self._asked = 0
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

    async def _listen(self, ports: Sequence[int]) -> Server:
        for port in ports:
            try:
                return await serve(
                    self._serve,
                    self.host,
                    port,
                    process_request=self._request,
                    max_size=LARGEST,
                    max_queue=4,
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
        host = request.headers.get("Host", "")
        if not host or not known(host, self.host):
            return respond(HTTPStatus.FORBIDDEN, b"This is served under its own name only.\n")
        path = request.path.partition("?")[0]
        if path == SOCKET:
            if request.headers.get("Origin") != f"http://{host}":
                return respond(HTTPStatus.FORBIDDEN, b"Questions come from the page itself.\n")
            if len(self._open) >= MOST_OPEN:
                return respond(HTTPStatus.SERVICE_UNAVAILABLE, b"Too many desks are open.\n")
            return None
        if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin") and (
            request.headers.get("Sec-Fetch-Mode") != "navigate"
        ):
            return respond(HTTPStatus.FORBIDDEN, b"This is for its own page.\n")
        page = self._pages.get(path)
        if page is None:
            return respond(HTTPStatus.NOT_FOUND, b"There is nothing here.\n")
        return found(page, host)

    async def _enter(self, connection: ServerConnection) -> Desk | None:
        """The desk of whoever shows a key, a token or a code; None for everybody else."""
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
                    said = {"message": "this key is not known here", "help": []}
                    await connection.send(_written({"id": id, "refused": said}))
                    await connection.close(1008)
                    return None
                key, guest = entered
                answer = {"key": key, "guest": guest}
                await connection.send(_written({"id": id, "answer": answer}))
                return Desk(self.room, guest=guest, tell=self._changed)
        return None

    # -- questions ---------------------------------------------------------------------------------

    async def _serve(self, connection: ServerConnection) -> None:
        desk = await self._enter(connection)
        if desk is None:
            return
        self._open[connection] = desk
        try:
            async for message in connection:
                question = _read(message)
                if question.get("ask") == "invite" and not desk.guest:
                    invited = self.invite(keeper=question.get("keeper") is True)
                    answer = {"id": question.get("id"), "answer": invited}
                else:
                    self._asked += 1
                    answer = await self._answer(desk, question)
                await connection.send(_written(answer))
        except ConnectionClosed:
            pass
        finally:
            self._open.pop(connection, None)
            await self._work(desk.leave)

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
            if desk is not by:
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
            for campaign in await self._work(self._look):
                self._tell(campaign)

    def _look(self) -> list[str]:
        """The open campaigns whose files somebody else has changed; they are read again."""
        changes = {opened.id: opened.outside_changes for opened in self.room.look()}
        news = [id for id, count in changes.items() if count != self._told.get(id, 0)]
        self._told = changes
        return news


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
