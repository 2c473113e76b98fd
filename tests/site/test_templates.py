"""A project's own templates end, and reach nothing that stands behind a page."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, Template
from jinja2.exceptions import SecurityError

from chronicle.cli import main
from chronicle.core.corpus import CampaignStatistics
from chronicle.core.record import Record, Step
from chronicle.examples import Examples, fenced
from chronicle.publish import make_site
from chronicle.site import apart, sandbox
from chronicle.site.draw import make_environment
from chronicle.site.front import ArchiveData, ArchivePages
from chronicle.site.library import BEST_MARKER, CAMPAIGNS_MARKER
from chronicle.site.sandbox import BoundedEnvironment
from chronicle.site.template_files import template_folders
from chronicle.words import find_message
from tests.conftest import SOAK
from tests.sample import some

CANARY = "the-canary-sings"
FOLDERS = ("macros", "pages", "book")
forks = pytest.mark.skipif(not apart.CAN_FORK, reason="only Linux forks safely")


def project(folder: Path, template: str, name: str = "pages/page.html") -> Path:
    campaign = folder / "sessions" / "ours"
    campaign.mkdir(parents=True)
    settings = "game: positive\ntitle: Ours\nplayers: [Ana, Bo, Cy, Dee]\n"
    (campaign / "campaign.yaml").write_text(settings)
    (campaign / "01.yaml").write_text(
        "session: 1\nlog:\n- cast: {Ana: Nim, Bo: Wim, Cy: Rue}\n"
        f"- secret: {CANARY}\n  id: hush\n- tell: It rains.\n"
    )
    file = folder / "templates" / name
    file.parent.mkdir(parents=True)
    file.write_text(template)
    return folder


def pages_and_warnings(home: Path) -> tuple[str, list[str]]:
    """What all pages hold, and what the keeper is told."""
    warnings: list[str] = []
    site = make_site(home / "sessions", project=home, reference=False, warn=warnings.append)
    assert site.problems == []
    return "".join(file.html for file in site.files()), warnings


def fault_of(home: Path) -> str:
    """What is wrong with the template, of which one page says so and all others stand."""
    text, warnings = pages_and_warnings(home)
    assert "This page cannot be shown: a template of this site fails." in text
    assert "It rains" in text or home.joinpath("templates/pages/session.html").is_file()
    (message,) = warnings
    return message


@pytest.fixture(params=[pytest.param("in a child", marks=forks), "here"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where templates are drawn: on Linux, and elsewhere."""
    if request.param == "here":
        monkeypatch.setattr(apart, "CAN_FORK", False)


def doubled(start: str, growth: str, ending: str) -> str:
    return (
        f"{{% set n = namespace(a={start}, b={start}) %}}{{% for i in range(40) %}}"
        f"{{% set n.a = {growth} %}}{{% set n.b = {growth.replace('n.a', 'n.b')} %}}{{% endfor %}}{ending}"
    )


