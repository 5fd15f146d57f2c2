// SPDX-License-Identifier: Apache-2.0
// mel_dmmu_table: the blocks, and the allocations that hold them: a bit for each block says whether it is held, another whether an allocation begins there;
// the owner and the length of that allocation are in a memory, at its first block.
// Contract: docs/decisions/0041. A command comes while `busy_o` is low; a refused one changes nothing.
// Timing: `refused_o` and `row_o` are combinational. A command that is not refused is followed by cycles in which `busy_o` is high: ceil(log2(Blocks) / 2) + 2
// for `allocate`, found or not, 1 for every other. In the last one `done_o` is high beside the answer.
// Needs: mel_dmmu_pkg; mel_dmmu_search.
module mel_dmmu_table
  import mel_dmmu_pkg::*;
#(
  parameter int unsigned Blocks = 256,  // 2..256
  parameter int unsigned Owners = 64    // 1..256
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        valid_i,     // a command
  input  logic        allocate_i,  // which one: one of these three, or `clear`
  input  logic        release_i,
  input  logic        give_i,
  input  logic [7:0]  owner_i,
  input  logic [8:0]  number_i,    // of blocks for `allocate`, else of a block, also of `row_o`
  input  logic [7:0]  next_i,      // owner after `give`
  output logic        refused_o,
  output logic [31:0] row_o,       // as a load of the region `allocation`

  output logic        busy_o,
  output logic        done_o,
  output logic [31:0] answer_o,
  output logic        full_o,      // beside `done_o`
  output logic [8:0]  free_o,
  output logic [8:0]  least_o
);
  localparam int unsigned BlockW = $clog2(Blocks);
  localparam int unsigned OwnerW = (Owners > 1) ? $clog2(Owners) : 1;

  typedef enum logic [1:0] {Idle, Search, Apply} state_e;
  typedef enum logic [1:0] {Allocate, Release, Give, Clear} command_e;

  typedef struct packed {
    logic [OwnerW-1:0] owner;
    logic [BlockW-1:0] more;  // blocks of the allocation, less one
  } row_t;

  logic [Blocks-1:0] held_q, begins_q;
  row_t              rows_q[Blocks];
  logic [8:0]        free_q, least_q, free_d;

  state_e            state_q;
  command_e          command_q;
  logic              found_q;
  logic [BlockW-1:0] first_q;  // block with which the allocation of the command begins
  row_t              row_q;    // that allocation, as it is to be

  // ---- the command ----------------------------------------------------------------------------------------------------

  logic              exists, begins, mine, fits;
  logic [BlockW-1:0] block;
  row_t              row;

  assign block  = number_i[BlockW-1:0];
  assign exists = 32'(number_i) < Blocks;
  assign begins = exists && |(begins_q & (Blocks'(1) << block));
  assign row    = rows_q[block];
  assign mine   = begins && 8'(row.owner) == owner_i;
  assign fits   = number_i != '0 && 32'(number_i) <= Blocks && 32'(owner_i) < Owners;
  assign row_o  = begins ? {15'd0, 9'(row.more) + 9'd1, 8'(row.owner)} : AnswerNone;

  assign refused_o = (allocate_i && !fits) || ((release_i || give_i) && !mine) || (give_i && 32'(next_i) >= Owners);

  // ---- the search -----------------------------------------------------------------------------------------------------

  logic              start, searched, found;
  logic [BlockW-1:0] first, more;

  assign start = valid_i && allocate_i && !refused_o;
  assign more  = BlockW'(number_i - 9'd1);

  mel_dmmu_search #(
    .Width(Blocks)
  ) u_search (
    .clk_i,
    .rst_ni,
    .start_i (start),
    .vector_i(~held_q),
    .more_i  (more),
    .done_o  (searched),
    .found_o (found),
    .first_o (first)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      command_q <= Clear;
      found_q   <= 1'b0;
      first_q   <= '0;
      row_q     <= '0;
    end else if (valid_i && !refused_o) begin
      state_q     <= allocate_i ? Search : Apply;
      command_q   <= allocate_i ? Allocate : release_i ? Release : give_i ? Give : Clear;
      first_q     <= block;
      row_q.owner <= OwnerW'(give_i ? next_i : owner_i);
      row_q.more  <= allocate_i ? more : row.more;
    end else if (searched) begin
      state_q <= Apply;
      found_q <= found;
      first_q <= first;
    end else if (done_o) begin
      state_q <= Idle;
    end
  end

  // ---- the change -----------------------------------------------------------------------------------------------------

  logic              takes, leaves, gives, clears, full;
  logic [Blocks-1:0] from, behind, range, at;  // blocks from the first on, behind the last, between them; the first
  logic [8:0]        count;

  assign done_o = state_q == Apply;
  assign full   = command_q == Allocate && !found_q;
  assign takes  = done_o && command_q == Allocate && found_q;
  assign leaves = done_o && command_q == Release;
  assign gives  = done_o && command_q == Give;
  assign clears = done_o && command_q == Clear;

  assign from   = {Blocks{1'b1}} << first_q;
  assign behind = ({Blocks{1'b1}} << (first_q + row_q.more)) << 1;
  assign range  = from & ~behind;
  assign at     = from & ~(from << 1);
  assign count  = 9'(row_q.more) + 9'd1;

  always_comb begin
    free_d = free_q;
    if (takes)  free_d = free_q - count;
    if (leaves) free_d = free_q + count;
    if (clears) free_d = 9'(Blocks);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q   <= '0;
      begins_q <= '0;
      free_q   <= 9'(Blocks);
      least_q  <= 9'(Blocks);
    end else begin
      free_q <= free_d;
      if (clears || free_d < least_q) least_q <= free_d;
      if (takes) begin
        held_q   <= held_q | range;
        begins_q <= begins_q | at;
      end else if (leaves) begin
        held_q   <= held_q & ~range;
        begins_q <= begins_q & ~at;
      end else if (clears) begin
        held_q   <= '0;
        begins_q <= '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (takes || gives) rows_q[first_q] <= row_q;
  end

  assign busy_o   = state_q != Idle;
  assign full_o   = full;
  assign answer_o = full ? AnswerFull : (command_q == Allocate) ? 32'(first_q) : AnswerDone;
  assign free_o   = free_q;
  assign least_o  = least_q;
endmodule
