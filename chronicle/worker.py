"""The child process in which files of strangers are read, for :mod:`chronicle.limited`.

``python -m chronicle.worker SECONDS MEGABYTES`` reads one task after the other from its input, each done
within these limits, and writes an answer to each.
"""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from chronicle.limited import Failed, Message, read_message, write_message

Answer = tuple[Mapping[str, Any], list[bytes]]


def publish_picture(task: Message) -> Answer:
    """Make a picture publishable (``ending``, its bytes)."""
    from chronicle.core.pictures import Refused, publishable

    try:
        return {}, [publishable(task.fields["ending"], task.blobs[0])]
    except Refused as refused:
        raise Failed(str(refused), refused.help) from None


def draw_share(task: Message) -> Answer:
    """Draw the picture that goes with a link (what it says, its cover)."""
    from chronicle.site.share import Share, Undrawable, draw

    words = {name: task.fields[name] for name in Share._fields if name != "cover"}
    try:
        return {}, [draw(Share(**words, cover=task.blobs[0]))]
    except Undrawable as refused:
        raise Failed(str(refused)) from None


def unpack_parcel(task: Message) -> Answer:
    """Open a zip of campaigns (``name`` is what one is called that lies in no folder, the zip)."""
    from chronicle.transcript.parcel import BadParcel, unpacked

    try:
        found = unpacked(task.blobs[0], task.fields["name"])
    except BadParcel as refused:
        raise Failed(str(refused), *refused.help) from None
    names = {campaign: [*files] for campaign, files in found.campaigns.items()}
    blobs = [data for files in found.campaigns.values() for data in files.values()]
    return {"campaigns": names, "left": found.left}, blobs


TASKS: Final[Mapping[str, Callable[[Message], Answer]]] = {
    "picture": publish_picture,
    "share": draw_share,
    "parcel": unpack_parcel,
}


def limit_memory(megabytes: int) -> None:
    """Let this process use so much memory, where the operating system can hold it to that."""
    _limit("RLIMIT_AS", megabytes * 1024 * 1024)


def limit_time(seconds: int) -> None:
    """Let this process go on for so long. It ends wherever it is by then, also within a library, and writes
    down where that was."""
    from time import process_time

    faulthandler.dump_traceback_later(seconds, exit=True)
    # Should its parent die, nobody else ends it.
    _limit("RLIMIT_CPU", int(process_time()) + 2 * seconds)


def _limit(name: str, value: int) -> None:
    try:
        import resource
    except ImportError:
        return  # Windows
    kind = getattr(resource, name)
    _, most = resource.getrlimit(kind)
    try:
        resource.setrlimit(kind, (value if most < 0 else min(value, most), most))
    except (ValueError, OSError):
        return  # macOS knows the limit on memory, and does not take it


def main() -> None:
    """Do the tasks that come in, until there are no more."""
    seconds, megabytes = (int(word) for word in sys.argv[1:3])
    tasks, answers = sys.stdin.buffer, sys.stdout.buffer
    # What a library says does not belong between the answers.
    sys.stdout = sys.stderr
    limit_memory(megabytes)
    while True:
        try:
            task = read_message(tasks)
        except EOFError:
            return
        limit_time(seconds)
        fields: Mapping[str, Any]
        try:
            fields, blobs = TASKS[task.fields["task"]](task)
        except Failed as failed:
            fields, blobs = {"failed": str(failed), "help": failed.help}, []
        except MemoryError:
            raise
        except Exception as error:
            # Decoders fail in many ways at what is damaged.
            said = f"it is damaged ({type(error).__name__}: {error})"
            fields, blobs = {"failed": said[:500], "help": ()}, []
        write_message(answers, fields, blobs)
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
