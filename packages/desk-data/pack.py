"""Run in Pyodide by ``make.mjs``: pack every source file, with modules compiled by the Python that will run them.

Files that are no modules are packed as they are. Docstrings stay: the help of a verb is one.
"""

import importlib.util
import marshal
import zipfile

with (
    zipfile.ZipFile("/work/sources.zip") as sources,
    zipfile.ZipFile("/work/chronicle.zip", "w", zipfile.ZIP_STORED) as pack,
):
    for name in sources.namelist():
        data = sources.read(name)
        if name.endswith(".py"):
            code = compile(data, name, "exec", dont_inherit=True, optimize=0)
            # The pack holds no source that the compiled code could be compared with.
            head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
            data = head + importlib.util.source_hash(data) + marshal.dumps(code)
            name += "c"
        pack.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
