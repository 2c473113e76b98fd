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

MOST = 2_000
"""How many lines an example may have."""
FILE = "01.yaml"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`]*)\Z")
_FROM = re.compile(r"from:[ \t]*(['\"]?)(?P<passage>[^'\"]+?)\1\s*\Z")
_EXPECT = re.compile(r"expect:[ \t]*\[?([A-Za-z0-9., ]*)\]?\s*(?:#.*)?\Z")
_STEPS = re.compile(r"show:\s*steps\s*(?:#.*)?\Z")
_KEY = re.compile(r"(- |  )([a-z][a-z ]*):(?= |\Z)")
_PLACE = re.compile(r"<!-- chronicle:example (\d{1,6}) -->")
_PART = re.compile(r"(given|log):\s*(?:#.*)?\Z")
_NAMED = re.compile(r'(\s(?:id|aria-labelledby|aria-describedby|for)="|\shref="#)([^"]+)')


class Wrong(NamedTuple):
    """A problem of an example: its line on the page, and a message."""

    line: int
    words: str
    error: bool = True


class Filled(NamedTuple):
    """A page with its examples drawn. ``markdown`` has a comment in the place of each, since what players
    wrote is nothing that other plug-ins should read as Markdown."""

    markdown: str
    wrong: list[Wrong]
    drawn: tuple[Markup, ...]
    files: tuple[Path, ...]
    """The sessions it quotes."""

    def put_into(self, html: str, dress: Callable[[str], str] | None = None) -> str:
        """Put the examples into the page that was made of the Markdown. ``dress`` puts something around each."""

        def drawn(place: re.Match[str]) -> str:
            number = int(place[1])
            if not 0 < number <= len(self.drawn):
                return place[0]
            example = str(self.drawn[number - 1])
            return dress(example) if dress is not None else example

        return _PLACE.sub(drawn, html) if self.drawn else html


class _Failed(Exception):
    """Chronicle itself failed at an example; ``fault`` says how."""

    def __init__(self, fault: Diagnostic) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _Block(NamedTuple):
    """A fenced block: the lines of its fences on the page, from 0, and what is between them."""

    first: int
    last: int
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

    def fill(self, markdown: str, page: str, above: int = 0) -> Filled:
        """A page with every example drawn.

        Args:
            markdown: the page.
            page: its path on the site, without ending.
            above: the number of lines of its file above this Markdown.
        """
        if "chronicle" not in markdown:
            return Filled(markdown, [], (), ())
        lines = markdown.split("\n")
        wrong: list[Wrong] = []
        files: list[Path] = []
        parts: list[str] = []
        drawn: list[Markup] = []
        done = 0
        for count, block in enumerate(_blocks(lines), 1):
            example, problems = self._example(block, page, f"x{count}-", files)
            drawn.append(example)
            wrong += [
                problem._replace(line=problem.line + above + block.first + 1)
                for problem in problems
            ]
            parts += [*lines[done : block.first], "", f"<!-- chronicle:example {count} -->", ""]
            done = block.last + 1
        return Filled("\n".join([*parts, *lines[done:]]), wrong, tuple(drawn), tuple(files))

    def first_evening(self, rules: Game[Any], page: str) -> Markup:
        """The evening that a new campaign of a game begins with, as page ``page`` shows it."""
        filled = self.fill(fenced(rules.new_campaign()), page)
        for problem in filled.wrong:
            self._site_context.warn(f"{page}: {problem.words}")
        return Markup("").join(filled.drawn)

    def _example(
        self, block: _Block, page: str, prefix: str, files: list[Path]
    ) -> tuple[Markup, list[Wrong]]:
        lines = block.lines
        if len(lines) > MOST:
            return Markup(""), [Wrong(0, f"an example has at most {MOST:,} lines")]
        head = next((line for line in lines if line.strip() and not line.startswith("#")), "")
        if head.startswith("from:"):
            return self._quoted(lines, lines.index(head), page, prefix, files)
        return self._played(lines, page, prefix)

    # -- a game of its own -------------------------------------------------------------------------

    def _played(self, lines: Sequence[str], page: str, prefix: str) -> tuple[Markup, list[Wrong]]:
        parts = {match[1]: n for n, line in enumerate(lines) if (match := _PART.match(line))}
        start = min(parts.values(), default=0)
        if "log" not in parts or not start:
            return Markup(""), [
                Wrong(
                    1,
                    "an example says 'game:' and 'players:', and then its entries below 'log:'; "
                    "or 'from: sessions/some-table/01.yaml:12-30'",
                )
            ]
        expected: set[str] = set()
        in_steps = False
        settings: list[str] = []
        for line in lines[:start]:
            match = _EXPECT.match(line)
            if match is not None:
                expected = _codes(match)
            elif _STEPS.match(line):
                in_steps = True
            else:
                settings.append(line)
        if not any(line.startswith("title:") for line in settings):
            settings.append("title: An example")
        # Each line keeps its number in the block, so that problems name the right line.
        log = ["" for _ in lines[: start - 1]]
        log += ["session: 1", "log:"]
        log += ["" if line.startswith("log:") else line for line in lines[start + 1 :]]
        first = parts["log"] + 2
        try:
            problems, campaign_site = self._replayed(settings, log)
            shown = [
                diagnostic
                for diagnostic in problems
                if diagnostic.is_reported and not diagnostic.excuse
            ]
            if in_steps and shown:
                wrong_lines = {diagnostic.place.line for diagnostic in shown}
                right = ["" if n in wrong_lines else line for n, line in enumerate(log, 1)]
                _, campaign_site = self._replayed(settings, right)
        except CampaignUnreadable as error:
            return Markup(""), [_wrong(diagnostic) for diagnostic in error.diagnostics]
        except _Failed as error:
            return Markup(""), [_wrong(error.fault)]
        steps = steps_on_lines(campaign_site, FILE, first, len(lines))
        if in_steps:
            draw = partial(self._in_steps, log, first, shown, campaign_site, steps, page)
        else:
            draw = partial(self._drawn, campaign_site, steps, page, prefix, linked=False)
        drawn = Markup(draw_text(self._site_context.env, draw))
        messages = [
            _wrong(diagnostic)
            for diagnostic in shown
            if not {diagnostic.code, diagnostic.full_code} & expected
        ]
        return drawn, messages + _missing(expected, problems)

    def _replayed(
        self, settings: Sequence[str], log: Sequence[str]
    ) -> tuple[list[Diagnostic], CampaignSite]:
        """Replay a campaign of one session; give its problems and what is drawn of it.

        Raises:
            CampaignUnreadable: when not even its game can be made out.
            _Failed: when Chronicle itself fails at it.
        """
        with TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for name, text in (("campaign.yaml", settings), (FILE, log)):
                (folder / name).write_bytes("\n".join([*text, ""]).encode())
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

    def _in_steps(
        self,
        log: Sequence[str],
        first: int,
        diagnostics: Sequence[Diagnostic],
        campaign_site: CampaignSite,
        steps: Sequence[Step],
        from_page: str,
    ) -> Markup:
        """The log from line ``first`` on, its problems as ``chronicle check`` prints them, and its page."""
        renderer = self._renderer(campaign_site, steps, from_page, linked=False)
        printed = as_terminal_text(diagnostics, lambda path: log if path == FILE else ()).rstrip()
        severity, bracket, message = printed.partition("]")
        message = message or "No problems."
        page: list[Mapping[str, Any]] = []
        for row in rows_of_steps(campaign_site, steps):
            if isinstance(row, TextEntry):
                page.append(row_data(renderer, row))
            elif isinstance(row, Throw):
                page.append({"kind": "throw", "lines": renderer.dice_lines(row.contest)})
        drawn = renderer.macro(
            "steps", "steps", _log_lines(log, first, diagnostics), severity + bracket, message, page
        )
        return Markup(compact_html(drawn))

    # -- some lines of a session -------------------------------------------------------------------

    def _quoted(
        self, lines: Sequence[str], head: int, page: str, prefix: str, files: list[Path]
    ) -> tuple[Markup, list[Wrong]]:
        line = head + 1
        match = _FROM.match(lines[head])
        passage = parse_passage(match["passage"]) if match is not None else None
        if passage is None:
            return Markup(""), [
                Wrong(
                    line,
                    "write  from: sessions/some-table/01.yaml:12-30  or, with the ids of the first and the "
                    "last entry,  from: sessions/some-table/01.yaml#letter..dispute",
                )
            ]
        file = (self._project / passage.file).resolve()
        home = next(
            (parent for parent in file.parents if (parent / "campaign.yaml").is_file()), None
        )
        if not file.is_file() or home is None or not file.is_relative_to(self._project):
            return Markup(""), [Wrong(line, f"there is no session '{passage.file}' in the project")]
        files.append(file)
        try:
            campaign_site = self._campaign_site(home)
        except CampaignUnreadable as error:
            error_text = "; ".join(diagnostic.message for diagnostic in error.diagnostics)
            return Markup(""), [Wrong(line, f"'{passage.file}' cannot be read: {error_text}")]
        real = file.relative_to(self._project).as_posix()
        shown_paths = {
            path: shown for shown, path in campaign_site.record.campaign.real_paths.items()
        }
        try:
            steps = passage.steps(campaign_site, shown_paths.get(real, real))
        except UnknownPassage as error:
            return Markup(""), [Wrong(line, str(error))]
        if not steps:
            return Markup(""), [Wrong(line, f"no entry stands there in '{passage.file}'")]
        draw = partial(self._drawn, campaign_site, steps, page, prefix, linked=True)
        expected, messages = _keys_below(lines, head)
        shown = [problem for step in steps for problem in step.diagnostics if problem.is_reported]
        messages += [
            Wrong(
                line,
                f"{diagnostic.place}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}",
            )
            for diagnostic in shown
            if diagnostic.severity is Severity.ERROR
            and not {diagnostic.code, diagnostic.full_code} & expected
        ]
        return Markup(draw_text(self._site_context.env, draw)), messages + _missing(expected, shown)

    def lend(self, campaign_sites: Sequence[CampaignSite]) -> None:
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

    def _drawn(
        self,
        campaign_site: CampaignSite,
        steps: Sequence[Step],
        page: str,
        prefix: str,
        *,
        linked: bool,
    ) -> Markup:
        site_context = self._site_context
        renderer = self._renderer(campaign_site, steps, page, linked=linked)
        drawn_rows = [
            row_data(renderer, row)
            for row in rows_of_steps(campaign_site, steps)
            if not isinstance(row, SceneEnd)
        ]
        body = renderer.macro("evening", "evening", drawn_rows)
        body = Markup(_renamed(str(body), prefix))
        home = self._site_context.rules_page_by_game.get(campaign_site.record.rulebook.name, "")
        game = campaign_site.record.rulebook.title
        rules = site_context.page_urls.between(page, home) if home else ""
        example = renderer.macro(
            "example",
            "example",
            body,
            game,
            rules,
            campaign_site.view.title if linked else "",
            site_context.page_urls.between(page, campaign_site.path_on_site("index"))
            if linked
            else "",
        )
        return Markup(compact_html(example))

    def _renderer(
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
        return self._site_context.page_urls.between(page, *target) if target is not None else ""


def _codes(match: re.Match[str]) -> set[str]:
    """The ids of rules that ``expect:`` names."""
    return set(re.split(r"[\s,]+", match[1].strip())) - {""}


def _missing(expected: set[str], problems: Sequence[Diagnostic]) -> list[Wrong]:
    """A message for each rule of ``expect:`` that no problem is about."""
    found = {code for diagnostic in problems for code in (diagnostic.code, diagnostic.full_code)}
    return [Wrong(1, f"the example breaks no rule {code}") for code in sorted(expected - found)]


def _keys_below(lines: Sequence[str], head: int) -> tuple[set[str], list[Wrong]]:
    """What a block says besides ``from:``, which is in line ``head`` (from 0): the rules of ``expect:``,
    and a message for each other line."""
    expected: set[str] = set()
    wrong: list[Wrong] = []
    for number, line in enumerate(lines, 1):
        if number == head + 1 or not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _EXPECT.match(line)
        if match is not None:
            expected |= _codes(match)
            continue
        key = line.partition(":")[0].strip()
        hint = did_you_mean(key, ("expect",)) or "; it takes only 'expect:' besides"
        wrong.append(Wrong(number, f"a block with 'from:' has no key '{key}'{hint}"))
    return expected, wrong


def _log_lines(log: Sequence[str], first: int, diagnostics: Sequence[Diagnostic]) -> list[Markup]:
    """The lines of a log from line ``first`` on: keys are coloured, wrong words are underlined."""
    spans = {
        diagnostic.place.line: (diagnostic.place.column - 1, diagnostic.place.end_column - 1)
        for diagnostic in diagnostics
    }
    drawn: list[Markup] = []
    for number, line in enumerate(log[first - 1 :], first):
        start, end = spans.get(number, (len(line), len(line)))
        match = _KEY.match(line)
        key_end = match.end() if match is not None and match.end() <= start else 0
        key = Markup("{}<b>{}</b>:").format(match[1], match[2]) if match and key_end else ""
        wrong = Markup("<u>{}</u>").format(line[start:end]) if start < end else ""
        drawn.append(Markup("{}{}{}{}").format(key, line[key_end:start], wrong, line[end:]))
    return drawn


def _renamed(body: str, prefix: str) -> str:
    """With a prefix before the name of every place in it, and in the links to these; what else the page
    holds, as the rules do that an example refers to, is called what it is called."""
    places = {name for prefix_text, name in _NAMED.findall(body) if prefix_text.strip() == 'id="'}

    def with_prefix(match: re.Match[str]) -> str:
        elsewhere = match[1].endswith("#") and match[2] not in places
        return match[0] if elsewhere else f"{match[1]}{prefix}{match[2]}"

    return _NAMED.sub(with_prefix, body)


def fenced(files: Mapping[str, str]) -> str:
    """A campaign of one evening as a fenced block: what its settings and its log say, without remarks."""
    settings = [
        line
        for line in files["campaign.yaml"].splitlines()
        if line[:1].isalpha() and not line.startswith("format:")
    ]
    log = files[FILE].partition("\nlog:\n")[2].rstrip().splitlines()
    entries = [line for line in log if not line.startswith("#")]
    return "\n".join(["```chronicle", *settings, "log:", *entries, "```"])


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """The fenced blocks ``chronicle``; not those that are quoted within another block."""
    fence, first, is_example = "", 0, False
    for number, line in enumerate(lines):
        match = _FENCE.match(line)
        if match is None:
            continue
        if not fence:
            fence, first, is_example = match[1], number, match[2].strip() == "chronicle"
        elif match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip():
            if is_example:
                yield _Block(first, number, [*lines[first + 1 : number]])
            fence = ""


def _wrong(diagnostic: Diagnostic) -> Wrong:
    helped = f" ({'; '.join(diagnostic.help)})" if diagnostic.help else ""
    words = f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}{helped}"
    return Wrong(max(diagnostic.place.line, 1), words, diagnostic.severity is Severity.ERROR)
