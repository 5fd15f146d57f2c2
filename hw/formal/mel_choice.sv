// SPDX-License-Identifier: Apache-2.0
// Proof of mel_choice, unbounded, for any requests, words and steps, at any cycles. Counted in steps (`start_i`): how long each takes is
// computed from the program (docs/reference/microprogram.md). Promised:
//   exactly one is chosen when there is a request, none otherwise; who is chosen asks, and a job, the first that asks, in the cycle before
//   a core that is chosen is the caller until its request is done; one that jobs `walk` or `link` hold back is not chosen while they are on;
//     while it is among those that go first then, at most two commands of that kind of each other core do
//   from an idle word without a step on, whoever asks is known in the next cycle
//   a core waits for at most one step of each other core, Cores of interrupts and 2 · Cores of jobs: 4 · Cores - 1; an interrupt whose
//     request stays pending for one step of a core and 2 of jobs; both, for each step of an urgent job beside these
//   while jobs ask without a break, at most 2 steps of others follow each other
//   urgent is a tick, and something found while no job before it asks: in the cycle behind that a job is chosen, the first that asks;
//     likewise two cycles behind the word of a step, not a job's, that begins one
// No promise: that a job runs which others go before, and so how long a request that is held back waits before it asks again; nor how
// long an interrupt waits that mel_interrupts does not offer for some cycles behind its operations: its wait counts from then on.
// One core, another one and one job are watched, which are free.
// Needs: m_hold, an access stays until it is done (mel_access_proof); m_chain, a dispatch is held back while job `link` is on
// (mel_chain); m_start, m_owes, m_idle, m_done, m_once, a step begins at `idle`, and that
// of a core does its request once (mel_engine, hw/micro); m_begins, m_ends, m_number, which steps name jobs (hw/micro). All of these but m_hold are
// assertions of mel_choice, too, which every simulation of the unit checks.
module mel_choice_proof
  import mel_micro_pkg::*;
