"""What pages say where nobody has told anything: only what stands, in sentences that begin with a name."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chronicle.core import outcomes
from chronicle.core.campaign_view import Ref
from chronicle.core.outcomes import (
    Outcome,
    OutcomeKind,
    Quoted,
    plain_text,
    unquoted,
)
from chronicle.core.record import Step
from chronicle.site.lives import UNKNOWN_HOW
from tests.golden import ROOT
from tests.site.made import EXAMPLES, Made, example, made, untold
from tests.site.test_recap import plain

STORIES = pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
PRONOUNS = re.compile(r"\b(?:he|she|it|they|him|her|them|his|hers|its|their)\b", re.IGNORECASE)
PRONOUN = re.compile(
    r"(?:he|she|it|they|we|you|i|him|her|them|us|me|his|hers|its|their|theirs|our|my|your|this|that|these"
    r"|those|one|somebody|nobody|everybody)\b",
    re.IGNORECASE,
)
NOT_OURS = ("nobody doubts it", "doubts it.", "doubt it.")
"""The one pronoun of ours: what is doubted is the apology that was told just before."""


def claims(shown: Made) -> tuple[set[str], set[str]]:
    """What was claimed in the conflicts of a story, on the side that won and on the side that lost."""
    won: set[str] = set()
    lost: set[str] = set()
    open_claims: dict[str, str] = {}
    for step in shown.campaign_site.record.visible_steps():
        for event in step.events:
            if event.kind == "calls":
                open_claims = {}
            if event.kind in ("calls", "matches"):
                open_claims[event.subject] = str(getattr(step.action, "version", "") or "")
            if event.kind == "wins":
                for subject, words in open_claims.items():
                    (won if subject == event.subject else lost).add(words)
            if event.kind == "backs down":
                lost.update(
                    words for subject, words in open_claims.items() if subject == event.subject
                )
    return won, {words for words in lost if words}


def built(shown: Made) -> list[Outcome]:
    return [*shown.campaign_site.lives.outcomes]


@STORIES
def test_a_built_sentence_begins_with_a_name(folder: Path) -> None:
    for outcome in built(made(folder)):
        first = outcome.sentence[0]
        assert isinstance(first, Ref), plain_text(outcome.sentence)
        assert not PRONOUN.match(plain_text(outcome.sentence).lstrip("*_ "))


@STORIES
def test_a_built_sentence_has_no_pronoun_of_ours(folder: Path) -> None:
    for outcome in built(made(folder)):
        for parts in (outcome.sentence, outcome.clauses):
            for part in parts:
                if isinstance(part, str) and not isinstance(part, Quoted):
                    words = part
                    for fixed in NOT_OURS:
                        words = words.replace(fixed, "")
                    assert not PRONOUNS.search(words), plain_text(parts)


@STORIES
def test_what_somebody_wrote_stands_behind_a_name(folder: Path) -> None:
    for outcome in built(made(folder)):
        for sentence in re.split(r"(?<=[.!?]) (?=[^“”]*(?:“|$))", plain_text(outcome.sentence)):
            words = sentence.lstrip()
            assert not words.startswith("“") or not PRONOUN.match(words[1:].lstrip("*_ ")), sentence


@STORIES
def test_no_claim_that_lost_is_printed(folder: Path) -> None:
    shown = made(folder)
    won, lost = claims(shown)
    lost -= won
    if folder.name == "the-boathouse":
        assert any("every Thursday" in words for words in lost)
    pages = [
        file.html
        for path, file in shown.files.items()
        if re.search(r"/(changes|cast)/", path) and file.html
    ]
    assert pages
    for html in pages:
        text = plain(html)
        for words in lost:
            assert plain(unquoted(words)) not in text, words


@STORIES
def test_every_gone_says_how(folder: Path) -> None:
    shown = made(folder)
    campaign_site = shown.campaign_site
    for number, evening in campaign_site.view.session_ends.items():
        for sheet in campaign_site.cast:
            subject_then = evening.subjects.get(sheet.id)
            if subject_then is None or not subject_then.gone:
                continue
            end = campaign_site.lives.ending(sheet, is_gone=True, through_session=number)
            assert end is not None
            assert re.match(r"(Gone|Died), session \d+", end.ending_heading), sheet.name
            assert end.as_plain_text()
            assert UNKNOWN_HOW not in end.as_plain_text(), sheet.name
    if campaign_site.view.sheets:
        cast = shown.html("cast/index")
        for part in re.findall(r'<p class="ch-person__end"><b>(Gone|Died)[^<]*</b>(.*?)</p>', cast):
            assert plain(part[1]).strip(" .")


@STORIES
def test_nobody_who_only_left_is_gone(folder: Path) -> None:
    shown = made(folder)
    campaign_site = shown.campaign_site
    gone = {
        outcome.subject_ids[0]
        for outcome in built(shown)
        if outcome.kind in (OutcomeKind.GONE, OutcomeKind.DIED)
    }
    gone |= {*campaign_site.lives.cited_texts.departures}
    for sheet in campaign_site.cast:
        end = campaign_site.lives.ending(sheet, sheet.gone)
        if sheet.id not in gone and end is not None:
            assert not re.match(r"Gone|Died", end.ending_heading), (sheet.name, end.ending_heading)
        departed = [
            step
            for step in campaign_site.record.visible_steps()
            if any(event.kind == "leaves" and event.subject == sheet.id for event in step.events)
        ]
        if departed and not sheet.gone:
            assert end is None or not re.match(r"Gone|Died", end.ending_heading)


def test_who_went_and_came_back_is_not_gone() -> None:
    campaign_site = untold("the-lantern-coast").campaign_site
    nim = next(sheet for sheet in campaign_site.cast if sheet.name == "Nim")
    at_two = campaign_site.lives.ending(nim, is_gone=True, through_session=2)
    ending_now = campaign_site.lives.ending(nim, is_gone=False)
    assert at_two is not None and at_two.ending_heading == "Gone, session 2"
    assert at_two.as_plain_text() == "“He takes the hand.”"
    assert ending_now is not None and not ending_now.ending_heading.startswith("Gone")


@pytest.mark.parametrize(
    ("story", "sentence"),
    [
        ("the-boathouse", "Tomas is believed, against Marek: “Tyres. Forty kilometres of tyres.”"),
        ("the-boathouse", "Tomas backs down before Wanda."),
        ("the-boathouse", "Tomas owns up, and Cleo doubts it."),
        ("the-lantern-coast", "Aud Hallam wins “It asks her itself” against the Guest."),
        ("the-lantern-coast", "Lorne Hallam is gone: “Three lights in a row, and then two, and then "
         "the sea with nothing written on it.”"),
        ("the-weather-market", "The patrol is gone: “They marched out to fetch reinforcements, and, being in "
         "step, could not stop.”"),
        # It is mended under the same name.
        ("the-lantern-coast", "Nim is hurt: “very cold”."),
        ("snowshed-nine", "Anselm Rott is well again."),
        ("six-names", "Bruno Ruiz is dead: killed, beaten by Osei Adom."),
        ("gallery-nine", "Superintendent Voss does not reach the goal “Make it sound like care”."),
        ("the-dry-book", "Quill steps ahead to space 2 of the Path to Freedom."),
    ],
)  # fmt: skip
def test_outcomes_are_told_like_this(story: str, sentence: str) -> None:
    assert sentence in [plain_text(outcome.sentence) for outcome in built(example(story))]


@pytest.mark.parametrize(
    ("name", "head", "words"),
    [
        ("Anselm Rott", "In the end", "Alive. Injured in “The vent”, and well again."),
        ("Hedda Brunn", "In the end", "Alive. Injured in “The telephone rings”, and not yet well."),
        ("Dr. Irena Lasko", "In the end", "Alive, and unhurt."),
        ("Oskar Blum", "Died, session 2", "Wounded to death in “In the gap”, after “Oskar, leave it and "
         "come in, and you two pull if he does not” had failed; Hedda Brunn was given the blame."),
    ],
)  # fmt: skip
def test_an_ending_is_the_last_change_of_life_and_health(name: str, head: str, words: str) -> None:
    campaign_site = untold("snowshed-nine").campaign_site
    sheet = next(candidate for candidate in campaign_site.cast if candidate.name == name)
    end = campaign_site.lives.ending(sheet, sheet.gone)
    assert end is not None
    assert (end.ending_heading, end.as_plain_text()) == (head, words)


@pytest.mark.parametrize(
    ("story", "note"),
    [
        ("the-lantern-coast", "Tenet accepted: Nobody explains the Guest."),
        ("the-dry-book", "Scene Sabine speaks the monologue S9.2 A scene of Segment 1 S9.3"),
    ],
)
def test_a_note_repeats_neither_its_own_title_nor_that_of_its_scene(story: str, note: str) -> None:
    assert note in plain(example(story).html("sessions/1"))


def test_a_line_without_words_does_not_begin_with_the_name_above_it() -> None:
    page = example("the-dry-book").html("sessions/1")
    line = (
        r'ch-turnline[^>]*>(?:<a .*?</a>)?(?:<[^>]+>)*(\w+)(?:<[^>]+>)*</p>\s*<details class="ch-run"><summary>'
        r'<span class="ch-run__no">.*?</span>\d+(?:–\d+)?</span><span>(.*?)</span>'
    )
    lines = re.findall(line, page)
    assert ("Sabine", "Hands over an envelope") in lines
    assert not [(who, words) for who, words in lines if words.startswith(f"{who} ")]


def test_the_outcomes_of_a_story_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    step_numbers: list[int] = []
    outcomes_of_step = outcomes._outcomes_of_step

    def counted(telling: Any, step: Step, results: Any) -> Iterator[Outcome]:
        step_numbers.append(step.number)
        return outcomes_of_step(telling, step, results)

    monkeypatch.setattr(outcomes, "_outcomes_of_step", counted)
    site = made.__wrapped__(ROOT / "sessions" / "the-ferry-house").campaign_site
    assert site.lives.outcomes
    assert len(step_numbers) == len(set(step_numbers)) > 0
