"""Brush and relief on the CPU, as loops over rows y0 to y1 of a picture, or of its cells: numba compiles them, and the
threads of `strips.Workers` call them. The references are `gpu.reference.brush` and `gpu.reference.relief`.

A picture is (3, H + 2 margin, W + 2 margin), so that no loop has to check whether a sample is inside it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.cpu.compiled import (
    Bytes1,
    Bytes2,
    Floats1,
    Floats2,
    Floats3,
    Planes,
    Whole1,
    Whole2,
    Whole4,
    compiled,
)
from framebrush.gpu.frame import Matrix
from framebrush.gpu.stages.brush import DIRECTIONS, GRAIN, REST_TENSOR, SHARP
from framebrush.gpu.stages.corners import CELL_PX, LEAST, MOST
from framebrush.gpu.stages.relief import (
    BODY_LUMA,
    BODY_MOST,
    BODY_SHARE,
    BRISTLE_SHARE,
    GLEAM_POWER,
    THICK_LUMA,
    THIN,
    WEAVE_COVER,
)
from framebrush.gpu.stages.steady import BLOCK_PX

F = np.float32
RED, GREEN, BLUE = (F(weight) for weight in colour.luma_weights(Matrix.BT709))
REST_X, REST_Y = (F(part) for part in REST_TENSOR)
EIGHTH = DIRECTIONS // 8
BOUNDS = tuple(F(math.tan(2.0 * math.pi * (sector + 0.5) / DIRECTIONS)) for sector in range(EIGHTH))
"""Of directions within an eighth of a turn: the smaller part of a vector over the larger one."""

PER_SECOND, PER_GRAIN = F(1.0 / SHARP), F(1.0 / GRAIN)
PER_BODY, PER_DEVIATION = F(1.0 / BODY_LUMA), F(1.0 / THICK_LUMA)
BODY_LIMIT, OF_BODY, OF_BRISTLES, THINNEST, COVER = map(F, (BODY_MOST, BODY_SHARE, BRISTLE_SHARE, THIN, WEAVE_COVER))
POWER = int(GLEAM_POWER)
LEAST_CORNER, PER_CORNER, CORNER_PX = F(LEAST), F(1.0 / (MOST - LEAST)), CELL_PX
BLOCK, HALF_BLOCK = BLOCK_PX**2, BLOCK_PX**2 // 2
ZERO, HALF, ONE, TWO, THREE, FOUR = F(0.0), F(0.5), F(1.0), F(2.0), F(3.0), F(4.0)
SCHARR_SIDE, SCHARR_MIDDLE, SOBEL = F(3.0 / 32.0), F(10.0 / 32.0), F(1.0 / 8.0)


class Grid(NamedTuple):
    """How cells lie in pictures. low, high, share: (W + 2 margin,), of each column of a picture the cells between whose
    middles it lies, and how far it is from the first to the second."""

    cell_px: int
    margin: int
    low: Whole1
    high: Whole1
    share: Floats1


class Places(NamedTuple):
    """Where the pixels of an axis lie among cells. low, high, share: of each pixel the cells between whose middles it
    lies, and how far it is from the first to the second."""

    low: Whole1
    high: Whole1
    share: Floats1


class Samples(NamedTuple):
    """Of a line through a pixel. offsets: (DIRECTIONS, n), of the sample in the middle and then of those to one side of
    it, in samples of a plane in memory. weights: (n,)."""

    offsets: Whole2
    weights: Floats1


class Ways(NamedTuple):
    """Where bristles look up their noise. far: (2, 2, rows, columns), how far away, for both ways y and x, at the
    middle of a block. down, over: (3, H) and (3, W), for each pixel the two blocks that it lies between, and its share
    of the second, in BLOCK_PX. rows, columns: in the noise, for y and x plus how far away."""

    far: Whole4
    down: Whole2
    over: Whole2
    rows: Whole1
    columns: Whole1


@compiled
def repeat_edge(picture: Floats3, margin: int, y0: int, y1: int) -> None:
    """Fill the margins beside rows; those above the first row, and below the last, with it."""
    rows, columns = picture.shape[1], picture.shape[2]
    first, last = margin + y0, margin + y1
    for channel in range(3):
        plane = picture[channel]
        for y in range(first, last):
            for x in range(margin):
                plane[y, x], plane[y, columns - 1 - x] = plane[y, margin], plane[y, columns - 1 - margin]
        for y in range(margin):
            for x in range(columns):
                if y0 == 0:
                    plane[y, x] = plane[margin, x]
                if last == rows - margin:
                    plane[rows - 1 - y, x] = plane[last - 1, x]


@compiled
def cell_means(picture: Floats3, grid: Grid, light: Floats2, y0: int, y1: int) -> None:
    """Mean luma of rows of cells."""
    columns, cell_px, margin = light.shape[1], grid.cell_px, grid.margin
    for row in range(y0, y1):
        sums = np.zeros(columns * cell_px, np.float32)
        for y in range(margin + row * cell_px, margin + (row + 1) * cell_px):
            red, green, blue = picture[0, y, margin:], picture[1, y, margin:], picture[2, y, margin:]
            for x in range(len(sums)):
                sums[x] += RED * red[x] + GREEN * green[x] + BLUE * blue[x]
        for column in range(columns):
            total = ZERO
            for x in range(column * cell_px, (column + 1) * cell_px):
                total += sums[x]
            light[row, column] = total / F(cell_px * cell_px)


@compiled
def smooth(around: Floats2, weights: Floats1, made: Floats2, y0: int, y1: int) -> None:
    """Rows of the weighted mean along columns, then rows. around: those rows and as many above and below as weights
    reach."""
    columns, radius = made.shape[1], len(weights) // 2
    for y in range(y0, y1):
        line, into = np.zeros(columns + 2 * radius, np.float32), made[y]
        inner = line[radius : radius + columns]
        for k in range(len(weights)):
            row, weight = around[y - y0 + k], weights[k]
            for x in range(columns):
                inner[x] += weight * row[x]
        for x in range(radius):
            line[x], line[radius + columns + x] = inner[0], inner[columns - 1]
        for x in range(columns):
            into[x] = weights[0] * line[x]
        for k in range(1, len(weights)):
            shifted, weight = line[k:], weights[k]
            for x in range(columns):
                into[x] += weight * shifted[x]


@compiled
def blur(plane: Floats2, weights: Floats1, made: Floats2, y0: int, y1: int) -> None:
    """Rows of a plane of cells, smoothed."""
    radius = len(weights) // 2
    around = np.empty((y1 - y0 + 2 * radius, plane.shape[1]), np.float32)
    for i in range(len(around)):
        row = plane[min(max(y0 - radius + i, 0), len(plane) - 1)]
        for x in range(len(row)):
            around[i, x] = row[x]
    smooth(around, weights, made, y0, y1)


@compiled
def structure_tensor(light: Floats2, weights: Floats1, tensor: Floats3, y0: int, y1: int) -> None:
    """Its two components gx² - gy² and 2 gx gy for rows of cells, smoothed, plus what is added where the picture is
    flat."""
    rows, columns = light.shape
    radius = len(weights) // 2
    around = np.empty((2, y1 - y0 + 2 * radius, columns), np.float32)
    for i in range(around.shape[1]):
        y = min(max(y0 - radius + i, 0), rows - 1)
        above, here, below = light[max(y - 1, 0)], light[y], light[min(y + 1, rows - 1)]
        for x in range(columns):
            left, right = max(x - 1, 0), min(x + 1, columns - 1)
            gx = SCHARR_SIDE * (above[right] - above[left] + below[right] - below[left])
            gx += SCHARR_MIDDLE * (here[right] - here[left])
            gy = SCHARR_SIDE * (below[left] - above[left] + below[right] - above[right])
            gy += SCHARR_MIDDLE * (below[x] - above[x])
            around[0, i, x] = (gx - gy) * (gx + gy) + REST_X
            around[1, i, x] = TWO * gx * gy + REST_Y
    for part in range(2):
        smooth(around[part], weights, tensor[part], y0, y1)


@compiled
def between(cells: Floats2, grid: Grid, y: int, first: int, line: Floats1) -> None:
    """A row of a plane of cells at the size of the picture, linear between their middles, from a column on. The columns
    of the margin count; y may lie outside."""
    halves = 2 * y + 1 - grid.cell_px
    row = halves // (2 * grid.cell_px)
    down = F(halves - row * 2 * grid.cell_px) / F(2 * grid.cell_px)
    upper, lower = cells[min(max(row, 0), len(cells) - 1)], cells[min(max(row + 1, 0), len(cells) - 1)]
    mixed = np.empty(cells.shape[1], np.float32)
    for column in range(len(mixed)):
        mixed[column] = upper[column] + down * (lower[column] - upper[column])
    low, high, share = grid.low[first:], grid.high[first:], grid.share[first:]
    for x in range(len(line)):
        left = mixed[low[x]]
        line[x] = left + share[x] * (mixed[high[x]] - left)


@compiled
def enlarge(cells: Floats2, grid: Grid, made: Floats2, y0: int, y1: int) -> None:
    """Rows of a plane of cells at the size of the picture, with its margins."""
    for y in range(y0, y1):
        between(cells, grid, y - grid.margin, 0, made[y])


@compiled
def find_directions(tensor: Floats3, grid: Grid, y: int, directions: Bytes1) -> None:
    """Those of a row, 0..DIRECTIONS - 1: half the angle of the tensor, rounded. Comparing it with bounds takes a tenth
    of what the arc tangent takes."""
    along, across = np.empty(len(directions), np.float32), np.empty(len(directions), np.float32)
    between(tensor[0], grid, y, grid.margin, along)
    between(tensor[1], grid, y, grid.margin, across)
    for x in range(len(directions)):
        larger, smaller = max(abs(along[x]), abs(across[x])), min(abs(along[x]), abs(across[x]))
        sector = 0
        for bound in BOUNDS:
            sector += smaller > bound * larger
        sector = 2 * EIGHTH - sector if abs(across[x]) > abs(along[x]) else sector
        sector = 4 * EIGHTH - sector if along[x] < ZERO else sector
        sector = -sector if across[x] < ZERO else sector
        directions[x] = (sector + DIRECTIONS // 2) % DIRECTIONS


@compiled
def mean_along(
    picture: Floats3, tensor: Floats3, grid: Grid, samples: Samples, directions: Bytes2, made: Floats3, y0: int, y1: int
) -> None:
    """The weighted mean of the samples on the line through each pixel in its direction, which is found first."""
    channels, into, stride = picture.reshape(3, -1), made.reshape(3, -1), picture.shape[2]
    offsets, weights = samples.offsets, samples.weights
    for y in range(y0, y1):
        row = directions[y]
        find_directions(tensor, grid, y, row)
        for x in range(len(row)):
            at, line = (y + grid.margin) * stride + grid.margin + x, offsets[row[x]]
            red, green, blue = weights[0] * channels[0, at], weights[0] * channels[1, at], weights[0] * channels[2, at]
            for k in range(1, len(weights)):
                there, back, weight = at + line[k], at - line[k], weights[k]
                red += weight * (channels[0, there] + channels[0, back])
                green += weight * (channels[1, there] + channels[1, back])
                blue += weight * (channels[2, there] + channels[2, back])
            into[0, at], into[1, at], into[2, at] = red, green, blue


@compiled
def sharpen(
    picture: Floats3,
    directions: Bytes2,
    light: Floats2,
    far: Whole2,
    offsets: Whole2,
    margin: int,
    made: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Towards the darkest pixel across the direction where smoothed luma is a valley, towards the lightest where it is
    a ridge. light: that luma, with margins. far: (DIRECTIONS, 1), how far across its second difference reaches.
    offsets: of the samples to one side."""
    channels, into, stride = picture.reshape(3, -1), made.reshape(3, -1), picture.shape[2]
    lights = light.reshape(-1)
    for y in range(y0, y1):
        for x in range(directions.shape[1]):
            at, direction = (y + margin) * stride + margin + x, directions[y, x]
            step = far[direction, 0]
            second = (lights[at + step] + lights[at - step] - TWO * lights[at]) * PER_SECOND
            weight = min(max(second, -ONE), ONE)
            sign = ONE if weight > ZERO else -ONE
            light_here = sign * (RED * channels[0, at] + GREEN * channels[1, at] + BLUE * channels[2, at])
            best, found = light_here, at
            for k in range(offsets.shape[1]):
                for there in (at + offsets[direction, k], at - offsets[direction, k]):
                    luma = RED * channels[0, there] + GREEN * channels[1, there] + BLUE * channels[2, there]
                    if sign * luma < best:
                        best, found = sign * luma, there
            share = abs(weight) * min((light_here - best) * PER_GRAIN, ONE)
            for channel in range(3):
                own = channels[channel, at]
                into[channel, at] = own + share * (channels[channel, found] - own)


