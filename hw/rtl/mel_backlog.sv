// SPDX-License-Identifier: Apache-2.0
// mel_backlog: what is still being cleared away, and which cores wait for that: the waiters of a deleted object, the mutexes of a
// task that ended, the messages of a deleted queue (mel_queues). One of each at a time.
// Timing: a plan is visible in the next cycle.
module mel_backlog
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Cores  = 1,
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  plan_t            plan_i,
  input  id_t              object_i,        // that the plan is about
  input  id_t              subject_i,
  input  logic [CoreW-1:0] core_i,
  input  logic             purge_valid_i,
  input  id_t              purge_id_i,
  output backlog_t         backlog_o,
  output logic [Cores-1:0] stalled_o        // its request tries again when something was cleared away
);

  logic             drain_valid_q, orphan_valid_q, purging_q;
  wait_e            drain_kind_q;
  id_t              drain_id_q, orphan_id_q;
  logic [Cores-1:0] stalled_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      drain_valid_q  <= 1'b0;
      drain_kind_q   <= WaitNone;
      drain_id_q     <= '0;
      orphan_valid_q <= 1'b0;
      orphan_id_q    <= '0;
      purging_q      <= 1'b0;
      stalled_q      <= '0;
    end else begin
      purging_q <= purge_valid_i;
      if (plan_i.drain_start) begin
        drain_valid_q <= 1'b1;
        drain_kind_q  <= plan_i.wait_kind;
        drain_id_q    <= object_i;
      end
      if (plan_i.drain_end) drain_valid_q <= 1'b0;
      if (plan_i.orphan_start) begin
        orphan_valid_q <= 1'b1;
        orphan_id_q    <= subject_i;
      end
      if (plan_i.orphan_end) orphan_valid_q <= 1'b0;
      if (plan_i.drain_end || plan_i.orphan_end || (purging_q && !purge_valid_i)) stalled_q <= '0;
      if (plan_i.retry) stalled_q[core_i] <= 1'b1;
    end
  end

  assign stalled_o = stalled_q;
  assign backlog_o = '{
    drain_valid:  drain_valid_q,
    drain_kind:   drain_kind_q,
    drain_id:     drain_id_q,
    orphan_valid: orphan_valid_q,
    orphan_id:    orphan_id_q,
    purge_valid:  purge_valid_i,
    purge_id:     purge_id_i
  };

endmodule
