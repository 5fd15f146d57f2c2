// SPDX-License-Identifier: Apache-2.0
// mel_hold: takes an access of a core's data port at once, and holds it until its owner takes it: so the grant to the core depends on no address, and on
// nothing that follows from one.
//
// Contract: OBI-like; at most one access is outstanding. The response goes around. `drop_i`: nobody will take what is held.
// Timing: adds no cycle. Every access begins `wait_i` cycles late (mel_wait_states). With AtOnce = 0 it holds nothing: for a core that goes on
// behind the grant of a store, before the response.
module mel_hold
  import mel_obi_pkg::*;
#(
  parameter bit AtOnce = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] wait_i,
  input  logic        drop_i,

  // The bus.
  input  logic        req_i,
  output logic        gnt_o,
  input  obi_a_t      a_i,
  // The owner of the address.
  output logic        req_o,
  input  logic        gnt_i,
  output obi_a_t      a_o
);
  logic asks, passed, taken;
  assign req_o = asks && passed;
  assign taken = req_o && gnt_i;

  mel_wait_states u_wait_states (
    .clk_i,
    .rst_ni,
    .cycles_i (wait_i),
    .req_i    (asks),
    .granted_i(taken),
    .passed_o (passed)
  );

  if (AtOnce) begin : gen_at_once
    logic   held_q;
    obi_a_t a_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q <= 1'b0;
      else         held_q <= asks && !taken && !drop_i;
    end
    always_ff @(posedge clk_i) if (!held_q) a_q <= a_i;
    assign asks  = req_i || held_q;
    assign a_o   = held_q ? a_q : a_i;
    assign gnt_o = 1'b1;

`ifndef SYNTHESIS
    a_one: assert property (@(posedge clk_i) disable iff (!rst_ni) !(req_i && held_q));
`endif
  end else begin : gen_wires
    logic unused_drop;
    assign unused_drop = drop_i;
    assign asks  = req_i;
    assign a_o   = a_i;
    assign gnt_o = taken;
  end
endmodule
