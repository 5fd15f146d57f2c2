// SPDX-License-Identifier: Apache-2.0
// mel_trace: the trace port (spec/trace.yaml). Events of one cycle took effect in the order tick or miss, step, answers (core 0 first);
// a later cycle comes later. An answer saw every step up to its own cycle.
// Timing: an event appears in the cycle after it took effect, an answer in that of its response.
module mel_trace
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 64,   // the number that stands for idle
  parameter int unsigned Cores = 1     // 1..4
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        tick_i,
  input  logic [63:0]                 time_next_i,
  input  report_t                     report_i,         // never with a tick
  input  step_event_t                 event_i,
  input  logic [Cores-1:0]            answered_i,
  input  core_t                       core_i          [Cores],
  input  status_t                     answer_status_i [Cores],
  output mel_pkg::trace_t             trace_tick_o,
  output mel_pkg::trace_t             trace_o,
  output mel_pkg::trace_t [Cores-1:0] trace_answer_o,
  output logic                        busy_o           // an event is on the port
);

  function automatic logic [15:0] task_or_idle(logic valid, id_t task_id);
    return valid ? 16'(task_id) : 16'(Tasks);
  endfunction

  function automatic logic [15:0] reader(core_t core);
    return core.in_handler ? '1 : task_or_idle(core.running_valid, core.running);
  endfunction

  function automatic mel_pkg::trace_t step_record(step_event_t step);
    step_record       = '0;
    step_record.valid = 1'b1;
    step_record.d     = status_word(step.status);
    unique case (step.source)
      SourceDispatch: begin
        step_record.kind = mel_pkg::TraceDispatch;
        step_record.core = 8'(step.core);
        step_record.a    = task_or_idle(step.state.chosen_valid, step.state.chosen);
        step_record.b    = 32'(task_or_idle(step.state.running_valid, step.state.running));
        step_record.c    = 32'(step.state.in_handler);
        step_record.d    = '0;
      end
      SourceReclaim: begin
        step_record.kind = mel_pkg::TraceTurn;
        step_record.core = 8'(step.core);
        step_record.a    = 16'(step.state.running);
        step_record.d    = '0;
      end
      SourceSlice: begin
        step_record.kind = mel_pkg::TraceSlice;
        step_record.core = 8'(step.core);
        step_record.a    = 16'(step.subject);
        step_record.d    = '0;
      end
      SourceClaim: begin
        step_record.kind = mel_pkg::TraceClaim;
        step_record.core = 8'(step.core);
        step_record.a    = step.claim.valid ? 16'(step.claim.number) : '1;
        step_record.d    = '0;
      end
      SourceIrq: begin
        step_record.kind = mel_pkg::TraceIrq;
        step_record.a    = 16'(step.irq.number);
        step_record.b    = 32'(step.irq.action);
        step_record.c    = 32'(step.irq.object);
      end
      SourceTimeout: begin
        step_record.kind = mel_pkg::TraceTimeout;
        step_record.a    = 16'(step.subject);
      end
      SourceFlags, SourceDrain: begin
        step_record.kind = mel_pkg::TraceRelease;
        step_record.a    = 16'(step.subject);
      end
      SourceOrphan: begin
        step_record.kind = mel_pkg::TraceOrphan;
        step_record.a    = task_or_idle(step.owned, step.subject);
        step_record.b    = 32'(step.mutex_id);
        step_record.c    = 32'(step.ended);
        step_record.d    = '0;
      end
      SourceOperand: begin
        step_record.kind = mel_pkg::TraceOperand;
        step_record.core = 8'(step.core);
        step_record.c    = step.access.argument;
        step_record.d    = '0;
      end
      SourceValue: begin
        step_record.kind = mel_pkg::TraceValue;
        step_record.core = 8'(step.core);
        step_record.a    = reader(step.state);
        step_record.c    = step.value;
        step_record.d    = '0;
      end
      default: begin
        step_record.kind = mel_pkg::TraceCommand;
        step_record.core = 8'(step.core);
        step_record.a    = {6'd0, context_of(step.state), 1'd0, step.access.op};
        step_record.b    = 32'(step.access.id);
        step_record.c    = step.access.argument;
        if (step.caller_waits) step_record.d = 32'(mel_pkg::AnswerWaiting);
      end
    endcase
  endfunction

  assign busy_o = trace_tick_o.valid || trace_o.valid;

  // Records without `valid` keep what they held: a simulator has nothing to do in most cycles.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trace_tick_o   <= '0;
      trace_o        <= '0;
    end else begin
      trace_tick_o.valid <= tick_i || report_i.valid;
      trace_o.valid      <= event_i.valid;
      if (tick_i) begin
        trace_tick_o <= '{valid: 1'b1, kind: mel_pkg::TraceTick, core: '0, a: '0, b: time_next_i[31:0],
                          c: time_next_i[63:32], d: '0};
      end
      if (report_i.valid) begin
        trace_tick_o <= '{valid: 1'b1, kind: mel_pkg::TraceMiss, core: '0, a: 16'(report_i.task_id), b: 32'(report_i.budget),
                          c: '0, d: '0};
      end
      if (event_i.valid) trace_o <= step_record(event_i);
    end
  end

  // Answers are from registers already.
  for (genvar i = 0; i < Cores; i++) begin : gen_answer
    assign trace_answer_o[i] = '{valid: answered_i[i], kind: mel_pkg::TraceAnswer, core: 8'(i), a: reader(core_i[i]), b: '0,
                                 c: '0, d: status_word(answer_status_i[i])};
  end

endmodule
