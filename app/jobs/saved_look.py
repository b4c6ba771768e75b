"""A named look as a file that can be shared: style, look, strokes and colours. JSON with a version."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, Self

from framebrush.base.files import write_whole
from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.base.text import first_line
from framebrush.base.user_folder import UserFolder
from framebrush.gpu.stages.look import Look
from framebrush.styles.files import with_files
from framebrush.styles.specs import OWN_COLOURS, ColourSpec, SizeSpec, StyleSpec

VERSION = 1
"""Of the JSON. Increase it when adding a field that older programs would misread."""

MAX_BYTES = 1 << 16  # any file may be given for a look, and is read whole


SHARED = tuple(field.name for field in fields(SizeSpec) if field.name not in ("size", "max_size"))
"""Fields of `SizeSpec` that a saved look has, too: not the size of a result."""


class LookError(ValueError):
    """A file is not a saved look, or cannot be read or written: one sentence with the name of the file."""


@dataclass(frozen=True, slots=True)
class SavedLook:
    """style: its name with the weights of its paintings. look: without weights or a divider. stroke,
    brush_kind and what follows: as in `SizeSpec`."""

    style: StyleSpec
    look: Look = field(default_factory=Look)
    stroke: float | Literal["auto"] = "auto"
    colours: ColourSpec = OWN_COLOURS
    brush_kind: str | None = None
    brush_mark: str | None = None
    few_strokes: bool = False
    brush_sizes: str | None = None
    brush_directions: str | None = None
    mask: str | None = None
    mask_invert: bool = False
    mask_grow: float = 0.0
    mask_soften: float = 0.0

    def __post_init__(self) -> None:
        if self.look.mix or self.look.split is not None:
            raise ValueError("a saved look has neither weights of paintings, which belong to the style, nor a divider")
        _ = self.sizes  # raises if one of them cannot be

    @classmethod
    def of(cls, style: StyleSpec, look: Look, sizes: SizeSpec, colours: ColourSpec = OWN_COLOURS) -> Self:
        """A saved look made from the current settings."""
        bare = replace(look, split=None, mix=())
        shared: dict[str, Any] = {name: getattr(sizes, name) for name in SHARED}
        return cls(style, bare, colours=colours, **shared)

    @property
    def sizes(self) -> SizeSpec:
        """Its strokes, of a result of any size."""
        return SizeSpec(**{name: getattr(self, name) for name in SHARED})

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the look in a file. Files named in it are relative to its folder. Raises LookError."""
        try:
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            raise LookError(f"{path} cannot be read ({first_line(error)}); check the name and the folder") from None
        if len(content) > MAX_BYTES:
            raise LookError(f"{path} is larger than {MAX_BYTES >> 10} kB; a saved look takes less than one")
        try:
            values: Any = json.loads(content.decode("utf-8"))
            if not isinstance(values, dict) or "framebrush_look" not in values:
                raise JsonError("it is JSON of another kind")
            version = values.pop("framebrush_look")
            if type(version) is not int or not 1 <= version <= VERSION:
                raise JsonError(
                    f"its format is {str(version)[:9]}, but this program reads {VERSION}; update Framebrush"
                )
            found = from_values(cls, values, "look")
        except (ValueError, RecursionError) as error:
            reason = str(error)[:200] if isinstance(error, JsonError) else "it is not JSON"
            raise LookError(f"{path} is not a saved look: {reason}") from None
        folder = path.absolute().parent
        return found._with_files(lambda file: str(folder / file))  # which leaves absolute paths unchanged

    def write(self, path: Path) -> None:
        """Write it to a file atomically. Files in the same folder are stored by name only. Raises LookError."""
        folder = path.absolute().parent
        moved = self._with_files(lambda file: Path(file).name if Path(file).parent == folder else file)
        values = {"framebrush_look": VERSION, **to_values(moved)}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(values, indent=1, allow_nan=False) + "\n")
        except (OSError, ValueError) as error:
            raise LookError(f"{path} cannot be written ({first_line(error)}); choose another folder") from None

    def _with_files(self, moved: Callable[[str], str]) -> Self:
        """The same look with its file names mapped."""

        def taken(text: str | None) -> str | None:
            return text and with_files(text, moved)

        colours = replace(
            self.colours,
            palette=taken(self.colours.palette),
            palette_from=taken(self.colours.palette_from),
            lut=taken(self.colours.lut),
        )
        style = replace(self.style, name=with_files(self.style.name, moved))
        pictures = self.sizes.with_pictures(moved).brush_pictures
        return replace(self, style=style, colours=colours, **pictures)


class LookFolder(UserFolder):
    """The person's looks. See `UserFolder`; LookError in place of OSError where a look cannot be written."""

    def files(self) -> Iterator[Path]:
        """See `UserFolder.files`."""
        return self.path.glob("*.json")

    def save(self, look: SavedLook, name: str) -> None:
        """Save a new look. Raises FileExistsError for a name that is taken, with the file that has it."""
        with self.changing():
            if (there := self.named(name)) is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(there))
            self.add(look.write, name, ".json")

    def keep(self, look: SavedLook, name: str) -> Path:
        """Save a look under a name, or another where that is taken by another look; its path."""
        with self.changing():
            for file in self.files():
                with suppress(LookError):
                    if file.stem.casefold().startswith(name.casefold()) and SavedLook.read(file) == look:
                        return file
            return self.add(look.write, name, ".json")
