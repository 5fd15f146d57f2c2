// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bank_switch, mel_bank_table (of one core) and mel_register_banks, unbounded, against what programs mean: one context is watched,
// a task, the idle context or the handlers, and one register of it; which ones is free. Its ghost is the value that it was last given. Promised:
//   whenever an instruction of the context reads the register in ID, it gets the ghost: through switches in calls and by interrupts, with or
//     without a handler, while any other context does anything, and through the stores and loads of missing banks. So no instruction
//     reads a bank that is not its context's, and no write goes to one that is not its own, also when a switch is right behind it
//   two things change the ghost besides the context: a0 of a task that left in a call is the unit's answer when it goes on, a0 of a handler
//     that asks is the answer to its command; x3 of a context that is left is where it goes on
//   a jump to x3 goes there, or to the routine of a missing bank, which spills if and only if the bank is another task's
//   a task that begins gets its frame; a task that is forgotten, and what its bank held, is gone
//   a bank has at most one task, a task at most one bank; the current one is that of the task that the unit runs; a bank that is taken was not
//     the current one
//   what the coupling writes itself never meets a write of the core, and comes before the program that reads it
//   no interrupt is taken from the change of a bank to the end of its loads
//   a store of SWITCH is granted in the cycle of the dispatch, other accesses in that of the bus; the core gets an answer to each of its own
// Assumes: the core and the programs of mel_bank_core; a bus that grants when its last answer is given, at the earliest; a unit that performs a
// dispatch behind the grant of a load of `dispatch`, or behind the vector's fetch, and then answers the load; a kernel that writes a frame
// only while its task is dormant, runs, or will be forgotten before it runs again.
module mel_bank_switch_proof #(
  parameter int unsigned Tasks     = 4,
  parameter int unsigned Banks     = 2,
  parameter bit          Writeback = 1'b1,
  parameter bit          Straight  = 1'b0   // nothing waits: so covers that are many cycles away are found
) (
  input logic        clk_i,
  input logic        enter_i,
  input logic [3:0]  kind_i,
  input logic [31:0] at_i,
  input logic [4:0]  ra_i,
  input logic [4:0]  rb_i,
  input logic [4:0]  rd_i,
  input logic [31:0] address_i,
  input logic [31:0] datum_i,
  input logic        go_i,
  input logic        take_i,
  input logic        take_dispatch_i,
  input logic        fetch_i,
  input logic [31:0] next_i,
  input logic        gnt_i,
  input logic        rvalid_i,
  input logic [31:0] rdata_i,
  input logic        dispatch_i,
  input logic [8:0]  running_i,
  input logic [31:0] answer_i,
  input logic [8:0]  subject_i,
  input logic [4:0]  register_i,
  input logic [31:0] begins_i
);
  localparam int unsigned      All      = Banks + 2;
  localparam int unsigned      BankW    = $clog2(All);
  localparam int unsigned      TaskW    = $clog2(Tasks);
  localparam int unsigned      SlotW    = $clog2(Banks);
  localparam logic [BankW-1:0] Idle     = BankW'(Banks);
  localparam logic [BankW-1:0] Handlers = BankW'(Banks + 1);
  localparam logic [31:0]      VectorBase = 32'h1000_0000;
  localparam logic [31:0]      Spill = VectorBase + 32'h100, Fill = Spill + 32'd124;
  localparam logic [31:0]      Dispatch = {mel_pkg::PortBase[31:16], mel_pkg::RegDispatch[15:0]};
  localparam logic [4:0]       X3 = 5'd3, A0 = 5'd10;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [8:0] subject_q;    // watched context: Tasks is the idle context, Tasks + 1 the handlers
  logic [4:0] register_q;
  logic       is_task, is_handlers;
  always_ff @(posedge clk_i) {subject_q, register_q} <= started_q ? {subject_q, register_q} : {subject_i, register_i};
  assign is_task     = subject_q < 9'(Tasks);
  assign is_handlers = subject_q == 9'(Tasks + 1);

  // ---- core, switch, table, registers ---------------------------------------------------------------------------------

  logic             req, gnt, we, rvalid, err, bus_req, bus_we, trap, hold_irqs, x3_is, put, rf_we;
  logic [3:0]       bus_be;
  logic [31:0]      addr, wdata, bus_addr, pc, mepc, rdata, x3, put_data, rdata_a, rdata_b, rf_wdata, moved;
  logic [BankW-1:0] bank, bank_x3, wbank, put_bank, current;
  logic [BankW+4:0] read;
  logic [TaskW-1:0] leaver, comer;
  logic             left_trap, load_due, filled, forget, missing, spills, moves, load_gnt, forget_gnt, to_call;
  logic [4:0]       put_addr, raddr_a, raddr_b, rf_waddr;
  logic             reads, handler, jumps, writes, writes_handler, in_handler, between, forgets, frames, stores;

  mel_bank_core #(.Tasks(Tasks), .Writeback(Writeback), .VectorBase(VectorBase)) u_core (
    .clk_i, .rst_ni (started_q), .enter_i, .kind_i, .at_i, .ra_i, .rb_i, .rd_i, .address_i, .datum_i, .go_i, .take_i, .take_dispatch_i,
    .fetch_i, .next_i, .req_o (req), .gnt_i (gnt), .we_o (we), .addr_o (addr), .wdata_o (wdata), .rvalid_i (rvalid),
    .rdata_i (rdata), .trap_o (trap), .pc_o (pc), .mepc_o (mepc), .hold_irqs_i (hold_irqs), .dispatch_i,
    .raddr_a_o (raddr_a), .raddr_b_o (raddr_b), .rdata_a_i (rdata_a), .rdata_b_i (rdata_b),
    .we_rf_o (rf_we), .waddr_o (rf_waddr), .wdata_rf_o (rf_wdata),
    .reads_o (reads), .handler_o (handler), .jumps_o (jumps), .writes_o (writes), .writes_handler_o (writes_handler),
    .in_handler_o (in_handler), .between_o (between), .forgets_o (forgets), .frames_o (frames), .stores_o (stores)
  );

  mel_bank_switch #(.Tasks(Tasks), .Banks(Banks), .Writeback(Writeback), .VectorBase(VectorBase)) u_switch (
    .clk_i, .rst_ni (started_q), .req_i (req), .gnt_o (gnt), .we_i (we), .be_i (4'hF), .addr_i (addr), .wdata_i (wdata),
    .rvalid_o (rvalid), .rdata_o (rdata), .err_o (err), .req_o (bus_req), .gnt_i, .we_o (bus_we), .be_o (bus_be), .addr_o (bus_addr), .rvalid_i,
    .err_i (1'b0), .rdata_i, .trap_i (trap), .pc_i (pc), .mepc_i (mepc), .hold_irqs_o (hold_irqs), .dispatch_i, .answer_i,
    .left_trap_o (left_trap), .load_o (load_due), .filled_o (filled), .forget_o (forget), .current_i (current), .called_i (to_call),
    .missing_i (missing), .spills_i (spills), .moves_i (moves), .leaver_i (leaver), .comer_i (comer), .load_gnt_i (load_gnt),
    .moved_i (moved), .forget_gnt_i (forget_gnt),
    .bank_o (bank), .bank_x3_o (bank_x3), .wbank_o (wbank), .x3_is_o (x3_is), .x3_o (x3),
    .put_o (put), .put_bank_o (put_bank), .put_addr_o (put_addr), .put_data_o (put_data)
  );

  mel_bank_table #(.Tasks(Tasks), .Banks(Banks), .Cores(1)) u_table (
    .clk_i, .rst_ni (started_q), .dispatch_i, .running_i, .trap_i (left_trap), .load_i (load_due), .number_i (addr[6:2]),
    .filled_i (filled), .forget_i (forget), .task_i (TaskW'(wdata)), .current_o (current), .called_o (to_call), .missing_o (missing),
    .spills_o (spills), .moves_o (moves), .leaver_o (leaver), .comer_o (comer), .load_gnt_o (load_gnt), .moved_o (moved),
    .forget_gnt_o (forget_gnt), .read_o (read), .read_data_i (32'd0)
  );

  mel_register_banks #(.Banks(All)) u_banks (
    .clk_i, .bank_i (bank), .bank_x3_i (bank_x3), .x3_is_i (x3_is), .x3_i (x3), .raddr_a_i (raddr_a), .rdata_a_o (rdata_a),
    .raddr_b_i (raddr_b), .rdata_b_o (rdata_b), .wbank_i (wbank), .we_i (rf_we), .waddr_i (rf_waddr), .wdata_i (rf_wdata),
    .put_i (put), .put_bank_i (put_bank), .put_addr_i (put_addr), .put_data_i (put_data), .read_i (read), .read_data_o ()
  );

  // ---- bus and unit ---------------------------------------------------------------------------------------------------

  logic       open_q = 1'b0, asked_q = 1'b0;     // an answer is due; a store has asked for a dispatch that is not performed
  logic       fetched_q = 1'b0;                  // … the vector's fetch has
  logic       at_frame, frame_load_q;
  logic [8:0] run_q;                             // the task of the last dispatch
  logic       granted;
  assign granted  = bus_req && gnt_i;
  assign at_frame = is_task && bus_addr == u_switch.frames_q + {23'(subject_q), 7'd0} + {25'd0, register_q, 2'd0};
  always_ff @(posedge clk_i) begin
    open_q  <= granted || (open_q && !rvalid_i);
    asked_q <= (granted && !bus_we && bus_addr == Dispatch) || (asked_q && !dispatch_i);
    fetched_q <= started_q && trap && !dispatch_i;
    if (granted) frame_load_q <= at_frame && !bus_we;
    if (!started_q) run_q <= 9'(Tasks);
    else if (dispatch_i) run_q <= running_i;
  end

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  typedef enum logic [1:0] {Dormant, Dying, Live} life_e;   // its frame is what it begins with; it is not to run; it has a value

  life_e       life_q;
  logic        booted_q = 1'b0;                  // a dispatch has been
  logic        gone_q = 1'b0;                    // the running task is forgotten
  logic        called_q = 1'b0;                  // the subject was left in a call
  logic        runs, leaves, comes, called;
  logic [31:0] value_q, frame_q;
  logic [31:0] goes_on;                          // resume address of the running context
  logic [1:0]  since_q = '1;                     // cycles since a bank was entered, or made ready
  logic        entered;
  logic        told_q = 1'b0;                    // a handler asked in the last cycle
  logic [31:0] told_data_q;
  logic        told, frame_store, to_banks, is_local;

  assign runs    = run_q == subject_q;
  assign leaves  = dispatch_i && runs;
  assign comes   = dispatch_i && running_i == subject_q;
  assign called  = !trap && !in_handler && !gone_q;
  assign goes_on = (trap || in_handler) ? mepc : pc + 32'd8;
  assign entered = dispatch_i || (req && gnt && addr == mel_pkg::BanksBase + 32'(mel_pkg::BankFilled));
  assign told    = in_handler && req && gnt && addr == mel_pkg::BanksBase + 32'(mel_pkg::BankSwitch);
  assign frame_store = granted && bus_we && at_frame;

  logic owed_q = 1'b0;                           // the core waits for an answer
  assign to_banks = addr[31:9] == mel_pkg::BanksBase[31:9];
  assign is_local = req && to_banks && we && addr[8:0] inside {mel_pkg::BankFilled, mel_pkg::BankForget, mel_pkg::BankFrames};

  always_ff @(posedge clk_i) begin
    if (!started_q) begin
      life_q  <= subject_i < 9'(Tasks) ? Dormant : Live;
      value_q <= begins_i;
      frame_q <= begins_i;
    end else begin
      booted_q <= booted_q || dispatch_i;
      gone_q   <= !dispatch_i && (gone_q || (forgets && wdata == 32'(run_q)));
      since_q  <= entered ? 2'd1 : since_q + 2'(since_q != '1);
      told_q   <= told;
      owed_q   <= (req && gnt) || (owed_q && !rvalid);
      told_data_q <= rdata_i;
      if (leaves) called_q <= called;
      if (forgets && wdata == 32'(subject_q)) called_q <= 1'b0;

      if (frame_store) frame_q <= wdata;
      if (frames)      frame_q <= begins_i;

      if (forgets && wdata == 32'(subject_q) && !runs) life_q <= Dormant;
      else if (frame_store && stores && life_q == Live && !runs) life_q <= Dying;
      else if (leaves && gone_q && !comes) life_q <= Dormant;
      else if (comes) life_q <= Live;

      // The value: of a task that does not live, its frame.
      if (leaves && gone_q)                                                         value_q <= frame_q;
      else if (forgets && wdata == 32'(subject_q) && !runs)                         value_q <= frame_q;
      else if (is_task && frames)                                                   value_q <= begins_i;
      else if (life_q == Dormant && frame_store)                                    value_q <= wdata;
      else if (leaves && register_q == X3 && !((trap || in_handler) && between))    value_q <= goes_on;
      else if (runs && since_q == 2'd2 && !hold_irqs && called_q && register_q == A0) value_q <= answer_i;
      else if (is_handlers && told_q && register_q == A0)                           value_q <= told_data_q;
      else if (writes && rf_waddr == register_q && (writes_handler ? is_handlers : runs)) value_q <= rf_wdata;
    end
  end

  always_comb begin
    m_subject:  assume (started_q || (subject_i <= 9'(Tasks + 1) && register_i != '0 && !(subject_i == 9'(Tasks + 1) && register_i == X3)));
    m_first:    assume (started_q || subject_i < 9'(Tasks) ||
                        u_banks.registers_q[{subject_i == 9'(Tasks) ? Idle : Handlers, register_i}] == begins_i);
    m_reset:    assume (started_q || !(gnt_i || rvalid_i || dispatch_i));
    m_grant:    assume (!gnt_i || (bus_req && (!open_q || rvalid_i)));
    m_answer:   assume (!rvalid_i || (open_q && !asked_q));
    m_data:     assume (!rvalid_i || !frame_load_q || rdata_i == frame_q);
    m_dispatch: assume (!dispatch_i || ((asked_q || fetched_q) && running_i <= 9'(Tasks) && !(comes && life_q == Dying)));
    m_frames:   assume (!frames || !booted_q);          // the kernel does it first

    a_reads_a:  assert (!started_q || !reads || raddr_a != register_q || !(handler ? is_handlers : runs) || rdata_a == value_q);
    a_reads_b:  assert (!started_q || !reads || raddr_b != register_q || !(handler ? is_handlers : runs) || rdata_b == value_q);
    a_zero:     assert (!started_q || raddr_a != '0 || rdata_a == '0);
    a_jump:     assert (!started_q || !jumps || in_handler || hold_irqs || !runs || register_q != X3 || rdata_a == value_q);
    a_ask:      assert (!started_q || !jumps || !in_handler || rdata_a == pc + 32'd4);
    a_missing:  assert (!started_q || !jumps || !hold_irqs || rdata_a inside {Spill, Fill});
    a_collide:  assert (!started_q || !(put && rf_we && rf_waddr != '0));
    a_victim:   assert (!started_q || !dispatch_i || !u_table.miss || BankW'(u_table.victim) != current);
    a_grant:    assert (!started_q || !asked_q || !req || gnt == dispatch_i);
    a_pass:     assert (!started_q || !req || to_banks || (bus_req && {bus_we, bus_be, bus_addr} == {we, 4'hF, addr} && gnt == gnt_i));
    a_local:    assert (!started_q || !is_local || (gnt && !bus_req));
    a_asked:    assert (!started_q || !rvalid || owed_q);
    a_answer:   assert (!started_q || !rvalid_i || rvalid || told);
    a_error:    assert (!started_q || !err);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  // The numbers of mel_bank_core's enumerations.
  localparam logic [2:0] Run = 0, ToJump = 1, Trap = 2, ToCsr = 3, ToMret = 4, Land = 5, Routine = 6;
  localparam logic [3:0] Switch = 4, SwitchTrap = 5, Mret = 10, Stores = 11, Loads = 12, Filled = 13;

  logic       v, sent, sure, redirect, fill_only, load, of_program, claimed;
  logic [2:0] phase;
  logic [3:0] kind;
  logic [6:0] index;
  assign v          = u_core.valid_q;
  assign sent       = u_core.sent_q;
  assign phase      = u_core.phase_q;
  assign kind       = u_core.kind_q;
  assign index      = 7'(u_core.index_q);
  assign redirect   = u_switch.redirect;
  assign fill_only  = !spills;
  assign load       = u_core.load_q;
  assign of_program = u_core.program_q;
  assign claimed    = u_core.claimed_q;
  assign sure       = started_q;

  logic is_first;                       // the routine has not reached its first access
  logic [6:0] first;
  assign first    = fill_only ? 7'd31 : 7'd0;
  assign is_first = (!v && index == first) || (v && index == first + 7'd1 && !sent);

  always_comb h_clean: assert (sure || {open_q, asked_q, fetched_q, booted_q, gone_q, called_q, told_q, owed_q, since_q} == {8'd0, 2'd3});

  // The bus, and what the switch knows of accesses.
  logic pending;
  assign pending = Writeback ? u_core.access_q : sent;
  always_comb begin
    h_claims:  assert (!sure || claimed == u_switch.handler_q);
    h_pending: assert (!sure || (u_switch.pending_q == pending && owed_q == pending));
    h_asked:   assert (!sure || !asked_q || (open_q && u_switch.sent_q && !u_switch.asking_q &&
                       v && u_core.held_q && (kind == SwitchTrap || (kind == Switch && !in_handler))));
    h_fetched: assert (!sure || u_core.trapped_q == fetched_q);
    h_asking:  assert (!sure || !u_switch.asking_q || (open_q && u_switch.sent_q && v && u_core.held_q && kind == Switch && in_handler));
    h_open:    assert (!sure || !open_q || asked_q || u_switch.asking_q || (pending && !u_switch.local_q));
    h_local:   assert (!sure || !u_switch.local_q || (pending && !load && !(sent && u_core.loads)));
    h_memory_frames: assert (!sure || !u_switch.frames_q[31]);
  end

  // Running task, and owners of the banks.
  always_comb begin
    h_run:     assert (!sure || (run_q <= 9'(Tasks) && u_table.idle_q[0] == (run_q == 9'(Tasks)) &&
                       (u_table.idle_q[0] || 9'(u_table.task_q[0]) == run_q)));
    h_gone:    assert (!sure || (u_table.gone_q[0] == gone_q && !(gone_q && (u_table.idle_q[0] || since_q != 2'd3))));
    h_current: assert (!sure || (u_table.idle_q[0] ? current == Idle : current < Idle));
    h_mine:    assert (!sure || u_table.idle_q[0] || gone_q || (u_table.place_q[u_table.task_q[0]].valid &&
                       BankW'(u_table.place_q[u_table.task_q[0]].slot) == current));
    h_nobodys: assert (!sure || !gone_q || (!u_table.place_q[u_table.task_q[0]].valid && !u_table.called_q[u_table.task_q[0]] &&
                       !u_table.owner_q[0][SlotW'(current)].valid));
    h_alone:   assert (!sure || !(u_table.source_q[0].valid || |u_table.lent_q));
    h_next:    assert (!sure || 32'(u_table.next_q[0]) < Banks);
    h_jumps:   assert (!sure || u_switch.jump_q == u_core.jump_q);
    h_between: assert (!sure || !(phase == Trap || in_handler) || between == (mepc == u_core.jump_q));
    h_behind_jump: assert (!sure || in_handler || phase != ToJump || (v && !sent) || u_core.jump_q == pc + 32'd4);
  end
  for (genvar i = 0; i < Tasks; i++) begin : gen_task
    always_comb a_place: assert (!sure || !u_table.place_q[i].valid || (32'(u_table.place_q[i].slot) < Banks && !u_table.place_q[i].core &&
                                 u_table.owner_q[0][u_table.place_q[i].slot] == {1'b1, TaskW'(i)}));
  end
  for (genvar i = 0; i < Banks; i++) begin : gen_bank
    always_comb a_owner: assert (!sure || !u_table.owner_q[0][i].valid || (32'(u_table.owner_q[0][i].task_id) < Tasks &&
                                 u_table.place_q[u_table.owner_q[0][i].task_id] == {2'b10, SlotW'(i)}));
  end

  // A missing bank.
  logic waiting;                         // its routine has not begun
  assign waiting = phase inside {ToCsr, ToMret, Land} || (phase == ToJump && !(v && kind == Filled));
  always_comb begin
    h_missing:  assert (!sure || !missing || (!u_table.idle_q[0] && !gone_q && comer == u_table.task_q[0] && !in_handler &&
                        (waiting || phase inside {ToJump, Routine})));
    a_holds:    assert (!sure || phase != Routine || missing);
    h_not_yet:  assert (!sure || !(v && !sent && kind inside {Switch, SwitchTrap}) || !missing);
    h_full:     assert (!sure || !(v && kind == Filled) || (sent ? !missing : (missing && !redirect)));
    h_redirect: assert (!sure || redirect == (missing && (waiting || (phase == Routine && is_first))));
    h_begun:    assert (!sure || phase != Routine || index >= first + 7'(v));
    h_mepc:     assert (!sure || !missing || !(phase == ToMret && !v || phase == Land && kind == Mret) || mepc == (fill_only ? Fill : Spill));
    h_leaver:   assert (!sure || !missing || fill_only || (32'(leaver) < Tasks && leaver != comer &&
                        !u_table.place_q[leaver].valid));
  end

  // The cycles behind a change, and whose bank a write goes to.
  always_comb begin
    h_left:    assert (!sure || !u_switch.left_q || (since_q == 2'd1 && !(missing && u_switch.left_bank_q == current)));
    h_entered: assert (!sure || u_switch.entered_q == (since_q == 2'd1));
    h_result:  assert (!sure || (!u_switch.result_q || (since_q == 2'd2 && !missing)));
    h_called:  assert (!sure || !runs || u_switch.result_q == (since_q == 2'd2 && !missing && called_q));
    h_zero:    assert (!sure || since_q != 2'd0);
    h_first:   assert (!sure || since_q != 2'd1 || phase inside {ToJump, ToCsr, Land} || (phase == ToMret && v));
    h_store:   assert (!sure || since_q != 2'd1 || phase != ToJump || (Writeback ? u_core.access_q : v));
    h_granted: assert (!sure || since_q == 2'd3 || !(v && kind inside {Switch, SwitchTrap, Filled}) || sent);
    h_told:    assert (!sure || u_switch.asked_q == told_q &&
                       (!told_q || (in_handler && phase inside {ToJump, Land} && !u_core.write_q && !load &&
                       !(v && kind == Switch && !sent) && u_switch.asked_data_q == told_data_q)));
    h_ask:     assert (!sure || !u_switch.told_q || (in_handler && since_q == 2'd3));
    h_told_pc: assert (!sure || !in_handler || !(phase inside {ToJump, Land}) || (v && kind == Switch && !sent) ||
                       (u_switch.told_q && u_switch.left_pc_q == pc + (phase == Land ? 32'd4 : 32'd8)));
    h_calls:   assert (!sure || is_handlers || called_q == (is_task ? u_table.called_q[TaskW'(subject_q)] : u_table.idle_called_q[0]));
    h_wbank:   assert (!sure || !(load || u_core.write_q) || u_switch.bank_q == (of_program && writes_handler ? Handlers : current));
    h_wtask:   assert (!sure || !(load || u_core.write_q) || !of_program || writes_handler == in_handler);
    h_wait:    assert (!sure || !load || (of_program ? !missing && (writes_handler ? claimed || u_switch.in_region : !u_switch.in_region) : missing));
    h_steady:  assert (!sure || !missing || since_q == 2'd1 || u_switch.bank_q == current);
  end

  // Place of the watched value.
  logic [BankW-1:0] home;
  logic             placed, comes_now, leaves_now, stored, loaded;
  logic [31:0]      at_home, at_current;
  assign placed     = is_task && u_table.place_q[TaskW'(subject_q)].valid;
  assign home       = is_task ? BankW'(u_table.place_q[TaskW'(subject_q)].slot) : is_handlers ? Handlers : Idle;
  assign comes_now  = is_task && missing && 9'(comer) == subject_q;
  assign leaves_now = is_task && missing && !fill_only && 9'(leaver) == subject_q;
  assign stored     = !waiting && index >= 7'(register_q) && !(v && kind == Stores && !sent && raddr_b == register_q);
  assign loaded     = !waiting && index >= 7'(register_q) + 7'd31 && !(v && kind == Loads && u_core.rd_q == register_q) &&
                      !(load && u_core.behind_rd_q == register_q);
  assign at_home    = (register_q == X3 && u_switch.left_q && u_switch.left_bank_q == home) ? u_switch.left_pc_q
                                                                                           : u_banks.registers_q[{home, register_q}];
  assign at_current = u_banks.registers_q[{current, register_q}];
  always_comb begin
    h_subject: assert (!sure || (subject_q <= 9'(Tasks + 1) && register_q != '0 && !(is_handlers && register_q == X3)));
    h_life:    assert (!sure || (is_task ? life_q <= Live && (!runs || life_q == Live) && (life_q != Dormant || !placed) : life_q == Live));
    h_unborn:  assert (!sure || booted_q || !is_task || life_q == Dormant);
    h_fixed:   assert (!sure || is_task || at_home == value_q);
    h_placed:  assert (!sure || !placed || life_q != Live || (comes_now && !loaded) || at_home == value_q);
    h_goes:    assert (!sure || !(gone_q && runs) || at_current == value_q);
    h_dormant: assert (!sure || life_q != Dormant || frame_q == value_q);
    h_frame:   assert (!sure || !is_task || life_q != Live || placed || (gone_q && runs) || (leaves_now && !stored) || frame_q == value_q);
    h_leaves:  assert (!sure || !leaves_now || life_q != Live || stored || at_current == value_q);
    h_comes:   assert (!sure || !comes_now || loaded || frame_q == value_q);
    h_coming:  assert (!sure || !comes_now || !open_q || !((v && kind == Loads && sent && u_core.rd_q == register_q) ||
                       (load && !of_program && u_core.behind_rd_q == register_q)) || frame_load_q);
  end

  // ---- what is reached ------------------------------------------------------------------------------------------------

  logic answered_q = 1'b0, kept_q = 1'b0;   // the subject has got an answer, has come back to its bank
  logic reads_it;
  assign reads_it = reads && raddr_a == register_q && (handler ? is_handlers : runs);
  always_ff @(posedge clk_i) begin
    answered_q <= answered_q || (runs && since_q == 2'd2 && !hold_irqs && called_q && register_q == A0);
    kept_q     <= kept_q || (comes && !leaves && life_q == Live && is_task && !u_table.miss);
  end

  // One run in which nothing waits: task 0, idle, tasks 0, 1, 2; each does two instructions, the second of them SWITCH.
  if (Straight) begin : gen_straight
    logic [2:0] turn_q = '0;
    always_ff @(posedge clk_i) turn_q <= turn_q + 3'(dispatch_i);
    always_comb begin
      m_watched: assume (subject_i == '0 && register_i == A0);
      m_turns:   assume (running_i == ((turn_q == 3'd1) ? 9'(Tasks) : (turn_q < 3'd3) ? 9'd0 : 9'(turn_q) - 9'd2));
      m_program: assume (enter_i && go_i && !take_i && kind_i == (u_core.kind_q == 4'd0 ? Switch : 4'd0) && at_i == 32'h2000_0000 &&
                         {ra_i, rb_i, rd_i} == {A0, 5'd0, 5'd5} && address_i == '0 && datum_i == '0);
      m_bus:     assume (!started_q || (gnt_i == bus_req && dispatch_i == asked_q && rvalid_i == (open_q && !asked_q)));
      m_data_0:  assume ({rdata_i, answer_i, begins_i, next_i} == '0);
      c_task:    cover (reads_it);
      c_back:    cover (reads_it && kept_q && answered_q);
      c_spill:   cover (missing && !fill_only && !redirect);
    end
  end else begin : gen_any
    always_comb begin
      c_answer:  cover (reads_it && answered_q);
      c_told:    cover (reads_it && is_handlers && register_q == A0 && u_switch.told_q && value_q == told_data_q);
      c_late:    cover (jumps && in_handler && !told_q && since_q == 2'd3);
      c_between: cover (leaves && trap && between && register_q == X3);
      c_trap:    cover (leaves && trap && !between && register_q == X3);
      c_exit:    cover (leaves && in_handler && comes);
      c_write:   cover (writes && rf_waddr == register_q && runs && (!Writeback || (req && addr == mel_pkg::BanksBase)));
      c_missing: cover (comes_now && phase == Routine && v && u_core.is_access && !gnt);
      c_loads:   cover (comes_now && loaded && register_q == 5'd1);
    end
  end
endmodule
