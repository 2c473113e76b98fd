"""Run every benchmark and print one table: ``python -m benchmarks``, which is ``make bench``."""

import sys

from benchmarks.report import main

if __name__ == "__main__":
    sys.exit(main())