@compiled
def corner_structure(frame: Planes, columns: int, rows: int, tensor: Floats3, y0: int, y1: int) -> None:
    """Rows of cells of the structure tensor, xx, xy and yy, of a network's input that shows so many columns and rows of
    pixels."""
    lights = np.empty((3, columns), np.float32)
    for row in range(y0, y1):
        for column in range(tensor.shape[2]):
            for part in range(3):
                tensor[part, row, column] = ZERO
        for j in range(CORNER_PX):
            y = min(row * CORNER_PX + j, rows - 1)
            for i in range(3):
                line = frame[:, min(max(y - 1 + i, 0), rows - 1)]
                for x in range(columns):
                    lights[i, x] = RED * line[0, x] + GREEN * line[1, x] + BLUE * line[2, x]
            above, here, below = lights[0], lights[1], lights[2]
            for at in range(tensor.shape[2] * CORNER_PX):
                x = min(at, columns - 1)
                left, right = max(x - 1, 0), min(x + 1, columns - 1)
                gx = SCHARR_SIDE * (above[right] - above[left] + below[right] - below[left])
                gx += SCHARR_MIDDLE * (here[right] - here[left])
                gy = SCHARR_SIDE * (below[left] - above[left] + below[right] - above[right])
                gy += SCHARR_MIDDLE * (below[x] - above[x])
                column = at // CORNER_PX
                tensor[0, row, column] += gx * gx
                tensor[1, row, column] += gx * gy
                tensor[2, row, column] += gy * gy
        for column in range(tensor.shape[2]):
            for part in range(3):
                tensor[part, row, column] /= F(CORNER_PX * CORNER_PX)


