"""Draw pages of a project's own templates in a child process with limits on time and memory.

Templates come from friends and forums. A single call in one can take all memory or run for hours. The child is a
fork, so it has the campaign in memory, and it sends back the finished text. A template that fails costs one
warning and the pages that it draws.

Only Linux can both fork safely and limit memory. Elsewhere this process draws the templates, within the bounds of
:mod:`chronicle.site.sandbox`.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import select
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from math import ceil
from pathlib import Path
from time import process_time, sleep
from typing import IO, Any, Final, NamedTuple

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError, UndefinedError
from markupsafe import escape

from chronicle.core.diagnostic import did_you_mean, listed
from chronicle.limited import read_message, write_message
from chronicle.site import sandbox
from chronicle.site.files import SiteFile
from chronicle.site.sandbox import BoundedEnvironment, limited_memory
from chronicle.site.template_files import template_names
from chronicle.words import find_message

CAN_FORK: Final = sys.platform == "linux"
"""Whether this system can fork safely."""
ELAPSED_SECONDS_PER_COMPUTED: Final = 5
"""How many seconds may pass for each second that a page may compute."""
MAX_PAGE_LETTERS: Final = 10_000_000
"""How many letters a page may have."""
_UNDEFINED: Final = re.compile(r"'(?P<name>\w+)' is undefined")
_STACK_LINE: Final = re.compile(rb'File "([^"\n]+)", line (\d+)')


class TemplateFault(Exception):
    """A template of the project fails. The message gives the file, the line and the reason."""


class DrawingTask(NamedTuple):
    """A function that draws some texts, and the template it draws them with (``pages/cast.html``), a folder of
    templates (``book/``), or nothing if it uses macros alone."""

    draw: Callable[[], list[str]]
    template: str = ""


def draw_in_child_process(
    env: Environment, drawing_tasks: Sequence[DrawingTask]
) -> Iterator[list[str] | TemplateFault]:
    """Run some drawings in order; those that use a template of the project run in a child process.

    Returns:
        For each drawing its texts, or the fault of the template.
    """
    if not isinstance(env, BoundedEnvironment) or env.is_child:
        yield from (draw() for draw, _ in drawing_tasks)
        return
    child: _ChildProcess | None = None
    try:
        for task_index, (draw, template_name) in enumerate(drawing_tasks):
            if not env.owns(template_name):
                env.begin_page()
                yield draw()
            elif not CAN_FORK:
                yield _draw_in_this_process(env, draw)
            elif env.seconds_lost > sandbox.MAX_SECONDS:
                # All pages that fail have as much time together as one page has.
                yield TemplateFault(env.last_fault)
            else:
                child = child or _ChildProcess(env, drawing_tasks[task_index:])
                texts_or_fault = child.take_answer()
                if texts_or_fault is None:
                    texts_or_fault, child = TemplateFault(child.explain_stop()), None
                    env.seconds_lost += sandbox.MAX_SECONDS
                if isinstance(texts_or_fault, TemplateFault):
                    env.last_fault = str(texts_or_fault)
                yield texts_or_fault
    finally:
        if child is not None:
            child.end()


def draw_text(env: Environment, draw_template: Callable[[], str], template_name: str = "") -> str:
    """Run a drawing of one text. Where a template of the project fails, warn, and return an empty text."""
    (texts_or_fault,) = draw_in_child_process(
        env, [DrawingTask(lambda: [draw_template()], template_name)]
    )
    if isinstance(texts_or_fault, TemplateFault):
        assert isinstance(env, BoundedEnvironment)
        env.report(str(texts_or_fault))
        return ""
    return texts_or_fault[0]


def draw_files(
    env: Environment, page_tasks: Sequence[tuple[str, Callable[[], SiteFile], str]]
) -> Iterator[SiteFile]:
    """Draw pages. Where a template of the project fails, warn, and return a page that says so.

    Args:
        env: the templates.
        page_tasks: for each page its path, the function that draws it, and its template.
    """

    def draw_texts(draw: Callable[[], SiteFile]) -> list[str]:
        page = draw()
        return [page.title, page.html, json.dumps([page.meta, page.is_searched])]

    drawing_tasks = [
        DrawingTask(partial(draw_texts, draw), template_name)
        for _, draw, template_name in page_tasks
    ]
    for (page_path, _, _), texts_or_fault in zip(
        page_tasks, draw_in_child_process(env, drawing_tasks), strict=True
    ):
        if isinstance(texts_or_fault, TemplateFault):
            assert isinstance(env, BoundedEnvironment)
            env.report(str(texts_or_fault))
            page_title = page_path.rpartition("/")[2].capitalize()
            texts_or_fault = [
                page_title,
                failed_page_html(page_title),
                json.dumps([{"title": page_title}, True]),
            ]
        meta, is_searched = json.loads(texts_or_fault[2])
        yield SiteFile(
            page_path, texts_or_fault[0], texts_or_fault[1], meta=meta, is_searched=is_searched
        )


def failed_page_html(page_title: str) -> str:
    """The body of a page whose template fails."""
    failure_text = find_message("site.template_fails")
    return f'<div class="ch-body"><h1>{escape(page_title)}</h1><p>{escape(failure_text)}</p></div>'


class _ChildProcess:
    """A forked process that runs drawings in order and sends the texts of each as a message."""

    def __init__(self, env: BoundedEnvironment, drawing_tasks: Sequence[DrawingTask]) -> None:
        self._env = env
        # The child writes its stack here when its time is up.
        self._stack_file = tempfile.TemporaryFile()  # noqa: SIM115
        self._stack_text = b""
        self._has_timed_out = False
        read_end, write_end = os.pipe()
        with warnings.catch_warnings():
            # Python warns if other threads run: a lock that another thread holds stays locked in the child.
            # The child then waits until its time is up.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        if not self._process:
            # The child must not run the clean-up of its parent.
            try:
                os.close(read_end)
                with os.fdopen(write_end, "wb") as answer_pipe:
                    _run_drawings_in_child(env, drawing_tasks, answer_pipe, self._stack_file)
            finally:
                os._exit(0)
        os.close(write_end)
        self._answer_pipe = os.fdopen(read_end, "rb")

    def take_answer(self) -> list[str] | TemplateFault | None:
        """Return the next texts, or the fault of the template, or None if the child has stopped."""
        readable_pipes, _, _ = select.select(
            [self._answer_pipe], [], [], ELAPSED_SECONDS_PER_COMPUTED * sandbox.MAX_SECONDS
        )
        self._has_timed_out = not readable_pipes
        try:
            answer_message = read_message(self._answer_pipe) if readable_pipes else None
        except EOFError:
            answer_message = None
        if answer_message is None:
            if self._has_timed_out:
                os.kill(self._process, signal.SIGXCPU)
                sleep(1)
            self.end()
            return None
        self._env.graph_layouts.update(answer_message.fields["graphs"])
        for message in answer_message.fields["warnings"]:
            self._env.warn_keeper(message)
        if answer_message.fields["fault"]:
            self._env.seconds_lost += answer_message.fields["seconds"]
            return TemplateFault(answer_message.fields["fault"])
        return [
            encoded_text.decode("utf-8", "surrogatepass") for encoded_text in answer_message.blobs
        ]

    def end(self) -> None:
        """End the process."""
        self._answer_pipe.close()
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._stack_file.seek(0)
        self._stack_text = self._stack_file.read()
        self._stack_file.close()

    def explain_stop(self) -> str:
        """Explain why the process stopped, and name the template if its stack does."""
        template_folder = self._env.template_folder.resolve()
        stack_files = (
            Path(os.fsdecode(file_name)) for file_name, _ in _STACK_LINE.findall(self._stack_text)
        )
        template_file = next(
            (file for file in stack_files if file.is_relative_to(template_folder)), template_folder
        )
        shown_path = template_file.relative_to(template_folder.parent).as_posix()
        if self._stack_text or self._has_timed_out:
            return f"{shown_path}: this template runs for more than {sandbox.MAX_SECONDS} seconds on one page"
        return f"{shown_path}: this template crashes the process that draws it, or needs too much memory"


def _run_drawings_in_child(
    env: BoundedEnvironment,
    drawing_tasks: Sequence[DrawingTask],
    answer_pipe: IO[bytes],
    stack_file: IO[bytes],
) -> None:
    """Run the drawings in the child process."""
    import resource

    env.is_child = True
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # No exception can interrupt a call into C; this signal ends the process.
    faulthandler.register(signal.SIGXCPU, stack_file, all_threads=False, chain=True)
    with limited_memory():
        for draw, template in drawing_tasks:
            if not env.owns(template):
                continue
            env.begin_page()
            start_seconds = process_time()
            cpu_limit = ceil(start_seconds) + sandbox.MAX_SECONDS + 1
            resource.setrlimit(
                resource.RLIMIT_CPU, (cpu_limit, resource.getrlimit(resource.RLIMIT_CPU)[1])
            )
            earlier_graphs, fault, drawn_texts = {*env.graph_layouts}, "", list[str]()
            try:
                drawn_texts = draw()
            except Exception as error:
                fault = explain_template_fault(
                    error, env.template_folder, page_template=f"templates/{template}"
                )
            encoded_texts = [
                drawn_text.encode("utf-8", "surrogatepass") for drawn_text in drawn_texts
            ]
            if sum(map(len, encoded_texts)) > MAX_PAGE_LETTERS:
                encoded_texts, fault = (
                    [],
                    f"templates/{template}: a page has more than {MAX_PAGE_LETTERS:,} letters",
                )
            answer_fields = {
                "fault": fault,
                "graphs": {
                    graph_key: env.graph_layouts[graph_key]
                    for graph_key in env.graph_layouts.keys() - earlier_graphs
                },
                "warnings": env.take_warnings(),
                "seconds": process_time() - start_seconds,
            }
            write_message(answer_pipe, answer_fields, encoded_texts)


def _draw_in_this_process(
    env: BoundedEnvironment, draw: Callable[[], list[str]]
) -> list[str] | TemplateFault:
    """Run a drawing in this process."""
    env.begin_page()
    try:
        return draw()
    except Exception as error:
        fault = explain_template_fault(error, env.template_folder)
        if not fault:
            raise
        return TemplateFault(fault)


def explain_template_fault(
    error: BaseException, template_folder: Path, page_template: str = ""
) -> str:
    """Explain where and how a template of the project failed (``templates/x.html:3: ...``).

    Args:
        error: the exception.
        template_folder: the folder of the project's templates.
        page_template: the template of the page. With it, a failure of Chronicle's own code is explained, too.

    Returns:
        The explanation; empty if Chronicle's own code failed.
    """
    template_folder = template_folder.resolve()
    fault_location: tuple[str, int] | None = None
    known_value_names: list[str] = []
    error_text, last_location = " ".join(str(error).split()) or type(error).__name__, ""
    for frame, line_number in traceback.walk_tb(error.__traceback__):
        file, frame_globals = frame.f_code.co_filename, frame.f_globals
        template: Any = frame_globals.get("__jinja_template__")
        if template is not None:
            fault_location = str(template.filename), template.get_corresponding_lineno(line_number)
        elif "__jinja_exception__" in frame_globals:
            fault_location = file, line_number
            # Jinja shows the values of the template as variables of this frame.
            known_value_names = [
                value_name for value_name, value in frame.f_locals.items() if not callable(value)
            ]
        elif f"{os.sep}chronicle{os.sep}site{os.sep}" in file and file != sandbox.__file__:
            fault_location = None  # code of ours that the template called has failed
        last_location = f"{Path(file).name}:{line_number}"
    if isinstance(error, TemplateSyntaxError) and error.filename:
        fault_location = error.filename, error.lineno
    if fault_location is None or not Path(fault_location[0]).resolve().is_relative_to(
        template_folder
    ):
        error_type = type(error).__name__
        return (
            page_template
            and f"{page_template}: a fault in Chronicle at {last_location} ({error_type}: {error_text})"
        )
    if isinstance(error, TemplateNotFound):
        known_templates = template_names(template_folder)
        error_text = (
            f"there is no template '{error.name}'{did_you_mean(str(error.name), known_templates)}"
        )
    if isinstance(error, UndefinedError) and (undefined_match := _UNDEFINED.fullmatch(error_text)):
        known_in_words = (
            f"; it knows {listed(sorted(known_value_names))}" if known_value_names else ""
        )
        error_text += did_you_mean(undefined_match["name"], known_value_names) or known_in_words
    if isinstance(error, RecursionError):
        error_text = "this template uses itself without end"
    if isinstance(error, MemoryError):
        error_text = "this template needs too much memory"
    shown_path = Path(fault_location[0]).resolve().relative_to(template_folder.parent).as_posix()
    return f"{shown_path}:{fault_location[1]}: {error_text}"
