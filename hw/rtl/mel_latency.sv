// SPDX-License-Identifier: Apache-2.0
// mel_latency: how long interrupts wait, measured where the unit sees it.
//  - Per core: the longest time from the first cycle in which it is asked for an interrupt (handler or dispatch) to the load of `claim` or
//    `dispatch` that answers it: what the core had interrupts off, and its entry. A request that is withdrawn is not counted.
//  - Histogram, bucket i: how often a task ran 2^i … 2^(i+1) - 1 cycles (0: less than 2; 15: 2^15 and more) after an interrupt's action had made
//    it ready, counted from the step that serves the edge to the `dispatch` to the task. Event flags release their tasks
//    after that step: those are not counted; nor is a task that is held or ended before it runs.
// Timing: what a cycle adds is visible in the next. `clk_i` has an edge in every cycle: an interrupt may wait while the unit sleeps.
module mel_latency
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 64,   // 4..256
  parameter int unsigned Cores = 1     // 1..4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  input  logic [31:0]            now_i,               // cycles

  input  logic [Cores-1:0]       lines_i,             // an interrupt is asked for
  input  core_step_t             core_step_i [Cores],
  input  step_event_t            event_i,
  input  finish_t                finish_i,
  output logic [Cores-1:0][31:0] longest_o,
  output logic [15:0][31:0]      histogram_o
);

  localparam int unsigned TaskW = $clog2(Tasks);
  typedef logic [TaskW-1:0] task_id_t;

  // ---- requests of the cores ------------------------------------------------------------------------------------------

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    logic        waits_q, answers;
    logic [31:0] since_q, waited;
    assign answers = core_step_i[i].dispatch || core_step_i[i].claim;
    assign waited  = waits_q ? now_i - since_q : '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waits_q      <= 1'b0;
        longest_o[i] <= '0;
      end else begin
        waits_q <= lines_i[i] && !answers;
        if (clear_i)                                             longest_o[i] <= '0;
        else if (answers && lines_i[i] && waited > longest_o[i]) longest_o[i] <= waited;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!waits_q) since_q <= now_i;
    end
  end

  // ---- interrupt to task ----------------------------------------------------------------------------------------------

  (* no_rw_check *) logic [31:0] since_mem [2**TaskW];
  logic [Tasks-1:0] watched_q;          // it was made ready, and has not run yet
  logic             readied, readied_q; // … by the step of an interrupt that is under way
  task_id_t         subject, subject_q;
  logic [31:0]      since, passed;
  logic             starts, runs, ran_q;
  logic [3:0]       bucket;

  assign readied = finish_i.valid && finish_i.change.gets_ready && event_i.source == SourceIrq;
  assign subject = readied ? task_id_t'(finish_i.change.task_id) : subject_q;
  assign starts  = event_i.valid && event_i.source == SourceIrq && (readied || readied_q);
  assign runs    = event_i.valid && event_i.source == SourceDispatch && event_i.state.chosen_valid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      readied_q <= 1'b0;
      ran_q     <= 1'b0;
      watched_q <= '0;
    end else begin
      readied_q <= (readied || readied_q) && !event_i.valid;
      ran_q     <= runs && watched_q[task_id_t'(event_i.state.chosen)];
      if (runs) watched_q[task_id_t'(event_i.state.chosen)] <= 1'b0;
      if (finish_i.valid && finish_i.change.gets_unready) watched_q[task_id_t'(finish_i.change.task_id)] <= 1'b0;
      if (starts) watched_q[subject] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    subject_q <= subject;
    if (starts) since_mem[subject] <= now_i;
    since <= since_mem[task_id_t'(event_i.state.chosen)];
  end

  // In the cycle after the dispatch.
  assign passed = now_i - since - 32'd1;
  always_comb begin
    bucket = '0;
    for (int unsigned i = 1; i < 16; i++) if (passed[i]) bucket = 4'(i);
    if (passed[31:16] != '0) bucket = '1;
  end

  for (genvar i = 0; i < 16; i++) begin : gen_bucket
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                             histogram_o[i] <= '0;
      else if (clear_i)                        histogram_o[i] <= '0;
      else if (ran_q && bucket == 4'(i))       histogram_o[i] <= histogram_o[i] + 32'd1;
    end
  end

endmodule
