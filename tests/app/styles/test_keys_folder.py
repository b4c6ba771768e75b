"""Folders of painted frames, by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.models.style import StyleError
from framebrush.styles.keys_folder import NETWORK, is_keys, names_keys, network_in
from framebrush.styles.style_names import open_style

pytestmark = pytest.mark.unit


def test_a_folder_of_its_ending_alone_has_painted_frames(tmp_path: Path) -> None:
    for folder in ("a.keys", "B.KEYS", "other"):
        (tmp_path / folder).mkdir()
    (tmp_path / "file.keys").touch()
    names = ("a.keys", "B.KEYS", "other", "file.keys", "gone.keys")
    assert [names_keys(str(tmp_path / name)) for name in names] == [True, True, False, True, True]
    assert [is_keys(str(tmp_path / name)) for name in names] == [True, True, False, False, False]


def test_a_folder_without_a_network_is_no_style(tmp_path: Path) -> None:
    with pytest.raises(StyleError, match="nothing was learnt"):
        network_in(tmp_path)
    with pytest.raises(StyleError, match=r"gone\.keys: there is no such folder of painted frames"):
        open_style(str(tmp_path / "gone.keys"))
    (tmp_path / NETWORK).touch()
    assert network_in(tmp_path) == tmp_path / NETWORK
