# SPDX-License-Identifier: Apache-2.0
"""Projects for FreeRTOS as they are: FreeRTOS's own files among theirs, sources that a list or a
compile_commands.json names, several FreeRTOSConfig.h, sources in C++, memory of one kind alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, config
from melanion.build import App, BuildError, freertos
from melanion.cli import run as run_command
from melanion.run import run_program
from tests.common.fetched import needs_cargo

CONFIG = "#define configTICK_RATE_HZ 1000\n#define configMAX_PRIORITIES 5\n"
MAIN = """#include "FreeRTOS.h"
#include "task.h"
#include "lib.h"
#include <melanion/console.h>
#include <melanion/kernel.h>
static void task(void *unused) { (void)unused; mel_print_unsigned(lib()); mel_exit(0); }
int main(void) { xTaskCreate(task, "task", 256, NULL, 1, NULL); vTaskStartScheduler(); }
"""
FREERTOS = pytest.param("freertos", marks=[needs_cargo, pytest.mark.soak])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A program in two folders beside each other, with a source that is for another board."""
    for name in ("mine/config/a", "mine/config/b", "lib", "stm32"):
        (tmp_path / name).mkdir(parents=True)
    for name, value in (("a", 1), ("b", 2)):
        settings = f"{CONFIG}#define SETTING {value}\n"
        (tmp_path / "mine" / "config" / name / "FreeRTOSConfig.h").write_text(settings)
    (tmp_path / "mine" / "main.c").write_text(MAIN)
    (tmp_path / "lib" / "lib.c").write_text(
        '#include "FreeRTOS.h"\n#include "lib.h"\n'
        "unsigned lib(void) { return 10 * SETTING + FACTOR; }\n"
    )
    (tmp_path / "lib" / "lib.h").write_text("unsigned lib(void);\n")
    (tmp_path / "lib" / "uart_stm32.c").write_text("#error another board\n")
    return tmp_path / "mine"


def listed(project: Path, text: str) -> App:
    (project / "sources.list").write_text(text)
    return build.freertos_application(project, project / "sources.list")


LIST = """# The program, with its second configuration.
main.c
../lib/*.c
!../lib/*_stm32.c
-Iconfig/b
-I../lib
-DFACTOR=5
"""


def refused(project: Path, text: str) -> str:
    with pytest.raises(BuildError) as caught:
        listed(project, text)
    assert caught.value.exit_code == 2
    return caught.value.message.replace(str(project), "PROJECT")


def printed(app: App, system: str = "sw") -> str:
    return run_program(config.find(system), app).console


# ---- a list --------------------------------------------------------------------------------------


def test_list_names_sources_outside_leaves_others_out_and_chooses_the_settings(
    project: Path,
) -> None:
    assert printed(listed(project, LIST)) == "25"
    assert printed(listed(project, LIST.replace("config/b", "config/a"))) == "15"


def test_a_changed_header_of_a_named_folder_is_compiled_anew(project: Path) -> None:
    (project.parent / "inc").mkdir()
    header = project.parent / "inc" / "factor.h"
    text = f"{LIST}-I../inc\n".replace("-DFACTOR=5\n", "")
    source = project.parent / "lib" / "lib.c"
    source.write_text(f'#include "factor.h"\n{source.read_text()}')
    for factor in (3, 4):
        header.write_text(f"#define FACTOR {factor}\n")
        assert printed(listed(project, text)) == f"2{factor}"


def test_command_line_takes_the_list(project: Path) -> None:
    (project / "sources.list").write_text(LIST)
    words = [str(project), "--freertos", "--sources", str(project / "sources.list"), "--console"]
    done = CliRunner().invoke(run_command.command, words, catch_exceptions=False)
    assert done.output == "25\n"
    with pytest.raises(BuildError, match=r"goes with --freertos alone: app.yaml names the sources"):
        CliRunner().invoke(run_command.command, ["hello", *words[2:4]], catch_exceptions=False)


