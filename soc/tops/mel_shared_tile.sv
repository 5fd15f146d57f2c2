// SPDX-License-Identifier: Apache-2.0
// mel_shared_tile: where other systems have the hardware unit: the devices that the cores of a software kernel share, and the lock cache.
// Contract: a port of mel_obi_pkg for each core; interrupts, and their order, as in mel_shared_devices and mel_lock_windows.
// Timing: adds no cycle to these.
module mel_shared_tile
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

  input  logic [Lines-1:0]   irq_lines_i,
  output logic [Cores-1:0]   irq_timer_o,
  output logic [Cores-1:0]   irq_software_o,
  output logic [Cores-1:0]   irq_external_o
);
  logic [Cores-1:0]       we;
  logic [Cores-1:0][15:0] addr;
  logic [Cores-1:0][31:0] wdata;
  logic [Cores-1:0]       device_req, device_gnt, device_rvalid, bell;
  obi_r_t                 device_r;  // shared by the cores

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign we[i]    = a_i[i].we;
    assign addr[i]  = a_i[i].addr[15:0];
    assign wdata[i] = a_i[i].wdata;
  end

  mel_shared_devices #(
    .Cores(Cores),
    .Lines(Lines)
  ) u_shared_devices (
    .clk_i,
    .rst_ni,
    .req_i         (device_req),
    .gnt_o         (device_gnt),
    .we_i          (we),
    .addr_i        (addr),
    .wdata_i       (wdata),
    .rvalid_o      (device_rvalid),
    .rdata_o       (device_r.rdata),
    .err_o         (device_r.err),
    .irq_i         (irq_lines_i),
    .irq_timer_o,
    .irq_software_o(bell),
    .irq_external_o
  );

  if (ShortLocks + LongLocks != 0) begin : gen_locks
    logic [Cores-1:0]       notice, err;
    logic [Cores-1:0][3:0]  be;
    logic [Cores-1:0][31:0] rdata;

    for (genvar i = 0; i < Cores; i++) begin : gen_core
      assign be[i]  = a_i[i].be;
      assign r_o[i] = '{err: err[i], rdata: rdata[i]};
    end

    mel_lock_windows #(
      .Cores     (Cores),
      .ShortLocks(ShortLocks),
      .LongLocks (LongLocks),
      .HandOver  (HandOver),
      .Priorities(LockPriorities)
    ) u_lock_windows (
      .clk_i,
      .rst_ni,
      .req_i,
      .gnt_o,
      .we_i           (we),
      .be_i           (be),
      .addr_i         (addr),
      .wdata_i        (wdata),
      .rvalid_o,
      .rdata_o        (rdata),
      .err_o          (err),
      .device_req_o   (device_req),
      .device_gnt_i   (device_gnt),
      .device_rvalid_i(device_rvalid),
      .device_rdata_i (device_r.rdata),
      .device_err_i   (device_r.err),
      .irq_o          (notice)
    );
    assign irq_software_o = bell | notice;
  end else begin : gen_no_locks
    assign device_req     = req_i;
    assign gnt_o          = device_gnt;
    assign rvalid_o       = device_rvalid;
    assign r_o            = {Cores{device_r}};
    assign irq_software_o = bell;
  end

  logic unused_requests;
  assign unused_requests = ^a_i;
endmodule
