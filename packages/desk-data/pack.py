"""Run in Pyodide by ``make.mjs``: modules, compiled by the Python that will run them.

Docstrings stay: the help of a verb is one.
"""

import importlib.util
import marshal
import zipfile

with (
    zipfile.ZipFile("/work/sources.zip") as sources,
    zipfile.ZipFile("/work/chronicle.zip", "w", zipfile.ZIP_STORED) as pack,
):
    for name in sources.namelist():
        source = sources.read(name)
        code = compile(source, name, "exec", dont_inherit=True, optimize=0)
        # Whether the source is still the same is not looked into: there is none beside it.
        head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
        data = head + importlib.util.source_hash(source) + marshal.dumps(code)
        pack.writestr(zipfile.ZipInfo(name + "c", (1980, 1, 1, 0, 0, 0)), data)
