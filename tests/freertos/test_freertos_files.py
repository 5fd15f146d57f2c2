# SPDX-License-Identifier: Apache-2.0
"""Files of a project for FreeRTOS: which folder and which list names what, which standard sources
have, and what is said about files that do not fit together."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, config, export
from melanion.build import App, BuildError
from melanion.cli import run as run_command
from melanion.run import RunError, run_program

CONFIG = "#define configTICK_RATE_HZ 1000\n#define configMAX_PRIORITIES 5\n"
PRINT = """#include "FreeRTOS.h"
#include "task.h"
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
unsigned other(void);
#ifdef __cplusplus
}
#endif
static void task(void *unused) { (void)unused; printf("%u\\n", VALUE); exit(0); }
int main(void) { xTaskCreate(task, "task", 512, NULL, 1, NULL); vTaskStartScheduler(); return 0; }
"""
BANNER = "/*\n * FreeRTOS Kernel V10.4.3\n */\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "FreeRTOSConfig.h").write_text(CONFIG)
    write(folder / "main.c", PRINT.replace("VALUE", "other()"))
    write(folder / "other.c", "unsigned other(void) { return 1; }\n")
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def listed(project: Path, text: str) -> App:
    (project / "sources.list").write_text(text)
    return build.freertos_application(project, project / "sources.list")


def commands(project: Path, **options: str) -> App:
    """An entry for each source: its name without the ending, and its options."""
    rows = [
        {"directory": str(project), "file": f"{name}.c", "command": f"cc {words} -c {name}.c"}
        for name, words in options.items()
    ]
    (project / "compile_commands.json").write_text(json.dumps(rows))
    return build.freertos_application(project, project / "compile_commands.json")


def printed(app: App, system: str = "sw") -> str:
    return run_program(config.find(system), app).console.strip()


def said(app: App) -> str:
    with pytest.raises(BuildError) as caught:
        build.program(config.find("sw"), app)
    return caught.value.message.partition(" (whole output")[0]


# ---- a folder ------------------------------------------------------------------------------------


def test_a_header_above_the_folder_is_built_anew(project: Path) -> None:
    """As a copy of FreeRTOS's demos has them: `../common/board.h`, which includes another."""
    write(
        project / "other.c", '#include "../common/board.h"\nunsigned other(void) { return GIVEN; }'
    )
    write(project.parent / "common" / "board.h", '#include "given.h"\n')
    for value in (4, 5):
        write(project.parent / "common" / "given.h", f"#define GIVEN {value}u\n")
        assert printed(build.freertos_application(project)) == str(value)


def test_names_of_a_folder_that_count(project: Path) -> None:
    write(project / "build" / "CMakeFiles" / "3.25" / "CMakeCCompilerId.c", "int main(void) {}\n")
    write(project / ".history" / "main.c", "int main(void) {}\n")
    write(project / "src" / "driver" / "uart.hpp", "")
    write(project / "include" / "pins.hh", "")
    app = build.freertos_application(project)
    assert [path.name for path in app.sources] == ["main.c", "other.c"]
    assert app.folders == tuple(project / name for name in ("include", "src/driver", "src"))


def test_an_export_below_the_folder_is_no_part_of_the_program(project: Path) -> None:
    """The studio writes exports below the folder whose program it builds."""
    export.write(config.find("sw"), project / "build" / "system")
    app = build.freertos_application(project)
    assert [path.name for path in app.sources] == ["main.c", "other.c"]
    assert app.folders == ()


def test_headers_of_cpp_are_found_and_compiled_anew(project: Path) -> None:
    (project / "other.c").unlink()
    main = f'#include "driver/uart.hpp"\n#include "pins.hh"\n{PRINT.replace("VALUE", "A + B")}'
    (project / "main.c").rename(project / "main.cpp")
    (project / "main.cpp").write_text(main)
    write(project / "src" / "driver" / "uart.hpp", "enum { A = 4 };\n")
    for pin in (2, 3):
        write(project / "include" / "pins.hh", f"constexpr unsigned B = {pin};\n")
        assert printed(build.freertos_application(project)) == f"{4 + pin}"


def test_extensions_of_gnu_are_known_and_a_program_may_end_itself(project: Path) -> None:
    (project / "other.c").write_text(
        "#include <string.h>\n#include <stdlib.h>\n"
        "unsigned other(void) {\n    typeof(1u) x = 3;\n    asm volatile(\"\" : \"+r\"(x));\n"
        "    char *copy = strdup(\"ab\");\n    x += strlen(copy);\n    free(copy);\n"
        "    if (x != 5)\n        abort();\n    return x;\n}\n"
    )  # fmt: skip
    assert printed(build.freertos_application(project)) == "5"
    assert "other.c:4: mine does not compile" in said(listed(project, "*.c\n-std=c11\n"))


