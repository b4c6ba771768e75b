"""Mark on texts for translation, without Qt."""

from __future__ import annotations


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name that Qt's lupdate looks for
    """Mark a text for translators, and return it unchanged."""
    return text
