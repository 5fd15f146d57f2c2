// SPDX-License-Identifier: Apache-2.0
// bench: mel_event_flags with one plain port per field, for bench.cpp.
module bench
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned EventFlags = 16
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic [8:0]  clear_index_i,
  input  logic        read_i,
  input  logic [7:0]  read_id_i,
  input  logic [7:0]  read_subject_i,
  output logic        exists_o,
  output logic [31:0] flags_o,
  output logic        waited_o,
  output logic        subject_matched_o,
  input  logic        write_i,
  input  logic [7:0]  write_id_i,
  input  logic        exists_i,
  input  logic [31:0] flags_i,
  input  logic [1:0]  op_i,
  input  logic [7:0]  op_task_i,
  input  logic [7:0]  op_group_i,
  input  logic [31:0] op_pattern_i,
  input  logic        op_all_i,
  input  logic        op_take_i,
  input  logic [7:0]  op_prio_i,
  input  logic        judge_i,
  input  logic [7:0]  judge_group_i,
  input  logic [31:0] judge_flags_i,
  input  logic        judge_remove_i,
  output logic        judged_o,
  output logic [31:0] judge_clear_o,
  output logic        any_o,
  output logic        first_valid_o,
  output logic [7:0]  first_prio_o,
  output logic [7:0]  first_task_o,
  output logic        deleted_o,
  output logic [31:0] value_o,
  output logic        busy_o
);

  flag_released_t released;
  event_flags_t   record;

  assign exists_o      = record.exists;
  assign flags_o       = record.flags;
  assign any_o         = released.any;
  assign first_valid_o = released.first.valid;
  assign first_prio_o  = released.first.prio;
  assign first_task_o  = released.first.task_id;
  assign deleted_o     = released.deleted;
  assign value_o       = released.value;

  mel_event_flags #(.Tasks(Tasks), .Priorities(Priorities), .EventFlags(EventFlags)) u_event_flags (
    .clk_i, .rst_ni, .clear_i, .clear_index_i, .read_i, .read_id_i, .read_subject_i,
    .record_o (record), .waited_o, .subject_matched_o,
    .write_i, .write_id_i, .record_i ('{exists: exists_i, flags: flags_i}),
    .wait_i ('{op: flag_wait_op_e'(op_i), task_id: op_task_i, group: op_group_i, pattern: op_pattern_i, all: op_all_i,
               take: op_take_i, prio: op_prio_i}),
    .judge_i ('{valid: judge_i, group: judge_group_i, flags: judge_flags_i, remove: judge_remove_i}),
    .judged_o, .judge_clear_o, .released_o (released), .busy_o
  );

endmodule
