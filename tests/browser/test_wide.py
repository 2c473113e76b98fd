"""Where there is room: no kind of page moves while it is loaded, nobody is locked out of any, and nothing is asked of
the network. What is the same in every game is looked at in one, as the phone has seen all of them; in all of them
with ``make soak``."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Axe
from tests.browser.harness import Site
from tests.browser.kinds import OWN, one_of_each_kind
from tests.browser.walk import PAGES, Scheme, Visited, walked
from tests.conftest import SOAK

pytestmark = [pytest.mark.browser, pytest.mark.soak]


@pytest.fixture(scope="module")
def wide(browser: Browser, site: Site, axe: Axe) -> Visited:
    """Every kind of page on a wide screen, loaded once for all that is asked of it there."""
    kinds = one_of_each_kind(site, of_each_game=SOAK)
    addresses = dict.fromkeys((*OWN, *PAGES, *kinds))
    return walked(browser, site, axe, addresses, PAGES, width=1440, used=1280)


def test_no_kind_of_page_moves_while_it_is_loaded(wide: Visited) -> None:
    assert wide.moved == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_page_is_accessible_and_stays_on_the_machine(
    wide: Visited, scheme: Scheme
) -> None:
    assert wide.barred[scheme] == []
    assert wide.problems == []
