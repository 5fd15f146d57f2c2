// SPDX-License-Identifier: Apache-2.0
// mel_bridge_wishbone: Wishbone B4 device (32 bit, classic handshake) to one access port of the hardware unit.
// Contract: `adr_i` is the word offset in the core's window, `sel_i` counts in loads and stores. The unit answers every access,
// so there is no ERR or RTY (an illegal access is counted in register `refused`). A master may withdraw a request:
// what the unit has taken takes effect all the same, and its answer is dropped, never given to the next request.
// Timing: combinational to the unit and back: a store is acknowledged in the cycle after its request, or, while the command
// before it is under way, in the cycle after that has ended; loads as in mel_access. The next request can begin in the
// cycle after the acknowledgement.
// Classic, because a classic device serves every master: one that pipelines connects `stall_o` (B4, 5.2) and loses one
// cycle per back-to-back transfer, while a classic master on a pipelined device would need a bridge of its own.
module mel_bridge_wishbone (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        cyc_i,
  input  logic        stb_i,
  input  logic        we_i,
  input  logic [$bits(mel_pkg::offset_t)-1:2] adr_i,
  input  logic [3:0]  sel_i,
  input  logic [31:0] dat_i,
  output logic        ack_o,
  output logic        stall_o,   // for masters that pipeline; others leave it open
  output logic [31:0] dat_o,

  output logic        req_valid_o,
  input  logic        req_ready_i,
  output logic        req_write_o,
  output mel_pkg::offset_t req_addr_o,
  output logic [3:0]  req_be_o,
  output logic [31:0] req_wdata_o,
  input  logic        rsp_valid_i,
  input  logic [31:0] rsp_rdata_i
);

  logic strobe;
  logic busy_q;    // the unit has a request and has not answered it
  logic stale_q;   // … and the master has withdrawn it

  assign strobe      = cyc_i && stb_i;
  assign req_valid_o = strobe && !busy_q;
  assign req_write_o = we_i;
  assign req_addr_o  = {adr_i, 2'b00};
  assign req_be_o    = sel_i;
  assign req_wdata_o = dat_i;
  assign ack_o       = strobe && rsp_valid_i && !stale_q;
  assign stall_o     = cyc_i && !ack_o;
  assign dat_o       = rsp_rdata_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      stale_q <= 1'b0;
    end else begin
      busy_q  <= busy_q ? !rsp_valid_i : (req_valid_o && req_ready_i);
      stale_q <= busy_q && !rsp_valid_i && (stale_q || !strobe);
    end
  end

endmodule
