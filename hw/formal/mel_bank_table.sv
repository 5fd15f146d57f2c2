// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bank_table of several cores, unbounded: one task is watched, and one register of it; which ones is free. Its ghost is the value that
// the task last gave the register. Banks, the task's frame, and the cores that run, store and load are a model, of the contract in the module's head
// and of what mel_bank_switch does. (One core: mel_bank_switch's proof.) Promised:
//   whenever the task runs and its bank is not missing, its bank holds the ghost, and its result is to be written just when it was left in a call:
//     through any moves, in frames and from core to core, while other tasks move
//   the registers of a task are in at most one place: a bank has one task, a task one bank; that of the task that a core runs is the current one.
//     A bank is lent to one core at most; then it has no task, does not run, is not taken and not written
//   a load from a frame is granted when no core stores into that frame; a load from another core's bank gets what is in the bank that is lent for it
//   FORGET is granted when no core moves the task's registers; behind it no bank, no store and no load are the task's until it is dispatched
//   nobody waits in a circle: a load from a frame waits for a core that stores, and such a core for nobody; a load from a bank only for those of
//     lower cores from the same core; FORGET for a dispatch in this cycle, and for routines that move the task
// Assumes: one dispatch in a cycle, of a task that runs on no other core, unless it is forgotten there, and that nobody forgets in this cycle; none
// on a core whose bank is missing, or in the cycle after another. Then x3 may still be written in the bank that was left; a routine loads later,
// registers 1 to Last in order, each access behind the answer to the one before. A frame is written by others only while its task is forgotten.
module mel_bank_table_proof #(
  parameter int unsigned  Tasks = 4,
  parameter int unsigned  Banks = 3,
  parameter int unsigned  Cores = 2,
  parameter int unsigned  Last  = 31,         // 1: so covers are near
  parameter bit           Straight = 1'b0,    // one run only: so covers that are far away are found
  localparam int unsigned BankW = $clog2(Banks + 2),
  localparam int unsigned TaskW = $clog2(Tasks)
) (
  input logic                        clk_i,
  input logic [TaskW-1:0]            subject_i,
  input logic [4:0]                  register_i,
  input logic                        begins_i,
  input logic [Cores-1:0]            dispatch_i,
  input logic [Cores-1:0][8:0]       running_i,
  input logic [Cores-1:0]            trap_i,
  input logic [Cores-1:0]            write_i,      // the program, or what is written behind it
  input logic [Cores-1:0]            data_i,
  input logic [Cores-1:0]            store_i,      // the watched register is stored
  input logic [Cores-1:0]            load_i,
  input logic [Cores-1:0]            answer_i,     // to the last load
  input logic [Cores-1:0]            late_i,       // … memory read now, and not when it granted
  input logic [Cores-1:0]            filled_i,
  input logic [Cores-1:0]            forget_i,
  input logic [Cores-1:0][TaskW-1:0] task_i,
  input logic                        begin_i       // the kernel writes the frame of the watched task
);
  localparam int unsigned      CoreW = $clog2(Cores);
  localparam int unsigned      SlotW = $clog2(Banks);
  localparam logic [BankW-1:0] Idle  = BankW'(Banks);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [TaskW-1:0] subject_q;
  logic [4:0]       register_q;
  always_ff @(posedge clk_i) {subject_q, register_q} <= started_q ? {subject_q, register_q} : {subject_i, register_i};

  logic [Cores-1:0][BankW-1:0] current;
  logic [Cores-1:0]            called, missing, spills, moves, load_gnt, forget_gnt;
  logic [Cores-1:0][TaskW-1:0] leaver, comer;
  logic [Cores-1:0][4:0]       number;
  logic [Cores-1:0][31:0]      moved, read_data;
  logic [Cores-1:0][BankW+4:0] read;

  mel_bank_table #(.Tasks(Tasks), .Banks(Banks), .Cores(Cores)) u_table (
    .clk_i, .rst_ni (started_q), .dispatch_i, .running_i, .trap_i, .load_i, .number_i (number), .filled_i, .forget_i, .task_i,
    .current_o (current), .called_o (called), .missing_o (missing), .spills_o (spills), .moves_o (moves), .leaver_o (leaver),
    .comer_o (comer), .load_gnt_o (load_gnt), .moved_o (moved), .forget_gnt_o (forget_gnt), .read_o (read), .read_data_i (read_data)
  );

  // ---- the cores ------------------------------------------------------------------------------------------------------

  // A register has one bit here, on all 32 wires.
  logic                                   value_q, frame_q;      // the ghost; the watched register in the task's frame
  logic [Cores-1:0][Banks-1:0]            banks_q;               // … and in each bank
  logic [Cores-1:0][8:0]                  run_q;
  logic [Cores-1:0]                       gone_q;                // the running task was forgotten
  logic [Cores-1:0]                       left_q, left_gone_q;   // the cycle after a dispatch; state that it left
  logic [Cores-1:0][8:0]                  left_run_q;
  logic [Cores-1:0][BankW-1:0]            left_bank_q;
  logic [Cores-1:0]                       begun_q, stored_q;     // the routine loads; the watched register has been stored
  logic [Cores-1:0][4:0]                  count_q;               // loads that have been granted
  logic [Cores-1:0]                       open_q, moved_q;       // the last one has no answer; it was from a bank
  logic [Cores-1:0]                       load_data_q;

  logic [Cores-1:0]                       runs, comes, goes, storing, loading, is_due, forgets;   // for the watched task, except `storing`
  logic [Cores-1:0]                       writes;
  logic [Cores-1:0][BankW-1:0]            write_bank;
  logic [Cores-1:0]                       write_data;
  logic                                   frame;

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    logic [BankW-1:0] read_bank;
    assign read_bank    = read[i][BankW+4:5];
    assign read_data[i] = {32{(read[i][4:0] == register_q && read_bank < Idle) ? banks_q[i][read_bank] : data_i[i]}};
    assign number[i]    = count_q[i] + 5'd1;

    assign runs[i]    = run_q[i] == 9'(subject_q) && !gone_q[i];
    assign comes[i]   = dispatch_i[i] && running_i[i] == 9'(subject_q);
    assign forgets[i] = forget_gnt[i] && task_i[i] == subject_q;
    assign storing[i] = missing[i] && spills[i] && !begun_q[i];
    assign goes[i]    = storing[i] && leaver[i] == subject_q;
    assign loading[i] = missing[i] && comer[i] == subject_q;
    assign is_due[i]  = open_q[i] && count_q[i] == register_q;

    assign writes[i]     = left_q[i] ? write_i[i] : missing[i] ? is_due[i] && answer_i[i] : write_i[i];
    assign write_bank[i] = left_q[i] ? left_bank_q[i] : current[i];
    assign write_data[i] = (left_q[i] || !missing[i]) ? data_i[i] : !loading[i] ? data_i[i] : (late_i[i] && !moved_q[i]) ? frame_q : load_data_q[i];

    always_ff @(posedge clk_i) begin
      if (!started_q) begin
        run_q[i]  <= 9'(Tasks);
        {gone_q[i], left_q[i], begun_q[i], stored_q[i], open_q[i]} <= '0;
        count_q[i] <= '0;
      end else begin
        left_q[i] <= dispatch_i[i];
        for (int unsigned k = 0; k < Cores; k++) if (forget_gnt[k] && 9'(task_i[k]) == run_q[i]) gone_q[i] <= 1'b1;
        if (store_i[i] && storing[i]) stored_q[i] <= 1'b1;
        if (load_i[i]) begun_q[i] <= 1'b1;
        open_q[i] <= (load_i[i] && load_gnt[i]) || (open_q[i] && !answer_i[i]);
        if (load_i[i] && load_gnt[i]) count_q[i] <= number[i];
        if (dispatch_i[i]) begin
          run_q[i] <= running_i[i];
          {gone_q[i], begun_q[i], stored_q[i]} <= '0;
          count_q[i] <= '0;
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (dispatch_i[i]) {left_run_q[i], left_gone_q[i], left_bank_q[i]} <= {run_q[i], gone_q[i], current[i]};
      if (load_i[i] && load_gnt[i]) {load_data_q[i], moved_q[i]} <= {moves[i] ? moved[i][0] : frame_q, moves[i]};
      if (writes[i] && write_bank[i] < Idle) banks_q[i][write_bank[i]] <= write_data[i];
    end
  end

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  logic live_q;                              // dispatched since it was forgotten
  logic called_q;                            // it was left in a call
  always_comb begin
    frame = frame_q;
    if (begin_i && !live_q && comes == '0) frame = begins_i;
    for (int unsigned i = 0; i < Cores; i++) if (store_i[i] && goes[i]) frame = banks_q[i][current[i]];
  end
  always_ff @(posedge clk_i) begin
    if (!started_q) begin
      live_q   <= 1'b0;
      called_q <= 1'b0;
      value_q  <= begins_i;
      frame_q  <= begins_i;
    end else begin
      frame_q <= frame;
      live_q  <= (live_q || |comes) && forgets == '0;
      if (!live_q || |forgets) value_q <= frame;
      for (int unsigned i = 0; i < Cores; i++) begin
        if (dispatch_i[i] && runs[i]) called_q <= !trap_i[i];
        if (|forgets) called_q <= 1'b0;
        else if (writes[i] && (left_q[i] ? left_run_q[i] == 9'(subject_q) && !left_gone_q[i] : runs[i] && !missing[i])) value_q <= write_data[i];
      end
    end
  end

  always_comb begin
    m_subject: assume (started_q || (32'(subject_i) < Tasks && register_i != '0 && 32'(register_i) <= Last));
    m_reset:   assume (started_q || {dispatch_i, load_i, filled_i, forget_i} == '0);
    m_one:     assume ((dispatch_i & (dispatch_i - 1'b1)) == '0);
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_assumed
    always_comb begin
      m_dispatch: assume (!dispatch_i[i] || (running_i[i] <= 9'(Tasks) && !missing[i] && !left_q[i] && !forget_i[i]));
      m_load:     assume (!load_i[i] || (missing[i] && !left_q[i] && 32'(count_q[i]) < Last && (!open_q[i] || answer_i[i]) &&
                                         (!spills[i] || stored_q[i])));
      m_answer:   assume (!answer_i[i] || open_q[i]);
      m_filled:   assume (!filled_i[i] || (missing[i] && 32'(count_q[i]) == Last && (!open_q[i] || answer_i[i])));
      m_forget:   assume (!forget_i[i] || (32'(task_i[i]) < Tasks && !missing[i]));
    end
    for (genvar k = 0; k < Cores; k++) begin : gen_other
      always_comb begin
        m_runs: assume (!dispatch_i[i] || k == i || running_i[i] == 9'(Tasks) || running_i[i] != run_q[k] || gone_q[k]);
        m_lock: assume (!dispatch_i[i] || !forget_i[k] || 9'(task_i[k]) != running_i[i]);
      end
    end
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  for (genvar i = 0; i < Cores; i++) begin : gen_promised
    logic [Cores-1:0] ahead;                 // cores whose accesses a load waits for
    logic [Cores-1:0] moving;                // … FORGET
    for (genvar k = 0; k < Cores; k++) begin : gen_other
      assign ahead[k]  = (storing[k] && leaver[k] == comer[i]) ||
                         (k < i && load_i[k] && moves[k] && moves[i] && u_table.source_q[k].core == u_table.source_q[i].core);
      assign moving[k] = missing[k] && (comer[k] == task_i[i] || (storing[k] && leaver[k] == task_i[i]));
    end
    always_comb begin
      a_value:     assert (!started_q || !runs[i] || missing[i] || (current[i] < Idle && banks_q[i][current[i]] == value_q));
      a_called:    assert (!started_q || !runs[i] || called[i] == called_q);
      a_stored:    assert (!load_i[i] || !load_gnt[i] || !loading[i] || moves[i] || goes == '0);
      a_moved:     assert (!load_i[i] || !load_gnt[i] || !loading[i] || !moves[i] || number[i] != register_q || moved[i] == {32{value_q}});
      a_moving:    assert (!forgets[i] || (loading | goes) == '0);
      a_victim:    assert (!started_q || !dispatch_i[i] || !u_table.miss ||
                           (BankW'(u_table.victim) < Idle && BankW'(u_table.victim) != current[i] && !u_table.lent_q[i][u_table.victim]));
      a_load:      assert (!load_i[i] || (load_gnt[i] == (ahead == '0) && !ahead[i]));
      a_wait:      assert (!started_q || !loading[i] || !moves[i] || goes == '0);
      a_forget:    assert (!started_q || !forget_i[i] || (forget_gnt[i] == (moving == '0 && dispatch_i == '0) && !moving[i]));
      a_unasked:   assert ((load_i[i] || !load_gnt[i]) && (forget_i[i] || !forget_gnt[i]));
      a_forgotten: assert (!started_q || live_q || !(runs[i] || loading[i] || goes[i]));
    end
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_place
    for (genvar j = 0; j < Banks; j++) begin : gen_bank
      for (genvar k = 0; k < Tasks; k++) begin : gen_task
        always_comb begin
          a_place: assert (!started_q || (u_table.place_q[k] == {1'b1, CoreW'(i), SlotW'(j)}) == (u_table.owner_q[i][j] == {1'b1, TaskW'(k)}));
        end
      end
    end
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  // Watched task: its place; cores on which its register is in the bank that it gets; on which it is only in the bank that it
  // loses.
  struct packed {
    logic             valid;
    logic [CoreW-1:0] core;
    logic [SlotW-1:0] slot;
  } place;
  logic             placed, at_home;
  logic [Cores-1:0] loaded, unstored;
  assign place   = u_table.place_q[subject_q];
  assign placed  = place.valid;
  assign at_home = banks_q[place.core][place.slot];
  for (genvar i = 0; i < Cores; i++) begin : gen_held
    logic [BankW-1:0] source;                // is read
    assign source      = BankW'(u_table.source_q[i].slot);
    assign loaded[i]   = loading[i] && count_q[i] >= register_q && !is_due[i];
    assign unstored[i] = goes[i] && !stored_q[i];
    always_comb begin
      h_run:     assert (!started_q || (run_q[i] <= 9'(Tasks) && u_table.idle_q[i] == (run_q[i] == 9'(Tasks)) && u_table.gone_q[i] == gone_q[i] &&
                         (u_table.idle_q[i] ? !gone_q[i] : 9'(u_table.task_q[i]) == run_q[i])));
      h_current: assert (!started_q || (u_table.idle_q[i] ? current[i] == Idle : current[i] < Idle && !u_table.lent_q[i][current[i]]));
      h_nobodys: assert (!started_q || !gone_q[i] || !u_table.owner_q[i][current[i]].valid);
      h_next:    assert (!started_q || 32'(u_table.next_q[i]) < Banks);
      h_missing: assert (!started_q || !missing[i] || (!u_table.idle_q[i] && !gone_q[i] && comer[i] == u_table.task_q[i]));
      h_storing: assert (!started_q || u_table.spilling_q[i] == storing[i]);
      h_count:   assert (!started_q || !missing[i] || (32'(count_q[i]) <= Last && (begun_q[i] || count_q[i] == '0)));
      h_open:    assert (!started_q || !open_q[i] || (missing[i] && count_q[i] != '0 && moved_q[i] == moves[i]));
      h_early:   assert (!started_q || !left_q[i] || !missing[i] || !(begun_q[i] || stored_q[i] || left_bank_q[i] == current[i]));
      h_source:  assert (!started_q || !moves[i] || (missing[i] && 32'(u_table.source_q[i].core) < Cores && u_table.source_q[i].core != i &&
                         source < Idle && u_table.lent_q[u_table.source_q[i].core][source]));
      h_left:    assert (!started_q || !left_q[i] || (left_run_q[i] == 9'(Tasks) ? left_bank_q[i] == Idle : left_run_q[i] < 9'(Tasks) &&
                         left_bank_q[i] < Idle && !u_table.lent_q[i][left_bank_q[i]] && (left_gone_q[i] ? !u_table.owner_q[i][left_bank_q[i]].valid :
                         u_table.owner_q[i][left_bank_q[i]] == {1'b1, TaskW'(left_run_q[i])})));
      h_leaver:  assert (!started_q || !storing[i] || (32'(leaver[i]) < Tasks && leaver[i] != comer[i]));
      h_going:   assert (!started_q || !goes[i] || banks_q[i][current[i]] == value_q);
      h_coming:  assert (!started_q || !loading[i] || loaded[i] || !moves[i] || banks_q[u_table.source_q[i].core][source] == value_q);
      h_due:     assert (!started_q || !loading[i] || !is_due[i] || load_data_q[i] == value_q);
    end
    for (genvar k = 0; k < Tasks; k++) begin : gen_task
      always_comb begin
        h_range: assert (!started_q || !u_table.place_q[k].valid || (32'(u_table.place_q[k].core) < Cores && 32'(u_table.place_q[k].slot) < Banks));
        a_mine:  assert (!started_q || run_q[i] != 9'(k) || gone_q[i] || u_table.place_q[k] == {1'b1, CoreW'(i), SlotW'(current[i])});
      end
    end
    for (genvar k = 0; k < Banks; k++) begin : gen_bank
      logic [Cores-1:0] readers;
      for (genvar j = 0; j < Cores; j++) begin : gen_reader
        assign readers[j] = moves[j] && u_table.source_q[j].core == i && u_table.source_q[j].slot == k;
      end
      always_comb begin
        h_owner: assert (!started_q || !u_table.owner_q[i][k].valid || 32'(u_table.owner_q[i][k].task_id) < Tasks);
        a_lent:  assert (!started_q || (u_table.lent_q[i][k] == (readers != '0) && (readers & (readers - 1'b1)) == '0));
        a_idle:  assert (!started_q || !u_table.lent_q[i][k] || !(u_table.owner_q[i][k].valid || current[i] == BankW'(k) ||
                         (writes[i] && write_bank[i] == BankW'(k))));
      end
    end
    for (genvar k = 0; k < Cores; k++) begin : gen_other
      always_comb begin
        h_again:  assert (!started_q || !goes[i] || !placed || place.core != CoreW'(k) || (loading[k] && !moves[k] && count_q[k] == '0));
      end
    end
  end

  always_comb begin
    h_subject: assert (!started_q || (32'(subject_q) < Tasks && register_q != '0 && 32'(register_q) <= Last));
    h_called:  assert (!started_q || u_table.called_q[subject_q] == called_q);
    h_placed:  assert (!started_q || !placed || (loading & ~loaded) != '0 || at_home == value_q);
    h_frame:   assert (!started_q || (placed && (loading & ~loaded & ~moves) == '0) || unstored != '0 || frame_q == value_q);
    h_dormant: assert (!started_q || live_q || !(placed || goes != '0));
  end

  // ---- what is reached ------------------------------------------------------------------------------------------------

  logic moved_before_q = 1'b0, spilled_before_q = 1'b0;
  always_ff @(posedge clk_i) begin
    moved_before_q   <= moved_before_q || (dispatch_i != '0 && u_table.miss && comes != '0 && placed);
    spilled_before_q <= spilled_before_q || (goes & load_i) != '0;
  end
  if (Straight) begin : gen_straight
    // Two cores: tasks 0 to 3 on core 0, of which the last takes the bank of the first, which core 1 then runs. Three: cores 0 and 1 run what
    // core 2 has left.
    localparam logic [4:0][3:0] Core = (Cores == 2) ? {4'd1, 4'd0, 4'd0, 4'd0, 4'd0} : {4'd1, 4'd0, 4'd2, 4'd2, 4'd2};
    localparam logic [4:0][8:0] Runs = (Cores == 2) ? {9'd0, 9'd3, 9'd2, 9'd1, 9'd0} : {9'd1, 9'd0, 9'(Tasks), 9'd1, 9'd0};
    logic [2:0]       turn_q = '0;
    logic [Cores-1:0] next;
    always_ff @(posedge clk_i) turn_q <= turn_q + 3'(dispatch_i != '0);
    assign next = (started_q && turn_q < 3'd5) ? Cores'(1) << Core[turn_q] : '0;
    always_comb begin
      m_turns: assume (subject_q == '0 && running_i == {Cores{Runs[turn_q]}} && forget_i == '0 && dispatch_i == (next & ~missing & ~left_q));
    end
    if (Cores == 2) begin : gen_two
      always_comb begin
        c_stores:  cover (load_i[1] && !load_gnt[1]);
        c_spilled: cover (runs[1] && !missing[1] && spilled_before_q && value_q == frame_q);
      end
    end else begin : gen_three
      always_comb begin
        c_turn:    cover (load_i[1] && !load_gnt[1]);
      end
    end
  end else begin : gen_any
    for (genvar i = 0; i < 2; i++) begin : gen_core
      always_comb begin
        c_moved:  cover (runs[i] && !missing[i] && moved_before_q && called[i] && value_q != frame_q);
        c_lent:   cover (dispatch_i[i] && u_table.miss && u_table.lent_q[i][u_table.next_q[i]]);
        c_forget: cover (forget_i[i] && !forget_gnt[i] && dispatch_i == '0);
        c_gone:   cover (gone_q[i] && run_q[i] == 9'(subject_q) && runs != '0 && dispatch_i[i] && called_q);
      end
    end
  end
  if (Last == 1) begin : gen_brisk
    for (genvar i = 0; i < Cores; i++) begin : gen_core
      always_comb begin
        m_brisk: assume (answer_i[i] == open_q[i] && (store_i[i] || Straight) && filled_i[i] == (missing[i] && count_q[i] == 5'd1));
      end
    end
  end
endmodule
