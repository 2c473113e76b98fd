"""``python -m chronicle`` is ``chronicle``."""

import sys

from chronicle.cli import main

if __name__ == "__main__":
    sys.exit(main())
