// SPDX-License-Identifier: Apache-2.0
// mel_bridge_axi4_lite: AXI4-Lite subordinate (32 bit) to one access port of the hardware unit.
// Contract: `awaddr_i`, `araddr_i` are the byte offset in the core's window. Loads are whole words, stores carry `wstrb_i`; the
// unit answers every access, so responses are always OKAY (an illegal access is counted in register `refused`). One transfer
// is under way; of a load and a store that wait, the kind that was not served last comes first. A master that wants
// order between loads and stores waits for the response, as AXI says. No combinational path from AXI inputs to AXI outputs.
// Timing: adds no cycle. A store is given to the unit in the cycle in which address and data are both there, and answered in
// the next, or, while the command before it is under way, in the cycle after that has ended; loads as in mel_access. The next
// transfer goes to the unit in the cycle after the response is taken.
// Needs: `req_ready_i`, `rsp_valid_i`, `rsp_rdata_i` from registers. `awprot` and `arprot` are not used.
module mel_bridge_axi4_lite (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        awvalid_i,
  output logic        awready_o,
  input  mel_pkg::offset_t awaddr_i,
  input  logic        wvalid_i,
  output logic        wready_o,
  input  logic [31:0] wdata_i,
  input  logic [3:0]  wstrb_i,
  output logic        bvalid_o,
  input  logic        bready_i,
  output logic [1:0]  bresp_o,
  input  logic        arvalid_i,
  output logic        arready_o,
  input  mel_pkg::offset_t araddr_i,
  output logic        rvalid_o,
  input  logic        rready_i,
  output logic [31:0] rdata_o,
  output logic [1:0]  rresp_o,

  output logic        req_valid_o,
  input  logic        req_ready_i,
  output logic        req_write_o,
  output mel_pkg::offset_t req_addr_o,
  output logic [3:0]  req_be_o,
  output logic [31:0] req_wdata_o,
  input  logic        rsp_valid_i,
  input  logic [31:0] rsp_rdata_i
);

  localparam logic [1:0] Okay = 2'b00;

  logic        aw_held_q, w_held_q;   // address, data of a store that the unit has not taken
  mel_pkg::offset_t awaddr_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0]  wstrb_q;
  logic        busy_q;                // the unit has a request and has not answered it
  logic        answer_q;              // its answer waits for the master
  logic        write_q;               // the last request was a store
  logic        free, read, write, accepted, answered;

  // ---- requests -------------------------------------------------------------------------------------------------------

  assign free      = !busy_q && !answer_q;
  assign awready_o = !aw_held_q;
  assign wready_o  = !w_held_q;
  assign arready_o = free && req_ready_i && (write_q || !(aw_held_q && w_held_q));
  assign read      = arvalid_i && arready_o;
  assign write     = free && (aw_held_q || awvalid_i) && (w_held_q || wvalid_i) && !read;
  assign accepted  = req_valid_o && req_ready_i;

  assign req_valid_o = read || write;
  assign req_write_o = !read;
  assign req_addr_o  = read ? araddr_i : aw_held_q ? awaddr_q : awaddr_i;
  assign req_be_o    = read ? '1 : w_held_q ? wstrb_q : wstrb_i;
  assign req_wdata_o = w_held_q ? wdata_q : wdata_i;

  // ---- answers --------------------------------------------------------------------------------------------------------

  assign answered = rsp_valid_i || answer_q;
  assign bvalid_o = answered && write_q;
  assign rvalid_o = answered && !write_q;
  assign bresp_o  = Okay;
  assign rresp_o  = Okay;
  assign rdata_o  = answer_q ? rdata_q : rsp_rdata_i;

  // ---- registers ------------------------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      busy_q    <= 1'b0;
      answer_q  <= 1'b0;
      write_q   <= 1'b0;
    end else begin
      aw_held_q <= (aw_held_q || awvalid_i) && !(write && accepted);
      w_held_q  <= (w_held_q || wvalid_i) && !(write && accepted);
      busy_q    <= busy_q ? !rsp_valid_i : accepted;
      answer_q  <= answered && !(write_q ? bready_i : rready_i);
      if (accepted) write_q <= write;
    end
  end

  always_ff @(posedge clk_i) begin
    if (awready_o) awaddr_q <= awaddr_i;
    if (wready_o) {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
    if (rsp_valid_i) rdata_q <= rsp_rdata_i;
  end

endmodule
