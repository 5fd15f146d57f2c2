// SPDX-License-Identifier: Apache-2.0
// mel_interrupt_map: finds rising edges (the lines of timers, behind those of the system, are given as edges), knows what each one does, offers them to the sequencer one at a time, and keeps the
// interrupts that C handlers have yet to claim, of which it hands out at most a number in each tick.
//
// An edge of an enabled line is pending until the sequencer takes it; a further edge meanwhile is lost (`lost_o`, number of
// lines in the last cycle). Lines are served in turn, so that a storm on one cannot silence another. Disabling a line
// forgets its pending edge and its offer; enabling an enabled line changes nothing.
//
// With a limit, claims are counted from each tick on (and from the command that sets it). When it is used up there is nothing to claim
// until the next tick, whatever is offered; edges are served and lost as before. Without ticks nothing is counted.
//
// Timing: edge at `irq_i` to `request_o`: 2 cycles when no other edge is pending (1 to find, 1 to read the map). After
// `take_i` or a command the next request is there 1 cycle later. `claim_o` and `waits_o` follow the offers in the next cycle.
// A tick opens `claim_o` in its own cycle, because a claim of that cycle comes behind it, and `waits_o` in the next one.
module mel_interrupt_map
  import mel_unit_pkg::*;
#(
  parameter int unsigned Interrupts = 32,                              // 0..64
  parameter int unsigned Timers     = 8,                               // 0..17
  localparam int unsigned IrqW      = (Interrupts > 0) ? Interrupts : 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            clear_i,
  input  line_t           clear_index_i,

  input  logic [IrqW-1:0] irq_i,
  input  logic [16:0]     expired_i,      // timers, and what else counts as one

  // Commands: map, enable, disable, raise.
  input  irq_op_e         op_i,
  input  id_t             number_i,
  input  logic [31:0]     argument_i,
  input  logic [31:0]     operand_i,

  // The next edge to serve.
  output irq_request_t    request_o,
  input  logic            take_i,
  input  logic            offer_i,        // to the handler: the interrupt taken last

  output claim_t          claim_o,        // the lowest-numbered offered interrupt, unless the limit is reached
  input  logic            claim_i,
  output logic            waits_o,        // there is one, and handlers may claim it

  input  logic            limit_set_i,    // the limit becomes argument_i; 0: none
  input  logic            ticks_i,        // ticks are on
  input  logic            tick_i,

  output logic [6:0]      lost_o,

  output logic            busy_o          // a line changes, or an edge is on its way to the sequencer
);

  localparam int unsigned Lines = Interrupts + Timers;

  if (Lines == 0) begin : gen_none
    logic unused_all;
    assign unused_all = ^{clk_i, rst_ni, clear_i, clear_index_i, irq_i, expired_i, op_i, number_i, argument_i,
                          operand_i, take_i, offer_i,
                          claim_i, limit_set_i, ticks_i, tick_i};
    assign request_o = '0;
    assign claim_o   = '0;
    assign waits_o   = 1'b0;
    assign lost_o    = '0;
    assign busy_o    = 1'b0;
  end else begin : gen_interrupts
    localparam int unsigned IndexW = (Lines > 1) ? $clog2(Lines) : 1;
    typedef logic [IndexW-1:0]     index_t;
    typedef logic [Lines-1:0]      lines_t;

    // The argument of irq_map; the word is apart.
    typedef struct packed { logic handler; logic [2:0] action; id_t object; } entry_t;

    // A decoder; a shift would be built as a barrel shifter.
    function automatic lines_t line(id_t number);
      for (int unsigned i = 0; i < Lines; i++) line[i] = (index_t'(number) == index_t'(i));
    endfunction

    function automatic logic [7:0] number_of(lines_t only);
      number_of = '0;
      for (int unsigned i = 0; i < Lines; i++) begin
        if (only[i]) number_of |= 8'(i);
      end
    endfunction

    function automatic logic [2:0] three_bit_count(logic [3:0] bits);
      logic two_or_three;
      two_or_three = ((bits[0] & bits[1]) | (bits[2] & bits[3]) | ((bits[0] | bits[1]) & (bits[2] | bits[3]))) & ~&bits;
      return {&bits, two_or_three, ^bits};
    endfunction

    lines_t line_q, enabled_q, pending_q, offered_q;
    lines_t enabled_d, pending_d, offered_d;
    lines_t edges, kept, subject;
    lines_t lost_q;          // lines, not their number: counting takes long
    lines_t request_line_q, request_above_q;   // the line on offer; those with a higher number
    lines_t taken_line_q, taken_above_q;       // likewise for the line taken last

    lines_t levels;
    assign levels = (Interrupts > 0) ? lines_t'(irq_i) : '0;

    // Late inputs select among decoded numbers, rather than a number to be decoded.
    assign subject = line(number_i);
    assign edges   = ((levels & ~line_q) | (lines_t'(expired_i) << Interrupts) | (op_i == IrqOpRaise ? subject : '0)) & enabled_q;
    assign kept    = take_i ? pending_q & ~request_line_q : pending_q;

    always_comb begin
      enabled_d = enabled_q;
      pending_d = kept | edges;
      offered_d = offered_q;
      if (offer_i) offered_d |= taken_line_q;
      if (claim_i && claim_o.valid) offered_d &= ~line(claim_o.number);
      if (op_i == IrqOpEnable) enabled_d |= subject;
      if (op_i == IrqOpDisable) begin
        enabled_d &= ~subject;
        pending_d &= ~subject;
        offered_d &= ~subject;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        line_q        <= '0;
        enabled_q     <= '0;
        pending_q     <= '0;
        offered_q     <= '0;
        lost_q        <= '0;
        taken_line_q  <= '0;
        taken_above_q <= '0;
      end else begin
        line_q    <= levels;
        enabled_q <= enabled_d;
        pending_q <= pending_d;
        offered_q <= offered_d;
        lost_q    <= (edges & kept);
        if (take_i) begin
          taken_line_q  <= request_line_q;
          taken_above_q <= request_above_q;
        end
      end
    end

    // Claims that are left to handlers: late inputs only select among values from registers.
    logic [15:0] limit_q, left_q, left_d;
    logic        spent_q, spent_d;     // nothing is left of a limit
    logic        anew, claimed, last;

    assign anew    = tick_i || !ticks_i;
    assign claimed = claim_i && claim_o.valid;
    assign last    = anew ? limit_q == 16'd1 : left_q == 16'd1;

    always_comb begin
      left_d = anew ? limit_q : left_q;
      if (claimed && ticks_i && limit_q != '0) left_d = left_d - 16'd1;
      spent_d = ticks_i && ((claimed && last) || (spent_q && !tick_i));
      if (limit_set_i) begin
        left_d  = argument_i[15:0];
        spent_d = 1'b0;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        limit_q <= '0;
        left_q  <= '0;
        spent_q <= 1'b0;
      end else begin
        if (limit_set_i) limit_q <= argument_i[15:0];
        left_q  <= left_d;
        spent_q <= spent_d;
      end
    end

    // Number of bits, as a tree of adders over groups of four.
    localparam int unsigned Groups = 1 << $clog2((Lines + 3) / 4);
    logic [4*Groups-1:0]    lost_lines;
    logic [Groups-1:0][6:0] sums;

    always_comb begin
      lost_lines = (4*Groups)'(lost_q);
      for (int unsigned group = 0; group < Groups; group++) begin
        sums[group] = 7'(three_bit_count(lost_lines[4*group+:4]));
      end
      for (int unsigned width = Groups / 2; width > 0; width /= 2) begin
        for (int unsigned node = 0; node < width; node++) sums[node] = sums[node] + sums[node+width];
      end
      lost_o = sums[0];
    end

    // The next in turn: the lowest pending line above the one taken last, else the lowest of all.
    lines_t pending_above, choice, choice_negated, first;
    logic   any_valid;
    id_t    select;

    // One carry chain finds the lowest line of the choice, and those above it.
    assign pending_above  = pending_q & taken_above_q;
    assign any_valid      = (pending_q != '0);
    assign choice         = (pending_above != '0) ? pending_above : pending_q;
    assign choice_negated = -choice;
    assign first          = choice & choice_negated;
    assign select         = number_of(first);

    // Entries are in LUT-RAM with a register, because a step's reads depend on them: a block RAM's output comes 5 ns later.
    // A request whose entry is being written is not valid.
    (* no_rw_check, ram_style = "distributed" *) entry_t      entry_mem [2**IndexW];
    (* no_rw_check, ram_style = "block" *)       logic [31:0] word_mem  [2**IndexW];
    entry_t      entry;
    logic [31:0] word;
    index_t      entry_waddr;
    assign entry_waddr = index_t'(clear_i ? clear_index_i : line_t'(number_i));
    id_t    request_q;
    logic   request_valid_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        request_valid_q <= 1'b0;
      end else begin
        request_valid_q <= any_valid && !take_i && op_i == IrqOpNone;
      end
    end

    always_ff @(posedge clk_i) begin
      request_q       <= select;
      request_line_q  <= first;
      request_above_q <= choice ^ choice_negated;
      entry     <= entry_mem[index_t'(select)];
      if (clear_i || op_i == IrqOpMap) begin
        entry_mem[entry_waddr] <= clear_i ? '0 : '{handler: argument_i[4], action: argument_i[2:0], object: argument_i[15:8]};
      end
    end
    always_ff @(posedge clk_i) begin
      if (op_i == IrqOpMap) word_mem[entry_waddr] <= operand_i;
      word <= word_mem[index_t'(select)];
    end

    assign busy_o = (levels != line_q) || (expired_i != '0) || any_valid || request_valid_q || (lost_q != '0);

    logic unused_argument;
    assign unused_argument = ^{argument_i[31:16], argument_i[7:5], argument_i[3]};

    assign request_o = '{
      valid:   request_valid_q,
      number:  request_q,
      action:  entry.action,
      object:  entry.object,
      word:    word,
      handler: entry.handler,
      offered: offered_q[index_t'(request_q)]
    };

    logic any_offered;
    mel_first_set #(.Width(Lines)) u_first_offered (
      .vector_i (offered_q),
      .valid_o  (any_offered),
      .index_o  (claim_o.number)
    );
    assign claim_o.valid = any_offered && !(spent_q && !anew);
    assign waits_o       = any_offered && !spent_q;

`ifndef SYNTHESIS
    a_request_pending: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !request_valid_q || |(pending_q & line(request_q)));
    a_request_line: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !request_valid_q || request_line_q == line(request_q));
    a_offered_enabled: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (offered_q & ~enabled_q) == '0);
`endif
  end

endmodule