@pytest.mark.soak
@pytest.mark.parametrize(
    "template",
    some(
        [
            "{% for a in range(10**9) %}x{% endfor %}",
            "{% for a in range(9**5) %}{% for b in range(9**5) %}{% endfor %}{% endfor %}",
            "{% for a in 'x' * 99999 %}{% for b in 'x' * 99999 %}{{ '' }}{% endfor %}{% endfor %}",
            "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
            "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
            "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
            "{{ 'x' * 10**9 }}",
            "{{ 10**9 * [1] }}",
            "{{ 9 ** (9 ** 9) }}",
            "{{ '%999999999d' % 1 }}",
            "{{ '{:999999999}'.format(1) }}",
            "{{ '%999999999d' | format(1) }}",
            "{{ 'x'.ljust(10**9) }}",
            "{{ 'x'.zfill(10**9) }}",
            "{{ 'x' | center(10**9) }}",
            "{{ 'x' | indent(10**9, true) }}",
            "{% set a = 'x' * 40000 %}{{ a.replace('x', a) }}",
            "{% set a = 'x' * 40000 %}{{ a | replace('x', a) }}",
            "{% set a = 'x' * 40000 %}{{ a.join(a) }}",
            "{% set a = 'x' * 40000 %}{{ a | join(a) }}",
            "{% set n = namespace(a='xx') %}{% for i in range(60) %}{% set n.a = n.a ~ n.a %}{% endfor %}",
            "{% set n = namespace(a='xx') %}{% for i in range(60) %}{% set n.a = n.a + n.a %}{% endfor %}",
            "{% set n = namespace(a=[1]) %}{% for i in range(60) %}{% set n.a = n.a + n.a %}{% endfor %}",
            "{% macro d(x) %}{{ x }}{{ x }}{% endmacro %}{% set n = namespace(a='x') %}"
            "{% for i in range(60) %}{% set n.a = d(n.a) %}{% endfor %}",
            "{{ lipsum(10**9) }}",
            doubled("[1]", "[n.a, n.a]", "{{ n.a == n.b }}"),
        ],
        8,
    ),
)
def test_a_template_ends(template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not SOAK:
        monkeypatch.setattr(sandbox, "MAX_ROUNDS", sandbox.MAX_ROUNDS // 10)
    home = project(tmp_path, template, "pages/contests.html")
    start = time.process_time()
    assert re.match(r"templates/pages/contests\.html:1: ", fault_of(home))
    assert time.process_time() - start < (60 if SOAK else 6)


ENDLESS = {
    "a list that is written": doubled("[1]", "[n.a, n.a]", "{{ n.a }}"),
    "a list as a word": doubled("[1]", "[n.a, n.a]", "{{ n.a | string | length }}"),
    "a list as JSON": doubled("[1]", "[n.a, n.a]", "{{ n.a | tojson | length }}"),
    "a list that is compared": doubled("[1]", "[n.a, n.a]", "{{ n.a == n.b }}"),
    "a tuple as a key": doubled("(1,)", "(n.a, n.a)", "{{ {n.a: 1} }}"),
    "a mapping": doubled("{}", "{'a': n.a, 'b': n.a}", "{{ n.a }}"),
    "a mapping by its name": doubled("{}", "dict(a=n.a, b=n.a)", "{{ n.a }}"),
    "a list times two": doubled("[1]", "[n.a] * 2", "{{ n.a }}"),
    "a list and itself": doubled("[1]", "[n.a] + [n.a]", "{{ n.a }}"),
    "a list in parts": doubled("[1]", "[n.a, n.a] | batch(1) | list", "{{ n.a }}"),
    "a wide format": "{{ '{:>1000000000}'.format(1) | length }}",
    "a wide format of a mapping": "{{ '{a:>1000000000}'.format_map({'a': 1}) | length }}",
    "a format as wide as it is told": "{{ '{0:{1}}'.format('a', 999999999) | length }}",
    "a format as wide as a word says": "{{ '{0:{1}}'.format('a', '999999999') | length }}",
    "a list that is formatted often": "{{ ('{0}' * 50000).format(['abcdefghi'] * 50000) | length }}",
    "a long word in a long word": "{{ ('a' * 25000000).rfind('b' ~ 'a' * 12000000) }}",
    "patterns in a long word": "{{ ('-' * 40000000) | wordwrap(20) | length }}",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_template_that_seems_small_ends_at_once(name: str) -> None:
    start = time.process_time()
    with pytest.raises(SecurityError, match="this template does not end"):
        BoundedEnvironment(autoescape=True).from_string(ENDLESS[name]).render()
    assert time.process_time() - start < 3


def test_the_seconds_of_a_page_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 1)
    slow = (
        "{% set a = range(99999) | list %}{% set b = range(99999) | list %}"
        "{% for i in range(99999) %}{{ a == b }}{% endfor %}"
    )
    with pytest.raises(SecurityError, match="more than 1 seconds"):
        BoundedEnvironment().from_string(slow).render()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds to a memory limit")
def test_a_template_that_needs_too_much_memory_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MAX_MORE_MEMORY", 150_000_000)
    home = project(
        tmp_path, "{% set a = 'x' * 45000000 %}{{ [a ~ '1', a ~ '2', a ~ '3', a ~ '4'] }}"
    )
    assert re.match(r"templates/pages/page\.html:1: .*memory", fault_of(home))
    # The limit holds no longer.
    assert len(bytearray(200_000_000)) == 200_000_000


WORDS = "{{ ('abc' * 16000000).split('a') | length }}"
"""Sixteen million words of 50 bytes, in a single call."""
SEARCH = "{% set a = 'a' * 49000000 %}{{ a.rfind('ab' ~ 'a' * 1000) }}"
"""Half a minute in a single call."""


@forks
def test_what_a_single_call_takes_is_taken_from_the_child(tmp_path: Path, root: Path) -> None:
    project(tmp_path, WORDS, "pages/contests.html")
    program = (
        "import re, sys; from tests.site.test_templates import fault_of; from pathlib import Path\n"
        "print(fault_of(Path(sys.argv[1])))\n"
        "print(re.search(r'VmHWM:\\s*(\\d+)', Path('/proc/self/status').read_text())[1])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], cwd=root, capture_output=True, text=True
    )
    message, kilobytes = run.stdout.splitlines()
    assert re.match(
        r"templates/pages/contests\.html:1: this template needs too much memory", message
    )
    assert int(kilobytes) < 150_000


@forks
@pytest.mark.slow
def test_a_single_call_ends_when_the_time_of_its_page_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 1)
    monkeypatch.setattr(sandbox, "MAX_SEARCH_PRODUCT", 10**12)
    home = project(tmp_path, SEARCH)
    start = time.perf_counter()
    message = fault_of(home)
    assert message.startswith(
        "templates/pages/page.html: this template runs for more than 1 seconds on one page"
    )
    # Its pages are many, and only the first was tried.
    assert time.perf_counter() - start < 20


def test_each_page_of_ours_counts_from_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MAX_ROUNDS", 100)
    env = BoundedEnvironment()
    env.template_folder = tmp_path
    page = env.from_string("{% for i in range(60) %}x{% endfor %}")
    pages = [apart.DrawingTask(lambda: [page.render()], "pages/ours.html")] * 3
    assert [*apart.draw_in_child_process(env, pages)] == [["x" * 60]] * 3


@forks
@pytest.mark.parametrize("break_off", [lambda: os._exit(9), lambda: time.sleep(99)])
def test_a_child_that_breaks_off_or_waits_costs_one_page(
    break_off: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 1)

    def find_or_break(key: str, count: object = None) -> str:
        if key == "break":
            break_off()
        return find_message(key, count)

    monkeypatch.setattr("chronicle.site.draw.find_message", find_or_break)
    home = project(tmp_path, "{{ word('break') }}", "pages/downloads.html")
    assert re.match(r"templates(/pages/downloads\.html)?: this template ", fault_of(home))


@forks
@pytest.mark.parametrize(
    "kept", ["", *(pytest.param(folder, marks=pytest.mark.slow) for folder in FOLDERS)]
)
def test_no_template_of_a_project_is_drawn_in_the_main_process(
    kept: str, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours, as if they were the project's: the pages are the same, and the main process draws nothing of these."""
    home = project(tmp_path, "", "nothing.html")
    monkeypatch.chdir(tmp_path)

    def everything() -> tuple[dict[str, Any], list[str]]:
        warnings: list[str] = []
        site = make_site(
            home / "sessions", project=home, book_endings=(".epub",), warn=warnings.append
        )
        site.shared_pages.archive_pages = ArchivePages(
            *(
                site.shared_pages.env,
                site.shared_pages.url_builder,
                site.shared_pages.games,
                site.shared_pages.cards,
            ),
            ArchiveData(CampaignStatistics(), {"Ana": [("ours", "Ana")]}, ()),
            has_rule_pages=True,
        )
        text = site.shared_pages.fill_markers(f"{CAMPAIGNS_MARKER}{BEST_MARKER}", "index.md")
        text += "".join(
            Examples(site.site_context, home)
            .fill(fenced(site.shared_pages.games["positive"].new_campaign()), "x")
            .drawn_examples
        )
        pages = {
            file.path: (
                file.title,
                file.html,
                file.html_above,
                file.html_below,
                file.meta,
                file.body_digest,
                file.contents,
            )
            for file in site.files()
            if not file.path.endswith((".zip", ".epub"))
        }
        return {**pages, "": text}, warnings

    plain = everything()
    assert plain[1] == []
    for folder in template_folders():
        shutil.copytree(folder / kept, home / "templates" / kept, dirs_exist_ok=True)
    drawn_here: list[str] = []
    main = os.getpid()
    of_project = str(home / "templates")
    render = Template.render

    def watched(self: Any, *args: Any, **kwargs: Any) -> str:
        if os.getpid() == main and str(self.filename).startswith(of_project):
            drawn_here.append(self.name)
        return render(self, *args, **kwargs)

    module = Template.make_module

    def watched_module(self: Any, *args: Any, **kwargs: Any) -> Any:
        if os.getpid() == main and str(self.filename).startswith(of_project):
            drawn_here.append(self.name)
        return module(self, *args, **kwargs)

    monkeypatch.setattr(Template, "render", watched)
    monkeypatch.setattr(Template, "make_module", watched_module)
    assert everything() == plain
    assert drawn_here == []


@forks
def test_what_our_own_code_fails_at_is_told_with_the_page(tmp_path: Path) -> None:
    home = project(tmp_path, "{{ renderer.ref(1) }}", "pages/downloads.html")
    assert "templates/pages/downloads.html: a fault in Chronicle at draw.py:" in fault_of(home)


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    "template",
    [
        '{% extends "pages/state.html" %}{% block body %}Above. {{ super() }}{% endblock %}',
        'Above. {% include "pages/state.html" %}',
    ],
)
def test_a_template_that_extends_its_own_name_means_the_original(
    template: str, tmp_path: Path
) -> None:
    plain, _ = pages_and_warnings(project(tmp_path / "plain", "", "nothing.html"))
    text, warnings = pages_and_warnings(project(tmp_path / "own", template, "pages/state.html"))
    assert warnings == []
    assert "Above." in text
    assert len(text) > len(plain)


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    ("template", "said"),
    [
        (
            '{% extends "pages/sheets.html" %}',
            "there is no template 'pages/sheets.html'; did you mean 'pages/sheet.html'",
        ),
        ('{% include "pages/other.html" %}', "this template uses itself without end"),
    ],
)
def test_a_wrong_parent_is_named(template: str, said: str, tmp_path: Path) -> None:
    home = project(tmp_path, template, "pages/downloads.html")
    (home / "templates/pages/other.html").write_text('{% include "pages/downloads.html" %}')
    (warning,) = [line for line in pages_and_warnings(home)[1] if "other.html replaces" not in line]
    assert re.match(rf"templates/pages/\w+\.html:1: {re.escape(said)}", warning)


