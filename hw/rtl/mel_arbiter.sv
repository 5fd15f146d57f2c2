// SPDX-License-Identifier: Apache-2.0
// mel_arbiter: which request the sequencer serves next.
// Core accesses and interrupt edges alternate, the cores among themselves in turn; then the background: a running task that
// has its turn again, or has used its quantum, tasks that event flags released, timeouts, waiters of a deleted object, mutexes of a task that ended, messages of a deleted queue, collecting due
// tasks for the next tick. When the background has waited for Cores + 1 steps of the former two, it is served first: nobody waits
// longer than one step of every other source, at every level. A task that flags released is no longer subject to its time
// limit: while there is one, timeouts wait.
// An interrupt edge is handed on as the command that its action stands for.
// With the choice come the numbers of its task and objects, to be looked up, and the outcome of mel_check, which needs
// no table: a request does not change its context while it waits for its turn.
// Timing: combinational; the turn advances with `start_i`.
module mel_arbiter
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes = mel_pkg::SizesDefault,
  localparam int unsigned    Cores = Sizes.Cores,
  localparam int unsigned    CoreW = (Cores > 1) ? $clog2(Cores) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [Cores-1:0] access_valid_i,
  input  access_t          access_i       [Cores],
  input  core_t            core_state_i   [Cores],
  input  logic [Cores-1:0] reclaims_i,      // running tasks that are first in turn again
  input  logic [Cores-1:0] expired_i,       // running tasks that have used their quantum, while others are ready
  input  irq_request_t     irq_i,
  input  timers_t          timers_i,
  input  flag_released_t   released_i,
  input  backlog_t         backlog_i,

  input  logic             start_i,         // the granted request is taken
  output logic             valid_o,
  output source_e          source_o,
  output logic [CoreW-1:0] core_o,          // core of the access, turn or slice
  output access_t          access_o,        // access, or the command of an interrupt
  output core_t            core_state_o,
  output line_t            context_o,       // line of the caller in mel_words
  output status_t          checked_o,
  output logic             may_wait_o,
  output id_t              subject_o,
  output id_t              object_o,
  output wait_e            wait_kind_o      // the object has waiters of this kind, if any
);

  logic             irq_last_q;
  logic [CoreW-1:0] core_last_q;
  logic [2:0]       waited_q;
  logic             foreground, background, background_first, pick_background, pick_irq, timeout;
  access_t          asked;
  status_t          checked;
  logic [2:0]       kind;

  assign foreground       = (|access_valid_i) || irq_i.valid;
  assign timeout          = timers_i.timeout_valid && !released_i.any;
  assign background       = (|reclaims_i) || (|expired_i) || released_i.first.valid || timeout || backlog_i.drain_valid || backlog_i.orphan_valid ||
                            backlog_i.purge_valid || timers_i.collect_valid;
  assign background_first = waited_q > 3'(Cores);
  assign pick_background  = background && (!foreground || background_first);
  assign pick_irq         = irq_i.valid && (!(|access_valid_i) || !irq_last_q);

  // The first core with a request after the one served last.
  always_comb begin
    core_o = '0;
    for (int unsigned distance = Cores; distance > 0; distance--) begin
      if (access_valid_i[(32'(core_last_q) + distance) % Cores]) core_o = CoreW'((32'(core_last_q) + distance) % Cores);
    end
    if (pick_background) begin
      for (int unsigned i = Cores; i > 0; i--) if (expired_i[i-1]) core_o = CoreW'(i - 1);
      for (int unsigned i = Cores; i > 0; i--) if (reclaims_i[i-1]) core_o = CoreW'(i - 1);
    end
  end

  always_comb begin
    valid_o = foreground || background;
    if (pick_background) begin
      if (|reclaims_i)                 source_o = SourceReclaim;
      else if (|expired_i)             source_o = SourceSlice;
      else if (released_i.first.valid) source_o = SourceFlags;
      else if (timeout)                source_o = SourceTimeout;
      else if (backlog_i.drain_valid)  source_o = SourceDrain;
      else if (backlog_i.orphan_valid) source_o = SourceOrphan;
      else if (backlog_i.purge_valid)  source_o = SourcePurge;
      else                             source_o = SourceCollect;
    end else if (pick_irq) begin
      source_o = SourceIrq;
    end else begin
      unique case (asked.kind)
        AccessQuery:    source_o = SourceQuery;
        AccessDispatch: source_o = SourceDispatch;
        AccessClaim:    source_o = SourceClaim;
        AccessOperand:  source_o = SourceOperand;
        AccessValue:    source_o = SourceValue;
        default:        source_o = SourceCommand;
      endcase
    end
  end

  assign asked        = access_i[core_o];
  assign core_state_o = core_state_i[core_o];
  assign kind         = mel_pkg::id_kind(access_o.op);

  always_comb begin
    access_o = asked;
    if (source_o == SourceIrq) begin
      access_o = '{kind: AccessCommand, op: '0, id: irq_i.object, argument: irq_i.word};
      unique case (irq_i.action)
        mel_pkg::IrqActionSemaphoreGive: access_o.op = mel_pkg::OpSemaphoreGive;
        mel_pkg::IrqActionTaskWakeup:    access_o.op = mel_pkg::OpTaskWakeup;
        mel_pkg::IrqActionTaskRelease:   access_o.op = mel_pkg::OpTaskRelease;
        mel_pkg::IrqActionEventFlagsSet: access_o.op = mel_pkg::OpEventFlagsSet;
        mel_pkg::IrqActionQueuePost:     access_o.op = mel_pkg::OpQueuePost;
        mel_pkg::IrqActionNotificationSet:  access_o.op = mel_pkg::OpNotificationSet;
        mel_pkg::IrqActionNotificationGive: access_o.op = mel_pkg::OpNotificationGive;
        default: ;
      endcase
    end
  end

  // Contexts: the tasks, then the handler level and idle of every core.
  always_comb begin
    unique case (context_of(core_state_o))
      mel_pkg::ContextTask:    context_o = line_t'(core_state_o.running);
      mel_pkg::ContextHandler: context_o = line_t'(Sizes.Tasks) + line_t'({core_o, 1'b0});
      default:                 context_o = line_t'(Sizes.Tasks) + line_t'({core_o, 1'b1});
    endcase
  end

  mel_check #(
    .Sizes (Sizes),
    .Lines (Sizes.Interrupts + Sizes.Timers + 1)
  ) u_check (
    .query_i    (asked.kind == AccessQuery),
    .op_i       (asked.op),
    .id_i       (asked.id),
    .argument_i (asked.argument),
    .context_i  (context_of(core_state_o)),
    .core_i     (core_state_o),
    .status_o   (checked),
    .may_wait_o (may_wait_o)
  );
  assign checked_o = (source_o == SourceIrq) ? mel_pkg::StatusEOk : checked;

  always_comb begin
    unique case (source_o)
      SourceTimeout: subject_o = timers_i.timeout_id;
      SourceCollect: subject_o = timers_i.collect_id;
      SourceFlags:   subject_o = released_i.first.task_id;
      SourceOrphan:  subject_o = backlog_i.orphan_id;
      SourceSlice:   subject_o = core_state_o.running;
      default:       subject_o = (kind == mel_pkg::IdKindTask) ? access_o.id : core_state_o.running;
    endcase
    unique case (source_o)
      SourceDrain: object_o = backlog_i.drain_id;
      SourcePurge: object_o = backlog_i.purge_id;
      default:     object_o = access_o.id;
    endcase
    unique case (kind)
      mel_pkg::IdKindMutex: wait_kind_o = WaitMutex;
      mel_pkg::IdKindQueue: wait_kind_o = WaitQueue;
      default:              wait_kind_o = WaitSemaphore;
    endcase
    if (source_o == SourceDrain) wait_kind_o = backlog_i.drain_kind;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      irq_last_q  <= 1'b0;
      core_last_q <= '0;
      waited_q    <= '0;
    end else if (start_i && valid_o) begin
      if (pick_background || !background) waited_q <= '0;
      else                                waited_q <= waited_q + 3'd1;
      if (!pick_background) begin
        irq_last_q <= pick_irq;
        if (!pick_irq) core_last_q <= core_o;
      end
    end
  end

`ifndef SYNTHESIS
  a_background_bounded: assert property (@(posedge clk_i) disable iff (!rst_ni) waited_q <= 3'(Cores + 1));
`endif

endmodule
