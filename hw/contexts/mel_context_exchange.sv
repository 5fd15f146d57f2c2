// SPDX-License-Identifier: Apache-2.0
// mel_context_exchange: between the stores of contexts of several cores (mel_context_store): which core's memory has a task's registers, and whose row
// is read from it. A task's registers are in the memory of the core that ran it last, or that gave it registers. One core: wires.
//
// Contract: one dispatch at a time (`dispatch_i`, from the unit, with the task that then runs on that core); a core gives registers to a task only when no core runs
// it, or a core that keeps nothing of it.
// Timing: a row is granted in the cycle in which it is asked for, or when the cores that read from that memory have had their turn, at most Cores - 1 cycles
//   later; not while another core runs the task, and not in the cycle behind the dispatch that left it, in which its x3 is written. So the 4 rows of a task
//   that runs come within 4 · Cores + 1 cycles.
//   `forget_gnt_o` waits for a dispatch, and for cores with a lower number.
module mel_context_exchange #(
  parameter int unsigned  Tasks = 64,               // this number stands for the idle context
  parameter int unsigned  Cores = 1,                // 1..4
  localparam int unsigned TaskW = (Tasks > 1) ? $clog2(Tasks) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic [Cores-1:0]             dispatch_i,
  input  logic [Cores-1:0][8:0]        running_i,
  input  logic [Cores-1:0]             forget_i,
  input  logic [Cores-1:0][TaskW-1:0]  task_i,
  output logic [Cores-1:0]             forget_gnt_o,
  output mel_context_pkg::drop_t [Cores-1:0] drop_o,

  input  mel_context_pkg::row_t [Cores-1:0] fetch_i,
  output logic [Cores-1:0]             fetch_gnt_o,
  output logic [Cores-1:0]             fetch_own_o,   // with `fetch_data_o`
  output logic [Cores-1:0][255:0]      fetch_data_o,  // a cycle after the grant
  output mel_context_pkg::row_t [Cores-1:0] serve_o,
  input  logic [Cores-1:0][255:0]      serve_data_i
);
  if (Cores == 1) begin : gen_alone
    assign forget_gnt_o = forget_i;
    assign drop_o[0]    = '{valid: forget_i[0], forgotten: 1'b1, task_id: 8'(task_i[0])};
    assign fetch_gnt_o  = '1;
    assign fetch_own_o  = '1;
    assign fetch_data_o = '0;
    assign serve_o      = '0;
    logic unused_all;
    assign unused_all = ^{clk_i, rst_ni, dispatch_i, running_i, fetch_i, serve_data_i};
  end else begin : gen_several
    localparam int unsigned CoreW = $clog2(Cores);
    typedef logic [CoreW-1:0] core_t;
    typedef logic [TaskW-1:0] task_t;

    core_t           home_q [Tasks];              // core whose memory has the task's registers
    task_t           task_q [Cores];
    logic [Cores-1:0] runs_q;                     // a task, this one
    core_t           turn_q;                      // first in turn at every memory
    logic            behind_q;                    // the cycle behind a dispatch …
    task_t           left_q;                      // … which left this task
    core_t           source_q [Cores];            // memory that has the registers of the running task, until they are loaded

    core_t      here;
    logic [8:0] running;
    logic       forgets;
    task_t      forgotten;
    core_t      forgetter;
    always_comb begin
      here      = '0;
      running   = '0;
      forgets   = 1'b0;
      forgotten = '0;
      forgetter = '0;
      for (int unsigned i = 0; i < Cores; i++) begin
        if (dispatch_i[i]) here = core_t'(i);
        running |= dispatch_i[i] ? running_i[i] : '0;
        forget_gnt_o[i] = forget_i[i] && !(|dispatch_i) && !forgets;
        if (forget_gnt_o[i]) {forgets, forgotten, forgetter} = {1'b1, task_i[i], core_t'(i)};
      end
    end

    always_comb begin
      for (int unsigned i = 0; i < Cores; i++) begin
        drop_o[i] = '{valid: forgets || (|dispatch_i && here != core_t'(i) && running != 9'(Tasks)), forgotten: forgets,
                      task_id: 8'(forgets ? forgotten : task_t'(running))};
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        runs_q   <= '0;
        turn_q   <= '0;
        behind_q <= 1'b0;
      end else begin
        behind_q <= |dispatch_i && runs_q[here];
        turn_q   <= (turn_q == core_t'(Cores - 1)) ? '0 : turn_q + 1'b1;
        if (|dispatch_i) runs_q[here] <= running != 9'(Tasks);
      end
    end
    logic  moves;                                  // a task has its registers in another memory from now on
    task_t mover;
    assign moves = forgets || (|dispatch_i && running != 9'(Tasks));
    assign mover = forgets ? forgotten : task_t'(running);
    always_ff @(posedge clk_i) begin
      if (moves) home_q[mover] <= forgets ? forgetter : here;
      if (|dispatch_i) begin
        task_q[here]   <= task_t'(running);
        source_q[here] <= home_q[task_t'(running)];
        left_q         <= task_q[here];
      end
    end

    // ---- rows -----------------------------------------------------------------------------------------------------------

    core_t [Cores-1:0] from, from_q;
    logic [Cores-1:0]  asks, elsewhere;
    for (genvar i = 0; i < Cores; i++) begin : gen_core
      assign from[i]         = fetch_i[i].runs ? source_q[i] : home_q[task_t'(fetch_i[i].task_id)];
      // A task that runs elsewhere is not loaded, whatever the unit's hint says: its copy could be written over what its own core still reads.
      always_comb begin
        elsewhere[i] = 1'b0;
        for (int unsigned k = 0; k < Cores; k++) if (k != i && runs_q[k] && task_q[k] == task_t'(fetch_i[i].task_id)) elsewhere[i] = !fetch_i[i].runs;
      end
      assign asks[i] = fetch_i[i].valid && !elsewhere[i] && !(behind_q && left_q == task_t'(fetch_i[i].task_id));
      assign fetch_own_o[i]  = from_q[i] == core_t'(i);
      assign fetch_data_o[i] = serve_data_i[from_q[i]];
    end
    always_comb begin
      fetch_gnt_o = '0;
      serve_o     = '0;
      for (int unsigned memory = 0; memory < Cores; memory++) begin
        for (int unsigned k = Cores; k > 0; k--) begin
          automatic core_t core = core_t'((32'(turn_q) + k - 1) % Cores);
          if (asks[core] && from[core] == core_t'(memory)) serve_o[memory] = fetch_i[core];
        end
      end
      for (int unsigned i = 0; i < Cores; i++) begin
        fetch_gnt_o[i] = asks[i];
        for (int unsigned k = 0; k < Cores; k++) begin
          if (k != i && asks[k] && from[k] == from[i] && ((k + Cores - 32'(turn_q)) % Cores < (i + Cores - 32'(turn_q)) % Cores)) fetch_gnt_o[i] = 1'b0;
        end
      end
    end
    always_ff @(posedge clk_i) from_q <= from;
  end
endmodule
