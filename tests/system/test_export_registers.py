# SPDX-License-Identifier: Apache-2.0
"""`melanion export --systemrdl --ipxact --svd`: tools of others read the descriptions of the
registers, and find in them what spec/ says; they refuse wrong ones."""

from __future__ import annotations

import builtins
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cmsis_svd
import pytest
from click.testing import CliRunner, Result
from lxml import etree
from mel_gen import SPEC_HASH, Register
from peakrdl_ipxact import IPXACTImporter
from systemrdl.compiler import RDLCompiler
from systemrdl.messages import RDLCompileError
from systemrdl.node import RegNode

from melanion import config, export
from melanion.cli import group
from melanion.export import registers
from tests.common.verilated import ROOT

SYSTEM = config.find("hwrtos")
WRITABLE = {"operand", "monitor"}
ACTING = {"dispatch", "claim"}
OFFSETS = {register.name.lower(): int(register) for register in Register}
READ_ACTION = b"<ipxact:readAction>modify</ipxact:readAction>"
SCHEMA = Path(cmsis_svd.__file__).parent / "schemas" / "CMSIS-SVD_1_3_9.xsd"


def content(*formats: str) -> dict[str, bytes]:
    return export.registers_content(SYSTEM, formats)


def found(files: dict[str, bytes], name: str, folder: Path) -> dict[str, RegNode]:
    """The registers of one file."""
    path = folder / registers.FORMATS[name]
    # PeakRDL writes actions of loads and refuses to read them: to it no imported register is
    # external.
    path.write_bytes(files[path.name].replace(READ_ACTION, b""))
    compiler = RDLCompiler()
    if name == "ipxact":
        IPXACTImporter(compiler).import_file(str(path))
    else:
        compiler.compile_file(str(path))
    nodes = compiler.elaborate().top.descendants()
    return {node.inst_name: node for node in nodes if isinstance(node, RegNode)}


def svd_errors(data: bytes) -> list[str]:
    """Return the complaints of ARM's schema."""
    schema = etree.XMLSchema(etree.parse(str(SCHEMA)))
    return [] if schema.validate(etree.fromstring(data)) else [str(e) for e in schema.error_log]


@pytest.mark.parametrize("name", ["systemrdl", "ipxact"])
def test_compilers_find_the_registers_of_the_spec(name: str, tmp_path: Path) -> None:
    nodes = found(content(name), name, tmp_path)
    assert {key: node.raw_absolute_address for key, node in nodes.items()} == OFFSETS
    assert {key for key, node in nodes.items() if node.has_sw_writable} == WRITABLE
    fields = {key: next(iter(node.fields())) for key, node in nodes.items()}
    if name == "systemrdl":
        assert {key for key, field in fields.items() if field.get_property("onread")} == ACTING
    constants = {key: field.get_property("reset") for key, field in fields.items()}
    assert constants["identity"] == 0x4D454C31
    assert constants["spec_hash"] == int(SPEC_HASH[:8], 16)
    assert constants["parameter_hash"] == SYSTEM.parameter_hash_word


def test_ipxact_says_which_loads_act() -> None:
    text = content("ipxact")["mel_unit.xml"]
    acting = [part for part in text.split(b"</ipxact:register>") if READ_ACTION in part]
    assert len(acting) == len(ACTING)
    assert all(any(f">{key}<".encode() in part for part in acting) for key in ACTING)


def test_an_svd_is_one_for_the_schema_and_says_the_same() -> None:
    data = content("svd")["mel_unit.svd"]
    assert svd_errors(data) == []
    peripheral = ElementTree.fromstring(data).find("peripherals/peripheral")
    assert peripheral is not None
    assert peripheral.findtext("baseAddress") == "0x40000000"
    rows = {str(one.findtext("name")): one for one in peripheral.iterfind("registers/register")}
    offsets = {key: int(str(one.findtext("addressOffset")), 16) for key, one in rows.items()}
    assert offsets == OFFSETS
    writable = {k for k, one in rows.items() if one.findtext("access") == "read-write"}
    assert writable == WRITABLE
    assert {k for k, one in rows.items() if one.findtext("readAction")} == ACTING


