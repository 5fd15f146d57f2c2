// SPDX-License-Identifier: Apache-2.0
// mel_lock_cache: locks of several cores in hardware: short ones, which are spun for, and long ones, whose waiters block and are called
// by an interrupt that names the lock. What each access does: docs/decisions/0019; offsets and words: spec/lock_cache.yaml.
//
// Contract: an access port per core, as the hardware RTOS has: a request is taken when valid and ready, and gets one response. A request
// stays until it is taken. `irq_o` of a core is high while it has a notice.
// Timing: a request is taken at once, or behind at most one of each other core; it is answered in the next cycle, and has its effect by
// then, interrupts included. For ShortLocks + LongLocks cycles after reset none is taken.
// Needs: mel_lock_pkg, mel_first_set (hw/engine); the modules beside it (mel_lock_cache.f).
module mel_lock_cache
  import mel_lock_pkg::*;
#(
  parameter int unsigned ShortLocks = 64,   // 1..128
  parameter int unsigned LongLocks  = 64,   // 1..128
  parameter int unsigned Cores      = 1,    // 1..4
  parameter int unsigned HandOver   = 0,    // 1: a released long lock goes to the most urgent waiter; 0: all waiting cores are told
  parameter int unsigned Priorities = 32    // 2..256, 0 is the most urgent; with HandOver
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [Cores-1:0]       req_valid_i,
  output logic [Cores-1:0]       req_ready_o,
  input  logic [Cores-1:0]       req_write_i,
  input  logic [Cores-1:0][15:0] req_addr_i,    // byte offset in the core's window
  input  logic [Cores-1:0][3:0]  req_be_i,
  input  logic [Cores-1:0][31:0] req_wdata_i,
  output logic [Cores-1:0]       rsp_valid_o,
  output logic [Cores-1:0][31:0] rsp_rdata_o,   // load: answer; store: AnswerNone when refused

  output logic [Cores-1:0]       irq_o
);
  if (ShortLocks < ShortLocksMin || ShortLocks > ShortLocksMax) begin : gen_bad_short_locks
    $fatal(1, "mel_lock_cache: parameter ShortLocks = %0d is out of range 1..128", ShortLocks);
  end
  if (LongLocks < LongLocksMin || LongLocks > LongLocksMax) begin : gen_bad_long_locks
    $fatal(1, "mel_lock_cache: parameter LongLocks = %0d is out of range 1..128", LongLocks);
  end
  if (Cores < CoresMin || Cores > CoresMax) begin : gen_bad_cores
    $fatal(1, "mel_lock_cache: parameter Cores = %0d is out of range 1..4", Cores);
  end
  if (HandOver > HandOverMax) begin : gen_bad_hand_over
    $fatal(1, "mel_lock_cache: parameter HandOver = %0d is out of range 0..1", HandOver);
  end
  if (Priorities < PrioritiesMin || Priorities > PrioritiesMax) begin : gen_bad_priorities
    $fatal(1, "mel_lock_cache: parameter Priorities = %0d is out of range 2..256", Priorities);
  end

  localparam int unsigned CoreW     = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned LongW     = (LongLocks > 1) ? $clog2(LongLocks) : 1;
  localparam int unsigned PriorityW = $clog2(Priorities);
  localparam logic [15:0] RefusedMax = '1;

  logic                            open, any;
  logic [CoreW-1:0]                core, looked;
  logic                            write, whole;
  logic [15:0]                     addr;
  logic [31:0]                     wdata;
  logic                            is_long, at_register, exists, at_lock;
  logic [6:0]                      number;
  logic [31:0]                     lock_answer, register_answer, rdata_d, rdata_q;
  logic                            lock_refused, register_refused, refused;
  logic [Cores-1:0]                notify, rsp_valid_q;
  logic                            first_valid, told, take_notice;
  logic [LongW-1:0]                first;
  logic [Cores-1:0][PriorityW-1:0] priority_q;
  logic [15:0]                     refused_q;

  // ---- the access -----------------------------------------------------------------------------------------------------

  mel_lock_turn #(
    .Cores(Cores)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .open_i (open),
    .valid_i(req_valid_i),
    .ready_o(req_ready_o),
    .any_o  (any),
    .core_o (core)
  );

  assign write = req_write_i[core];
  assign addr  = req_addr_i[core];
  assign wdata = req_wdata_i[core];
  assign whole = req_be_i[core] == 4'hF && addr[1:0] == '0 && addr < 16'(WindowBytes);

  // The regions as the package has them, decoded by wires.
  assign at_register = addr[11:10] == RegIdentity[11:10];
  assign is_long     = addr[9];
  assign number      = addr[8:2];
  assign exists      = 32'(number) < (is_long ? LongLocks : ShortLocks);
  assign at_lock     = whole && !at_register && exists;

  // ---- locks and notices ----------------------------------------------------------------------------------------------

  mel_lock_table #(
    .ShortLocks(ShortLocks),
    .LongLocks (LongLocks),
    .Cores     (Cores),
    .HandOver  (HandOver),
    .Priorities(Priorities),
    .PriorityW (PriorityW)
  ) u_table (
    .clk_i,
    .rst_ni,
    .open_o    (open),
    .valid_i   (any && at_lock),
    .core_i    (core),
    .lock_i    (addr[11:10] == RegionLockShort[11:10]),
    .try_i     (addr[11:10] == RegionTryShort[11:10]),
    .write_i   (write),
    .long_i    (is_long),
    .number_i  (number),
    .wdata_i   (wdata),
    .priority_i(priority_q[core]),
    .told_i    (told),
    .answer_o  (lock_answer),
    .refused_o (lock_refused),
    .notify_o  (notify)
  );

  // A release looks at the notices of the core that it names (mel_lock_table), a load of `notice` at those of its own.
  assign looked      = (write && wdata[2:0] != '0) ? CoreW'(wdata[2:0] - 3'd1) : core;
  assign take_notice = any && whole && !write && addr[11:0] == RegNotice;

  mel_lock_notices #(
    .LongLocks(LongLocks),
    .Cores    (Cores)
  ) u_notices (
    .clk_i,
    .rst_ni,
    .core_i       (looked),
    .first_valid_o(first_valid),
    .first_o      (first),
    .told_o       (told),
    .take_i       (take_notice),
    .notify_i     (notify),
    .number_i     (LongW'(number)),
    .irq_o
  );

  // ---- registers ------------------------------------------------------------------------------------------------------

  logic sets_priority;
  assign sets_priority = write && addr[11:0] == RegPriority && HandOver != 0 && wdata < Priorities;

  always_comb begin
    register_answer  = '0;
    register_refused = write && !sets_priority;
    unique case (addr[11:0])
      RegIdentity:   register_answer = Identity;
      RegFactsHash:  register_answer = FactsHash;
      RegSizes:      register_answer = {13'd0, 3'(Cores), 8'(LongLocks), 8'(ShortLocks)};
      RegPriorities: register_answer = (HandOver != 0) ? 32'(Priorities) : '0;
      RegCore:       register_answer = 32'(core);
      RegRefused:    register_answer = 32'(refused_q);
      RegPriority:   register_answer = 32'(priority_q[core]);
      RegNotice:     register_answer = first_valid ? 32'(first) : AnswerNone;
      default:       register_refused = 1'b1;
    endcase
  end

  assign refused = !whole || (at_register ? register_refused : !exists || lock_refused);

  always_comb begin
    if (refused)    rdata_d = AnswerNone;
    else if (write) rdata_d = '0;
    else            rdata_d = at_register ? register_answer : lock_answer;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_valid_q <= '0;
      rdata_q     <= '0;
      refused_q   <= '0;
    end else begin
      rsp_valid_q <= Cores'(any) << core;
      if (any) rdata_q <= rdata_d;
      if (any && refused && refused_q != RefusedMax) refused_q <= refused_q + 16'd1;
    end
  end

  if (HandOver != 0) begin : gen_priority
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                      priority_q <= '0;
      else if (any && whole && at_register && sets_priority) priority_q[core] <= PriorityW'(wdata);
    end
  end else begin : gen_no_priority
    assign priority_q = '0;
  end

  assign rsp_valid_o = rsp_valid_q;
  assign rsp_rdata_o = {Cores{rdata_q}};

endmodule
