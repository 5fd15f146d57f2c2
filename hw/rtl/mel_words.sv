// SPDX-License-Identifier: Apache-2.0
// mel_words: the words beside the commands (docs/decisions/0008): operand and value of every context, and the word that a task
// waits to send. Contexts are numbered: the tasks, then the handler level and idle of core 0, of core 1 …
// Timing: what is read in a cycle with `read_i` (`word_o`: `word_read_i`) is there in the next; a write is visible to a read in the next
// cycle. Nothing is read in the cycle in which it is written. `clear_i` clears operand and value of one context per cycle.
module mel_words
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 64,   // 4..256
  parameter int unsigned Cores = 1     // 1..4
) (
  input  logic        clk_i,
  input  logic        clear_i,
  input  line_t       clear_index_i,

  input  logic        read_i,
  input  line_t       read_index_i,
  output operand_t    operand_o,
  output logic [31:0] value_o,

  input  logic        operand_write_i,
  input  line_t       operand_index_i,
  input  logic [31:0] operand_i,

  input  logic        value_write_i,
  input  line_t       value_index_i,
  input  logic [31:0] value_i,

  input  logic        word_read_i,
  input  id_t         word_read_id_i,
  output logic [31:0] word_o,
  input  logic        word_write_i,
  input  id_t         word_write_id_i,
  input  logic [31:0] word_i
);

  localparam int unsigned IndexW = $clog2(Tasks + 2 * Cores);
  typedef logic [IndexW-1:0]         index_t;
  typedef logic [$clog2(Tasks)-1:0]  task_id_t;
  typedef enum logic [2:0] {
    HintZero,
    HintOne,
    HintPrio,        // another priority of a message
    HintPositive,    // anything else below 2^31
    HintNegative,
    HintEndless
  } hint_e;
  typedef struct packed { logic zero; logic one; logic endless; logic negative; logic is_prio; } facts_t;

  // Hints are needed early: in LUT-RAM, because a block RAM's output comes 5 ns later; as a code, because one of six holds.
  (* no_rw_check *)                            logic [31:0] operand_mem [2**IndexW];
  (* no_rw_check, ram_style = "distributed" *) hint_e       hint_mem    [2**IndexW];
  (* no_rw_check *)                            logic [31:0] value_mem   [2**IndexW];
  (* no_rw_check *)                            logic [31:0] word_mem    [2**$clog2(Tasks)];
  logic [31:0] operand;
  facts_t      facts;
  index_t      operand_waddr, value_waddr;

  assign operand_waddr = index_t'(clear_i ? clear_index_i : operand_index_i);
  assign value_waddr   = index_t'(clear_i ? clear_index_i : value_index_i);

  always_ff @(posedge clk_i) begin
    if (clear_i || operand_write_i) operand_mem[operand_waddr] <= clear_i ? '0 : operand_i;
    if (read_i) operand <= operand_mem[index_t'(read_index_i)];
  end

  logic  is_byte;   // comparisons of few bits: priorities are at most 256
  hint_e written, found;
  assign is_byte = operand_i[31:8] == '0;
  always_comb begin
    if      (clear_i || (is_byte && operand_i[7:0] == '0))                   written = HintZero;
    else if (is_byte && operand_i[7:0] == 8'd1)                              written = HintOne;
    else if (is_byte && 9'(operand_i[7:0]) < 9'(mel_pkg::MessagePriorities)) written = HintPrio;
    else if (!operand_i[31])                                                 written = HintPositive;
    else if (operand_i != '1)                                                written = HintNegative;
    else                                                                     written = HintEndless;
  end
  assign found = hint_mem[index_t'(read_index_i)];

  always_ff @(posedge clk_i) begin
    if (clear_i || operand_write_i) hint_mem[operand_waddr] <= written;
    if (read_i) begin
      facts <= '{
        zero:     found == HintZero,
        one:      found == HintOne,
        endless:  found == HintEndless,
        negative: found inside {HintNegative, HintEndless},
        is_prio:  found inside {HintZero, HintOne, HintPrio}
      };
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || value_write_i) value_mem[value_waddr] <= clear_i ? '0 : value_i;
    if (read_i) value_o <= value_mem[index_t'(read_index_i)];
  end

  always_ff @(posedge clk_i) begin
    if (word_write_i) word_mem[task_id_t'(word_write_id_i)] <= word_i;
    if (word_read_i) word_o <= word_mem[task_id_t'(word_read_id_i)];
  end

  assign operand_o = '{zero: facts.zero, one: facts.one, endless: facts.endless, negative: facts.negative,
                       is_prio: facts.is_prio, word: operand};

`ifndef SYNTHESIS
  a_no_operand_collision: assert property (@(posedge clk_i)
    !(read_i && operand_write_i && index_t'(read_index_i) == operand_waddr));
  a_no_value_collision: assert property (@(posedge clk_i)
    !(read_i && value_write_i && index_t'(read_index_i) == value_waddr));
`endif

endmodule
