"""``chronicle excerpt``: a few lines of a log as annotated play, for other people's pages."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import Cannot
from chronicle.cli.where import with_path_argument

FORMATS = ("markdown", "html", "text", "bbcode")


@click.command()
@click.argument("passage_text", metavar="FILE:FROM-TO | FILE#ID..ID")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    default="markdown",
    show_default=True,
    help="Format of the place you paste it into.",
)
@with_path_argument
def excerpt(passage_text: str, output_format: str, path: Path) -> int:
    """Print some lines of a session as annotated play, ready to paste elsewhere.

    Ids of entries stay right when lines above them change: FILE#ID is one entry, FILE#ID..ID all from the
    first to the last.

    Chronicle replays the whole campaign, so balances and turns are correct at that point. Secrets stay
    secret. If these lines have errors, you see them, and the exit code is 1.

    \b
      chronicle excerpt 01.yaml:12-30
      chronicle excerpt 01.yaml#letter..dispute
      chronicle excerpt 01.yaml:12-30 --format bbcode
    """  # noqa: D301
    from chronicle.campaigns import find_campaigns, load, open_view
    from chronicle.cli.moments import find_file
    from chronicle.core.diagnostic import Severity
    from chronicle.site import written
    from chronicle.site.campaign_site import CampaignSite, SiteContext
    from chronicle.site.draw import make_environment
    from chronicle.site.excerpt import UnknownPassage, parse_passage, parts_of_rows, rows_of_steps
    from chronicle.site.links import PageUrlBuilder

    passage = parse_passage(passage_text)
    if passage is None:
        raise Cannot(
            f"which lines of '{passage_text}'?",
            "chronicle excerpt 01.yaml:12-30",
            "chronicle excerpt 01.yaml#letter..dispute  (ids of entries)",
        )
    first_line, last_line = passage.first_line, passage.last_line
    if not passage.entry_id_range and not 1 <= first_line <= last_line:
        raise Cannot(
            f"there are no lines {first_line} to {last_line}", "the first one comes first: 12-30"
        )
    file = find_file(Path(passage.file_name), find_campaigns(path))
    campaign_folder = next(
        (parent for parent in file.resolve().parents if (parent / "campaign.yaml").is_file()), None
    )
    if campaign_folder is None:
        raise Cannot(f"'{file}' lies in no campaign", "chronicle new  makes one")
    campaign = load(campaign_folder)
    session_path = next(
        (
            session.path
            for session in campaign.sessions
            if Path(session.path).resolve() == file.resolve()
        ),
        "",
    )
    if not session_path:
        raise Cannot(f"'{file}' is no session of '{campaign_folder.name}'")
    campaign_site = CampaignSite(
        open_view(campaign), SiteContext(make_environment(), PageUrlBuilder(), {})
    )
    shown_paths = {
        real_path: shown_path
        for shown_path, real_path in campaign_site.record.campaign.real_paths.items()
    }
    try:
        steps = passage.find_steps(campaign_site, shown_paths.get(session_path, session_path))
    except UnknownPassage as error:
        raise Cannot(str(error)) from None
    if not steps:
        raise Cannot(f"there is no entry on the lines {first_line} to {last_line} of '{file}'")
    click.echo(
        written.WRITERS[output_format](parts_of_rows(rows_of_steps(campaign_site, steps))), nl=False
    )
    are_errors = (
        diagnostic.severity is Severity.ERROR for step in steps for diagnostic in step.diagnostics
    )
    return int(any(are_errors))
