// mel_probe_core: what happens in one Ibex core, reported to the simulation's C++ side (soc/sim/probe.h). Bound beside `ibex_core` by
// mel_bind_ibex.sv; it only reads. Simulation only, costs the program no cycle.
// Reports: every retired instruction with the age of its first cycle in the ID stage and the register it writes; traps, trap returns, and
// the ends of spans with mstatus.MIE = 0. An event belongs to the cycle that ends at the clock edge at which it is reported.
module mel_probe_core #(
  parameter bit WritebackStage = 1'b1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] hart_id_i,

  input logic        id_new_i,     // the ID stage holds its instruction for the first cycle
  input logic        id_done_i,    // … and it leaves to writeback (or retires, without that stage)
  input logic [31:0] pc_if_i,
  input logic [31:0] pc_id_i,
  input logic [31:0] pc_wb_i,
  input logic        retired_i,
  input logic        rd_we_i,
  input logic [4:0]  rd_i,
  input logic [31:0] rd_wdata_i,
  input logic [7:0]  bank_i,       // of the registers of the instruction that retires

  input logic        put_i,        // a register is written by no instruction
  input logic [7:0]  put_bank_i,
  input logic [4:0]  put_rd_i,
  input logic [31:0] put_data_i,

  input logic        mie_i,        // mstatus.MIE
  input logic        trap_i,
  input logic        trap_pc_if_i, // mepc comes from the IF stage (interrupts) …
  input logic        trap_pc_wb_i, // … or from writeback (bus errors); else from ID
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
  logic [31:0] wb_since_q;   // first ID cycle of the instruction that is in writeback
  logic [31:0] id_since, since, pc, off_q, trap_pc;

  assign id_since = id_new_i ? cycle_q : id_since_q;
  assign since    = WritebackStage ? wb_since_q : id_since;
  assign pc       = WritebackStage ? pc_wb_i : pc_id_i;
  assign trap_pc  = trap_pc_if_i ? pc_if_i : trap_pc_wb_i ? pc_wb_i : pc_id_i;

  always_ff @(posedge clk_i) begin
    id_since_q <= id_since;
    if (id_done_i) wb_since_q <= id_since;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      off_q   <= '0;
    end else begin
      cycle_q <= cycle_q + 32'd1;
      off_q   <= mie_i ? '0 : off_q + 32'd1;
      if (retired_i) begin
        mel_probe_retired(hart_id_i, {24'd0, bank_i}, pc, cycle_q - since, rd_we_i ? {27'd0, rd_i} : 32'd0, rd_wdata_i);
      end
      if (put_i) mel_probe_put(hart_id_i, {24'd0, put_bank_i}, {27'd0, put_rd_i}, put_data_i);
      if (trap_i) begin
        mel_probe_event({24'd0, mel_pkg::TraceTrap}, hart_id_i, {16'd0, trap_irq_i, 10'd0, trap_cause_i}, trap_pc, 0, 0);
      end
      if (mret_i) mel_probe_event({24'd0, mel_pkg::TraceMret}, hart_id_i, 0, mepc_i, 0, 0);
      if (mie_i && off_q != '0) begin
        mel_probe_event({24'd0, mel_pkg::TraceIrqOff}, hart_id_i, 0, off_q, pc_id_i, 0);
      end
    end
  end
endmodule
