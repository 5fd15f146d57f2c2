// SPDX-License-Identifier: Apache-2.0
// mel_memory_arbiter: several cores at one port of the memory.
// Rule: round robin. Of those that ask, the first behind the core that was served last is next; an access that waits for the memory keeps
// its turn. So a core waits for at most one access of each other core, whatever they do.
// Contract: OBI-like on both sides; a request stays, with its payload, until its grant. The memory answers one cycle after its grant.
// Timing: adds no cycle: who asks alone is granted when the memory grants.
module mel_memory_arbiter #(
  parameter int unsigned Cores = 1,  // 1..4
  parameter int unsigned Width = 32  // bits of a request: address, write data …
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [Cores-1:0]            req_i,
  output logic [Cores-1:0]            gnt_o,
  input  logic [Cores-1:0][Width-1:0] payload_i,
  output logic [Cores-1:0]            rvalid_o,

  output logic                        req_o,
  input  logic                        gnt_i,
  output logic [Width-1:0]            payload_o,
  input  logic                        rvalid_i
);
  typedef logic [1:0] core_t;

  logic  held_q;           // the access of `core_q` waits for its grant
  core_t core, core_q;     // core whose turn it is; `core` of the last cycle
  core_t served_q;         // core of the last grant, which also gets the answer

  always_comb begin
    core = core_q;
    if (!held_q) begin
      // From the last in turn to the first: the last assignment counts.
      for (int unsigned i = Cores; i > 0; i--) begin
        if (req_i[(32'(served_q) + i) % Cores]) core = 2'((32'(served_q) + i) % Cores);
      end
    end
  end

  assign req_o = |req_i;

  always_comb begin
    payload_o = '0;
    gnt_o     = '0;
    rvalid_o  = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core == 2'(i)) payload_o = payload_i[i];
      gnt_o[i]    = gnt_i && req_i[i] && core == 2'(i);
      rvalid_o[i] = rvalid_i && served_q == 2'(i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q   <= 1'b0;
      core_q   <= '0;
      served_q <= '0;
    end else begin
      held_q <= req_o && !gnt_i;
      core_q <= core;
      if (req_o && gnt_i) served_q <= core;
    end
  end

  if (Cores < 1 || Cores > 4) begin : gen_cores_check
    $error("mel_memory_arbiter: Cores must be 1..4");
  end
endmodule