#(
  parameter int unsigned Cores = 1,
  localparam int unsigned Jobs = 11
) (
  input logic             clk_i,
  input logic [Cores-1:0] access_valid_i,
  input logic [Cores-1:0] held_back_i,
  input logic [Cores-1:0] not_above_i,
  input logic [Cores-1:0] access_done_i,
  input logic             irq_pending_i,
  input logic [Jobs-1:0]  jobs_i,
  input word_t            word_i,
  input logic             active_i,
  input logic             start_i
);
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned AccessWait = 4 * Cores - 1, IrqWait = 3, JobWait = 2;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic             any, ask, irq, irq_else, job, by_irq;
  logic [3:0]       number;
  logic [1:0]       caller;
  logic [Cores-1:0] served;
  logic [Jobs-1:0]  begun;

  mel_choice #(.Cores(Cores), .Jobs(Jobs)) u_choice (
    .clk_i, .rst_ni (rst_n), .access_valid_i, .held_back_i, .not_above_i, .access_done_i, .irq_pending_i, .jobs_i, .word_i, .active_i, .start_i,
    .any_o (any), .ask_o (ask), .irq_o (irq), .irq_else_o (irq_else), .job_o (job), .number_o (number), .caller_o (caller), .served_o (served),
    .by_irq_o (by_irq), .jobs_o (begun)
  );

  // ---- the step that is under way -------------------------------------------------------------------------------------

  typedef enum logic [1:0] { None, Core, Irq, Job } step_e;
  step_e      step_q = None;
  logic [1:0] core_q;             // the core that the step is for
  logic       owes_q = 1'b0;      // its request is not done
  logic [1:0] began_q = '0;       // it has begun a job: in a cycle before, and in one before that
  logic       idle, begins, ends;
  assign idle   = word_i.branch == BranchIdle;
  assign begins = active_i && word_i.device == DeviceJobStart;
  assign ends   = active_i && word_i.device == DeviceJobEnd;

  always_ff @(posedge clk_i) begin
    began_q <= start_i ? '0 : {began_q[0], began_q[0] || (begins && step_q != Job)};
    if (start_i) begin
      step_q <= ask ? Core : irq ? Irq : Job;
      core_q <= caller;
      owes_q <= ask && access_done_i == '0;
    end else if (access_done_i != '0) begin
      owes_q <= 1'b0;
    end
  end

  // ---- whoever is watched ---------------------------------------------------------------------------------------------

  logic [1:0] core_watch_q, other_watch_q;   // any two
  logic [3:0] job_watch_q;                   // any
  logic       walks_q = 1'b0, links_q = 1'b0;   // job `walk`, `link` is on
  logic       begun_q = 1'b0;                // the program has begun the job, and not ended it
  logic       asks, chosen, job_asks, jobs_ask, urgent;
  logic       waits, others_wait;   // the core's command was held back, and has not been served since; one of another core
  logic [Cores-1:0] waiting_q = '0;
  logic [1:0] passed_q = '0;                   // commands of the other core that could be held back, while this one's waits
  assign waits       = waiting_q[CoreW'(core_watch_q)];
  assign others_wait = (waiting_q & ~(Cores'(1) << core_watch_q)) != '0;
  assign asks     = access_valid_i[CoreW'(core_watch_q)] &&
                    !(held_back_i[CoreW'(core_watch_q)] && (walks_q || links_q || (others_wait && !waits))) &&
                    !not_above_i[CoreW'(core_watch_q)];
  assign chosen   = start_i && ask && caller == core_watch_q;
  assign job_asks = jobs_i[job_watch_q] || begun_q;
  assign jobs_ask = (|jobs_i) || (|begun);
  assign urgent   = job && (number == 4'(JobTick) || number == 4'(JobFound));

  logic [Cores-1:0] stays_q = '0, held_q;
  logic             known_q = 1'b0, job_asked_q = 1'b0, tick_asked_q = 1'b0, found_asked_q = 1'b0;
  always_ff @(posedge clk_i) begin
    core_watch_q  <= core_watch_q;
    other_watch_q <= other_watch_q;
    job_watch_q   <= job_watch_q;
    stays_q       <= rst_n ? access_valid_i & ~access_done_i : '0;
    known_q       <= rst_n && idle && !start_i && asks;
    job_asked_q   <= rst_n && job_asks;
    tick_asked_q  <= rst_n && (jobs_i[JobTick] || begun[JobTick]);
    found_asked_q <= rst_n && (jobs_i[JobFound] || begun[JobFound]) && (jobs_i[JobFound-1:0] | begun[JobFound-1:0]) == '0;
    held_q        <= held_back_i;
    waiting_q <= rst_n ? (|waiting_q ? waiting_q : access_valid_i & held_back_i & {Cores{walks_q || links_q}}) & ~access_done_i : '0;
    passed_q  <= (!rst_n || !waits) ? '0 : passed_q + 2'(start_i && ask && caller == other_watch_q && other_watch_q != core_watch_q &&
                                                        held_back_i[CoreW'(other_watch_q)] && passed_q != '1);
    if ((begins || ends) && word_i.immediate[3:0] == 4'(JobWalk)) walks_q <= begins;
    if ((begins || ends) && word_i.immediate[3:0] == 4'(JobLink)) links_q <= begins;
    if (word_i.immediate[3:0] == job_watch_q && (begins || ends)) begun_q <= begins;
  end

  // Steps of others since it asks, of each kind, and the urgent ones beside them.
  typedef struct packed { logic [4:0] all; logic [4:0] irqs; logic [4:0] jobs; logic [1:0] other; logic [1:0] urgent; } steps_t;
  steps_t     access_q = '0, line_q = '0;
  logic [1:0] background_q = '0;

  function automatic steps_t counted(steps_t steps);
    counted = steps;
    if (start_i) begin
      if (urgent) counted.urgent += 2'(steps.urgent != '1);
      else begin
        counted.all   += 5'(steps.all != '1);
        counted.irqs  += 5'(irq && steps.irqs != '1);
        counted.jobs  += 5'(job && steps.jobs != '1);
        counted.other += 2'(ask && caller == other_watch_q && steps.other != '1);
      end
    end
  endfunction

  always_ff @(posedge clk_i) begin
    access_q     <= (!rst_n || !asks || chosen) ? '0 : counted(access_q);
    line_q       <= (!rst_n || !irq_pending_i || (start_i && irq)) ? '0 : counted(line_q);
    background_q <= (!rst_n || !jobs_ask || (start_i && job)) ? '0 : background_q + 2'(start_i && background_q != '1);
  end

  always_comb begin
    m_watch:  assume (32'(core_watch_q) < Cores && 32'(other_watch_q) < Cores && 32'(job_watch_q) < Jobs);
    m_hold:   assume ((stays_q & ~access_valid_i) == '0 && (stays_q & (held_back_i ^ held_q)) == '0);
    m_start:  assume (!start_i || (rst_n && idle && any && !owes_q));
    m_chain:  assume (not_above_i == '0 || links_q);
    m_owes:   assume (!idle || !owes_q);
    m_idle:   assume (!idle || !active_i || word_i.device == '0);
    m_done:   assume ((access_done_i & ~(served & access_valid_i)) == '0);
    m_once:   assume (access_done_i == '0 || (rst_n && (start_i ? ask : owes_q && !idle)));
    m_begins: assume (!begins || step_q != None);
    m_ends:   assume (!ends || step_q == Job);
    m_number: assume (!(begins || ends) || 32'(word_i.immediate[3:0]) < Jobs);

    a_one:     assert (!rst_n || ($onehot0({ask, irq, job}) && any == (ask || irq || job)));
    a_ask:     assert (!rst_n || !ask || caller != core_watch_q || asks);
    a_irq:     assert (!rst_n || !irq || irq_pending_i);
    a_else:    assert (!rst_n || ask || irq == irq_else);
    a_job:     assert (!rst_n || !job || (number == job_watch_q ? job_asked_q : number < job_watch_q || !job_asked_q));
    a_begun:   assert (!rst_n || begun[job_watch_q] == begun_q);
    a_caller:  assert (!rst_n || (32'(caller) < Cores && served == Cores'(1) << caller));
    a_stays:   assert (!rst_n || !owes_q || caller == core_q);
    a_by_irq:  assert (!rst_n || by_irq == (step_q == Irq));
    a_known:   assert (!rst_n || !known_q || !asks || any);
    a_asked:   assert (!rst_n || !job_asked_q || any);
    a_urgent:  assert (!rst_n || !(tick_asked_q || found_asked_q) || job);
    a_begins:  assert (!rst_n || !began_q[1] || job);

    a_access_wait: assert (32'(access_q.all) <= AccessWait);
    a_access_each: assert (access_q.other <= 2'd1 && 32'(access_q.irqs) <= Cores && 32'(access_q.jobs) <= 2 * Cores);
    a_irq_wait:    assert (32'(line_q.all) <= IrqWait && line_q.jobs <= 5'd2);
    a_job_wait:    assert (32'(background_q) <= JobWait);
    a_passed:      assert (passed_q <= 2'd2);

    // The bounds are reached: none is larger than it must be.
    c_access_wait: cover (32'(access_q.all) == AccessWait && access_q.urgent == '0);
    c_access_more: cover (32'(access_q.all) == AccessWait && access_q.urgent == 2'd2);
    c_irq_wait:    cover (32'(line_q.all) == IrqWait && line_q.urgent == '0);
    c_irq_more:    cover (32'(line_q.all) == IrqWait && line_q.urgent == 2'd2);
    c_job_wait:    cover (32'(background_q) == JobWait);
    c_held:        cover (rst_n && walks_q && ends && held_back_i[CoreW'(core_watch_q)] && (&access_valid_i) && !ask);
  end
endmodule
