// mel_arbiter: which request the sequencer serves next.
// Core accesses and interrupt edges alternate, the cores among themselves in turn; then timeouts, then waiters of a deleted
// semaphore, then collecting due tasks for the next tick. When one of the latter three has waited for Cores + 1 steps of the
// former two, it is served first: nobody waits longer than one step of every other source, at every level.
// Timing: combinational; the turn advances with `start_i`.
module mel_arbiter
  import mel_unit_pkg::*;
#(
  parameter int unsigned Cores = 1,   // 1..4
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic [Cores-1:0] access_i,
  input  access_e          access_kind_i [Cores],
  input  logic             irq_i,
  input  logic             timeout_i,
  input  logic             release_i,
  input  logic             collect_i,

  input  logic             start_i,    // the granted request is taken
  output logic             valid_o,
  output source_e          source_o,
  output logic [CoreW-1:0] core_o      // of an access
);

  logic             irq_last_q;
  logic [CoreW-1:0] core_last_q;
  logic [2:0]       waited_q;
  logic             foreground, background, background_first, pick_background, pick_irq;

  assign foreground       = (|access_i) || irq_i;
  assign background       = timeout_i || release_i || collect_i;
  assign background_first = waited_q > 3'(Cores);
  assign pick_background  = background && (!foreground || background_first);
  assign pick_irq         = irq_i && (!(|access_i) || !irq_last_q);

  // The first core with a request after the one served last.
  always_comb begin
    core_o = '0;
    for (int unsigned distance = Cores; distance > 0; distance--) begin
      if (access_i[(32'(core_last_q) + distance) % Cores]) core_o = CoreW'((32'(core_last_q) + distance) % Cores);
    end
  end

  always_comb begin
    valid_o = foreground || background;
    if (pick_background) begin
      source_o = timeout_i ? SourceTimeout : release_i ? SourceRelease : SourceCollect;
    end else if (pick_irq) begin
      source_o = SourceIrq;
    end else begin
      unique case (access_kind_i[core_o])
        AccessQuery:    source_o = SourceQuery;
        AccessDispatch: source_o = SourceDispatch;
        AccessClaim:    source_o = SourceClaim;
        default:        source_o = SourceCommand;
      endcase
    end
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
