# SPDX-License-Identifier: Apache-2.0
"""Requests to the studio's server: those that it refuses, files that it opens, sentences about
systems. No program is built or run for a request of this file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion.cli.studio import command
from melanion.studio.errors import StudioError
from melanion.studio.files import below
from melanion.studio.guard import HEADERS
from melanion.studio.limits import BODY
from melanion.studio.server import bound
from tests.common.needed import needs, problem
from tests.studio.studio_server import Client, studio

pytestmark = needs("npm", problem("npm"))
SECRET = "a secret of another folder"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside a file that nobody may read through the studio, with links to it."""
    root = tmp_path_factory.mktemp("studio")
    (root / "secret.c").write_text(SECRET)
    (root / "outside").mkdir()
    (root / "outside" / "secret.c").write_text(SECRET)
    mine = root / "mine"
    (mine / "parts").mkdir(parents=True)
    (mine / "main.c").write_text("int main(void) { return 0; }\n")
    (mine / "parts" / "part.h").write_text("/* a part */\n")
    (mine / "notes.txt").write_text(SECRET)
    (mine / ".hidden.c").write_text(SECRET)
    (mine / "link.c").symlink_to("../secret.c")
    (mine / "way").symlink_to("../outside")
    (mine / "inside.c").symlink_to("main.c")
    (mine / "my.yaml").write_text("name: mine\nkernel: sw\ncoupling: none\nclock: 5\n")
    return mine


@pytest.fixture(scope="module")
def client(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with studio(tmp_path_factory.mktemp("results"), folder) as found:
        yield found


# ---- requests that are refused -------------------------------------------------------------------


@pytest.mark.parametrize("path", ["start", "files", "file?path=main.c", "result/a/1/trace", "none"])
@pytest.mark.parametrize("token", ["", "wrong", "x" * 43])
def test_a_wrong_token_is_refused(client: Client, path: str, token: str) -> None:
    answer = client.get(f"/api/{path}", **{"X-Melanion-Token": token})
    assert answer.status == 401
    assert answer.message == (
        "The token is missing or is that of another start of the studio; open the address that it"
        " printed."
    )


def test_a_run_needs_the_token(client: Client) -> None:
    for path in ("run", "watch", "system", "file", "new", "begin", "export"):
        answer = client.send("POST", f"/api/{path}", {}, {"X-Melanion-Token": "wrong"})
        assert answer.status == 401, path


def test_the_token_is_long_and_no_page_holds_it(client: Client) -> None:
    assert len(client.server.token) >= 43
    for name in ("/", "/index.html", "/studio.js", "/page.css", "/studio.css"):
        answer = client.get(name, **{"X-Melanion-Token": ""})
        assert answer.status == 200, name
        assert client.server.token.encode() not in answer.body


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "melanion.example"),
        ("Host", "127.0.0.1:1"),
        ("Host", "127.0.0.1"),
        ("Host", "localhost.example:{port}"),
        ("Origin", "http://melanion.example"),
        ("Origin", "https://127.0.0.1:{port}"),
        ("Origin", "http://127.0.0.1:1"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ],
)
def test_another_page_is_refused(client: Client, name: str, value: str) -> None:
    """The token alone does not help: it may have leaked; a name that points here is no host."""
    value = value.format(port=client.server.port)
    for path in ("/api/start", *(["/"] if name != "Sec-Fetch-Site" else [])):
        assert client.get(path, **{name: value}).status == 403


def test_a_link_opens_the_page_alone(client: Client) -> None:
    """A file that leads to the page is another site to a browser."""
    assert client.get("/", **{"Sec-Fetch-Site": "cross-site"}).status == 200


def test_a_browser_gets_the_token_from_a_file_of_ours(client: Client, tmp_path: Path) -> None:
    """The words that start a browser are seen by every user of the machine."""
    place = client.server.opener(tmp_path)
    assert place.stat().st_mode & 0o777 == 0o600
    text = place.read_text()
    assert client.server.address in text
    assert client.server.token not in place.as_uri()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_its_own_page_is_answered(client: Client, host: str) -> None:
    place = f"{host}:{client.server.port}"
    given = {"Host": place, "Origin": f"http://{place}", "Sec-Fetch-Site": "same-origin"}
    assert client.get("/api/start", **given).status == 200


