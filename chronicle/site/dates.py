"""Dates of sessions, in words."""

from __future__ import annotations

from datetime import date

from chronicle.words import word


def long_date(iso_date: str) -> str:
    """``2026-06-20`` as ``20 June 2026``; any other date as it was written."""
    try:
        day = date.fromisoformat(iso_date)
    except ValueError:
        return iso_date
    return f"{day.day} {day:%B %Y}"


def day_and_month(iso_date: str) -> str:
    """``2026-06-20`` as ``20 June``; any other date as it was written."""
    date_words = long_date(iso_date)
    return date_words if date_words == iso_date else date_words[:-5]


def date_span(first_date: str, last_date: str) -> str:
    """Two dates in words, without the month and the year that they share: ``6 to 20 February 2026``."""
    if first_date == last_date:
        return long_date(first_date)
    first_words, last_words = long_date(first_date), long_date(last_date)
    if first_words != first_date and last_words != last_date:
        if first_date[:7] == last_date[:7]:
            first_words = first_words.partition(" ")[0]
        elif first_date[:4] == last_date[:4]:
            first_words = first_words[:-5]
    return word("site.days", first=first_words, last=last_words)
