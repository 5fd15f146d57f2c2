// bench: the hardware unit alone, with ports that C++ can drive: one access port (core 0), 64 interrupt lines, and the trace
// lanes as the last 16 bytes of a record of spec/trace.yaml. Elsewhere: the driver (bench.cpp), its scripts (script.py).
module bench #(
  parameter int unsigned Tasks         = 64,
  parameter int unsigned Priorities    = 32,
  parameter int unsigned Semaphores    = 64,
  parameter int unsigned EventFlags    = 16,
  parameter int unsigned Mutexes       = 16,
  parameter int unsigned Queues        = 16,
  parameter int unsigned Messages      = 64,
  parameter int unsigned Timers        = 8,
  parameter int unsigned Interrupts    = 32,
  parameter logic [63:0] TimeReset     = '0,
  parameter logic [31:0] ParameterHash = '0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         req_valid_i,
  output logic         req_ready_o,
  input  logic         req_write_i,
  input  logic [15:0]  req_addr_i,
  input  logic [3:0]   req_be_i,
  input  logic [31:0]  req_wdata_i,
  output logic         rsp_valid_o,
  output logic [31:0]  rsp_rdata_o,
  input  logic [63:0]  irq_i,
  output logic         irq_handler_o,
  output logic         irq_dispatch_o,
  output logic [2:0]   trace_valid_o,    // tick, sequencer, answer: the order of effect within a cycle
  output logic [127:0] trace_tick_o,
  output logic [127:0] trace_step_o,
  output logic [127:0] trace_answer_o
);
  localparam int unsigned IrqWidth = (Interrupts == 0) ? 1 : Interrupts;

  mel_pkg::trace_t trace_tick, trace_step;
  mel_pkg::trace_t [0:0] trace_answer;

  mel_unit #(
    .Tasks(Tasks), .Priorities(Priorities), .Semaphores(Semaphores), .EventFlags(EventFlags), .Mutexes(Mutexes),
    .Queues(Queues), .Messages(Messages), .Timers(Timers), .Interrupts(Interrupts), .Cores(1),
    .TimeReset(TimeReset), .ParameterHash(ParameterHash)
  ) u_unit (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_write_i, .req_addr_i, .req_be_i, .req_wdata_i, .rsp_valid_o, .rsp_rdata_o,
    .irq_i(irq_i[IrqWidth-1:0]),
    .irq_handler_o, .irq_dispatch_o,
    .trace_tick_o(trace_tick), .trace_o(trace_step), .trace_answer_o(trace_answer)
  );

  // Little-endian words in the order of the record: kind, core, a, b, c, d.
  function automatic logic [127:0] record(mel_pkg::trace_t event_i);
    return {event_i.d, event_i.c, event_i.b, event_i.a, event_i.core, event_i.kind};
  endfunction

  assign trace_valid_o  = {trace_answer[0].valid, trace_step.valid, trace_tick.valid};
  assign trace_tick_o   = record(trace_tick);
  assign trace_step_o   = record(trace_step);
  assign trace_answer_o = record(trace_answer[0]);
endmodule