@pytest.mark.parametrize("path", ["/", "/api/start", "/none", "/api/none"])
def test_every_answer_has_the_headers_of_the_guard(client: Client, path: str) -> None:
    for headers in ({}, {"X-Melanion-Token": "wrong"}, {"Host": "melanion.example"}):
        found = client.get(path, **headers).headers
        assert {name: found.get(name) for name in HEADERS} == HEADERS
        assert not [name for name in found if name.startswith("access-control")]


def test_the_policy_lets_no_page_frame_it_or_run_what_is_not_ours() -> None:
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy


def test_only_files_of_the_page_are_served(client: Client) -> None:
    for path in ("/../pyproject.toml", "/..%2f..%2fetc/passwd", "/manifest.json", "/studio.html"):
        assert client.get(path).status == 404, path


def test_it_listens_on_this_machine_alone(client: Client) -> None:
    assert client.server._socket.getsockname()[0] == "127.0.0.1"
    assert client.server.address.startswith(f"http://127.0.0.1:{client.server.port}/#token=")


def test_a_body_that_is_too_large_is_refused(client: Client) -> None:
    sentence = f"The request has more than {BODY} bytes; send less."
    answer = client.send("POST", "/api/system", headers={"Content-Length": str(BODY + 1)}, raw=b"")
    assert (answer.status, answer.message) == (413, sentence)
    parts = (b" " * 65536 for _ in range(BODY // 65536 + 1))
    answer = client.send("POST", "/api/system", headers={"Transfer-Encoding": "chunked"}, raw=parts)
    assert (answer.status, answer.message) == (413, sentence)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"{", "the request is no JSON"),
        (b"[]", "the request"),
        (b'{"name": 5}', "name is 5"),
        (b'{"nmae": "sw"}', "nmae"),
    ],
)
def test_a_wrong_request_gets_a_sentence(client: Client, body: bytes, sentence: str) -> None:
    answer = client.send(
        "POST", "/api/system", raw=body, headers={"Content-Length": str(len(body))}
    )
    assert answer.status == 400
    assert sentence in answer.message


# ---- files ---------------------------------------------------------------------------------------

