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

from chronicle.cli.edit import read_contents, require_unchanged
from chronicle.cli.out import (
    Cannot,
    TextStyler,
    campaigns_at,
    cannot_write,
    load_playable,
    on_terminal,
)
from chronicle.cli.place import OUTPUT_PATH
from chronicle.core.file_reading import read_file

if TYPE_CHECKING:
    from chronicle.cli.edit import FileContents
    from chronicle.core.campaign import Campaign, Session
    from chronicle.core.files import ContentChange


MAX_OPENING_BYTES = 64 * 1024
"""The largest file that is taken for an opening, which is one line."""


@click.command()
@click.argument("log", required=False, type=click.Path(path_type=Path))
@click.option(
    "--slot", "entry_id", help="Id of the entry, for a later `reveal:`. Everybody can see it."
)
@click.option("--by", "player", help="The player or character who has the secret.")
@click.option(
    "--kind",
    "secret_kind",
    default="secret",
    show_default=True,
    help="Kind of secret, such as bid, trait or token.",
)
@click.option("--about", "secret_subject", help="The subject of the secret. Everybody can see it.")
@click.option(
    "--keep",
    "opening_file",
    type=OUTPUT_PATH,
    help="File for the opening. Default: SLOT.opening next to the log.",
)
@click.option(
    "--verify",
    "opening_to_verify",
    type=click.Path(path_type=Path),
    help="Check whether the opening in this file matches the seal in the log, and write nothing.",
)
def seal(
    log: Path | None,
    entry_id: str | None,
    player: str | None,
    secret_kind: str,
    secret_subject: str | None,
    opening_file: Path | None,
    opening_to_verify: Path | None,
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
    campaign, session, _ = _find_session(log, for_editing=opening_to_verify is None)
    if opening_to_verify is not None:
        return _verify_opening(campaign, opening_to_verify)
    from chronicle.core.file_names import portable_name
    from chronicle.core.secrets import make_opening
    from chronicle.syntax.yaml_traps import quote_text

    entry_id = entry_id or _ask_text("The id of the entry (shown to all)", is_hidden=False)
    if not re.fullmatch(r"[\w-]+", entry_id):
        raise Cannot(f"'{entry_id}' is no good id", "letters, digits and hyphens: ana-bid-3")
    _require_free_id(campaign, entry_id)
    player_names = [known_player.name for known_player in campaign.players]
    player = player or _ask_text("Whose secret", is_hidden=False, choices=player_names)
    new_opening_file = opening_file or log.parent / portable_name(f"{entry_id}.opening")
    if os.path.lexists(new_opening_file):
        raise Cannot(f"'{new_opening_file}' is there already, and nothing is overwritten")
    key_lines = [f"id: {entry_id}", f"by: {quote_text(player)}", f"kind: {quote_text(secret_kind)}"]
    if secret_subject:
        key_lines.append(f"about: {quote_text(secret_subject)}")
    _require_valid_seal(campaign, session, log, entry_id, key_lines)
    secret = _ask_text("The secret (not shown)", is_hidden=True)
    # The file was perhaps saved while the secret was typed.
    campaign, session, old_contents = _find_session(log, for_editing=True)
    _require_free_id(campaign, entry_id)
    _require_valid_seal(campaign, session, log, entry_id, key_lines)
    opening = make_opening(session.number, entry_id, player, secret_kind, secret)
    _write_seal(log, session, old_contents, new_opening_file, entry_id, opening, key_lines)
    return 0


def _is_existing_log(log_file: Path) -> bool:
    """Whether there is such a file.

    Raises:
        Cannot: without permission to look.
    """
    try:
        return stat.S_ISREG(log_file.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise Cannot(f"'{log_file}' cannot be read: {error.strerror}") from None


def _require_free_id(campaign: Campaign, entry_id: str) -> None:
    """Hold that no entry has this id.

    Raises:
        Cannot: when one has.
    """
    if entry_id in {
        str(action.id) for session in campaign.sessions for action in session.actions if action.id
    }:
        raise Cannot(f"the id '{entry_id}' is taken in this campaign")


def _require_valid_seal(
    campaign: Campaign, session: Session, log_file: Path, entry_id: str, key_lines: list[str]
) -> None:
    """Hold that the log may get this seal, by trying it before anything is asked for or written.

    Raises:
        Cannot: when the entry would be wrong.
    """
    from chronicle.campaigns import load, run
    from chronicle.core.diagnostic import Severity

    new_bytes = _log_with_seal(log_file, session, f"sha256:{'0' * 64}", key_lines).new_data
    record = run(load(Path(campaign.folder), content_by_file={log_file: new_bytes or b""}))
    for step in record.steps:
        if str(step.action.id or "") != entry_id:
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


def _log_with_seal(
    log_file: Path, session: Session, seal_value: str, key_lines: list[str]
) -> ContentChange:
    """The log, and what it holds with one more seal at its end.

    Raises:
        Cannot: when it cannot be read, or something else would change besides.
    """
    from chronicle.syntax.edit import insert_entry
    from chronicle.syntax.text_edit import EditRefused, decode_for_edit

    try:
        source = decode_for_edit(read_file(log_file), session.path)
        entry_lines = [f"sealed: {seal_value}", *key_lines]
        return source.make_change(
            log_file, insert_entry(source.text, session.path, "\n".join(entry_lines))
        )
    except OSError as error:
        raise Cannot(f"'{log_file}' cannot be read: {error.strerror}") from None
    except EditRefused as error:
        raise Cannot(str(error), "nothing was changed") from None


def _ask_text(question: str, *, is_hidden: bool, choices: list[str] | None = None) -> str:
    """An answer from the person at the terminal; a secret also from a pipe."""
    if not on_terminal(sys.stdin):
        if not is_hidden:
            raise Cannot(f"{question}? Nobody is there to answer", "give --slot and --by")
        with contextlib.suppress(AttributeError, ValueError):
            sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        try:
            answer = re.sub(r"\r?\n\Z", "", sys.stdin.read(MAX_OPENING_BYTES))
        except UnicodeDecodeError:
            raise Cannot("the secret is not UTF-8 text") from None
    else:
        choices_text = f" ({', '.join(choices)})" if choices else ""
        answer = str(click.prompt(f"{question}{choices_text}", hide_input=is_hidden))
    if not answer.strip():
        raise Cannot("an empty answer seals nothing")
    return answer


def _find_session(log_file: Path, *, for_editing: bool) -> tuple[Campaign, Session, FileContents]:
    """The campaign and the session of a log, and the texts that they were read from.

    Raises:
        Cannot: when the log is no session of a campaign.
    """
    folder = campaigns_at(log_file, for_editing=for_editing)[0]
    old_contents = read_contents(folder)
    campaign = load_playable(folder)
    for session in campaign.sessions:
        if Path(session.path).resolve() == log_file.resolve():
            return campaign, session, old_contents
    raise Cannot(f"'{log_file}' is no session of a campaign")


def _write_seal(
    log_file: Path,
    session: Session,
    old_contents: FileContents,
    opening_file: Path,
    entry_id: str,
    opening: str,
    key_lines: list[str],
) -> None:
    """Write the opening and the seal, or neither.

    Raises:
        Cannot: when one of them cannot be written.
    """
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange
    from chronicle.core.secrets import seal_of

    log_folder = log_file.resolve().parent
    opening_folder = opening_file.parent.resolve()
    # The opening first: a seal without an opening would be worse than none.
    content_changes = [
        ContentChange(
            opening_folder / opening_file.name, None, f"{opening}\n".encode(), is_private=True
        ),
        _log_with_seal(log_file, session, seal_of(opening), key_lines),
    ]
    try:
        require_unchanged(old_contents, content_changes)
        if opening_folder.is_relative_to(log_folder):
            edit(log_folder, content_changes)
        else:
            edit(opening_folder, content_changes[:1])
            try:
                edit(log_folder, content_changes[1:])
            except BaseException:
                with contextlib.suppress(OSError):
                    opening_file.unlink()
                raise
    except OSError as error:
        raise cannot_write(error) from None
    styler = TextStyler()
    click.echo(f"{log_file} ends with the seal of {styler(entry_id, 'bold')} now.")
    click.echo(f"{opening_file} holds the opening: keep it, show nobody, do not commit it.")
    click.echo("When the time has come:\n")
    click.echo(
        f"  - reveal: {entry_id}\n    opening: |-\n      ...the line in {opening_file.name}..."
    )


def _verify_opening(campaign: Campaign, opening_file: Path) -> int:
    """0 if the opening in ``opening_file`` belongs to its seal in the log, 1 if not."""
    from chronicle.core.secrets import read_opening, seal_of
    from chronicle.core.shared_verbs import Sealed

    try:
        opening_line = read_file(opening_file, MAX_OPENING_BYTES).decode("utf-8").rstrip("\r\n")
    except OSError as error:
        raise Cannot(f"'{opening_file}' cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Cannot(f"'{opening_file}' cannot be read: it is no text") from None
    opening = read_opening(opening_line)
    if opening is None:
        raise Cannot(
            f"'{opening_file}' holds no opening", 'an opening starts with ["chronicle-seal-1",'
        )
    for session in campaign.sessions:
        for action in session.actions:
            if isinstance(action, Sealed) and action.id == opening.secret_id:
                if str(action.seal) == seal_of(opening_line) and session.number == opening.session:
                    click.echo(
                        f"{TextStyler()('It matches', 'green')} the seal of {opening.secret_id}."
                    )
                    return 0
                click.echo(
                    f"{TextStyler()('It does not match', 'red')} the seal of {opening.secret_id}."
                )
                return 1
    raise Cannot(f"no seal with the id '{opening.secret_id}' in this campaign")
