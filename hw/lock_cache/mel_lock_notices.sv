// SPDX-License-Identifier: Apache-2.0
// mel_lock_notices: a bit per core and long lock: the core has not yet been told that the lock was released (or is its own now). While a
// core has a notice its interrupt is asked for: a level, so that none is lost, whatever comes with it.
// Timing: a notice that is set or taken in a cycle counts from the next on; what is looked at is combinational.
module mel_lock_notices #(
  parameter int unsigned LongLocks = 64,   // 1..128
  parameter int unsigned Cores     = 1,    // 1..4
  localparam int unsigned CoreW    = (Cores > 1) ? $clog2(Cores) : 1,
  localparam int unsigned LongW    = (LongLocks > 1) ? $clog2(LongLocks) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Looking and taking are of this core.
  input  logic [CoreW-1:0] core_i,
  output logic             first_valid_o,
  output logic [LongW-1:0] first_o,         // the lowest lock of which it has a notice
  output logic             told_o,          // it has none of lock `number_i`
  input  logic             take_i,          // the first one is taken
  input  logic [Cores-1:0] notify_i,        // these cores get one of lock `number_i`; not together with take_i
  input  logic [LongW-1:0] number_i,
  output logic [Cores-1:0] irq_o
);
  logic [Cores-1:0][LongLocks-1:0] notice_q;
  logic [LongLocks-1:0]            row;
  logic [7:0]                      first;

  assign row    = notice_q[core_i];
  assign told_o = !row[number_i];

  mel_first_set #(
    .Width(LongLocks)
  ) u_first (
    .vector_i(row),
    .valid_o (first_valid_o),
    .index_o (first)
  );
  assign first_o = LongW'(first);

  for (genvar core = 0; core < Cores; core++) begin : gen_core
    assign irq_o[core] = |notice_q[core];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        notice_q[core] <= '0;
      end else begin
        if (notify_i[core])                      notice_q[core][number_i] <= 1'b1;
        if (take_i && first_valid_o && core == 32'(core_i)) notice_q[core][first_o] <= 1'b0;
      end
    end
  end
endmodule
