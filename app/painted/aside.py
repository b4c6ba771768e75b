"""Painted frames that are taken away lie aside, in a folder of the keys', and can be put back."""

from __future__ import annotations

import uuid

from framebrush.base.text import first_line
from framebrush.media.video import InputError, OutputError
from framebrush.painted.folder import KeysFolder, digest


def put_aside(folder: KeysFolder, number: int, name: str) -> None:
    """Take a frame's painted picture away. name: by which it can be put back. Raises InputError where there is none or
    the folder is damaged, OutputError."""
    try:
        with folder.changing():
            picture = folder.painted(folder.read()).get(number)
            if picture is None:
                raise InputError(f"{folder.path}: frame {number} is not painted")
            folder.aside.mkdir(exist_ok=True)
            picture.rename(folder.aside / f"{name}{picture.suffix}")
    except OSError as error:
        raise OutputError(f"{folder.path}: frame {number} cannot be put aside ({first_line(error)})") from None


def put_back(folder: KeysFolder, name: str, number: int) -> None:
    """Make a picture that lies aside the painted one of a frame. One that is there comes aside, the frame as it was
    extracted goes. Raises InputError where there is none of this name or the folder is damaged, OutputError."""
    try:
        with folder.changing():
            aside = next(folder.aside.glob(f"{name}.*"), None)
            if aside is None:
                raise InputError(f"{folder.aside}: the picture {name} is no longer there")
            extracted = {one.number: one.sha256 for one in folder.read().extracted}
            for there in folder.pictures().get(number, ()):
                if digest(there) == extracted.get(number):
                    there.unlink()
                else:
                    there.rename(folder.aside / f"{new_name()}{there.suffix}")
            aside.rename(folder.picture(number).with_suffix(aside.suffix))
    except OSError as error:
        raise OutputError(f"{folder.path}: frame {number} cannot be put back ({first_line(error)})") from None


def new_name() -> str:
    """A name that no picture has."""
    return uuid.uuid4().hex[:12]
