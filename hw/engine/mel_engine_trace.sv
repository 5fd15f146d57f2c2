// SPDX-License-Identifier: Apache-2.0
// mel_engine_trace: the trace port (spec/trace.yaml) of the microprogrammed unit. A step reports its event in the word in which it takes effect;
// an answer saw every step up to its own cycle.
// Timing: an event appears in the cycle after it took effect, an answer in that of its response.
module mel_engine_trace
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter int unsigned Tasks = 64,   // the number that stands for idle
  parameter int unsigned Cores = 1     // 1..4
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  word_t                       word_i,
  input  logic                        active_i,
  input  logic [31:0]                 result_i,
  input  logic [31:0]                 last_i,
  input  core_request_t                     access_i,
  input  logic [1:0]                  caller_i,
  input  logic                        by_core_i,       // the step is not an interrupt's
  input  logic [1:0]                  work_core_i,
  input  core_t                       core_i          [Cores],
  input  finish_t                     finish_i,
  input  logic [31:0]                 memory_i,
  input  id_t                         line_i,
  input  id_t                         subject_i,
  input  id_t                         object_i,
  input  logic                        begins_dispatch_i,
  input  logic                        begins_claim_i,
  input  logic                        claim_valid_i,
  input  logic [6:0]                  claim_i,
  input  logic [Cores-1:0]            answered_i,
  input  status_t                     answer_status_i [Cores],
  output mel_pkg::trace_t             trace_tick_o,
  output mel_pkg::trace_t             trace_o,
  output mel_pkg::trace_t [Cores-1:0] trace_answer_o
);

  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  function automatic logic [15:0] task_or_idle(logic valid, id_t task_id);
    return valid ? 16'(task_id) : 16'(Tasks);
  endfunction

  function automatic logic [15:0] reader(core_t core);
    return core.in_handler ? '1 : task_or_idle(core.running_valid, core.running);
  endfunction

  logic [31:0]     record_q;   // action of the interrupt that is served
  core_t           core;
  mel_pkg::trace_t record;
  assign core = core_i[CoreW'(caller_i)];
  always_ff @(posedge clk_i) if (active_i && word_i.device == DeviceIrqTake) record_q <= memory_i;

  always_comb begin
    record       = '0;
    record.valid = active_i && word_i.report != ReportNone && word_i.report != ReportTick;
    record.d     = status_word(finish_i.status);
    unique case (word_i.report)
      ReportOperand: begin
        record.kind = mel_pkg::TraceOperand;
        record.core = 8'(caller_i);
        record.c    = access_i.argument;
        record.d    = '0;
      end
      ReportValue: begin
        record.kind = mel_pkg::TraceValue;
        record.core = 8'(caller_i);
        record.a    = reader(core);
        record.c    = result_i;
        record.d    = '0;
      end
      ReportTimeout, ReportRelease: begin
        record.kind = (word_i.report == ReportTimeout) ? mel_pkg::TraceTimeout : mel_pkg::TraceRelease;
        record.a    = 16'(subject_i);
        record.d    = status_word(finish_i.change.result);
      end
      ReportOrphan: begin          // result: {task that ended, new owner}
        record.kind = mel_pkg::TraceOrphan;
        record.a    = result_i[15:0];
        record.b    = 32'(object_i);
        record.c    = 32'(result_i[31:16]);
        record.d    = '0;
      end
      ReportTurn: begin
        record.kind = mel_pkg::TraceTurn;
        record.core = 8'(work_core_i);
        record.a    = 16'(subject_i);
        record.d    = '0;
      end
      ReportSlice: begin
        record.kind = mel_pkg::TraceSlice;
        record.core = 8'(work_core_i);
        record.a    = 16'(subject_i);
        record.d    = '0;
      end
      ReportInherit: begin
        record.kind = mel_pkg::TraceInherit;
        record.a    = 16'(subject_i);
        record.c    = 32'(finish_i.change.prio);
        record.d    = '0;
      end
      ReportMiss: begin            // result: {budget, task}, as register `reported`
        record.kind = mel_pkg::TraceMiss;
        record.a    = result_i[15:0];
        record.b    = 32'(result_i[16]);
        record.d    = '0;
      end
      default: begin
        record.kind = mel_pkg::TraceCommand;
        record.core = 8'(caller_i);
        record.a    = {6'd0, context_of(core), 1'd0, access_i.op};
        record.b    = 32'(access_i.number);
        record.c    = access_i.argument;
        if (finish_i.caller_waits) record.d = 32'(mel_pkg::AnswerWaiting);
      end
    endcase
    // An interrupt's action is reported as its service.
    if (word_i.report == ReportCommand && !by_core_i) begin
      record.kind = mel_pkg::TraceIrq;
      record.core = '0;
      record.a    = 16'(line_i);
      record.b    = 32'(record_q[2:0]);
      record.c    = 32'(record_q[23:16]);
      record.d    = status_word(finish_i.status);
    end
    if (begins_dispatch_i) begin
      record = '{valid: 1'b1, kind: mel_pkg::TraceDispatch, core: 8'(caller_i), a: task_or_idle(core.chosen_valid, core.chosen),
                 b: 32'(task_or_idle(core.running_valid, core.running)), c: 32'(core.in_handler), d: '0};
    end
    if (begins_claim_i) begin
      record = '{valid: 1'b1, kind: mel_pkg::TraceClaim, core: 8'(caller_i), a: claim_valid_i ? 16'(claim_i) : '1, b: '0, c: '0,
                 d: '0};
    end
  end

  // Records without `valid` keep what they held: a simulator has nothing to do in most cycles.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trace_tick_o <= '0;
      trace_o      <= '0;
    end else begin
      trace_tick_o.valid <= active_i && word_i.report == ReportTick;
      trace_o.valid      <= record.valid;
      // The word behind the one that adds to the low word adds the carry to the high one.
      if (active_i && word_i.report == ReportTick) begin
        trace_tick_o <= '{valid: 1'b1, kind: mel_pkg::TraceTick, core: '0, a: '0, b: last_i, c: result_i, d: '0};
      end
      if (record.valid) trace_o <= record;
    end
  end

  for (genvar i = 0; i < Cores; i++) begin : gen_answer
    assign trace_answer_o[i] = '{valid: answered_i[i], kind: mel_pkg::TraceAnswer, core: 8'(i), a: reader(core_i[i]), b: '0,
                                 c: '0, d: status_word(answer_status_i[i])};
  end

endmodule
