"""Names that YAML would read otherwise are quoted where an entry is proposed."""

from __future__ import annotations

import pytest
import yaml

from chronicle.games.positive.roll import typed_name


@pytest.mark.parametrize("name", ["Marit", "Dr: Marit", "'t Hooft", '"Red"', "&c", "*"])
def test_a_name_can_stand_as_a_key(name: str) -> None:
    assert yaml.safe_load(f"{{{typed_name(name)}: 1}}") == {name: 1}
