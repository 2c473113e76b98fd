"""Python for browsers, and Chronicle packed for it: what the desk on a published site runs on.

The folder holds Pyodide, unmodified (https://pyodide.org, Mozilla Public License 2.0, with the parts it is
made of under their own licences), and Chronicle with PyYAML and ruamel.yaml (MIT), compiled by it.
"""

from pathlib import Path

FOLDER = Path(__file__).parent / "data"
