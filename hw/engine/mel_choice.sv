// SPDX-License-Identifier: Apache-2.0
// mel_choice: chooses the request that the next step serves: a core's, the interrupt that is pending, or a job of the background.
//
// Order: cores and interrupts alternate, the cores among themselves in turn. A job runs when there is neither, and before both when it
// has waited for a step, when this step, not a job's, has begun one, or when it is urgent: a tick, which is late after the next one, or
// something found, which must end before that. The first job in the order of hw/micro/machine.yaml runs; something found is urgent when it
// is the first.
// While a set of flags or a chain of owners goes on (jobs `walk`, `link`), requests that would meet it do not ask: commands that look at flags or
// change the order in which tasks wait, and a dispatch to a task that is not above the chain. Commands that wait so go first then: till all of
// them are served, no later one of that kind asks.
//
// Waits, in steps, as mel_choice_proof shows: a core for one of each other core, Cores of interrupts and 2 · Cores of jobs,
// 4 · Cores - 1 in all; an interrupt whose request stays pending for one of a core and 2 of jobs; both, for each urgent job beside these.
// Jobs wait for 2 steps of others.
//
// Timing: `any_o` and the choice follow requests of interrupts, and of the core `caller_o`, in the same cycle; those of jobs in the next
// one. `caller_o` moves on to the next core that asks behind the cycle in which its request is done, or in which the word is `idle` and it
// does not ask. A word acts behind its cycle. The choice in the cycle of `start_i` is the step's.
module mel_choice
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter int unsigned Cores = 1,    // 1..4
  parameter int unsigned Jobs  = 11
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [Cores-1:0] access_valid_i,  // stays until it is done
  input  logic [Cores-1:0] held_back_i,     // … while either is on
  input  logic [Cores-1:0] not_above_i,     // a dispatch that a chain holds back
  input  logic [Cores-1:0] access_done_i,   // the caller's
  input  logic             irq_pending_i,
  input  logic [Jobs-1:0]  jobs_i,          // that devices ask for

  input  word_t            word_i,
  input  logic             active_i,        // it has its effects
  input  logic             start_i,         // it is `idle`, and a step begins

  output logic             any_o,           // there is a request
  output logic             ask_o,           // the caller's is chosen
  output logic             irq_o,           // the interrupt
  output logic             irq_else_o,      // likewise, unless the caller's is, which is known later
  output logic             job_o,           // a job, …
  output logic [3:0]       number_o,        // … this one

  output logic [1:0]       caller_o,        // the core that is served, or would be
  output logic [Cores-1:0] served_o,        // one bit for it
  output logic             by_irq_o,        // the step is an interrupt's
  output logic [Jobs-1:0]  jobs_o           // those that the program began and did not end
);

  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  logic [1:0]       next_core;
  logic [Cores-1:0] asks, waits_q, waits_d, behind;   // waits: held back, and not served since
  logic [Jobs-1:0]  jobs, starts, stops, goes_on;   // goes_on: jobs_o behind this cycle
  logic [3:0]       job_d;
  logic             asking, goes_on_q, waiting_q, idle, begins, ends, by_job_q, irq_last_q, waited_q, waited_d, turn_q, job_valid_q;

  // ---- choice ---------------------------------------------------------------------------------------------------------

  for (genvar i = 0; i < Cores; i++) begin : gen_served
    assign served_o[i] = caller_o == 2'(i);
  end
  assign behind = waiting_q ? ~waits_q : '0;
  assign asks   = access_valid_i & ~(held_back_i & ({Cores{goes_on_q}} | behind)) & ~not_above_i;
  assign asking = |(asks & served_o);
  assign ask_o  = asking && !(irq_pending_i && !irq_last_q) && !turn_q;
  assign irq_o  = !ask_o && irq_pending_i && !turn_q;
  assign irq_else_o = irq_pending_i && !turn_q;
  assign job_o  = !ask_o && !irq_o && job_valid_q;
  assign any_o  = asking || irq_pending_i || job_valid_q;

  // ---- cores ----------------------------------------------------------------------------------------------------------

  // The next core that asks, in turn.
  if (Cores == 1) begin : gen_one_core
    assign next_core = '0;
  end else begin : gen_next_core
    always_comb begin
      next_core = caller_o;
      for (int unsigned distance = Cores - 1; distance > 0; distance--) begin
        if (asks[CoreW'((32'(caller_o) + distance) % Cores)]) next_core = 2'((32'(caller_o) + distance) % Cores);
      end
    end
  end

  assign idle   = word_i.branch == BranchIdle;
  assign begins = active_i && word_i.device == DeviceJobStart;
  assign ends   = active_i && word_i.device == DeviceJobEnd;

  // The choice needs waiting_q and goes_on_q early: they are registers.
  assign waits_d = (waiting_q ? waits_q : access_valid_i & held_back_i & {Cores{goes_on_q}}) & ~access_done_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      caller_o   <= '0;
      by_irq_o   <= 1'b0;
      irq_last_q <= 1'b0;
      waits_q    <= '0;
      waiting_q  <= 1'b0;
    end else begin
      waits_q   <= waits_d;
      waiting_q <= (waits_d != '0);
      if (|access_done_i || (idle && !asking)) caller_o <= next_core;
      if (start_i) begin
        by_irq_o <= irq_o;
        if (ask_o || irq_o) irq_last_q <= irq_o;
      end
    end
  end

  // ---- jobs -----------------------------------------------------------------------------------------------------------

  assign jobs    = jobs_i | jobs_o;
  assign goes_on = starts | (jobs_o & ~stops);
  always_comb begin
    for (int unsigned i = 0; i < Jobs; i++) begin
      starts[i] = begins && word_i.immediate[3:0] == 4'(i);
      stops[i]  = ends   && word_i.immediate[3:0] == 4'(i);
    end
    job_d = '0;
    for (int unsigned i = Jobs; i > 0; i--) if (jobs[i-1]) job_d = 4'(i - 1);
  end
  assign waited_d = start_i ? job_valid_q && !job_o : waited_q || (begins && !by_job_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      jobs_o      <= '0;
      goes_on_q   <= 1'b0;
      job_valid_q <= 1'b0;
      waited_q    <= 1'b0;
      turn_q      <= 1'b0;
      by_job_q    <= 1'b0;
    end else begin
      for (int unsigned i = 0; i < Jobs; i++) begin
        if (starts[i])     jobs_o[i] <= 1'b1;
        else if (stops[i]) jobs_o[i] <= 1'b0;
      end
      goes_on_q   <= goes_on[4'(JobWalk)] || goes_on[4'(JobLink)];
      if (start_i) by_job_q <= job_o;
      job_valid_q <= |jobs;
      waited_q    <= waited_d;
      turn_q      <= |jobs && (waited_d || job_d == 4'(JobTick) || job_d == 4'(JobFound));
    end
  end
  always_ff @(posedge clk_i) number_o <= job_d;

`ifndef SYNTHESIS
  // Promises of the program and of mel_engine that mel_choice_proof needs.
  logic owes_q;   // the request of the step's core is not done
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owes_q <= 1'b0;
    end else if (start_i) begin
      owes_q <= ask_o && access_done_i == '0;
    end else if (access_done_i != '0) begin
      owes_q <= 1'b0;
    end
  end
  a_start:  assert property (@(posedge clk_i) disable iff (!rst_ni) !start_i || (idle && any_o && !owes_q));
  a_chain:  assert property (@(posedge clk_i) disable iff (!rst_ni) not_above_i == '0 || jobs_o[4'(JobLink)]);
  a_owes:   assert property (@(posedge clk_i) disable iff (!rst_ni) !idle || !owes_q);
  a_idle:   assert property (@(posedge clk_i) disable iff (!rst_ni) !idle || !active_i || word_i.device == '0);
  a_done:   assert property (@(posedge clk_i) disable iff (!rst_ni) (access_done_i & ~(served_o & access_valid_i)) == '0);
  a_once:   assert property (@(posedge clk_i) disable iff (!rst_ni) access_done_i == '0 || (start_i ? ask_o : owes_q && !idle));
  a_ends:   assert property (@(posedge clk_i) disable iff (!rst_ni) !ends || by_job_q);
  a_number: assert property (@(posedge clk_i) disable iff (!rst_ni) !(begins || ends) || 32'(word_i.immediate[3:0]) < Jobs);
`endif

endmodule
