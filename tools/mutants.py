#!/usr/bin/env python3
"""Mutate modules of app, and others that hold policy, and check that nearby tests notice.

    .venv/bin/python tools/mutants.py [--count 100] [--seed 24] [--only framebrush.jobs.pipeline] [--list]

A mutant is a module with one comparison, condition, number, operator, statement or result changed; not texts,
annotations, decorators, assertions or widget margins. The seed selects the same number of mutants in each module,
independent of the other modules; with fewer mutants than modules, it selects the modules too. Each runs in a copy of
the tree under build/, with the tests near it, until the first failure. A surviving mutant is printed as a diff: a test
is missing, or the line is needless.

Exit status: 0 if at most a tenth survived, else 1.

Why not a library: mutmut derives a module's name from its path, which differs here (`package-dir`), and cosmic-ray
works in the tree itself, without a seeded choice.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib.util
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from operator import eq
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script's sys.path starts in tools/

import conftest
from tools import dev

COPY = dev.ROOT / "build" / "mutants"
"""A fixed folder, so that Python and the user's caches stay valid between mutants."""

READER = (
    "test_reader_rules.py",
    "test_reader_bad_input.py",
    "test_reader.py",
    "test_fields.py",
    "test_sample_entry.py",
)
WRITER = ("test_writer_rules.py", "test_writer_time.py", "test_writer_refusals.py", "test_writer_carry.py")
CONVERT = ("test_convert_rules.py", "test_refuse.py", "test_fixed_size.py", "test_foreign_forms.py", "test_load.py")

