// SPDX-License-Identifier: Apache-2.0
// mel_task_table: one record per task (its priority can be written alone), and the result of the last call of every task that does not run.
// (The running task's result is in its dispatcher.)
// Timing: `record_o` is the record of `read_id_i` in the last cycle with `read_i`; `result_o` is combinational; writes are
// visible in the next cycle. No record is read in the cycle in which it is written. `clear_i` removes one task per cycle.
module mel_task_table
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32    // 2..256
) (
  input  logic    clk_i,

  input  logic    clear_i,
  input  line_t   clear_index_i,

  input  logic    read_i,
  input  id_t     read_id_i,
  output task_t   record_o,

  input  logic    write_i,
  input  id_t     write_id_i,
  input  task_t   record_i,
  input  logic    prio_write_i,      // only the priority

  input  id_t     result_read_id_i,
  output status_t result_o,
  input  logic    result_write_i,
  input  id_t     result_write_id_i,
  input  status_t result_i
);

  localparam int unsigned TaskW = $clog2(Tasks);
  localparam int unsigned PrioW = $clog2(Priorities);

  typedef logic [TaskW-1:0] index_t;

  // task_t with the bits that the parameters leave; objects of a kind are at most 128. What a step decides by is in LUT-RAM with a
  // register: a block RAM's output comes 5 ns later.
  typedef struct packed {
    logic             exists;
    logic             dormant;
    logic             suspended;
    logic             due;
    wait_e            waits;
    logic [3:0]       wakeups;
    logic [PrioW-1:0] base_prio;
  } state_t;

  typedef struct packed {
    logic [PrioW-1:0] initial_prio;
    affinity_t        affinity;
    logic [6:0]       object;
  } narrow_t;

  (* no_rw_check, ram_style = "distributed" *) state_t state_mem [2**TaskW];
  (* no_rw_check, ram_style = "block" *) narrow_t record_mem [2**TaskW];
  (* no_rw_check, ram_style = "distributed" *) logic [PrioW-1:0] prio_mem [2**TaskW];
  state_t  state;
  narrow_t record, narrow;
  logic [PrioW-1:0] prio;
  index_t  waddr;
  status_t result_mem [2**TaskW];

  assign narrow = '{
    initial_prio: PrioW'(record_i.initial_prio),
    affinity:     record_i.affinity,
    object:       7'(record_i.object)
  };

  assign waddr = index_t'(clear_i ? clear_index_i : line_t'(write_id_i));

  always_ff @(posedge clk_i) begin
    if (write_i || prio_write_i) prio_mem[waddr] <= PrioW'(record_i.prio);
    if (read_i) prio <= prio_mem[index_t'(read_id_i)];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || write_i) begin
      record_mem[waddr] <= clear_i ? narrow_t'('0) : narrow;
    end
    if (read_i) record <= record_mem[index_t'(read_id_i)];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || write_i) begin
      state_mem[waddr] <= clear_i ? state_t'('0) : '{
        exists:    record_i.exists,
        dormant:   record_i.dormant,
        suspended: record_i.suspended,
        due:       record_i.due,
        waits:     record_i.waits,
        wakeups:   record_i.wakeups,
        base_prio: PrioW'(record_i.base_prio)
      };
    end
    if (read_i) state <= state_mem[index_t'(read_id_i)];
  end

  assign record_o = '{
    exists:       state.exists,
    dormant:      state.dormant,
    suspended:    state.suspended,
    due:          state.due,
    waits:        state.waits,
    prio:         prio_t'(prio),
    base_prio:    prio_t'(state.base_prio),
    initial_prio: prio_t'(record.initial_prio),
    wakeups:      state.wakeups,
    affinity:     record.affinity,
    object:       id_t'(record.object)
  };

  always_ff @(posedge clk_i) begin
    if (result_write_i) result_mem[index_t'(result_write_id_i)] <= result_i;
  end
  assign result_o = result_mem[index_t'(result_read_id_i)];

`ifndef SYNTHESIS
  a_no_collision: assert property (@(posedge clk_i)
    !(read_i && (write_i || prio_write_i) && index_t'(read_id_i) == index_t'(write_id_i)));
`endif

endmodule
