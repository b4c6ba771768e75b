"""Open Job Description template of a job ("2023-09")."""

from __future__ import annotations

import re
from typing import Any

from framebrush.jobs.segments.job_folder import JobFolder


def template(folder: JobFolder) -> dict[str, Any]:
    """Return the template: a task per segment, then the join."""
    journal = folder.journal
    name = journal.job.target.replace("\\", "/").rpartition("/")[2]
    name = re.sub(r"([{}])(?=\1)", r"\1 ", name)  # a pair of braces would be a template field
    return {
        "specificationVersion": "jobtemplate-2023-09",
        "name": f"Framebrush {name}"[:128],
        "parameterDefinitions": [
            {
                "name": "Folder",
                "type": "STRING",  # a default of type PATH must be relative to the template
                "default": str(folder.path),
                "description": "Folder of the plan and the segments, on a disk that all machines share.",
            },
            {
                "name": "Device",
                "type": "STRING",
                "default": journal.job.device,
                "description": "A device as for `framebrush transcode --device`.",
            },
        ],
        "steps": [
            {
                "name": "Paint",
                "parameterSpace": {
                    "taskParameterDefinitions": [
                        {"name": "Segment", "type": "INT", "range": f"0-{len(journal.segments) - 1}"}
                    ]
                },
                "script": _run("paint", "{{Param.Folder}}", "{{Task.Param.Segment}}", "--device", "{{Param.Device}}"),
            },
            {
                "name": "Join",
                "dependencies": [{"dependsOn": "Paint"}],
                "script": _run("join", "{{Param.Folder}}", "--device", "{{Param.Device}}"),
            },
        ],
    }


def _run(*arguments: str) -> dict[str, Any]:
    return {"actions": {"onRun": {"command": "framebrush", "args": ["job", *arguments]}}}
