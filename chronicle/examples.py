"""Play examples in other people's pages: a fenced block ``chronicle`` in Markdown is replayed, checked, and
drawn as annotated play.

A block holds a small game of its own::

    game: positive
    players: [Ana, Bo, Cy, Dee]
    given:            # the entries before: they are replayed, and not shown
    - cast: {...}
    log:
    - scene: ...

or names some lines of a session (``from: sessions/the-boathouse/01.yaml:12-30``), or entries by their ids
(``from: sessions/the-boathouse/01.yaml#letter..dispute``). ``expect: [P9]`` names the
errors that the example shows, in both. Any other error is an error of the page, with the page's own line.
``show: steps`` shows the log, its problems, and the page without the lines that have problems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.campaigns import fault_in, load, open_view, run
from chronicle.core.campaign_view import Ref
from chronicle.core.diagnostic import Diagnostic, Severity, did_you_mean
from chronicle.core.game import Game
from chronicle.core.record import Step
from chronicle.site.apart import draw_text
from chronicle.site.campaign_site import CampaignSite, SiteContext
from chronicle.site.draw import Renderer, compact_html
from chronicle.site.evening import SceneEnd, TextEntry, Throw
from chronicle.site.excerpt import UnknownPassage, parse_passage, rows_of_steps, steps_on_lines
from chronicle.site.graphs import GraphDrawer
from chronicle.site.links import NameLinker
from chronicle.site.pages.session import row_data
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.render import as_terminal_text

MAX_EXAMPLE_LINES = 2_000
"""How many lines an example may have."""
SESSION_FILE_NAME = "01.yaml"
_FENCE_LINE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`]*)\Z")
_FROM_LINE = re.compile(r"from:[ \t]*(['\"]?)(?P<passage>[^'\"]+?)\1\s*\Z")
_EXPECT_LINE = re.compile(r"expect:[ \t]*\[?([A-Za-z0-9., ]*)\]?\s*(?:#.*)?\Z")
_STEPS_LINE = re.compile(r"show:\s*steps\s*(?:#.*)?\Z")
_KEY_OF_LINE = re.compile(r"(- |  )([a-z][a-z ]*):(?= |\Z)")
_EXAMPLE_PLACEHOLDER = re.compile(r"<!-- chronicle:example (\d{1,6}) -->")
_PART_LINE = re.compile(r"(given|log):\s*(?:#.*)?\Z")
_NAMED_ELEMENT = re.compile(r'(\s(?:id|aria-labelledby|aria-describedby|for)="|\shref="#)([^"]+)')


class ExampleProblem(NamedTuple):
    """A problem of an example: its line on the page, and a message."""

    line: int
    message: str
    error: bool = True


class FilledPage(NamedTuple):
    """A page with its examples drawn. ``markdown`` has a comment in the place of each, since what players
    wrote is nothing that other plug-ins should read as Markdown."""

    markdown: str
    problems: list[ExampleProblem]
    drawn_examples: tuple[Markup, ...]
    files: tuple[Path, ...]
    """The sessions it quotes."""

    def put_into(self, html: str, wrap_example: Callable[[str], str] | None = None) -> str:
        """Put the examples into the page that was made of the Markdown. ``wrap_example`` puts something around each."""

        def drawn(place: re.Match[str]) -> str:
            number = int(place[1])
            if not 0 < number <= len(self.drawn_examples):
                return place[0]
            example = str(self.drawn_examples[number - 1])
            return wrap_example(example) if wrap_example is not None else example

        return _EXAMPLE_PLACEHOLDER.sub(drawn, html) if self.drawn_examples else html


class _Failed(Exception):
    """Chronicle itself failed at an example; ``fault`` says how."""

    def __init__(self, fault: Diagnostic) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _FencedBlock(NamedTuple):
    """A fenced block: the lines of its fences on the page, from 0, and what is between them."""

    first_row: int
    last_row: int
    lines: list[str]


class Examples:
    """Draws the examples of a project's pages.

    Args:
        site_context: what they share with all other pages.
        project: the folder that ``from:`` counts from.
    """

    def __init__(self, site_context: SiteContext, project: Path) -> None:
        self._site_context = site_context
        self._project = project.resolve()
        self._campaign_sites: dict[Path, CampaignSite] = {}

    def fill(self, markdown: str, page_path: str, line_count_above: int = 0) -> FilledPage:
        """A page with every example drawn.

        Args:
            markdown: the page.
            page_path: its path on the site, without ending.
            line_count_above: the number of lines of its file above this Markdown.
        """
        if "chronicle" not in markdown:
            return FilledPage(markdown, [], (), ())
        lines = markdown.split("\n")
        problems_on_page: list[ExampleProblem] = []
        quoted_files: list[Path] = []
        markdown_lines: list[str] = []
        drawn_examples: list[Markup] = []
        copied_line_count = 0
        for example_number, block in enumerate(_find_example_blocks(lines), 1):
            example, example_problems = self._draw_example(
                block, page_path, f"x{example_number}-", quoted_files
            )
            drawn_examples.append(example)
            problems_on_page += [
                problem._replace(line=problem.line + line_count_above + block.first_row + 1)
                for problem in example_problems
            ]
            markdown_lines += [
                *lines[copied_line_count : block.first_row],
                "",
                f"<!-- chronicle:example {example_number} -->",
                "",
            ]
            copied_line_count = block.last_row + 1
        return FilledPage(
            "\n".join([*markdown_lines, *lines[copied_line_count:]]),
            problems_on_page,
            tuple(drawn_examples),
            tuple(quoted_files),
        )

    def first_evening(self, game: Game[Any], page_path: str) -> Markup:
        """The evening that a new campaign of a game begins with, as page ``page_path`` shows it."""
        filled_page = self.fill(fenced(game.new_campaign()), page_path)
        for problem in filled_page.problems:
            self._site_context.warn(f"{page_path}: {problem.message}")
        return Markup("").join(filled_page.drawn_examples)

    def _draw_example(
        self, block: _FencedBlock, page_path: str, id_prefix: str, quoted_files: list[Path]
    ) -> tuple[Markup, list[ExampleProblem]]:
        lines = block.lines
        if len(lines) > MAX_EXAMPLE_LINES:
            return Markup(""), [
                ExampleProblem(0, f"an example has at most {MAX_EXAMPLE_LINES:,} lines")
            ]
        first_content_line = next(
            (line for line in lines if line.strip() and not line.startswith("#")), ""
        )
        if first_content_line.startswith("from:"):
            return self._draw_quoted_example(
                lines, lines.index(first_content_line), page_path, id_prefix, quoted_files
            )
        return self._draw_played_example(lines, page_path, id_prefix)

    # -- a game of its own -------------------------------------------------------------------------

    def _draw_played_example(
        self, lines: Sequence[str], page_path: str, id_prefix: str
    ) -> tuple[Markup, list[ExampleProblem]]:
        row_by_part = {
            part_match[1]: row
            for row, line in enumerate(lines)
            if (part_match := _PART_LINE.match(line))
        }
        first_part_row = min(row_by_part.values(), default=0)
        if "log" not in row_by_part or not first_part_row:
            return Markup(""), [
                ExampleProblem(
                    1,
                    "an example says 'game:' and 'players:', and then its entries below 'log:'; "
                    "or 'from: sessions/some-table/01.yaml:12-30'",
                )
            ]
        expected_codes: set[str] = set()
        is_in_steps = False
        settings: list[str] = []
        for line in lines[:first_part_row]:
            expect_match = _EXPECT_LINE.match(line)
            if expect_match is not None:
                expected_codes = _codes_in(expect_match)
            elif _STEPS_LINE.match(line):
                is_in_steps = True
            else:
                settings.append(line)
        if not any(line.startswith("title:") for line in settings):
            settings.append("title: An example")
        # Each line keeps its number in the block, so that problems name the right line.
        log_lines = ["" for _ in lines[: first_part_row - 1]]
        log_lines += ["session: 1", "log:"]
        log_lines += [
            "" if line.startswith("log:") else line for line in lines[first_part_row + 1 :]
        ]
        first_log_line = row_by_part["log"] + 2
        try:
            problems, campaign_site = self._replay_example(settings, log_lines)
            shown_diagnostics = [
                diagnostic
                for diagnostic in problems
                if diagnostic.is_reported and not diagnostic.excuse
            ]
            if is_in_steps and shown_diagnostics:
                wrong_lines = {diagnostic.place.line for diagnostic in shown_diagnostics}
                log_lines_without_problems = [
                    "" if line_number in wrong_lines else line
                    for line_number, line in enumerate(log_lines, 1)
                ]
                _, campaign_site = self._replay_example(settings, log_lines_without_problems)
        except CampaignUnreadable as error:
            return Markup(""), [_example_problem(diagnostic) for diagnostic in error.diagnostics]
        except _Failed as error:
            return Markup(""), [_example_problem(error.fault)]
        steps = steps_on_lines(campaign_site, SESSION_FILE_NAME, first_log_line, len(lines))
        if is_in_steps:
            draw_example = partial(
                self._draw_in_steps,
                log_lines,
                first_log_line,
                shown_diagnostics,
                campaign_site,
                steps,
                page_path,
            )
        else:
            draw_example = partial(
                self._draw_entries, campaign_site, steps, page_path, id_prefix, linked=False
            )
        drawn = Markup(draw_text(self._site_context.env, draw_example))
        messages = [
            _example_problem(diagnostic)
            for diagnostic in shown_diagnostics
            if not {diagnostic.code, diagnostic.full_code} & expected_codes
        ]
        return drawn, messages + _problems_of_missing_codes(expected_codes, problems)

    def _replay_example(
        self, settings: Sequence[str], log_lines: Sequence[str]
    ) -> tuple[list[Diagnostic], CampaignSite]:
        """Replay a campaign of one session; give its problems and what is drawn of it.

        Raises:
            CampaignUnreadable: when not even its game can be made out.
            _Failed: when Chronicle itself fails at it.
        """
        with TemporaryDirectory() as temporary_folder:
            folder = Path(temporary_folder)
            for file_name, file_lines in (
                ("campaign.yaml", settings),
                (SESSION_FILE_NAME, log_lines),
            ):
                (folder / file_name).write_bytes("\n".join([*file_lines, ""]).encode())
            try:
                diagnostics_found = [
                    diagnostic
                    for diagnostic in run(load(folder, root=folder)).diagnostics
                    if diagnostic.severity
                ]
                return diagnostics_found, CampaignSite(
                    open_view(load(folder, root=folder)), self._site_context
                )
            except CampaignUnreadable:
                raise
            except Exception as error:
                raise _Failed(fault_in(folder, error)) from error

    def _draw_in_steps(
        self,
        log_lines: Sequence[str],
        first_log_line: int,
        diagnostics: Sequence[Diagnostic],
        campaign_site: CampaignSite,
        steps: Sequence[Step],
        from_page: str,
    ) -> Markup:
        """The log from line ``first_log_line`` on, its problems as ``chronicle check`` prints them, and its page."""
        renderer = self._make_renderer(campaign_site, steps, from_page, linked=False)
        printed_problems = as_terminal_text(
            diagnostics, lambda path: log_lines if path == SESSION_FILE_NAME else ()
        ).rstrip()
        severity, bracket, message = printed_problems.partition("]")
        message = message or "No problems."
        page_rows: list[Mapping[str, Any]] = []
        for row in rows_of_steps(campaign_site, steps):
            if isinstance(row, TextEntry):
                page_rows.append(row_data(renderer, row))
            elif isinstance(row, Throw):
                page_rows.append({"kind": "throw", "lines": renderer.dice_lines(row.contest)})
        drawn_html = renderer.macro(
            "steps",
            "steps",
            _marked_log_lines(log_lines, first_log_line, diagnostics),
            severity + bracket,
            message,
            page_rows,
        )
        return Markup(compact_html(drawn_html))

    # -- some lines of a session -------------------------------------------------------------------

    def _draw_quoted_example(
        self,
        lines: Sequence[str],
        from_row: int,
        page_path: str,
        id_prefix: str,
        quoted_files: list[Path],
    ) -> tuple[Markup, list[ExampleProblem]]:
        from_line = from_row + 1
        from_match = _FROM_LINE.match(lines[from_row])
        passage = parse_passage(from_match["passage"]) if from_match is not None else None
        if passage is None:
            return Markup(""), [
                ExampleProblem(
                    from_line,
                    "write  from: sessions/some-table/01.yaml:12-30  or, with the ids of the first and the "
                    "last entry,  from: sessions/some-table/01.yaml#letter..dispute",
                )
            ]
        file = (self._project / passage.file_name).resolve()
        campaign_folder = next(
            (parent for parent in file.parents if (parent / "campaign.yaml").is_file()), None
        )
        if not file.is_file() or campaign_folder is None or not file.is_relative_to(self._project):
            return Markup(""), [
                ExampleProblem(
                    from_line, f"there is no session '{passage.file_name}' in the project"
                )
            ]
        quoted_files.append(file)
        try:
            campaign_site = self._campaign_site(campaign_folder)
        except CampaignUnreadable as error:
            error_text = "; ".join(diagnostic.message for diagnostic in error.diagnostics)
            return Markup(""), [
                ExampleProblem(from_line, f"'{passage.file_name}' cannot be read: {error_text}")
            ]
        real_path = file.relative_to(self._project).as_posix()
        shown_paths = {
            path: shown_path
            for shown_path, path in campaign_site.record.campaign.real_paths.items()
        }
        try:
            steps = passage.find_steps(campaign_site, shown_paths.get(real_path, real_path))
        except UnknownPassage as error:
            return Markup(""), [ExampleProblem(from_line, str(error))]
        if not steps:
            return Markup(""), [
                ExampleProblem(from_line, f"no entry stands there in '{passage.file_name}'")
            ]
        draw_example = partial(
            self._draw_entries, campaign_site, steps, page_path, id_prefix, linked=True
        )
        expected_codes, example_problems = _read_keys_below(lines, from_row)
        shown_diagnostics = [
            problem for step in steps for problem in step.diagnostics if problem.is_reported
        ]
        example_problems += [
            ExampleProblem(
                from_line,
                f"{diagnostic.place}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}",
            )
            for diagnostic in shown_diagnostics
            if diagnostic.severity is Severity.ERROR
            and not {diagnostic.code, diagnostic.full_code} & expected_codes
        ]
        return Markup(
            draw_text(self._site_context.env, draw_example)
        ), example_problems + _problems_of_missing_codes(expected_codes, shown_diagnostics)

    def reuse_campaign_sites(self, campaign_sites: Sequence[CampaignSite]) -> None:
        """Quote from campaigns that are replayed already."""
        for campaign_site in campaign_sites:
            self._campaign_sites[
                (self._project / campaign_site.record.campaign.folder).resolve()
            ] = campaign_site

    def _campaign_site(self, home: Path) -> CampaignSite:
        if home not in self._campaign_sites:
            view = open_view(load(home, root=self._project))
            self._campaign_sites[home] = CampaignSite(view, self._site_context)
        return self._campaign_sites[home]

    # -- drawing -----------------------------------------------------------------------------------

    def _draw_entries(
        self,
        campaign_site: CampaignSite,
        steps: Sequence[Step],
        page: str,
        prefix: str,
        *,
        linked: bool,
    ) -> Markup:
        site_context = self._site_context
        renderer = self._make_renderer(campaign_site, steps, page, linked=linked)
        drawn_rows = [
            row_data(renderer, row)
            for row in rows_of_steps(campaign_site, steps)
            if not isinstance(row, SceneEnd)
        ]
        body = renderer.macro("evening", "evening", drawn_rows)
        body = Markup(_renamed(str(body), prefix))
        home = self._site_context.rules_page_by_game.get(campaign_site.record.rulebook.name, "")
        game = campaign_site.record.rulebook.title
        rules = site_context.url_builder.between(page, home) if home else ""
        example = renderer.macro(
            "example",
            "example",
            body,
            game,
            rules,
            campaign_site.view.title if linked else "",
            site_context.url_builder.between(page, campaign_site.path_on_site("index"))
            if linked
            else "",
        )
        return Markup(compact_html(example))

    def _make_renderer(
        self, campaign_site: CampaignSite, steps: Sequence[Step], page: str, *, linked: bool
    ) -> Renderer:
        """Draws some entries of a campaign as seen from page ``page``."""
        address = partial(
            self._address, campaign_site, {step.number for step in steps}, page, linked
        )
        site_context = self._site_context
        graphs = GraphDrawer(
            address, campaign_site.seat_number, site_context.warn, site_context.graph_layouts
        )
        return Renderer(
            site_context.env,
            address,
            campaign_site.seat_number,
            NameLinker({}),
            graphs,
            campaign_site.find_emblem,
        )

    def _address(
        self, campaign_site: CampaignSite, shown: set[int], page: str, linked: bool, ref: Ref
    ) -> str:
        if ref.kind == "step" and int(ref.id or 0) in shown:
            return f"#{campaign_site.record.step(int(ref.id)).anchor}"
        target = campaign_site.target_of(ref) if linked or ref.kind == "rule" else None
        return self._site_context.url_builder.between(page, *target) if target is not None else ""


def _codes_in(expect_match: re.Match[str]) -> set[str]:
    """The ids of rules that ``expect:`` names."""
    return set(re.split(r"[\s,]+", expect_match[1].strip())) - {""}


def _problems_of_missing_codes(
    expected_codes: set[str], problems: Sequence[Diagnostic]
) -> list[ExampleProblem]:
    """A message for each rule of ``expect:`` that no problem is about."""
    found_codes = {
        code for diagnostic in problems for code in (diagnostic.code, diagnostic.full_code)
    }
    return [
        ExampleProblem(1, f"the example breaks no rule {code}")
        for code in sorted(expected_codes - found_codes)
    ]


def _read_keys_below(lines: Sequence[str], from_row: int) -> tuple[set[str], list[ExampleProblem]]:
    """What a block says besides ``from:``, which is in line ``from_row`` (from 0): the rules of ``expect:``,
    and a message for each other line."""
    expected_codes: set[str] = set()
    example_problems: list[ExampleProblem] = []
    for line_number, line in enumerate(lines, 1):
        if line_number == from_row + 1 or not line.strip() or line.lstrip().startswith("#"):
            continue
        expect_match = _EXPECT_LINE.match(line)
        if expect_match is not None:
            expected_codes |= _codes_in(expect_match)
            continue
        key = line.partition(":")[0].strip()
        hint = did_you_mean(key, ("expect",)) or "; it takes only 'expect:' besides"
        example_problems.append(
            ExampleProblem(line_number, f"a block with 'from:' has no key '{key}'{hint}")
        )
    return expected_codes, example_problems


def _marked_log_lines(
    log_lines: Sequence[str], first_log_line: int, diagnostics: Sequence[Diagnostic]
) -> list[Markup]:
    """The lines of a log from line ``first_log_line`` on: keys are coloured, wrong words are underlined."""
    columns_by_line = {
        diagnostic.place.line: (diagnostic.place.column - 1, diagnostic.place.end_column - 1)
        for diagnostic in diagnostics
    }
    marked_lines: list[Markup] = []
    for line_number, line in enumerate(log_lines[first_log_line - 1 :], first_log_line):
        start, end = columns_by_line.get(line_number, (len(line), len(line)))
        key_match = _KEY_OF_LINE.match(line)
        key_end = key_match.end() if key_match is not None and key_match.end() <= start else 0
        marked_key = (
            Markup("{}<b>{}</b>:").format(key_match[1], key_match[2])
            if key_match and key_end
            else ""
        )
        marked_problem = Markup("<u>{}</u>").format(line[start:end]) if start < end else ""
        marked_lines.append(
            Markup("{}{}{}{}").format(marked_key, line[key_end:start], marked_problem, line[end:])
        )
    return marked_lines


def _renamed(body: str, prefix: str) -> str:
    """With a prefix before the name of every place in it, and in the links to these; what else the page
    holds, as the rules do that an example refers to, is called what it is called."""
    places = {
        name for prefix_text, name in _NAMED_ELEMENT.findall(body) if prefix_text.strip() == 'id="'
    }

    def with_prefix(match: re.Match[str]) -> str:
        elsewhere = match[1].endswith("#") and match[2] not in places
        return match[0] if elsewhere else f"{match[1]}{prefix}{match[2]}"

    return _NAMED_ELEMENT.sub(with_prefix, body)


def fenced(files: Mapping[str, str]) -> str:
    """A campaign of one evening as a fenced block: what its settings and its log say, without remarks."""
    settings = [
        line
        for line in files["campaign.yaml"].splitlines()
        if line[:1].isalpha() and not line.startswith("format:")
    ]
    log = files[SESSION_FILE_NAME].partition("\nlog:\n")[2].rstrip().splitlines()
    entries = [line for line in log if not line.startswith("#")]
    return "\n".join(["```chronicle", *settings, "log:", *entries, "```"])


def _find_example_blocks(lines: Sequence[str]) -> Iterator[_FencedBlock]:
    """The fenced blocks ``chronicle``; not those that are quoted within another block."""
    fence, opening_row, is_example = "", 0, False
    for row, line in enumerate(lines):
        fence_match = _FENCE_LINE.match(line)
        if fence_match is None:
            continue
        if not fence:
            fence, opening_row, is_example = (
                fence_match[1],
                row,
                fence_match[2].strip() == "chronicle",
            )
        elif (
            fence_match[1][0] == fence[0]
            and len(fence_match[1]) >= len(fence)
            and not fence_match[2].strip()
        ):
            if is_example:
                yield _FencedBlock(opening_row, row, [*lines[opening_row + 1 : row]])
            fence = ""


def _example_problem(diagnostic: Diagnostic) -> ExampleProblem:
    help_text = f" ({'; '.join(diagnostic.help)})" if diagnostic.help else ""
    message = f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}{help_text}"
    return ExampleProblem(
        max(diagnostic.place.line, 1), message, diagnostic.severity is Severity.ERROR
    )
