# SPDX-License-Identifier: Apache-2.0
"""Answers of the server to a client that is not GDB: frames, stops, endings, refusals."""

from __future__ import annotations

import socket

import numpy as np
import pytest
from mel_gen import ExitReason

from melanion import build, config
from melanion.debug import DebugError, Ending, Server, packet
from melanion.debug.frames import PC
from melanion.run import run_program
from tests.system.debug_session import APP, BUSY, URGENT, served


def test_packets_are_framed_and_read_back() -> None:
    assert packet.frame(b"OK") == b"$OK#9a"
    data = bytes(range(256))
    reader = packet.Reader()
    text = b"+" + packet.frame(data) + b"\x03" + packet.frame(b"m0,4")
    found = [each for i in range(len(text)) for each in reader.feed(text[i : i + 1])]
    assert found == [data, packet.INTERRUPT, b"m0,4"]
    assert packet.Reader().feed(b"$OK#9b$OK#9a") == [None, b"OK"]


def test_ctrl_c_stops_a_program_that_runs() -> None:
    """While `busy` spins; the rest of the run is as if nobody had asked."""
    with served() as (talk, endings, of):
        assert talk.ask("QStartNoAckMode") == "OK"
        assert talk.ask("?") == "T05thread:41;core:0;"
        talk.say("vCont;c")
        talk.socket.sendall(packet.INTERRUPT)
        stopped = talk.hear()
        assert stopped.startswith("T02thread:")
        talk.say("vCont;c")
        assert talk.hear() == "O" + b"woken\n".hex()
        assert talk.hear() == "W00"
        usual = run_program(config.find("hwrtos"), build.application(str(APP)))
        assert np.array_equal(of.target.events, usual.events)
        talk.say("k")
    assert endings == [Ending.EXITED]


def test_detach_and_kill() -> None:
    with served() as (talk, endings, of):
        woken = of.target.program.content.symbols["woken"]
        assert talk.ask(f"Z0,{woken:x},2") == "OK"
        assert talk.ask("D") == "OK"
    assert endings == [Ending.DETACHED]
    with served() as (talk, endings, _):
        assert talk.ask("vKill;1") == "OK"
    assert endings == [Ending.KILLED]
    with served() as (_, endings, _of):
        pass
    assert endings == [Ending.GONE]


def test_a_program_that_does_not_end_stands_at_its_limit() -> None:
    """As after a signal (SIGXCPU), to be looked at; then it is over."""
    with served(max_cycles=20_000) as (talk, endings, of):
        talk.say("vCont;c")
        assert talk.hear() == f"T18thread:{BUSY:x};core:0;"
        assert of.target.end() == (ExitReason.CYCLE_LIMIT, 0)
        assert (
            int.from_bytes(bytes.fromhex(talk.ask("p20")), "little")
            == (of.target.program.content.symbols["spin"])
        )
        talk.say("vCont;c")
        with pytest.raises(EOFError):  # the server has hung up
            talk.hear()
    assert endings == [Ending.EXITED]


def test_wrong_packets_are_refused() -> None:
    with served() as (talk, _, _of):
        for text in (
            "m",
            "mzz,4",
            "m0,4",
            "pff",
            "Z0,0",
            "Z0,40000000,2",
            "G00",
            "P20=0",
            "T7f",
            "Z2,0,4",
        ):
            assert talk.ask(text) == "E01", text
        for text in ("Z3,10000000,4", "qXfer:auxv:read::0,100", "vMustReplyEmpty", "!", "qTStatus"):
            assert talk.ask(text) == "", text
        assert talk.ask("Hg42") == "OK"  # no such thread: nothing is known of it


def test_a_step_of_a_waiting_task_ends_where_it_goes_on() -> None:
    with served() as (talk, _, of):
        symbols = of.target.program.content.symbols
        talk.ask(f"Z0,{symbols['spin']:x},2")
        talk.say("vCont;c")
        assert talk.hear().startswith(f"T05thread:{BUSY:x};core:0;swbreak")
        talk.ask(f"z0,{symbols['spin']:x},2")
        talk.say(f"vCont;s:{URGENT:x};c")
        assert talk.hear().startswith(f"T05thread:{URGENT:x};core:0;")
        assert symbols["urgent"] <= of.held.registers(0)[PC] < symbols["urgent"] + 64


def test_a_taken_port_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        port = other.getsockname()[1]
        with pytest.raises(DebugError) as error:
            Server(port)
    assert error.value.message == (
        f"port {port} cannot be listened on (Address already in use); name a free one with --port,"
        " or 0 for any."
    )
