// SPDX-License-Identifier: Apache-2.0
// mel_core_ibex_banked: one Ibex core (mel_ibex, where its ports and variants are described) with a store of the registers of all tasks (decision 0038).
// The unit's dispatch changes the context; beside the core's own ports stand those to the unit and to the stores of other cores (mel_context_exchange).
// Contract of interrupts, as the kernel's vectors are: 3 is the unit's dispatch, and the fetch of its vector is the switch.
module mel_core_ibex_banked #(
  parameter bit           Small       = 1'b0,
  parameter logic [31:0]  BootAddress = 32'h1000_0000,
  parameter int unsigned  MemoryBits  = 18,             // see mel_bank_switch
  parameter int unsigned  HartId      = 0,
  parameter int unsigned  Tasks       = 64,
  parameter int unsigned  Resident    = 4,              // contexts at hand
  parameter int unsigned  Cores       = 1,
  localparam int unsigned TaskW       = (Tasks > 1) ? $clog2(Tasks) : 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  output logic        instr_req_o,
  input  logic        instr_gnt_i,
  output logic [31:0] instr_addr_o,
  input  logic        instr_rvalid_i,
  input  logic [31:0] instr_rdata_i,
  input  logic        instr_err_i,

  output logic        data_req_o,
  input  logic        data_gnt_i,
  output logic        data_we_o,
  output logic [3:0]  data_be_o,
  output logic [31:0] data_addr_o,
  output logic [31:0] data_wdata_o,
  input  logic        data_rvalid_i,
  input  logic [31:0] data_rdata_i,
  input  logic        data_err_i,

  input  logic        irq_software_i,
  input  logic        irq_timer_i,
  input  logic        irq_external_i,

  // The unit: this core's dispatch, asked for beside its data port (mel_bank_ask).
  output logic        ask_o,
  input  logic        ask_gnt_i,
  input  logic        dispatch_i,
  input  logic [8:0]  running_i,
  input  logic [8:0]  next_i,
  input  logic [31:0] answer_i,

  // Other cores.
  output logic             forget_o,
  output logic [TaskW-1:0] task_o,
  input  logic             forget_gnt_i,
  input  mel_context_pkg::drop_t drop_i,
  output mel_context_pkg::row_t fetch_o,
  input  logic             fetch_gnt_i,
  input  logic             fetch_own_i,
  input  logic [255:0]     fetch_data_i,
  input  mel_context_pkg::row_t serve_i,
  output logic [255:0]     serve_data_o
);
  logic [4:0]  raddr_a, raddr_b, waddr, put_addr;
  logic [31:0] rdata_a, rdata_b, wdata, x3, put_data, pc, next_pc, mepc;
  logic        we, handler, whandler, x3_is, put, mark, mark_called, trap;
  logic        ready, x3_there, near, called, again;
  mel_context_pkg::put_e put_to;
  logic        fetch_req, fetch_gnt, fetch_rvalid, fetch_err;
  logic [31:0] fetch_rdata;
  logic        core_req, core_gnt, core_we, core_rvalid, core_err;
  logic [3:0]  core_be;
  logic [31:0] core_addr, core_rdata;

  mel_context_store #(
    .Tasks   (Tasks),
    .Resident(Resident),
    .Cores   (Cores)
  ) u_context_store (
    .clk_i,
    .rst_ni,
    .handler_i    (handler),
    .x3_is_i      (x3_is),
    .x3_i         (x3),
    .raddr_a_i    (raddr_a),
    .rdata_a_o    (rdata_a),
    .raddr_b_i    (raddr_b),
    .rdata_b_o    (rdata_b),
    .whandler_i   (whandler),
    .we_i         (we),
    .waddr_i      (waddr),
    .wdata_i      (wdata),
    .put_i        (put),
    .put_to_i     (put_to),
    .put_addr_i   (put_addr),
    .put_data_i   (put_data),
    .mark_i       (mark),
    .mark_called_i(mark_called),
    .forget_i     (forget_gnt_i),
    .task_i       (task_o),
    .dispatch_i,
    .running_i,
    .next_i,
    .ready_o      (ready),
    .x3_there_o   (x3_there),
    .near_o       (near),
    .called_o     (called),
    .again_o      (again),
    .drop_i,
    .fetch_o,
    .fetch_gnt_i,
    .fetch_own_i,
    .fetch_data_i,
    .serve_i,
    .serve_data_o
  );

  mel_ibex #(
    .Small      (Small),
    .BootAddress(BootAddress),
    .HartId     (HartId)
  ) u_ibex (
    .clk_i,
    .rst_ni,
    .instr_req_o   (fetch_req),
    .instr_gnt_i   (fetch_gnt),
    .instr_addr_o,
    .instr_rvalid_i(fetch_rvalid),
    .instr_rdata_i (fetch_rdata),
    .instr_err_i   (fetch_err),
    .data_req_o    (core_req),
    .data_gnt_i    (core_gnt),
    .data_we_o     (core_we),
    .data_be_o     (core_be),
    .data_addr_o   (core_addr),
    .data_wdata_o,
    .data_rvalid_i (core_rvalid),
    .data_rdata_i  (core_rdata),
    .data_err_i    (core_err),
    .irq_software_i,
    .irq_timer_i,
    .irq_external_i,
    .raddr_a_o     (raddr_a),
    .rdata_a_i     (rdata_a),
    .raddr_b_o     (raddr_b),
    .rdata_b_i     (rdata_b),
    .we_o          (we),
    .waddr_o       (waddr),
    .wdata_o       (wdata),
    .pc_o          (pc),
    .next_pc_o     (next_pc),
    .mepc_o        (mepc)
  );

  mel_bank_fetch #(
    .Vector(BootAddress + 32'd12)
  ) u_bank_fetch (
    .clk_i,
    .rst_ni,
    .req_i     (fetch_req),
    .gnt_o     (fetch_gnt),
    .addr_i    (instr_addr_o),
    .rvalid_o  (fetch_rvalid),
    .rdata_o   (fetch_rdata),
    .err_o     (fetch_err),
    .req_o     (instr_req_o),
    .gnt_i     (instr_gnt_i),
    .rvalid_i  (instr_rvalid_i),
    .rdata_i   (instr_rdata_i),
    .err_i     (instr_err_i),
    .ask_o,
    .ask_gnt_i,
    .switch_o  (trap),
    .dispatch_i,
    .near_i    (near)
  );

  mel_bank_switch #(
    .Writeback (!Small),
    .MemoryBits(MemoryBits)
  ) u_bank_switch (
    .clk_i,
    .rst_ni,
    .req_i       (core_req),
    .gnt_o       (core_gnt),
    .data_register_i(raddr_b),
    .we_i        (core_we),
    .be_i        (core_be),
    .addr_i      (core_addr),
    .wdata_i     (data_wdata_o),
    .rvalid_o    (core_rvalid),
    .rdata_o     (core_rdata),
    .err_o       (core_err),
    .req_o       (data_req_o),
    .gnt_i       (data_gnt_i),
    .we_o        (data_we_o),
    .be_o        (data_be_o),
    .addr_o      (data_addr_o),
    .rvalid_i    (data_rvalid_i),
    .err_i       (data_err_i),
    .rdata_i     (data_rdata_i),
    .trap_i      (trap),
    .pc_i        (pc),
    .next_pc_i   (next_pc),
    .mepc_i      (mepc),
    .dispatch_i,
    .answer_i,
    .ready_i      (ready),
    .x3_there_i   (x3_there),
    .called_i     (called),
    .again_i      (again),
    .handler_o    (handler),
    .whandler_o   (whandler),
    .x3_is_o      (x3_is),
    .x3_o         (x3),
    .put_o        (put),
    .put_to_o     (put_to),
    .put_addr_o   (put_addr),
    .put_data_o   (put_data),
    .mark_o       (mark),
    .mark_called_o(mark_called),
    .forget_o,
    .forget_gnt_i
  );
  // Held while the task that is to be forgotten waits: then it is no longer the core's write data.
  logic [TaskW-1:0] task_q;
  logic             forget_waits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) forget_waits_q <= 1'b0;
    else         forget_waits_q <= forget_o && !forget_gnt_i;
  end
  always_ff @(posedge clk_i) task_q <= task_o;
  assign task_o = forget_waits_q ? task_q : TaskW'(data_wdata_o);
endmodule
