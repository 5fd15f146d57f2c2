# SPDX-License-Identifier: Apache-2.0
"""The system on RTL, without a kernel: devices, bus, memory, and what the probes report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mel_gen import ExitReason, TraceKind

from melanion import config
from melanion.config import System
from melanion.run import RunError, RunResult
from melanion.trace import Events
from tests.common.bare import run


def of(result: RunResult, kind: TraceKind) -> Events:
    found: Events = result.events[result.events["kind"] == kind]
    return found


def small() -> System:
    sw = config.find("sw")
    return sw.model_copy(update={"core": sw.core.model_copy(update={"variant": "small"})})


CORES = {"main": lambda: config.find("sw"), "small": small}


def test_console_marker_and_exit_code(tmp_path: Path) -> None:
    text = """int main(void) { CONSOLE = 'h'; CONSOLE = 'i'; MARK(3) = 77; return 5; }"""
    result = run(tmp_path / "app", text, must_succeed=False)
    assert result.console == "hi"
    assert (result.reason, result.code) == (ExitReason.PROGRAM, 5)
    markers = of(result, TraceKind.MARKER)
    assert markers[["a", "b"]].tolist() == [(3, 77)]


@pytest.mark.parametrize("core", CORES)
def test_tracepoint_has_first_id_cycle_and_operands_before_the_instruction(
    tmp_path: Path, core: str
) -> None:
    # Four tracepoints around three one-cycle additions: their first ID cycles are 1 apart. The
    # operand of each is the register before its own instruction, though that instruction writes it.
    text = """
    #define P "1:\\n.pushsection .mel_tracepoints,\\"\\",@progbits\\n.balign 4\\n.word 1b\\n" \\
              ".word 20\\n" \\
              ".asciz \\"9 a5 0 0\\"\\n.popsection\\n"
    int main(void) {
        __asm__ volatile(".balign 16\\n li a5, 100\\n nop\\n nop\\n" P "addi a5,a5,1\\n"
                         P "addi a5,a5,1\\n" P "addi a5,a5,1\\n" P "nop" ::: "a5");
        return 0; }"""
    tracepoints = of(run(tmp_path / "app", text, CORES[core]()), TraceKind.TRACEPOINT)
    assert tracepoints["a"].tolist() == [9] * 4
    assert tracepoints["b"].tolist() == [100, 101, 102, 103]
    assert np.diff(tracepoints["cycle"].astype(int)).tolist() == [1, 1, 1]


@pytest.mark.parametrize("core", CORES)
def test_operand_from_a_load_that_was_in_flight(tmp_path: Path, core: str) -> None:
    text = """
    static volatile int value = 4321;
    int main(void) {
        int x;
        __asm__ volatile("lw %0, 0(%1)\\n1: add %0, %0, %0\\n"
            ".pushsection .mel_tracepoints,\\"\\",@progbits\\n.balign 4\\n.word 1b\\n.word 20\\n"
            ".asciz \\"1 %0 %1 0\\"\\n.popsection" : "=&r"(x) : "r"(&value));
        return x == 8642 ? 0 : 1; }"""
    result = run(tmp_path / "app", text, CORES[core](), wait_states=3)
    assert of(result, TraceKind.TRACEPOINT)["b"].tolist() == [4321]


def test_a_tracepoint_in_a_branch_not_taken_is_not_reported(tmp_path: Path) -> None:
    # The instruction after a taken branch is fetched and may be in ID, but never retires.
    text = """
    int main(void) {
        __asm__ volatile("li a5, 8\\n2: addi a5, a5, -1\\n bnez a5, 2b\\n j 3f\\n"
            "1: nop\\n nop\\n3:\\n"
            ".pushsection .mel_tracepoints,\\"\\",@progbits\\n.balign 4\\n.word 1b\\n.word 20\\n"
            ".asciz \\"1 0 0 0\\"\\n.popsection" ::: "a5");
        return 0; }"""
    assert len(of(run(tmp_path / "app", text), TraceKind.TRACEPOINT)) == 0


TIMER = """
static volatile int ticks;
__attribute__((interrupt)) void timer_irq(void) { REGISTER(MEL_TIMER_BASE + 8) = ~0u; ticks = 1; }
int main(void) {
    REGISTER(MEL_TIMER_BASE + 12) = 0;
    REGISTER(MEL_TIMER_BASE + 8) = REGISTER(MEL_TIMER_BASE) + 200;
    enable_interrupts(1 << 7);
    while (!ticks) { }
    __asm__ volatile("csrci mstatus, 8");
    for (volatile int i = 0; i < 10; i++) { }
    __asm__ volatile("csrsi mstatus, 8");
    return 0;
}"""


def test_timer_trap_return_and_irq_off(tmp_path: Path) -> None:
    result = run(tmp_path / "app", TIMER)
    traps, returns = of(result, TraceKind.TRAP), of(result, TraceKind.MRET)
    assert traps["a"].tolist() == [7 | 1 << 15]
    assert returns["b"].tolist() == traps["b"].tolist(), "returns to the interrupted pc"
    off = of(result, TraceKind.IRQ_OFF)
    assert len(off) == 3  # reset to enabling, the trap, the loop with MIE = 0
    in_trap = int(returns["cycle"][0] - traps["cycle"][0])
    assert int(off["b"][1]) == in_trap
    assert off["cycle"].astype(int).tolist()[1] == int(returns["cycle"][0]) + 1


def test_timer_compares_64_bits(tmp_path: Path) -> None:
    text = """int main(void) {
        REGISTER(MEL_TIMER_BASE + 8) = 0;         /* mtimecmp = 0xFFFFFFFF_00000000: far */
        for (volatile int i = 0; i < 10; i++) { }
        enable_interrupts(1 << 7);                /* would hang in the vector if it were pending */
        if (REGISTER(MEL_TIMER_BASE + 12) != ~0u) return 2;
        return REGISTER(MEL_TIMER_BASE + 4) == 0 ? 0 : 1; }"""
    assert len(of(run(tmp_path / "app", text), TraceKind.TRAP)) == 0


def test_controller_enable_claim_raise(tmp_path: Path) -> None:
    text = """
    #define PENDING REGISTER(MEL_INTC_BASE)
    #define ENABLE REGISTER(MEL_INTC_BASE + 4)
    #define CLAIM REGISTER(MEL_INTC_BASE + 8)
    #define RAISE REGISTER(MEL_INTC_BASE + 12)
    #define UPPER(name) (*(&(name) + 4))          /* the same for lines from 32 on */
    int main(void) {
        RAISE = 1 << 5;
        ENABLE = 0xF0;
        if (PENDING != 0) return 1;               /* an edge before it was enabled is forgotten */
        RAISE = 1 << 6 | 1 << 5 | 1 << 2;
        if (PENDING != 0x60) return 2;
        if (CLAIM != 5 || CLAIM != 6) return 3;
        if (CLAIM != 0xFFFFFFFF) return 4;
        RAISE = 1 << 7;
        ENABLE = 0x70;
        ENABLE = 0xF0;
        if (PENDING != 0) return 5;               /* disabling forgets what is pending */
        UPPER(RAISE) = 1 << 3;
        UPPER(ENABLE) = 0xFFFFFE06;               /* lines beyond the last one are not there */
        if (UPPER(ENABLE) != 6 || ENABLE != 0xF0) return 6;
        UPPER(RAISE) = 1 << 3 | 1 << 2 | 1 << 1;
        RAISE = 1 << 4;
        if (UPPER(PENDING) != 6 || PENDING != 0x10) return 7;
        if (CLAIM != 4 || CLAIM != 33) return 8;
        UPPER(ENABLE) = 2;
        return UPPER(PENDING) == 0 ? 0 : 9;
    }"""
    run(tmp_path / "app", text)


GENERATOR = """
static volatile uint32_t count;
__attribute__((interrupt)) void external_irq(void) {
    while (REGISTER(MEL_INTC_BASE + 8) != 0xFFFFFFFF) { count++; }
}
int main(void) {
    REGISTER(MEL_INTC_BASE + 4) = 1 << 4;
    enable_interrupts(1 << 11);
    REGISTER(MEL_IRQGEN_BASE + 0x40) = 50;
    while (count < 1) { }
    REGISTER(MEL_IRQGEN_BASE + 0x44) = 100;
    REGISTER(MEL_IRQGEN_BASE + 0x48) = 300;
    REGISTER(MEL_IRQGEN_BASE + 0x4C) = 40;
    while (REGISTER(MEL_IRQGEN_BASE + 0x4C)) { }
    for (volatile int i = 0; i < 20; i++) { }
    return count == 41 ? 0 : 1;
}"""


def test_interrupt_generator_is_random_by_seed_and_in_range(tmp_path: Path) -> None:
    first = run(tmp_path / "app", GENERATOR, seed=1)
    again = run(tmp_path / "app", GENERATOR, seed=1)
    other = run(tmp_path / "app", GENERATOR, seed=2)
    assert np.array_equal(first.events, again.events)
    assert not np.array_equal(first.events, other.events)
    wires = of(first, TraceKind.IRQ_WIRE)
    assert wires["a"].tolist() == [4] * 41
    gaps = np.diff(wires["cycle"].astype(int))[1:]
    assert gaps.min() >= 100
    assert gaps.max() <= 300
    assert len(set(gaps.tolist())) > 20


def test_wire_to_trap_takes_the_same_few_cycles(tmp_path: Path) -> None:
    result = run(tmp_path / "app", GENERATOR)
    wires, traps = of(result, TraceKind.IRQ_WIRE), of(result, TraceKind.TRAP)
    latency = traps["cycle"].astype(int) - wires["cycle"].astype(int)
    assert latency.min() >= 2
    assert latency.max() <= 8


@pytest.mark.parametrize("core", CORES)
def test_wait_states_slow_memory_and_change_no_result(tmp_path: Path, core: str) -> None:
    text = """
    static uint32_t data[64];
    int main(void) {
        uint8_t *bytes = (uint8_t *)data; uint16_t *halves = (uint16_t *)data;
        for (int i = 0; i < 64; i++) bytes[i * 4 + 1] = i, halves[i * 2 + 1] = 3 * i;
        uint32_t sum = 0;
        for (int i = 0; i < 64; i++) sum += data[i] ^ (sum << 1);
        MARK(0) = sum; return 0; }"""
    results = [run(tmp_path / "app", text, CORES[core](), wait_states=n) for n in (0, 1, 7)]
    assert len({int(of(r, TraceKind.MARKER)["b"][0]) for r in results}) == 1
    cycles = [r.cycles for r in results]
    assert cycles[0] < cycles[1] < cycles[2]
    assert len({r.instructions for r in results}) == 1


def test_unit_wait_states_delay_devices_only(tmp_path: Path) -> None:
    text = "int main(void) { for (int i = 0; i < 10; i++) CONSOLE = 'x'; return 0; }"
    fast, slow = (run(tmp_path / "app", text, unit_wait_states=n) for n in (0, 100))
    assert slow.cycles - fast.cycles == 11 * 100  # ten characters and the exit


@pytest.mark.parametrize(
    ("access", "words"),
    [
        ("REGISTER(0x30000000) = 1;", "a store to an address that nobody owns"),
        ("(void)REGISTER(0x10040000);", "a load from an address that nobody owns"),
        ("(void)REGISTER(0x20000100);", "a load from an address that nobody owns"),
        ("(void)REGISTER(0x2000F000);", "a load from an address that nobody owns"),
        ("(void)REGISTER(0x40000000);", "a load from an address that nobody owns"),
        ("(void)REGISTER(0xFFFFF800);", "a load from an address that nobody owns"),
        (
            "((void (*)(void))0x50000000)();",
            "an instruction fetch from an address that is no memory",
        ),
        ('__asm__ volatile(".insn 0");', "an illegal instruction"),
    ],
)
def test_faults_end_the_run_with_a_sentence(tmp_path: Path, access: str, words: str) -> None:
    with pytest.raises(RunError) as raised:
        run(tmp_path / "app", f"int main(void) {{ {access} return 0; }}")
    assert words in raised.value.message
    assert raised.value.exit_code == 1


STACKS = """
#define RECORD(name, task)                                                                \\
    __attribute__((used)) static void name##_record(void) {                               \\
        __asm__ volatile(".pushsection .mel_tracepoints,\\"\\",@progbits\\n.balign 4\\n"         \
                         ".word %0\\n.word 0x100\\n"                                      \\
                         ".asciz \\"256 %c1 0 0\\"\\n.popsection" ::"i"(name), "i"(task)); }
