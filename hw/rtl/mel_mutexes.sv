// SPDX-License-Identifier: Apache-2.0
// mel_mutexes: owner, level and attributes of every mutex, and the held set: the mutexes that a task owns, one list per (task,
// level), so that what a task inherits is at hand without a search. Who waits for a mutex is in the wait set.
// Timing: `record_o` is the record of `read_id_i` in the last cycle with `read_i`; a write is visible in the next cycle; no record is
// read in the cycle in which it is written. Held set: insert 2, remove 2 or 3 cycles; `held_o` belongs to the task of the request in
// the last cycle with `ready`, `held_after_o` to that of the last operation, once it is settled.
// `clear_i` removes one mutex, and empties the held set of one task, per cycle.
module mel_mutexes
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256
  parameter int unsigned Mutexes    = 16    // 0..128; 0: none exists
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,
  input  line_t         clear_index_i,

  input  logic          read_i,
  input  id_t           read_id_i,
  output mutex_t        record_o,
  input  logic          write_i,
  input  id_t           write_id_i,
  input  mutex_t        record_i,

  input  list_request_t held_request_i,   // object: the owner; task_id: the mutex
  output list_state_t   held_state_o,
  output top_t          held_o,
  output top_t          held_after_o
);

  if (Mutexes == 0) begin : gen_none
    logic unused_all;
    assign unused_all = ^{clk_i, rst_ni, clear_i, clear_index_i, read_i, read_id_i, write_i, write_id_i, record_i,
                          held_request_i};
    assign record_o     = '0;
    assign held_state_o = '{ready: 1'b1, settled: 1'b1, done: 1'b0};
    assign held_o       = '0;
    assign held_after_o = '0;
  end else begin : gen_mutexes
    localparam int unsigned IndexW = (Mutexes > 1) ? $clog2(Mutexes) : 1;
    localparam int unsigned TaskW  = $clog2(Tasks);
    localparam int unsigned PrioW  = $clog2(Priorities);
    typedef logic [IndexW-1:0] index_t;

    // mutex_t with the bits that the parameters leave.
    typedef struct packed {
      logic             exists;
      logic             owned;
      logic [TaskW-1:0] owner;
      logic [PrioW-1:0] level;
      logic             has_ceiling;
      logic [PrioW-1:0] ceiling;
      logic             abandoned;
      logic [7:0]       locks;
    } narrow_t;

    // Its outputs decide by what a step does: LUT-RAM with a register, because a block RAM's output comes 5 ns later.
    (* no_rw_check, ram_style = "distributed" *) narrow_t record_mem [2**IndexW];
    narrow_t record, narrow;

    assign narrow = '{
      exists:      record_i.exists,
      owned:       record_i.owned,
      owner:       TaskW'(record_i.owner),
      level:       PrioW'(record_i.level),
      has_ceiling: record_i.has_ceiling,
      ceiling:     PrioW'(record_i.ceiling),
      abandoned:   record_i.abandoned,
      locks:       record_i.locks
    };

    always_ff @(posedge clk_i) begin
      if (clear_i || write_i) begin
        record_mem[index_t'(clear_i ? clear_index_i : line_t'(write_id_i))] <= clear_i ? narrow_t'('0) : narrow;
      end
      if (read_i) record <= record_mem[index_t'(read_id_i)];
    end

    assign record_o = '{
      exists:      record.exists,
      owned:       record.owned,
      owner:       id_t'(record.owner),
      level:       prio_t'(record.level),
      has_ceiling: record.has_ceiling,
      ceiling:     prio_t'(record.ceiling),
      abandoned:   record.abandoned,
      locks:       record.locks
    };


    mel_priority_list #(
      .Tasks      (Mutexes),
      .Priorities (Priorities),
      .Objects    (Tasks)
    ) u_held_set (
      .clk_i,
      .rst_ni,
      .clear_i,
      .clear_index_i,
      .request_i   (held_request_i),
      .state_o     (held_state_o),
      .top_o       (held_o),
      .top_after_o (held_after_o)
    );

`ifndef SYNTHESIS
    a_no_collision: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(read_i && write_i && index_t'(read_id_i) == index_t'(write_id_i)));
`endif
  end

endmodule
