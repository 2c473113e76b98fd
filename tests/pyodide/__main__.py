"""The core's tests in Pyodide under node, where no YAML parser is compiled and no thread is to be had:
``python -m tests.pyodide [OPTION of pytest ...]``.

What is found in the play examples has to be what is found outside, and the check of a workspace has to be
equal to a cold one there too. What goes through whole campaigns time and again, and most of the cases, is
for where Python is fast: a spread of them is tried.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from tests.golden import ROOT
from tests.pyodide.same import FOLDERS, findings

# Two runs beside each other, of about the same length.
RUNS = (
    (
        "tests/pyodide/same.py",
        "tests/test_workspace.py",
        "tests/syntax/test_folder.py",
        # There are no pipes there.
        "--deselect=tests/syntax/test_folder.py::test_what_is_no_file_is_not_waited_for",
        "tests/syntax/test_malformed.py",
        "tests/syntax/test_reference.py",
        "tests/syntax/test_loader.py::test_the_pure_parser_reads_what_only_libyaml_did",
        "tests/syntax/test_loader.py::test_what_lies_in_each_other_without_end_is_told",
        "tests/syntax/test_split.py",
        "tests/syntax/test_yaml_traps.py",
        # All of the core but what starts processes, or is compiled, or counts what is done, which is the
        # same everywhere.
        "tests/core",
        *(f"--ignore=tests/core/test_{name}.py" for name in ("edits", "files", "growth")),
        *(
            f"--ignore=tests/core/test_{name}.py"
            for name in ("file_names", "file_reading", "values")
        ),
        "tests/test_golden.py",
        "tests/games/test_due.py",
    ),
    ("tests/pyodide/spread.py",),
)
KIND = ("-m", "not integration")


def main(options: list[str]) -> int:
    """Run them, say how it went; the number of runs in which something failed."""
    fetch = [sys.executable, "packages/desk-data/fetch.py", ".cache"]
    pyodide = subprocess.check_output(fetch, cwd=ROOT, encoding="utf-8").strip()
    scratch = Path(os.environ.get("CHRONICLE_CI_SCRATCH") or tempfile.mkdtemp())
    findings_by_folder = {
        folder.relative_to(ROOT).as_posix(): findings(folder) for folder in FOLDERS
    }
    (scratch / "found.json").write_text(
        json.dumps(findings_by_folder), encoding="utf-8", newline="\n"
    )
    start = ["node", str(ROOT / "tests/pyodide/run.mjs"), pyodide, str(ROOT)]
    start.append(sysconfig.get_path("purelib"))
    environment = {**os.environ, "CHRONICLE_CI_SCRATCH": str(scratch)}
    runs = [
        subprocess.Popen(
            [*start, f"--junitxml=/scratch/pyodide-{number}.xml", *KIND, *tests, *options],
            env=environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        for number, tests in enumerate(RUNS)
    ]
    failed = 0
    for run in runs:
        output, _ = run.communicate()
        failed += run.returncode != 0
        print(output if run.returncode else output.strip().rpartition("\n")[2])
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