static uint32_t lower[64] __attribute__((aligned(16))), upper[64] __attribute__((aligned(16)));
RECORD(lower, 2) RECORD(upper, 3)
__attribute__((noinline)) int deep(int n) {
    volatile int waste[8]; waste[0] = n; return n == 0 ? 0 : deep(n - 1) + waste[0]; }
__attribute__((noinline)) int on(uint32_t *stack, int depth) {
    uint32_t *top = stack + 64; int result;
    __asm__ volatile("mv s1, sp\\n mv sp, %1\\n mv a0, %2\\n call deep\\n mv sp, s1\\n mv %0, a0"
        : "=r"(result) : "r"(top), "r"(depth)
        : "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra", "t0", "t1", "t2", "memory");
    return result; }
"""


def test_stack_overflow_names_the_task_even_into_a_neighbour_stack(tmp_path: Path) -> None:
    fits = STACKS + "int main(void) { return on(upper, 2) == 3 && on(lower, 2) == 3 ? 0 : 1; }"
    run(tmp_path / "app", fits)
    for stack, task in (("lower", 2), ("upper", 3)):
        with pytest.raises(RunError, match=rf"the stack of task {task} \({stack}, 256 bytes"):
            run(tmp_path / "app", f"{STACKS}int main(void) {{ return on({stack}, 9); }}")


def test_wave_file(tmp_path: Path) -> None:
    wave = tmp_path / "out.fst"
    result = run(tmp_path / "app", "int main(void) { return 0; }", wave=wave)
    plain = run(tmp_path / "app", "int main(void) { return 0; }")
    assert wave.stat().st_size > 1000
    assert np.array_equal(result.events, plain.events)


UNIT = """
#include <melanion/mel_spec.h>
#define UNIT(offset) REGISTER(MEL_UNIT_BASE + (offset))
static volatile uint32_t dispatched;
__attribute__((interrupt)) void software_irq(void) { dispatched = UNIT(MEL_REG_DISPATCH) + 1; }
int main(void) {
    if (UNIT(MEL_REG_IDENTITY) != MEL_IDENTITY) return 1;
    if (UNIT(MEL_REG_SPEC_HASH) != MEL_SPEC_HASH) return 2;
    if (UNIT(MEL_REG_PARAMETER_HASH) != MEL_PARAMETER_HASH) return 3;
    while (!UNIT(MEL_REG_READY)) { }
    UNIT(MEL_COMMAND_OFFSET(MEL_OP_TASK_CREATE, 7)) = 1;
    UNIT(MEL_COMMAND_OFFSET(MEL_OP_IRQ_MAP, 4)) = 7 << 8 | MEL_IRQ_ACTION_TASK_WAKEUP;
    UNIT(MEL_COMMAND_OFFSET(MEL_OP_IRQ_ENABLE, 4)) = 0;
    UNIT(MEL_COMMAND_OFFSET(MEL_OP_TASK_START, 7)) = 0;
    enable_interrupts(1 << 3);
    UNIT(MEL_COMMAND_OFFSET(MEL_OP_DISPATCH_ENABLE, 0)) = 0;
    for (volatile int i = 0; i < 20; i++) { }
    if (dispatched) return 4;         /* its due dispatch was told in the answer, so no interrupt */
    (void)UNIT(MEL_REG_DISPATCH);     /* task 7 runs; it sleeps, and idle runs */
    UNIT(MEL_COMMAND_OFFSET(MEL_OP_TASK_SLEEP, 0)) = 0xFFFFFFFF;
    (void)UNIT(MEL_REG_DISPATCH);
    REGISTER(MEL_IRQGEN_BASE + 0x40) = 30;
    while (!dispatched) { }           /* the edge wakes task 7 without this core */
    return dispatched == 8 ? 0 : 5;
}
"""


@pytest.mark.parametrize("waits", [0, 20])
def test_unit_on_the_bus_and_its_interrupt(tmp_path: Path, waits: int) -> None:
    result = run(tmp_path / "app", UNIT, config.find("hwrtos"), unit_wait_states=waits)
    wires = of(result, TraceKind.IRQ_WIRE)
    irqs = of(result, TraceKind.IRQ)
    assert wires["a"].tolist() == irqs["a"].tolist() == [4]
    traps = of(result, TraceKind.TRAP)
    assert traps["a"].tolist() == [3 | 1 << 15]
    assert traps["cycle"][0] > irqs["cycle"][0] > wires["cycle"][0]


def test_sub_word_access_to_the_unit_is_refused_not_performed(tmp_path: Path) -> None:
    text = """
    #include <melanion/mel_spec.h>
    #define UNIT(offset) REGISTER(MEL_UNIT_BASE + (offset))
    int main(void) {
        while (!UNIT(MEL_REG_READY)) { }
        *(volatile uint8_t *)(MEL_UNIT_BASE + MEL_COMMAND_OFFSET(MEL_OP_TASK_CREATE, 7)) = 1;
        return UNIT(MEL_REG_REFUSED) == 1 ? 0 : 1; }"""
    result = run(tmp_path / "app", text, config.find("hwrtos"))
    assert len(of(result, TraceKind.COMMAND)) == 0
