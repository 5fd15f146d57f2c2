// mel_monitor: what the unit counts: refused commands and illegal accesses; lost interrupt edges. Both stop at their maximum.
// Timing: a count is visible in the next cycle.
module mel_monitor
  import mel_unit_pkg::*;
#(
  parameter int unsigned Cores = 1   // 1..4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  step_event_t      event_i,
  input  logic [Cores-1:0] illegal_i,
  input  logic [6:0]       lost_edges_i,   // found a pending edge of the same line
  output logic [31:0]      refused_o,
  output logic [31:0]      lost_irqs_o
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

  always_ff @(posedge clk_i or negedge rst_ni) begin
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

endmodule
