// SPDX-License-Identifier: Apache-2.0
// mel_lock_windows: the lock cache in a system: behind the port that each core's bus has for the hardware unit, beside the devices that the cores share
// (mel_shared_devices). 4 KiB from offset 0x3000 are the core's window of the lock cache, everything else goes on to the devices.
// Contract: OBI-like, as mel_bus has it: one access of a core is outstanding, the next may be granted in the cycle of the answer. A grant waits as the lock
// cache does (mel_lock_cache): behind one access of each other core, and while it clears its words after reset.
// `irq_o` is a level, high while the core has a notice, and is for a level-sensitive input of that core. Not for mel_intc: that counts edges, and
// has one output, for core 0; a notice that comes while another is pending makes no edge.
// Timing: adds no cycle.
module mel_lock_windows #(
  parameter int unsigned Cores      = 2,   // 2..4
  parameter int unsigned ShortLocks = 64,  // 1..128
  parameter int unsigned LongLocks  = 64,  // 1..128
  parameter int unsigned HandOver   = 0,   // 0..1
  parameter int unsigned Priorities = 32   // 2..256
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [Cores-1:0]       req_i,
  output logic [Cores-1:0]       gnt_o,
  input  logic [Cores-1:0]       we_i,
  input  logic [Cores-1:0][3:0]  be_i,
  input  logic [Cores-1:0][15:0] addr_i,
  input  logic [Cores-1:0][31:0] wdata_i,
  output logic [Cores-1:0]       rvalid_o,
  output logic [Cores-1:0][31:0] rdata_o,
  output logic [Cores-1:0]       err_o,

  output logic [Cores-1:0]       device_req_o,
  input  logic [Cores-1:0]       device_gnt_i,
  input  logic [Cores-1:0]       device_rvalid_i,
  input  logic [31:0]            device_rdata_i,
  input  logic                   device_err_i,

  output logic [Cores-1:0]       irq_o
);
  localparam logic [3:0] Page = 4'd3;

  logic [Cores-1:0]       req_valid, req_ready, req_write, rsp_valid;
  logic [Cores-1:0][15:0] req_addr;
  logic [Cores-1:0][3:0]  req_be;
  logic [Cores-1:0][31:0] req_wdata, rsp_rdata;

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    logic        here, here_q;  // the access is to the lock cache; the one that is answered was
    logic        gnt, rvalid, err;
    /* verilator lint_off UNUSEDSIGNAL */  // the window of a unit is larger than that of the lock cache
    mel_pkg::offset_t far_addr;
    /* verilator lint_on UNUSEDSIGNAL */
    logic [31:0] rdata;

    assign req_addr[i]     = far_addr[15:0];
    assign here            = addr_i[i][15:12] == Page;
    assign device_req_o[i] = req_i[i] && !here;
    assign gnt_o[i]        = here ? gnt : device_gnt_i[i];
    assign rvalid_o[i]     = here_q ? rvalid : device_rvalid_i[i];
    assign rdata_o[i]      = here_q ? rdata : device_rdata_i;
    assign err_o[i]        = here_q ? err : device_err_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                    here_q <= 1'b0;
      else if (req_i[i] && gnt_o[i]) here_q <= here;
    end

    mel_bridge_obi u_bridge_obi (
      .req_i      (req_i[i] && here),
      .gnt_o      (gnt),
      .we_i       (we_i[i]),
      .addr_i     ({5'd0, addr_i[i][11:0]}),
      .be_i       (be_i[i]),
      .wdata_i    (wdata_i[i]),
      .rvalid_o   (rvalid),
      .rdata_o    (rdata),
      .err_o      (err),
      .req_valid_o(req_valid[i]),
      .req_ready_i(req_ready[i]),
      .req_write_o(req_write[i]),
      .req_addr_o (far_addr),
      .req_be_o   (req_be[i]),
      .req_wdata_o(req_wdata[i]),
      .rsp_valid_i(rsp_valid[i]),
      .rsp_rdata_i(rsp_rdata[i])
    );
  end

  mel_lock_cache #(
    .ShortLocks(ShortLocks),
    .LongLocks (LongLocks),
    .Cores     (Cores),
    .HandOver  (HandOver),
    .Priorities(Priorities)
  ) u_lock_cache (
    .clk_i,
    .rst_ni,
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_write_i(req_write),
    .req_addr_i (req_addr),
    .req_be_i   (req_be),
    .req_wdata_i(req_wdata),
    .rsp_valid_o(rsp_valid),
    .rsp_rdata_o(rsp_rdata),
    .irq_o
  );
endmodule
