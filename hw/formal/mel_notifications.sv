// SPDX-License-Identifier: Apache-2.0
// Proof of mel_notifications, for any number of tasks, reads and writes: the record that is read is the one that was written last for
// its task, in the cycle before at the latest, and says whether its value is 0.
// How: induction over one step. One task is watched, which one is free; what holds it is that the memories have its ghost, except
// that `zero` may still be on its way to them.
// Needs: no record is read in the cycle in which it is written (a_no_collision of the module, from mel_step's order of cycles); the
// first write of a task comes before the first read that matters (task_start).
module mel_notifications_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 4
) (
  input logic                    clk_i,
  input logic                    read_i,
  input logic [7:0]              read_id_i,
  input logic                    write_i,
  input logic [7:0]              write_id_i,
  input logic                    pending_i,
  input logic [31:0]             value_i,
  input logic [$clog2(Tasks)-1:0] watch_i
);

  localparam int unsigned TaskW = $clog2(Tasks);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  notification_t record;

  mel_notifications #(.Tasks(Tasks)) u_notifications (
    .clk_i, .rst_ni (rst_n), .read_i, .read_id_i, .record_o (record), .write_i, .write_id_i,
    .record_i ('{pending: pending_i, zero: 1'b0, value: value_i})
  );

  // ---- ghost: what the watched task's record is, and what the last read should have brought -----------------------------

  logic [TaskW-1:0] watch_q;
  logic             fixed_q = 1'b0, known_q = 1'b0, pending_q, expects_q = 1'b0, pending_read_q;
  logic [31:0]      value_q, value_read_q;
  logic             reads, writes;

  assign reads  = read_i && read_id_i[TaskW-1:0] == watch_q;
  assign writes = write_i && write_id_i[TaskW-1:0] == watch_q;

  always_ff @(posedge clk_i) begin
    fixed_q <= 1'b1;
    watch_q <= fixed_q ? watch_q : watch_i;
    if (rst_n) begin
      if (writes) {known_q, pending_q, value_q} <= {1'b1, pending_i, value_i};
      if (read_i) {expects_q, pending_read_q, value_read_q} <= {reads && known_q, pending_q, value_q};
    end
  end

  always_comb begin
    m_reset:     assume (rst_n || (!read_i && !write_i));
    m_fixed:     assume (fixed_q || !(read_i || write_i));
    m_collision: assume (!(read_i && write_i && read_id_i[TaskW-1:0] == write_id_i[TaskW-1:0]));   // mel_step
  end

  logic zero_is_late;
  assign zero_is_late = u_notifications.written_valid_q && u_notifications.written_index_q == watch_q;

  always_comb begin
    if (rst_n) begin
      a_record: assert (!expects_q || (record.pending == pending_read_q && record.value == value_read_q));
      a_zero:   assert (!expects_q || record.zero == (value_read_q == '0));
      // Invariants of the induction.
      a_memory: assert (!known_q || (u_notifications.pending_mem[watch_q] == pending_q &&
                                     u_notifications.value_mem[watch_q] == value_q));
      a_late:   assert (!known_q || !zero_is_late || u_notifications.written_q == value_q);
      a_kept:   assert (!known_q || zero_is_late || u_notifications.zero_mem[watch_q] == (value_q == '0));
      a_known:  assert (known_q || !expects_q);
      a_first:  assert (known_q || !zero_is_late);
    end else begin
      a_reset:  assert (!known_q && !expects_q && !u_notifications.written_valid_q);
    end
    c_late:   cover (rst_n && reads && zero_is_late && value_q == '0);
    c_other:  cover (rst_n && expects_q && !record.zero && record.pending);
  end

endmodule
