"""Texts and pictures beside the log: what each is about, and what speaks of a character or a moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chronicle.core.campaign import Artwork, JournalEntry
from chronicle.core.campaign_view import CampaignView, Inline, Ref
from chronicle.core.names import fold
from chronicle.words import word, word_pieces


class Work(NamedTuple):
    """A text of ``journal/`` or a picture of ``art/``: how to link it, and what it is about."""

    ref: Ref
    subjects: tuple[Ref, ...]
    author: str
    artwork: Artwork | None = None


class Works:
    """All texts and pictures of a campaign, found by what they are about."""

    def __init__(self, view: CampaignView) -> None:
        self._view = view
        self._refs_by_name: dict[str, list[Ref]] = {}
        for name, ref in self._names_and_refs():
            refs = self._refs_by_name.setdefault(fold(name), [])
            if ref not in refs:
                refs.append(ref)
        campaign = view.record.campaign
        self.all_works = [
            *(
                Work(
                    Ref("journal", journal_entry.slug, journal_entry.title),
                    self._refs_of_names(*journal_entry.subjects, journal_entry.voice),
                    journal_entry.author,
                )
                for journal_entry in campaign.journal
            ),
            *(
                Work(
                    Ref("art", str(artwork.file), artwork.title),
                    self._refs_of_names(*artwork.subjects),
                    artwork.artist,
                    artwork,
                )
                for artwork in campaign.art
            ),
        ]
        self._works_by_subject: dict[tuple[str, str], list[Work]] = {}
        for work in self.all_works:
            for subject_kind, subject_id in dict.fromkeys(
                (ref.kind, ref.id) for ref in work.subjects
            ):
                self._works_by_subject.setdefault((subject_kind, subject_id), []).append(work)

    def _names_and_refs(self) -> Iterator[tuple[str, Ref]]:
        """What ``about:`` may name: sheets, players, scenes by their titles, entries by their ids."""
        for sheet in self._view.sheets:
            for sheet_name in sheet.names:
                yield sheet_name, Ref("sheet", sheet.id, sheet.name)
        for player_name in self._view.players():
            yield player_name, Ref("player", player_name, player_name)
        for scene in self._view.record.timeline.scenes:
            if scene.title:
                yield scene.title, Ref("scene", str(scene.number), scene.title)
        for step in self._view.record.visible_steps():
            if step.action.id is not None:
                step_label = step.headline or step.action.verb
                yield str(step.action.id), Ref("step", str(step.number), step_label)

    def _refs_of_names(self, *names: str) -> tuple[Ref, ...]:
        refs = [ref for name in names for ref in self._refs_by_name.get(fold(name), [])]
        return tuple(dict.fromkeys(refs))

    @property
    def works_by_subject(self) -> dict[tuple[str, str], list[Work]]:
        """The texts and pictures, by the kinds and ids of what they are about."""
        return self._works_by_subject

    def works_about(self, subject_kind: str, subject_id: str) -> list[Work]:
        """The texts and pictures about a sheet, a player, a scene or an entry."""
        return self._works_by_subject.get((subject_kind, subject_id), [])

    def link_names(self, names: tuple[str, ...]) -> Inline:
        """What ``about:`` says, as links where they lead somewhere."""
        inline_parts: list[str | int | Ref] = []
        for name in names:
            if inline_parts:
                inline_parts.append(", ")
            inline_parts.append(next(iter(self._refs_by_name.get(fold(name), [])), name))
        return tuple(inline_parts)

    def link_name(self, name: str) -> Inline:
        """One name as a link, if it leads somewhere."""
        return next(iter(self._refs_by_name.get(fold(name), [])), name)

    def works_by(self, player: str) -> list[Work]:
        """The texts and pictures that a player made."""
        return [work for work in self.all_works if fold(work.author) == fold(player)]

    def byline(self, work: JournalEntry | Artwork) -> Inline:
        """The author, the session, the subjects and the pay of a work."""
        phrases: list[list[str | int | Ref]] = []
        if isinstance(work, JournalEntry):
            payment_key = ("journal", work.slug)
            if work.voice:
                phrases.append(_message_parts("site.in_words_of", voice=self.link_name(work.voice)))
            if work.author:
                phrases.append(_message_parts("site.by_author", author=self.link_name(work.author)))
        else:
            payment_key = ("art", str(work.file))
        if work.session is not None:
            phrases.append(
                [Ref("session", str(work.session), word("site.in_session", number=work.session))]
            )
        # Whose voice it is, the byline has said.
        other_subjects = tuple(
            name
            for name in work.subjects
            if not isinstance(work, JournalEntry) or name.casefold() != work.voice.casefold()
        )
        if other_subjects:
            phrases.append(_message_parts("site.about_whom", names=self.link_names(other_subjects)))
        if isinstance(work, Artwork):
            # What a picture is about comes before whose it is.
            phrases += [
                list(_parts_of_inline(self.link_name(phrase)))
                for phrase in (work.artist, work.licence)
                if phrase
            ]
        if payment_key in self._view.payments:
            phrases.append(list(_parts_of_inline(self._view.payments[payment_key])))
        separator = ", " if isinstance(work, JournalEntry) else " · "
        inline_parts = [inline_part for phrase in phrases for inline_part in (separator, *phrase)]
        return tuple(inline_parts[1:])


def _message_parts(message_key: str, **values: Inline) -> list[str | int | Ref]:
    """A message with links in its places, as pieces of a line."""
    return [
        inline_part
        for message_part in word_pieces(message_key, **values)
        for inline_part in _parts_of_inline(message_part)
    ]


def _parts_of_inline(inline_text: Inline) -> tuple[str | int | Ref, ...]:
    """A piece of a line as a tuple of pieces."""
    return (
        inline_text
        if isinstance(inline_text, tuple) and not isinstance(inline_text, Ref)
        else (inline_text,)
    )
