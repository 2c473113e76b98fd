"""The ``chronicle`` command: thin, and quick to start.

``main`` is the guard around everything. ``app`` lists the commands. Each is a small module that imports its
needs when it runs, because a check after every line must not wait for the modules of the site.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import Final

_DISK_ERRORS: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO))
"""What the system says when a disk is full or broken: no fault of ours, nor of the log."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code: 0 all well, 1 findings, 2 could not run."""
    argument_list = sys.argv[1:] if arguments is None else list(arguments)
    if argument_list == ["--version"]:
        # Programs ask this before they do anything else: no options machinery for a constant.
        print(f"chronicle {_version()}")
        return 0
    from chronicle.cli.out import sanitized_output

    with sanitized_output():
        return _run_guarded(argument_list)


def _version() -> str:
    """The version, with the commit where it is known: ``0.1.0 (commit 1a2b3c4)``."""
    from chronicle import __version__
    from chronicle.cli.revision import revision

    commit = revision()
    return f"{__version__} (commit {commit})" if commit else __version__


def _run_guarded(arguments: list[str]) -> int:
    """Run one command; report its result or failure in words."""
    from chronicle.cli.out import Cannot, obstacle_of
    from chronicle.core.errors import Refused

    try:
        exit_code = _quick_check(arguments)
        if exit_code is None:
            exit_code = _run_command(arguments)
        # The language server closes it when its editor has gone.
        if not sys.stdout.closed:
            sys.stdout.flush()
        # The process ends here; to look for garbage first would take a third of a long check.
        gc.freeze()
        return exit_code
    except Refused as error:
        Cannot(str(error), *error.help).show()
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has closed it (`chronicle check | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
            return _report_disk_error(error)
        if os.environ.get("CHRONICLE_DEBUG"):
            raise
        obstacle = obstacle_of(error)
        if obstacle is None:
            return _report_fault(arguments)
        obstacle.show()
        return 2


def _report_disk_error(error: OSError) -> int:
    """Say what could not be written, to a file or to standard output."""
    from chronicle.cli.out import Cannot

    # Python would report at its end that it cannot write the rest of the buffer either.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    file_text = f" '{error.filename}'" if error.filename else ", so the output is not whole"
    Cannot(f"cannot write{file_text}: {error.strerror}").show()
    return 2


def _quick_check(arguments: list[str]) -> int | None:
    """``chronicle check PATH``, which editors run after every save, without loading the machinery of
    options: that alone takes as long as checking a thousand entries. None: it is something else."""
    campaign_path = arguments[1] if arguments[:1] == ["check"] and len(arguments) == 2 else None
    if campaign_path is None or campaign_path.startswith("-"):
        return None
    # Nearly all objects from here on live to the end of the process. Looking for garbage would cost a tenth
    # of the time and find a few hundred objects.
    gc.disable()
    try:
        from pathlib import Path

        from chronicle.cli.checking import check_once

        return check_once(Path(campaign_path), "text", is_strict=False)
    finally:
        gc.freeze()
        gc.enable()


def _run_command(arguments: list[str]) -> int:
    import click

    from chronicle.cli.app import chronicle

    try:
        exit_code = chronicle.main(
            arguments or ["--help"], prog_name="chronicle", standalone_mode=False
        )
    except click.exceptions.Exit as exit_request:
        return exit_request.exit_code
    except click.Abort:
        print("Stopped.", file=sys.stderr)
        return 130
    except click.ClickException as error:
        error.show()
        return 2
    return exit_code if isinstance(exit_code, int) else 0


def _report_fault(arguments: list[str]) -> int:
    """Own up to a fault of the program, with what a report needs."""
    import platform

    from chronicle.games import trace_fault

    error = sys.exc_info()[1]
    assert error is not None
    fault = trace_fault(error)
    package_line = f"  package {fault.package}\n" if fault.package else ""
    addressee_text = " to the makers of that package" if fault.package else ""
    print(
        f"\nThis is a fault in {fault.whose}, not in your log. Your files are as they were.\n\n"
        f"  {type(error).__name__}: {error}\n"
        f"  at {fault.place}\n"
        f"{package_line}"
        f"  chronicle {' '.join(arguments)}\n"
        f"  version {_version()}, Python {platform.python_version()}, {platform.system()}\n\n"
        f"Please report it{addressee_text} with these lines, and the log if you can share it. CHRONICLE_DEBUG=1\n"
        "before the command shows the whole traceback.",
        file=sys.stderr,
    )
    return 2
