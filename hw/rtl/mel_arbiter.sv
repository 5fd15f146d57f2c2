// mel_arbiter: which request the sequencer serves next.
// Core accesses and interrupt edges alternate, the cores among themselves in turn; then timeouts, then waiters of a deleted
// semaphore, then collecting due tasks for the next tick. When one of the latter three has waited for Cores + 1 steps of the
// former two, it is served first: nobody waits longer than one step of every other source, at every level.
// With the choice come the numbers of its task and semaphore, to be looked up, and the outcome of mel_check, which needs
// no table: a request does not change its context while it waits for its turn.
// Timing: combinational; the turn advances with `start_i`.
module mel_arbiter
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned Semaphores = 64,
  parameter int unsigned Interrupts = 32,
  parameter int unsigned Cores      = 1,   // 1..4
  localparam int unsigned CoreW     = (Cores > 1) ? $clog2(Cores) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [Cores-1:0] access_valid_i,
  input  access_t          access_i       [Cores],
  input  core_t            core_state_i   [Cores],
  input  irq_request_t     irq_i,
  input  timers_t          timers_i,
  input  logic             drain_valid_i,   // a deleted semaphore still has waiters
  input  id_t              drain_id_i,

  input  logic             start_i,         // the granted request is taken
  output logic             valid_o,
  output source_e          source_o,
  output logic [CoreW-1:0] core_o,          // of an access
  output access_t          access_o,
  output core_t            core_state_o,
  output status_t          checked_o,
  output id_t              subject_o,
  output id_t              semaphore_o
);

  logic             irq_last_q;
  logic [CoreW-1:0] core_last_q;
  logic [2:0]       waited_q;
  logic             foreground, background, background_first, pick_background, pick_irq;

  assign foreground       = (|access_valid_i) || irq_i.valid;
  assign background       = timers_i.timeout_valid || drain_valid_i || timers_i.collect_valid;
  assign background_first = waited_q > 3'(Cores);
  assign pick_background  = background && (!foreground || background_first);
  assign pick_irq         = irq_i.valid && (!(|access_valid_i) || !irq_last_q);

  // The first core with a request after the one served last.
  always_comb begin
    core_o = '0;
    for (int unsigned distance = Cores; distance > 0; distance--) begin
      if (access_valid_i[(32'(core_last_q) + distance) % Cores]) core_o = CoreW'((32'(core_last_q) + distance) % Cores);
    end
  end

  always_comb begin
    valid_o = foreground || background;
    if (pick_background) begin
      source_o = timers_i.timeout_valid ? SourceTimeout : drain_valid_i ? SourceRelease : SourceCollect;
    end else if (pick_irq) begin
      source_o = SourceIrq;
    end else begin
      unique case (access_o.kind)
        AccessQuery:    source_o = SourceQuery;
        AccessDispatch: source_o = SourceDispatch;
        AccessClaim:    source_o = SourceClaim;
        default:        source_o = SourceCommand;
      endcase
    end
  end

  assign access_o     = access_i[core_o];
  assign core_state_o = core_state_i[core_o];

  mel_check #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Semaphores (Semaphores),
    .Interrupts (Interrupts)
  ) u_check (
    .query_i    (access_o.kind == AccessQuery),
    .op_i       (access_o.op),
    .id_i       (access_o.id),
    .argument_i (access_o.argument),
    .context_i  (context_of(core_state_o)),
    .core_i     (core_state_o),
    .status_o   (checked_o)
  );

  always_comb begin
    unique case (source_o)
      SourceIrq:     subject_o = irq_i.object;
      SourceTimeout: subject_o = timers_i.timeout_id;
      SourceCollect: subject_o = timers_i.collect_id;
      default:       subject_o = (mel_pkg::id_kind(access_o.op) == mel_pkg::IdKindTask) ? access_o.id
                                                                                       : core_state_o.running;
    endcase
    unique case (source_o)
      SourceIrq:     semaphore_o = irq_i.object;
      SourceRelease: semaphore_o = drain_id_i;
      default:       semaphore_o = access_o.id;
    endcase
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
