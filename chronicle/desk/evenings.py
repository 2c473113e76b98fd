"""An evening: its file and the head of it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from chronicle.core.campaign import Campaign
from chronicle.desk.room import Opened, Unanswerable
from chronicle.desk.typed import flowing, scalar
from chronicle.transcript.edit import set_head

_MODELINE = re.compile(r"#[^\n]*yaml-language-server[^\n]*")


def begun(opened: Opened, title: str, date: str, present: list[str]) -> tuple[str, str]:
    """The name and the text of the next session. ``present`` names who is there; nobody named is
    everybody."""
    campaign = opened.resident.campaign
    if campaign is None:
        raise opened.unreadable()
    seats = _seated(campaign, present)
    last = campaign.sessions[-1] if campaign.sessions else None
    number = last.number + 1 if last else 1
    taken = {one.name for one in opened.files()}
    name = _name(last.path if last else "", number)
    while name in taken:
        name = _name(name, int(re.sub(r"\D", "", name)) + 1)
    head = []
    modeline = _MODELINE.match(opened.text(last.path)) if last and last.path in taken else None
    if modeline:
        head.append(modeline[0])
    head.append(f"session: {number}")
    if title.strip():
        head.append(f"title: {scalar(' '.join(title.split()), flow=False)}")
    if date.strip():
        head.append(f"date: {scalar(date.strip(), flow=False)}")
    if present and present != seats:
        head.append(f"present: {flowing(present)}")
    return name, "\n".join([*head, "", "log:", ""])


def headed(opened: Opened, file: str, title: str, date: str, present: list[str] | None) -> str:
    """The text of a session that is called, was on, and was attended otherwise; whatever else its file
    holds stays as it stands. An empty title or date is none; ``present`` is who was there, nobody named
    is everybody, and None as it stands."""
    campaign = opened.resident.campaign
    if campaign is None:
        raise opened.unreadable()
    session = next((one for one in campaign.sessions if one.path == file), None)
    if session is None:
        raise Unanswerable(f"no session '{file}' in this campaign")
    text = opened.text(file)
    for key, said in (("title", " ".join(title.split())), ("date", date.strip())):
        if said != str(getattr(session.header, key) or ""):
            text = set_head(text, file, key, said or None)
    if present is not None:
        seats = _seated(campaign, present)
        here = [name for name in seats if name in present]
        text = set_head(text, file, "absent", None)
        everybody = here in ([], seats) and session.header.present is None
        text = set_head(text, file, "present", None if everybody else here or seats)
    return text


def _seated(campaign: Campaign, present: list[str]) -> list[str]:
    """Who has a seat; whoever is said to be present is one of them."""
    seats = [player.name for player in campaign.players]
    for name in present:
        if name not in seats:
            raise Unanswerable(f"no player '{name}' in this campaign", f"it has {', '.join(seats)}")
    return seats


def _name(last: str, number: int) -> str:
    """A file name for a session, like that of the last one."""
    digits = re.search(r"\d+", PurePosixPath(last).name)
    width = len(digits[0]) if digits else 2
    stem = PurePosixPath(last).stem if digits and "/" not in last else "00"
    return re.sub(r"\d+", f"{number:0{width}}", stem, count=1) + ".yaml"
