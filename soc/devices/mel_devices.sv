// SPDX-License-Identifier: Apache-2.0
// mel_devices: the device region of one core (0x2000_0000, one 4 KiB page a device): decodes the page and joins the answers.
// Contract: `req_i` is high for one cycle per access; the answer is there in the next cycle; an address of no device is answered with `err_o`.
// With MEL_BOARD the pages from 2 on are handed out (mel_host_pkg), to the devices of soc/board.
// Software kernels have a timer (page 0) and an interrupt controller (page 1); systems with the hardware unit have neither.
module mel_devices #(
  parameter bit          HasTimer = 1'b1,
  parameter int unsigned Core     = 0,     // number of the core
  parameter int unsigned Lines    = 32     // interrupt lines of the controller, 1..64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             req_i,
  input  logic             we_i,
  input  logic [15:0]      addr_i,
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o,
  output logic             err_o,
  input  logic [Lines-1:0] irq_i,
  output logic             irq_timer_o,
  output logic             irq_external_o
`ifdef MEL_BOARD
  ,
  output mel_host_pkg::host_a_t host_a_o,
  input  mel_host_pkg::host_r_t host_r_i
`endif
);
  logic        timer_page, intc_page, host_page;
  logic        timer_q, intc_q, host_q;         // page that answers
  logic [31:0] timer_rdata, intc_rdata, host_rdata;
  logic        host_err;

  assign timer_page = HasTimer && addr_i[15:12] == 4'd0;
  assign intc_page  = HasTimer && addr_i[15:12] == 4'd1;
  assign host_page  = !addr_i[15] && addr_i[14:12] > 3'd1;

  if (HasTimer) begin : gen_timer
    mel_timer u_timer (
      .clk_i,
      .rst_ni,
      .req_i  (req_i && timer_page && addr_i[11:4] == '0),
      .we_i,
      .addr_i (addr_i[3:0]),
      .wdata_i,
      .rdata_o(timer_rdata),
      .irq_o  (irq_timer_o)
    );
    mel_intc #(
      .Lines(Lines)
    ) u_intc (
      .clk_i,
      .rst_ni,
      .irq_i,
      .req_i  (req_i && intc_page && addr_i[11:5] == '0),
      .we_i,
      .addr_i (addr_i[4:0]),
      .wdata_i,
      .rdata_o(intc_rdata),
      .irq_o  (irq_external_o)
    );
  end else begin : gen_no_timer
    assign timer_rdata    = '0;
    assign intc_rdata     = '0;
    assign irq_timer_o    = 1'b0;
    assign irq_external_o = 1'b0;
    logic unused_irq;
    assign unused_irq = ^irq_i;
  end

`ifdef MEL_BOARD
  assign host_a_o = '{req: req_i && host_page, we: we_i, addr: addr_i[14:0], wdata: wdata_i};
  assign {host_err, host_rdata} = host_r_i;
  logic unused_core;
  assign unused_core = ^Core;
`else
  mel_host #(
    .Core(Core)
  ) u_host (
    .clk_i,
    .rst_ni,
    .req_i  (req_i && host_page),
    .we_i,
    .addr_i (addr_i[14:0]),
    .wdata_i,
    .rdata_o(host_rdata),
    .err_o  (host_err)
  );
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      timer_q <= 1'b0;
      intc_q  <= 1'b0;
      host_q  <= 1'b0;
    end else begin
      timer_q <= timer_page && addr_i[11:4] == '0;
      intc_q  <= intc_page && addr_i[11:5] == '0;
      host_q  <= host_page;
    end
  end

  always_comb begin
    rdata_o = '0;
    err_o   = 1'b0;
    if (timer_q) rdata_o = timer_rdata;
    else if (intc_q) rdata_o = intc_rdata;
    else if (host_q) begin
      rdata_o = host_rdata;
      err_o   = host_err;
    end else begin
      err_o = 1'b1;
    end
  end
endmodule
