# SPDX-License-Identifier: Apache-2.0
"""Applications: app.yaml, compiling and linking, tracepoints; the text of every refusal."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import App, BuildError, Program
from tests.common.bare import app, no_kernel


def program(application: App) -> Program:
    with no_kernel():
        return build.program(config.find("sw"), application)


def refusal(application: App) -> str:
    with pytest.raises(BuildError) as raised:
        program(application)
    assert raised.value.exit_code == 1
    return raised.value.message


def test_equal_programs_in_two_places_are_built_once(tmp_path: Path) -> None:
    text = "int main(void) { return 0; }"
    one, two = (program(app(tmp_path / name, text)) for name in ("one", "two"))
    assert one.folder == two.folder
    assert program(app(tmp_path / "one", text + " ")).folder != one.folder


def test_a_changed_header_is_seen(tmp_path: Path) -> None:
    first = app(tmp_path / "app", '#include "n.h"\nint main(void) { return N; }')
    (first.folder / "n.h").write_text("#define N 1\n")
    one = program(first)
    (first.folder / "n.h").write_text("#define N 2\n")
    assert program(first).image.read_bytes() != one.image.read_bytes()


def test_defines(tmp_path: Path) -> None:
    made = app(tmp_path / "app", '_Static_assert(COUNT == 3, ""); int main(void) { return 0; }')
    (made.folder / "app.yaml").write_text("name: bare\ndefines: {COUNT: 3}\n")
    program(build.application(made.folder))


def test_image_begins_with_the_vectors_and_reset_code(tmp_path: Path) -> None:
    made = program(app(tmp_path / "app", "int main(void) { return 0; }"))
    words = struct.unpack_from("<33I", made.image.read_bytes())
    assert all(word & 0x7F == 0x6F for word in words[:32]), "32 jumps"
    assert words[32] & 0x7F == 0x17, "auipc: reset code at 0x80"


def test_tracepoints_and_stacks_are_read_from_the_elf_file(tmp_path: Path) -> None:
    text = """
    volatile int object;
    int main(void) {
        __asm__ volatile("1: nop\\n.pushsection .mel_tracepoints,\\"\\",@progbits\\n"
            ".balign 4\\n.word 1b\\n.word 20\\n.asciz \\"7 a0 -1 0x10\\"\\n"
            ".balign 4\\n.word 1b\\n.word 3\\n.asciz \\"x31 sp object+4 fp\\"\\n.popsection");
        return object; }"""
    content = program(app(tmp_path / "app", text)).content
    lines = content.tracepoints.splitlines()
    assert lines[0].split()[1:] == ["20", "i7", "r10", "i4294967295", "i16"]
    words = lines[1].split()
    assert (words[1], words[2], words[3], words[5]) == ("3", "r31", "r2", "r8")
    assert int(words[4][1:]) > 0x1000_0000
    assert [(s.size, s.number, s.symbol, s.owner) for s in content.stacks] == [
        (1024, 0xFFFF, "boot_stack", "boot and idle code")
    ]


def test_a_tracepoint_with_a_bad_operand(tmp_path: Path) -> None:
    text = """int main(void) {
        __asm__ volatile("1: nop\\n.pushsection .mel_tracepoints,\\"\\",@progbits\\n"
        ".balign 4\\n.word 1b\\n.word 20\\n.asciz \\"7 a9 0 0\\"\\n.popsection"); return 0; }"""
    assert refusal(app(tmp_path / "app", text)) == (
        ".mel_tracepoints: the record '7 a9 0 0' has the operand 'a9', no register or number;"
        " correct the MEL_TRACEPOINT that made it."
    )


def test_an_app_that_does_not_compile(tmp_path: Path) -> None:
    message = refusal(app(tmp_path / "app", "int main(void) {\n  return lenght;\n}"))
    assert message.startswith(
        f"{tmp_path}/app/main.c:3: bare does not compile: 'lenght' undeclared (first use in this"
        " function); correct it (whole output: "
    )
    log = Path(message.rpartition("output: ")[2].removesuffix(")."))
    assert "lenght" in log.read_text()


def test_an_error_in_the_text_of_a_macro_is_told_where_the_program_uses_it(tmp_path: Path) -> None:
    """gcc names the line of the header; what lacks is before the macro."""
    header = "#define INNER(x) (void)(x)\n#define MARK(x) INNER(x)\n"
    made = app(tmp_path / "app", '#include "mark.h"\nint main(void) {\n  int n = 1\n  MARK(n);\n}')
    (made.folder / "mark.h").write_text(header)
    message = refusal(made)
    assert message.startswith(f"{tmp_path}/app/main.c:5: bare does not compile: expected ")
    told = f" in the macro MARK ({tmp_path}/app/mark.h:1); correct it, or what stands before it ("
    assert told in message


def test_an_app_that_does_not_link(tmp_path: Path) -> None:
    message = refusal(
        app(tmp_path / "app", "int nowhere(void); int main(void) { return nowhere(); }")
    )
    assert (
        "bare does not link: nowhere is called and nowhere defined; add the source that defines it"
        " to app.yaml, or correct the name"
    ) in message


def test_a_call_that_nobody_declared(tmp_path: Path) -> None:
    text = "#include <melanion/melanion.h>\nint main(void) { return mel_queue_sned(0, 1, 2); }"
    assert (
        ": bare does not compile: implicit declaration of function 'mel_queue_sned'; did you mean"
        " 'mel_queue_send'?"
    ) in refusal(app(tmp_path / "app", text))


def test_an_interface_in_other_letters(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text("name: a\ncompat: FreeRTOS\n")
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(BuildError) as caught:
        build.application(tmp_path)
    assert caught.value.message == (
        f"{tmp_path}/app.yaml:2: compat is 'FreeRTOS'; allowed are freertos, itron; did you mean"
        " freertos."
    )


def test_an_app_that_is_too_large(tmp_path: Path) -> None:
    text = "volatile char big[300 * 1024]; int main(void) { return big[2]; }"
    message = refusal(app(tmp_path / "app", text))
    assert "bytes too large for the 256 KiB of sw; raise memory.kib of the configuration" in message


def test_a_missing_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = app(tmp_path / "app", "int main(void) { return 0; }")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("melanion.build.linkage.versions", lambda: {"gcc": "none"})
    assert "riscv64-unknown-elf-gcc was not found on PATH" in refusal(made)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "name: a\nstacks: 3\n",
            "app.yaml:2: stacks is an unknown key; known here are name, title,"
            " sources, defines, compat, crate, max_cycles; remove it.",
        ),
        (
            "title: x\n",
            "app.yaml:1: name is missing; add it: lower-case words joined by underscores,"
            " such as task_create.",
        ),
        ("name: a\nsources: [nix.c]\n", "app.yaml:2: sources[0] is 'nix.c'; no .c or .S file of"),
        (
            "name: a\nmax_cycles: 0\n",
            "app.yaml:2: max_cycles is 0; allowed is a whole number, at least 1;"
            " correct the value.",
        ),
        (
            "name: a\ndefines: {x: 1}\n",
            "is not a name that is allowed here (a macro name such as TASK_COUNT); rename it.",
        ),
    ],
)
def test_app_yaml_refusals(tmp_path: Path, text: str, sentence: str) -> None:
    made = app(tmp_path / "app", "int main(void) { return 0; }")
    (made.folder / "app.yaml").write_text(text)
    with pytest.raises(BuildError) as raised:
        build.application(made.folder)
    assert sentence in raised.value.message
    assert raised.value.exit_code == 2


def test_folders_that_are_no_app(tmp_path: Path) -> None:
    with pytest.raises(
        BuildError, match=r"this folder holds no app.yaml; make one with `melanion new"
    ):
        build.application(tmp_path)
    with pytest.raises(
        BuildError, match=r"'nix' is neither a folder with app.yaml nor a program of Melanion"
    ):
        build.application("nix")
    with pytest.raises(BuildError, match=r"; did you mean pingpong, or make it with `melanion new"):
        build.application("pingpng")


def test_the_kernel_rule_finds_files_for_every_kernel() -> None:
    from melanion.build import library

    for name in ("sw", "hwrtos"):
        system = config.find(name)
        found = [str(path) for path in library.sources(system)]
        assert len(found) == len(set(found))
        assert any("arch/riscv" in path for path in found)
        assert any("kernel/software/" in path for path in found) == (not system.unit)


def test_the_kernel_is_compiled_once_for_all_programs_of_a_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    texts = ("int main(void) { return 0; }", "int main(void) { return 1; }")
    folders = [
        build.program(config.find(name), app(tmp_path / str(i), texts[i])).folder
        for name in ("sw", "sw-2")
        for i in (0, 1)
    ]
    assert len(set(folders)) == 4
    kernels = list((tmp_path / "cache" / "kernel").iterdir())
    assert len(kernels) == 2, "one for each system"
    for folder in folders:
        files = [path for path in folder.iterdir() if path.name.startswith("kernel_")]
        assert files and any(
            all(path.samefile(kernel / path.name) for path in files)
            for kernel in kernels
            if (kernel / files[0].name).is_file()
        )
