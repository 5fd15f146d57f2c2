// SPDX-License-Identifier: Apache-2.0
// mel_deadlock_graph: the resource-allocation graph, and its reduction: in each step all processes and all resources that only wait, only hold or neither
// leave with their edges, in parallel, until a step removes nothing, or the last process or resource. What remains is in a deadlock: on a cycle, or on a way from one cycle to another.
// Contract: docs/decisions/0039. A command comes while `busy_o` is low; a refused one changes nothing. `process_i` and `resource_i` exist.
// Timing: `refused_o`, `holder_o` and `waiting_o` are combinational. A command that is not refused is followed by its steps, one in each cycle, in which `busy_o`
// is high: at most 2 · min(Processes, Resources) - 2, one fewer for as many of each (and more than 2), and never fewer than 1. In the last one `done_o` is high beside the answer.
module mel_deadlock_graph
  import mel_deadlock_pkg::*;
#(
  parameter int unsigned Processes  = 16,  // 2..64
  parameter int unsigned Resources  = 16,  // 2..64
  localparam int unsigned ProcessW  = $clog2(Processes),
  localparam int unsigned ResourceW = $clog2(Resources)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 valid_i,     // a command
  input  logic                 request_i,   // which one: one of these five
  input  logic                 grant_i,
  input  logic                 release_i,
  input  logic                 withdraw_i,
  input  logic                 clear_i,
  input  logic [ProcessW-1:0]  process_i,
  input  logic [ResourceW-1:0] resource_i,  // also of the two below
  output logic                 refused_o,
  output logic [31:0]          holder_o,    // AnswerNone: nobody
  output logic [63:0]          waiting_o,

  output logic                 busy_o,
  output logic                 done_o,
  output logic [31:0]          answer_o,
  output logic [7:0]           steps_o,
  output logic [Processes-1:0] processes_o,  // in a deadlock, while not busy
  output logic [Resources-1:0] resources_o
);
  // Edges: a process waits for a resource; a resource is held by a process.
  logic [Resources-1:0][Processes-1:0] waits_q;
  logic [Resources-1:0]                held_q;
  logic [Resources-1:0][ProcessW-1:0]  holder_q;

  // Nodes that no step has removed.
  logic [Processes-1:0] process_q, process_d;
  logic [Resources-1:0] resource_q, resource_d;

  logic                 busy_q, none_left;
  logic [7:0]           steps_q;
  logic [ProcessW-1:0]  subject_q;  // process of the command
  logic                 waits_now_q, names_q;

  // ---- the command ----------------------------------------------------------------------------------------------------

  logic [Processes-1:0] named, row;
  logic [Resources-1:0] at;
  logic                 held, holds, waits, free, takes, joins, leaves;

  assign named = Processes'(1) << process_i;
  assign at    = Resources'(1) << resource_i;

  always_comb begin
    row      = '0;
    held     = 1'b0;
    holder_o = AnswerNone;
    for (int unsigned r = 0; r < Resources; r++) begin
      if (at[r]) begin
        row  |= waits_q[r];
        held |= held_q[r];
        if (held_q[r]) holder_o = 32'(holder_q[r]);
      end
    end
  end
  assign waiting_o = 64'(row);
  assign waits     = |(row & named);
  assign holds     = held && holder_o == 32'(process_i);
  assign free      = !held && row == '0;

  assign refused_o = (request_i && (holds || waits)) || (grant_i && held) || (release_i && !holds) || (withdraw_i && !waits);
  assign takes     = (request_i && free) || grant_i;
  assign joins     = request_i && !free;
  assign leaves    = grant_i || withdraw_i;

  for (genvar r = 0; r < Resources; r++) begin : gen_resource
    logic here;
    assign here = valid_i && !refused_o && at[r];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                              held_q[r] <= 1'b0;
      else if (valid_i && clear_i)              held_q[r] <= 1'b0;
      else if (here && (takes || release_i))    held_q[r] <= takes;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)            holder_q[r] <= '0;
      else if (here && takes) holder_q[r] <= process_i;
    end

    for (genvar p = 0; p < Processes; p++) begin : gen_edge
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                   waits_q[r][p] <= 1'b0;
        else if (valid_i && clear_i)                   waits_q[r][p] <= 1'b0;
        else if (here && named[p] && (joins || leaves)) waits_q[r][p] <= joins;
      end
    end
  end

  // ---- the reduction --------------------------------------------------------------------------------------------------

  always_comb begin
    automatic logic [Processes-1:0] some_wait = '0;  // process has an edge to a resource that is still there
    automatic logic [Processes-1:0] some_hold = '0;
    for (int unsigned r = 0; r < Resources; r++) begin
      automatic logic [Processes-1:0] by    = waits_q[r] & process_q;
      automatic logic [Processes-1:0] owner = held_q[r] ? (Processes'(1) << holder_q[r]) & process_q : '0;
      resource_d[r] = resource_q[r] && |by && |owner;
      if (resource_q[r]) begin
        some_wait |= by;
        some_hold |= owner;
      end
    end
    process_d = process_q & some_wait & some_hold;
  end

  assign none_left   = process_d == '0 || resource_d == '0;
  assign busy_o      = busy_q;
  assign done_o      = busy_q && (none_left || (process_d == process_q && resource_d == resource_q));
  assign steps_o     = steps_q;
  assign processes_o = process_q;
  assign resources_o = resource_q;

  always_comb begin
    if (names_q && !none_left && |(process_d & (Processes'(1) << subject_q))) answer_o = AnswerDeadlock;
    else                                                                      answer_o = waits_now_q ? AnswerWaits : AnswerDone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      steps_q     <= '0;
      process_q   <= '0;
      resource_q  <= '0;
      subject_q   <= '0;
      waits_now_q <= 1'b0;
      names_q     <= 1'b0;
    end else if (valid_i && !refused_o) begin
      busy_q      <= 1'b1;
      steps_q     <= '0;
      process_q   <= '1;
      resource_q  <= '1;
      subject_q   <= process_i;
      waits_now_q <= joins;
      names_q     <= request_i || grant_i;
    end else if (busy_q) begin
      busy_q     <= !done_o;
      steps_q    <= steps_q + 8'd1;
      process_q  <= none_left ? '0 : process_d;
      resource_q <= none_left ? '0 : resource_d;
    end
  end

endmodule
