// SPDX-License-Identifier: Apache-2.0
// rtos_part_tb: an AXI4-Lite master in the place of a core makes a semaphore, and an interrupt gives it.
// Ends with `rtos_part: passed`, or says which load differs.
module rtos_part_tb;
  localparam logic [16:0] Identity = 17'h0FC00, Ready = 17'h0FC0C;
  localparam int SemaphoreCreate = 16, SemaphoreTake = 19, IrqMap = 32, IrqEnable = 33, SemaphoreGive = 1;
  localparam int Sem = 0, Line = 3;
  localparam logic [31:0] Ok = 32'd0;

  logic clk = 1'b0, reset_n = 1'b0;
  always #5 clk = ~clk;

  logic awvalid = 0, awready, wvalid = 0, wready, bvalid, bready = 0, arvalid = 0, arready, rvalid, rready = 0;
  logic [16:0] awaddr = 0, araddr = 0;
  logic [31:0] wdata = 0, rdata;
  logic [1:0] bresp, rresp;
  logic [7:0] irq = 0;
  logic irq_external, irq_software;

  rtos_part u_part (
    .aclk (clk), .aresetn (reset_n),
    .s_axi_awvalid (awvalid), .s_axi_awready (awready), .s_axi_awaddr (awaddr),
    .s_axi_wvalid (wvalid), .s_axi_wready (wready), .s_axi_wdata (wdata), .s_axi_wstrb (4'hF),
    .s_axi_bvalid (bvalid), .s_axi_bready (bready), .s_axi_bresp (bresp),
    .s_axi_arvalid (arvalid), .s_axi_arready (arready), .s_axi_araddr (araddr),
    .s_axi_rvalid (rvalid), .s_axi_rready (rready), .s_axi_rdata (rdata), .s_axi_rresp (rresp),
    .irq_async (irq), .irq_external, .irq_software
  );

  function automatic logic [16:0] address(int op, int id);
    return 17'(op * 1024 + id * 4);
  endfunction

  // Inputs change at the falling edge, so that each rising edge sees them settled.
  task automatic store(input logic [16:0] at, input logic [31:0] data);
    logic aw_taken, w_taken;
    @(negedge clk);
    {awaddr, wdata, awvalid, wvalid, bready} = {at, data, 3'b111};
    while (awvalid || wvalid) begin
      aw_taken = awready;
      w_taken = wready;
      @(negedge clk);
      if (aw_taken) awvalid = 0;
      if (w_taken) wvalid = 0;
    end
    while (!bvalid) @(negedge clk);
    @(negedge clk);
    bready = 0;
  endtask

  task automatic load(input logic [16:0] at, output logic [31:0] data);
    logic taken;
    @(negedge clk);
    {araddr, arvalid, rready} = {at, 2'b11};
    while (arvalid) begin
      taken = arready;
      @(negedge clk);
      if (taken) arvalid = 0;
    end
    while (!rvalid) @(negedge clk);
    data = rdata;
    @(negedge clk);
    rready = 0;
  endtask

  task automatic command(input int op, input int id, input logic [31:0] argument, output logic [31:0] answer);
    store(address(op, id), argument);
    load(17'd0, answer);
  endtask

  task automatic expect_word(input string what, input logic [31:0] found, input logic [31:0] wanted);
    if (found !== wanted) begin
      $display("rtos_part: %s is %h, not %h", what, found, wanted);
      $fatal;
    end
  endtask

  initial begin
    repeat (100_000) @(negedge clk);
    $display("rtos_part: no answer");
    $fatal;
  end

  logic [31:0] word;
  initial begin
    repeat (4) @(negedge clk);
    reset_n = 1;
    do load(Ready, word); while (word == 0);
    load(Identity, word);
    expect_word("identity", word, 32'h4D454C31);
    command(SemaphoreCreate, Sem, {16'd1, 16'd0}, word);
    expect_word("the answer to semaphore_create", word, Ok);
    command(IrqMap, Line, Sem << 8 | SemaphoreGive, word);
    expect_word("the answer to irq_map", word, Ok);
    command(IrqEnable, Line, 0, word);
    expect_word("the answer to irq_enable", word, Ok);
    irq[Line] = 1;
    repeat (40) @(negedge clk);
    irq[Line] = 0;
    command(SemaphoreTake, Sem, 0, word);
    expect_word("the answer to semaphore_take", word, Ok);
    command(SemaphoreTake, Sem, 0, word);
    if (word == Ok) expect_word("the answer to a second semaphore_take", word, 32'hFFFFFFCE);
    $display("rtos_part: passed");
    $finish;
  end

  logic unused;
  assign unused = ^{bresp, rresp, irq_external, irq_software};
endmodule
