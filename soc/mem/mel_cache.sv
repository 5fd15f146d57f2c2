// SPDX-License-Identifier: Apache-2.0
// mel_cache: a direct-mapped cache between one port of a core and the memory; stores are written through and bring no line.
// Contract: OBI-like on both sides. The memory answers one cycle after its grant (mel_memory, mel_memory_arbiter). Addresses outside
//   `Base` … `Base + Bytes` pass by.
// Coherence: `snoop_i` tells of every store that the memory takes from anyone but this port, in the cycle of its grant. A line that holds
//   its word is dropped with that clock edge; a line that is on its way is not kept. So every load returns what the memory holds in the cycle
//   in which the load is granted: several cores see one order of all loads and stores, that of their grants. Nothing waits in here.
// Timing: a load that hits is granted at once and answered in the next cycle. A load that misses is the memory's own access, its word comes as
//   it would without a cache; then the other words of its line are loaded, one access each, and the port has no grant until they are here.
//   A store takes as long as without a cache.
module mel_cache #(
  parameter int unsigned Lines = 128,          // 2..4096, a power of two
  parameter int unsigned Words = 8,            // words of a line: 2, 4, 8, 16
  parameter logic [31:0] Base  = 32'h1000_0000,
  parameter int unsigned Bytes = 262144        // Base and Bytes: multiples of a line
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_i,
  output logic        gnt_o,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,

  output logic        req_o,
  input  logic        gnt_i,
  output logic        we_o,
  output logic [3:0]  be_o,
  output logic [31:0] addr_o,
  output logic [31:0] wdata_o,
  input  logic        rvalid_i,
  input  logic [31:0] rdata_i,
  input  logic        err_i,

  input  logic        snoop_i,
  input  logic [31:0] snoop_addr_i,

  output logic        load_o,       // load of a word of memory, granted in this cycle …
  output logic        miss_o        // … and missed; both for mel_probe_cache
);
  localparam int unsigned WordW = $clog2(Words);
  localparam int unsigned LineW = $clog2(Lines);
  localparam int unsigned TagW  = 32 - 2 - WordW - LineW;

  typedef struct packed {
    logic [TagW-1:0]  tag;
    logic [LineW-1:0] line;
    logic [WordW-1:0] word;
  } address_t;

  logic [31:0]      words[Lines * Words];
  logic [TagW-1:0]  tags[Lines];
  logic [Lines-1:0] valid_q;

  address_t         address, snoop, fill_q;   // fill_q: of the word that is asked for next
  logic             cached, match, hit, filling, fills, fill_granted, last;
  logic             snoop_match, snoop_fills;
  logic             hit_q, passed_q;          // the core's access was answered from here, or given to the memory, in the last cycle
  logic [WordW:0]   left_q;                   // words of the line that have not been granted
  logic             arriving_q;               // one of the line's was granted in the last cycle
  logic [WordW-1:0] arriving_word_q;
  logic             stale_q;                  // a store came into the line that is on its way
  logic [31:0]      hit_data_q;

  assign address = addr_i[31:2];
  assign snoop   = snoop_addr_i[31:2];
  assign cached  = addr_i - Base < Bytes;
  assign match   = cached && valid_q[address.line] && tags[address.line] == address.tag;
  assign hit     = match && !we_i;
  assign filling = left_q != '0 || arriving_q;

  assign req_o        = filling ? left_q != '0 : req_i && !hit;
  assign addr_o       = filling ? {fill_q, 2'b00} : addr_i;
  assign we_o         = we_i && !filling;
  assign be_o         = filling ? 4'hF : be_i;
  assign wdata_o      = wdata_i;
  assign fill_granted = filling && req_o && gnt_i;

  assign gnt_o    = req_i && !filling && (hit || gnt_i);
  assign rvalid_o = hit_q || (passed_q && rvalid_i);
  assign rdata_o  = hit_q ? hit_data_q : rdata_i;
  assign err_o    = !hit_q && err_i;
  assign load_o   = gnt_o && cached && !we_i;
  assign miss_o   = load_o && !hit;
  assign fills    = miss_o;                                    // a line begins with the word that the core waits for
  assign last     = arriving_q && left_q == '0;

  assign snoop_match = snoop_i && valid_q[snoop.line] && tags[snoop.line] == snoop.tag;
  assign snoop_fills = snoop_i && {snoop.tag, snoop.line} == (fills ? {address.tag, address.line} : {fill_q.tag, fill_q.line});

  always_ff @(posedge clk_i) begin
    if (gnt_o) hit_data_q <= words[{address.line, address.word}];
    if (arriving_q && rvalid_i) words[{fill_q.line, arriving_word_q}] <= rdata_i;
    else if (gnt_o && we_i && match) begin
      for (int unsigned i = 0; i < 4; i++) begin
        if (be_i[i]) words[{address.line, address.word}][8*i+:8] <= wdata_i[8*i+:8];
      end
    end
    if (fills) tags[address.line] <= address.tag;
    if (fills) fill_q <= '{tag: address.tag, line: address.line, word: address.word + WordW'(1)};
    else if (fill_granted) fill_q.word <= fill_q.word + WordW'(1);
    arriving_word_q <= fills ? address.word : fill_q.word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q    <= '0;
      hit_q      <= 1'b0;
      passed_q   <= 1'b0;
      left_q     <= '0;
      arriving_q <= 1'b0;
      stale_q    <= 1'b0;
    end else begin
      hit_q      <= gnt_o && hit;
      passed_q   <= gnt_o && !hit;
      arriving_q <= fills || fill_granted;
      if (fills) left_q <= (WordW + 1)'(Words - 1);
      else if (fill_granted) left_q <= left_q - (WordW + 1)'(1);
      stale_q <= snoop_fills || (stale_q && !fills);
      if (snoop_match) valid_q[snoop.line] <= 1'b0;
      if (fills) valid_q[address.line] <= 1'b0;                // it will have another tag
      if (last && !stale_q && !snoop_fills) valid_q[fill_q.line] <= 1'b1;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{snoop.word, snoop_addr_i[1:0]};

  if (Lines < 2 || Lines > 4096 || (Lines & (Lines - 1)) != 0) begin : gen_lines_check
    $error("mel_cache: Lines must be a power of two, 2..4096");
  end
  if (Words < 2 || Words > 16 || (Words & (Words - 1)) != 0) begin : gen_words_check
    $error("mel_cache: Words must be 2, 4, 8 or 16");
  end
endmodule