@compiled
def corners(tensor: Floats3, weights: Floats1, left: Floats2, y0: int, y1: int) -> None:
    """Rows of what is left of each cell as it is, 0..1."""
    smoothed = np.empty(tensor.shape, np.float32)
    for part in range(3):
        blur(tensor[part], weights, smoothed[part], y0, y1)
    for row in range(y0, y1):
        for column in range(tensor.shape[2]):
            xx, xy, yy = smoothed[0, row, column], smoothed[1, row, column], smoothed[2, row, column]
            smaller = HALF * (xx + yy - math.sqrt((xx - yy) * (xx - yy) + FOUR * xy * xy))
            share = (math.sqrt(max(smaller, ZERO)) - LEAST_CORNER) * PER_CORNER
            share = min(max(share, ZERO), ONE)
            left[row, column] = share * share * (THREE - TWO * share)


@compiled
def mix(
    before: Floats3,
    strength: float,
    left: Floats2,
    down: Places,
    across: Places,
    margin: int,
    picture: Floats3,
    y0: int,
    y1: int,
) -> None:
    """Rows of a brushed picture, with what it was before where cells are left as they are, and so much everywhere."""
    cells = np.empty(left.shape[1], np.float32)
    for y in range(y0, y1):
        upper, lower, share = left[down.low[y]], left[down.high[y]], down.share[y]
        for column in range(len(cells)):
            cells[column] = upper[column] + share * (lower[column] - upper[column])
        for x in range(len(across.low)):
            first = cells[across.low[x]]
            kept = first + across.share[x] * (cells[across.high[x]] - first)
            drawn = strength * (ONE - kept)
            for channel in range(3):
                own = before[channel, margin + y, margin + x]
                brushed = picture[channel, margin + y, margin + x]
                picture[channel, margin + y, margin + x] = own + drawn * (brushed - own)


