// SPDX-License-Identifier: Apache-2.0
// mel_best: the best of the ready lists for each core: the first of those that may run there only, or the first of those that may run on any
// core, when it is for this core: where it runs, else on the core whose running task is the least urgent (docs/decisions/0009).
// Timing: one core: combinational. Several: `best_o` and `best_affinity_o` follow in the next cycle, because all priorities are compared.
module mel_best
  import mel_unit_pkg::*;
#(
  parameter int unsigned Cores      = 1,                          // 1..4
  localparam int unsigned Affinities = (Cores > 1) ? Cores + 1 : 1
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  top_t      tops_i          [Affinities],  // each affinity's: any core, core 0 …
  input  turn_t     turn_i          [Cores],
  output top_t      best_o          [Cores],
  output affinity_t best_affinity_o [Cores],
  output logic [Cores-1:0] peers_o                 // the first of any core or of this core's own is as urgent as the running task
);

  if (Cores == 1) begin : gen_one_core
    logic unused_all;
    assign unused_all         = ^{clk_i, rst_ni};
    assign best_o[0]          = tops_i[0];
    assign best_affinity_o[0] = '0;
    assign peers_o[0]         = tops_i[0].valid && tops_i[0].prio == turn_i[0].prio;
  end else begin : gen_cores
    logic [Cores-1:0] hosts, least, destined;
    logic [8:0]       urgency [Cores];   // 256: nothing that could go on

    always_comb begin
      for (int unsigned i = 0; i < Cores; i++) begin
        hosts[i]   = turn_i[i].running_valid && turn_i[i].running == tops_i[0].task_id;
        urgency[i] = turn_i[i].goes_on ? 9'(turn_i[i].prio) : 9'd256;
      end
      for (int unsigned i = 0; i < Cores; i++) begin
        least[i] = turn_i[i].enabled;
        for (int unsigned j = 0; j < Cores; j++) begin
          if (j != i && turn_i[j].enabled && (urgency[j] > urgency[i] || (urgency[j] == urgency[i] && j < i))) least[i] = 1'b0;
        end
      end
      destined = (|hosts) ? hosts : least;
    end

    for (genvar i = 0; i < Cores; i++) begin : gen_best
      logic any;
      assign any = tops_i[0].valid && destined[i] && (!tops_i[i+1].valid || tops_i[0].prio < tops_i[i+1].prio);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          best_o[i]          <= '0;
          best_affinity_o[i] <= '0;
        end else begin
          best_o[i]          <= any ? tops_i[0] : tops_i[i+1];
          best_affinity_o[i] <= any ? '0 : affinity_t'(i + 1);
        end
      end
      assign peers_o[i]         = (tops_i[0].valid && tops_i[0].prio == turn_i[i].prio) ||
                                  (tops_i[i+1].valid && tops_i[i+1].prio == turn_i[i].prio);
    end
  end

endmodule
