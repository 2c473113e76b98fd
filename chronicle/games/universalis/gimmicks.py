"""Rules Gimmicks of a table's own, as layers of :mod:`points`."""

from __future__ import annotations

from chronicle.core.figures import is_figure
from chronicle.core.names import fold
from chronicle.games.universalis.actions import Sets
from chronicle.games.universalis.points import RulePoints, Table
from chronicle.games.universalis.state import Component


class GimmickRules(RulePoints):
    """A Rules Gimmick of the table's own, as far as figures express it."""

    def __init__(self, id: str, sets: Sets, inner: RulePoints) -> None:
        self.id = id
        self._price = {str(k): v for k, v in (sets.price or {}).items()}
        self._forbid = {str(verb) for verb in sets.forbid}
        self._refreshment = sets.refreshment
        self._per_head = sets.refreshment_per_player
        self._refreshment_of = {fold(k): v for k, v in (sets.refreshment_of or {}).items()}
        self._start = sets.start_coins
        self._loans, self._gifts, self._factor = sets.loans, sets.gifts, sets.factor
        self._uses = {fold(n) for n in sets.uses}
        self._share = {fold(k): _share_of(str(v)) for k, v in (sets.trait_price or {}).items()}
        self._name_die = {fold(n) for n in sets.name_die}
        self._jumps = sets.time_jumps
        super().__init__(inner)

    def answers(self, name: str) -> bool:
        """Only what it sets in figures."""
        match name:
            case "price":
                return bool(self._price)
            case "forbidden":
                return bool(self._forbid)
            case "traits_price":
                return bool(self._share)
            case "used_up":
                return bool(self._uses)
            case "name_gives_die":
                return bool(self._name_die)
        return super().answers(name)

    def price(
        self, play: Table, what: str, player: str = "", component: Component | None = None
    ) -> int:
        """The Gimmick's price, if it names one."""
        own_price = self._price.get(what)
        if own_price is not None:
            return own_price
        return self.inner.price(play, what, player, component)

    def traits_price(self, play: Table, component: Component | None, copies: int) -> int:
        """A share of the price, rounded up as the campaign reads it (S3)."""
        full = self.inner.traits_price(play, component, copies)
        share = None
        if component is not None:
            share = next((s for name, s in self._share.items() if _means(name, component)), None)
        if share is None or not copies:
            return full
        top, bottom = share
        if play.ruling("fractions") == "each":
            return -((-full * top) // (bottom * copies)) * copies
        return -((-full * top) // bottom)

    def forbidden(self, play: Table, verb: str, player: str) -> str:
        """What it forbids."""
        return self.id if verb in self._forbid else self.inner.forbidden(play, verb, player)

    def starting_coins(self, play: Table, player: str) -> int:
        """Another start."""
        return self._start if self._start is not None else self.inner.starting_coins(play, player)

    def refreshment(self, play: Table, player: str) -> int:
        """Another Refreshment: for one player, by heads, or for all."""
        if fold(player) in self._refreshment_of:
            return self._refreshment_of[fold(player)]
        if self._per_head is not None:
            return self._per_head * len(play.present)
        if self._refreshment is not None:
            return self._refreshment
        return self.inner.refreshment(play, player)

    def name_gives_die(self, play: Table, component: Component) -> str | None:
        """Also for what it lists (UG.4)."""
        if any(_means(name, component) for name in self._name_die):
            return self.id
        return self.inner.name_gives_die(play, component)

    def may_transfer(self, play: Table, kind: str) -> str:
        """Loans or gifts, if it allows them (UG.2)."""
        if (kind == "lend" and self._loans) or (kind == "give" and self._gifts):
            return self.id
        return self.inner.may_transfer(play, kind)

    def loan_factor(self, play: Table) -> int:
        """How much comes back."""
        return self._factor if self._loans else self.inner.loan_factor(play)

    def time_may_jump(self, play: Table) -> str:
        """Rifts in time (UG.6)."""
        return self.id if self._jumps else self.inner.time_may_jump(play)

    def used_up(self, play: Table, component: Component) -> str:
        """Limited uses (UG.1)."""
        if any(_means(name, component) for name in self._uses):
            return self.id
        return self.inner.used_up(play, component)


def _means(name: str, component: Component) -> bool:
    """Whether a folded name in a Gimmick means a Component; players can create it later."""
    return name == fold(component.name) or name in component.traits


def _share_of(text: str) -> tuple[int, int]:
    """``1/3`` as (1, 3); other values count as the whole price."""
    top, _, bottom = text.partition("/")
    return (int(top), int(bottom or 1)) if is_share(text) else (1, 1)


def is_share(text: str) -> bool:
    """Whether a text is a share of a price: ``1/3``, ``2``."""
    top, slash, bottom = text.partition("/")
    return is_figure(top.strip()) and (not slash or (is_figure(bottom.strip()) and int(bottom) > 0))
