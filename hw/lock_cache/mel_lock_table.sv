// SPDX-License-Identifier: Apache-2.0
// mel_lock_table: the locks, a word each, and what an access does to one. One memory holds all words, the short locks first; another, if long
// locks are handed over by priority, the priorities at which cores wait for them, and who has waited longer. A free lock's word is 0.
// Contract: docs/decisions/0019. The access concerns lock `number_i` of its kind, which exists; a refused one changes nothing.
// Timing: an access is performed in its cycle; `answer_o`, `refused_o` and `notify_o` are combinational. After reset Words cycles clear the
// memory, in which `open_o` is low and no access may come.
module mel_lock_table
  import mel_lock_pkg::*;
#(
  parameter int unsigned ShortLocks = 64,
  parameter int unsigned LongLocks  = 64,
  parameter int unsigned Cores      = 1,
  parameter int unsigned HandOver   = 0,
  parameter int unsigned Priorities = 32,
  parameter int unsigned PriorityW  = 5,
  localparam int unsigned CoreW     = (Cores > 1) ? $clog2(Cores) : 1,
  localparam int unsigned LongW     = (LongLocks > 1) ? $clog2(LongLocks) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 open_o,

  input  logic                 valid_i,
  input  logic [CoreW-1:0]     core_i,       // core of the access
  input  logic                 lock_i,       // to the region `lock`
  input  logic                 try_i,        // to the region `try`; else to `state`
  input  logic                 write_i,
  input  logic                 long_i,
  input  logic [6:0]           number_i,
  input  logic [31:0]          wdata_i,
  input  logic [PriorityW-1:0] priority_i,   // at which the core begins to wait
  input  logic                 told_i,       // release: the core that it names has no notice of this lock

  output logic [31:0]          answer_o,     // answer to a load
  output logic                 refused_o,
  output logic [Cores-1:0]     notify_o      // cores that get a notice of this long lock
);
  localparam int unsigned Words = ShortLocks + LongLocks;
  localparam int unsigned WordW = $clog2(Words);

  typedef struct packed {
    logic             held;
    logic             taken;     // its core knows (a short lock that was handed over: not before it looks)
    logic [CoreW-1:0] holder;
    logic [Cores-1:0] waiting;
  } word_t;

  word_t                           words [Words];
  word_t                           word, word_d;
  logic [WordW-1:0]                index;
  logic                            clearing_q;
  logic [WordW-1:0]                clear_q;
  logic [CoreW-1:0]                named;
  logic                            named_ok;
  logic [Cores-1:0]                caller, heir;
  logic [CoreW-1:0]                heir_core;
  logic                            heir_valid, own, ranked;
  logic                            takes, itself, waits, releases, release_ok, withdraws, sets, passes;
  logic [Cores-1:0][PriorityW-1:0] ranks;
  logic [Cores-1:0][Cores-1:0]     longer;

  assign open_o = !clearing_q;
  assign index  = long_i ? WordW'(ShortLocks + 32'(number_i)) : WordW'(number_i);
  assign word   = words[index];
  assign caller = Cores'(1) << core_i;
  assign heir   = Cores'(heir_valid) << heir_core;

  // ---- what the access is ---------------------------------------------------------------------------------------------

  // Releasing core: the caller or, for a long lock, the core that the word names.
  assign named    = (wdata_i[2:0] == '0) ? core_i : CoreW'(wdata_i[2:0] - 3'd1);
  assign named_ok = wdata_i <= (long_i ? 32'(Cores) : 32'd0);

  assign own        = word.held && word.holder == core_i;
  assign takes      = !write_i && (lock_i || try_i) && (!word.held || (!long_i && own && !word.taken));
  assign itself     = !write_i && (lock_i || try_i) && !long_i && own && word.taken;
  assign waits      = !write_i && lock_i && !takes && !itself;
  assign releases   = write_i && lock_i;
  assign release_ok = named_ok && word.held && word.holder == named && word.taken && !(ranked && !told_i);
  assign withdraws  = write_i && try_i && wdata_i == AnswerNone;
  assign sets       = write_i && try_i && ranked && wdata_i < Priorities;
  assign ranked     = long_i && HandOver != 0;
  assign passes     = (releases && release_ok) || (withdraws && !long_i && own && !word.taken);

  assign refused_o  = itself || (releases && !release_ok) || (write_i && !releases && !withdraws && !sets);

  // ---- what becomes of the lock ---------------------------------------------------------------------------------------

  mel_lock_heir #(
    .Cores    (Cores),
    .PriorityW(PriorityW)
  ) u_heir (
    .waiting_i (word.waiting),
    .holder_i  (word.holder),
    .ranked_i  (ranked),
    .priority_i(ranks),
    .longer_i  (longer),
    .valid_o   (heir_valid),
    .heir_o    (heir_core)
  );

  always_comb begin
    word_d   = word;
    notify_o = '0;
    if (takes) begin
      word_d.held   = 1'b1;
      word_d.taken  = 1'b1;
      word_d.holder = core_i;
    end
    if (waits) word_d.waiting = word.waiting | caller;
    if (withdraws && !passes) word_d.waiting = word.waiting & ~caller;
    if (passes) begin
      if (!heir_valid || (long_i && !ranked)) begin
        word_d = '0;
      end else begin
        word_d.taken   = long_i;
        word_d.holder  = heir_core;
        word_d.waiting = word.waiting & ~heir;
      end
      if (long_i) notify_o = ranked ? heir : word.waiting;
    end
    if (!valid_i) notify_o = '0;
  end

  always_comb begin
    answer_o = takes ? AnswerTaken : AnswerWaits;
    if (!lock_i && !try_i) begin
      answer_o = '0;
      answer_o[StateHeld]               = word.held;
      answer_o[StateHanded]             = word.held && !word.taken;
      answer_o[StateHolder +: CoreW]    = word.holder;
      answer_o[StateWaiting +: Cores]   = word.waiting;
    end
  end

  // ---- memories -------------------------------------------------------------------------------------------------------

  logic             we;
  logic [WordW-1:0] write_index;
  word_t            write_word;

  assign we          = clearing_q || (valid_i && !refused_o);
  assign write_index = clearing_q ? clear_q : index;
  assign write_word  = clearing_q ? '0 : word_d;

  always_ff @(posedge clk_i) if (we) words[write_index] <= write_word;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_q    <= '0;
    end else if (clearing_q) begin
      clear_q <= clear_q + 1'b1;
      if (32'(clear_q) == Words - 1) clearing_q <= 1'b0;
    end
  end

  // Priorities and ages count while their cores wait, so the memory needs no clearing.
  if (HandOver != 0) begin : gen_ranks
    localparam int unsigned Pairs = (Cores > 1) ? Cores * (Cores - 1) / 2 : 1;

    typedef struct packed {
      logic [Pairs-1:0]                ages;    // bit pair(a, b), a < b: a has waited longer than b
      logic [Cores-1:0][PriorityW-1:0] ranks;
    } rank_t;

    rank_t rank_words [LongLocks];
    rank_t rank_word, rank_word_d;
    logic  rank_we;

    function automatic int unsigned pair(int unsigned a, int unsigned b);
      return b * (b - 1) / 2 + a;
    endfunction

    assign rank_word = rank_words[LongW'(number_i)];
    assign ranks     = rank_word.ranks;
    assign rank_we   = valid_i && ((long_i && waits) || sets);

    always_comb begin
      longer = '0;
      for (int unsigned b = 1; b < Cores; b++) begin
        for (int unsigned a = 0; a < b; a++) begin
          longer[a][b] = rank_word.ages[pair(a, b)];
          longer[b][a] = !rank_word.ages[pair(a, b)];
        end
      end
    end

    // A core that waits already keeps its place.
    always_comb begin
      rank_word_d = rank_word;
      for (int unsigned core = 0; core < Cores; core++) begin
        if (caller[core]) begin
          if (sets) rank_word_d.ranks[core] = PriorityW'(wdata_i);
          else if (!word.waiting[core] || priority_i < ranks[core]) rank_word_d.ranks[core] = priority_i;
        end
      end
      for (int unsigned b = 1; b < Cores; b++) begin
        for (int unsigned a = 0; a < b; a++) begin
          if (!sets && caller[a] && !word.waiting[a]) rank_word_d.ages[pair(a, b)] = 1'b0;
          if (!sets && caller[b] && !word.waiting[b]) rank_word_d.ages[pair(a, b)] = 1'b1;
        end
      end
    end

    always_ff @(posedge clk_i) if (rank_we) rank_words[LongW'(number_i)] <= rank_word_d;
  end else begin : gen_no_ranks
    assign ranks  = '0;
    assign longer = '0;
    logic unused_priority;
    assign unused_priority = ^priority_i;
  end
endmodule
