# SPDX-License-Identifier: Apache-2.0
"""The assembler of the microprogram `hw/micro/*.mu` (docs/decisions/0034).

One microword per line: effects, separated by `;`, which happen together; `pass` has none. Fields of
a word and their values: `word.yaml`. Names of registers, pages, devices …: `machine.yaml`. Numbers
are decimal or 0x. Constants: numbers, `constants`, `bits` in capitals (SUSPENDED is 1 << 29), and
statuses, which stand in every byte; in parentheses with `+ - | & ^ &~ << ~`: `M | (WAIT + 3)`.

Sections
    with FEATURE:           what follows, up to `end with`, is only for units that have this
                            (`flag_lanes`); `without FEATURE:` for the others
Places
    name:                   a label, on a line of its own or before a word
    table name:             the label of 8 words for `case`, aligned
    at 0x100:               an address; it runs on from there, but not into another's words
    at idle:                an entry of machine.yaml
    at command NAME:        also `load NAME` and `store NAME` of a register, `job NAME`
Words that are not behind `at` are put where there is room, with the labels that they run on into.
A branch that is taken annuls the word behind it: only its read and its test happen. It may be
written without a label, also behind a branch that is always taken. `after next`: it executes.

Data: one expression a word; its result goes to any number of targets
    x, page[object], level = M &~ DUE
    targets                 registers, PAGE[INDEX], level (bits 7:0 and 10:8 of the result)
    A, B, A OP B            OP: + - & &~ | ^
    A.BYTES OP B            only these bytes (0 … 3) change; with `is` they become those of B
    A                       register, M, argument, device.NAME
    B                       register, constant, size.NAME (of the unit), object, subject (the
                            number in every byte)
    A + B carry 16          the carry for the next word is that of bit 16
    = A                     a result only: for `test`, `note`, `done result`, a device
    INDEX                   subject, object, caller, register, number, name of `indexes`, N of core
Other effects
    read PAGE[INDEX]        M from the word after next on; INDEX M: its low byte
    M@PAGE                  what M holds here, where the assembler cannot tell; `any`: whatever
    subject <- object       also running, top, due, found, best, matched, A
    object <- M             number and kind; also top, A
    test NAME               the `flag` of the next word; also M.BIT, result.BIT, device.NAME
    waits.tail(KEY, LEVEL, NODE)
                            also head, remove, walk, and look(KEY). KEY: object, held, messages;
                            LEVEL: M, loaded, running, before; NODE: subject, object, register
    ready.tail(LEVEL)       also head, remove; due.…; suffix `unless held`, or `or due.remove`: when
                            M says that the task is held, it leaves the due list if it is there
    note FLAG …             a change of the subject, for the dispatchers (`note_flags`)
    done E_OK, done result  the command ends with an event, and so does the step. `silently`: no
                            event; `, go on`: the step does not end
    report NAME             an event
    device NAME(NUMBER)     also job.start(NAME), job.end(NAME)
    objects only            a unit without objects never comes here (lean.py)
    FIELD, FIELD VALUE      a field of word.yaml that has no effect of its own
Branches
    if flag: …              the effects happen only then; also `not flag`, `carry`, `not carry`
    goto LABEL, if flag goto LABEL, case M.wait at LABEL, end, idle
"""

from melanion.micro.errors import MicroError
from melanion.micro.program import Program, assemble, assemble_lanes, assemble_lean

__all__ = ["MicroError", "Program", "assemble", "assemble_lanes", "assemble_lean"]
