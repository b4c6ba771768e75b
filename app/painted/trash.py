"""Trash for painted pictures, a subfolder."""

from __future__ import annotations

import uuid

from framebrush.base.text import first_line
from framebrush.media.video import InputError, OutputError
from framebrush.painted.painted_folder import PaintedFolder, digest


def move_to_trash(folder: PaintedFolder, number: int, name: str) -> None:
    """Move a frame's painted picture to the trash. Raises InputError, OutputError."""
    try:
        with folder.changing():
            picture = folder.painted(folder.read()).get(number)
            if picture is None:
                raise InputError(f"{folder.path}: frame {number} is not painted")
            folder.trash.mkdir(exist_ok=True)
            picture.rename(folder.trash / f"{name}{picture.suffix}")
    except OSError as error:
        raise OutputError(f"{folder.path}: frame {number} cannot be put aside ({first_line(error)})") from None


def restore_from_trash(folder: PaintedFolder, name: str, number: int) -> None:
    """Restore a frame's painted picture. Raises InputError, OutputError.

    An existing one goes to the trash; the extracted frame is deleted.
    """
    try:
        with folder.changing():
            aside = next(folder.trash.glob(f"{name}.*"), None)
            if aside is None:
                raise InputError(f"{folder.trash}: the picture {name} is no longer there")
            extracted = {one.number: one.sha256 for one in folder.read().extracted}
            for there in folder.pictures().get(number, ()):
                if digest(there) == extracted.get(number):
                    there.unlink()
                else:
                    there.rename(folder.trash / f"{new_name()}{there.suffix}")
            aside.rename(folder.picture(number).with_suffix(aside.suffix))
    except OSError as error:
        raise OutputError(f"{folder.path}: frame {number} cannot be put back ({first_line(error)})") from None


def new_name() -> str:
    """Return a new name for the trash."""
    return uuid.uuid4().hex
