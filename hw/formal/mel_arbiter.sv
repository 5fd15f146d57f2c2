// SPDX-License-Identifier: Apache-2.0
// Proof of mel_arbiter, for any requests at any time and any number of steps: who is served next is somebody who asks; a core waits for
// at most AccessWait steps of others, an interrupt edge for IrqWait, background work for BackgroundWait, in which each other source
// is served in its turn. Counted in steps (`start_i`): how long a step takes is the matter of mel_sequencer.
// Needs: who asks goes on asking until it is served (m_hold). One core is watched, which one is free.
module mel_arbiter_proof
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Cores  = 1,
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1
) (
  input logic                               clk_i,
  input logic [Cores-1:0]                   access_valid_i,
  input logic [Cores-1:0][$bits(access_t)-1:0] access_i,
  input logic [Cores-1:0][$bits(core_t)-1:0]   core_state_i,
  input logic [Cores-1:0]                   reclaims_i,
  input logic [Cores-1:0]                   expired_i,
  input logic [$bits(irq_request_t)-1:0]    irq_i,
  input logic [$bits(timers_t)-1:0]         timers_i,
  input logic [$bits(flag_released_t)-1:0]  released_i,
  input logic [$bits(backlog_t)-1:0]        backlog_i,
  input logic                               start_i,
  input logic [1:0]                         watch_i
);

  localparam int unsigned AccessWait     = mel_bounds_pkg::access_wait(Cores);
  localparam int unsigned IrqWait        = 2;
  localparam int unsigned BackgroundWait = Cores + 1;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  access_t          access [Cores];
  core_t            core_state [Cores];
  irq_request_t     irq;
  timers_t          timers;
  logic             valid;
  source_e          source;
  logic [CoreW-1:0] core;
  access_t          chosen;
  core_t            chosen_state;
  status_t          checked;
  flag_released_t   released;
  backlog_t         backlog;
  line_t            context_line;
  logic             may_wait;
  id_t              subject, object;
  wait_e            wait_kind;

  logic access_kinds_ok;
  always_comb begin
    access_kinds_ok = 1'b1;
    for (int unsigned i = 0; i < Cores; i++) access_kinds_ok &= access[i].kind <= AccessValue;
  end

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign access[i]     = access_i[i];
    assign core_state[i] = core_state_i[i];
  end
  assign irq    = irq_i;
  assign timers   = timers_i;
  assign released = released_i;
  assign backlog  = backlog_i;

  localparam mel_pkg::sizes_t Sizes = '{
    Tasks: 4, Priorities: 2, Semaphores: 1, EventFlags: 16, Mutexes: 16, Queues: 16, Messages: 64, Timers: 8, Interrupts: 2, Cores: Cores,
    default: 1
  };

  mel_arbiter #(.Sizes(Sizes)) u_arbiter (
    .clk_i, .rst_ni (rst_n),
    .access_valid_i, .access_i (access), .core_state_i (core_state), .reclaims_i, .expired_i, .irq_i (irq), .timers_i (timers),
    .released_i (released), .backlog_i (backlog), .start_i,
    .valid_o (valid), .source_o (source), .core_o (core), .access_o (chosen), .core_state_o (chosen_state),
    .context_o (context_line), .checked_o (checked), .may_wait_o (may_wait), .subject_o (subject), .object_o (object),
    .wait_kind_o (wait_kind)
  );

  logic unused_choice;
  assign unused_choice = ^{chosen_state, context_line, checked, may_wait, subject, object, wait_kind};

  // ---- who is served --------------------------------------------------------------------------------------------------

  logic       serves, of_core, of_irq, of_background, background, timeout, watched;
  logic [Cores-1:0] lower_reclaims, lower_expired;
  logic [1:0] watch_q;
  logic       fixed_q = 1'b0;
  always_ff @(posedge clk_i) begin
    fixed_q <= 1'b1;
    watch_q <= fixed_q ? watch_q : watch_i;
  end

  assign serves        = rst_n && start_i && valid;
  assign of_irq        = source == SourceIrq;
  assign of_core       = source inside {SourceCommand, SourceQuery, SourceDispatch, SourceClaim, SourceOperand, SourceValue};
  assign of_background = !of_irq && !of_core;
  assign timeout       = timers.timeout_valid && !released.any;
  assign background    = (|reclaims_i) || (|expired_i) || released.first.valid || timeout || backlog.drain_valid || backlog.orphan_valid ||
                         backlog.purge_valid || timers.collect_valid;
  // The turns of several cores are served in the order of their numbers.
  assign lower_reclaims = reclaims_i & ((Cores'(1) << core) - Cores'(1));
  assign lower_expired  = expired_i & ((Cores'(1) << core) - Cores'(1));
  assign watched       = access_valid_i[CoreW'(watch_q)];

  // ---- steps of others since it asks ----------------------------------------------------------------------------------

  logic [3:0] access_waits_q = '0, irq_waits_q = '0, background_waits_q = '0;
  logic       asked_q = 1'b0, irq_asked_q = 1'b0;   // … and was not served
  logic       core_served, irq_served;
  assign core_served = serves && of_core && 2'(core) == watch_q;
  assign irq_served  = serves && of_irq;

  always_ff @(posedge clk_i) begin
    asked_q     <= fixed_q && watched && !core_served;
    irq_asked_q <= irq.valid && !irq_served;
    access_waits_q     <= (!fixed_q || !watched || core_served) ? '0 : access_waits_q + 4'(serves);
    irq_waits_q        <= (!irq.valid || irq_served) ? '0 : irq_waits_q + 4'(serves);
    background_waits_q <= (!background || (serves && of_background)) ? '0 : background_waits_q + 4'(serves);
  end

  always_comb begin
    m_kind:  assume (access_kinds_ok);                     // mel_command has no other
    m_watch: assume (!fixed_q || 32'(watch_q) < Cores);   // it is one of the cores
    m_hold:  assume (!asked_q || watched);                // mel_command keeps an access until it is done
    m_irq:   assume (!irq_asked_q || irq.valid);          // mel_interrupt_map keeps an edge until it is taken

    a_valid:      assert (valid == ((|access_valid_i) || irq.valid || background));
    a_core_asks:  assert (!valid || !of_core || (access_valid_i[core] && chosen == access[core] && (
                          source == SourceQuery    ? chosen.kind == AccessQuery :
                          source == SourceDispatch ? chosen.kind == AccessDispatch :
                          source == SourceClaim    ? chosen.kind == AccessClaim :
                          source == SourceOperand  ? chosen.kind == AccessOperand :
                          source == SourceValue    ? chosen.kind == AccessValue :
                                                     chosen.kind == AccessCommand)));
    a_irq_asks:   assert (!valid || !of_irq || irq.valid);
    // In the order of the names: nobody whose turn comes earlier asks.
    a_background: assert (!valid || !of_background || (
                          source == SourceReclaim ? reclaims_i[core] && lower_reclaims == '0 :
                          source == SourceSlice   ? expired_i[core] && lower_expired == '0 && !(|reclaims_i) :
                          !(|reclaims_i) && !(|expired_i) && (
                          source == SourceFlags   ? released.first.valid :
                          source == SourceTimeout ? timeout && !released.first.valid :
                          !(released.first.valid || timeout) && (
                          source == SourceDrain   ? backlog.drain_valid :
                          source == SourceOrphan  ? backlog.orphan_valid && !backlog.drain_valid :
                          source == SourcePurge   ? backlog.purge_valid && !(backlog.drain_valid || backlog.orphan_valid) :
                                                    source == SourceCollect && timers.collect_valid &&
                                                    !(backlog.drain_valid || backlog.orphan_valid || backlog.purge_valid)))));
    a_released:   assert (!valid || source != SourceTimeout || !released.any);
    a_access_waits:     assert (32'(access_waits_q) <= AccessWait);
    a_irq_waits:        assert (32'(irq_waits_q) <= IrqWait);
    a_background_waits: assert (32'(background_waits_q) <= BackgroundWait);

    // The bounds are reached: none is larger than it must be.
    c_access_waits:     cover (32'(access_waits_q) == AccessWait);
    c_irq_waits:        cover (32'(irq_waits_q) == IrqWait);
    c_background_waits: cover (32'(background_waits_q) == BackgroundWait);
  end

endmodule