def test_wrong_lines_are_told(project: Path) -> None:
    rest = "file; correct the pattern, which begins at the folder of the list."
    suffixes = ".c, .S, .cpp, .cc, .cxx"
    assert refused(project, "main.c\nfoo.c\n") == (
        f"PROJECT/sources.list:2: 'foo.c' names no {suffixes} {rest}"
    )
    assert refused(project, "main.c\n!lib.c\n") == (
        f"PROJECT/sources.list:2: '!lib.c' names no {suffixes} file of the lines before;"
        f" {rest.partition('; ')[2]}"
    )
    assert refused(project, "-Inone\n") == (
        "PROJECT/sources.list:1: '-Inone': there is no such folder; correct the name."
    )
    assert refused(project, "-DA=1\n-DA=2\n") == (
        "PROJECT/sources.list:2: '-DA=2': A is 1 and 2; a program has one value of a macro for all"
        " of its sources: leave one of them out."
    )
    assert refused(project, "none.json\n") == (
        "--sources PROJECT/none.json: it cannot be read (No such file or directory); name a list of"
        " sources or a compile_commands.json."
    )
    assert "'-O3' is no line of a list; allowed are a source or a" in refused(project, "-O3\n")
    with pytest.raises(BuildError, match="--sources none: it cannot be read"):
        build.freertos_application(project, Path("none"))


def test_several_settings_without_a_choice_are_told(project: Path) -> None:
    with pytest.raises(BuildError) as caught:
        build.freertos_application(project)
    assert caught.value.message == (
        f"{project}: FreeRTOSConfig.h is in several folders of it (config/a, config/b); name one"
        " of them with a line -IFOLDER in a list of sources (--sources LIST)."
    )
    shutil.rmtree(project / "config" / "a")
    app = build.freertos_application(project)
    assert app.folders[0] == project / "config" / "b"


# ---- compile_commands.json -----------------------------------------------------------------------


def commands(project: Path) -> list[dict[str, object]]:
    words = "cc -Iconfig/a -isystem ../lib -DFACTOR=7 -O2 -c"
    return [
        {"directory": str(project), "file": "main.c", "command": f"{words} main.c"},
        {
            "directory": str(project),
            "file": "../lib/lib.c",
            "arguments": [*words.split(), "../lib/lib.c"],
        },
    ]


def test_sources_folders_and_macros_come_from_compile_commands(project: Path) -> None:
    file = project / "compile_commands.json"
    file.write_text(json.dumps(commands(project)))
    assert printed(build.freertos_application(project, file)) == "17"
    other = {**commands(project)[0], "file": "../lib/uart_stm32.c"}
    file.write_text(json.dumps([*commands(project), other]))
    text = "compile_commands.json\n!../lib/uart_*\n"
    assert printed(listed(project, text)) == "17"


def test_wrong_compile_commands_are_told(project: Path) -> None:
    file = project / "compile_commands.json"

    def said(text: str) -> str:
        file.write_text(text)
        with pytest.raises(BuildError) as caught:
            build.freertos_application(project, file)
        return caught.value.message.replace(str(project), "PROJECT")

    expected = "each of its entries has directory, file, and command or arguments."
    for text in ("[", "{}x", '[{"file": "main.c"}]', "[3]", '{"a": 1}'):
        assert said(text).startswith("PROJECT/compile_commands.json: this is no compile_commands")
        assert said(text).endswith(expected)
    gone = {**commands(project)[0], "file": "gone.c"}
    assert said(json.dumps([gone])) == (
        "PROJECT/compile_commands.json: there is no PROJECT/gone.c; write the file anew, or"
        " correct it."
    )


# ---- FreeRTOS's own files ------------------------------------------------------------------------


@needs_cargo
@pytest.mark.parametrize("kernel", ["sw", "freertos"])
def test_files_of_freertos_in_the_project_are_left_out(kernel: str, project: Path) -> None:
    shutil.copytree(freertos.upstream().folder, project / "FreeRTOS-Kernel")
    shutil.copytree(project.parent / "lib", project / "lib")
    (project / "lib" / "uart_stm32.c").unlink()
    shutil.rmtree(project / "config" / "b")
    header = project / "config" / "a" / "FreeRTOSConfig.h"
    header.write_text(f"{header.read_text()}#define FACTOR 9\n")
    app = build.freertos_application(project)
    assert app.left_out >= 8
    assert printed(app, kernel) == "19"
    done = CliRunner().invoke(run_command.command, [str(project), "--freertos"])
    assert f"mine: {app.left_out} files of FreeRTOS itself are left out: the kernel" in done.output


