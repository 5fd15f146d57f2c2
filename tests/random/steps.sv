// SPDX-License-Identifier: Apache-2.0
// steps: measures every step of the microprogrammed unit. Contract: melanion/micro/bounds.py: cycle 1 is that of the choice; a step ends in the
// cycle before the next choice is possible, even if nothing is chosen then. `rounds`: how often each of these words was executed.
// Timing: `step_valid_o` in the cycle in which the next choice is possible.
module steps
  import mel_micro_pkg::*;
#(
  parameter logic [7:0][10:0] Rounds = '0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         start_i,      // a request is chosen
  input  logic         possible_i,   // … could be
  input  logic         at_once_i,    // it is answered with its choice
  input  logic         refuses_i,    // in cycle 2: another entry, `next_i`
  input  logic [10:0]  next_i,       // address that is fetched
  input  logic [10:0]  fetched_i,    // address of the word that is fetched
  input  logic         stall_i,
  input  logic         annulled_i,
  input  logic         done_i,
  input  logic         waits_i,
  input  logic         refused_i,
  input  logic [2:0]   action_i,     // kind of action of an interrupt, in cycle 3
  output logic         step_valid_o,
  output logic [223:0] step_o        // rounds, cycles of the step, cycle of its answer, action, outcome, entry
);
  logic [31:0]      age_q, answer_q;   // age: 0, no step; else of the cycle before
  logic [10:0]      entry_q, word_q;   // word: address of the word that executes
  logic [7:0]       outcome_q;         // 0 none, 1 ok, 2 waits, 3 refused
  logic [2:0]       action_q;
  logic [7:0][15:0] rounds_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      age_q     <= '0;
      answer_q  <= '0;
      outcome_q <= '0;
    end else if (start_i) begin
      age_q     <= 32'd1;
      answer_q  <= at_once_i ? 32'd1 : '0;
      outcome_q <= at_once_i ? 8'd1 : '0;
    end else if (possible_i) begin
      age_q     <= '0;
    end else if (age_q != '0) begin
      age_q     <= age_q + 32'd1;
      if (done_i && outcome_q == '0) begin
        answer_q  <= age_q + 32'd1;
        outcome_q <= waits_i ? 8'd2 : refused_i ? 8'd3 : 8'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!stall_i) word_q <= fetched_i;
    if (start_i || (age_q == 32'd1 && refuses_i)) entry_q <= next_i;
    if (age_q == 32'd2) action_q <= action_i;
    for (int unsigned i = 0; i < 8; i++) begin
      if (start_i) rounds_q[i] <= '0;
      else if (!stall_i && !annulled_i && word_q == Rounds[i]) rounds_q[i] <= rounds_q[i] + 16'd1;
    end
  end

  assign step_valid_o = possible_i && age_q != '0;
  assign step_o       = {rounds_q, age_q, answer_q, 5'd0, action_q, outcome_q, 5'd0, entry_q};
endmodule
