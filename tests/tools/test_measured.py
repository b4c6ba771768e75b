"""docs/measured.md, and the reports that it is made of."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from framebrush.base.json_values import JsonError
from tools import measured

pytestmark = pytest.mark.unit

REPORTS = sorted(measured.PAGE.with_suffix("").glob("*.json"))


def test_the_page_is_what_the_reports_say() -> None:
    assert REPORTS
    assert measured.PAGE.read_text(encoding="utf-8") == measured.page(REPORTS[0].parent), (
        "run `python tools/measured.py`"
    )


def changed(folder: Path, **values: Any) -> Path:  # noqa: ANN401
    """A folder with the first report, in which some values are others."""
    report = json.loads(REPORTS[0].read_text(encoding="utf-8"))
    report.update(values)
    (folder / "theirs.json").write_text(json.dumps(report), encoding="utf-8")
    return folder


def test_texts_of_strangers_are_nothing_but_texts(tmp_path: Path) -> None:
    card = json.loads(REPORTS[0].read_text(encoding="utf-8"))["device"]
    name = "a|b\n# [x](y) <img src=z> `c` *d* \x1b[31m" + "e" * 500
    page = measured.page(changed(tmp_path, device={**card, "name": name, "driver": "1|2", "kind": "cuda"}))
    (title,) = [line for line in page.splitlines() if line.startswith("## ")]
    assert title.startswith("## a\\|b # \\[x\\](y) &lt;img src=z&gt; \\`c\\` \\*d\\* \N{REPLACEMENT CHARACTER}\\[31m")
    assert len(title) < 120
    assert "driver 1\\|2;" in page


def test_a_device_that_paints_wrongly_is_marked(tmp_path: Path) -> None:
    wrong = {"precision": "float32", "differences": [["painting", 9]], "right": False, "engines": [["shader", "ok"]]}
    page = measured.page(changed(tmp_path, reference=wrong))
    assert "PAINTS WRONGLY: differs from the reference by 9 codes of 255 at most; shader: ok" in page


def test_the_fastest_comes_first(tmp_path: Path) -> None:
    folder = changed(tmp_path)
    report = json.loads((folder / "theirs.json").read_text(encoding="utf-8"))
    for found in report["measured"]:
        found["stages"][-1]["frame_ms"] /= 8
    report["device"]["name"] = "Faster"
    (folder / "zzz.json").write_text(json.dumps(report), encoding="utf-8")
    titles = [line for line in measured.page(folder).splitlines() if line.startswith("## ")]
    assert len(titles) == 2
    assert titles[0].startswith("## Faster")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"format": 2}, "format is 2, this program reads 1"),
        ({"person": "jane"}, "unknown field 'person'"),
        ({"processors": 0}, "of no processor"),
        ({"measured": []}, "or of no measurement"),
        ({"on": 5}, "theirs.json.on is 5"),
    ],
)
def test_what_is_no_report(tmp_path: Path, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(JsonError, match=reason):
        measured.page(changed(tmp_path, **values))


def test_what_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "theirs.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(JsonError, match=r"theirs.json is no report"):
        measured.page(tmp_path)
    shutil.copy(REPORTS[0], tmp_path / "theirs.json")
    assert measured.page(tmp_path)
