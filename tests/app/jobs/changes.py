"""Changed copies of jobs."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec


def otherwise(job: JobSpec, **changes: Any) -> JobSpec:  # noqa: ANN401
    """Return a job with other fields, also of the recipe."""
    painting = {field.name: changes.pop(field.name) for field in fields(Recipe) if field.name in changes}
    return replace(job, recipe=replace(job.recipe, **painting), **changes)
