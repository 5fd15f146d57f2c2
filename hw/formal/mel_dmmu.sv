// SPDX-License-Identifier: Apache-2.0
// Proof of mel_dmmu, for any accesses of all cores at any time, from any allocations that it can hold. A reference, written down from docs/decisions/0041, has
// for each block its owner, and whether an allocation begins there; it finds runs by looking at every block of every place, and lengths by counting blocks.
// Then: the unit's blocks, owners and lengths are the reference's (a_blocks, a_rows); no two allocations have a block in common (a_one), a block is held
// exactly when one of them covers it (a_covered), and free and held blocks are all (a_all); each answer is the decision's (a_answer), so are loads of an
// allocation and of the counters (a_loads, a_counts); refused commands are no others (a_performed, a_store), and change nothing but the counter. In cycles: `allocate`
// keeps the unit for exactly Cycles, found or not, each other command for one (a_cycles), so no access of one core waits longer (a_wait), and each
// is answered in the cycle after it was taken (a_response).
// FromReset = 0: from any state in which unit and reference agree (m_start); then a mutant is caught in few cycles. By induction over more cycles than a
// command has, so that each that ends began in a state of which all this was known.
module mel_dmmu_proof
  import mel_dmmu_pkg::*;
#(
  parameter int unsigned Blocks    = 4,
  parameter int unsigned Owners    = 3,
  parameter int unsigned Cores     = 2,
  parameter bit          FromReset = 1'b1,
  localparam int unsigned BlockW   = $clog2(Blocks),
  localparam int unsigned Cycles   = (BlockW + 1) / 2 + 2,
  localparam int unsigned CoreW    = (Cores > 1) ? $clog2(Cores) : 1
) (
  input logic                   clk_i,
  input logic [Cores-1:0]       req_valid_i,
  input logic [Cores-1:0]       req_write_i,
  input logic [Cores-1:0][15:0] req_addr_i,
  input logic [Cores-1:0][3:0]  req_be_i,
  input logic [Cores-1:0][31:0] req_wdata_i
);
  logic started_q = 1'b0, rst_n;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_n = started_q || !FromReset;

  logic [Cores-1:0]       ready, rsp_valid;
  logic [Cores-1:0][31:0] rsp_rdata;

  mel_dmmu #(
    .Blocks(Blocks), .Owners(Owners), .Cores(Cores)
  ) u_dmmu (
    .clk_i, .rst_ni (rst_n),
    .req_valid_i, .req_ready_o (ready), .req_write_i, .req_addr_i, .req_be_i, .req_wdata_i,
    .rsp_valid_o (rsp_valid), .rsp_rdata_o (rsp_rdata)
  );

  // ---- the access of this cycle ---------------------------------------------------------------------------------------

  logic [Cores-1:0] takes;
  logic             any, write, whole;
  logic [CoreW-1:0] who;
  logic [15:0]      addr;
  logic [31:0]      wdata;

  assign takes = rst_n ? req_valid_i & ready : '0;
  assign any   = |takes;
  always_comb begin
    who   = '0;
    write = 1'b0;
    addr  = '0;
    wdata = '0;
    whole = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (takes[i]) begin
        who   = CoreW'(i);
        write = req_write_i[i];
        addr  = req_addr_i[i];
        wdata = req_wdata_i[i];
        whole = req_be_i[i] == 4'hF && req_addr_i[i][1:0] == 2'd0 && req_addr_i[i] < 16'd4096;
      end
    end
  end

  // ---- the reference --------------------------------------------------------------------------------------------------

  logic [Blocks-1:0]      held_q, held_d, begins_q, begins_d;
  logic [Blocks-1:0][7:0] owner_q, owner_d;
  logic [Blocks-1:0][8:0] length;  // blocks of the allocation that begins here

  // From the highest block on: how many follow that are held, and begin nothing.
  always_comb begin
    for (int unsigned i = 0; i < Blocks; i++) begin
      automatic logic goes_on = 1'b1;
      length[i] = 9'd1;
      for (int unsigned b = i + 1; b < Blocks; b++) begin
        if (!held_q[b] || begins_q[b]) goes_on = 1'b0;
        if (goes_on) length[i] = length[i] + 9'd1;
      end
    end
  end

  logic        at_command, good, refused, runs, found;
  logic [7:0]  owner, next;
  logic [8:0]  number, first;
  logic [31:0] answer;

  assign owner      = wdata[7:0];
  assign number     = wdata[16:8];
  assign next       = wdata[31:24];
  assign at_command = any && whole && write && addr <= 16'(CommandClear);
  assign good       = wdata[23:17] == '0 && (addr == 16'(CommandGive) || next == '0);
  assign runs       = at_command && !refused;

  // The lowest place at which so many blocks are free.
  always_comb begin
    found = 1'b0;
    first = '0;
    for (int unsigned i = Blocks; i > 0; i--) begin
      automatic logic room = 1'b1;
      for (int unsigned b = 0; b < Blocks; b++) begin
        if (b >= i - 1 && b < i - 1 + 32'(number) && held_q[b]) room = 1'b0;
      end
      if (room && i - 1 + 32'(number) <= Blocks) begin
        found = 1'b1;
        first = 9'(i - 1);
      end
    end
  end

  always_comb begin
    held_d   = held_q;
    begins_d = begins_q;
    owner_d  = owner_q;
    refused  = 1'b1;
    answer   = AnswerNone;
    if (at_command && good && addr == 16'(CommandAllocate)) begin
      refused = 32'(owner) >= Owners || number == '0 || 32'(number) > Blocks;
      if (!refused) answer = found ? 32'(first) : AnswerFull;
      for (int unsigned b = 0; b < Blocks; b++) begin
        if (!refused && found && b >= 32'(first) && b < 32'(first) + 32'(number)) begin
          held_d[b]   = 1'b1;
          begins_d[b] = b == 32'(first);
          owner_d[b]  = owner;
        end
      end
    end
    for (int unsigned i = 0; i < Blocks; i++) begin
      if (at_command && good && addr != 16'(CommandAllocate) && addr != 16'(CommandClear) && i == 32'(number) &&
          begins_q[i] && owner_q[i] == owner && (addr == 16'(CommandRelease) || 32'(next) < Owners)) begin
        refused = 1'b0;
        answer  = AnswerDone;
        for (int unsigned b = 0; b < Blocks; b++) begin
          if (b >= i && b < i + 32'(length[i])) begin
            if (addr == 16'(CommandRelease)) begin
              held_d[b]   = 1'b0;
              begins_d[b] = 1'b0;
            end else begin
              owner_d[b] = next;
            end
          end
        end
      end
    end
    if (at_command && addr == 16'(CommandClear) && wdata == '0) begin
      refused  = 1'b0;
      answer   = AnswerDone;
      held_d   = '0;
      begins_d = '0;
    end
  end

  logic        busy, busy_q, allocates_q;  // a command was performed, and nothing was answered since
  logic [7:0]  length_q;                   // cycles of it that have passed
  logic [31:0] answer_q;                   // expected answer of the watched core 0
  logic [15:0] refused_q, failed_q;
  logic [8:0]  free, least_q;
  assign busy = u_dmmu.u_table.busy_o;

  always_comb begin
    free = '0;
    for (int unsigned b = 0; b < Blocks; b++) free += 9'(!held_q[b]);
  end

  logic there, rejected;  // a load of a word that there is; a refused access
  assign there    = (addr >= 16'(RegIdentity) && addr <= 16'(RegLeast)) || (addr >= 16'(RegionAllocation) && addr < 16'(RegionAllocation) + 16'(4 * Blocks));
  assign rejected = any && (!whole || (write ? refused : !there));

  always_ff @(posedge clk_i) begin
    held_q    <= rst_n ? held_d : '0;
    begins_q  <= rst_n ? begins_d : '0;
    owner_q   <= owner_d;
    busy_q    <= rst_n && (runs || (busy && !u_dmmu.u_table.done_o));
    length_q  <= (rst_n && busy) ? length_q + 8'd1 : '0;
    if (runs) allocates_q <= addr == 16'(CommandAllocate);
    if (!rst_n)                       answer_q <= AnswerNone;
    else if (at_command && who == '0) answer_q <= answer;
    if (!rst_n)                                 refused_q <= '0;
    else if (rejected && refused_q != 16'hFFFF) refused_q <= refused_q + 16'd1;
    if (!rst_n)                                                    failed_q <= '0;
    else if (runs && answer == AnswerFull && failed_q != 16'hFFFF) failed_q <= failed_q + 16'd1;
    if (!rst_n || (runs && addr == 16'(CommandClear))) least_q <= 9'(Blocks);
    else if (free < least_q)                           least_q <= free;
  end

  // ---- what holds -----------------------------------------------------------------------------------------------------

  logic             loads_q, stores_q, store_refused_q;
  logic [15:0]      load_addr_q;
  logic [31:0]      row_q;
  logic [Cores-1:0] takes_q;
  logic [7:0]       waited_q;
  logic [31:0]      loaded, least;

  assign loaded = rsp_rdata[0];
  assign least  = 32'(free < least_q ? free : least_q);  // `free` counts into it with the next cycle

  always_ff @(posedge clk_i) begin
    takes_q         <= takes;
    loads_q         <= takes[0] && whole && !write;
    stores_q        <= takes[0] && write;
    store_refused_q <= !whole || refused;
    load_addr_q     <= addr;
    row_q           <= AnswerNone;
    for (int unsigned b = 0; b < Blocks; b++) if (b == 32'(addr[9:2]) && begins_q[b]) row_q <= {15'd0, length[b], owner_q[b]};
    waited_q        <= (rst_n && req_valid_i[0] && !ready[0]) ? waited_q + 8'd1 : '0;
  end

  function automatic logic [31:0] last_of(input int unsigned b);
    return b + 32'(u_dmmu.u_table.rows_q[b].more);
  endfunction

  if (!FromReset) begin : gen_any_state
    logic agree;
    always_comb begin
      agree = !busy && !busy_q && takes_q == '0 && u_dmmu.rsp_valid_q == '0 && !loads_q && !stores_q && waited_q == '0 && length_q == '0 &&
              u_dmmu.u_table.held_q == held_q && u_dmmu.u_table.begins_q == begins_q && u_dmmu.answer_q[0] == answer_q && u_dmmu.refused_q == refused_q &&
              u_dmmu.failed_q == failed_q && u_dmmu.u_table.free_q == free && 32'(u_dmmu.u_table.least_q) == least && (begins_q & ~held_q) == '0 &&
              !u_dmmu.u_table.u_search.busy_q;
      for (int unsigned b = 0; b < Blocks; b++) begin
        if (begins_q[b] && (32'(u_dmmu.u_table.rows_q[b].owner) != 32'(owner_q[b]) || 9'(u_dmmu.u_table.rows_q[b].more) + 9'd1 != length[b])) agree = 1'b0;
        if (held_q[b] && !begins_q[b] && (b == 0 || !held_q[b-1] || owner_q[b-1] != owner_q[b])) agree = 1'b0;
        if (held_q[b] && 32'(owner_q[b]) >= Owners) agree = 1'b0;
      end
      m_start: assume (started_q || agree);
    end
  end

  for (genvar b = 0; b < Blocks; b++) begin : gen_block
    logic covered;
    always_comb begin
      covered = 1'b0;
      for (int unsigned i = 0; i <= b; i++) covered |= u_dmmu.u_table.begins_q[i] && last_of(i) >= b;
      a_covered: assert (!rst_n || u_dmmu.u_table.held_q[b] == covered);
      a_rows:    assert (!rst_n || busy || !begins_q[b] || (32'(u_dmmu.u_table.rows_q[b].owner) == 32'(owner_q[b]) &&
                                                          9'(u_dmmu.u_table.rows_q[b].more) + 9'd1 == length[b]));
      h_inner:   assert (!rst_n || !held_q[b] || (32'(owner_q[b]) < Owners && (begins_q[b] || (b > 0 && held_q[b > 0 ? b - 1 : 0] && owner_q[b > 0 ? b - 1 : 0] == owner_q[b]))));
      h_begins:  assert (!rst_n || !begins_q[b] || held_q[b]);
    end
    for (genvar c = b + 1; c < Blocks; c++) begin : gen_other
      always_comb a_one: assert (!rst_n || !u_dmmu.u_table.begins_q[b] || !u_dmmu.u_table.begins_q[c] || last_of(b) < c);
    end
  end

  logic [8:0] held_blocks;
  always_comb begin
    held_blocks = '0;
    for (int unsigned b = 0; b < Blocks; b++) held_blocks += 9'(u_dmmu.u_table.held_q[b]);
  end

  always_comb begin
    a_performed: assert (!rst_n || busy == busy_q);
    a_blocks: assert (!rst_n || busy || (u_dmmu.u_table.held_q == held_q && u_dmmu.u_table.begins_q == begins_q));
    a_all:    assert (!rst_n || u_dmmu.free + held_blocks == 9'(Blocks));
    a_counts: assert (!rst_n || busy || (u_dmmu.free == free && 32'(u_dmmu.least) == least && u_dmmu.refused_q == refused_q && u_dmmu.failed_q == failed_q));
    a_cycles: assert (!rst_n || !busy || (32'(length_q) < (allocates_q ? Cycles : 1) &&
                                        u_dmmu.u_table.done_o == (32'(length_q) == (allocates_q ? Cycles - 1 : 0))));
    a_wait:   assert (!rst_n || Cores > 1 || 32'(waited_q) <= Cycles);
    a_response: assert (!rst_n || rsp_valid == takes_q);
    a_store:  assert (!rst_n || !stores_q || loaded == (store_refused_q ? AnswerNone : '0));
    a_answer: assert (!rst_n || busy || u_dmmu.answer_q[0] == answer_q);
    a_loads:  assert (!rst_n || !loads_q || ((load_addr_q != 16'(RegAnswer) || loaded == answer_q) &&
                                           (load_addr_q < 16'(RegionAllocation) || load_addr_q >= 16'(RegionAllocation) + 16'(4 * Blocks) || loaded == row_q)));
  end

  always_comb begin
    c_whole:  cover (rst_n && !busy && held_q == '1 && begins_q == Blocks'(1));
    c_each:   cover (rst_n && !busy && begins_q == '1);
    c_gap:    cover (rst_n && !busy && answer_q == AnswerFull && 32'(free) > 1);
    c_given:  cover (rst_n && !busy && begins_q[0] && owner_q[0] != owner_q[1] && begins_q[1] && held_q[2] && !begins_q[2]);
  end
endmodule