NEAR: dict[str, tuple[str, ...]] = {
    "framebrush": ("test_film.py", "test_paint.py", "test_privacy.py"),
    "framebrush.__main__": ("test_licences.py", "test_cli.py", "test_interruption.py"),
    "framebrush.base.supervision": ("test_interruption.py", "test_comes_back.py"),
    "framebrush.base.translators": ("test_translation.py",),
    "framebrush.cli.listings": ("test_own_styles.py", "test_picture_styles.py", "test_palettes.py", "test_cli.py"),
    "framebrush.window": ("test_doctor.py", "test_application.py", "test_comes_back.py"),
    "framebrush.jobs.pipeline": ("test_pipeline_rules.py", "test_pipeline.py"),
    "framebrush.jobs.frame_pipeline": ("test_pipeline_rules.py", "test_pipeline.py"),
    "framebrush.media.reading.reader": READER,
    "framebrush.media.reading.listing": ("test_reader_rules.py", "test_same_frames.py"),
    "framebrush.media.writing.file_writer": (
        *WRITER,
        "test_writer_picture.py",
        "test_live_sound.py",
        "test_animations.py",
        "test_hdr.py",
    ),
    "framebrush.media.writing.output_plan": ("test_plan_rules.py", *WRITER, "test_counted_files.py"),
    "framebrush.media.streams.stream_plan": ("test_plan_rules.py", *WRITER, "test_counted_files.py"),
    "framebrush.jobs.segments.segment_plan": ("test_segment_rules.py",),
    "framebrush.jobs.workers.doing": ("test_segment_rules.py",),
    "framebrush.jobs.segments.segmented": ("test_segment_rules.py",),
    "framebrush.jobs.keyframes": ("test_look_key_rules.py",),
    "framebrush.jobs.workers.run": ("test_segment_rules.py", "test_stock.py", "test_segments.py"),
    "framebrush.jobs.workers.dispatch": ("test_dispatch.py",),
    "framebrush.playback.pacing": ("test_pacing_rules.py", "test_pacing.py"),
    "framebrush.playback.display.preview_quality": ("test_preview_quality_rules.py",),
    "framebrush.playback.reading.decoded_cache": ("test_parts_rules.py", "test_parts.py"),
    "framebrush.playback.clock": ("test_parts_rules.py",),
    "framebrush.playback.command_queue": ("test_command_queue.py",),
    "framebrush.playback.ahead.render_cache": ("test_render_cache.py",),
    "framebrush.playback.ahead.store": ("test_store.py",),
    "framebrush.window.exports.presets": ("test_presets.py",),
    "framebrush.window.picture.composing": ("test_composing.py", "test_looking.py"),
    "framebrush.window.overlays": (
        "test_overlays.py",
        "test_mask_brush.py",
        "picture/test_frame_reveal.py",
        "test_compare.py",
        "test_tour.py",
    ),
    "framebrush.window.picture.preview_badge": ("app/window/test_painted_ahead.py",),
    "framebrush.window.picture.statistics": ("test_statistics.py",),
    "framebrush.window.training.training_runner": ("test_training_runner.py", "test_trainings.py"),
    "framebrush.window.training.training_folder": ("test_training_folder.py", "test_trainings.py"),
    "framebrush.window.transport.keyframe_strip": ("test_key_strip_drawn.py", "test_key_strip.py"),
    "framebrush.window.transport.playlist": ("test_playlist.py",),
    "framebrush.gpu.settings": ("test_order_of_calls.py", "test_colour_table.py"),
    "framebrush.gpu.stylizer": ("test_temporal_window.py", "test_order_of_calls.py", "test_colour_table.py"),
    "framebrush.gpu.tiles": ("test_tiles.py",),
    "framebrush.gpu.temporal_window": ("test_temporal_window.py", "test_steady_rules.py"),
    "framebrush.gpu.stages.steady": ("test_steady_rules.py", "test_steady_reference.py"),
    "framebrush.models.reading.style_conversion": CONVERT,
    "framebrush.api.array_frames": (
        "test_paint.py",
        "api/test_film.py",
    ),
    "framebrush.base.colour_profile": (
        "test_inks.py",
        "reading/test_profiles.py",
        "styles/test_profiles.py",
    ),
    "framebrush.base.inference": (
        "test_area.py",
        "subject/test_film_masks.py",
    ),
    "framebrush.base.parent": (
        "test_child.py",
        "test_child_processes.py",
    ),
    "framebrush.base.priority": (
        "test_scheduling.py",
        "ahead/test_process.py",
    ),
    "framebrush.base.request_process": (
        "ahead/test_process.py",
        "test_reading.py",
    ),
    "framebrush.base.worker_thread": (
        "test_seek_popup.py",
        "test_player.py",
    ),
    "framebrush.cli.death": (
        "test_native_death.py",
        "test_comes_back.py",
    ),
    "framebrush.cli.farm": ("test_openjd.py",),
    "framebrush.cli.keys": (
        "test_extract.py",
        "painted/test_style.py",
    ),
    "framebrush.cli.messages": (
        "test_cli.py",
        "test_interruption.py",
    ),
    "framebrush.cli.device_opening": (
        "test_cli.py",
        "jobs/test_devices.py",
    ),
    "framebrush.cli.supervised_command": (
        "test_native_death.py",
        "test_interruption.py",
    ),
    "framebrush.cli.support": (
        "test_licences.py",
        "test_doctor.py",
    ),
    "framebrush.cli.work": (
        "test_cli.py",
        "test_native_death.py",
        "test_interruption.py",
    ),
    "framebrush.jobs.batch.batch_child": (
        "test_child_processes.py",
        "jobs/test_batch.py",
    ),
    "framebrush.jobs.look_masks": (
        "test_masks_of_parts.py",
        "test_faces_of_parts.py",
        "test_mask_corrections.py",
    ),
    "framebrush.jobs.segments.join": (
        "test_segments.py",
        "test_resume.py",
    ),
    "framebrush.jobs.segments.leftovers": (
        "test_segment_rules.py",
        "test_resume.py",
    ),
    "framebrush.jobs.segments.picture_log": ("test_picture_sequences.py",),
    "framebrush.jobs.workers.worker_child": (
        "test_child_processes.py",
        "jobs/test_devices.py",
    ),
    "framebrush.licences.notices_process": ("test_licences.py",),
    "framebrush.media.boxes": (
        "test_heif.py",
        "test_sample_entry.py",
    ),
    "framebrush.media.reading.webp": (
        "test_animations.py",
        "test_open.py",
    ),
    "framebrush.media.streams.stream_metadata": (
        "test_losses_of_results.py",
        "test_writer_carry.py",
        "test_what_a_film_says.py",
    ),
    "framebrush.painted.learn": (
        "test_extract.py",
        "painted/test_style.py",
        "painted/test_painting.py",
    ),
    "framebrush.playback.camera_feed": ("playback/test_live.py",),
    "framebrush.playback.display.fitted_surface": (
        "test_presenter.py",
        "test_preview_quality.py",
    ),
    "framebrush.playback.display.guides": (
        "test_presenter.py",
        "test_brush_maps.py",
    ),
    "framebrush.playback.display.painted_screen": (
        "test_presenter.py",
        "test_renderer.py",
        "window/test_painted_ahead.py",
    ),
    "framebrush.playback.display.screen": ("test_trial.py", "test_player.py", "test_presenter.py"),
    "framebrush.playback.display.preview_frames": (
        "test_presenter.py",
        "test_preview_quality.py",
        "test_masks_after_seek.py",
    ),
    "framebrush.playback.display.mask_veil": (
        "test_mask_brush.py",
        "test_subject.py",
    ),
    "framebrush.playback.in_out_points": (
        "test_player.py",
        "test_player_basics.py",
        "transport/test_timeline.py",
    ),
    "framebrush.playback.live_turn": (
        "playback/test_live.py",
        "transport/test_live_control.py",
    ),
    "framebrush.playback.mask_context": ("test_masks_after_seek.py",),
    "framebrush.playback.reading.reading_worker": ("test_reading.py",),
    "framebrush.playback.reading.shared_frames": ("test_reading.py",),
    "framebrush.playback.timekeeper": (
        "test_player.py",
        "test_player_model.py",
        "test_delays.py",
    ),
    "framebrush.styles.import_network": (
        "test_own_styles.py",
        "styles/test_styles.py",
    ),
    "framebrush.window.connections": (
        "test_player_basics.py",
        "transport/test_timeline.py",
        "test_hand.py",
    ),
    "framebrush.window.display": (
        "test_first_picture.py",
        "test_application.py",
        "test_wayland.py",
    ),
    "framebrush.window.exports.export_summary": (
        "test_export_dialog.py",
        "test_hand.py",
    ),
    "framebrush.window.exports.target_check": (
        "test_export_dialog.py",
        "exports/test_exports.py",
    ),
    "framebrush.window.exports.target_field": ("test_export_dialog.py",),
    "framebrush.window.help": (
        "test_manual.py",
        "test_tour.py",
        "test_dialogs.py",
    ),
    "framebrush.window.inspector": (
        "test_brush_kinds.py",
        "test_saved_looks.py",
        "test_own_pictures.py",
        "test_film_tiles.py",
    ),
    "framebrush.window.look.saved": ("test_saved_looks.py",),
    "framebrush.window.look.look_summary": (
        "test_saved_looks.py",
        "test_export_dialog.py",
    ),
    "framebrush.window.file_opening": (
        "test_start_page.py",
        "test_recent_pictures.py",
        "test_projects.py",
    ),
    "framebrush.window.painted.learning_worker": ("test_learning_worker.py", "painted/test_painting.py"),
    "framebrush.window.painted.mask_corrections": (
        "test_mask_brush.py",
        "transport/test_timeline.py",
    ),
    "framebrush.window.painted.measuring": (
        "styles/test_shots.py",
        "painted/test_painting.py",
    ),
    "framebrush.window.picture.keep_awake": ("test_player_basics.py",),
    "framebrush.window.picture.mask_tools": ("test_mask_brush.py",),
    "framebrush.window.picture.picture_messages": (
        "test_notes.py",
        "test_calm.py",
        "window/test_files.py",
    ),
    "framebrush.window.picture.veil": (
        "test_mask_brush.py",
        "test_subject.py",
    ),
    "framebrush.window.picture.view": (
        "test_looking.py",
        "test_touch.py",
        "test_x11.py",
    ),
    "framebrush.window.picture.viewport": (
        "test_composing.py",
        "test_looking.py",
        "test_touch.py",
    ),
    "framebrush.window.preferences": (
        "window/test_painted_ahead.py",
        "test_player_basics.py",
        "test_saved_looks.py",
        "test_calm.py",
    ),
    "framebrush.window.presentation": (
        "picture/test_bridge.py",
        "window/test_bridge.py",
        "test_x11.py",
    ),
    "framebrush.window.project.conversion": (
        "jobs/test_project.py",
        "test_projects.py",
    ),
    "framebrush.window.project.history": (
        "test_choice_model.py",
        "test_saved_looks.py",
        "test_projects.py",
    ),
    "framebrush.window.recents": (
        "test_recent_pictures.py",
        "test_start_page.py",
        "window/test_files.py",
    ),
    "framebrush.window.state.actions": (
        "test_player_basics.py",
        "test_key_strip.py",
        "test_hand.py",
    ),
    "framebrush.window.state.session": ("test_choice_model.py", "test_colours.py", "test_chosen.py"),
    "framebrush.window.state.current_settings": ("test_choice_rules.py", "test_chosen.py", "test_choice_model.py"),
    "framebrush.window.widgets.box_layouts": ("test_layout.py", "test_dialogs.py"),
    "framebrush.window.state.menus": (
        "window/test_painted_ahead.py",
        "test_player_basics.py",
        "picture/test_subtitle_overlay.py",
        "test_export_dialog.py",
    ),
    "framebrush.window.state.player_events": (
        "window/test_window.py",
        "test_player_basics.py",
    ),
    "framebrush.window.state.seeks": (
        "test_go_to.py",
        "transport/test_timeline.py",
        "test_choice_model.py",
    ),
    "framebrush.window.state.shown_state": (
        "test_saved_looks.py",
        "window/test_painted_ahead.py",
    ),
    "framebrush.window.styles.blend": (
        "test_own_pictures.py",
        "test_hand.py",
        "test_screens.py",
    ),
    "framebrush.window.styles.style_keyframes": (
        "styles/test_shots.py",
        "test_style_keys.py",
    ),
    "framebrush.window.supervised_window": ("test_comes_back.py",),
    "framebrush.window.training.training_probe": ("test_new_style_form.py",),
    "framebrush.window.transport.bar": (
        "test_player_basics.py",
        "transport/test_timeline.py",
        "test_hand.py",
    ),
    "framebrush.window.transport.frame_strip": (
        "test_chapters.py",
        "test_key_strip.py",
        "transport/test_timeline.py",
    ),
    "framebrush.window.transport.lane": (
        "test_curve_lane.py",
        "test_subtitle_lane.py",
    ),
    "framebrush.window.transport.live_bar": ("transport/test_live_control.py",),
    "framebrush.window.transport.marker_strip": (
        "test_chapters.py",
        "transport/test_timeline.py",
    ),
    "framebrush.window.transport.markers": (
        "transport/test_timeline.py",
        "test_projects.py",
    ),
    "framebrush.window.transport.volume": (
        "test_delays.py",
        "test_player_basics.py",
        "test_hand.py",
    ),
    "framebrush.window.widgets.debounce": (
        "test_choice_model.py",
        "test_saved_looks.py",
    ),
    "framebrush.window.widgets.icons": (
        "test_tab.py",
        "test_contrast.py",
        "test_calm.py",
    ),
    "framebrush.window.widgets.images": (
        "test_scopes.py",
        "test_recent_pictures.py",
        "test_film_tiles.py",
    ),
    "framebrush.window.widgets.notifier": (
        "test_export_queue.py",
        "exports/test_exports.py",
    ),
    "framebrush.window.widgets.process_runner": (
        "test_training_runner.py",
        "exports/test_exports.py",
    ),
    "framebrush.window.widgets.rows": (
        "test_search.py",
        "test_brushwork.py",
        "test_saved_looks.py",
    ),
    "framebrush.cli.cluster": ("test_cluster.py",),
    "framebrush.cli.groups": (
        "test_cli.py",
        "styles/test_styles.py",
    ),
    "framebrush.cli.job": (
        "test_openjd.py",
        "jobs/test_project.py",
    ),
    "framebrush.cli.option_groups": (
        "test_cli_options.py",
        "test_cli.py",
    ),
    "framebrush.cli.painting": (
        "test_bench.py",
        "test_cli.py",
    ),
    "framebrush.cli.play": ("test_application.py",),
    "framebrush.cli.job_settings": (
        "test_cli_options.py",
        "test_bounded_reads.py",
        "test_cli.py",
    ),
    "framebrush.cli.stroke_commands": ("jobs/test_film_strokes.py",),
    "framebrush.jobs.live_job": (
        "media/live/test_virtual_camera.py",
        "test_interruption.py",
    ),
    "framebrush.jobs.progress": (
        "test_second_lives.py",
        "test_cli.py",
        "test_interruption.py",
    ),
    "framebrush.media.media_errors": (
        "test_reader_bad_input.py",
        "test_writer_refusals.py",
    ),
    "framebrush.media.tags": (
        "test_matrices.py",
        "jobs/test_hdr.py",
        "test_sample_entry.py",
    ),
    "framebrush.media.writing.animation": ("test_animations.py",),
    "framebrush.media.writing.standard_output": ("test_pipes.py",),
    "framebrush.playback.display.fitted_look": (
        "test_presenter.py",
        "painted/test_style.py",
    ),
    "framebrush.window.exports.format_controls": (
        "test_export_queue.py",
        "test_presets.py",
        "test_export_dialog.py",
    ),
    "framebrush.window.exports.export_worker": (
        "exports/test_preview.py",
        "exports/test_exports.py",
    ),
    "framebrush.window.exports.export_losses": ("test_export_dialog.py",),
    "framebrush.window.look.look_panel": (
        "test_search.py",
        "test_slider.py",
        "test_saved_looks.py",
    ),
    "framebrush.window.reports": (
        "test_notes.py",
        "test_chosen.py",
    ),
    "framebrush.window.styles.gallery": (
        "window/styles/test_own_styles.py",
        "test_own_pictures.py",
        "test_film_tiles.py",
    ),
    "framebrush.window.styles.style_preview": (
        "test_chosen_style.py",
        "test_film_tiles.py",
    ),
    "framebrush.window.training.form": (
        "test_new_style_form.py",
        "training/test_new_style.py",
    ),
    "framebrush.window.transport.neighbours": (
        "window/test_files.py",
        "test_player_basics.py",
    ),
    "framebrush.window.widgets.theme": ("test_contrast.py", "test_calm.py"),
    "framebrush.window.widgets.section": (
        "test_search.py",
        "test_subject.py",
        "test_saved_looks.py",
    ),
}
"""Modules that hold policy or that no test imports, and the files of tests near them, quickest first."""

