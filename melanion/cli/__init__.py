# SPDX-License-Identifier: Apache-2.0
"""The command line. One module per command, each with a `command`; a module is imported only when
its command is used.

The only folder that prints. Exit codes: 0 done, 1 the thing failed, 2 wrong use. An error is one
sentence, never a traceback (`melanion --debug …` shows it).
"""

from __future__ import annotations

import difflib
import importlib
import logging
import os
import signal
import sys
from typing import NoReturn

import click

from melanion import __version__
from melanion.errors import MelanionError

# Command → what `melanion --help` says about it.
COMMANDS = {
    "doctor": "What this machine lacks, and the command that fixes it.",
    "gen": "Write what is made from spec/ (or check that it is up to date).",
    "new": "Make the folder of a new application.",
    "systems": "The systems that there are; one of them as a file to change.",
    "build": "Build a system and a program.",
    "commands": "Check commands that a configuration adds to the hardware unit.",
    "export": "Write a system as a folder that builds without Melanion.",
    "run": "Run a program on simulated RTL and replay it against the golden model.",
    "debug": "Hold a program on simulated RTL with GDB.",
    "tasks": "What every task did at a cycle of a saved run.",
    "compare": "Measure a benchmark under several kernels: table and page.",
    "sweep": "Measure many systems: the front of cycles, cells and memory.",
    "inject": "Flip bits of a kernel's state, and count what follows.",
    "reproduce": "Measure what a document claims: paper, ours, ratio, verdict.",
    "report": "The page of all results again; what is stored; two sets compared.",
    "page": "Write a page that simulates in the browser: static files, nothing to install.",
    "studio": "Edit, build, run and compare in the browser, with a server of this machine.",
    "datasheet": "The worst case of every call: measured and counted.",
    "trace": "Write the timeline of a run for the Perfetto viewer.",
    "area": "How large and how fast the hardware unit is, beside the core.",
    "board": "Write a bitstream for an FPGA board, with a system and a program.",
    "prove": "Run the proofs of the hardware unit and its bridges.",
    "demo": "FreeRTOS and three kernels, one benchmark, one table: the first thing to try.",
}


class _Commands(click.Group):
    """Loads a command's module on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        loaded = importlib.import_module(f"melanion.cli.{cmd_name}").command
        assert isinstance(loaded, click.Command)
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = (
                f"did you mean `melanion {close[0]}`?"
                if close
                else f"known are {', '.join(COMMANDS)}."
            )
            ctx.fail(f"{args[0]!r} is no command; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="melanion")
@click.option("--debug", is_flag=True, help="Show the Python traceback of an error.")
def group(debug: bool) -> None:
    """Melanion: a hardware RTOS, and the lab that builds, runs and measures systems with it."""


class _Warnings(logging.Handler):
    """Shows what went wrong and was put right."""

    def emit(self, record: logging.LogRecord) -> None:
        _complain(record.getMessage(), 0)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and end the process."""
    words = sys.argv[1:] if arguments is None else arguments
    logging.getLogger("melanion").addHandler(_Warnings(logging.WARNING))
    if arguments is None:  # this process is ours: what it has started ends with it, as at Ctrl-C
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(_run(words))


def _run(words: list[str]) -> int:
    debug = "--debug" in words[:1]
    try:
        result = group.main(words, prog_name="melanion", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except MelanionError as error:
        if debug:
            raise
        return _complain(error.message, error.exit_code)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        error.show()
        return 2
    except click.ClickException as error:
        return _complain(error.format_message(), 1)
    except (KeyboardInterrupt, click.Abort):
        return _complain(
            "interrupted; nothing half-written is left, run the same command again.", 1
        )
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if debug:
            raise
        kind = type(error).__name__
        words_text = " ".join(words)
        return _complain(
            f"internal error, {kind}: {error}; this is a defect of Melanion: please report it"
            " with the"
            f" output of `melanion --debug {words_text}`.",
            1,
        )


def _complain(message: str, exit_code: int) -> int:
    for line in message.splitlines():
        click.echo(f"melanion: {line}", err=True)
    return exit_code