def test_abort_ends_the_run_with_the_code_of_its_signal(project: Path) -> None:
    text = "#include <assert.h>\nunsigned other(void) { assert(1 == 2); return 0; }\n"
    (project / "other.c").write_text(text)
    with pytest.raises(RunError, match="exit code 134"):
        printed(build.freertos_application(project))
    own = "#include <melanion/kernel.h>\nvoid _exit(int code) { mel_exit(code + 1); }\n"
    (project / "other.c").write_text(own + "unsigned other(void) { return 0; }\n")
    with pytest.raises(RunError, match=r"exit code 1\b"):
        printed(build.freertos_application(project))


@pytest.mark.parametrize("old", ["FreeRTOS V9.0.0 - Copyright", "FreeRTOS Kernel V10.4.3"])
def test_files_of_any_version_of_freertos_are_left_out(old: str, project: Path) -> None:
    banner = f"/*\n * {old}\n */\n"
    for name in ("tasks.c", "include/FreeRTOS.h", "portable/x/port.c", "portable/x/secure.c"):
        write(project / "kernel" / name, f"{banner}#error not this one\n")
    write(project / "other.c", f"{banner}unsigned other(void) {{ return 2; }}\n")  # of a demo
    app = build.freertos_application(project)
    assert [path.name for path in app.sources] == ["main.c", "other.c"]
    assert app.left_out == 3
    assert printed(app) == "2"


def test_heap_that_is_another_one_here_is_told(project: Path) -> None:
    write(project / "heap" / "heap_3.c", BANNER)
    done = CliRunner().invoke(run_command.command, [str(project), "--freertos"])
    assert done.output.splitlines()[:2] == [
        "mine: 1 file of FreeRTOS itself is left out: the kernel brings it",
        "mine: heap_3.c is one of them: every kernel allocates as heap_4.c does, from"
        " configTOTAL_HEAP_SIZE bytes",
    ]
    (project / "heap" / "heap_3.c").rename(project / "heap" / "heap_4.c")
    assert build.freertos_application(project).notes == ()


def test_freertos_beside_the_program_is_refused(project: Path) -> None:
    write(project / "FreeRTOS.h", BANNER)

    def refusal() -> str:
        with pytest.raises(BuildError) as caught:
            build.freertos_application(project)
        assert caught.value.exit_code == 2
        return caught.value.message.replace(str(project), "PROJECT")

    assert refusal() == (
        "PROJECT/FreeRTOS.h: it is FreeRTOS's own and would hide that of the kernel, because"
        " FreeRTOSConfig.h of the program is beside it; move the program's files, or those of"
        " FreeRTOS, to another folder."
    )
    write(project / "config" / "FreeRTOSConfig.h", CONFIG)
    (project / "FreeRTOSConfig.h").unlink()
    assert "because main.c of the program is beside it" in refusal()
    (project / "FreeRTOS.h").write_text("/* the program's own */\n")
    assert build.freertos_application(project).folders[0] == project / "config"


def test_settings_of_freertos_itself_are_no_choice(project: Path) -> None:
    write(project / "kernel" / "tasks.c", BANNER)
    write(project / "kernel" / "template" / "FreeRTOSConfig.h", "#error not this one\n")
    shutil.move(project / "FreeRTOSConfig.h", project / "kernel" / "FreeRTOSConfig.h")
    with pytest.raises(BuildError, match=r"several folders of it \(kernel, kernel/template\)"):
        build.freertos_application(project)
    write(project / "config" / "FreeRTOSConfig.h", CONFIG)
    assert build.freertos_application(project).folders[0] == project / "config"


# ---- a list --------------------------------------------------------------------------------------


def test_list_without_sources_stands_for_the_folder(project: Path) -> None:
    write(project / "boards" / "other_board.c", "#error another board\n")
    write(project / "value.h", "#define ONE 6 # no comment of the list\n")
    (project / "other.c").write_text(
        '#include "value.h"\nunsigned other(void) { return SIZE("#"); }\n'
    )
    text = "# only what differs\n!boards # all of it\n-DSIZE(x)=(sizeof(x)+3)\n-std=gnu11\n"
    assert printed(listed(project, text)) == "5"
    assert [path.name for path in listed(project, text).sources] == ["main.c", "other.c"]


