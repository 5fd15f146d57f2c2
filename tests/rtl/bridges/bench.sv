// SPDX-License-Identifier: Apache-2.0
// bench: the hardware unit behind one bridge at a time, with ports named as the bus models of others want them. `bus_i` chooses: 0 OBI,
// 1 APB4, 2 AXI4-Lite, 3 Wishbone classic, 4 Wishbone for a master that pipelines (its `stall` connected).
// `stall_i` makes the unit deaf, at any time; `fault_i` plants a bug behind the bridges: 1 strobes lost, 2 a bit
// of addresses inverted, 3 a bit of data of loads inverted. Elsewhere: who drives it (session.py), what they do (program.py).
module bench #(
  parameter mel_pkg::sizes_t Sizes     = mel_pkg::SizesDefault,
  parameter logic [31:0] ParameterHash = '0
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic [2:0]  bus_i,
  input  logic        stall_i,
  input  logic [1:0]  fault_i,
  output logic        irq_handler_o,
  output logic        irq_dispatch_o,

  input  logic        obi_req,
  output logic        obi_gnt,
  input  mel_pkg::offset_t obi_addr,
  input  logic        obi_we,
  input  logic [3:0]  obi_be,
  input  logic [31:0] obi_wdata,
  output logic        obi_rvalid,
  input  logic        obi_rready,   // the model wants one; the bridge's answers are taken at once
  output logic [31:0] obi_rdata,
  output logic        obi_err,

  input  logic        apb_psel,
  input  logic        apb_penable,
  input  logic        apb_pwrite,
  input  mel_pkg::offset_t apb_paddr,
  input  logic [3:0]  apb_pstrb,
  input  logic [31:0] apb_pwdata,
  output logic        apb_pready,
  output logic [31:0] apb_prdata,
  output logic        apb_pslverr,

  input  logic        axi_awvalid,
  output logic        axi_awready,
  input  mel_pkg::offset_t axi_awaddr,
  input  logic        axi_wvalid,
  output logic        axi_wready,
  input  logic [31:0] axi_wdata,
  input  logic [3:0]  axi_wstrb,
  output logic        axi_bvalid,
  input  logic        axi_bready,
  output logic [1:0]  axi_bresp,
  input  logic        axi_arvalid,
  output logic        axi_arready,
  input  mel_pkg::offset_t axi_araddr,
  output logic        axi_rvalid,
  input  logic        axi_rready,
  output logic [31:0] axi_rdata,
  output logic [1:0]  axi_rresp,

  input  logic        wb_cyc,
  input  logic        wb_stb,
  input  logic        wb_we,
  input  logic [14:0] wb_adr,
  input  logic [3:0]  wb_sel,
  input  logic [31:0] wb_datwr,
  output logic        wb_ack,
  output logic [31:0] wb_datrd,

  input  logic        wbp_cyc,
  input  logic        wbp_stb,
  input  logic        wbp_we,
  input  logic [14:0] wbp_adr,
  input  logic [3:0]  wbp_sel,
  input  logic [31:0] wbp_datwr,
  output logic        wbp_ack,
  output logic        wbp_stall,
  output logic [31:0] wbp_datrd
);
  localparam int unsigned Buses = 5;
  typedef enum logic [1:0] { FaultNone, FaultStrobes, FaultAddress, FaultData } fault_e;

  logic [Buses-1:0]       valid, ready, write, answered;
  mel_pkg::offset_t [Buses-1:0] addr;
  logic [Buses-1:0][3:0]  be;
  logic [Buses-1:0][31:0] wdata;
  logic [31:0]            rdata, unit_rdata;
  logic                   unit_valid, unit_ready, unit_answered, classic_stall;

  // ---- the chosen bridge and the unit ---------------------------------------------------------------------------------

  assign unit_valid = valid[bus_i] && !stall_i;
  always_comb begin
    ready           = '0;
    answered        = '0;
    ready[bus_i]    = unit_ready && !stall_i;
    answered[bus_i] = unit_answered;
  end
  assign rdata = unit_rdata ^ {31'd0, fault_i == FaultData};

  mel_pkg::trace_t       tick, step;
  mel_pkg::trace_t [0:0] answer;

  mel_unit #(
    .Sizes (Sizes), .ParameterHash (ParameterHash)
  ) u_unit (
    .clk_i (clk), .rst_ni (rst_n),
    .req_valid_i (unit_valid), .req_ready_o (unit_ready), .req_write_i (write[bus_i]),
    .req_addr_i ((fault_i == FaultAddress) ? addr[bus_i] ^ 17'd4 : addr[bus_i]),
    .req_be_i ((fault_i == FaultStrobes) ? '1 : be[bus_i]), .req_wdata_i (wdata[bus_i]),
    .rsp_valid_o (unit_answered), .rsp_rdata_o (unit_rdata),
    .irq_i ('0), .irq_handler_o, .irq_dispatch_o,
    .dispatch_o(), .running_o(), .answer_o(),
    .trace_tick_o (tick), .trace_o (step), .trace_answer_o (answer)
  );

  // ---- the bridges ----------------------------------------------------------------------------------------------------

  mel_bridge_obi u_obi (
    .req_i (obi_req), .gnt_o (obi_gnt), .we_i (obi_we), .addr_i (obi_addr), .be_i (obi_be), .wdata_i (obi_wdata),
    .rvalid_o (obi_rvalid), .rdata_o (obi_rdata), .err_o (obi_err),
    .req_valid_o (valid[0]), .req_ready_i (ready[0]), .req_write_o (write[0]), .req_addr_o (addr[0]), .req_be_o (be[0]),
    .req_wdata_o (wdata[0]), .rsp_valid_i (answered[0]), .rsp_rdata_i (rdata)
  );

  mel_bridge_apb4 u_apb4 (
    .clk_i (clk), .rst_ni (rst_n),
    .psel_i (apb_psel), .penable_i (apb_penable), .pwrite_i (apb_pwrite), .paddr_i (apb_paddr), .pstrb_i (apb_pstrb),
    .pwdata_i (apb_pwdata), .pready_o (apb_pready), .prdata_o (apb_prdata), .pslverr_o (apb_pslverr),
    .req_valid_o (valid[1]), .req_ready_i (ready[1]), .req_write_o (write[1]), .req_addr_o (addr[1]), .req_be_o (be[1]),
    .req_wdata_o (wdata[1]), .rsp_valid_i (answered[1]), .rsp_rdata_i (rdata)
  );

  mel_bridge_axi4_lite u_axi4_lite (
    .clk_i (clk), .rst_ni (rst_n),
    .awvalid_i (axi_awvalid), .awready_o (axi_awready), .awaddr_i (axi_awaddr),
    .wvalid_i (axi_wvalid), .wready_o (axi_wready), .wdata_i (axi_wdata), .wstrb_i (axi_wstrb),
    .bvalid_o (axi_bvalid), .bready_i (axi_bready), .bresp_o (axi_bresp),
    .arvalid_i (axi_arvalid), .arready_o (axi_arready), .araddr_i (axi_araddr),
    .rvalid_o (axi_rvalid), .rready_i (axi_rready), .rdata_o (axi_rdata), .rresp_o (axi_rresp),
    .req_valid_o (valid[2]), .req_ready_i (ready[2]), .req_write_o (write[2]), .req_addr_o (addr[2]), .req_be_o (be[2]),
    .req_wdata_o (wdata[2]), .rsp_valid_i (answered[2]), .rsp_rdata_i (rdata)
  );

  mel_bridge_wishbone u_wishbone (
    .clk_i (clk), .rst_ni (rst_n),
    .cyc_i (wb_cyc), .stb_i (wb_stb), .we_i (wb_we), .adr_i (wb_adr), .sel_i (wb_sel), .dat_i (wb_datwr),
    .ack_o (wb_ack), .stall_o (classic_stall), .dat_o (wb_datrd),
    .req_valid_o (valid[3]), .req_ready_i (ready[3]), .req_write_o (write[3]), .req_addr_o (addr[3]), .req_be_o (be[3]),
    .req_wdata_o (wdata[3]), .rsp_valid_i (answered[3]), .rsp_rdata_i (rdata)
  );

  mel_bridge_wishbone u_wishbone_pipelined (
    .clk_i (clk), .rst_ni (rst_n),
    .cyc_i (wbp_cyc), .stb_i (wbp_stb), .we_i (wbp_we), .adr_i (wbp_adr), .sel_i (wbp_sel), .dat_i (wbp_datwr),
    .ack_o (wbp_ack), .stall_o (wbp_stall), .dat_o (wbp_datrd),
    .req_valid_o (valid[4]), .req_ready_i (ready[4]), .req_write_o (write[4]), .req_addr_o (addr[4]), .req_be_o (be[4]),
    .req_wdata_o (wdata[4]), .rsp_valid_i (answered[4]), .rsp_rdata_i (rdata)
  );

  logic unused;
  assign unused = ^{obi_rready, classic_stall, tick, step, answer};
endmodule
