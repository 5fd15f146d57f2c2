// SPDX-License-Identifier: Apache-2.0
// mel_context_store: the integer registers of one core for every task (decision 0038). A few contexts are resident, in LUT-RAM that the core reads: handlers (slot 0),
// the idle context (1), and tasks in the slots behind. A block memory holds the registers of all tasks, and every write to a task's registers goes to both: so nothing is
// ever saved, and a slot can be given away at any time. Register r is in group r % 8, row r / 8: a row of 8 registers is read from the memory and written to a slot at once.
// Word 0 of a task holds one bit instead of x0: it was left in a call.
//
// Contract: one dispatch at a time, and none while the running context's registers are on their way; the core writes no register from the dispatch until they are
// there (`ready_o`), nor in a cycle with `put_i` or `mark_i`. A task whose registers are given to it (`PutFrame`) was forgotten before and is neither `next_i` nor run meanwhile.
// x3 is read from the running context, every other register from it or from the handlers (`handler_i`).
// Timing: reads are combinational; a write is seen by reads from the next cycle on. A dispatch in cycle d changes the context that d + 1 reads.
//   A task that is not resident is loaded: `next_i`, in the background, from the cycle behind the one in which it is shown, 1 cycle to read and 4 to write its rows, x3's first;
//   one that is dispatched to and was not loaded before, from d + 1, its rows in d + 2 … d + 5. A write of the core or the coupling goes first: it delays the one row that is
//   written in that cycle, for 1 of 8 groups. `ready_o` comes with the last row, at d + 5 at the latest with one core; `x3_there_o` with the second row, at d + 3; `near_o`, for a core
//   that reads x3 a cycle later and other registers 3 cycles after that, with one core then, too, if it writes nothing in the cycle of the dispatch. Several cores: mel_context_exchange may delay each row;
//   `ready_o` then comes at d + 4 · Cores + 2 at the latest.
module mel_context_store #(
  parameter int unsigned  Tasks    = 64,            // 1..256; this number stands for the idle context
  parameter int unsigned  Resident = 4,             // slots, 4..16
  parameter int unsigned  Cores    = 1,
  localparam int unsigned TaskW    = (Tasks > 1) ? $clog2(Tasks) : 1,
  localparam int unsigned SlotW    = $clog2(Resident)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // The core: the instruction that reads, and the one that writes.
  input  logic             handler_i,               // in the next cycle it is a handler's
  input  logic             x3_is_i,                 // x3 reads x3_i instead
  input  logic [31:0]      x3_i,
  input  logic [4:0]       raddr_a_i,
  output logic [31:0]      rdata_a_o,
  input  logic [4:0]       raddr_b_i,
  output logic [31:0]      rdata_b_o,
  input  logic             whandler_i,
  input  logic             we_i,
  input  logic [4:0]       waddr_i,
  input  logic [31:0]      wdata_i,

  // The coupling's writes.
  input  logic             put_i,
  input  mel_context_pkg::put_e put_to_i,
  input  logic [4:0]       put_addr_i,              // 0: only to PutFrame
  input  logic [31:0]      put_data_i,
  input  logic             mark_i,                  // the cycle behind a dispatch: the context that was left …
  input  logic             mark_called_i,           // … was left in a call
  input  logic             forget_i,                // with `drop_i`: this core has forgotten task_i, and gives it registers
  input  logic [TaskW-1:0] task_i,

  // The unit.
  input  logic             dispatch_i,
  input  logic [8:0]       running_i,               // with `dispatch_i`
  input  logic [8:0]       next_i,                  // first in the ready set; Tasks: none
  output logic             ready_o,                 // the running context's registers are there, or will be in the next cycle
  output logic             x3_there_o,              // x3 of the running context, or with `dispatch_i` of the one that comes, is there
  output logic             near_o,                  // … and the others will be there 3 cycles later
  output logic             called_o,                // the running context was left in a call
  output logic             again_o,                 // it is the one that the last dispatch left

  // Other cores (mel_context_exchange).
  input  mel_context_pkg::drop_t drop_i,            // a task that is no longer what a slot holds
  output mel_context_pkg::row_t fetch_o,            // row that is to be read, from the core that has it
  input  logic             fetch_gnt_i,
  input  logic             fetch_own_i,             // with `fetch_data_i`: that is this core
  input  logic [255:0]     fetch_data_i,            // a cycle after the grant
  input  mel_context_pkg::row_t serve_i,            // row of this core's memory for any core
  output logic [255:0]     serve_data_o
);
  import mel_context_pkg::*;
  localparam int unsigned      Groups   = 8;
  localparam logic [SlotW-1:0] Handlers = '0, Idle = SlotW'(1), First = SlotW'(2), Last = SlotW'(Resident - 1);

  typedef logic [SlotW-1:0] slot_t;
  typedef logic [TaskW-1:0] task_t;

  // ---- which contexts are where ---------------------------------------------------------------------------------------

  slot_t               slot_q, slot_d, left_slot_q; // slots of the running context and of the one before
  slot_t               read_slot_q;               // of the instruction that reads, but for x3
  task_t               task_q, left_task_q, frame_q;
  logic                kept_q, left_kept_q;       // it is a task, and was not forgotten: its writes go to the memory
  logic [Resident-1:2] valid_q;                   // the slot has this task, or is being loaded with it
  task_t               owner_q [Resident];
  logic [Resident-1:0] called_q;
  slot_t               recent_q, turn_q;          // slot of the last task that ran; next to be given away
  logic [8:0]          next_q;

  logic                loads_q;                   // a task is being loaded
  slot_t               load_slot_q;
  task_t               load_task_q;
  logic [1:0]          row_q;                     // row that is there, or is to be read
  logic                there_q;                   // … in `row`
  logic [Groups-1:0]   done_q;                    // groups of it that are written

  logic                hit, next_hit, to_idle, miss, wants, begin_load, finished, dropped;
  slot_t               hit_slot, victim;
  logic [Groups-1:0]   load_we;
  logic [1:0]          row_d;
  logic [255:0]        row;
  row_t                serve;                     // purpose of this core's read of its memory
  logic                grant;

  always_comb begin
    hit      = 1'b0;
    hit_slot = Idle;
    next_hit = 1'b0;
    for (int unsigned i = 2; i < Resident; i++) begin
      if (valid_q[i] && 9'(owner_q[i]) == running_i) begin
        hit      = 1'b1;
        hit_slot = slot_t'(i);
      end
      if (valid_q[i] && 9'(owner_q[i]) == next_q) next_hit = 1'b1;
    end
  end
  assign to_idle = running_i == 9'(Tasks);
  assign miss    = dispatch_i && !to_idle && !hit;

  function automatic slot_t after(slot_t slot);
    return (slot == Last) ? First : slot + 1'b1;
  endfunction
  // A slot that is being loaded in the background holds nothing yet.
  assign victim = loads_q ? load_slot_q : (turn_q == recent_q) ? after(turn_q) : turn_q;

  logic for_running;                              // the context that is loaded runs
  assign for_running = loads_q && load_slot_q == slot_q;
  assign dropped     = loads_q && !for_running && drop_i.valid && task_t'(drop_i.task_id) == load_task_q;  // nobody reads where registers are given
  assign wants       = next_q != 9'(Tasks) && !next_hit && !(drop_i.valid && 9'(drop_i.task_id) == next_q);
  assign slot_d      = !dispatch_i ? slot_q : miss ? victim : hit ? hit_slot : Idle;
  assign begin_load  = wants && !dispatch_i && !for_running;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q      <= Idle;
      read_slot_q <= Idle;
      kept_q      <= 1'b0;
      left_slot_q <= Idle;
      left_kept_q <= 1'b0;
      valid_q     <= '0;
      called_q    <= '0;
      recent_q    <= First;
      turn_q      <= First;
      next_q      <= 9'(Tasks);
      loads_q     <= 1'b0;
    end else begin
      next_q <= next_i;
      for (int unsigned i = 2; i < Resident; i++) begin
        if (drop_i.valid && task_t'(drop_i.task_id) == owner_q[i]) valid_q[i] <= 1'b0;
      end
      if (mark_i) called_q[left_slot_q] <= mark_called_i;
      if (load_we[0] && row_q == '0) called_q[load_slot_q] <= row[0];
      if (drop_i.valid && drop_i.forgotten && task_t'(drop_i.task_id) == task_q) kept_q <= 1'b0;
      if (finished || dropped) loads_q <= 1'b0;
      if (miss || begin_load) begin
        loads_q         <= 1'b1;
        valid_q[victim] <= 1'b1;
        turn_q          <= after(victim);
      end
      slot_q      <= slot_d;
      read_slot_q <= handler_i ? Handlers : slot_d;
      if (dispatch_i) begin
        kept_q      <= !to_idle;
        left_slot_q <= slot_q;
        left_kept_q <= kept_q;
        if (!to_idle) recent_q <= hit ? hit_slot : victim;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (dispatch_i) begin
      task_q      <= task_t'(running_i);
      left_task_q <= task_q;
    end
    if (forget_i) frame_q <= task_i;
    if (miss || begin_load) begin
      owner_q[victim] <= miss ? task_t'(running_i) : task_t'(next_q);
      load_slot_q     <= victim;
      load_task_q     <= miss ? task_t'(running_i) : task_t'(next_q);
    end
  end

  // ---- the load -------------------------------------------------------------------------------------------------------

  logic         completes, asks;
  assign completes = there_q && &(done_q | load_we);
  assign row_d     = row_q + 2'(completes);
  assign finished  = completes && row_q == 2'd3;
  assign asks      = loads_q && !finished && !dropped && !miss;
  assign fetch_o   = begin_load ? '{valid: 1'b1, runs: 1'b0, task_id: 8'(next_q), row: 2'd0} :
                                  '{valid: asks, runs: for_running, task_id: 8'(load_task_q), row: row_d};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) there_q <= 1'b0;
    else         there_q <= fetch_o.valid && grant;
  end
  always_ff @(posedge clk_i) begin
    row_q  <= (miss || begin_load) ? 2'd0 : row_d;
    done_q <= (miss || begin_load || completes) ? '0 : done_q | load_we;
  end

  // ---- ready ----------------------------------------------------------------------------------------------------------

  // The core writes nothing meanwhile: a last row that is there is written.
  assign called_o = (mark_i && again_o) ? mark_called_i : called_q[slot_q];
  assign again_o  = left_slot_q == slot_q;
  assign ready_o  = !for_running || (there_q && row_q == 2'd3 && !put_i && !mark_i);
  logic whole, second;                            // the context that runs or comes is not being loaded; its second row is there
  assign whole      = dispatch_i ? to_idle || (hit && !(loads_q && load_slot_q == hit_slot)) : !for_running;
  assign second     = row_q != 2'd0;
  assign x3_there_o = whole || (second && (!dispatch_i || hit));
  assign near_o     = (Cores == 1) ? x3_there_o : whole || (!dispatch_i && ready_o);

  // ---- registers ------------------------------------------------------------------------------------------------------

  // One register is written by the core or the coupling.
  logic        writes, to_slot, kept;
  slot_t       write_slot;
  task_t       write_task;
  logic [4:0]  write_addr;
  logic [31:0] write_data;
  assign writes     = put_i || (we_i && waddr_i != '0);
  assign write_addr = put_i ? put_addr_i : waddr_i;
  assign write_data = put_i ? put_data_i : wdata_i;
  always_comb begin
    to_slot    = 1'b1;
    kept       = kept_q;
    write_slot = slot_q;
    write_task = task_q;
    if (put_i) begin
      unique case (put_to_i)
        PutLeft:     {kept, write_slot, write_task} = {left_kept_q, left_slot_q, left_task_q};
        PutRunning:  ;
        PutHandlers: {kept, write_slot} = {1'b0, Handlers};
        PutFrame:    {kept, to_slot, write_task} = {1'b1, 1'b0, frame_q};
      endcase
    end else if (whandler_i) begin
      {kept, write_slot} = {1'b0, Handlers};
    end
  end

  logic [31:0] rdata_a [Groups], rdata_b [Groups];

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic        takes, marks, is_x3_row_a, is_x3_row_b;
    slot_t       slot;
    task_t       task_id;
    logic [1:0]  row_of;
    logic [31:0] data;
    assign takes       = writes && write_addr[2:0] == 3'(g);
    assign marks       = mark_i && g == 0;
    assign load_we[g]  = there_q && !done_q[g] && !takes && !marks;
    assign slot        = takes ? write_slot : marks ? left_slot_q : load_slot_q;
    assign task_id     = takes ? write_task : marks ? left_task_q : load_task_q;
    assign row_of      = takes ? write_addr[4:3] : marks ? 2'd0 : row_q;
    assign data        = takes ? write_data : marks ? {31'd0, mark_called_i} : row[32*g+:32];
    assign is_x3_row_a = g == 3 && raddr_a_i[4:3] == '0;
    assign is_x3_row_b = g == 3 && raddr_b_i[4:3] == '0;

    // Not reset: software writes a register before it reads it, and memories of FPGAs cannot be reset.
    (* ram_style = "distributed" *) logic [31:0] a_q [4 * Resident];
    (* ram_style = "distributed" *) logic [31:0] b_q [4 * Resident];
    (* no_rw_check, ram_style = "block" *) logic [31:0] all_q [4 << TaskW];

    logic writes_slot, writes_all;
    assign writes_slot = (takes && to_slot) || marks || load_we[g];
    assign writes_all  = (takes && kept) || (marks && left_kept_q) || (Cores > 1 && load_we[g] && !fetch_own_i);
    always_ff @(posedge clk_i) if (writes_slot) a_q[{slot, row_of}] <= data;
    always_ff @(posedge clk_i) if (writes_slot) b_q[{slot, row_of}] <= data;
    always_ff @(posedge clk_i) if (writes_all) all_q[{task_id, row_of}] <= data;
    always_ff @(posedge clk_i) serve_data_o[32*g+:32] <= all_q[{task_t'(serve.task_id), serve.row}];

    assign rdata_a[g] = a_q[{is_x3_row_a ? slot_q : read_slot_q, raddr_a_i[4:3]}];
    assign rdata_b[g] = b_q[{is_x3_row_b ? slot_q : read_slot_q, raddr_b_i[4:3]}];

`ifndef SYNTHESIS
    // A block memory is not read where it is written.
    a_apart: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(writes_all && serve.valid && {task_t'(serve.task_id), serve.row} == {task_id, row_of}));
`endif
  end

  // x0 and x3 are told apart in the first of the three levels.
  function automatic logic [31:0] read(logic [31:0] of_group [Groups], logic [4:0] addr, logic x3_is, logic [31:0] x3);
    logic [31:0] pair [4];
    pair[0] = addr[0] ? of_group[1] : (addr[4:3] == '0) ? '0 : of_group[0];
    pair[1] = addr[0] ? ((x3_is && addr[4:3] == '0) ? x3 : of_group[3]) : of_group[2];
    pair[2] = addr[0] ? of_group[5] : of_group[4];
    pair[3] = addr[0] ? of_group[7] : of_group[6];
    return addr[2] ? (addr[1] ? pair[3] : pair[2]) : (addr[1] ? pair[1] : pair[0]);
  endfunction
  assign rdata_a_o = read(rdata_a, raddr_a_i, x3_is_i, x3_i);
  assign rdata_b_o = read(rdata_b, raddr_b_i, x3_is_i, x3_i);

  // One core reads its own memory.
  assign serve = (Cores == 1) ? fetch_o : serve_i;
  assign grant = (Cores == 1) ? 1'b1 : fetch_gnt_i;
  assign row   = (Cores == 1) ? serve_data_o : fetch_data_i;

`ifndef SYNTHESIS
  a_one_write: assert property (@(posedge clk_i) disable iff (!rst_ni) !((put_i || mark_i) && we_i && waddr_i != '0));
  a_mark:      assert property (@(posedge clk_i) disable iff (!rst_ni) !mark_i || !put_i || put_addr_i[2:0] != '0);
  a_complete:  assert property (@(posedge clk_i) disable iff (!rst_ni) !dispatch_i || !for_running);
  a_waits:     assert property (@(posedge clk_i) disable iff (!rst_ni) !for_running || !we_i || waddr_i == '0);
  a_ready:     assert property (@(posedge clk_i) disable iff (!rst_ni) !(ready_o && for_running) || finished);
`endif
endmodule