@pytest.mark.parametrize(
    ("template", "name", "said"),
    [
        ("pages/state.html", "bdy", "'pages/state.html' has no block 'bdy', so it is not used; did you mean 'body'?"),
        ("pages/sheet.html", "body", "'pages/sheet.html' has no block 'body', so it is not used; it has no blocks"),
    ],
)  # fmt: skip
def test_a_block_that_replaces_nothing_is_named(
    template: str, name: str, said: str, tmp_path: Path
) -> None:
    text = f'{{% extends "{template}" %}}\n{{% block {name} %}}x{{% endblock %}}'
    (warning,) = pages_and_warnings(project(tmp_path, text, template))[1]
    assert warning.startswith(f"templates/{template}:2: {said}")


@pytest.mark.parametrize(
    ("word", "said"),
    [("rws", "'rws' is undefined; did you mean 'rows'?"), ("nonsense", "it knows beside, book, crumbs, ")],
)  # fmt: skip
def test_a_value_that_a_template_does_not_know_is_named_with_those_it_knows(
    word: str, said: str, tmp_path: Path
) -> None:
    (warning,) = pages_and_warnings(
        project(tmp_path, f"<p>{{{{ {word} }}}}", "pages/downloads.html")
    )[1]
    assert said in warning


def test_a_template_that_replaces_nothing_is_named(tmp_path: Path) -> None:
    home = project(tmp_path, "<h1>x</h1>", "pages/sheets.html")
    (home / "templates/pages/state.html").write_text('{% include "pages/parts/mine.html" %}')
    for used in ("pages/parts/mine.html", "main.html", "partials/foot.html"):
        (home / "templates" / used).parent.mkdir(exist_ok=True)
        (home / "templates" / used).write_text("mine")
    (warnings,) = pages_and_warnings(home)[1]
    assert warnings.startswith(
        "templates/pages/sheets.html replaces no template of Chronicle, so it is not used; "
        "did you mean 'pages/sheet.html'"
    )


