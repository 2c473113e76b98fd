"""The child process that reads untrusted files for :mod:`chronicle.limited`.

``python -m chronicle.worker SECONDS MEGABYTES`` reads tasks from standard input, runs each within these
limits, and writes one answer for each to standard output.
"""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from chronicle.limited import Failed, Message, read_message, write_message

Answer = tuple[Mapping[str, Any], list[bytes]]


def publish_picture(task: Message) -> Answer:
    """Make a picture publishable. Takes ``ending`` and the picture; returns the picture."""
    from chronicle.core.pictures import PictureRefused, publishable_bytes

    try:
        return {}, [publishable_bytes(task.fields["ending"], task.blobs[0])]
    except PictureRefused as error:
        raise Failed(str(error), error.help) from None


def draw_share(task: Message) -> Answer:
    """Draw the share card of a campaign. Takes its words and its cover; returns a PNG."""
    from chronicle.site.share import SharePicture, UndrawableCover, draw_share

    card_texts = {
        name: task.fields[name] for name in SharePicture._fields if name != "cover_contents"
    }
    try:
        return {}, [draw_share(SharePicture(**card_texts, cover_contents=task.blobs[0]))]
    except UndrawableCover as error:
        raise Failed(str(error)) from None


def unpack_parcel(task: Message) -> Answer:
    """Open a zip of campaigns. Takes the zip, and ``name`` for a campaign in no folder; returns the files."""
    from chronicle.syntax.bundle import BadBundle, read_bundle

    try:
        parcel = read_bundle(task.blobs[0], task.fields["name"])
    except BadBundle as error:
        raise Failed(str(error), *error.help) from None
    file_names_by_campaign = {campaign: [*files] for campaign, files in parcel.campaigns.items()}
    blobs = [data for files in parcel.campaigns.values() for data in files.values()]
    return {"campaigns": file_names_by_campaign, "left": parcel.ignored_paths}, blobs


TASKS: Final[Mapping[str, Callable[[Message], Answer]]] = {
    "picture": publish_picture,
    "share": draw_share,
    "parcel": unpack_parcel,
}


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process, where the operating system can."""
    _limit("RLIMIT_AS", megabytes * 1024 * 1024)


def limit_time(seconds: int) -> None:
    """Limit the time until the next answer. After it, the process writes a traceback to standard error and
    ends, even inside a C library."""
    from time import process_time

    faulthandler.dump_traceback_later(seconds, exit=True)
    # Ends the child if its parent has died.
    _limit("RLIMIT_CPU", int(process_time()) + 2 * seconds)


def _limit(limit_name: str, limit: int) -> None:
    try:
        import resource
    except ImportError:
        return  # Windows
    resource_id = getattr(resource, limit_name)
    _, hard_limit = resource.getrlimit(resource_id)
    try:
        resource.setrlimit(
            resource_id, (limit if hard_limit < 0 else min(limit, hard_limit), hard_limit)
        )
    except (ValueError, OSError):
        return  # macOS refuses a limit on memory


def main() -> None:
    """Run tasks until the parent closes the input."""
    seconds, megabytes = (int(argument) for argument in sys.argv[1:3])
    task_stream, answer_stream = sys.stdin.buffer, sys.stdout.buffer
    # Libraries may print; the answers have the stream to themselves.
    sys.stdout = sys.stderr
    limit_memory(megabytes)
    while True:
        try:
            task = read_message(task_stream)
        except EOFError:
            return
        limit_time(seconds)
        fields: Mapping[str, Any]
        try:
            fields, blobs = TASKS[task.fields["task"]](task)
        except Failed as error:
            fields, blobs = {"failed": str(error), "help": error.help}, []
        except MemoryError:
            raise
        except Exception as error:
            # Decoders raise many kinds of errors for damaged files.
            message = f"it is damaged ({type(error).__name__}: {error})"
            fields, blobs = {"failed": message[:500], "help": ()}, []
        write_message(answer_stream, fields, blobs)
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
