"""All that can be said with a verb, to be filled in."""

from collections.abc import Callable

from tests.services.conftest import AtDesk


def test_a_form_has_every_key_of_the_verb_with_what_the_line_says(
    sit: Callable[..., AtDesk],
) -> None:
    at = sit("the-lantern-coast")
    asked = {"campaign": "the-lantern-coast"}
    form = at.ask("form", said="complication The gunwale, source: Hester", **asked)
    assert form["verb"] == "complication"
    assert form["doc"]
    keys = {one["name"]: one for one in form["keys"]}
    assert form["keys"][0]["main"]
    assert keys["complication"]["value"] == "The gunwale"
    assert keys["source"]["value"] == "Hester"
    assert keys["target"]["value"] == ""
    assert all(one["doc"] for one in form["keys"])
    assert "text" not in keys
    # What must be there comes first, what every entry may say last.
    own = [one["own"] for one in form["keys"]]
    assert own == sorted(own, reverse=True)
    assert [one["name"] for one in form["keys"] if not one["own"]][:2] == ["by", "id"]
    needed = [one["required"] for one in form["keys"] if one["own"]]
    assert needed == sorted(needed, reverse=True)
    assert "begin with a verb" in at.refused("form", said="", **asked)
