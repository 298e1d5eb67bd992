# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of flags and keywords in the reference pages from the settings themselves.

python tools/write_settings.py            # rewrite docs/reference/cli.md and python.md
python tools/write_settings.py --check    # exit code 1 where a page is not current

A page has `<!-- settings of price -->` and `<!-- end of settings -->` on lines of their own; what
stands between is written here. `<!-- keywords of price -->` likewise, and of a method
`<!-- keywords of equations.api.Grid.run -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from makespan.cli.app import command_spec
from makespan.cli.commands import COMMANDS
from makespan.settings.kinds import Switch
from makespan.settings.setting import Setting, toml_text
from write_stubs import type_text
from written_files import ROOT, write_or_check

import makespan

PAGES = (ROOT / "docs/reference/cli.md", ROOT / "docs/reference/python.md")
_PART = re.compile(
    r"(<!-- (settings|keywords) of ([\w.]+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL
)


def main(arguments: Sequence[str]) -> int:
    """Writes or checks; the exit code."""
    texts = {path: _PART.sub(_written, path.read_text(encoding="utf-8")) for path in PAGES}
    return write_or_check(arguments, "write_settings", texts)


def _written(found: re.Match[str]) -> str:
    begin, what, name, end = found.groups()
    return f"{begin}\n{flags_table(name) if what == 'settings' else keywords_table(name)}\n{end}"


def flags_table(command: str) -> str:
    """Of a command: its arguments and flags, and what it has not."""
    if command not in COMMANDS:
        raise SystemExit(f"write_settings: no command {command}")
    spec = command_spec(command)
    rows = ["| flag | value | default | meaning |", "|---|---|---|---|"]
    for one in spec.settings:
        if not one.is_hidden:
            usual = None if isinstance(one.kind, Switch) else one.default
            rows.append(_row(_flag(one), one, one.kind.metavar, one.help, usual))
    text = "\n".join(rows) + "\n"
    bits = [f"`{one.flag}`" for one in spec.settings if one.in_bits]
    if bits:
        only = "Besides the files that are read, only these flags change what is computed"
        text += f"\n{only}: {', '.join(bits)}.\n"
    if spec.without:
        text += f"\nIt has not, of what other commands have: {_reasons(spec.without)}.\n"
    for kind, without in spec.without_for.items():
        text += f"\nOf {kind} it has not: {_reasons(without)}.\n"
    return text


def _reasons(without: Mapping[str, str]) -> str:
    return "; ".join(f"`--{name.replace('_', '-')}`: {reason}" for name, reason in without.items())


def keywords_table(function: str) -> str:
    """Of a function of makespan, or of a method, as equations.api.Grid.run."""
    settings: Sequence[Setting] = _function(function).__settings__
    rows = ["| keyword | type | default | meaning |", "|---|---|---|---|"]
    for one in settings:
        if not one.is_hidden:
            name, kind = f"`{one.name}`", f"`{type_text(one)}`"
            rows.append(_row(name, one, kind, one.keyword_help, one.default))
    return "\n".join(rows) + "\n"


def _function(name: str) -> Any:
    if "." not in name:
        return getattr(makespan, name)
    home, kind, method = name.rsplit(".", 2)
    return getattr(getattr(import_module(f"makespan.{home}"), kind), method)


def _flag(setting: Setting) -> str:
    if setting.is_argument:
        return setting.name.upper()
    return f"`{setting.short}`, `{setting.flag}`" if setting.short else f"`{setting.flag}`"


def _row(name: str, setting: Setting, value: str, text: str, default: object) -> str:
    meaning = text.removesuffix(".")
    words = setting.kind.choices
    if words and not all(word in meaning for word in words):
        meaning += f": {', '.join(f'`{word}`' for word in words)}"
    if setting.unit:
        meaning += f" [{setting.unit}]"
    usual = "" if default is None else f"`{toml_text(default)}`"
    cells = (name, value.replace("|", "\\|"), usual, meaning.replace("|", "\\|"))
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
