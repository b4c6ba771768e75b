"""Sources beside a release for all parts under the GPL and the LGPL."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import io
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import av
import pytest
from packaging.utils import canonicalize_name

from framebrush import licences
from tests.tools.test_package import pinned
from tools import dev, frozen, source_archives
from tools.source_archives import Source

pytestmark = pytest.mark.media


@pytest.mark.slow
def test_every_part_under_the_gpl_or_the_lgpl_has_its_sources_listed() -> None:
    covered = {canonicalize_name(part) for source in source_archives.listed() for part in source.parts}
    asking = {part.name for part in licences.components(bundled=True) if "GPL-" in part.licence}
    asking -= {part.name for part in licences.components(bundled=True) if " WITH " in part.licence}  # the exceptions
    assert {"FFmpeg", "GMP"} <= asking
    assert {name for name in asking if canonicalize_name(name) not in covered} == set()


def test_the_sources_are_those_of_what_is_frozen() -> None:
    frozen_of = pinned(frozen.LOCK)
    for package, version in source_archives.pins().items():
        assert frozen_of[canonicalize_name(package)] == [version]
    versions = {part: source.version for source in source_archives.listed() for part in reversed(source.parts)}
    assert versions["av"] == source_archives.pins()["av"]
    assert {source.version for source in source_archives.listed() if "Qt" in source.parts} == {
        source_archives.pins()["shiboken6"]
    }
    if av.__version__ == versions["av"]:
        assert next(one.version for one in source_archives.listed() if "FFmpeg" in one.parts) == av.ffmpeg_version_info


def test_every_source_is_named_by_its_content() -> None:
    names = [source.name for source in source_archives.listed()]
    assert len(set(names)) == len(names)
    for source in source_archives.listed():
        assert source.url.startswith("https://")
        assert bool(source.sha256) is not bool(source.commit), source.name
        assert len(source.sha256) == 64 or (len(source.commit) == 40 and source.commit in source.url)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server of the files in tmp_path / "web"."""
    (tmp_path / "web").mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Nothing."""

    handler = partial(Quiet, directory=str(tmp_path / "web"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def of_git(path: Path, commit: str) -> None:
    """An archive with a commit where git writes it."""
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT, pax_headers={"comment": commit}) as packed:
        packed.addfile(tarfile.TarInfo("README"), io.BytesIO())


@pytest.mark.slow
def test_sources_are_fetched_checked_and_packed(tmp_path: Path, server: str) -> None:
    (tmp_path / "web" / "one.tar").write_bytes(b"one")
    of_git(tmp_path / "web" / "two.tar.gz", "a" * 40)
    wanted = [
        Source(("One", "Uno"), "1.0", f"{server}/one.tar", sha256=hashlib.sha256(b"one").hexdigest()),
        Source(("Two",), "2.0", f"{server}/two.tar.gz", commit="a" * 40, file="two-2.0.tar.gz"),
    ]
    archive = source_archives.fetch(wanted, tmp_path / "dist")
    assert list((tmp_path / "dist").iterdir()) == [archive]
    with tarfile.open(archive) as packed:
        assert [Path(name).name for name in packed.getnames()] == ["SOURCES.txt", "one.tar", "two-2.0.tar.gz"]
        text = packed.extractfile(packed.getmembers()[0])
        assert text is not None
        assert f"one.tar: One, Uno 1.0, from {server}/one.tar" in text.read().decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "says"),
    [("other", "it is not the source that was reviewed"), ("commit", "not " + "a" * 40), ("missing", "404.*of One")],
)
def test_no_other_file_is_taken_for_a_source(tmp_path: Path, server: str, kind: str, says: str) -> None:
    web = tmp_path / "web" / "one.tar"
    with contextlib.nullcontext() if kind == "missing" else web.open("wb") as file:
        if file is not None:
            file.write(b"other")
    source = Source(("One",), "1.0", f"{server}/one.tar", sha256=hashlib.sha256(b"one").hexdigest())
    if kind == "commit":
        of_git(web, "b" * 40)
        source = Source(("One",), "1.0", f"{server}/one.tar", commit="a" * 40)
    with pytest.raises(dev.SetupError, match=says):
        source_archives.fetch([source], tmp_path / "dist")
    assert list((tmp_path / "dist").iterdir()) == []
