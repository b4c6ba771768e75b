"""A planned job as a template of Open Job Description, which render farms run.

Source: https://github.com/OpenJobDescription/openjd-specifications, "2023-09 Template Schemas".
"""

from __future__ import annotations

import re
from typing import Any

from framebrush.jobs.segments.folder import JobFolder


def template(folder: JobFolder) -> dict[str, Any]:
    """The template, as JSON values: a task for each segment, and one that joins them.

    Every machine must see the folder, the source and the target under the same paths as here.
    """
    journal = folder.journal
    name = journal.job.target.replace("\\", "/").rpartition("/")[2]
    name = re.sub(r"([{}])(?=\1)", r"\1 ", name)  # a pair of braces would be a field of the template
    return {
        "specificationVersion": "jobtemplate-2023-09",
        "name": f"Framebrush {name}"[:128],
        "parameterDefinitions": [
            {
                "name": "Folder",
                "type": "STRING",  # a default of type PATH has to be relative to the template
                "default": str(folder.path),
                "description": "The plan and the segments; on a disk that all machines see.",
            },
            {
                "name": "Device",
                "type": "STRING",
                "default": journal.job.device,
                "description": "As `framebrush transcode --device` takes it.",
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
