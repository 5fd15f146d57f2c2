// SPDX-License-Identifier: Apache-2.0
// Proof of mel_cache, with two cores that share a memory through mel_memory_arbiter, and the instruction cache of one of them. Promised:
//   every load returns what the memory holds at its grant: whatever the cores load and store, in any order, with any wait states
//   a load that is not granted at once is one that missed, or waits for a line; each is answered in the cycle after its grant
//   the memory gets every store, once, with its bytes; requests stay until their grant
// Any word is watched (a constant that the solver chooses); what the memory answers for other words is free.
module mel_cache_proof #(
  parameter int unsigned Words = 4       // words of a line
) (
  input logic             clk_i,
  input logic [31:0]      watched_i,     // the word's address
  input logic [2:0]       req_i,         // of the data ports of both cores; of the instruction port
  input logic [1:0]       we_i,
  input logic [2:0][31:0] addr_i,
  input logic [1:0][3:0]  be_i,
  input logic [1:0][31:0] wdata_i,
  input logic             grants_i, grants_instr_i,
  input logic [1:0][31:0] other_i        // answers for other words
);
  localparam int unsigned Width = 69, WordW = $clog2(Words);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [2:0]            gnt, rvalid, err, load, miss, cache_req, cache_gnt, cache_rvalid, cache_we;
  logic [2:0][31:0]      rdata, cache_addr, cache_wdata, answer;
  logic [2:0][3:0]       cache_be;
  logic [1:0][Width-1:0] payload;
  logic                  port_req, port_gnt, port_we, port_rvalid_q, instr_rvalid_q;
  logic [3:0]            port_be;
  logic [31:0]           port_addr, port_wdata, answer_q, instr_answer_q;
  logic [31:0]           memory_q;       // the watched word

  assign port_gnt     = port_req && grants_i;
  assign cache_gnt[2] = cache_req[2] && grants_instr_i;
  assign cache_rvalid[2] = instr_rvalid_q;
  assign answer       = {instr_answer_q, answer_q, answer_q};

  for (genvar i = 0; i < 3; i++) begin : gen_cache
    mel_cache #(.Lines(2), .Words(Words), .Base(32'h0), .Bytes(128)) u_cache (
      .clk_i, .rst_ni (started_q), .req_i (req_i[i]), .gnt_o (gnt[i]), .we_i (i < 2 && we_i[i%2]), .be_i (i < 2 ? be_i[i%2] : 4'hF),
      .addr_i (addr_i[i]), .wdata_i (wdata_i[i%2]), .rvalid_o (rvalid[i]), .rdata_o (rdata[i]), .err_o (err[i]),
      .req_o (cache_req[i]), .gnt_i (cache_gnt[i]), .we_o (cache_we[i]), .be_o (cache_be[i]), .addr_o (cache_addr[i]),
      .wdata_o (cache_wdata[i]), .rvalid_i (cache_rvalid[i]), .rdata_i (answer[i]), .err_i (1'b0),
      .snoop_i (port_req && port_gnt && port_we && !(i < 2 && cache_gnt[i])), .snoop_addr_i (port_addr), .load_o (load[i]), .miss_o (miss[i])
    );
  end
  assign payload = {{cache_we[1], cache_be[1], cache_addr[1], cache_wdata[1]}, {cache_we[0], cache_be[0], cache_addr[0], cache_wdata[0]}};

  mel_memory_arbiter #(.Cores(2), .Width(Width)) u_arbiter (
    .clk_i, .rst_ni (started_q), .req_i (cache_req[1:0]), .gnt_o (cache_gnt[1:0]), .payload_i (payload), .rvalid_o (cache_rvalid[1:0]),
    .req_o (port_req), .gnt_i (port_gnt), .payload_o ({port_we, port_be, port_addr, port_wdata}), .rvalid_i (port_rvalid_q)
  );

  // The memory: of the watched word, and free for the others. Answers one cycle after the grant.
  always_ff @(posedge clk_i) begin
    port_rvalid_q  <= started_q && port_gnt;
    instr_rvalid_q <= started_q && cache_gnt[2];
    answer_q       <= (port_addr[31:2] == watched_i[31:2]) ? memory_q : other_i[0];
    instr_answer_q <= (cache_addr[2][31:2] == watched_i[31:2]) ? memory_q : other_i[1];
    for (int unsigned i = 0; i < 4; i++) begin
      if (port_gnt && port_we && port_be[i] && port_addr[31:2] == watched_i[31:2]) memory_q[8*i+:8] <= port_wdata[8*i+:8];
    end
  end

  // Signals of the last cycle.
  logic [2:0]       granted_q = '0, loaded_q, held_q = '0, cache_held_q = '0;
  logic [1:0]       we_q;
  logic [1:0][3:0]  be_q;
  logic [2:0][31:0] addr_q, cache_addr_q, cache_wdata_q;
  logic [1:0][31:0] wdata_q;
  logic [2:0][4:0]  cache_kind_q;
  logic [31:0]      watched_q, before_q;
  always_ff @(posedge clk_i) begin
    granted_q     <= started_q ? gnt : '0;
    held_q        <= started_q ? req_i & ~gnt : '0;
    loaded_q      <= {1'b1, ~we_i};
    cache_held_q  <= started_q ? cache_req & ~cache_gnt : '0;
    cache_kind_q  <= {{cache_we[2], cache_be[2]}, {cache_we[1], cache_be[1]}, {cache_we[0], cache_be[0]}};
    cache_addr_q  <= cache_addr;
    cache_wdata_q <= cache_wdata;
    {we_q, be_q, addr_q, wdata_q} <= {we_i, be_i, addr_i, wdata_i};
    watched_q <= watched_i;
    before_q  <= memory_q;
  end

  always_comb begin
    m_start:   assume (started_q || req_i == '0);
    m_watched: assume (!started_q || watched_i == watched_q);
    m_inside:  assume (watched_i < 32'd128);
  end
  for (genvar i = 0; i < 3; i++) begin : gen_port
    always_comb begin
      m_stays: assume (!held_q[i] || (req_i[i] && addr_i[i] == addr_q[i]));
      a_answer: assert (!started_q || rvalid[i] == granted_q[i]);
      a_stays: assert (!started_q || !cache_held_q[i] || (cache_req[i] && {cache_we[i], cache_addr[i]} == {cache_kind_q[i][4], cache_addr_q[i]}));
      a_value: assert (!started_q || !(granted_q[i] && loaded_q[i] && addr_q[i][31:2] == watched_i[31:2]) || rdata[i] == before_q);
      a_alone: assert (!started_q || !load[i] || miss[i] == (cache_req[i] && cache_gnt[i]));
    end
    if (i < 2) begin : gen_data
      always_comb begin
        m_payload: assume (!held_q[i] || {we_i[i], be_i[i], wdata_i[i]} == {we_q[i], be_q[i], wdata_q[i]});
        a_store: assert (!started_q || (gnt[i] && we_i[i]) == (cache_gnt[i] && cache_we[i]));
        a_bytes: assert (!started_q || !(gnt[i] && we_i[i]) ||
                         (port_we && {port_be, port_addr, port_wdata} == {be_i[i], addr_i[i], wdata_i[i]}));
      end
    end
  end

  // Invariants of the induction. A word of the line under way is granted when it is among the
  // last `Words - left_q` before `fill_q.word`.
  logic watched_line;
  assign watched_line = watched_i[WordW+2];
  for (genvar i = 0; i < 3; i++) begin : gen_hold
    logic       held, filling, granted, arriving, valid;
    logic [WordW-1:0] behind, last_word;
    logic [31:0] word;
    assign valid     = gen_cache[i].u_cache.valid_q[watched_line];
    assign held      = valid && gen_cache[i].u_cache.tags[watched_line] == watched_i[31:WordW+3];
    assign word      = gen_cache[i].u_cache.words[watched_i[WordW+2:2]];
    assign filling   = gen_cache[i].u_cache.filling && gen_cache[i].u_cache.fill_q[29:WordW] == watched_i[31:WordW+2] && !gen_cache[i].u_cache.stale_q;
    assign last_word = gen_cache[i].u_cache.fill_q[WordW-1:0] - WordW'(1);
    assign behind    = last_word - watched_i[WordW+1:2];
    assign granted   = (WordW+1)'(behind) < (WordW+1)'(Words) - gen_cache[i].u_cache.left_q;
    assign arriving  = gen_cache[i].u_cache.arriving_q && gen_cache[i].u_cache.arriving_word_q == watched_i[WordW+1:2];
    always_comb begin
      h_held: assert (!started_q || !held || word == memory_q);
      h_here: assert (!started_q || !(filling && granted && !arriving) || word == memory_q);
      h_comes: assert (!started_q || !(filling && arriving) || answer[i] == memory_q);
      h_left: assert (!started_q || gen_cache[i].u_cache.left_q < (WordW+1)'(Words));
      h_last: assert (!started_q || !gen_cache[i].u_cache.arriving_q || gen_cache[i].u_cache.arriving_word_q == last_word);
      h_line: assert (!started_q || !gen_cache[i].u_cache.filling || gen_cache[i].u_cache.fill_q[WordW] != watched_line ||
                      (!valid && gen_cache[i].u_cache.tags[watched_line] == gen_cache[i].u_cache.fill_q[29:WordW+1]));
      h_granted: assert (!started_q || granted_q[i] == (gen_cache[i].u_cache.hit_q ^ gen_cache[i].u_cache.passed_q));
      h_one: assert (!started_q || !(gen_cache[i].u_cache.hit_q && gen_cache[i].u_cache.passed_q));
      h_answer: assert (!started_q || !(gen_cache[i].u_cache.passed_q || gen_cache[i].u_cache.arriving_q) || cache_rvalid[i]);
    end
  end

  // One core loads the word, the other stores into it, the first loads again: from its cache before, from memory behind it, from its cache at last.
  logic       hits, hit_q, stored_q, missed_q;
  assign hits = started_q && load[0] && !miss[0] && addr_i[0][31:2] == watched_i[31:2];
  always_ff @(posedge clk_i) begin
    hit_q    <= started_q && (hit_q || hits);
    stored_q <= started_q && (stored_q || (hit_q && gnt[1] && we_i[1] && be_i[1] == 4'hF && addr_i[1][31:2] == watched_i[31:2] && wdata_i[1] != memory_q));
    missed_q <= started_q && (missed_q || (stored_q && miss[0] && addr_i[0][31:2] == watched_i[31:2]));
  end
  always_comb begin
    c_again: cover (missed_q && hits);
    c_instr: cover (started_q && stored_q && load[2] && !miss[2] && addr_i[2][31:2] == watched_i[31:2]);
    c_stale: cover (gen_cache[0].u_cache.stale_q && gen_cache[0].u_cache.last);
  end
endmodule
