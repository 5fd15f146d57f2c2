// SPDX-License-Identifier: Apache-2.0
// mel_bind_ibex_banked: the same beside every Ibex core with a store of contexts (after mel_bind_ibex.sv). Sets of registers are numbered as in
// soc/sim/trace.h: of the idle context (slot 1 of the store), of handlers, of tasks.
`define MEL_SET_OF(SLOT, TASK) ((u_context_store.SLOT == 1) ? 9'd0 : 9'(u_context_store.TASK) + 9'd2)
`MEL_BIND_IBEX(mel_core_ibex_banked,
  whandler ? 9'd1 : `MEL_SET_OF(slot_q, task_q),
  put && put_addr != '0,
  (put_to == mel_context_pkg::PutLeft) ? `MEL_SET_OF(left_slot_q, left_task_q) :
  (put_to == mel_context_pkg::PutHandlers) ? 9'd1 : (put_to == mel_context_pkg::PutFrame) ? 9'(u_context_store.frame_q) + 9'd2 : `MEL_SET_OF(slot_q, task_q),
  put_addr, put_data)
