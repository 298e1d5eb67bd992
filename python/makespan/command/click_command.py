# SPDX-License-Identifier: Apache-2.0
"""A command for click from its `CommandSpec`: flags, help and completion follow the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from makespan.command.spec import EXIT_CODES, CommandSpec
from makespan.settings.kinds import FilePath, Switch
from makespan.settings.setting import Setting, toml_text
from makespan.settings.shared import COMMON

HELP_FLAGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_COMMON_NAMES = {setting.name for setting in COMMON}


if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic in newer versions of click


class _Value(_ParamType):
    """The kind of a setting as click's."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.name = setting.kind.metavar

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 - click's call
        """The value of a flag's text; raises `InputError`."""
        return self.setting.of_flag(value) if isinstance(value, str) else value

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem[str]]:  # noqa: ARG002
        """Words of the kind; files where it is a path."""
        if isinstance(self.setting.kind, FilePath):
            is_folder = self.setting.kind.metavar == "DIR"
            return [CompletionItem(incomplete, type="dir" if is_folder else "file")]
        head, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(f"{head}{comma}{word}")
            for word in self.setting.kind.choices
            if word.startswith(last)
        ]


def click_command(spec: CommandSpec) -> click.Command:
    """The command, which returns its name and the values of its settings by their names."""
    return _Command(
        name=spec.name,
        params=[_parameter(setting) for setting in spec.settings],
        callback=lambda **given: (spec.name, given),
        context_settings=dict(HELP_FLAGS),
        spec=spec,
    )


class _Command(click.Command):
    """Writes its help from the settings."""

    def __init__(self, *, spec: CommandSpec, **named: Any) -> None:
        super().__init__(**named)
        self.spec = spec

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Usage, what it does, arguments, flags, examples."""
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.spec.text)
        shown = [one for one in self.spec.settings if not one.is_hidden]
        arguments = [one for one in shown if one.is_argument]
        own = [one for one in shown if not one.is_argument and one.name not in _COMMON_NAMES]
        common = [one for one in shown if not one.is_argument and one.name in _COMMON_NAMES]
        for title, settings in (
            ("Arguments", arguments),
            ("Options", own),
            ("Options of every run", common),
        ):
            if settings:
                with formatter.section(title):
                    formatter.write_dl([(_left(one), help_text(one)) for one in settings])
        if self.spec.examples:
            with formatter.section("Examples"):
                for example in self.spec.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
        formatter.write(f"\n{EXIT_CODES}\n")


def help_text(setting: Setting) -> str:
    """What help says of a setting: what it is, the words that fit, the default."""
    text = setting.help
    words = setting.kind.choices
    if words and not all(word in text for word in words):
        text = f"{text} One of: {', '.join(words)}."
    shows = setting.default is not None and not isinstance(setting.kind, Switch)
    return f"{text} [default: {_default_text(setting)}]" if shows else text


def _default_text(setting: Setting) -> str:
    return toml_text(setting.default).strip('"')


def _left(setting: Setting) -> str:
    """Of the line of a setting: `-o, --output FILE`."""
    if setting.is_argument:
        return f"{setting.name} {setting.kind.metavar}"
    flags = f"{setting.short}, {setting.flag}" if setting.short else setting.flag
    return f"{flags} {setting.kind.metavar}".rstrip()


def _argument_text(setting: Setting) -> str:
    """Of the line of usage: `BOOK`, `[FILES]...` where it can be left out."""
    name = setting.name.upper()
    name = name if setting.is_required else f"[{name}]"
    return f"{name}..." if setting.is_repeated else name


def _parameter(setting: Setting) -> click.Parameter:
    if setting.is_argument:
        return click.Argument(
            [setting.name],
            type=_Value(setting),
            required=setting.is_required,
            nargs=-1 if setting.is_repeated else 1,
            metavar=_argument_text(setting),
        )
    flags = [name for name in (setting.short, setting.flag) if name]
    if isinstance(setting.kind, Switch):
        return click.Option(
            [*flags, setting.name],
            is_flag=True,
            flag_value=not setting.is_negated,
            default=setting.default,
            help=setting.help,
            hidden=setting.is_hidden,
        )
    return click.Option(
        [*flags, setting.name],
        type=_Value(setting),
        default=setting.default,
        multiple=setting.is_repeated,
        help=setting.help,
        metavar=setting.kind.metavar,
        hidden=setting.is_hidden,
        required=setting.is_required,
    )
