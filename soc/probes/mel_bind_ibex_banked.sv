// SPDX-License-Identifier: Apache-2.0
// mel_bind_ibex_banked: the same beside every Ibex core with register banks (after mel_bind_ibex.sv).
`MEL_BIND_IBEX(mel_core_ibex_banked, 8'(wbank), put, 8'(put_bank), put_addr, put_data)
