"""Leftovers of a dead job."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from framebrush.base.json_values import JsonError
from framebrush.jobs.pictures import left_pictures
from framebrush.jobs.segments.folder import JobFolder, folder_of
from framebrush.media.output_file import remove_left
from framebrush.media.reading.pipe import NAME as PIPE

NOTHING = "nothing was written"


def tidied(target: str) -> str:
    """Remove a dead job's unfinished files; return a message on the rest."""
    if target == PIPE:
        return "what standard output carries is cut off"
    path = Path(target).absolute()
    remove_left(path)
    with suppress(OSError, JsonError):
        folder = JobFolder.read(folder_of(path))
        for segment in folder.journal.segments:
            folder.take(segment)
        if folder.parts:
            return folder.kept_words
    return left_pictures(path) or NOTHING
