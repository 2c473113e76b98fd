"""A project's own templates end, and reach nothing that stands behind a page."""

import sys
import time
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from jinja2.exceptions import SecurityError

from chronicle.core.record import Record, Step
from chronicle.publish import TemplateFault, make_site, own_templates
from chronicle.site import sandbox
from chronicle.site.draw import environment
from chronicle.site.sandbox import Bounded
from tests.conftest import SOAK

CANARY = "the-canary-sings"


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


def made(home: Path) -> str:
    with own_templates(home):
        site = make_site(home / "sessions", project=home, reference=False, warn=lambda said: None)
        assert site.problems == []
        return "".join(file.html for file in site.files())


def doubled(start: str, more: str, then: str) -> str:
    return (
        f"{{% set n = namespace(a={start}, b={start}) %}}{{% for i in range(40) %}}"
        f"{{% set n.a = {more} %}}{{% set n.b = {more.replace('n.a', 'n.b')} %}}{{% endfor %}}{then}"
    )


@pytest.mark.soak
@pytest.mark.parametrize(
    "template",
    [
        "{% for a in range(10**9) %}x{% endfor %}",
        "{% for a in range(9**5) %}{% for b in range(9**5) %}{% endfor %}{% endfor %}",
        "{% for a in 'x' * 99999 %}{% for b in 'x' * 99999 %}{{ '' }}{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
        "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
        "{% include 'pages/page.html' %}",
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
)
def test_a_template_ends(template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not SOAK:
        monkeypatch.setattr(sandbox, "ROUNDS", sandbox.ROUNDS // 10)
    home = project(tmp_path, template)
    start = time.process_time()
    with pytest.raises(TemplateFault, match=r"^templates/pages/page\.html:1: "):
        made(home)
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
        Bounded(autoescape=True).from_string(ENDLESS[name]).render()
    assert time.process_time() - start < 3


def test_the_seconds_of_a_page_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 1)
    slow = (
        "{% set a = range(99999) | list %}{% set b = range(99999) | list %}"
        "{% for i in range(99999) %}{{ a == b }}{% endfor %}"
    )
    with pytest.raises(SecurityError, match="more than 1 seconds"):
        Bounded().from_string(slow).render()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds to a memory limit")
def test_a_template_that_needs_too_much_memory_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MEMORY", 150_000_000)
    home = project(
        tmp_path, "{% set a = 'x' * 45000000 %}{{ [a ~ '1', a ~ '2', a ~ '3', a ~ '4'] }}"
    )
    with pytest.raises(TemplateFault, match=r"^templates/pages/page\.html:1: .*memory"):
        made(home)
    # The limit holds no longer.
    assert len(bytearray(200_000_000)) == 200_000_000


def test_what_templates_do_every_day_is_done(tmp_path: Path) -> None:
    home = project(
        tmp_path,
        "{% macro m(a) %}<i>{{ a }}</i>{% endmacro %}{% for a in range(300) %}{{ m(a ~ '-' ~ title) }}"
        "{% endfor %}{{ ['a', 'b'] | join(', ') }}{{ '%03d' | format(7) }}{{ 'x' * 3 ~ (2 ** 8 + 1) }}"
        "{{ title.replace('S', 's') | upper | center(20) }}{{ '<b>' ~ ('<c>' | safe) }}{{ book.title }}",
    )
    text = made(home)
    assert "<i>299-State of play</i>" in text
    assert "a, b007xxx257" in text
    assert "STATE OF PLAY" in text
    assert "&lt;b&gt;<c>Ours" in text


@pytest.mark.parametrize(
    "template",
    [
        "{{ session.steps[1].source }}", "{{ session.steps[1].talk }}", "{{ session.steps[1]['action'] }}",
        "{{ session.steps | map(attribute='action') | list }}", "{{ session.steps[1] | attr('player') }}",
        "{{ book.record.steps }}", "{{ campaign.sessions }}", "{{ pen._volume.record }}",
        "{{ pen.address.__self__ }}", "{{ ''.__class__ }}", "{{ pen.names._targets }}",
        "{{ session.steps.append(1) }}", "{{ self._TemplateReference__context }}",
    ],
)  # fmt: skip
def test_a_template_reaches_nothing_behind_its_page(template: str, tmp_path: Path) -> None:
    home = project(tmp_path, template, "pages/session.html")
    with pytest.raises(TemplateFault):
        made(home)


def test_nothing_hidden_can_be_reached_from_any_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From all that any template is given, over all that the sandbox lets it look at."""
    home = project(tmp_path, "", "pages/nothing.html")
    seen: list[str] = []
    looked: set[str] = set()
    known: dict[int, Any] = {}
    sandbox = environment(home)
    assert isinstance(sandbox, Bounded)

    def walk(value: Any, depth: int) -> None:
        if id(value) in known or depth > 12:
            return
        known[id(value)] = value
        if isinstance(value, str):
            seen.append(value)
        elif isinstance(value, (list, tuple, set, frozenset)):
            for one in value:
                walk(one, depth + 1)
        elif isinstance(value, dict):
            for pair in value.items():
                walk(pair, depth + 1)
        elif not isinstance(value, (int, float, type(None), Environment, type)):
            for name in dir(value):
                # Python 3.11.2 fails at this attribute of a dataclass with slots.
                one = None if name == "__weakref__" else getattr(value, name, None)
                if sandbox.is_safe_attribute(value, name, one):
                    assert not isinstance(value, (Record, Step))
                    walk(one, depth + 1)

    render = sandbox.template_class.render

    def watched(self: Any, *args: Any, **more: Any) -> str:
        if self.name not in looked:
            looked.add(self.name)
            walk((args, more), 0)
        return render(self, *args, **more)

    monkeypatch.setattr(sandbox.template_class, "render", watched)
    assert "It rains" in made(home)
    assert any("It rains" in one for one in seen)
    assert not [one for one in seen if CANARY in one]
