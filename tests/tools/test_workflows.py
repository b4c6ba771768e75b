"""GitHub workflows: their commands exist and accept the given arguments."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import dev, package

pytestmark = pytest.mark.unit

WORKFLOWS = sorted((dev.ROOT / ".github" / "workflows").glob("*.yml"))


def jobs(workflow: Path) -> dict[str, Any]:
    """The jobs by name."""
    found: dict[str, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return found


def lines(job: dict[str, Any]) -> list[str]:
    """Return a job's command lines."""
    return [line for step in job["steps"] for line in step.get("run", "").splitlines()]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_our_tools_take_what_they_are_given(workflow: Path) -> None:
    said = [line for job in jobs(workflow).values() for line in lines(job) if "tools/" in line]
    assert said
    for line in said:
        name, arguments = re.search(r"python (tools/\w+\.py) ([^>&]*)", line).groups()  # type: ignore[union-attr]
        assert (dev.ROOT / name).exists()
        if name == "tools/package.py":
            package.command_line().parse_args(shlex.split(arguments))
        else:
            assert arguments.split()[0] in dev.EXTRAS


def test_a_release_waits_for_every_job_and_takes_all_that_they_make() -> None:
    made = jobs(dev.ROOT / ".github" / "workflows" / "release.yml")
    publish = made.pop("publish")
    assert set(publish["needs"]) == set(made)
    assert all(any("upload-artifact" in step.get("uses", "") for step in job["steps"]) for job in made.values())
    attached = next(line for line in lines(publish) if line.startswith("gh release create"))
    assert {"dist/framebrush-*", "dist/requirements*.txt", "dist/SHA256SUMS", "dist/winget/*"} <= set(attached.split())


def test_a_secret_is_given_to_the_one_step_that_needs_it() -> None:
    text = "\n".join(workflow.read_text(encoding="utf-8") for workflow in WORKFLOWS)
    with_secrets = [
        step
        for workflow in WORKFLOWS
        for job in jobs(workflow).values()
        for step in job["steps"]
        if "secrets." in str(step)
    ]
    assert [step["name"] for step in with_secrets] == ["certificate"]
    assert text.count("secrets.") == str(with_secrets).count("secrets.")
    assert "pull_request_target" not in text


def test_training_is_tested_with_the_lowest_versions() -> None:
    ci = (dev.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pins = dict(re.findall(r" ([\w-]+)==([\d.]+)", ci))
    wishes = [wish for wish in package.direct("train") if wish not in package.direct()]
    assert {re.split("[>=]", wish)[0] for wish in wishes} == set(pins)
    package.check_lowest(pins, wishes)
