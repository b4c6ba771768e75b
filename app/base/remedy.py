"""Errors with remedies."""

from __future__ import annotations


class RemediedError(Exception):
    """Error with its cause. do: remedy for the command line, which windows leave out."""

    def __init__(self, cause: str, do: str = "") -> None:
        super().__init__(f"{cause}; {do}" if do else cause)
        self.cause, self.do = cause, do


class ImpossibleError(RemediedError, ValueError):
    """Impossible values, with a remedy."""


def cause_of(error: BaseException) -> str:
    """Return an error's message without the remedy, for windows."""
    return error.cause if isinstance(error, RemediedError) else str(error)