def test_a_template_that_spoils_the_book_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = project(tmp_path, "<p>", "book/chapter.html")
    (home / "mkdocs.yml").write_text("site_name: Ours\nplugins: [chronicle]\n")
    out = tmp_path / "story.epub"
    assert main(["book", str(home / "sessions/ours"), "--out", str(out)]) == 2
    message = capsys.readouterr().err
    assert (
        "is not well-formed XHTML (mismatched tag): look at templates/book/chapter.html" in message
    )
    assert not out.exists()


def test_a_template_that_lacks_only_its_folder_is_named(tmp_path: Path) -> None:
    home = project(tmp_path, "<h1>x</h1>", "state.html")
    assert pages_and_warnings(home)[1] == [
        "templates/state.html replaces no template of Chronicle, so it is not used; did you mean 'pages/state.html'?"
    ]


@pytest.mark.usefixtures("anywhere")
def test_what_templates_do_every_day_is_done(tmp_path: Path) -> None:
    home = project(
        tmp_path,
        "{% macro m(a) %}<i>{{ a }}</i>{% endmacro %}{% for a in range(300) %}{{ m(a ~ '-' ~ title) }}"
        "{% endfor %}{{ ['a', 'b'] | join(', ') }}{{ '%03d' | format(7) }}{{ 'x' * 3 ~ (2 ** 8 + 1) }}"
        "{{ title.replace('S', 's') | upper | center(20) }}{{ '<b>' ~ ('<c>' | safe) }}{{ book.title }}",
    )
    text, warnings = pages_and_warnings(home)
    assert warnings == []
    assert "<i>299-State of play</i>" in text
    assert "a, b007xxx257" in text
    assert "STATE OF PLAY" in text
    assert "&lt;b&gt;<c>Ours" in text


