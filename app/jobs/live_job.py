"""Painting of a live source to a virtual camera."""

from __future__ import annotations

from framebrush.base import signals
from framebrush.base.status import Status
from framebrush.base.text import count_of
from framebrush.gpu.device import Device
from framebrush.gpu.errors import NonFiniteError
from framebrush.jobs.prepare import check_shots, film_notes, job_pipeline, job_sizes, open_job_source, open_job_style
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import OnMessage
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.live.virtual_camera import VirtualCamera, device_of
from framebrush.media.video import InputError


def paint_live(spec: JobSpec, device: Device, say: OnMessage) -> Status:
    """Paint a live source until stopped; late frames are dropped.

    Raises: InputError, OutputError, StyleError, DeviceError, ValueError.
    """
    to = device_of(spec.target)
    style = open_job_style(spec, say)
    for note in film_notes(spec, style):
        say(note)
    with open_job_source(spec, device) as source:
        if not isinstance(source, LiveSource):
            raise InputError(f"{source.name} is not live; give a camera, as in camera:0", do="transcode paints videos")
        if source.sound is not None:
            raise InputError(f"{source.name}: a virtual camera has no sound; leave the microphone out")
        check_shots(spec, style, source)
        sizes = job_sizes(spec.sizes, source.info.format, style.style)
        with (
            VirtualCamera(sizes.target, source.info.rate, to) as camera,
            job_pipeline(spec, style, device, source.info, camera.format, sizes, say=say, live=True) as pipeline,
            signals.deferred(source.stop),
        ):
            width, height = sizes.target
            say(f"{camera.name}: {width}x{height}; Ctrl+C ends it")
            frame_pipeline, stylizer, shown = pipeline.frame_pipeline, pipeline.stylizer, 0
            for frame in source:
                ticket = frame_pipeline.submit(frame, camera.frame)
                try:
                    stylizer.fetch(ticket, camera.frame)
                except NonFiniteError as error:
                    say(f"frame {frame.number}: {error}")
                    continue
                camera.send()
                shown += 1
        for warning in source.warnings:
            say(warning)
        say(f"{camera.name}: {count_of(shown, 'frame')}")
    return Status.LOSSES if source.cut_off else Status.DONE