@compiled
def thickness(light: Floats2, broad: Floats2, weights: Floats1, thick: Floats2, y0: int, y1: int) -> None:
    """How thick paint is in rows of cells, by how far luma lies from its broad mean around each."""
    radius = len(weights) // 2
    around = np.empty((y1 - y0 + 2 * radius, light.shape[1]), np.float32)
    for i in range(len(around)):
        y = min(max(y0 - radius + i, 0), len(light) - 1)
        for x in range(light.shape[1]):
            around[i, x] = (light[y, x] - broad[y, x]) ** 2
    smooth(around, weights, thick, y0, y1)
    for y in range(y0, y1):
        for x in range(thick.shape[1]):
            thick[y, x] = min(max(np.sqrt(thick[y, x]) * PER_DEVIATION, THINNEST), ONE)


@compiled
def hair(noise: Floats1, middle: int, line: Whole1, weights: Floats1) -> float:
    """The mean of noise along a line."""
    total = weights[0] * noise[middle]
    for k in range(1, len(weights)):
        total += weights[k] * (noise[middle + line[k]] + noise[middle - line[k]])
    return total  # type: ignore[no-any-return]


@compiled
def bristles(
    tensor: Floats3,
    grid: Grid,
    noise: Floats1,
    samples: Samples,
    ways: Ways,
    first: float,
    made: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Noise averaged along the strokes, looked up where both ways lead. first: the weight of the first one. made: with
    margins."""
    far, down, over = ways.far, ways.down, ways.over
    mixed = np.empty((2, far.shape[3]), np.int64)
    places = np.empty((2, over.shape[1]), np.int64)
    directions = np.empty(over.shape[1], np.uint8)
    for y in range(y0, y1):
        find_directions(tensor, grid, y, directions)
        for way in range(2):
            for axis in range(2):
                for column in range(far.shape[3]):
                    above, below = far[way, axis, down[0, y], column], far[way, axis, down[1, y], column]
                    mixed[axis, column] = (BLOCK_PX - down[2, y]) * above + down[2, y] * below
            for x in range(len(directions)):
                left, right, share = over[0, x], over[1, x], over[2, x]
                far_y = (BLOCK_PX - share) * mixed[0, left] + share * mixed[0, right]
                far_x = (BLOCK_PX - share) * mixed[1, left] + share * mixed[1, right]
                row = ways.rows[y + (far_y + HALF_BLOCK) // BLOCK]
                places[way, x] = row + ways.columns[x + (far_x + HALF_BLOCK) // BLOCK]
        for x in range(len(directions)):
            line = samples.offsets[directions[x]]
            found = hair(noise, places[0, x] + line[0], line, samples.weights)
            if places[0, x] != places[1, x]:
                other = hair(noise, places[1, x] + line[0], line, samples.weights)
                found = other + first * (found - other)
            made[y + grid.margin, x + grid.margin] = found


@compiled
def raise_paint(
    picture: Floats3,
    broad: Floats2,
    thick: Floats2,
    grid: Grid,
    height: float,
    ground: float,
    warp: Floats2,
    weft: Floats2,
    heights: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Heights in pixels, of paint with the bristles that they are before, and of the canvas where paint is thin. warp,
    weft: of `relief.threads` along x and y. heights: with margins, of which one pixel to each side is filled."""
    margin = grid.margin
    around, body = np.empty(warp.shape[1], np.float32), np.empty(warp.shape[1], np.float32)
    for y in range(y0, y1):
        between(broad, grid, y, margin, around)
        between(thick, grid, y, margin, body)
        red, green, blue = (
            picture[0, y + margin, margin:],
            picture[1, y + margin, margin:],
            picture[2, y + margin, margin:],
        )
        line = heights[y + margin, margin:]
        for x in range(len(around)):
            own = RED * red[x] + GREEN * green[x] + BLUE * blue[x] - around[x]
            own = min(max(own * PER_BODY, -BODY_LIMIT), BODY_LIMIT)
            over = warp[0, x] + warp[1, x] * weft[2, y]
            under = weft[0, y] - weft[1, y] * warp[2, x]
            canvas = ground * (ONE - COVER * body[x]) * max(over, under)
            line[x] = height * body[x] * (OF_BODY * own + OF_BRISTLES * line[x]) + canvas
        heights[y + margin, margin - 1], heights[y + margin, margin + len(body)] = line[0], line[len(body) - 1]


@compiled
def shine(
    heights: Floats2,
    lamp: Floats2,
    gleam: float,
    rest: float,
    to_light: Floats1,
    from_light: Floats1,
    margin: int,
    picture: Floats3,
    y0: int,
    y1: int,
) -> None:
    """A picture under the lamp. lamp: (2, 3), the directions to it and half-way between it and the eye. gleam: its
    brightness. rest: what it is where the picture is level. to_light, from_light: between encoded and linear, 0..1."""
    height, width = picture.shape[1] - 2 * margin, picture.shape[2] - 2 * margin
    diffuse, bright = np.empty(width, np.float32), np.empty(width, np.float32)
    for y in range(y0, y1):
        above, here = heights[max(y - 1, 0) + margin, margin - 1 :], heights[y + margin, margin - 1 :]
        below = heights[min(y + 1, height - 1) + margin, margin - 1 :]
        for x in range(width):
            left, right = x, x + 2
            gx = SOBEL * (above[right] - above[left] + TWO * (here[right] - here[left]) + below[right] - below[left])
            gy = SOBEL * (below[left] - above[left] + TWO * (below[x + 1] - above[x + 1]) + below[right] - above[right])
            length = np.sqrt(ONE + gx * gx + gy * gy)
            facing = (lamp[0, 2] - gx * lamp[0, 0] - gy * lamp[0, 1]) / (length * lamp[0, 2])
            glance = max((lamp[1, 2] - gx * lamp[1, 0] - gy * lamp[1, 1]) / length, ZERO)
            diffuse[x], bright[x] = max(facing, ZERO), gleam * (glance**POWER - rest)
        for channel in range(3):
            row = picture[channel, y + margin, margin:]
            for x in range(width):
                light = to_light[int(row[x] * F(len(to_light) - 1) + HALF)] * diffuse[x] + bright[x]
                light = min(max(light, ZERO), ONE)
                row[x] = from_light[int(light * F(len(from_light) - 1) + HALF)]
