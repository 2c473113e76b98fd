"""``chronicle unname``: a player who is not to be found by name in what is published."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli import completing
from chronicle.cli.edit import read_contents, require_unchanged
from chronicle.cli.out import Cannot, campaign_at, campaigns_at, cannot_write


@click.command()
@click.argument("player", shell_complete=completing.complete_players)
@click.option(
    "--as", "public_name", default="no", help="The name that readers see instead. Default: no name."
)
@click.option(
    "--in",
    "path",
    default=".",
    type=click.Path(path_type=Path),
    help="The campaign. Default: the one in the current folder.",
)
def unname(player: str, public_name: str, path: Path) -> int:
    """Publish PLAYER under another name from now on, or without a name.

    Chronicle records this in campaign.yaml. The log stays as it is. New pages, exports and downloads
    show the other name everywhere, also in texts; a player without a name appears as, for example,
    Player 3. Copies that you published before do not change. Build the site again, and think of old
    copies, the history of the repository, and pictures.

    \b
      chronicle unname Ana
      chronicle unname Ana --as Kim
    """  # noqa: D301
    from chronicle.campaigns import for_readers, load
    from chronicle.core.edits import edit
    from chronicle.core.file_reading import read_file
    from chronicle.core.names import fold
    from chronicle.syntax.campaign_files import CampaignUnreadable
    from chronicle.syntax.edit_head import publish_as
    from chronicle.syntax.find import SETTINGS_FILE
    from chronicle.syntax.text_edit import EditRefused, decode_for_edit

    old_contents = {
        settings_file: old_bytes
        for folder in campaigns_at(path, for_editing=True)
        for settings_file, old_bytes in read_contents(folder).items()
    }
    campaign = campaign_at(path)
    player_names = [player_record.name for player_record in campaign.players]
    player_name = next(
        (known_name for known_name in player_names if fold(known_name) == fold(player)), None
    )
    if player_name is None:
        raise Cannot(
            f"nobody is called '{player}' here", f"the players are {', '.join(player_names)}"
        )
    if any(
        fold(known_name) == fold(public_name) and known_name != player_name
        for known_name in player_names
    ):
        raise Cannot(
            f"'{public_name}' sits at the table already", "readers need a name for everybody"
        )
    settings_file = Path(campaign.folder) / SETTINGS_FILE
    player_list_keys = ("players", *filter(None, [campaign.settings.facilitator]))
    try:
        source = decode_for_edit(read_file(settings_file), str(settings_file))
        new_text = publish_as(
            source.text, str(settings_file), player_list_keys, player_name, public_name
        )
        published_campaign = for_readers(
            load(Path(campaign.folder), content_by_file={settings_file: source.bytes_of(new_text)})
        )
        change = source.make_change(settings_file, new_text)
        require_unchanged(old_contents, [change])
        edit(Path(campaign.folder), [change])
    except EditRefused as error:
        raise Cannot(str(error), "nothing was changed") from None
    except CampaignUnreadable as error:
        raise Cannot(str(error), "nothing was changed") from None
    except OSError as error:
        raise cannot_write(error) from None
    shown_names = {
        str(player_entry.name): shown_name
        for player_entry, shown_name in load(Path(campaign.folder)).public_names
    }
    click.echo(
        f"{player_name} is published as {shown_names.get(player_name, player_name)} from now on: "
        f"{settings_file} says so."
    )
    for remark in (*published_campaign.rewordings, *published_campaign.publishing_notes):
        click.echo(f"  {remark}")
    return 0