# ---- C++ -----------------------------------------------------------------------------------------

CPP = """#include "FreeRTOS.h"
#include "event_groups.h"
#include "message_buffer.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"
#include "list.h"
#include "atomic.h"
extern "C" {
#include <melanion/console.h>
#include <melanion/kernel.h>
}
class Base {
public:
    virtual ~Base() {}
    virtual unsigned value() const = 0;
};
class Number : public Base {
public:
    explicit Number(unsigned number) : number_(number) {}
    unsigned value() const override { return number_; }
private:
    unsigned number_;
};
template <typename T> class Queue {
public:
    explicit Queue(UBaseType_t length) : handle_(xQueueCreate(length, sizeof(T))) {}
    void send(const T &item) { (void)xQueueSend(handle_, &item, portMAX_DELAY); }
    T receive() { T item; (void)xQueueReceive(handle_, &item, portMAX_DELAY); return item; }
private:
    QueueHandle_t handle_;
};
static Number first(42); // its constructor runs before main()
static Queue<unsigned> *queue;
static void send(void *) { queue->send(first.value()); vTaskDelete(nullptr); }
static void receive(void *)
{
    const size_t before = xPortGetFreeHeapSize();
    Base *second = new Number(queue->receive() + 1);
    mel_print_unsigned(second->value());
    delete second;
    mel_print(xPortGetFreeHeapSize() == before ? "" : " memory was lost");
    mel_exit(0);
}
int main()
{
    queue = new Queue<unsigned>(2);
    xTaskCreate(send, "send", 256, nullptr, 1, nullptr);
    xTaskCreate(receive, "receive", 256, nullptr, 2, nullptr);
    vTaskStartScheduler();
}
"""


@pytest.mark.parametrize(
    "kernel", ["hwrtos", FREERTOS, pytest.param("banked", marks=pytest.mark.soak)]
)
def test_sources_in_cpp(kernel: str, tmp_path: Path) -> None:
    (tmp_path / "FreeRTOSConfig.h").write_text(CONFIG)
    (tmp_path / "main.cpp").write_text(CPP)
    assert printed(build.freertos_application(tmp_path), kernel) == "43"


def test_what_cpp_may_not_do_is_told(tmp_path: Path) -> None:
    (tmp_path / "FreeRTOSConfig.h").write_text(CONFIG)
    (tmp_path / "main.cpp").write_text("int main() { throw 1; }\n")
    with pytest.raises(BuildError, match=r"main.cpp:1: .* exception handling disabled"):
        build.program(config.find("sw"), build.freertos_application(tmp_path))


# ---- memory of one kind --------------------------------------------------------------------------

STATIC = """#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include <melanion/console.h>
#include <melanion/kernel.h>
static StackType_t stack[256];
static StaticTask_t memory;
static StaticQueue_t queue;
static StaticSemaphore_t mutex;
static uint8_t storage[4];
static void task(void *unused)
{
    (void)unused;
    uint32_t item = 7;
    QueueHandle_t q = xQueueCreateStatic(1, 4, storage, &queue);
    SemaphoreHandle_t m = xSemaphoreCreateMutexStatic(&mutex);
    mel_print_unsigned(xSemaphoreTake(m, 0) && xQueueSend(q, &item, 0) && xSemaphoreGive(m));
    mel_exit(0);
}
int main(void)
{
    xTaskCreateStatic(task, "task", 256, NULL, 1, stack, &memory);
    vTaskStartScheduler();
}
"""


@pytest.mark.parametrize("kernel", ["sw", FREERTOS])
def test_a_program_without_a_heap(kernel: str, tmp_path: Path) -> None:
    (tmp_path / "FreeRTOSConfig.h").write_text(
        f"{CONFIG}#define configSUPPORT_STATIC_ALLOCATION 1\n"
        "#define configSUPPORT_DYNAMIC_ALLOCATION 0\n"
    )
    (tmp_path / "main.c").write_text(STATIC)
    assert printed(build.freertos_application(tmp_path), kernel) == "1"
