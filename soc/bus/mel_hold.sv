// SPDX-License-Identifier: Apache-2.0
// mel_hold: takes an access of a core's data port at once, and holds it until the owner of its address takes it: so the grant to the core depends on no
// address, and on nothing that follows from one.
//
// Contract: OBI-like; at most one access is outstanding, so one register holds it for every owner. Responses go around. `drop_i`: this owner will not take
// what is held.
// Timing: adds no cycle. An access begins `wait_i` cycles late (mel_wait_states). With AtOnce = 0 it holds nothing: for a core that goes on behind the grant
// of a store, before the response.
module mel_hold
  import mel_obi_pkg::*;
#(
  parameter int unsigned Owners = 3,
  parameter bit          AtOnce = 1'b1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [15:0]       wait_i,      // of the access that is asked for
  input  logic [Owners-1:0] drop_i,

  // The bus: at most one request.
  input  logic [Owners-1:0] req_i,
  output logic [Owners-1:0] gnt_o,
  input  obi_a_t            a_i,
  // The owners.
  output logic [Owners-1:0] req_o,
  input  logic [Owners-1:0] gnt_i,
  output obi_a_t            a_o
);
  logic [Owners-1:0] asks, taken;
  logic              passed;
  assign req_o = asks & {Owners{passed}};
  assign taken = req_o & gnt_i;

  mel_wait_states u_wait_states (
    .clk_i,
    .rst_ni,
    .cycles_i (wait_i),
    .req_i    (|asks),
    .granted_i(|taken),
    .passed_o (passed)
  );

  if (AtOnce) begin : gen_at_once
    logic [Owners-1:0] held_q;
    logic              held;
    obi_a_t            a_q;
    assign held = |held_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q <= '0;
      else         held_q <= asks & ~taken & ~drop_i;
    end
    always_ff @(posedge clk_i) if (|req_i) a_q <= a_i;
    assign asks  = req_i | held_q;
    assign a_o   = held ? a_q : a_i;
    assign gnt_o = '1;

`ifndef SYNTHESIS
    a_one: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0({req_i, held}));
`endif
  end else begin : gen_wires
    logic unused_drop;
    assign unused_drop = ^drop_i;
    assign asks  = req_i;
    assign a_o   = a_i;
    assign gnt_o = taken;
  end
endmodule
