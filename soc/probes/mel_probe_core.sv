// SPDX-License-Identifier: Apache-2.0
// mel_probe_core: what happens in one core, reported to the simulation's C++ side (soc/sim/probe.h). Bound beside the core by
// mel_bind_ibex.sv or mel_bind_vexriscv.sv; it only reads. Simulation only, costs the program no cycle.
// Reports: every retired instruction with the age of its first cycle in the ID stage and the register it writes; traps, trap returns, and
// the ends of spans with mstatus.MIE = 0. An event belongs to the cycle that ends at the clock edge at which it is reported.
module mel_probe_core #(
  parameter int unsigned Stages    = 1,  // behind ID, in which an instruction stands before it retires
  localparam int unsigned AdvanceW = (Stages > 0) ? Stages : 1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] hart_id_i,

  input logic                id_new_i,   // the ID stage holds its instruction for the first cycle
  input logic [AdvanceW-1:0] advance_i,  // stage n behind ID takes what the stage before it holds
  input logic [31:0]         pc_id_i,
  input logic                retired_i,
  input logic [31:0]         pc_i,       // PC of the instruction that retires
  input logic        rd_we_i,
  input logic [4:0]  rd_i,
  input logic [31:0] rd_wdata_i,
  input logic [8:0]  bank_i,       // set of registers (soc/sim/trace.h) of the instruction that retires

  input logic        put_i,        // a register is written by no instruction
  input logic [8:0]  put_bank_i,
  input logic [4:0]  put_rd_i,
  input logic [31:0] put_data_i,

  input logic        mie_i,        // mstatus.MIE
  input logic        trap_i,
  input logic [31:0] trap_pc_i,    // new value of mepc
  input logic        trap_irq_i,
  input logic [4:0]  trap_cause_i,
  input logic        mret_i,
  input logic [31:0] mepc_i
);
  import "DPI-C" function void mel_probe_retired(input int unsigned core, input int unsigned bank,
                                                 input int unsigned pc, input int unsigned age,
                                                 input int unsigned rd, input int unsigned value);
  import "DPI-C" function void mel_probe_put(input int unsigned core, input int unsigned bank, input int unsigned rd,
                                             input int unsigned value);
  import "DPI-C" function void mel_probe_event(input int unsigned kind, input int unsigned core, input int unsigned a,
                                               input int unsigned b, input int unsigned c, input int unsigned d);

  logic [31:0] cycle_q;      // only differences are used
  logic [31:0] id_since_q;   // first cycle of the instruction that is in ID
  logic [31:0] off_q;
  logic [31:0] since[Stages + 1];  // by stage, ID the first: the first ID cycle of the instruction that is there

  assign since[0] = id_new_i ? cycle_q : id_since_q;
  always_ff @(posedge clk_i) id_since_q <= since[0];

  for (genvar i = 0; i < int'(Stages); i++) begin : gen_stage
    always_ff @(posedge clk_i) begin
      if (advance_i[i]) since[i + 1] <= since[i];
    end
  end

  if (Stages == 0) begin : gen_no_stage
    logic unused_advance;
    assign unused_advance = ^advance_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      off_q   <= '0;
    end else begin
      cycle_q <= cycle_q + 32'd1;
      off_q   <= mie_i ? '0 : off_q + 32'd1;
      if (retired_i) begin
        mel_probe_retired(hart_id_i, {23'd0, bank_i}, pc_i, cycle_q - since[Stages], rd_we_i ? {27'd0, rd_i} : 32'd0, rd_wdata_i);
      end
      if (put_i) mel_probe_put(hart_id_i, {23'd0, put_bank_i}, {27'd0, put_rd_i}, put_data_i);
      if (trap_i) begin
        mel_probe_event({24'd0, mel_pkg::TraceTrap}, hart_id_i, {16'd0, trap_irq_i, 10'd0, trap_cause_i}, trap_pc_i, 0, 0);
      end
      if (mret_i) mel_probe_event({24'd0, mel_pkg::TraceMret}, hart_id_i, 0, mepc_i, 0, 0);
      if (mie_i && off_q != '0) begin
        mel_probe_event({24'd0, mel_pkg::TraceIrqOff}, hart_id_i, 0, off_q, pc_id_i, 0);
      end
    end
  end
endmodule
