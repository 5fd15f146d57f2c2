"""The memory map of every system (docs/decisions/0002); the RTL of soc/ decodes the same."""

MEMORY_BASE = 0x1000_0000
RESET_PC = MEMORY_BASE + 0x80

# As mel_system.h names them, with MEL_ before.
ADDRESSES = {
    "memory_base": MEMORY_BASE,
    "timer_base": 0x2000_0000,
    "intc_base": 0x2000_1000,
    "io_base": 0x2000_2000,
    "irqgen_base": 0x2000_3000,
    "cycle_base": 0x2000_4000,
    "unit_base": 0x4000_0000,
}
