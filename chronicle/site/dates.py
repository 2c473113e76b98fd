"""Dates of sessions, in words."""

from __future__ import annotations

from datetime import date


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
