"""Chronicle: session records and journals for tabletop story games.

Players log what happened at the table as YAML transcripts; Chronicle replays them through the rules
of their game, says what does not add up, and publishes the result as a site.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
