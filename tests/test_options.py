"""Option declarations, and the files generated from them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from framebrush.base.option import Declared, Option, check_ranges, declared_in
from framebrush.gpu.look import Look
from framebrush.styles.specs import ColourSpec, SizeSpec
from tools import options

pytestmark = pytest.mark.unit

DECLARED = list(options.declared())


def test_every_field_is_an_option() -> None:
    assert {field.name for field in fields(Look)} - {option.field for option in declared_in(Look)} == {"mix", "part"}
    for record in (SizeSpec, ColourSpec):
        assert [option.field for option in declared_in(record)] == [field.name for field in fields(record)]


def test_names_are_given_once() -> None:
    names = [option.name for option in DECLARED]
    assert len({*names}) == len(names)


def test_what_is_made_of_the_declarations_is_current() -> None:
    """`python tools/options.py` makes both anew."""
    assert (options.ROOT / options.KEYWORDS).read_text(encoding="utf-8") == options.keywords()
    assert (options.ROOT / options.PAGE).read_text(encoding="utf-8") == options.page()
    assert {option.option.group for option in DECLARED} == options.TITLES.keys()


@pytest.mark.parametrize("option", [each for each in DECLARED if each.option.range], ids=lambda each: each.name)
def test_a_number_beyond_its_range_is_refused(option: Declared) -> None:
    record: Any = next(each for each in options.RECORDS if option in declared_in(each))
    assert option.option.range is not None
    low, high = option.option.range
    for value in (low, high):
        check_ranges(record(**{option.field: value}))
    unit = f" {option.option.unit}" if option.option.unit else ""
    for value in (low - 1, high + 1, float("nan")):
        name = option.name.replace("_", " ")
        with pytest.raises(ValueError, match=rf"^{name} {value:g} is not between {low:g} and {high:g}{unit}$"):
            record(**{option.field: value})


@pytest.mark.parametrize("option", DECLARED, ids=lambda each: each.name)
def test_a_declaration_is_whole(option: Declared) -> None:
    says: Option = option.option
    assert says.help[:1].isupper() or says.help[:1].isdigit()
    assert says.help.endswith(".")
    assert option.number is None or says.range is not None


@pytest.mark.parametrize("option", [each for each in DECLARED if not each.option.parse], ids=lambda each: each.name)
def test_a_value_is_read_as_it_is_written(option: Declared) -> None:
    values: list[object] = [option.default, *option.words]
    if option.kind is bool:
        values += [True, False]
    elif option.number and option.option.range:
        values += map(option.number, option.option.range)
    for value in values:
        assert option.read(option.text_of(value)) == value
    for text in ("", *(("None",) if option.kind is not bool else ("perhaps",))):
        assert option.read(text) == option.default
    if option.number:
        with pytest.raises(ValueError, match=r"could not convert|invalid literal"):
            option.read("perhaps")
    assert option.off not in ("", option.spelling)
    assert "_" not in option.spelling
