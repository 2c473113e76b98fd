"""The raised hands of guests. They wait in memory until a keeper opens or dismisses them, and are written nowhere."""

from __future__ import annotations

from typing import Final, Generic, NamedTuple, TypeVar

Guest = TypeVar("Guest")

MAX_HANDS: Final = 64
"""The number of hands that can be up. The oldest goes first."""


class RaisedHand(NamedTuple, Generic[Guest]):
    """One raised hand: the campaign, the name that the guest gives, the action (or empty), and whom to tell."""

    campaign: str
    name: str
    verb: str
    guest: Guest


class RaisedHands(Generic[Guest]):
    """The hands that are up. One person has one hand for each campaign: a second takes the place of the first."""

    def __init__(self, limit: int = MAX_HANDS) -> None:
        self._limit = limit
        self._hands: dict[tuple[str, str], RaisedHand[Guest]] = {}

    def hands_for(self, campaign: str) -> list[RaisedHand[Guest]]:
        """The hands for a campaign, in the order in which they were raised."""
        return [hand for hand in self._hands.values() if hand.campaign == campaign]

    def add(self, hand: RaisedHand[Guest]) -> None:
        """Put a hand up, as the last one."""
        self.lower(hand.campaign, hand.name)
        self._hands[hand.campaign, hand.name] = hand
        if len(self._hands) > self._limit:
            del self._hands[next(iter(self._hands))]

    def lower(self, campaign: str, name: str) -> RaisedHand[Guest] | None:
        """Take a hand down. Returns it; None if it is not up."""
        return self._hands.pop((campaign, name), None)
