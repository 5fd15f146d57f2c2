// SPDX-License-Identifier: Apache-2.0
// mel_monitor: what the unit counts: refused commands and illegal accesses; lost interrupt edges. Both stop at their maximum. With
// `Monitor` also what it measures: how long interrupts wait (mel_latency), for how long tasks run (mel_run_time).
// Timing: a count is visible in the next cycle. Only what is measured runs on `clk_i`; the rest sleeps with the unit.
module mel_monitor
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks   = 64,   // 4..256
  parameter int unsigned Cores   = 1,    // 1..4
  parameter int unsigned Monitor = 1     // 0: nothing is measured
) (
  input  logic             clk_i,
  input  logic             clk_awake_i,
  input  logic             rst_ni,
  input  step_event_t      event_i,
  input  logic [Cores-1:0] illegal_i,
  input  logic [6:0]       lost_edges_i,   // edges that found their line pending
  output logic [31:0]      refused_o,
  output logic [31:0]      lost_irqs_o,

  input  logic             clear_i,        // clears the measurements
  input  logic [Cores-1:0] lines_i,        // an interrupt is asked for
  input  core_step_t       core_step_i [Cores],
  input  core_t            core_i      [Cores],
  input  finish_t          finish_i,
  input  logic             creates_i,      // the step, if it is a command: the subject
  input  id_t              subject_i,
  output logic [31:0]      run_time_o,     // run time of the subject
  output monitor_t         monitor_o   [Cores]
);

  // An event is registered before it is counted, because its status comes late; readers see it at once.
  logic [3:0]  refused_q;
  logic [7:0]  lost_q;
  logic [31:0] refused_sum_q, lost_sum_q;
  logic        refused;
  logic [32:0] refused_sum, lost_sum;

  assign refused = event_i.valid && event_i.source == SourceCommand &&
                   event_i.status inside {mel_pkg::StatusERsfn, mel_pkg::StatusECtx, mel_pkg::StatusEId,
                                          mel_pkg::StatusEPar};

  assign refused_sum = 33'(refused_sum_q) + 33'(refused_q);
  assign lost_sum    = 33'(lost_sum_q) + 33'(lost_q);
  assign refused_o   = refused_sum[32] ? '1 : refused_sum[31:0];
  assign lost_irqs_o = lost_sum[32] ? '1 : lost_sum[31:0];

  always_ff @(posedge clk_awake_i or negedge rst_ni) begin
    if (!rst_ni) begin
      refused_q     <= '0;
      lost_q        <= '0;
      refused_sum_q <= '0;
      lost_sum_q    <= '0;
    end else begin
      refused_q     <= 4'($countones(illegal_i)) + 4'(refused);
      lost_q        <= 8'(lost_edges_i) +
                       8'(event_i.valid && event_i.source == SourceIrq && event_i.status != mel_pkg::StatusEOk);
      refused_sum_q <= refused_o;
      lost_sum_q    <= lost_irqs_o;
    end
  end

  if (Monitor == 0) begin : gen_nothing
    logic unused_all;
    assign unused_all = ^{clk_i, clear_i, lines_i, finish_i, creates_i, subject_i};
    assign run_time_o = '0;
    for (genvar i = 0; i < Cores; i++) begin : gen_core
      logic unused_core;
      assign unused_core  = ^{core_step_i[i], core_i[i]};
      assign monitor_o[i] = '0;
    end
  end else begin : gen_measures
    logic [31:0]            cycles_q;
    logic [Cores-1:0][31:0] longest;
    logic [15:0][31:0]      histogram;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) cycles_q <= '0;
      else         cycles_q <= cycles_q + 32'd1;
    end

    mel_latency #(
      .Tasks (Tasks),
      .Cores (Cores)
    ) u_latency (
      .clk_i,
      .rst_ni,
      .clear_i,
      .now_i       (cycles_q),
      .lines_i,
      .core_step_i,
      .event_i,
      .finish_i,
      .longest_o   (longest),
      .histogram_o (histogram)
    );

    mel_run_time #(
      .Tasks (Tasks),
      .Cores (Cores)
    ) u_run_time (
      .clk_i      (clk_awake_i),
      .rst_ni,
      .now_i      (cycles_q),
      .create_i   (creates_i && event_i.source == SourceCommand),
      .core_step_i,
      .core_i,
      .state_i    (event_i.state),
      .query_id_i (subject_i),
      .run_time_o
    );

    for (genvar i = 0; i < Cores; i++) begin : gen_core
      assign monitor_o[i] = '{there: 1'b1, longest_wait: longest[i], histogram: histogram};
    end
  end

endmodule
