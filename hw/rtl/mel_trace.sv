// mel_trace: the trace port (spec/trace.yaml). Events of one cycle took effect in the order tick, step, answers (core 0 first);
// a later cycle comes later. An answer saw every step up to its own cycle.
// Timing: an event appears in the cycle after it took effect.
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
  input  step_event_t                 event_i,
  input  logic [Cores-1:0]            answered_i,
  input  core_t                       core_i          [Cores],
  input  status_t                     answer_status_i [Cores],
  output mel_pkg::trace_t             trace_tick_o,
  output mel_pkg::trace_t             trace_o,
  output mel_pkg::trace_t [Cores-1:0] trace_answer_o
);

  function automatic logic [15:0] task_or_idle(logic valid, id_t task_id);
    return valid ? 16'(task_id) : 16'(Tasks);
  endfunction

  mel_pkg::trace_t            tick_d, step_d;
  mel_pkg::trace_t [Cores-1:0] answer_d;

  always_comb begin
    tick_d       = '0;
    tick_d.valid = tick_i;
    tick_d.kind  = mel_pkg::TraceTick;
    tick_d.b     = time_next_i[31:0];
    tick_d.c     = time_next_i[63:32];
  end

  always_comb begin
    step_d       = '0;
    step_d.valid = event_i.valid;
    step_d.d     = status_word(event_i.status);
    unique case (event_i.source)
      SourceDispatch: begin
        step_d.kind = mel_pkg::TraceDispatch;
        step_d.core = 8'(event_i.core);
        step_d.a    = task_or_idle(event_i.state.chosen_valid, event_i.state.chosen);
        step_d.b    = 32'(task_or_idle(event_i.state.running_valid, event_i.state.running));
        step_d.c    = 32'(event_i.state.in_handler);
        step_d.d    = '0;
      end
      SourceClaim: begin
        step_d.kind = mel_pkg::TraceClaim;
        step_d.core = 8'(event_i.core);
        step_d.a    = event_i.claim.valid ? 16'(event_i.claim.number) : '1;
        step_d.d    = '0;
      end
      SourceIrq: begin
        step_d.kind = mel_pkg::TraceIrq;
        step_d.a    = 16'(event_i.irq.number);
        step_d.b    = 32'(event_i.irq.action);
        step_d.c    = 32'(event_i.irq.object);
      end
      SourceTimeout: begin
        step_d.kind = mel_pkg::TraceTimeout;
        step_d.a    = 16'(event_i.subject);
      end
      SourceRelease: begin
        step_d.kind = mel_pkg::TraceRelease;
        step_d.a    = 16'(event_i.subject);
      end
      default: begin
        step_d.kind = mel_pkg::TraceCommand;
        step_d.core = 8'(event_i.core);
        step_d.a    = {6'd0, context_of(event_i.state), 2'd0, event_i.access.op};
        step_d.b    = 32'(event_i.access.id);
        step_d.c    = event_i.access.argument;
        if (event_i.caller_waits) step_d.d = 32'(mel_pkg::AnswerWaiting);
      end
    endcase
  end

  always_comb begin
    for (int unsigned i = 0; i < Cores; i++) begin
      answer_d[i]       = '0;
      answer_d[i].valid = answered_i[i];
      answer_d[i].kind  = mel_pkg::TraceAnswer;
      answer_d[i].core  = 8'(i);
      answer_d[i].a     = core_i[i].in_handler ? '1 : task_or_idle(core_i[i].running_valid, core_i[i].running);
      answer_d[i].d     = status_word(answer_status_i[i]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trace_tick_o   <= '0;
      trace_o        <= '0;
      trace_answer_o <= '0;
    end else begin
      trace_tick_o   <= tick_d;
      trace_o        <= step_d;
      trace_answer_o <= answer_d;
    end
  end

endmodule
