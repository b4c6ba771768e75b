"""Source archives of all parts under the GPL and the LGPL, published with a release.

`packaging/sources.json` lists them per pinned version of a Python package.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
import tempfile
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.dev import SetupError, say
from tools.frozen import PACKAGING, version

LIST = PACKAGING / "sources.json"
TRIES, PATIENCE_S = 3, 60

ABOUT = """The sources of those parts of Framebrush {version}'s installer, portable zip and archive for Linux that are
under the GNU General Public License or the GNU Lesser General Public License, as they were built:

{lines}

The sources of Framebrush are framebrush-{version}.tar.gz at the same place. LICENCES.txt in each program names every
part.
"""


@dataclass(frozen=True)
class Source:
    """Source file. parts: names in `framebrush licences`. sha256: "" for a git commit."""

    parts: tuple[str, ...]
    version: str
    url: str
    sha256: str = ""
    commit: str = ""
    file: str = ""

    @property
    def name(self) -> str:
        return self.file or self.url.rpartition("/")[2]


def pins() -> dict[str, str]:
    """Return versions of the packages with listed sources."""
    found: dict[str, str] = json.loads(LIST.read_text(encoding="utf-8"))["packages"]
    return found


def listed() -> list[Source]:
    return [Source(**one | {"parts": tuple(one["parts"])}) for one in json.loads(LIST.read_text("utf-8"))["sources"]]


def fetch(sources: Sequence[Source], into: Path) -> Path:
    """Download the sources into one archive; return its path. Raises SetupError."""
    into.mkdir(parents=True, exist_ok=True)
    archive = into / f"framebrush-{version()}-sources.tar"
    with tempfile.TemporaryDirectory(dir=into, prefix="sources-") as name:
        folder = Path(name)
        for source in sources:
            say(f"fetching {source.name}")
            _fetch(source, folder / source.name)
        lines = "\n".join(f"{one.name}: {', '.join(one.parts)} {one.version}, from {one.url}" for one in sources)
        (folder / "SOURCES.txt").write_text(ABOUT.format(version=version(), lines=lines), encoding="utf-8")
        part = folder / "all"
        with tarfile.open(part, "w") as packed:
            for file in sorted(folder.iterdir()):
                if file != part:
                    packed.add(file, arcname=f"framebrush-{version()}-sources/{file.name}")
        part.replace(archive)
    say(f"{archive.name} has {archive.stat().st_size >> 20} MB")
    return archive


def _fetch(source: Source, target: Path) -> None:
    request = urllib.request.Request(source.url, headers={"User-Agent": "framebrush-package"})
    for left in reversed(range(TRIES)):
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer, target.open("wb") as file:
                shutil.copyfileobj(answer, file)
            break
        except OSError as error:
            if not left:
                raise SetupError(f"{source.url}: {error}; a release needs this source of {source.parts[0]}") from error
    with target.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    wanted = source.sha256
    if source.commit:
        found, wanted = _commit(target), source.commit
    if found != wanted:
        raise SetupError(f"{source.url} is {found}, not {wanted}: it is not the source that was reviewed")


def _commit(archive: Path) -> str:
    try:
        with tarfile.open(archive) as packed:
            return packed.pax_headers.get("comment", "")
    except (tarfile.TarError, OSError, EOFError):
        return ""
