// SPDX-License-Identifier: Apache-2.0
// mel_wishbone_obi: one Wishbone port of a core (classic cycles, and bursts with incrementing addresses: CTI 010 … 111) as an OBI-like port.
// Contract: one access is outstanding at most. A burst stays in 8 words, from the first: the low three bits of its address wrap. `err_o` is
// high for one cycle per access that nobody owns; its ACK is given all the same, with data 0, because the core that this is for waits for
// nothing else (it does not look at ERR).
// Timing: a store has its ACK in the cycle of its grant, a load in the cycle of its answer; in a burst the next word is asked for in that
// cycle already, so that with a memory of no wait states eight words take nine cycles.
module mel_wishbone_obi (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        stb_i,    // and CYC: the core drives them alike
  output logic        ack_o,
  input  logic        we_i,
  input  logic [29:0] adr_i,    // word address
  input  logic [3:0]  sel_i,
  input  logic [31:0] dat_i,
  output logic [31:0] dat_o,
  input  logic [2:0]  cti_i,

  output logic        req_o,
  input  logic        gnt_i,
  output logic        we_o,
  output logic [3:0]  be_o,
  output logic [31:0] addr_o,
  output logic [31:0] wdata_o,
  input  logic        rvalid_i,
  input  logic [31:0] rdata_i,
  input  logic        err_i,
  output logic        err_o
);
  localparam logic [2:0] Incrementing = 3'b010;

  logic pending_q, load_q;  // an access was granted and not answered yet; it is a load
  logic loading;            // the core still holds the address of that load
  logic answered;

  assign loading  = pending_q && load_q;
  assign answered = loading && rvalid_i;

  // While a load is on its way the only thing to ask for is the word behind it, once it is there.
  assign req_o   = stb_i && (!loading || (answered && cti_i == Incrementing));
  assign we_o    = we_i;
  assign be_o    = sel_i;
  assign addr_o  = {adr_i[29:3], adr_i[2:0] + 3'(answered), 2'b00};
  assign wdata_o = dat_i;

  assign ack_o = answered || (we_i && req_o && gnt_i);
  assign err_o = pending_q && rvalid_i && err_i;
  assign dat_o = err_i ? 32'd0 : rdata_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      load_q    <= 1'b0;
    end else if (req_o && gnt_i) begin
      pending_q <= 1'b1;
      load_q    <= !we_i;
    end else if (rvalid_i) begin
      pending_q <= 1'b0;
    end
  end
endmodule
