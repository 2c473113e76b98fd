"""Dates of sessions, in words."""

from __future__ import annotations

from datetime import date

from chronicle.words import word


def long_date(text: str) -> str:
    """``2026-06-20`` as ``20 June 2026``; any other date as it was written."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{day.day} {day:%B %Y}"


def day_and_month(text: str) -> str:
    """``2026-06-20`` as ``20 June``; any other date as it was written."""
    words = long_date(text)
    return words if words == text else words[:-5]


def date_span(first: str, last: str) -> str:
    """Two dates in words, without the month and the year that they share: ``6 to 20 February 2026``."""
    if first == last:
        return long_date(first)
    start, end = long_date(first), long_date(last)
    if start != first and end != last:
        if first[:7] == last[:7]:
            start = start.partition(" ")[0]
        elif first[:4] == last[:4]:
            start = start[:-5]
    return word("site.days", first=start, last=end)
