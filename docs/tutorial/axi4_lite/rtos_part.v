// SPDX-License-Identifier: Apache-2.0
// rtos_part: the exported unit as a peripheral: one AXI4-Lite port with the names that interconnects expect, interrupt lines of any
// clock, and two interrupts to the core.
// Timing: an interrupt line reaches the unit three cycles after it rises.
module rtos_part (
  input             aclk,
  input             aresetn,          // active low; rises with the clock, as AXI demands

  input             s_axi_awvalid,
  output            s_axi_awready,
  input      [16:0] s_axi_awaddr,     // offset in 128 KiB
  input             s_axi_wvalid,
  output            s_axi_wready,
  input      [31:0] s_axi_wdata,
  input      [3:0]  s_axi_wstrb,
  output            s_axi_bvalid,
  input             s_axi_bready,
  output     [1:0]  s_axi_bresp,
  input             s_axi_arvalid,
  output            s_axi_arready,
  input      [16:0] s_axi_araddr,
  output            s_axi_rvalid,
  input             s_axi_rready,
  output     [31:0] s_axi_rdata,
  output     [1:0]  s_axi_rresp,

  input      [7:0]  irq_async,        // rising edges count; of any clock
  output            irq_external,     // to the core: cause 11
  output            irq_software      // to the core: cause 3
);
  // Two registers before the unit looks at a line.
  reg [7:0] irq_meta_q, irq_q;
  always @(posedge aclk) begin
    irq_meta_q <= irq_async;
    irq_q      <= irq_meta_q;
  end

  // The task that runs: for couplings that follow it, such as a store of contexts.
  wire        unused_dispatch;
  wire [8:0]  unused_running;
  wire [31:0] unused_answer;

  mel_unit_axi4_lite u_rtos (
    .clk_i                (aclk),
    .rst_ni               (aresetn),
    .irq_i                (irq_q),
    .core0_awvalid_i      (s_axi_awvalid),
    .core0_awready_o      (s_axi_awready),
    .core0_awaddr_i       (s_axi_awaddr),
    .core0_wvalid_i       (s_axi_wvalid),
    .core0_wready_o       (s_axi_wready),
    .core0_wdata_i        (s_axi_wdata),
    .core0_wstrb_i        (s_axi_wstrb),
    .core0_bvalid_o       (s_axi_bvalid),
    .core0_bready_i       (s_axi_bready),
    .core0_bresp_o        (s_axi_bresp),
    .core0_arvalid_i      (s_axi_arvalid),
    .core0_arready_o      (s_axi_arready),
    .core0_araddr_i       (s_axi_araddr),
    .core0_rvalid_o       (s_axi_rvalid),
    .core0_rready_i       (s_axi_rready),
    .core0_rdata_o        (s_axi_rdata),
    .core0_rresp_o        (s_axi_rresp),
    .core0_irq_handler_o  (irq_external),
    .core0_irq_dispatch_o (irq_software),
    .core0_dispatch_o     (unused_dispatch),
    .core0_running_o      (unused_running),
    .core0_answer_o       (unused_answer)
  );
endmodule
