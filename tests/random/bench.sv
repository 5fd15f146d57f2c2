// SPDX-License-Identifier: Apache-2.0
// bench: the hardware unit alone, with ports that C++ can drive: an access port per core, 64 interrupt lines, and the trace
// lanes as the last 16 bytes of a record of spec/trace.yaml. All ports have the width of four cores; those of missing cores are
// ignored and low. Elsewhere: the driver (bench.cpp), its scripts (script.py).
module bench #(
  parameter mel_pkg::sizes_t Sizes     = mel_pkg::SizesDefault,
  parameter logic [63:0] TimeReset     = '0,
  parameter logic [31:0] ParameterHash = '0,
  parameter int unsigned ClockRatio    = 1,    // cycles of clk_i in one of the cores
  parameter logic [7:0][10:0] Rounds   = '0,   // words that steps.sv counts
  localparam int unsigned Cores        = Sizes.Cores
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [3:0]        req_valid_i,
  output logic [3:0]        req_ready_o,
  input  logic [3:0]        req_write_i,
  input  logic [3:0][31:0]  req_addr_i,
  input  logic [3:0][3:0]   req_be_i,
  input  logic [3:0][31:0]  req_wdata_i,
  output logic [3:0]        rsp_valid_o,
  output logic [3:0][31:0]  rsp_rdata_o,
  input  logic [63:0]       irq_i,
  output logic [3:0]        irq_handler_o,
  output logic [3:0]        irq_dispatch_o,
  output logic              work_o,           // background work begins, with an event or without; in a netlist always high
  output logic              step_valid_o,     // steps.sv
  output logic [223:0]      step_o,
  output logic [5:0]        trace_valid_o,    // tick, sequencer, answers of core 0 … 3: the order of effect within a cycle
  output logic [5:0][127:0] trace_o           // likewise
);
  localparam int unsigned IrqWidth = (Sizes.Interrupts == 0) ? 1 : Sizes.Interrupts;

  mel_pkg::trace_t trace_tick, trace_step;
  mel_pkg::offset_t [Cores-1:0] req_addr;
  for (genvar i = 0; i < Cores; i++) begin : gen_addr
    assign req_addr[i] = mel_pkg::offset_t'(req_addr_i[i]);
  end
  mel_pkg::trace_t [Cores-1:0] trace_answer;

`ifdef NETLIST
  mel_unit u_unit (   // its sizes are those that it was made for
`else
  mel_unit #(
    .ClockRatio(ClockRatio),
    .Sizes(Sizes), .TimeReset(TimeReset), .ParameterHash(ParameterHash)
  ) u_unit (
`endif
    .clk_i, .rst_ni,
    .req_valid_i(req_valid_i[Cores-1:0]),
    .req_ready_o(req_ready_o[Cores-1:0]),
    .req_write_i(req_write_i[Cores-1:0]),
    .req_addr_i (req_addr),
    .req_be_i   (req_be_i[Cores-1:0]),
    .req_wdata_i(req_wdata_i[Cores-1:0]),
    .rsp_valid_o(rsp_valid_o[Cores-1:0]),
    .rsp_rdata_o(rsp_rdata_o[Cores-1:0]),
    .irq_i(irq_i[IrqWidth-1:0]),
    .irq_handler_o(irq_handler_o[Cores-1:0]),
    .irq_dispatch_o(irq_dispatch_o[Cores-1:0]),
    .dispatch_o(), .running_o(), .answer_o(),
    .trace_tick_o(trace_tick), .trace_o(trace_step), .trace_answer_o(trace_answer)
  );

`ifdef NETLIST
  assign work_o       = 1'b1;
  assign step_valid_o = 1'b0;
  assign step_o       = '0;
  logic unused_rounds;
  assign unused_rounds = ^Rounds;
`else
  assign work_o = u_unit.u_engine.start && u_unit.u_engine.job;

  steps #(
    .Rounds(Rounds)
  ) u_steps (
    .clk_i, .rst_ni,
    .start_i    (u_unit.u_engine.start),
    .possible_i (u_unit.u_engine.idle && !u_unit.u_engine.annulled_q && u_unit.lists_idle && !u_unit.clear),
    .at_once_i  (u_unit.begins_dispatch || u_unit.begins_claim),
    .refuses_i  (u_unit.u_engine.refuses),
    .next_i     (u_unit.u_engine.address_d),
    .fetched_i  (u_unit.u_engine.address_q),
    .stall_i    (u_unit.u_engine.stall),
    .annulled_i (u_unit.u_engine.annulled_q),
    .done_i     (u_unit.u_engine.done),
    .waits_i    (u_unit.finish.caller_waits),
    .refused_i  (u_unit.finish.status[7]),
    .action_i   (u_unit.memory[26:24]),
    .step_valid_o, .step_o
  );
`endif

  // Little-endian words in the order of the record: kind, core, a, b, c, d.
  function automatic logic [127:0] record(mel_pkg::trace_t event_i);
    return {event_i.d, event_i.c, event_i.b, event_i.a, event_i.core, event_i.kind};
  endfunction

  assign trace_valid_o[1:0] = {trace_step.valid, trace_tick.valid};
  assign trace_o[0]         = record(trace_tick);
  assign trace_o[1]         = record(trace_step);

  for (genvar core = 0; core < 4; core++) begin : gen_core
    if (core < Cores) begin : gen_here
      assign trace_valid_o[2+core] = trace_answer[core].valid;
      assign trace_o[2+core]       = record(trace_answer[core]);
    end else begin : gen_missing
      assign req_ready_o[core]     = 1'b0;
      assign rsp_valid_o[core]     = 1'b0;
      assign rsp_rdata_o[core]     = '0;
      assign irq_handler_o[core]   = 1'b0;
      assign irq_dispatch_o[core]  = 1'b0;
      assign trace_valid_o[2+core] = 1'b0;
      assign trace_o[2+core]       = '0;
    end
  end
endmodule
