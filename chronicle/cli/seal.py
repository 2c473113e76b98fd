"""``chronicle seal``: promise a secret now, prove it later."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.edit import read_texts, require_unchanged
from chronicle.cli.out import Cannot, Ink, campaigns_at, cannot_write, load_playable, on_terminal
from chronicle.cli.place import OUT
from chronicle.core.file_reading import read_file

if TYPE_CHECKING:
    from chronicle.cli.edit import CampaignTexts
    from chronicle.core.campaign import Campaign, Session
    from chronicle.core.files import ContentChange


MAX_OPENING_BYTES = 64 * 1024
"""The largest file that is taken for an opening, which is one line."""


@click.command()
@click.argument("log", required=False, type=click.Path(path_type=Path))
@click.option("--slot", help="Id of the entry, for a later `reveal:`. Everybody can see it.")
@click.option("--by", "player", help="The player or character who has the secret.")
@click.option(
    "--kind",
    default="secret",
    show_default=True,
    help="Kind of secret, such as bid, trait or token.",
)
@click.option("--about", "subject", help="The subject of the secret. Everybody can see it.")
@click.option(
    "--keep",
    type=OUT,
    help="File for the opening. Default: SLOT.opening next to the log.",
)
@click.option(
    "--verify",
    type=click.Path(path_type=Path),
    help="Check whether the opening in this file matches the seal in the log, and write nothing.",
)
def seal(
    log: Path | None,
    slot: str | None,
    player: str | None,
    kind: str,
    subject: str | None,
    keep: Path | None,
    verify: Path | None,
) -> int:
    """Seal a secret in LOG, a session file, so that you can prove it later.

    Chronicle asks for the secret, or reads it from a pipe, so that your command history does not
    contain it. The log gets `sealed: sha256:...`, which reveals nothing. The opening is one line in a
    file of yours. When the time comes, put that line under `reveal:`.

    \b
      chronicle seal sessions/lamps/03.yaml --slot ana-bid --by Ana --kind bid
      chronicle seal sessions/lamps/03.yaml --verify ana-bid.opening
    """  # noqa: D301
    if log is None:
        raise Cannot("which session file?", "chronicle seal sessions/ours/03.yaml --slot ana-bid")
    if not _is_existing_log(log):
        raise Cannot(f"there is no file '{log}'")
    campaign, session, _ = _session(log, editing=verify is None)
    if verify is not None:
        return _verify(campaign, verify)
    from chronicle.core.file_names import portable_name
    from chronicle.core.secrets import make_opening
    from chronicle.syntax.yaml_traps import quote_text

    slot = slot or _ask("The id of the entry (shown to all)", hidden=False)
    if not re.fullmatch(r"[\w-]+", slot):
        raise Cannot(f"'{slot}' is no good id", "letters, digits and hyphens: ana-bid-3")
    _require_free_id(campaign, slot)
    names = [player_of_campaign.name for player_of_campaign in campaign.players]
    player = player or _ask("Whose secret", hidden=False, choices=names)
    target = keep or log.parent / portable_name(f"{slot}.opening")
    if os.path.lexists(target):
        raise Cannot(f"'{target}' is there already, and nothing is overwritten")
    head = [f"id: {slot}", f"by: {quote_text(player)}", f"kind: {quote_text(kind)}"]
    if subject:
        head.append(f"about: {quote_text(subject)}")
    _require_valid_seal(campaign, session, log, slot, head)
    value = _ask("The secret (not shown)", hidden=True)
    # The file was perhaps saved while the secret was typed.
    campaign, session, texts = _session(log, editing=True)
    _require_free_id(campaign, slot)
    _require_valid_seal(campaign, session, log, slot, head)
    opening = make_opening(session.number, slot, player, kind, value)
    _write(log, session, texts, target, slot, opening, head)
    return 0


def _is_existing_log(log: Path) -> bool:
    """Whether there is such a file.

    Raises:
        Cannot: without permission to look.
    """
    try:
        return stat.S_ISREG(log.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise Cannot(f"'{log}' cannot be read: {error.strerror}") from None


def _require_free_id(campaign: Campaign, slot: str) -> None:
    """Hold that no entry has this id.

    Raises:
        Cannot: when one has.
    """
    if slot in {
        str(action.id) for session in campaign.sessions for action in session.actions if action.id
    }:
        raise Cannot(f"the id '{slot}' is taken in this campaign")


def _require_valid_seal(
    campaign: Campaign, session: Session, log: Path, slot: str, head: list[str]
) -> None:
    """Hold that the log may get this seal, by trying it before anything is asked for or written.

    Raises:
        Cannot: when the entry would be wrong.
    """
    from chronicle.campaigns import load, run
    from chronicle.core.diagnostic import Severity

    data = _log_with_seal(log, session, f"sha256:{'0' * 64}", head).new_data
    record = run(load(Path(campaign.folder), instead={log: data or b""}))
    for step in record.steps:
        if str(step.action.id or "") != slot:
            continue
        for diagnostic in step.diagnostics:
            if diagnostic.severity is Severity.ERROR:
                raise Cannot(
                    f"{diagnostic.message}; nothing was sealed",
                    f"the players are {', '.join(str(player.name) for player in campaign.players)}"
                    if diagnostic.code == "T50"
                    else "",
                    *(diagnostic.help if diagnostic.code != "T50" else ()),
                )


def _log_with_seal(log: Path, session: Session, sealed: str, head: list[str]) -> ContentChange:
    """The log, and what it holds with one more seal at its end.

    Raises:
        Cannot: when it cannot be read, or something else would change besides.
    """
    from chronicle.syntax.edit import insert_entry
    from chronicle.syntax.text_edit import EditRefused, decode_for_edit

    try:
        source = decode_for_edit(read_file(log), session.path)
        lines = [f"sealed: {sealed}", *head]
        return source.change(log, insert_entry(source.text, session.path, "\n".join(lines)))
    except OSError as error:
        raise Cannot(f"'{log}' cannot be read: {error.strerror}") from None
    except EditRefused as error:
        raise Cannot(str(error), "nothing was changed") from None


def _ask(question: str, *, hidden: bool, choices: list[str] | None = None) -> str:
    """An answer from the person at the terminal; a secret also from a pipe."""
    if not on_terminal(sys.stdin):
        if not hidden:
            raise Cannot(f"{question}? Nobody is there to answer", "give --slot and --by")
        with contextlib.suppress(AttributeError, ValueError):
            sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        try:
            answer = re.sub(r"\r?\n\Z", "", sys.stdin.read(MAX_OPENING_BYTES))
        except UnicodeDecodeError:
            raise Cannot("the secret is not UTF-8 text") from None
    else:
        hint = f" ({', '.join(choices)})" if choices else ""
        answer = str(click.prompt(f"{question}{hint}", hide_input=hidden))
    if not answer.strip():
        raise Cannot("an empty answer seals nothing")
    return answer


def _session(log: Path, *, editing: bool) -> tuple[Campaign, Session, CampaignTexts]:
    """The campaign and the session of a log, and the texts that they were read from.

    Raises:
        Cannot: when the log is no session of a campaign.
    """
    folder = campaigns_at(log, editing=editing)[0]
    texts = read_texts(folder)
    campaign = load_playable(folder)
    for session in campaign.sessions:
        if Path(session.path).resolve() == log.resolve():
            return campaign, session, texts
    raise Cannot(f"'{log}' is no session of a campaign")


def _write(
    log: Path,
    session: Session,
    texts: CampaignTexts,
    target: Path,
    slot: str,
    opening: str,
    head: list[str],
) -> None:
    """Write the opening and the seal, or neither.

    Raises:
        Cannot: when one of them cannot be written.
    """
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange
    from chronicle.core.secrets import seal_of

    log_folder = log.resolve().parent
    folder = target.parent.resolve()
    # The opening first: a seal without an opening would be worse than none.
    changes = [
        ContentChange(folder / target.name, None, f"{opening}\n".encode(), is_private=True),
        _log_with_seal(log, session, seal_of(opening), head),
    ]
    try:
        require_unchanged(texts, changes)
        if folder.is_relative_to(log_folder):
            edit(log_folder, changes)
        else:
            edit(folder, changes[:1])
            try:
                edit(log_folder, changes[1:])
            except BaseException:
                with contextlib.suppress(OSError):
                    target.unlink()
                raise
    except OSError as error:
        raise cannot_write(error) from None
    ink = Ink()
    click.echo(f"{log} ends with the seal of {ink(slot, 'bold')} now.")
    click.echo(f"{target} holds the opening: keep it, show nobody, do not commit it.")
    click.echo("When the time has come:\n")
    click.echo(f"  - reveal: {slot}\n    opening: |-\n      ...the line in {target.name}...")


def _verify(campaign: Campaign, file: Path) -> int:
    """0 if the opening in ``file`` belongs to its seal in the log, 1 if not."""
    from chronicle.core.secrets import read_opening, seal_of
    from chronicle.core.shared_verbs import Sealed

    try:
        line = read_file(file, MAX_OPENING_BYTES).decode("utf-8").rstrip("\r\n")
    except OSError as error:
        raise Cannot(f"'{file}' cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Cannot(f"'{file}' cannot be read: it is no text") from None
    opening = read_opening(line)
    if opening is None:
        raise Cannot(f"'{file}' holds no opening", 'an opening starts with ["chronicle-seal-1",')
    for session in campaign.sessions:
        for action in session.actions:
            if isinstance(action, Sealed) and action.id == opening.secret_id:
                if str(action.seal) == seal_of(line) and session.number == opening.session:
                    click.echo(f"{Ink()('It matches', 'green')} the seal of {opening.secret_id}.")
                    return 0
                click.echo(f"{Ink()('It does not match', 'red')} the seal of {opening.secret_id}.")
                return 1
    raise Cannot(f"no seal with the id '{opening.secret_id}' in this campaign")