def test_folder_in_a_list_is_all_in_it(project: Path) -> None:
    write(project / "lib" / "deep" / "more.c", "")
    app = listed(project, "main.c\nlib\n")
    assert [path.name for path in app.sources] == ["main.c", "more.c"]


def test_standards_are_checked(project: Path) -> None:
    for word in ("-std=c99", "-std=gnu23", "-std=iso9899:2011", "-std=c90", "-std=gnu++20"):
        assert printed(listed(project, f"*.c\n{word}\n")) == "1"
    with pytest.raises(BuildError) as caught:
        listed(project, "*.c\n-std=c77\n")
    assert caught.value.message.replace(str(project), "PROJECT") == (
        "PROJECT/sources.list:2: '-std=c77': '-std=c77' is no standard that the compiler knows;"
        " allowed are c99, c11, c17, c2x, c++11, c++14, c++17, c++20, c++23, each also as gnu…;"
        " correct it, or leave it out."
    )


def test_name_of_a_macro_is_checked(project: Path) -> None:
    with pytest.raises(BuildError) as caught:
        listed(project, "-D=3\n")
    assert caught.value.message.replace(str(project), "PROJECT") == (
        "PROJECT/sources.list:1: '-D=3': '' is no name of a macro; write letters, digits and _,"
        " such as -DBAUD=115200."
    )


def test_list_that_is_no_text_is_told(project: Path) -> None:
    (project / "sources.list").write_bytes(b"\xff\xfe")
    with pytest.raises(
        BuildError, match=r"sources.list: it cannot be read \(it is no text\); name"
    ):
        build.freertos_application(project, project / "sources.list")


# ---- compile_commands.json -----------------------------------------------------------------------

OTHER = "unsigned other(void) { return VALUE; }\n"


def test_options_of_one_source_are_its_own(project: Path) -> None:
    """A macro with two values, a header that is included first, a standard, and a file of words."""
    (project / "other.c").write_text(OTHER)
    write(project / "first.h", "#define MORE 30\n")
    write(project / "words", "-std=gnu11 -DLEFT -ULEFT\n")
    app = commands(
        project,
        main="-mcpu=cortex-m4 -Os -DVALUE=other() -DALL=1 -std=c99",
        other="-DVALUE=MORE+NAME -DNAME=4 -include first.h -MMD -MF x.d @words",
    )
    assert app.defines == {"ALL": "1", "NAME": "4"}
    assert printed(app) == "34"
    flags = app.options[(project / "other.c").resolve()]
    assert flags == (
        "-std=gnu17",
        "-DVALUE=MORE+NAME",
        "-include",
        str(project / "first.h"),
        "-std=gnu11",
    )


def test_macro_of_the_command_line_comes_before_those_of_sources(project: Path) -> None:
    (project / "other.c").write_text(OTHER)
    app = commands(project, main="-DVALUE=other() -DX=1", other="-DVALUE=3 -DX=2")
    settings = {"VALUE": "9"}
    program = build.program(config.find("sw"), app, defines=settings)
    assert program.key != build.program(config.find("sw"), app).key
    (project / "main.c").write_text(PRINT.replace("VALUE", "other()"))
    app = commands(project, main="-DX=1", other="-DVALUE=3 -DX=2")
    (project / "sources.list").write_text("compile_commands.json\n-DVALUE=8\n")
    assert printed(build.freertos_application(project, project / "sources.list")) == "8"
    assert printed(app) == "3"


def test_macros_of_sources_that_are_left_out_do_not_count(project: Path) -> None:
    (project / "other.c").write_text(OTHER)
    write(project / "host.c", "#error host\n")
    commands(project, main="-DX=1", other="-DVALUE=3", host="-DVALUE=4")
    assert listed(project, "compile_commands.json\n!host.c\n").defines == {"X": "1", "VALUE": "3"}


def test_what_does_not_count_of_compile_commands_is_told(project: Path) -> None:
    for name in ("stdio.h", "stdlib.h", "string.h"):
        write(project / "libc" / name, "#error another library\n")
    rows = [
        {"directory": str(project), "file": name, "arguments": ["cc", "-Ilibc", option]}
        for name, option in (("main.c", "-DA"), ("other.c", "-DB"), ("other.c", "-DC"))
    ]
    (project / "x.json").write_text(json.dumps(rows))
    app = build.freertos_application(project, project / "x.json")
    assert app.notes == (
        "other.c has several entries of a compile_commands.json with different options: the first"
        " counts",
        f"{project}/libc is left out: it holds the headers of another C library",
    )
    assert (app.defines, printed(app)) == ({"A": "1", "B": "1"}, "1")


