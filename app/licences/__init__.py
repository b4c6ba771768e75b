"""What this installation is made of and under which licences: for the window, the command line and the bundles.

What pip knows comes from the packages' own metadata. Libraries inside those packages, which pip does not know, are in
`components.json`: each is listed where its file is there. Nothing is loaded, nothing goes over the network.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
import sys
import uuid
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageMetadata, PackageNotFoundError
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).with_name("texts")
PROGRAM = "framebrush"
EXTRA = "gui"

BUNDLED = bool(getattr(sys, "frozen", False))
"""Whether this is the program of an installer or archive, which brings Python along."""

_EXPRESSIONS = {  # of packages whose metadata says it in words only
    "colorama": "BSD-3-Clause",
    "flatbuffers": "Apache-2.0",
    "llvmlite": "BSD-2-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "mpmath": "BSD-3-Clause",
    "numba": "BSD-2-Clause",
    "numpy": "BSD-3-Clause",
    "onnxruntime": "MIT",
    "onnxruntime-directml": "MIT",
    "protobuf": "BSD-3-Clause",
    "rich": "MIT",
    "shellingham": "ISC",
    "sympy": "BSD-3-Clause",
}
_TEXTS_OF = {"LGPL-3.0-only": ("LGPL-3.0", "GPL-3.0"), "Apache-2.0": ("Apache-2.0",)}


@dataclass(frozen=True, slots=True)
class Component:
    """One part. version: '' where it is not known. is_package: whether it is one of pip's. licence: an SPDX expression.
    inside: the package that brings it, '' for one that stands alone. texts: its copyright and the texts of its
    licences, for a person."""

    name: str
    version: str
    licence: str
    source: str
    inside: str
    texts: tuple[str, ...]
    is_package: bool = False


def components(bundled: bool = BUNDLED) -> tuple[Component, ...]:
    """Every part of this installation, the program first, then by name.

    bundled: those of a bundle made of this installation.
    """
    found = _distributions()
    program = found.pop(PROGRAM, None)
    parts = [_of_distribution(one) for one in found.values()] + _inside(bundled)
    first = [_of_distribution(program)] if program is not None else []
    return (*first, *sorted(parts, key=lambda part: part.name.lower()))


def notices(bundled: bool = BUNDLED) -> str:
    """All of it as one text: a list, and the texts of the licences, each once."""
    parts = components(bundled)
    lines = [f"{part.name} {part.version}".strip() + f": {part.licence}" for part in parts]
    names: dict[str, list[str]] = {}
    for part in parts:
        for text in part.texts:
            names.setdefault(text.strip(), []).append(part.name)
    rule = "=" * 100
    bodies = [f"{rule}\n{', '.join(dict.fromkeys(of))}\n{rule}\n\n{text}\n" for text, of in names.items()]
    return "\n".join([*lines, "", *bodies])


def bill_of_materials(bundled: bool = BUNDLED) -> dict[str, Any]:
    """The parts as CycloneDX 1.6. Source: https://cyclonedx.org/docs/1.6/json/."""
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
    kind, version = "pypi" if part.is_package else "generic", f"@{part.version}" if part.version else ""
    package = {"purl": f"pkg:{kind}/{_normal(part.name)}{version}"}
    licences = [{"expression": part.licence}] if part.licence else []
    lists = {key: value for key, value in (("licenses", licences), ("externalReferences", link)) if value}
    return {"type": "library", "bom-ref": _reference(part), **name, **package, **lists}


def _reference(part: Component) -> str:
    return "/".join(filter(None, (part.inside, _normal(part.name), part.version)))


def _normal(name: str) -> str:
    return re.sub(r"[-_. ]+", "-", name).lower()


def _distributions() -> dict[str, Distribution]:
    """The program and all that it needs, with the window, as far as it is installed."""
    found: dict[str, Distribution] = {}
    wanted = [(PROGRAM, EXTRA)]
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
    return Component(name, distribution.version, said, source, "", tuple(texts), is_package=True)


def _field(metadata: PackageMetadata, name: str) -> str:
    """A field that may be missing: the backport `importlib_metadata`, once it is loaded, raises KeyError then."""
    return str((metadata.get_all(name) or [""])[0])


def _located(path: importlib.metadata.PackagePath) -> Path:
    return Path(str(path.locate()))


def _is_licence(path: str) -> bool:
    """Whether a file of a package holds a licence, of its own or of what it includes; of Qt's commercial one never."""
    name = path.rpartition("/")[2].upper()
    words = ("LICEN", "NOTICE", "COPYING", "THIRDPARTYNOTICES")
    return name.startswith(words) and not name.endswith((".PY", ".PYC", ".H")) and "COMMERCIAL" not in name


def _inside(bundled: bool) -> list[Component]:
    """The libraries that packages or the bundle bring along."""
    found = []
    for entry in json.loads(Path(__file__).with_name("components.json").read_text(encoding="utf-8")):
        if entry["inside"]:
            try:
                owner = importlib.metadata.distribution(entry["inside"])
            except PackageNotFoundError:
                continue
            here = any(Path(str(owner.locate_file(""))).glob(entry["file"]))
            left_out = bundled and entry.get("left_out_of_bundles_on") == sys.platform
            is_part = here and not left_out
        else:
            is_part = bundled and entry.get("on", sys.platform) == sys.platform
        if is_part:
            texts = (entry["copyright"], *map(_text, entry["texts"]))
            version = _version(entry, owner if entry["inside"] else None)
            found.append(Component(entry["name"], version, entry["licence"], entry["source"], entry["inside"], texts))
    return found


def _version(entry: dict[str, Any], owner: Distribution | None) -> str:
    """Of a library; owner: the package that brings it. "versions" is by the owner's version, as it was looked up; what
    "version_of" names is in the owner's own bill of materials (PEP 770); "version_in" is a file and what it says.
    '' where nothing tells.
    """
    versions = entry.get("versions", {})
    if entry["name"] == "Python":
        return platform.python_version()
    if entry["name"] == "OpenSSL":
        import ssl  # here, not above: it loads the library

        return ssl.OPENSSL_VERSION.split()[1]
    if entry["name"] == "Expat":
        import pyexpat

        return pyexpat.EXPAT_VERSION.removeprefix("expat_")
    if owner is None:
        return ""
    if versions == "of its package":
        return owner.version
    if "version_of" in entry:
        return _in_bill(owner, entry["version_of"])
    if "version_in" in entry:
        pattern, said = entry["version_in"]
        for path in Path(str(owner.locate_file(""))).glob(pattern):
            if path.is_file() and (found := re.search(said.encode(), path.read_bytes())):
                return found[1].decode()
    return str(versions.get(owner.version, ""))


def _in_bill(owner: Distribution, name: str) -> str:
    """The version of a library in the bill of materials that its wheel was built with."""
    for path in owner.files or []:
        if "sboms" in path.parts and path.suffix == ".json":
            bill = json.loads(_located(path).read_text(encoding="utf-8"))
            for part in bill.get("components", []):
                if part.get("name") == name:
                    return str(part.get("version", ""))
    return ""


def _text(name: str) -> str:
    return (TEXTS / f"{name}.txt").read_text(encoding="utf-8")
