"""Debian packages that bundled libraries come from."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote


def packages_of(libraries: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return "package", "version" and "purl" of libraries from system packages.

    libraries: bundled files' paths by name. Empty without dpkg.
    """
    if shutil.which("dpkg-query") is None:
        return {}
    release = platform.freedesktop_os_release()
    found = {}
    for name, path in libraries.items():
        package = _package_of(Path(path))
        if package is None:
            continue
        fields = _asked("-W", "-f", "${Package}\t${Version}\t${Architecture}", package).split("\t")
        package, version, architecture = fields
        distribution = f"{release['ID']}-{release.get('VERSION_ID', 'unstable')}"
        address = f"pkg:deb/{release['ID']}/{quote(package)}@{quote(version, safe=':')}"
        purl = f"{address}?arch={architecture}&distro={distribution}"
        found[name] = {"package": package, "version": version, "purl": purl}
    return found


def _package_of(path: Path) -> str | None:
    real = path.resolve()
    for name in (str(real), str(real).removeprefix("/usr")):
        if answer := _asked("-S", name):
            return answer.splitlines()[0].rpartition(": ")[0]
    return None


def _asked(*question: str) -> str:
    done = subprocess.run(["dpkg-query", *question], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""