def test_file_of_words_that_is_missing_is_told(project: Path) -> None:
    with pytest.raises(BuildError) as caught:
        commands(project, main="@none", other="")
    assert caught.value.message.replace(str(project), "PROJECT") == (
        "PROJECT/compile_commands.json: @none cannot be read (No such file or directory); build"
        " the project once, so that it exists, or write the file anew."
    )
    write(project / "again", "@again\n")
    with pytest.raises(BuildError, match=r"@again names itself; correct it\.$"):
        commands(project, main="@again", other="")


# ---- sources that do not fit together ------------------------------------------------------------


def test_name_that_is_defined_twice_is_told(project: Path) -> None:
    write(project / "test" / "main.c", "int main(void) { return 0; }\n")
    app = build.freertos_application(project)
    assert said(app) == (
        "mine does not link: main is defined in main.c and in test/main.c; leave one out with a"
        " line !PATTERN in a list of sources (--sources LIST)"
    )
    assert printed(listed(project, "!test\n")) == "1"


def test_atomic_operations_of_the_compiler_are_told(project: Path) -> None:
    text = "static unsigned n;\nunsigned other(void) { return __atomic_add_fetch(&n, 1, 5); }\n"
    (project / "other.c").write_text(text)
    assert said(build.freertos_application(project)) == (
        "mine does not link: __atomic_fetch_add_4 is called, and the core has no atomic"
        " instructions; use the functions of FreeRTOS's atomic.h, or leave them out"
    )


CALLS = {
    'char s[] = "7 b"; return *strtok(s, " ") - 48;': ("strtok", "strtok_r"),
    "srand(1); return rand() ? 7 : 0;": ("rand, srand or random", "rand_r"),
}


@pytest.mark.parametrize("call", CALLS)
def test_functions_with_state_of_a_task_need_one_core(call: str, project: Path) -> None:
    name, instead = CALLS[call]
    head = "#include <stdlib.h>\n#include <string.h>\nunsigned other(void) {"
    (project / "other.c").write_text(f"{head} {call} }}\n")
    app = build.freertos_application(project)
    assert printed(app) == "7"
    with pytest.raises(BuildError) as caught:
        build.program(config.find("sw-2"), app)
    assert caught.value.message == (
        f"mine calls {name}, whose state the C library keeps for each task apart, and tasks of"
        f" several cores (sw-2) have no memory for that; use {instead}, or a function of your own."
    )
    right = 'unsigned s = 1; (void)rand_r(&s); return strtol("3", NULL, 10);'
    (project / "other.c").write_text(f"{head} {right} }}\n")
    assert printed(build.freertos_application(project)) == "3"


def test_own_heap_is_told(project: Path) -> None:
    write(
        project / "memory.c",
        "#include <stdlib.h>\nvoid *pvPortMalloc(size_t n) { return malloc(n); }\n"
        "void vPortFree(void *p) { free(p); }\n",
    )
    assert said(build.freertos_application(project)) == (
        "mine does not link: pvPortMalloc is defined in memory.c, and the kernel brings it: every"
        " kernel allocates as heap_4.c does; leave it out with a line !PATTERN in a list of"
        " sources (--sources LIST)"
    )


def test_name_that_is_nowhere_defined_is_told(project: Path) -> None:
    (project / "other.c").unlink()
    end = "other is called and nowhere defined; add the source that defines it to"
    folder = build.freertos_application(project)
    assert said(folder).endswith(f": mine does not link: {end} {project}, or correct the name")
    assert said(folder).startswith("main.c:")
    named = listed(project, "main.c\n")
    assert said(named).endswith(
        f": mine does not link: {end} {project}/sources.list, or correct the name"
    )


def test_header_that_is_nowhere_is_told(project: Path) -> None:
    write(project / "other.c", '#include "far.h"\n')
    assert said(build.freertos_application(project)).endswith(
        "other.c:1: mine does not compile: far.h: No such file or directory; name its folder with a"
        " line -IFOLDER in a list of sources (--sources LIST)"
    )
    (project / "other.c").rename(project / "other.cpp")
    write(project / "other.cpp", "#include <vector>\n")
    assert said(build.freertos_application(project)).endswith(
        "other.cpp:1: mine does not compile: vector: No such file or directory; there is no C++"
        " library: include a header of C, or leave it out"
    )
