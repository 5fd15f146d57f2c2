// SPDX-License-Identifier: Apache-2.0
// mel_ready_set: the tasks that could run: one list per (affinity, priority), oldest first; an affinity is any core, or one core only. A
// running task is in it only when it lost its turn (dispatcher: `listed`), so that the best of the others is known before the
// running task blocks. Which core it is for: docs/decisions/0009.
// With one core there is one affinity.
// Timing: insert 2, remove 2 or 3, rotate 3 cycles; `best_o` is the new best in the cycle after the last of them (`done`). The same
// for any content.
module mel_ready_set
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned Cores      = 1     // 1..4
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  list_request_t request_i,            // `object` is the affinity
  output list_state_t   state_o,
  input  turn_t         turn_i       [Cores],
  output top_t          best_o       [Cores],
  output affinity_t     best_affinity_o [Cores],
  output logic [Cores-1:0] peers_o            // the first of any core or of this core's own is as urgent as the running task
);

  localparam int unsigned Affinities = (Cores > 1) ? Cores + 1 : 1;

  top_t [Affinities-1:0] tops;
  top_t               unused_top_after;

  mel_priority_list #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Objects    (Affinities),
    .Registers  (1'b1)
  ) u_list (
    .clk_i,
    .rst_ni,
    .clear_i       (1'b0),
    .clear_index_i ('0),
    .request_i,
    .state_o,
    .top_o         (tops),
    .top_after_o   (unused_top_after)
  );

  if (Cores == 1) begin : gen_one_core
    assign best_o[0]       = tops[0];
    assign best_affinity_o[0] = '0;
    assign peers_o[0]      = tops[0].valid && tops[0].prio == turn_i[0].prio;
  end else begin : gen_cores
    // The core that the first task of affinity `any` is for: where it runs, else the least urgent one.
    logic [Cores-1:0] hosts, least, destined;
    logic [8:0]       urgency [Cores];   // 256: nothing that could go on

    always_comb begin
      for (int unsigned i = 0; i < Cores; i++) begin
        hosts[i]   = turn_i[i].running_valid && turn_i[i].running == tops[0].task_id;
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
      assign any = tops[0].valid && destined[i] && (!tops[i+1].valid || tops[0].prio < tops[i+1].prio);
      assign best_o[i]       = any ? tops[0] : tops[i+1];
      assign best_affinity_o[i] = any ? '0 : affinity_t'(i + 1);
      assign peers_o[i]      = (tops[0].valid && tops[0].prio == turn_i[i].prio) ||
                               (tops[i+1].valid && tops[i+1].prio == turn_i[i].prio);
    end
  end

endmodule