MOST_NEAR = 7
"""Most files of tests for a module that is not in `NEAR`."""

ELSEWHERE = frozenset({"windows", "sequences", "cuda", "fuzz"})
"""Folders of tests that need another machine, or that are long."""

BUDGETS = frozenset(
    {
        "PREFETCH_DEPTH",
        "_BUFFER_BYTES",
        "MOST_OPERATIONS",
        "MOST_TRYING_S",
        "SLOW_FRAMES",
        "_PACKETS_TO_TRY",
        "_PACKETS_IF_LATE",
        "CACHE_BYTES",
        "COUNT_BYTES",
        "MAX_SPEC_BYTES",
        "MEMORY_SHARE",
        "MOST_BYTES",
        "FREE_BYTES",
    }
)
"""Constants that only bound a cost: off by one does not change behaviour."""

ROOM = frozenset({"setContentsMargins", "setSpacing", "around", "between"})
"""Calls and arguments that only set space around widgets: one pixel does not change behaviour."""

PATIENCE = 4.0, 30.0
"""Time limit: this multiple of the unchanged tests' time, plus this many seconds. A mutant beyond it counts as
noticed."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True)
class Mutant:
    """Change of one field of a node in a syntax tree."""

    module: str
    kind: str
    line: int
    node: ast.AST
    field: str
    value: object

    def diff(self, tree: ast.Module) -> tuple[str, list[str]]:
        """Return the changed source, and the differing lines."""
        before, kept = ast.unparse(tree), getattr(self.node, self.field)
        setattr(self.node, self.field, self.value)
        try:
            after = ast.unparse(ast.fix_missing_locations(tree))
        finally:
            setattr(self.node, self.field, kept)
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
        return after, [line for line in lines if line[0] in "-+" and line[:3] not in ("---", "+++")]


def negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def without(body: list[ast.stmt], index: int) -> list[ast.stmt]:
    """Return a block with one statement replaced by `pass`."""
    return [*body[:index], ast.Pass(), *body[index + 1 :]]


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST, str, object]]:
    """Yield a node's changes as (kind, node, field, new value)."""
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                other: list[ast.cmpop] = [*ops[:index], COMPARED[type(op)](), *ops[index + 1 :]]
                yield "comparison", node, "ops", other
        case ast.BoolOp(op=ast.And()):
            yield "and/or", node, "op", ast.Or()
        case ast.BoolOp():
            yield "and/or", node, "op", ast.And()
        case ast.BinOp(op=op) if type(op) in COMPUTED:
            yield "arithmetic", node, "op", COMPUTED[type(op)]()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "negation", node, "operand", negated(operand)
        case ast.Constant(value=bool(value)):
            yield "constant", node, "value", not value
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", node, "value", value + 1
            yield "constant", node, "value", value - 1
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.UnaryOp):
            yield "condition", node, "test", negated(test)
        case ast.comprehension(ifs=ifs):
            for index in range(len(ifs)):
                yield "condition", node, "ifs", ifs[:index] + ifs[index + 1 :]
        case ast.Return(value=ast.expr() as result) if not isinstance(result, ast.Constant):
            yield "result", node, "value", ast.Constant(None)


