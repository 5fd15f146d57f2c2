// SPDX-License-Identifier: Apache-2.0
// mel_bank_table: where the registers of each task are: in a bank of a core, or in the task's frame in memory (decision 0015). One table serves all
// cores of a system; each core's mel_bank_switch tells it what happens there and is told what to do.
//
// Contract: one dispatch at a time (`dispatch_i`, from the unit, with the task that then runs on that core). When the task has no bank on the core it
// gets one, and the core runs the routine of a missing bank until `filled_i`: stores of the victim's registers, if the bank had a task
// (`spills_o`), then loads of its own, from its frame or, `moves_o`, from the bank of the core that it was left on. That bank is lent until the end of the
// routine. The bank is one without a task, or else the one after the last victim, never the one that runs or one that is lent; so there are more banks than cores.
// Timing: outputs are registers, or follow requests (`load_i`, `forget_i`) in the same cycle.
//   A load waits while another core stores the registers of the task that it loads. The store to FORGET waits for the routine that moves the
//   task's registers, at most 63 accesses of another core.
module mel_bank_table #(
  parameter int unsigned  Tasks  = 64,                  // the number that stands for idle
  parameter int unsigned  Banks  = 16,                  // task banks per core, 2..64, more than Cores
  parameter int unsigned  Cores  = 1,
  localparam int unsigned All    = Banks + 2,           // + idle, handlers
  localparam int unsigned BankW  = $clog2(All),
  localparam int unsigned TaskW  = $clog2(Tasks)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Events on the cores.
  input  logic [Cores-1:0]            dispatch_i,
  input  logic [Cores-1:0][8:0]       running_i,
  input  logic [Cores-1:0]            trap_i,           // with `dispatch_i`: the context that is left was interrupted, not left in a call
  input  logic [Cores-1:0]            load_i,           // the routine loads a register
  input  logic [Cores-1:0][4:0]       number_i,         // … this one
  input  logic [Cores-1:0]            filled_i,         // the routine ends
  input  logic [Cores-1:0]            forget_i,         // the registers of a task are in its frame, wherever they were
  input  logic [Cores-1:0][TaskW-1:0] task_i,

  // Orders to the cores.
  output logic [Cores-1:0][BankW-1:0] current_o,        // bank of the running context
  output logic [Cores-1:0]            called_o,         // it was left in a call: its result is to be written
  output logic [Cores-1:0]            missing_o,        // its registers are not there yet
  output logic [Cores-1:0]            spills_o,         // … and those of `leaver_o` go first
  output logic [Cores-1:0]            moves_o,          // … they come from another core
  output logic [Cores-1:0][TaskW-1:0] leaver_o,
  output logic [Cores-1:0][TaskW-1:0] comer_o,
  output logic [Cores-1:0]            load_gnt_o,       // `load_i` may go on; what moves is in `moved_o`
  output logic [Cores-1:0][31:0]      moved_o,
  output logic [Cores-1:0]            forget_gnt_o,

  // A read port of each core's registers.
  output logic [Cores-1:0][BankW+4:0] read_o,
  input  logic [Cores-1:0][31:0]      read_data_i
);
  localparam int unsigned      CoreW = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned      SlotW = $clog2(Banks);
  localparam logic [BankW-1:0] Idle  = BankW'(Banks);

  typedef logic [CoreW-1:0] core_t;
  typedef logic [SlotW-1:0] slot_t;
  typedef logic [TaskW-1:0] task_t;
  typedef struct packed {
    logic  valid;
    core_t core;
    slot_t slot;
  } place_t;
  typedef struct packed {
    logic  valid;
    task_t task_id;
  } owner_t;

  // Per task: its bank; whether its result is to be written when it goes on.
  place_t [Tasks-1:0] place_q;
  logic   [Tasks-1:0] called_q;
  // Per core.
  owner_t [Cores-1:0][Banks-1:0] owner_q;
  logic   [Cores-1:0][Banks-1:0] lent_q;
  slot_t  [Cores-1:0]            next_q;
  logic   [Cores-1:0]            idle_q;         // the idle context runs, else …
  task_t  [Cores-1:0]            task_q;
  logic   [Cores-1:0]            gone_q;         // … which has ended: nothing is to be kept of it
  logic   [Cores-1:0]            idle_called_q;
  logic   [Cores-1:0]            spilling_q;     // the routine has not come to its loads
  place_t [Cores-1:0]            source_q;       // bank that answers the routine's loads

  // ---- the dispatch ---------------------------------------------------------------------------------------------------

  core_t      here;                 // core of the dispatch
  logic [8:0] running;
  logic       to_idle, hit, miss;
  task_t      comer;
  place_t     place;
  slot_t      victim;
  owner_t     leaver;

  always_comb begin
    here    = '0;
    running = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (dispatch_i[i]) here = core_t'(i);
      running |= dispatch_i[i] ? running_i[i] : '0;
    end
  end
  assign to_idle = running == 9'(Tasks);
  assign comer   = task_t'(running);
  assign place   = place_q[comer];
  assign hit     = place.valid && place.core == here;
  assign miss    = !to_idle && !hit;
  assign leaver  = owner_q[here][victim];

  function automatic slot_t after(slot_t slot);
    return (slot == slot_t'(Banks - 1)) ? '0 : slot + 1'b1;
  endfunction

  // A bank without a task if there is one, else the next in turn: one runs, and each other core may have borrowed one.
  always_comb begin
    victim = next_q[here];
    for (int unsigned i = 0; i < Cores; i++) begin
      if (BankW'(victim) == current_o[here] || lent_q[here][victim]) victim = after(victim);
    end
    for (int unsigned i = Banks; i > 0; i--) begin
      if (!owner_q[here][i - 1].valid && !lent_q[here][i - 1] && BankW'(i - 1) != current_o[here]) victim = slot_t'(i - 1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_q       <= '0;
      called_q      <= '0;
      owner_q       <= '0;
      lent_q        <= '0;
      next_q        <= '0;
      idle_q        <= '1;
      task_q        <= '0;
      gone_q        <= '0;
      idle_called_q <= '0;
      spilling_q    <= '0;
      source_q      <= '0;
      current_o     <= {Cores{Idle}};
      missing_o     <= '0;
      spills_o      <= '0;
      leaver_o      <= '0;
      comer_o       <= '0;
    end else begin
      for (int unsigned i = 0; i < Cores; i++) begin
        if (load_i[i]) spilling_q[i] <= 1'b0;
        if (filled_i[i]) begin
          missing_o[i]      <= 1'b0;
          source_q[i].valid <= 1'b0;
          if (source_q[i].valid) lent_q[source_q[i].core][source_q[i].slot] <= 1'b0;
        end
        if (forget_gnt_o[i]) begin
          place_q[task_i[i]]  <= '0;
          called_q[task_i[i]] <= 1'b0;
          if (place_q[task_i[i]].valid) owner_q[place_q[task_i[i]].core][place_q[task_i[i]].slot].valid <= 1'b0;
          for (int unsigned k = 0; k < Cores; k++) if (task_q[k] == task_i[i] && !idle_q[k]) gone_q[k] <= 1'b1;
        end
      end
      if (|dispatch_i) begin
        idle_q[here]    <= to_idle;
        task_q[here]    <= comer;
        gone_q[here]    <= 1'b0;
        current_o[here] <= to_idle ? Idle : BankW'(miss ? victim : place.slot);
        if (idle_q[here])       idle_called_q[here]    <= !trap_i[here];
        else if (!gone_q[here]) called_q[task_q[here]] <= !trap_i[here];
        if (miss) begin
          missing_o[here]       <= 1'b1;
          spilling_q[here]      <= leaver.valid;
          spills_o[here]        <= leaver.valid;
          leaver_o[here]        <= leaver.task_id;
          comer_o[here]         <= comer;
          source_q[here]        <= place;
          if (leaver.valid) next_q[here] <= after(victim);
          owner_q[here][victim] <= '{valid: 1'b1, task_id: comer};
          if (leaver.valid) place_q[leaver.task_id].valid <= 1'b0;
          place_q[comer] <= '{valid: 1'b1, core: here, slot: victim};
          if (place.valid) begin
            owner_q[place.core][place.slot].valid <= 1'b0;
            lent_q[place.core][place.slot]        <= 1'b1;
          end
        end
      end
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < Cores; i++) called_o[i] = idle_q[i] ? idle_called_q[i] : called_q[task_q[i]];
  end

  // ---- between the cores ----------------------------------------------------------------------------------------------

  if (Cores == 1) begin : gen_alone
    assign moves_o      = '0;
    assign load_gnt_o   = load_i;
    assign moved_o      = '0;
    assign forget_gnt_o = forget_i;
    assign read_o       = '0;
    logic unused_reads;
    assign unused_reads = ^{read_data_i, number_i, spilling_q};
  end else begin : gen_several
    always_comb begin
      read_o = '0;
      for (int unsigned i = 0; i < Cores; i++) begin
        moves_o[i] = source_q[i].valid;
        moved_o[i] = read_data_i[source_q[i].core];
        load_gnt_o[i]   = load_i[i];
        forget_gnt_o[i] = forget_i[i] && !(|dispatch_i);   // a dispatch may begin to move the task
        for (int unsigned k = 0; k < Cores; k++) begin
          if (spilling_q[k] && leaver_o[k] == comer_o[i]) load_gnt_o[i] = 1'b0;
          if (missing_o[k] && (comer_o[k] == task_i[i] || (spilling_q[k] && leaver_o[k] == task_i[i]))) forget_gnt_o[i] = 1'b0;
          // The lowest of those that read from one core.
          if (k < i && load_i[k] && source_q[k].valid && source_q[i].valid && source_q[k].core == source_q[i].core) load_gnt_o[i] = 1'b0;
        end
        if (load_i[i] && load_gnt_o[i] && source_q[i].valid) read_o[source_q[i].core] = {BankW'(source_q[i].slot), number_i[i]};
      end
    end
  end

`ifndef SYNTHESIS
  a_one: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(dispatch_i));
  a_victim: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(|dispatch_i) || !miss || (BankW'(victim) != current_o[here] && !lent_q[here][victim]));
`endif
endmodule