OUTSIDE = [
    "../secret.c",
    "parts/../../secret.c",
    "link.c",
    "way/secret.c",
    "/etc/passwd",
    "//secret.c",
    ".hidden.c",
    "./.hidden.c",
    "parts/../.hidden.c",
    "notes.txt",
    "missing.c",
    "parts",
    "",
    ".",
    "main.c\0.c",
    "..\\secret.c",
    "x" * 5000 + ".c",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_outside_the_folder_is_opened(client: Client, folder: Path, name: str) -> None:
    from urllib.parse import quote

    absolute = str(folder.parent / "secret.c")
    for path in (name, absolute):
        answer = client.get(f"/api/file?path={quote(path, safe='')}")
        assert answer.status == 400 and SECRET not in answer.message
        saved = client.post("/api/file", {"path": path or "-", "text": "", "version": "-"})
        assert saved.status == 400
    for secret in (folder.parent / "secret.c", folder / "notes.txt", folder / ".hidden.c"):
        assert secret.read_text() == SECRET
    assert not (folder / "missing.c").exists()


def test_sources_of_the_folder_are_listed(client: Client) -> None:
    found = [row["path"] for row in client.get("/api/files").json]
    assert found == ["inside.c", "main.c", "my.yaml", "parts/part.h"]


def test_a_file_is_saved_with_its_mode_and_no_older_one(client: Client, folder: Path) -> None:
    path = folder / "parts" / "part.h"
    path.chmod(0o640)
    before = client.get("/api/file?path=parts/part.h").json
    new = {"path": "parts/part.h", "text": "/* änderung */\n", "version": before["version"]}
    version = client.post("/api/file", new).json["version"]
    assert path.read_text(encoding="utf-8") == "/* änderung */\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in path.parent.iterdir()) == ["part.h"]
    stale = client.post("/api/file", new)
    assert stale.status == 400
    assert stale.message == (
        "parts/part.h was changed by another program since it was opened; open it again."
    )
    assert client.get("/api/file?path=parts/part.h").json["version"] == version


def test_a_link_inside_the_folder_stays_a_link(client: Client, folder: Path) -> None:
    found = client.get("/api/file?path=inside.c").json
    assert client.post("/api/file", found | {"text": found["text"]}).status == 200
    assert (folder / "inside.c").is_symlink()


def test_a_file_that_is_too_large_is_not_opened(client: Client, folder: Path) -> None:
    large = folder / "large.c"
    large.write_bytes(b" " * (1 << 20) + b" ")
    try:
        assert "more than 1048576 bytes" in client.get("/api/file?path=large.c").message
    finally:
        large.unlink()
    version = client.get("/api/file?path=main.c").json["version"]
    new = {"path": "main.c", "text": " " * ((1 << 20) + 1), "version": version}
    assert "at most 1048576 bytes" in client.post("/api/file", new).message


@pytest.mark.parametrize("name", ["", ".", "/abs", "../x", "a/../../x", "a\0b"])
def test_an_export_goes_below_its_place(tmp_path: Path, name: str) -> None:
    with pytest.raises(StudioError) as error:
        below(tmp_path, name)
    assert f"is no folder below {tmp_path}" in error.value.message


def test_an_export_follows_no_link_out(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    with pytest.raises(StudioError):
        below(tmp_path / "in", "link/system")
    assert below(tmp_path / "in", "a/system") == tmp_path / "in" / "a" / "system"


def test_a_system_is_exported_and_no_folder_is_overwritten(client: Client, folder: Path) -> None:
    wanted = {"system": "sw[tasks=16]", "folder": "exported"}
    answer = client.post("/api/export", wanted).json
    place = folder / "build" / "exported"
    assert answer["folder"] == str(place)
    assert answer["command"] == f"melanion export 'sw[tasks=16]' {place}"
    assert answer["files"] == len([path for path in place.rglob("*") if path.is_file()])
    again = client.post("/api/export", wanted)
    assert again.status == 400 and str(place) in again.message


# ---- systems and programs ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ({"kernel": "sw"}, "sw"),
        ({"kernel": "hwrtos", "words": ["2"], "place": "", "memory": ""}, "hwrtos-2"),
        ({"kernel": "hwrtos", "sizes": {"tasks": 64, "queues": 4}}, "hwrtos[queues=4]"),
        ({"kernel": "hwrtos", "place": "pci", "memory": "lm"}, "hwrtos@pci+lm"),
        ({"name": "banked[resident=8]"}, "banked[resident=8]"),
    ],
)
def test_a_form_composes_a_name(client: Client, form: dict[str, object], name: str) -> None:
    found = client.post("/api/system", form).json
    assert found["name"] == name
    assert found["command"].startswith("melanion systems ")
    again = client.post("/api/system", {"name": name}).json
    assert again == found


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("hwrtoss", "did you mean hwrtos"),
        ("hwrtos[tasks=1000]", "parameters.tasks is 1000; allowed is a whole number 4 … 256"),
        ("../secret.yaml", "the studio opens files"),
        ("./my.yaml", "./my.yaml:"),
        ("missing/my.yaml", "there is no such file"),
        ("/etc/passwd", "the studio opens files"),
    ],
)
def test_what_is_no_system_gets_the_sentence_of_the_command_line(
    client: Client, name: str, sentence: str
) -> None:
    answer = client.post("/api/system", {"name": name})
    assert answer.status == 400
    assert sentence in answer.message


@pytest.mark.parametrize(
    ("name", "how"),
    [("sw", "measured"), ("banked[tasks=16]", "interpolated"), ("sw-deadlock", "unknown")],
)
def test_a_price_says_where_it_comes_from(client: Client, name: str, how: str) -> None:
    price = client.post("/api/system", {"name": name}).json["price"]
    assert price["how"] == how and price["reason"]
    assert (price["cells"] is None) == (how == "unknown")


