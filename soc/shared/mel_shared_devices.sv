// SPDX-License-Identifier: Apache-2.0
// mel_shared_devices: the devices of a software kernel on several cores, which all cores share: a timer for each core, one interrupt controller, locks and
// doorbells. They stand where the hardware unit stands in other systems (offsets from its base: 0x0000 + 16 * core timers, 0x1000 interrupt controller,
// 0x2000 locks and doorbells). External interrupts come to core 0, where handlers run.
// Rule and contract: of mel_memory_arbiter; an access waits for at most one of each other core. An address of no device is answered with `err_o`.
// Timing: who asks alone is granted at once and answered in the next cycle.
module mel_shared_devices #(
  parameter int unsigned Cores = 2,  // 2..4
  parameter int unsigned Lines = 32  // interrupt lines of the controller, 1..64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Cores-1:0]       req_i,
  output logic [Cores-1:0]       gnt_o,
  input  logic [Cores-1:0]       we_i,
  input  logic [Cores-1:0][15:0] addr_i,
  input  logic [Cores-1:0][31:0] wdata_i,
  output logic [Cores-1:0]       rvalid_o,
  output logic [31:0]            rdata_o,
  output logic                   err_o,
  input  logic [Lines-1:0]       irq_i,
  output logic [Cores-1:0]       irq_timer_o,
  output logic [Cores-1:0]       irq_software_o,
  output logic [Cores-1:0]       irq_external_o
);
  localparam int unsigned Width = 51;  // core, write, address, write data

  logic [Cores-1:0][Width-1:0] payload;
  for (genvar i = 0; i < Cores; i++) begin : gen_payload
    assign payload[i] = {2'(i), we_i[i], addr_i[i], wdata_i[i]};
  end

  logic        req, we, rvalid_q;
  logic [1:0]  core;
  logic [15:0] addr;
  logic [31:0] wdata;

  mel_memory_arbiter #(
    .Cores(Cores),
    .Width(Width)
  ) u_memory_arbiter (
    .clk_i,
    .rst_ni,
    .req_i,
    .gnt_o,
    .payload_i(payload),
    .rvalid_o,
    .req_o    (req),
    .gnt_i    (1'b1),
    .payload_o({core, we, addr, wdata}),
    .rvalid_i (rvalid_q)
  );

  logic timer_page, intc_page, locks_page;
  assign timer_page = addr[15:12] == 4'd0 && addr[11:6] == '0 && 32'(addr[5:4]) < Cores;
  assign intc_page  = addr[15:12] == 4'd1 && addr[11:5] == '0;
  assign locks_page = addr[15:12] == 4'd2 && addr[11:9] == '0;

  logic [Cores-1:0][31:0] timer_rdata;
  for (genvar i = 0; i < Cores; i++) begin : gen_timer
    mel_timer u_timer (
      .clk_i,
      .rst_ni,
      .req_i  (req && timer_page && addr[5:4] == 2'(i)),
      .we_i   (we),
      .addr_i (addr[3:0]),
      .wdata_i(wdata),
      .rdata_o(timer_rdata[i]),
      .irq_o  (irq_timer_o[i])
    );
  end

  logic [31:0] intc_rdata, locks_rdata;
  logic        irq_external;
  mel_intc #(
    .Lines(Lines)
  ) u_intc (
    .clk_i,
    .rst_ni,
    .irq_i,
    .req_i  (req && intc_page),
    .we_i   (we),
    .addr_i (addr[4:0]),
    .wdata_i(wdata),
    .rdata_o(intc_rdata),
    .irq_o  (irq_external)
  );
  assign irq_external_o = Cores'(irq_external);

  mel_locks #(
    .Cores(Cores)
  ) u_locks (
    .clk_i,
    .rst_ni,
    .req_i  (req && locks_page),
    .we_i   (we),
    .core_i (core),
    .addr_i (addr[8:0]),
    .wdata_i(wdata),
    .rdata_o(locks_rdata),
    .bell_o (irq_software_o)
  );

  logic       timer_q, intc_q, locks_q;
  logic [1:0] timer_core_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q     <= 1'b0;
      timer_q      <= 1'b0;
      intc_q       <= 1'b0;
      locks_q      <= 1'b0;
      timer_core_q <= '0;
    end else begin
      rvalid_q     <= req;
      timer_q      <= timer_page;
      intc_q       <= intc_page;
      locks_q      <= locks_page;
      timer_core_q <= addr[5:4];
    end
  end

  always_comb begin
    rdata_o = '0;
    if (timer_q) begin
      for (int unsigned i = 0; i < Cores; i++) begin
        if (timer_core_q == 2'(i)) rdata_o = timer_rdata[i];
      end
    end
    if (intc_q) rdata_o = intc_rdata;
    if (locks_q) rdata_o = locks_rdata;
    err_o = !(timer_q || intc_q || locks_q);
  end
endmodule