def test_the_address_of_an_svd_is_that_of_the_soc(tmp_path: Path) -> None:
    (tmp_path / "soc.yaml").write_text(
        "isa: rv32im_zicsr\nmemory: 0\nunit: 0x9000_0000\n"
        "traps: {mode: direct, dispatch: 3, handler: 11}\n"
    )
    result = invoke(
        "hwrtos", str(tmp_path / "out"), "--svd", "--foreign", str(tmp_path / "soc.yaml")
    )
    assert result.output == f"wrote 1 files of the registers of hwrtos's unit to {tmp_path}/out\n"
    text = (tmp_path / "out" / "mel_unit.svd").read_text(encoding="utf-8")
    assert "<baseAddress>0x90000000</baseAddress>" in text


def test_wrong_descriptions_are_refused(tmp_path: Path) -> None:
    svd = content("svd")["mel_unit.svd"]
    for right, wrong in ((b"read-only", b"read"), (b"<name>claim</name>", b""), (b"0x0FC14", b"x")):
        assert svd.count(right)
        assert svd_errors(svd.replace(right, wrong, 1)) != []
    rdl = content("systemrdl")["mel_unit.rdl"]
    for right, wrong in ((b"@ 0x0FC14", b"@ 0x0FC10"), (b"sw = r;", b"sw = q;")):
        assert rdl.count(right)
        with pytest.raises(RDLCompileError):
            found({"mel_unit.rdl": rdl.replace(right, wrong, 1)}, "systemrdl", tmp_path)
    xml = content("ipxact")["mel_unit.xml"]
    moved = xml.replace(b"'hfc14", b"'hfc60", 1)
    assert moved != xml
    nodes = found({"mel_unit.xml": moved}, "ipxact", tmp_path)
    assert {name: node.raw_absolute_address for name, node in nodes.items()} != OFFSETS


# ---- what is refused -----------------------------------------------------------------------------


def invoke(*words: str) -> Result:
    return CliRunner().invoke(group, ["export", *words])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("sw", "--svd"),
            "sw: kernel sw has no register window of the hardware unit; name a system that has"
            " one, such as hwrtos.",
        ),
    ],
)
def test_what_is_refused(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    name, *options = words
    error = invoke(name, str(tmp_path / "out"), *options).exception
    assert (str(error), getattr(error, "exit_code", None)) == (sentence, 2)
    assert list(tmp_path.iterdir()) == []


def test_registers_are_written_beside_the_verilog(tmp_path: Path) -> None:
    """Their bytes are those of an export without it."""
    words = ["hwrtos-single[tasks=8]", str(tmp_path / "out"), "--verilog", "--bus", "apb4", "--svd"]
    assert invoke(*words).exit_code == 0
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert made >= {"mel_unit_apb4.v", "mel_unit.svd", "README.md", "sw"}
    system = config.find("hwrtos-single[tasks=8]")
    alone = export.registers_content(system, ["svd"])["mel_unit.svd"]
    assert (tmp_path / "out" / "mel_unit.svd").read_bytes() == alone


def test_without_peakrdl_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    known = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name.startswith(("peakrdl", "systemrdl")):
            raise ImportError(name)
        return known(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(export.ExportError) as raised:
        content("ipxact")
    assert raised.value.message == (
        "the Python packages systemrdl-compiler and peakrdl-ipxact, which `melanion export"
        " --ipxact` needs, are not installed; run `pip install systemrdl-compiler==1.33.0"
        " peakrdl-ipxact==3.5.0`, or `make setup-dev` in a checkout."
    )
    monkeypatch.undo()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {f"{name}=={version}" for name, version in registers.PACKAGES.items()}
    assert wanted <= set(project["optional-dependencies"]["dev"])