@pytest.mark.parametrize(
    "template",
    some(
    [
        "{{ session.steps[1].source }}", "{{ session.steps[1].talk }}", "{{ session.steps[1]['action'] }}",
        "{{ session.steps | map(attribute='action') | list }}", "{{ session.steps[1] | attr('player') }}",
        "{{ book.record.steps }}", "{{ campaign.sessions }}", "{{ renderer._campaign_site.record }}",
        "{{ renderer.address.__self__ }}", "{{ ''.__class__ }}", "{{ renderer.name_linker._targets }}",
        "{{ session.steps.append(1) }}", "{{ self._TemplateReference__context }}",
    ],
    4,
    ),
)  # fmt: skip
@pytest.mark.usefixtures("anywhere")
def test_a_template_reaches_nothing_behind_its_page(template: str, tmp_path: Path) -> None:
    home = project(tmp_path, template, "pages/session.html")
    assert fault_of(home).startswith("templates/pages/session.html:1: ")


def test_nothing_hidden_can_be_reached_from_any_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From all that any template is given, over all that the sandbox lets it look at."""
    home = project(tmp_path, "", "pages/nothing.html")
    texts_seen: list[str] = []
    looked: set[str] = set()
    known_objects: dict[int, Any] = {}
    sandbox = make_environment(home)
    assert isinstance(sandbox, BoundedEnvironment)

    def walk(value: Any, depth: int) -> None:
        if id(value) in known_objects or depth > 12:
            return
        known_objects[id(value)] = value
        if isinstance(value, str):
            texts_seen.append(value)
        elif isinstance(value, (list, tuple, set, frozenset)):
            for item in value:
                walk(item, depth + 1)
        elif isinstance(value, dict):
            for pair in value.items():
                walk(pair, depth + 1)
        elif not isinstance(value, (int, float, type(None), Environment, type)):
            for name in dir(value):
                # Python 3.11.2 fails at this attribute of a dataclass with slots.
                item = None if name == "__weakref__" else getattr(value, name, None)
                if sandbox.is_safe_attribute(value, name, item):
                    assert not isinstance(value, (Record, Step))
                    walk(item, depth + 1)

    render = sandbox.template_class.render

    def watched(self: Any, *args: Any, **kwargs: Any) -> str:
        if self.name not in looked:
            looked.add(self.name)
            walk((args, kwargs), 0)
        return render(self, *args, **kwargs)

    monkeypatch.setattr(sandbox.template_class, "render", watched)
    monkeypatch.setattr(apart, "CAN_FORK", False)
    assert "It rains" in pages_and_warnings(home)[0]
    assert any("It rains" in text for text in texts_seen)
    assert not [text for text in texts_seen if CANARY in text]