def test_ranges_are_those_of_the_schema(client: Client) -> None:
    """A number beside a range is refused, one at its end is not refused for its range."""
    sizes = client.get("/api/start").json["studio"]["choices"]["sizes"]
    assert {"tasks", "queues", "resident", "kib", "clock_mhz"} <= {row["name"] for row in sizes}
    for row in sizes:
        kernel = "banked" if row["name"] == "resident" else "hwrtos"
        for value in (row["minimum"] - 1, row["maximum"] + 1):
            if value >= 0:
                answer = client.post("/api/system", {"name": f"{kernel}[{row['name']}={value}]"})
                assert answer.status == 400 and str(value) in answer.message, row
                assert f"{row['minimum']} … {row['maximum']}" in answer.message, row


def test_colours_differ_beside_each_other(client: Client) -> None:
    names = {"name": "banked[tasks=16]", "beside": "banked"}
    slots = [
        client.post("/api/system", {"name": n}).json["slot"] for n in ("banked", "banked[tasks=16]")
    ]
    assert slots[0] == slots[1] != client.post("/api/system", names).json["slot"]


# ---- the command ---------------------------------------------------------------------------------


def test_without_its_packages_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("melanion.studio.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(command, ["--no-open"])
    assert isinstance(result.exception, StudioError)
    assert result.exception.message == (
        "the studio needs the package uvicorn, which is not installed; in a checkout run `make"
        " setup-dev`, elsewhere `pip install 'melanion[studio]'`."
    )


def test_a_port_in_use_is_named() -> None:
    with bound(0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(StudioError) as error:
            bound(port)
    assert error.value.message.startswith(f"port {port} of 127.0.0.1 cannot be used")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path / "none"), "--no-open"])
    assert isinstance(result.exception, StudioError)
    assert result.exception.message == (
        f"{tmp_path / 'none'}: this folder does not exist; name an existing one."
    )


# ---- new files -----------------------------------------------------------------------------------


def test_a_file_is_made_once(client: Client, folder: Path) -> None:
    assert client.post("/api/new", {"path": "parts/new.c"}).status == 200
    made = folder / "parts" / "new.c"
    assert made.read_text() == ""
    made.write_text("int kept;\n")
    answer = client.post("/api/new", {"path": "parts/new.c"})
    assert answer.message == (
        "parts/new.c: there is already something of this name; choose another name."
    )
    assert made.read_text() == "int kept;\n"
    made.unlink()


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("../new.c", "of its folder alone; choose such a name."),
        ("/etc/new.c", "of its folder alone; choose such a name."),
        ("new.sh", "of its folder alone; choose such a name."),
        (".new.c", "of its folder alone; choose such a name."),
        ("way/new.c", "name a file of a folder that is there, such as work.c."),
        ("none/new.c", "name a file of a folder that is there, such as work.c."),
        ("link.c", "there is already something of this name; choose another name."),
    ],
)
def test_no_file_is_made_elsewhere(client: Client, folder: Path, path: str, sentence: str) -> None:
    def there() -> list[Path]:
        return sorted(folder.parent.rglob("*"))

    before = there()
    assert sentence in client.post("/api/new", {"path": path}).message
    assert there() == before


def test_a_folder_with_sources_is_not_begun_anew(client: Client, folder: Path) -> None:
    assert client.post("/api/begin", {}).message == (
        f"{folder} holds sources already, such as inside.c; edit those."
    )


def test_an_empty_folder_is_begun_with_a_program(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    with studio(tmp_path / "results", mine) as client:
        first, *_, last = client.get("/api/start").json["programs"]
        assert (first["name"], last["name"]) == ("interrupt", "folder")
        answer = client.post("/api/begin", {}).json
        assert client.get("/api/start").json["programs"][0]["name"] == "folder"
    assert answer == {
        "files": ["main.c", "FreeRTOSConfig.h"],
        "cycles": 60_000,
        "pulses": "3@40000 3@44000",
    }
    assert sorted(path.name for path in mine.iterdir()) == ["FreeRTOSConfig.h", "main.c"]
