// SPDX-License-Identifier: Apache-2.0
// mel_interrupts: finds rising edges (the lines of timers, behind those of the system, are given as edges), remembers which
// enabled lines wait to be served, offers them one at a time, and keeps the interrupts that C handlers have yet to claim.
//
// An edge of an enabled line is pending until it is taken; a further edge meanwhile is lost (`lost_o`, their number in one
// cycle). A raise is an edge; with one of its line in the same cycle it is the same edge. An edge in the cycle in which its
// line is taken is pending again. Disabling a line forgets its pending edge and its offer. A line that is held stays pending, and is not
// requested, in cycles of `hold_i`.
//
// Order: a round goes upwards through the lines; it ends, and begins anew at line 0, when no line above the one taken last
// is pending and not held. So an edge that is not held waits for at most one edge of every other line.
//
// Timing:
// * Edge at `irq_i` or `expired_i` to `pending_o`: 2 cycles when no other is pending.
// * Operations: `op_i` in cycle 0 acts at the end of cycle 1. After a disable there is none in cycle 1, after a take none or an offer of its line. `pending_o` is low from
//   cycle 1 on; after an operation the next request is there in cycle 3 (4 when a round ends), after a disable or a take a cycle later.
// * `first_offered_o` (line `first_o` is offered) is valid a cycle after `first_o`, as long as no operation is on its way.
// * `offered_o`, `offered_first_o` follow an operation in cycle 3.
// * `lost_o` follows an edge by 3 cycles.
module mel_interrupts #(
  parameter int unsigned Interrupts = 32,                          // 0..64
  parameter int unsigned Timers     = 9,                           // 0..17: their lines, and what else counts as one
  parameter bit          Holds      = 1'b1,                        // lines can be held
  localparam int unsigned IrqW      = (Interrupts > 0) ? Interrupts : 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic [IrqW-1:0] irq_i,
  input  logic [16:0]     expired_i,       // for one cycle each

  input  logic            hold_i,          // requests none of the lines that are held
  input  logic [2:0]      op_i,            // 0 none, 1 enable, 2 disable, 3 raise, 4 take, 5 offer, 6 claim, 7 hold
  input  logic [6:0]      number_i,
  input  logic            held_i,          // sense of a hold: the line is held, or not any longer

  output logic            pending_o,
  output logic [6:0]      first_o,
  output logic            first_offered_o,   // line `first_o` is offered

  output logic            offered_o,
  output logic [6:0]      offered_first_o,  // the lowest

  output logic [6:0]      lost_o
);

  localparam int unsigned Lines = Interrupts + Timers;

  if (Lines == 0) begin : gen_none
    logic unused_all;
    assign unused_all       = ^{clk_i, rst_ni, irq_i, expired_i, hold_i, op_i, number_i, held_i};
    assign pending_o        = 1'b0;
    assign first_o          = '0;
    assign first_offered_o  = 1'b0;
    assign offered_o        = 1'b0;
    assign offered_first_o  = '0;
    assign lost_o           = '0;
  end else begin : gen_interrupts
    // Lines are in groups of 8: a number is decoded in two halves, and offers are words of a memory.
    localparam int unsigned Groups = (Lines + 7) / 8;
    localparam int unsigned GroupW = (Groups > 1) ? $clog2(Groups) : 1;
    typedef logic [Lines-1:0]  lines_t;
    typedef logic [Groups-1:0] groups_t;
    typedef logic [Groups-1:0][7:0] bytes_t;
    typedef logic [GroupW-1:0] group_t;
    typedef logic [((Lines > 1) ? $clog2(Lines) : 1)-1:0] index_t;
    typedef enum logic [2:0] { OpNone, OpEnable, OpDisable, OpRaise, OpTake, OpOffer, OpClaim, OpHold } op_e;

    // ---- operation ----------------------------------------------------------------------------------------------------

    // A line changes (`subject`) only where that has an effect: enable while it is disabled, all others while it is enabled.
    // So one decoder per line serves all operations on its edges. A disable or a take changes it once more a cycle later, if
    // it is disabled then (`again_q`): an edge in the cycle of the disable is forgotten, and a pending bit that flipped is
    // served once, not for ever.
    op_e        op_q;
    logic [6:0] number_q;
    logic       again_q, held_q;
    logic [7:0] low;
    groups_t    high, high_change;
    lines_t     subject, raised;
    bytes_t     changed;          // lines that it is about
    logic       changes, while_disabled, enables, raises;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        op_q    <= OpNone;
        again_q <= 1'b0;
      end else begin
        op_q    <= op_e'(op_i);
        again_q <= op_q inside {OpDisable, OpTake};
      end
    end
    always_ff @(posedge clk_i) begin
      if (op_i != 3'(OpNone)) {number_q, held_q} <= {number_i, held_i};
    end

    assign changes        = (op_q inside {OpEnable, OpDisable, OpRaise, OpTake}) || again_q;
    assign while_disabled = (op_q == OpEnable) || again_q;
    assign enables        = (op_q != OpDisable) && !again_q;
    assign raises         = (op_q == OpRaise);
    for (genvar i = 0; i < 8; i++) begin : gen_low
      assign low[i] = (number_q[2:0] == 3'(i));
    end
    for (genvar i = 0; i < Groups; i++) begin : gen_high
      assign high[i]        = (number_q[3+:GroupW] == group_t'(i));
      assign high_change[i] = high[i] && changes;
      assign changed[i]     = low & {8{high_change[i]}};
    end

    // ---- edges --------------------------------------------------------------------------------------------------------

    lines_t line_q, levels, edges, enabled_q, pending_q, lost_q, holds_q;

    if (Interrupts > 0) begin : gen_levels
      assign levels[Interrupts-1:0] = irq_i;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) line_q[Interrupts-1:0] <= '0;
        else         line_q[Interrupts-1:0] <= irq_i;
      end
    end else begin : gen_no_levels
      logic unused_irq;
      assign unused_irq = ^irq_i;
    end
    if (Timers > 0) begin : gen_timers
      assign levels[Lines-1:Interrupts] = expired_i[Timers-1:0];
      assign line_q[Lines-1:Interrupts] = '0;
    end else begin : gen_no_timers
      logic unused_expired;
      assign unused_expired = ^expired_i;
    end

    assign edges = levels & ~line_q & enabled_q;

    assign subject = lines_t'(changed) & (enabled_q ^ {Lines{while_disabled}});
    assign raised  = subject & {Lines{raises}};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        enabled_q <= '0;
        pending_q <= '0;
        lost_q    <= '0;
        holds_q   <= '0;
      end else begin
        if (changes) begin
          for (int unsigned i = 0; i < Lines; i++) if (subject[i]) enabled_q[i] <= enables;
        end
        if (Holds && op_q == OpHold) begin
          for (int unsigned i = 0; i < Lines; i++) if (low[i%8] && high[i/8]) holds_q[i] <= held_q;
        end
        pending_q <= edges | raised | (pending_q & ~subject);
        lost_q    <= pending_q & (raised | (edges & ~subject));
      end
    end

    // ---- lost edges ---------------------------------------------------------------------------------------------------

    // Two cycles, because a sum over more lines than `Half` takes longer than one.
    localparam int unsigned Half = 48;
    logic [1:0][Half-1:0] lost_lines;
    logic [1:0][6:0]      lost_counts, lost_counts_q;

    assign lost_lines = (2*Half)'(lost_q);
    for (genvar i = 0; i < 2; i++) begin : gen_lost
      assign lost_counts[i] = 7'($countones(lost_lines[i]));
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        lost_counts_q <= '0;
        lost_o        <= '0;
      end else begin
        lost_counts_q <= lost_counts;
        lost_o        <= lost_counts_q[0] + lost_counts_q[1];
      end
    end

    // ---- next to serve ------------------------------------------------------------------------------------------------

    // The lines above the one taken last, in two halves as a number. A round that ends takes in all.
    groups_t    high_above_q, high_same_q;
    logic [7:0] low_above_q;
    bytes_t     above;
    lines_t     choice;
    logic [7:0] first;
    logic       any, pending_d;

    for (genvar i = 0; i < Groups; i++) begin : gen_above
      assign above[i] = {8{high_above_q[i]}} | (low_above_q & {8{high_same_q[i]}});
    end
    assign choice = pending_q & lines_t'(above) & ~(holds_q & {Lines{hold_i}});

    mel_first_set #(.Width(Lines)) u_first (.vector_i(choice), .valid_o(any), .index_o(first));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        high_above_q <= '1;
        high_same_q  <= '0;
        low_above_q  <= '0;
      end else if (op_q == OpTake) begin
        for (int unsigned i = 0; i < Groups; i++) high_above_q[i] <= (number_q[3+:GroupW] < group_t'(i));
        for (int unsigned i = 0; i < 8; i++)      low_above_q[i]  <= (number_q[2:0] < 3'(i));
        high_same_q <= high;
      end else if (!any) begin
        high_above_q <= '1;
      end
    end

    assign pending_d = any && op_i == 3'(OpNone) && op_q == OpNone && !again_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) pending_o <= 1'b0;
      else         pending_o <= pending_d;
    end
    always_ff @(posedge clk_i) first_o <= first[6:0];

    // ---- offers -------------------------------------------------------------------------------------------------------

    // A word of a group without offers is not valid: no word needs a reset.
    (* no_rw_check, ram_style = "distributed" *) logic [7:0] offered_mem [2**GroupW];
    groups_t    any_offered_q;
    group_t     word_group, offered_group;
    logic [7:0] word, word_d, lowest, lowest_group, offered_word;
    logic       word_changes, any_offered, unused_valid, quiet;

    assign quiet        = (op_q == OpNone);
    assign word_changes = (op_q == OpDisable || op_q == OpOffer || op_q == OpClaim);
    assign word_group   = quiet ? first_o[3+:GroupW] : number_q[3+:GroupW];
    assign word         = any_offered_q[word_group] ? offered_mem[word_group] : '0;
    assign word_d       = (op_q == OpOffer) ? word | low : word & ~low;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) any_offered_q <= '0;
      else begin
        for (int unsigned i = 0; i < Groups; i++) begin
          if (word_changes && high[i]) any_offered_q[i] <= (word_d != '0);
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (word_changes) offered_mem[word_group] <= word_d;
      first_offered_o <= word[first_o[2:0]];
    end

    mel_first_set #(.Width(Groups)) u_first_group (
      .vector_i (any_offered_q), .valid_o (any_offered), .index_o (lowest_group)
    );
    assign offered_group = lowest_group[GroupW-1:0];
    assign offered_word  = offered_mem[offered_group];
    mel_first_set #(.Width(8)) u_first_offered (
      .vector_i (offered_word), .valid_o (unused_valid), .index_o (lowest)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) offered_o <= 1'b0;
      else         offered_o <= any_offered;
    end
    always_ff @(posedge clk_i) offered_first_o <= {4'(offered_group), lowest[2:0]};

`ifndef SYNTHESIS
    a_first_pending: assert property (@(posedge clk_i) disable iff (!rst_ni) !pending_o || pending_q[index_t'(first_o)]);
    a_alone:         assert property (@(posedge clk_i) disable iff (!rst_ni) !(op_q inside {OpDisable, OpTake}) || op_i == 3'(OpNone) ||
                                      (op_q == OpTake && op_i == 3'(OpOffer) && number_i == number_q));
    a_take_first:    assert property (@(posedge clk_i) disable iff (!rst_ni) op_q != OpTake || pending_q[index_t'(number_q)]);
`endif
  end

endmodule
