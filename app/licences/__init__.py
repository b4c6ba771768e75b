"""Components of this installation, with licences.

Sources: pip's metadata, `components.json`, and in a bundle SYSTEM (`packaging/debian_packages.py`).
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import platform
import re
import sys
import uuid
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import Distribution, PackageMetadata, PackageNotFoundError
from pathlib import Path
from typing import Any
from urllib.parse import quote

PIECE_BYTES, OVERLAP_BYTES = 1 << 18, 1 << 10
"""Bytes per step of searching a library, so that other threads can run, and overlap of steps, longer than a version
number with its context."""

TEXTS = Path(__file__).with_name("texts")
SYSTEM = Path(__file__).with_name("system.json")
"""In a Linux bundle: package, version and purl of each system library."""

PROGRAM = "framebrush"
EXTRA = "gui"

BUNDLED = bool(getattr(sys, "frozen", False))
"""Whether this is an installer's or archive's program, with its own Python."""

_EXPRESSIONS = {  # packages with licences in words only
    "colorama": "BSD-3-Clause",
    "flatbuffers": "Apache-2.0",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "mpmath": "BSD-3-Clause",
    "numpy": "BSD-3-Clause",
    "onnxruntime": "MIT",
    "onnxruntime-directml": "MIT",
    "onnxruntime-windowsml": "MIT",
    "protobuf": "BSD-3-Clause",
    "rich": "MIT",
    "shellingham": "ISC",
    "sympy": "BSD-3-Clause",
}
_TEXTS_OF = {"LGPL-3.0-only": ("LGPL-3.0", "GPL-3.0"), "Apache-2.0": ("Apache-2.0",)}


@dataclass(frozen=True, slots=True)
class Component:
    """Component. unknown: why the version is "". inside: containing package, or "".

    purl: see https://github.com/package-url/purl-spec.
    """

    name: str
    version: str
    licence: str
    source: str
    inside: str
    texts: tuple[str, ...]
    purl: str
    unknown: str = ""


def components(bundled: bool = BUNDLED) -> tuple[Component, ...]:
    """List all components, the program first, then by name."""
    found = _distributions()
    program = found.pop(PROGRAM, None)
    parts = [_of_distribution(one) for one in found.values()] + _inside(bundled)
    first = [_of_distribution(program)] if program is not None else []
    return (*first, *sorted(parts, key=lambda part: part.name.lower()))


def notices(bundled: bool = BUNDLED) -> str:
    """Format all components as text, each licence text once."""
    parts = components(bundled)
    lines = [f"{part.name} {part.version or f'({part.unknown})'}: {part.licence}" for part in parts]
    names: dict[str, list[str]] = {}
    for part in parts:
        for text in part.texts:
            names.setdefault(text.strip(), []).append(part.name)
    rule = "=" * 100
    bodies = [f"{rule}\n{', '.join(dict.fromkeys(of))}\n{rule}\n\n{text}\n" for text, of in names.items()]
    return "\n".join([*lines, "", *bodies])


def bill_of_materials(bundled: bool = BUNDLED) -> dict[str, Any]:
    """Return the components as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/)."""
    program, *parts = components(bundled)
    listed = [_as_cyclonedx(part) for part in parts]
    numbered = json.dumps(listed, sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, numbered)}",
        "version": 1,
        "metadata": {"component": {**_as_cyclonedx(program), "type": "application"}},
        "components": listed,
        "dependencies": [{"ref": _reference(program), "dependsOn": sorted({_reference(part) for part in parts})}],
    }


def _as_cyclonedx(part: Component) -> dict[str, Any]:
    name = {"name": part.name} | ({"version": part.version} if part.version else {})
    link = [{"type": "website", "url": part.source}] if part.source else []
    licences = [{"expression": part.licence}] if part.licence else []
    unknown = [{"name": "framebrush:version", "value": part.unknown}] if part.unknown else []
    found = {"licenses": licences, "externalReferences": link, "properties": unknown}
    lists = {key: value for key, value in found.items() if value}
    return {"type": "library", "bom-ref": _reference(part), **name, "purl": part.purl, **lists}


def _purl(kind: str, name: str, version: str) -> str:
    return f"pkg:{kind}/{_normal(name)}" + (f"@{quote(version, safe=':')}" if version else "")


def _reference(part: Component) -> str:
    return "/".join(filter(None, (part.inside, _normal(part.name), part.version)))


def _normal(name: str) -> str:
    return re.sub(r"[-_. ']+", "-", name).lower()


def _distributions() -> dict[str, Distribution]:
    found: dict[str, Distribution] = {}
    runtimes = importlib.metadata.packages_distributions().get("onnxruntime", ())
    wanted = [(PROGRAM, EXTRA), *((_normal(name), "") for name in runtimes)]
    while wanted:
        name, extra = wanted.pop()
        if name in found:
            continue
        try:
            found[name] = importlib.metadata.distribution(name)
        except PackageNotFoundError:
            continue
        for requirement in found[name].requires or []:
            needed, _, marker = requirement.partition(";")
            named = re.search(r"extra\s*==\s*['\"]([^'\"]+)", marker)
            if named is None or named[1] == extra:
                wanted.append((_normal(re.split(r"[\s<>=!~\[(;@]", needed.strip())[0]), ""))
    return found


def _of_distribution(distribution: Distribution) -> Component:
    metadata = distribution.metadata
    name = metadata["Name"]
    said = _field(metadata, "License-Expression") or _EXPRESSIONS.get(_normal(name)) or _field(metadata, "License")
    links = [link.partition(",")[::2] for link in metadata.get_all("Project-URL") or []]
    links.sort(key=lambda link: re.match("home|source|repo|code", link[0], re.IGNORECASE) is None)
    source = _field(metadata, "Home-page") or next((url.strip() for _, url in links), "")
    paths = [_located(path) for path in distribution.files or [] if _is_licence(str(path))]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file()]
    texts = texts or [_text(text) for text in _TEXTS_OF.get(said.split(" OR ")[0], ())]
    purl = _purl("pypi", name, distribution.version)
    return Component(name, distribution.version, said, source, "", tuple(texts), purl)


def _field(metadata: PackageMetadata, name: str) -> str:
    return str((metadata.get_all(name) or [""])[0])


def _located(path: importlib.metadata.PackagePath) -> Path:
    return Path(str(path.locate()))


def _is_licence(path: str) -> bool:
    name = path.rpartition("/")[2].upper()
    words = ("LICEN", "NOTICE", "COPYING", "THIRDPARTYNOTICES")
    return name.startswith(words) and not name.endswith((".PY", ".PYC", ".H")) and "COMMERCIAL" not in name


def _inside(bundled: bool) -> list[Component]:
    found = []
    system: dict[str, dict[str, str]] = json.loads(SYSTEM.read_text(encoding="utf-8")) if SYSTEM.exists() else {}
    for entry in json.loads(Path(__file__).with_name("components.json").read_text(encoding="utf-8")):
        owner = None
        if entry["inside"]:
            try:
                owner = importlib.metadata.distribution(entry["inside"])
            except PackageNotFoundError:
                continue
            here = any(Path(str(owner.locate_file(""))).glob(entry["file"]))
            left_out = bundled and entry.get("left_out_of_bundles_on") in ("all", sys.platform)
            is_part = here and not left_out
        else:
            is_part = bundled and entry.get("on", sys.platform) == sys.platform
        if is_part:
            found += _of_system(entry, system) or [_of_library(entry, owner)]
    return found


def _of_system(entry: dict[str, Any], system: dict[str, dict[str, str]]) -> list[Component]:
    patterns = entry.get("system", [])
    of = [facts for file, facts in system.items() if any(fnmatch(file, pattern) for pattern in patterns)]
    packages = {facts["package"]: facts for facts in of}
    return [
        Component(
            entry["name"] if len(packages) == 1 else f"{entry['name']}: {package}",
            facts["version"],
            entry["licence"],
            entry["source"],
            "",
            _texts(entry),
            facts["purl"],
        )
        for package, facts in packages.items()
    ]


def _of_library(entry: dict[str, Any], owner: Distribution | None) -> Component:
    name, version = entry["name"], _version(entry, owner)
    package = entry.get("package")
    purl = _purl("pypi", package, version) if package else _purl("generic", name, version)
    unknown = ""
    if not version:
        who = f"{owner.name} {owner.version}" if owner is not None else package or "what it was bundled from"
        unknown = f"version not reported by {who}"
    return Component(name, version, entry["licence"], entry["source"], entry["inside"], _texts(entry), purl, unknown)


def _texts(entry: dict[str, Any]) -> tuple[str, ...]:
    return (entry["copyright"], *map(_text, entry["texts"]))


def _version(entry: dict[str, Any], owner: Distribution | None) -> str:
    """Find a library's version, "" if unknown.

    "package" is a distribution; "versions" maps the owner's; "version_of" names it in the owner's bill of materials;
    "version_in" is a file with a pattern.
    """
    if entry["name"] == "Python":
        return platform.python_version()
    if entry["name"] == "OpenSSL":
        import ssl  # loads the library

        return ssl.OPENSSL_VERSION.split()[1]
    if entry["name"] == "Expat":
        import pyexpat

        return pyexpat.EXPAT_VERSION.removeprefix("expat_")
    if "package" in entry:
        with contextlib.suppress(PackageNotFoundError):
            return importlib.metadata.version(entry["package"])
    if "version_of" in entry and owner is not None:
        return _in_bill(owner, entry["version_of"])
    if "version_in" in entry and (owner is not None or sys.platform == "win32"):  # elsewhere it is the system's
        pattern, said = entry["version_in"]
        folder = Path(str(owner.locate_file(""))) if owner is not None else Path(sys.base_prefix)
        for path in folder.glob(pattern):
            if path.is_file() and (found := said_in(path, said.encode())):
                return found
    versions = entry.get("versions", {})
    if owner is None:
        return ""
    return owner.version if versions == "of its package" else str(versions.get(owner.version, ""))


def said_in(path: Path, pattern: bytes) -> str:
    """Search a file for a pattern's first group, without blocking threads."""
    piece = b""
    with path.open("rb") as file:
        while True:
            read = file.read(PIECE_BYTES)
            piece = piece[-OVERLAP_BYTES:] + read
            found = re.search(pattern, piece)
            if found and (found.end() < len(piece) or not read):  # otherwise it may continue in the next step
                return found[1].replace(b"\0", b"").decode()
            if not read:
                return ""


def _in_bill(owner: Distribution, name: str) -> str:
    for path in owner.files or []:
        if "sboms" in path.parts and path.suffix == ".json":
            bill = json.loads(_located(path).read_text(encoding="utf-8"))
            for part in bill.get("components", []):
                if part.get("name") == name:
                    return str(part.get("version", ""))
    return ""


def _text(name: str) -> str:
    return (TEXTS / f"{name}.txt").read_text(encoding="utf-8")
