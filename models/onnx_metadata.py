"""Metadata of ONNX files, read without onnx."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool, message_factory  # type: ignore[import-untyped]
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto  # type: ignore[import-untyped]
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

from framebrush.base.files import read_bounded
from framebrush.base.text import first_line
from framebrush.models.style import StyleError

MAX_BYTES = 512 << 20
"""Size limit of a network's file; the largest style network in use has 100 MB."""


def read_metadata(path: Path) -> dict[str, str]:
    """Read a Framebrush file's metadata. Raises StyleError."""
    try:
        model = _model_type().FromString(read_bounded(path, MAX_BYTES))
    except (OSError, DecodeError) as error:
        raise StyleError(f"{path}: cannot be read: {first_line(error)}") from error
    return {entry.key: entry.value for entry in model.metadata_props}


@cache
def _model_type() -> Any:  # noqa: ANN401 - made at run time
    file = FileDescriptorProto(name="framebrush_metadata.proto", package="framebrush_metadata")
    kind, once, many = FieldDescriptorProto, FieldDescriptorProto.LABEL_OPTIONAL, FieldDescriptorProto.LABEL_REPEATED
    entry = file.message_type.add(name="Entry")
    entry.field.add(name="key", number=1, type=kind.TYPE_STRING, label=once)
    entry.field.add(name="value", number=2, type=kind.TYPE_STRING, label=once)
    model = file.message_type.add(name="Model")
    name = f".{file.package}.Entry"
    model.field.add(name="metadata_props", number=14, type=kind.TYPE_MESSAGE, type_name=name, label=many)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.Model"))
