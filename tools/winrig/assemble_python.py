"""Assemble CPython 3.11 for Windows from a Windows wheel and this machine's standard library.

    assemble_python.py DEPLOY_LIBS FOLDER

DEPLOY_LIBS: the folder of that name in panda3d's Windows wheel, with python311.dll and the standard extension modules.
Pure Python comes from the CPython 3.11 that runs this script, python.exe from `winrig make`.
"""

import shutil
import sys
import sysconfig
from pathlib import Path

BESIDE_THE_PROGRAM = {"python311.dll", "vcruntime140.dll"}
LEFT_OUT = (
    "site-packages",
    "dist-packages",
    "lib-dynload",
    "config-3.11*",
    "test",
    "idlelib",
    "ensurepip",
    "__pycache__",
)


def assemble(deploy_libs: Path, folder: Path) -> None:
    """Fill a folder with python311.dll, DLLs/ and Lib/ like an installed CPython for Windows."""
    (folder / "DLLs").mkdir(parents=True)
    for library in deploy_libs.iterdir():
        if library.name.lower() in BESIDE_THE_PROGRAM:
            shutil.copy2(library, folder)
        elif not library.name.startswith("api-ms-"):  # Wine has its own
            shutil.copy2(library, folder / "DLLs")
    shutil.copytree(sysconfig.get_path("stdlib"), folder / "Lib", ignore=shutil.ignore_patterns(*LEFT_OUT))
    (folder / "Lib" / "site-packages").mkdir()
    # python311.dll is 3.11.9, which calls this method on the class; before 3.11.8 the library lacked the decorator.
    metadata = folder / "Lib" / "importlib" / "metadata" / "__init__.py"
    forgotten, right = "\n\n    def invalidate_caches(cls)", "\n\n    @classmethod\n    def invalidate_caches(cls)"
    metadata.write_text(metadata.read_text(encoding="utf-8").replace(forgotten, right), encoding="utf-8")


if __name__ == "__main__":
    assemble(Path(sys.argv[1]), Path(sys.argv[2]))