def removable(statement: ast.stmt) -> bool:
    """Return whether all names stay defined without a statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name in ROOM:
            return False
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            return True
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)
    return isinstance(statement, ast.AugAssign | ast.Raise | ast.Break | ast.Continue | ast.Delete)


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node's children that affect behaviour."""
    match node:
        case ast.JoinedStr() | ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom():
            return
        case ast.Call(func=ast.Attribute(attr=name)) | ast.keyword(arg=str(name)) if name in ROOM:
            return
        case ast.AnnAssign(value=value):
            yield from [value] if value is not None else []
        case ast.FunctionDef(args=args, body=body):
            yield from (default for default in (*args.defaults, *args.kw_defaults) if default is not None)
            yield from body
        case ast.ClassDef(body=body):
            yield from body
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.Assign(targets=[ast.Name(id=name)]) if name in BUDGETS or name == "__all__":
            return
        case _:
            yield from ast.iter_child_nodes(node)


def mutants(module: str, tree: ast.Module) -> list[Mutant]:
    """List a module's mutants, but none of assignments in `__init__`."""
    found: list[Mutant] = []

    def visit(node: ast.AST, line: int, *, settings: bool) -> None:
        settings = node.name == "__init__" if isinstance(node, ast.FunctionDef) else settings
        line = getattr(node, "lineno", line)
        found.extend(Mutant(module, kind, line, *change) for kind, *change in changes(node))  # type: ignore[arg-type]
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if not isinstance(body, list):  # the body of a lambda or conditional expression
                continue
            for index, statement in enumerate(body):
                if removable(statement) and not (settings and isinstance(statement, ast.Assign)):
                    found.append(Mutant(module, "statement", statement.lineno, node, field, without(body, index)))
        for part in parts(node):
            visit(part, line, settings=settings)

    visit(tree, 0, settings=False)
    return found


