"""Leftovers of a dead job."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from framebrush.base.json_values import JsonError
from framebrush.jobs.segments.job_folder import JobFolder, folder_of
from framebrush.jobs.segments.picture_log import describe_leftover_pictures
from framebrush.media.output_file import remove_leftover
from framebrush.media.reading.standard_input import NAME as PIPE

NOTHING = "nothing was written"


def remove_leftovers(target: str) -> str:
    """Remove a dead job's unfinished files; describe remaining ones."""
    if target == PIPE:
        return "the video on standard output is incomplete"
    path = Path(target).absolute()
    remove_leftover(path)
    with suppress(OSError, JsonError):
        folder = JobFolder.read(folder_of(path))
        for segment in folder.journal.segments:
            folder.read_segment(segment)
        if folder.frames_done:
            return folder.kept_words
    return describe_leftover_pictures(path) or NOTHING
