// SPDX-License-Identifier: Apache-2.0
// mel_notifications: the notification value of every task, and whether a notification is pending. A task that waits for one says so in
// its record (mel_task_table).
// Timing: `record_o` is the record of `read_id_i` in the last cycle with `read_i`; a write is visible in the next cycle. No record is
// read in the cycle in which it is written. Nothing is cleared after reset: a task's record is written when the task is started,
// and not looked at before.
module mel_notifications
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 64   // 4..256
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          read_i,
  input  id_t           read_id_i,
  output notification_t record_o,

  input  logic          write_i,
  input  id_t           write_id_i,
  input  notification_t record_i     // `zero` is made here
);

  typedef logic [$clog2(Tasks)-1:0] index_t;

  // Flags tested by a step are in LUT-RAM with a register: a block RAM's output comes 5 ns later.
  (* no_rw_check *)                            logic [31:0] value_mem   [2**$clog2(Tasks)];
  (* no_rw_check, ram_style = "distributed" *) logic        pending_mem [2**$clog2(Tasks)];
  (* no_rw_check, ram_style = "distributed" *) logic        zero_mem    [2**$clog2(Tasks)];

  logic [31:0] value, written_q;
  logic        pending, zero, written_zero, written_valid_q;
  index_t      read_index, write_index, written_index_q;

  assign read_index  = index_t'(read_id_i);
  assign write_index = index_t'(write_id_i);

  always_ff @(posedge clk_i) begin
    if (write_i) value_mem[write_index] <= record_i.value;
    if (read_i) value <= value_mem[read_index];
  end

  always_ff @(posedge clk_i) begin
    if (write_i) pending_mem[write_index] <= record_i.pending;
    if (read_i) pending <= pending_mem[read_index];
  end

  // Whether a value is 0 is found one cycle after it was written, because it comes late; a read in that cycle sees it.
  assign written_zero = (written_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) written_valid_q <= 1'b0;
    else         written_valid_q <= write_i;
  end
  always_ff @(posedge clk_i) begin
    written_q       <= record_i.value;
    written_index_q <= write_index;
    if (written_valid_q) zero_mem[written_index_q] <= written_zero;
    if (read_i) zero <= (written_valid_q && written_index_q == read_index) ? written_zero : zero_mem[read_index];
  end

  assign record_o = '{pending: pending, zero: zero, value: value};

`ifndef SYNTHESIS
  a_no_collision: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(read_i && write_i && read_index == write_index));
`endif

endmodule
