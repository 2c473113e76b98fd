"""All that a desk will want, wanted once: what desks are forked from imports this (:mod:`tests.browser.desk`)."""

import tempfile
from pathlib import Path

import chronicle.cli.app
import chronicle.cli.desk
import chronicle.cli.out
import chronicle.door.guest_files
import chronicle.door.server
import chronicle.site.look  # noqa: F401
from chronicle.services.warm import warm_up

with tempfile.TemporaryDirectory() as scratch:
    warm_up(Path(scratch))
