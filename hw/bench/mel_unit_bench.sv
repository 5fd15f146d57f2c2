// SPDX-License-Identifier: Apache-2.0
// mel_unit_bench: the hardware unit with four cores, each behind another bridge: 0 OBI, 1 APB4, 2 AXI4-Lite, 3 Wishbone. A smoke test for
// whoever takes the unit into another system: it shows how each bus is driven, and says whether the files belong together.
// Contract: over each bus it waits until the unit is ready, compares identity and hashes, makes a semaphore, reads those that the other
// cores made, and finds a store of one byte refused and counted. Ends with `mel_unit_bench: passed`, or $fatal with what differs.
// Needs: a simulator with delays (Verilator: --timing). Elsewhere: tests against models of these buses (tests/rtl/bridges).
module mel_unit_bench;
  localparam int unsigned Cores = 4;
  localparam logic [31:0] Hash  = 32'h600d_0123;   // any: boot code compares it
  localparam int unsigned Polls = 4096;            // loads of `ready`; the unit clears its memories first

  logic clk, rst_n = 1'b0;
  initial begin
    clk = 1'b0;
    forever #5 clk = !clk;
  end

  // The unit's access ports.
  logic [Cores-1:0]             valid, ready, write, rsp_valid, irq_handler, irq_dispatch, unused_dispatch;
  mel_pkg::offset_t [Cores-1:0] addr;
  logic [Cores-1:0][3:0]        be;
  logic [Cores-1:0][31:0]       wdata, rsp_rdata, unused_answer;
  logic [Cores-1:0][8:0]        unused_running, unused_next;
  mel_pkg::trace_t              unused_tick, unused_step;
  mel_pkg::trace_t [Cores-1:0]  unused_trace;

  // One transfer at a time: what all buses carry, and what each adds.
  mel_pkg::offset_t bus_addr;
  logic [31:0]      bus_wdata;
  logic [3:0]       bus_be;
  logic             bus_write;
  logic             obi_req = 1'b0, psel = 1'b0, penable = 1'b0, awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0, stb = 1'b0;
  logic             obi_gnt, obi_rvalid, pready, awready, wready, bvalid, arready, rvalid, ack, unused_stall, obi_err, pslverr;
  logic [31:0]      obi_rdata, prdata, rdata, dat;
  logic [1:0]       bresp, rresp;

  mel_bridge_obi u_obi (
    .req_i(obi_req), .gnt_o(obi_gnt), .we_i(bus_write), .addr_i(bus_addr), .be_i(bus_be), .wdata_i(bus_wdata),
    .rvalid_o(obi_rvalid), .rdata_o(obi_rdata), .err_o(obi_err),
    .req_valid_o(valid[0]), .req_ready_i(ready[0]), .req_write_o(write[0]), .req_addr_o(addr[0]), .req_be_o(be[0]), .req_wdata_o(wdata[0]),
    .rsp_valid_i(rsp_valid[0]), .rsp_rdata_i(rsp_rdata[0])
  );

  mel_bridge_apb4 u_apb4 (
    .clk_i(clk), .rst_ni(rst_n),
    .psel_i(psel), .penable_i(penable), .pwrite_i(bus_write), .paddr_i(bus_addr), .pstrb_i(bus_be), .pwdata_i(bus_wdata),
    .pready_o(pready), .prdata_o(prdata), .pslverr_o(pslverr),
    .req_valid_o(valid[1]), .req_ready_i(ready[1]), .req_write_o(write[1]), .req_addr_o(addr[1]), .req_be_o(be[1]), .req_wdata_o(wdata[1]),
    .rsp_valid_i(rsp_valid[1]), .rsp_rdata_i(rsp_rdata[1])
  );

  mel_bridge_axi4_lite u_axi4_lite (
    .clk_i(clk), .rst_ni(rst_n),
    .awvalid_i(awvalid), .awready_o(awready), .awaddr_i(bus_addr), .wvalid_i(wvalid), .wready_o(wready), .wdata_i(bus_wdata), .wstrb_i(bus_be),
    .bvalid_o(bvalid), .bready_i(1'b1), .bresp_o(bresp),
    .arvalid_i(arvalid), .arready_o(arready), .araddr_i(bus_addr), .rvalid_o(rvalid), .rready_i(1'b1), .rdata_o(rdata), .rresp_o(rresp),
    .req_valid_o(valid[2]), .req_ready_i(ready[2]), .req_write_o(write[2]), .req_addr_o(addr[2]), .req_be_o(be[2]), .req_wdata_o(wdata[2]),
    .rsp_valid_i(rsp_valid[2]), .rsp_rdata_i(rsp_rdata[2])
  );

  mel_bridge_wishbone u_wishbone (
    .clk_i(clk), .rst_ni(rst_n),
    .cyc_i(stb), .stb_i(stb), .we_i(bus_write), .adr_i(bus_addr[16:2]), .sel_i(bus_be), .dat_i(bus_wdata),
    .ack_o(ack), .stall_o(unused_stall), .dat_o(dat),
    .req_valid_o(valid[3]), .req_ready_i(ready[3]), .req_write_o(write[3]), .req_addr_o(addr[3]), .req_be_o(be[3]), .req_wdata_o(wdata[3]),
    .rsp_valid_i(rsp_valid[3]), .rsp_rdata_i(rsp_rdata[3])
  );

  mel_unit #(
    .Sizes('{
      Tasks: 8, Priorities: 4, Semaphores: 8, EventFlags: 2, Mutexes: 2, Queues: 2, Messages: 8, Timers: 1, Interrupts: 4, Cores: Cores, Monitor: 1, FlagLanes: 0
    }),
    .ParameterHash(Hash)
  ) u_unit (
    .clk_i(clk), .rst_ni(rst_n),
    .req_valid_i(valid), .req_ready_o(ready), .req_write_i(write), .req_addr_i(addr), .req_be_i(be), .req_wdata_i(wdata),
    .rsp_valid_o(rsp_valid), .rsp_rdata_o(rsp_rdata),
    .irq_i('0), .irq_handler_o(irq_handler), .irq_dispatch_o(irq_dispatch),
    .dispatch_o(unused_dispatch), .running_o(unused_running), .next_o(unused_next), .answer_o(unused_answer),
    .trace_tick_o(unused_tick), .trace_o(unused_step), .trace_answer_o(unused_trace)
  );

  // ---- transfers: signals change behind a falling edge, and are read before the rising one -------------------------------

  task automatic obi(output logic [31:0] data);
    logic done;
    obi_req = 1'b1;
    do begin
      #4 done = obi_gnt;
      @(negedge clk);
    end while (!done);
    obi_req = 1'b0;
    do begin
      #4 done = obi_rvalid;
      data = obi_rdata;
      @(negedge clk);
    end while (!done);
  endtask

  task automatic apb4(output logic [31:0] data);
    logic done;
    psel = 1'b1;
    @(negedge clk);
    penable = 1'b1;
    do begin
      #4 done = pready;
      data = prdata;
      @(negedge clk);
    end while (!done);
    {psel, penable} = '0;
  endtask

  task automatic axi4_lite(output logic [31:0] data);
    logic taken_address, taken_data, done;
    {awvalid, wvalid, arvalid} = {{2{bus_write}}, !bus_write};
    while (awvalid || wvalid || arvalid) begin
      #4 taken_address = bus_write ? awready : arready;
      taken_data = wready;
      @(negedge clk);
      if (taken_address) {awvalid, arvalid} = '0;
      if (taken_data) wvalid = 1'b0;
    end
    do begin
      #4 done = bus_write ? bvalid : rvalid;
      data = rdata;
      @(negedge clk);
    end while (!done);
  endtask

  task automatic wishbone(output logic [31:0] data);
    logic done;
    stb = 1'b1;
    do begin
      #4 done = ack;
      data = dat;
      @(negedge clk);
    end while (!done);
    stb = 1'b0;
  endtask

  task automatic transfer(input int unsigned core, output logic [31:0] data);
    case (core)
      0:       obi(data);
      1:       apb4(data);
      2:       axi4_lite(data);
      default: wishbone(data);
    endcase
  endtask

  task automatic load(input int unsigned core, input mel_pkg::offset_t from, output logic [31:0] data);
    {bus_write, bus_addr, bus_be, bus_wdata} = {1'b0, from, 4'hf, 32'h0};
    transfer(core, data);
  endtask

  task automatic store(input int unsigned core, input mel_pkg::offset_t to, input logic [3:0] bytes, input logic [31:0] data);
    logic [31:0] unused;
    {bus_write, bus_addr, bus_be, bus_wdata} = {1'b1, to, bytes, data};
    transfer(core, unused);
  endtask

  function automatic mel_pkg::offset_t command(mel_pkg::op_t op, int unsigned number);
    return {op, number[7:0], 2'b00};
  endfunction

  // ---- what is expected ----------------------------------------------------------------------------------------------------

  task automatic expects(input int unsigned core, input mel_pkg::offset_t from, input logic [31:0] wanted, input string what);
    logic [31:0] found;
    load(core, from, found);
    if (found != wanted) $fatal(1, "mel_unit_bench: core %0d: %s is 0x%08x instead of 0x%08x", core, what, found, wanted);
  endtask

  initial begin
    logic [31:0] is_ready, refused;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    for (int unsigned core = 0; core < Cores; core++) begin
      is_ready = '0;
      for (int unsigned poll = 0; poll < Polls && is_ready != 32'd1; poll++) load(core, mel_pkg::RegReady, is_ready);
      expects(core, mel_pkg::RegReady, 32'd1, "ready");
      expects(core, mel_pkg::RegIdentity, mel_pkg::Identity, "the identity");
      expects(core, mel_pkg::RegSpecHash, mel_pkg::SpecHash, "the spec hash");
      expects(core, mel_pkg::RegParameterHash, Hash, "the parameter hash");
      store(core, command(mel_pkg::OpSemaphoreCreate, core + 1), 4'hf, {16'hffff, 16'(10 + core)});
      expects(core, command(mel_pkg::OpSemaphoreCreate, 0), 32'd0, "the answer to a new semaphore");
    end
    for (int unsigned core = 0; core < Cores; core++) begin
      for (int unsigned other = 0; other < Cores; other++) begin
        expects(core, command(mel_pkg::QuerySemaphoreCount, other + 1), 32'd10 + other, "a semaphore's count");
      end
      load(core, mel_pkg::RegRefused, refused);
      store(core, command(mel_pkg::OpSemaphoreGive, 1), 4'b0001, '0);
      expects(core, mel_pkg::RegRefused, refused + 32'd1, "the count of refused accesses");
    end
    if ({obi_err, pslverr, bresp, rresp, irq_handler, irq_dispatch} != '0) $fatal(1, "mel_unit_bench: an error or an interrupt that nothing asked for");
    $display("mel_unit_bench: passed");
    $finish;
  end
endmodule
