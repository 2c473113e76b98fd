"""All that can be said with a verb, to be filled in."""

from collections.abc import Callable

from tests.services.conftest import AtDesk


def test_a_form_has_every_key_of_the_verb_with_what_the_line_says(
    sit: Callable[..., AtDesk],
) -> None:
    at = sit("the-lantern-coast")
    question = {"campaign": "the-lantern-coast"}
    form = at.ask("form", said="complication The gunwale, source: Hester", **question)
    assert form["verb"] == "complication"
    assert form["doc"]
    keys = {field["name"]: field for field in form["keys"]}
    assert form["keys"][0]["main"]
    assert keys["complication"]["value"] == "The gunwale"
    assert keys["source"]["value"] == "Hester"
    assert keys["target"]["value"] == ""
    assert all(field["doc"] for field in form["keys"])
    assert "text" not in keys
    # What must be there comes first, what every entry may say last.
    own = [field["own"] for field in form["keys"]]
    assert own == sorted(own, reverse=True)
    assert [field["name"] for field in form["keys"] if not field["own"]][:2] == ["by", "id"]
    needed = [field["required"] for field in form["keys"] if field["own"]]
    assert needed == sorted(needed, reverse=True)
    assert "begin with a verb" in at.refused("form", said="", **question)
