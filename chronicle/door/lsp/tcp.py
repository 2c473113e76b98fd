"""The language server on a port of this computer. It answers an editor, never a page in a browser."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from threading import Event
from typing import Final

from pygls.io_ import run_async

from chronicle.door.lsp.desk import EditorServer

HOST: Final = "127.0.0.1"
"""The address of this computer; the server listens on no other."""
FIRST_MESSAGE_TIMEOUT: Final = 10.0
"""The seconds that an editor has to start its first message."""
_HEADER: Final = re.compile(rb"(?:Content-Length: [0-9]{1,9}|Content-Type: [^\r\n]*)\r\n")


class Messages:
    """The messages of a connection. They end at the first header line that the Language Server Protocol does
    not know: a browser's request begins with such a line, whatever its body is."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._first_line = b""

    async def begin(self) -> bool:
        """Wait for the first line; False if it is no header of the protocol."""
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(FIRST_MESSAGE_TIMEOUT):
                self._first_line = await self.readline()
        return bool(self._first_line.strip())

    async def readline(self) -> bytes:
        """The next header line, or the empty line below the headers; nothing at the end."""
        if self._first_line:
            line, self._first_line = self._first_line, b""
            return line
        try:
            line = await self._reader.readline()
        except (ValueError, OSError):
            # The line is longer than any header, or the editor is gone.
            return b""
        return line if line == b"\r\n" or _HEADER.fullmatch(line) else b""

    async def readexactly(self, size: int) -> bytes:
        """The body of a message; nothing if the connection ends in it."""
        with suppress(asyncio.IncompleteReadError, OSError):
            return await self._reader.readexactly(size)
        return b""


async def serve_tcp(editor_server: EditorServer, port: int) -> None:
    """Serve one editor on a port, until it leaves."""
    end_event = asyncio.Event()
    stop_event = Event()
    writers: list[asyncio.StreamWriter] = []

    async def serve_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        messages = Messages(reader)
        try:
            if await messages.begin() and not writers:
                writers.append(writer)
                editor_server.protocol.set_writer(writer)
                # An editor that says goodbye ends the program: that is how the library puts it.
                try:
                    with suppress(SystemExit):
                        await run_async(stop_event, messages, editor_server.protocol)
                finally:
                    end_event.set()
        finally:
            writer.close()

    async with await asyncio.start_server(serve_connection, HOST, port):
        await end_event.wait()
