// SPDX-License-Identifier: Apache-2.0
// mel_semaphores: count and maximum of every semaphore. Who waits for them is in the wait set.
// Timing: `record_o` is the record of `read_id_i` in the last cycle with `read_i`; a write is visible in the next cycle.
// No record is read in the cycle in which it is written. `clear_i` removes one semaphore per cycle.
module mel_semaphores
  import mel_unit_pkg::*;
#(
  parameter int unsigned Semaphores = 64   // 0..128; 0: none exists
) (
  input  logic       clk_i,

  input  logic       clear_i,
  input  line_t      clear_index_i,

  input  logic       read_i,
  input  id_t        read_id_i,
  output semaphore_t record_o,

  input  logic       write_i,
  input  id_t        write_id_i,
  input  semaphore_t record_i     // `empty` and `full` are made here
);

  if (Semaphores == 0) begin : gen_none
    logic unused_all;
    assign unused_all = ^{clk_i, clear_i, clear_index_i, read_i, read_id_i, write_i, write_id_i, record_i};
    assign record_o = '0;
  end else begin : gen_semaphores
    localparam int unsigned IndexW = (Semaphores > 1) ? $clog2(Semaphores) : 1;
    typedef logic [IndexW-1:0] index_t;

    // Flags tested by a step are in LUT-RAM with a register: a block RAM's output comes 5 ns later.
    typedef struct packed { logic exists; logic empty; logic full; } state_t;
    typedef struct packed { logic [15:0] count; logic [15:0] maximum; } numbers_t;

    (* no_rw_check, ram_style = "distributed" *) state_t state_mem [2**IndexW];
    (* no_rw_check *) numbers_t numbers_mem [2**IndexW];

    semaphore_t record;
    state_t     state;
    numbers_t   numbers;

    always_comb begin
      record       = record_i;
      record.empty = (record_i.count == '0);
      record.full  = (record_i.count == record_i.maximum);
    end

    assign record_o = '{
      exists:  state.exists,
      empty:   state.empty,
      full:    state.full,
      count:   numbers.count,
      maximum: numbers.maximum
    };

    always_ff @(posedge clk_i) begin
      if (clear_i || write_i) begin
        state_mem[index_t'(clear_i ? clear_index_i : line_t'(write_id_i))] <= clear_i ? state_t'('0) : '{
          exists: record.exists,
          empty:  record.empty,
          full:   record.full
        };
      end
      if (read_i) state <= state_mem[index_t'(read_id_i)];
    end

    always_ff @(posedge clk_i) begin
      if (clear_i || write_i) begin
        numbers_mem[index_t'(clear_i ? clear_index_i : line_t'(write_id_i))] <= clear_i ? numbers_t'('0) : '{
          count:   record.count,
          maximum: record.maximum
        };
      end
      if (read_i) numbers <= numbers_mem[index_t'(read_id_i)];
    end

`ifndef SYNTHESIS
    a_no_collision: assert property (@(posedge clk_i)
      !(read_i && write_i && index_t'(read_id_i) == index_t'(write_id_i)));
`endif
  end

endmodule
