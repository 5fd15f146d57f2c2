// SPDX-License-Identifier: Apache-2.0
// mel_bridge_apb4: APB4 completer (32 bit) to one access port of the hardware unit.
// Contract: `paddr_i` is the byte offset in the core's window. Loads are whole words, stores carry `pstrb_i`; the unit answers
// every access, so `pslverr_o` is never set (an illegal access is counted in register `refused`).
// Timing: the request goes to the unit in the setup phase, `pready_o` is the unit's answer: a store takes no wait state (two
// cycles), or, while the command before it is under way, ends in the cycle after that has ended; loads as in mel_access.
// Needs: a setup phase is followed by its access phase, as APB says. `pprot` is not used.
module mel_bridge_apb4 (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        psel_i,
  input  logic        penable_i,
  input  logic        pwrite_i,
  input  mel_pkg::offset_t paddr_i,
  input  logic [3:0]  pstrb_i,
  input  logic [31:0] pwdata_i,
  output logic        pready_o,
  output logic [31:0] prdata_o,
  output logic        pslverr_o,

  output logic        req_valid_o,
  input  logic        req_ready_i,
  output logic        req_write_o,
  output mel_pkg::offset_t req_addr_o,
  output logic [3:0]  req_be_o,
  output logic [31:0] req_wdata_o,
  input  logic        rsp_valid_i,
  input  logic [31:0] rsp_rdata_i
);

  logic busy_q;   // the unit has the request and has not answered it

  assign req_valid_o = psel_i && !busy_q;
  assign req_write_o = pwrite_i;
  assign req_addr_o  = paddr_i;
  assign req_be_o    = pwrite_i ? pstrb_i : '1;   // a load has no strobes
  assign req_wdata_o = pwdata_i;
  assign pready_o    = rsp_valid_i;
  assign prdata_o    = rsp_rdata_i;
  assign pslverr_o   = 1'b0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else begin
      busy_q <= busy_q ? !rsp_valid_i : (req_valid_o && req_ready_i);
    end
  end

`ifndef SYNTHESIS
  a_access_phase: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !pready_o || (psel_i && penable_i));
`endif

endmodule
