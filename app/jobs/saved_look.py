"""Saved look: a recipe for any film, as JSON or a look file."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from framebrush.base.files import read_bounded, write_whole
from framebrush.base.json_values import JsonError, from_values, indented, to_values
from framebrush.base.option import declared_in
from framebrush.base.text import first_line
from framebrush.base.user_folder import UserFolder
from framebrush.jobs import look_file
from framebrush.jobs.look_file import LookError as LookError
from framebrush.jobs.recipe import Recipe
from framebrush.styles.specs import SizeSpec

VERSION = 2
"""Of the JSON. Increase it when adding a field that older programs would misread."""

MAX_BYTES = 1 << 16  # any file may be given for a look, and is read whole


def read_look(path: Path) -> Recipe:
    """Read a look, with absolute paths. Raises LookError."""
    if path.suffix.lower() == look_file.SUFFIX:
        return look_file.unpacked(path, recipe_of)
    try:
        content = read_bounded(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        raise LookError(f"{path} cannot be read ({first_line(error)}); check the name and the folder") from None
    try:
        found = recipe_of(json.loads(content.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, LookError) else "it is not JSON"
        raise LookError(f"{path} is not a saved look: {reason}") from None
    folder = path.absolute().parent
    return found.with_files(lambda file: str(folder / file))  # absolute paths stay unchanged


def recipe_of(values: object) -> Recipe:
    """Make a look from JSON values. Raises LookError."""
    try:
        found = from_values(Recipe, _current(values), "look")
        if found != found.of_any_film:
            raise JsonError("it has keyframes, a divider, a size or corrections of masks, which belong to one film")
    except JsonError as error:
        raise LookError(str(error)[:200]) from None
    return found


def _current(values: object) -> dict[str, Any]:
    if not isinstance(values, dict) or "framebrush_look" not in values:
        raise JsonError("it is JSON, but not a look")
    version = values.pop("framebrush_look")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise JsonError(f"its format is {str(version)[:9]}, but this program reads {VERSION}; update Framebrush")
    if version > 1:
        return values
    sizes = {each.field for each in declared_in(SizeSpec)} & values.keys()  # old looks had no object for sizes
    return {"sizes": {name: values.pop(name) for name in sizes}, **values}


def write_look(look: Recipe, path: Path) -> tuple[str, ...]:
    """Write a look; return notes on omissions. Raises LookError."""
    if path.suffix.lower() == look_file.SUFFIX:
        return look_file.pack(look, path, _values)
    folder = path.absolute().parent
    moved = look.with_files(lambda file: Path(file).name if Path(file).parent == folder else file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, indented(_values(moved)) + "\n")
    except (OSError, ValueError) as error:
        raise LookError(f"{path} cannot be written ({first_line(error)}); choose another folder") from None
    return ()


def _values(look: Recipe) -> dict[str, Any]:
    return {"framebrush_look": VERSION, **to_values(look)}


class LookFolder(UserFolder):
    """Folder of looks; raises LookError for OSError."""

    def files(self) -> Iterator[Path]:
        """See `UserFolder.files`."""
        return self.path.glob("*.json")

    def save(self, look: Recipe, name: str) -> None:
        """Save a new look. Raises FileExistsError."""
        with self.changing():
            if (there := self.named(name)) is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(there))
            self.add(lambda path: write_look(look, path), name, ".json")

    def keep(self, look: Recipe, name: str) -> Path:
        """Save a look under a free name."""
        with self.changing():
            for file in self.files():
                with suppress(LookError):
                    if file.stem.casefold().startswith(name.casefold()) and read_look(file) == look:
                        return file
            return self.add(lambda path: write_look(look, path), name, ".json")
