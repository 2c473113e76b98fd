"""The action buttons of the desk: a few fixed verbs of each game, chosen by how often the play examples use them."""

from __future__ import annotations

from collections import Counter

import pytest

from chronicle.campaigns import load, run
from chronicle.core.replay import Replay, entries_from
from chronicle.core.shared_verbs import COMMON_VERBS
from chronicle.games import rulebook, rulebooks
from chronicle.services.game_state import (
    action_buttons,
    barred_verbs,
    open_obligations,
    state_of_play,
    verbs_to_show_first,
)
from chronicle.services.spans import NameMarker
from tests.conftest import ROOT

MOST, ON_A_PHONE = 13, 7


@pytest.mark.parametrize("game", [rules.name for rules in rulebooks() if rules.buttons])
def test_the_buttons_are_the_verbs_that_tables_use(game: str) -> None:
    sets = rulebook(game).buttons
    uses: Counter[str] = Counter()
    for settings in (ROOT / "sessions").glob("*/campaign.yaml"):
        campaign = load(settings.parent)
        if campaign.game == game:
            steps = run(campaign).steps
            uses.update(step.action.verb for step in steps if step.parent is None)
    offered = {verb for labels in sets for verb in labels}
    assert all(3 < len(labels) <= MOST for labels in sets)
    common = {verb.verb for verb in COMMON_VERBS} - offered
    own = {verb: count for verb, count in uses.items() if verb not in common}
    covered = sum(count for verb, count in own.items() if verb in offered)
    assert covered >= 0.75 * sum(own.values()), {*own} - offered
    on_phones = {verb for labels in sets for verb in [*labels][:ON_A_PHONE]}
    assert sum(own.get(verb, 0) for verb in on_phones) >= 0.5 * sum(own.values())


def test_a_game_has_the_buttons_of_its_phase() -> None:
    rules = rulebook("universalis")
    between, within = rules.buttons
    assert action_buttons(rules, {"bid", "scene", "tenet", "tell", "say"}, set()) is between
    assert (
        action_buttons(rules, {"event", "fact", "draw", "end turn", "tell", "say"}, set()) is within
    )
    # On a turn of a scene nearly all that is possible between scenes may come as well.
    both = {"tenet", "gimmick", "tell", "say", "create", "fine", "aside", "pass"}
    of_a_turn = both | {"event", "fact", "introduce", "end turn", "trait", "complication"}
    assert action_buttons(rules, of_a_turn, set(), "fact") is within
    assert action_buttons(rules, both | {"bid", "introduce"}, set()) is between
    assert action_buttons(rules, both | {"roll"}, {"roll"}) is within


def test_buttons_that_only_one_phase_has_decide() -> None:
    setup, _ = rulebook("slow-burn").buttons
    # A scene may begin at any time: that alone does not end the setup.
    legal = {"envelope", "deal", "job", "segment", "scene", "episode"}
    assert action_buttons(rulebook("slow-burn"), legal, set(), "connections") is setup
    _, playing = rulebook("fight-sphere").buttons
    # An inhabitant may appear in the middle of a Layer: the last entry tells which phase it is.
    legal = {"cut scene", "end scene", "inhabitant", "world", "trade"}
    assert action_buttons(rulebook("fight-sphere"), legal, set(), "roll") is playing


def test_what_tables_do_next_is_on_a_button_of_the_moment() -> None:
    """Where one of the sets of a game has the next entry, the set that is shown has it nearly always."""
    shown: Counter[str] = Counter()
    all_of: Counter[str] = Counter()
    for settings in (ROOT / "sessions").glob("*/campaign.yaml"):
        campaign = load(settings.parent)
        rules = rulebook(campaign.game)
        replay = Replay(campaign, rules)
        button_verbs = {verb for labels in rules.buttons for verb in labels}
        for _, action in entries_from(replay):
            if action.verb in button_verbs:
                legal = {option.verb for option in replay.rulebook.options(replay.play)}
                shown_first = verbs_to_show_first(replay, open_obligations(replay))
                barred = {row["verb"] for row in barred_verbs(replay, legal)}
                all_of[campaign.game] += 1
                steps = replay.play.steps
                last_verb = steps[-1].action.verb if steps else ""
                shown[campaign.game] += action.verb in action_buttons(
                    rules, legal, shown_first - barred, last_verb
                )
            replay.do(action)
    assert len(all_of) == 6
    assert all(shown[game] >= 0.9 * count for game, count in all_of.items()), shown
    assert shown.total() >= 0.95 * all_of.total()


@pytest.mark.parametrize("game", [rules.name for rules in rulebooks() if rules.buttons])
def test_every_button_is_a_verb(game: str) -> None:
    rules = rulebook(game)
    known_verbs = {*rules.by_verb, *(verb.verb for verb in COMMON_VERBS)}
    assert {verb for labels in rules.buttons for verb in labels} <= known_verbs


@pytest.mark.parametrize(
    "name",
    [
        "the-dry-book",
        "snowshed-nine",
        "the-boathouse",
        "gallery-nine",
        "six-names",
        "the-lantern-coast",
    ],
)
def test_a_button_is_outlined_as_long_as_the_setup_asks_for_something(name: str) -> None:
    campaign = load(ROOT / "sessions" / name)
    replay = Replay(campaign, rulebook(campaign.game))
    for count, (_, action) in enumerate(entries_from(replay)):
        marker = NameMarker(replay.play.names, lambda named: "")
        state = state_of_play(replay, marker, panel=False)
        button_verbs = {button["verb"] for button in state["buttons"]}
        due_verbs = {move["verb"] for move in state["next"] if move["settles_due"]}
        assert button_verbs & {*state["asked"], *due_verbs}, (
            count,
            state["headline"],
            state["sub"],
        )
        if action.verb == "scene":
            break
        replay.do(action)