def chosen(modules: Sequence[str], trees: dict[str, ast.Module], count: int, seed: int) -> list[Mutant]:
    """Select mutants by the seed, in turn from each module."""
    share, more = divmod(count, len(modules))
    with_more = set(random.Random(seed).sample(modules, more))
    picked: list[Mutant] = []
    for module in modules:
        every = mutants(module, trees[module])
        random.Random(f"{seed} {module}").shuffle(every)
        picked += sorted(every[: share + (module in with_more)], key=lambda mutant: mutant.line)
    return picked


def source_of(module: str) -> Path:
    """Return the path of a module's source."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # of a parent package
        spec = None
    if spec is None or spec.origin is None:
        raise SystemExit(f"there is no module {module}: correct NEAR in {Path(__file__).name}")
    return Path(spec.origin).resolve().relative_to(dev.ROOT)


def modules() -> list[str]:
    """Return all mutated modules."""
    return sorted({*NEAR, *map(path_module, (dev.ROOT / "app").rglob("*.py"))})


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, and the names from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update((node.module, *(f"{node.module}.{name.name}" for name in node.names)))
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return frozenset(name for name in found if name.startswith("framebrush"))


@cache
def test_files() -> tuple[Path, ...]:
    """Return all files of tests that run here in reasonable time."""
    ignored = (*conftest.collect_ignore, *getattr(conftest, "collect_ignore_glob", ()))
    found = ((path, path.relative_to(dev.ROOT)) for path in sorted((dev.ROOT / "tests").rglob("test_*.py")))
    return tuple(path for path, name in found if ELSEWHERE.isdisjoint(name.parts) and not any(map(name.match, ignored)))


def tests_of(module: str) -> list[str]:
    """Return the files of tests near a module, by `NEAR` or name and imports."""
    if module not in NEAR:
        return [str(path.relative_to(dev.ROOT)) for path in nearest(module)]
    found = []
    for name in NEAR[module]:
        match list((dev.ROOT / "tests").rglob(name)):
            case [path]:
                found.append(str(path.relative_to(dev.ROOT)))
            case paths:
                raise SystemExit(f"{len(paths)} files are called {name}: correct NEAR in {Path(__file__).name}")
    return found


def nearest(module: str) -> list[Path]:
    """Return tests named after a module, then others of its users and room."""
    source = source_of(module)
    room = source.parts[1:-1]
    names = {f"test_{source.stem}{end}" for end in ("", "s", "_rules")}
    users = {path_module(path) for path in (dev.ROOT / source.parts[0]).rglob("*.py") if module in imported(path)}

    def rank(path: Path) -> tuple[int, ...] | None:
        here = path.relative_to(dev.ROOT / "tests").parts[:-1]
        here = here[1:] if here[:1] == ("app",) else here
        apart = len(room) + len(here) - 2 * int(sum(takewhile(bool, map(eq, room, here))))
        size = path.stat().st_size
        if path.stem in names and here[:1] == room[:1]:
            return 0, apart, size
        if module in imported(path):
            return 1, apart, -uses(path, {module}), size
        if not users.isdisjoint(imported(path)):
            return 2, apart, -uses(path, users), size
        near = apart <= 1 and path.parent != dev.ROOT / "tests"  # files there are of no room
        return (3, apart, size) if near else None

    ranked = sorted((order, path) for path in test_files() if (order := rank(path)) is not None)[:MOST_NEAR]
    return [path for _, path in sorted(ranked, key=lambda each: (each[0][0] > 0, each[0][-1]))]


def uses(path: Path, modules: Set[str]) -> int:
    """Count uses of modules in a file."""
    text = path.read_text(encoding="utf-8")
    names = {
        name.rpartition(".")[2] for name in imported(path) if not modules.isdisjoint((name, name.rpartition(".")[0]))
    }
    return sum(len(re.findall(rf"\b{name}\b", text)) for name in names)


def path_module(path: Path) -> str:
    """Return the module or package of a file of app, gpu or models."""
    folder, *parts = path.relative_to(dev.ROOT).with_suffix("").parts
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(("framebrush", *([] if folder == "app" else [folder]), *parts))


def copy_tree() -> None:
    """Copy the working tree to `COPY`, with times and kernels, and link the package."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=dev.ROOT,
        capture_output=True,
        check=True,
    )
    kernels = (str(path.relative_to(dev.ROOT)) for path in dev.ROOT.glob("gpu/cpu/*framebrush_kernels.*"))
    for name in (*filter(None, os.fsdecode(listed.stdout).split("\0")), *kernels):
        if (dev.ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(dev.ROOT / name, COPY / name)
    layout = "from tools import dev; dev.link_package(dev.ROOT / 'build' / 'types' / 'framebrush')"
    subprocess.run([sys.executable, "-c", layout], cwd=COPY, check=True)


def run_tests(tests: Sequence[str], limit_s: float | None) -> tuple[str, str]:
    """Run tests in the copy until one fails; return outcome, "" if passed, and output."""
    options = ["-q", "-x", "-p", "no:cacheprovider", "--no-header", "--tb=line"]
    environment = {**os.environ, "PYTHONPATH": str(COPY / "build" / "types")}
    if limit_s is not None:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"  # else the next mutant might load this one's bytecode
    started = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=COPY,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = started.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        if sys.platform == "win32":
            started.kill()
        else:
            os.killpg(started.pid, signal.SIGKILL)  # including processes started by the tests
        started.communicate()
        return "killed, it hung", ""
    status = started.returncode
    no_import = status == 4 and "ImportError while loading conftest" in output  # like 2, in a conftest
    if status in (0, 1, 2) or no_import:  # 2: the module could not even be imported
        return "killed" if status else "", output
    if status < 0 or status > 0xFF:  # ended by a signal, or by an exception of Windows
        return "killed, it crashed", output
    raise SystemExit(f"pytest ended with {status}:\n{output}")


def main(arguments: Sequence[str]) -> int:
    """Run a command line; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--count", type=int, default=100, help="how many mutants, over all modules")
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--only", action="append", metavar="MODULE", help="try only those of this module")
    parser.add_argument("--list", action="store_true", help="print the mutants that are chosen, and try none")
    options = parser.parse_args(arguments)
    unknown = [module for module in options.only or () if module not in modules()]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)} to mutate, only modules of app and {', '.join(NEAR)}")

    paths = {module: source_of(module) for module in options.only or modules()}
    trees = {module: ast.parse((dev.ROOT / path).read_text(encoding="utf-8")) for module, path in paths.items()}
    # modules without anything to mutate would take others' share
    picked = chosen([module for module in paths if mutants(module, trees[module])], trees, options.count, options.seed)
    if options.list:
        for mutant in picked:
            report("chosen", mutant, mutant.diff(trees[mutant.module])[1])
        return 0
    copy_tree()
    tried, survived, limits_s = Counter[str](), Counter[str](), dict[str, float]()
    for mutant in picked:
        path, tests = paths[mutant.module], tests_of(mutant.module)
        if mutant.module not in limits_s:
            begin_s = time.monotonic()
            failed, output = run_tests(tests, None)
            if failed:
                raise SystemExit(f"the tests near {mutant.module} fail without a mutant:\n{output}")
            limits_s[mutant.module] = PATIENCE[0] * (time.monotonic() - begin_s) + PATIENCE[1]
        changed, lines = mutant.diff(trees[mutant.module])
        (COPY / path).write_text(changed, encoding="utf-8")
        killed, _ = run_tests(tests, limits_s[mutant.module])
        shutil.copy2(dev.ROOT / path, COPY / path)
        tried[mutant.module] += 1
        survived[mutant.module] += not killed
        report(killed or "SURVIVED", mutant, [] if killed else lines)
    for module in tried:
        print(f"{module:30} {tried[module]:4} tried {survived[module]:4} survived")
    print(f"{f'all, seed {options.seed}':30} {tried.total():4} tried {survived.total():4} survived")
    return int(survived.total() * 10 > tried.total())


def report(answer: str, mutant: Mutant, lines: Sequence[str]) -> None:
    """Print a mutant's outcome and its diff."""
    print(f"{answer:9} {mutant.module}:{mutant.line}, {mutant.kind}", *(f"    {line}" for line in lines), sep="\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
