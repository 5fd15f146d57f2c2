// SPDX-License-Identifier: Apache-2.0
// mel_ethernet_tile: the Ethernet MAC in front of what else stands at UnitBase: its window of 4 KiB for every core is the last of the components'. Every
// other access goes on.
// Contract: a port of mel_obi_pkg for each core. `irq_lines_o` is a level on each of the MAC's two lines, for the edge of an interrupt line.
// Timing: adds no cycle.
module mel_ethernet_tile
  import mel_system_pkg::*;
  import mel_obi_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic [Cores-1:0]   req_i,
  output logic [Cores-1:0]   gnt_o,
  input  obi_a_t [Cores-1:0] a_i,
  output logic [Cores-1:0]   rvalid_o,
  output obi_r_t [Cores-1:0] r_o,

  output logic [Cores-1:0]   rest_req_o,
  input  logic [Cores-1:0]   rest_gnt_i,
  output obi_a_t [Cores-1:0] rest_a_o,
  input  logic [Cores-1:0]   rest_rvalid_i,
  input  obi_r_t [Cores-1:0] rest_r_i,

  output logic [63:0]        irq_lines_o
);
  localparam logic [31:0] EthernetBase = UnitBase + mel_pkg::WindowBytes + 4096 * (Components - 1);

  logic [Cores-1:0]       valid, ready, rsp_valid, write;
  logic [Cores-1:0][15:0] addr;
  logic [Cores-1:0][3:0]  be;
  logic [Cores-1:0][31:0] wdata, rsp_rdata;
  logic [1:0]             irq;

  assign rest_a_o = a_i;

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    logic             mine, mine_q;  // the access is one to the MAC; so is the one that is answered
    logic             gnt, rvalid;
    obi_r_t           r;
    /* verilator lint_off UNUSEDSIGNAL */  // the window of a unit is larger than that of a component
    mel_pkg::offset_t far_addr;
    /* verilator lint_on UNUSEDSIGNAL */

    assign mine          = a_i[i].addr - EthernetBase < 4096;
    assign addr[i]       = far_addr[15:0];
    assign rest_req_o[i] = req_i[i] && !mine;
    assign gnt_o[i]      = mine ? gnt : rest_gnt_i[i];
    assign rvalid_o[i]   = mine_q ? rvalid : rest_rvalid_i[i];
    assign r_o[i]        = mine_q ? r : rest_r_i[i];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                    mine_q <= 1'b0;
      else if (req_i[i] && gnt_o[i]) mine_q <= mine;
    end

    mel_bridge_obi u_bridge_obi (
      .req_i      (req_i[i] && mine),
      .gnt_o      (gnt),
      .we_i       (a_i[i].we),
      .addr_i     ({5'd0, a_i[i].addr[11:0]}),
      .be_i       (a_i[i].be),
      .wdata_i    (a_i[i].wdata),
      .rvalid_o   (rvalid),
      .rdata_o    (r.rdata),
      .err_o      (r.err),
      .req_valid_o(valid[i]),
      .req_ready_i(ready[i]),
      .req_write_o(write[i]),
      .req_addr_o (far_addr),
      .req_be_o   (be[i]),
      .req_wdata_o(wdata[i]),
      .rsp_valid_i(rsp_valid[i]),
      .rsp_rdata_i(rsp_rdata[i])
    );
  end

  mel_ethernet #(
    .Slots  (EthernetSlots),
    .Words  (EthernetWords),
    .Samples(EthernetSamples),
    .Cores  (Cores)
  ) u_ethernet (
    .clk_i,
    .rst_ni,
    .req_valid_i(valid),
    .req_ready_o(ready),
    .req_write_i(write),
    .req_addr_i (addr),
    .req_be_i   (be),
    .req_wdata_i(wdata),
    .rsp_valid_o(rsp_valid),
    .rsp_rdata_o(rsp_rdata),
    .irq_o      (irq)
  );

  assign irq_lines_o = 64'(irq) << EthernetLine;
endmodule
