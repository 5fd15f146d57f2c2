// SPDX-License-Identifier: Apache-2.0
// mel_event_flags: the groups of 32 event flags, how many tasks wait for each, and (mel_flag_waiters) who they are, what for,
// and who of them is released.
// Timing: `record_o` and `waited_o` are those of `read_id_i`, `subject_matched_o` that of `read_subject_i`, in the last cycle with
// `read_i`; a write is visible in the next cycle. No record is read in the cycle in which it is written. `clear_i` removes one
// group and the conditions of one row of tasks per cycle.
// `wait_i` may come late in its cycle, in which no judgement is under way: it takes effect in the next one, and none may begin there. With
// R = ceil(Tasks / Lanes) the rest is, counted from the cycle of `judge_i` or `wait_i`:
//   judge  R      `judged_o` with `judge_clear_o`, one cycle; `released_o.first` valid when there is one. Judged in cycle 2 of
//                 a step, 64 tasks: cycle 6
//   remove R + 2  of a released task: `released_o.first` is the next one; move: the same. `released_o.any` in 2
//   Of other tasks: `released_o.first` is not valid in the next cycle, then as before; add: stays as it is
// `released_o.value` follows `released_o.first` by 2 cycles (mel_flag_waiters).
// A released task counts as one that waits until it is removed.
module mel_event_flags
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned EventFlags = 16,   // 0..128; 0: no group exists
  parameter int unsigned Lanes      = 16    // 2, 4, 8 …: tasks judged per cycle
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           clear_i,
  input  line_t          clear_index_i,

  input  logic           read_i,
  input  id_t            read_id_i,
  input  id_t            read_subject_i,
  output event_flags_t   record_o,
  output logic           waited_o,           // somebody waits for the group
  output logic           subject_matched_o,  // the task is released and has not left

  input  logic           write_i,
  input  id_t            write_id_i,
  input  event_flags_t   record_i,

  input  flag_wait_t     wait_i,
  input  flag_judge_t    judge_i,
  output logic           judged_o,
  output logic [31:0]    judge_clear_o,      // flags that released tasks take; of a deletion: any
  output flag_released_t released_o,
  output logic           busy_o              // something changes by itself, or a released task has not left
);

  if (EventFlags == 0) begin : gen_none
    logic unused_all;
    assign unused_all = ^{clk_i, rst_ni, clear_i, clear_index_i, read_i, read_id_i, read_subject_i, write_i, write_id_i,
                          record_i, wait_i, judge_i};
    assign record_o          = '0;
    assign waited_o          = 1'b0;
    assign subject_matched_o = 1'b0;
    assign judged_o          = 1'b0;
    assign judge_clear_o     = '0;
    assign released_o        = '0;
    assign busy_o            = 1'b0;
  end else begin : gen_groups
    localparam int unsigned IndexW = (EventFlags > 1) ? $clog2(EventFlags) : 1;
    localparam int unsigned CountW = $clog2(Tasks + 1);
    typedef logic [IndexW-1:0] index_t;
    typedef logic [CountW-1:0] count_t;

    flag_wait_op_e op_q;
    flag_wait_t    wait_q, change;     // `op` of wait_q is not used

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) op_q <= FlagWaitNone;
      else         op_q <= wait_i.op;
    end
    always_ff @(posedge clk_i) wait_q <= wait_i;

    always_comb begin
      change    = wait_q;
      change.op = op_q;
    end

    // ---- records ------------------------------------------------------------------------------------------------------

    // LUT-RAM: what is read is judged in the next cycle, and a block RAM's output comes 5 ns later.
    (* no_rw_check, ram_style = "distributed" *) event_flags_t record_mem [2**IndexW];

    always_ff @(posedge clk_i) begin
      if (clear_i || write_i) begin
        record_mem[index_t'(clear_i ? clear_index_i : line_t'(write_id_i))] <= '{
          exists: record_i.exists && !clear_i,
          flags:  record_i.flags
        };
      end
      if (read_i) record_o <= record_mem[index_t'(read_id_i)];
    end

    // ---- how many wait ------------------------------------------------------------------------------------------------

    (* ram_style = "distributed" *) count_t count_mem [2**IndexW];
    count_t count, count_d, read_count;
    logic   counts;

    assign counts     = op_q inside {FlagWaitAdd, FlagWaitRemove};
    assign count      = count_mem[index_t'(change.group)];
    assign count_d    = (op_q == FlagWaitAdd) ? count + 1'b1 : count - 1'b1;
    assign read_count = count_mem[index_t'(read_id_i)];

    always_ff @(posedge clk_i) begin
      if (clear_i || counts) count_mem[index_t'(clear_i ? clear_index_i : line_t'(change.group))] <= clear_i ? '0 : count_d;
      if (read_i) waited_o <= |((counts && index_t'(change.group) == index_t'(read_id_i)) ? count_d : read_count);
    end

    // ---- who waits ----------------------------------------------------------------------------------------------------

    mel_flag_waiters #(
      .Tasks      (Tasks),
      .Priorities (Priorities),
      .EventFlags (EventFlags),
      .Lanes      (Lanes)
    ) u_flag_waiters (
      .clk_i,
      .rst_ni,
      .clear_i,
      .clear_index_i,
      .early_i (wait_i),
      .op_i    (change),
      .judge_i,
      .judged_o,
      .judge_clear_o,
      .read_i,
      .read_subject_i,
      .subject_matched_o,
      .released_o,
      .busy_o
    );

`ifndef SYNTHESIS
    a_no_collision: assert property (@(posedge clk_i)
      !(read_i && write_i && index_t'(read_id_i) == index_t'(write_id_i)));
    a_counted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !counts || ((op_q == FlagWaitAdd) ? count < count_t'(Tasks) : count != '0));
`endif
  end

endmodule
