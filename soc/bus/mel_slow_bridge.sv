// SPDX-License-Identifier: Apache-2.0
// mel_slow_bridge: a slow path between one core's bus and the hardware unit, as a model of latencies: PCI bridges, a network.
// Contract: OBI-like on both sides, one access outstanding on each. The core's next is granted from the cycle of a store's answer on, from
// the one behind a load's.
//   A store is posted: granted while fewer than `Posted` are on their way, and answered in the next cycle.
//   All accesses arrive at the unit in the order in which the core gave them: a load waits until every store before it has been answered.
//   What the unit refuses of a posted store (`err`) nobody waits for; the answer to the next load carries it.
// Timing: a store is asked of the unit `write_cycles_i` cycles after its grant or after the answer to the store before it, whichever is later,
// but not before the next cycle. A load with nothing before it is answered `read_cycles_i` cycles later than the unit answers one that is asked
// at once, half of them before it reaches the unit; at least 2. Both inputs count as they are in the cycle in which the way begins, so that
// each access may have its own (drawn by soc/sim).
module mel_slow_bridge #(
  parameter int unsigned Posted = 32  // 1..64
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] read_cycles_i,
  input  logic [15:0] write_cycles_i,

  input  logic        req_i,
  output logic        gnt_o,
  input  logic        we_i,
  input  mel_pkg::offset_t addr_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] wdata_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,

  output logic        req_o,
  input  logic        gnt_i,
  output logic        we_o,
  output mel_pkg::offset_t addr_o,
  output logic [3:0]  be_o,
  output logic [31:0] wdata_o,
  input  logic        rvalid_i,
  input  logic [31:0] rdata_i,
  input  logic        err_i
);
  localparam int unsigned IndexW = (Posted > 1) ? $clog2(Posted) : 1;

  typedef struct packed {
    mel_pkg::offset_t addr;
    logic [3:0]  be;
    logic [31:0] wdata;
  } access_t;

  // Idle, or: the first access is on its way; it is asked of the unit; its answer is awaited; the answer of a load is on its way back.
  typedef enum logic [2:0] {Idle, There, Asked, Awaited, Back} state_e;

  access_t           stores[Posted];
  access_t           store;
  mel_pkg::offset_t  load_addr_q;
  logic [3:0]        load_be_q;
  logic [IndexW-1:0] in_q, out_q;
  logic [6:0]        held_q;      // stores that the unit has not answered
  logic              load_held_q; // a load is granted and not answered; the core asks for nothing meanwhile
  logic              refused_q;   // a posted store was
  logic              stored_q;    // a store was granted in the last cycle
  state_e            state_q;
  logic              loading_q;   // the access that is on its way is the load
  logic [15:0]       left_q;      // cycles until it arrives, this one included
  logic [15:0]       back_q;
  logic              posts, loads, served, starts_store, starts_load;
  logic [15:0]       read_cycles, there, back, writing;

  assign gnt_o = req_i && !load_held_q && (!we_i || held_q != 7'(Posted));
  assign posts = gnt_o && we_i;
  assign loads = gnt_o && !we_i;

  assign served       = state_q == Awaited && rvalid_i;
  assign starts_store = (state_q == Idle && held_q == '0 && posts) || (served && !loading_q && (held_q != 7'd1 || posts));
  assign starts_load  = (state_q == Idle && held_q == '0 && loads) || (served && !loading_q && held_q == 7'd1 && (load_held_q || loads));

  // A load spends at least two cycles here, one each way.
  assign read_cycles = (read_cycles_i < 16'd2) ? 16'd2 : read_cycles_i;
  assign there       = read_cycles >> 1;
  assign back        = read_cycles - there;
  assign writing     = (write_cycles_i == '0) ? 16'd1 : write_cycles_i;

  assign store   = stores[out_q];
  assign req_o   = state_q == Asked;
  assign we_o    = !loading_q;
  assign addr_o  = loading_q ? load_addr_q : store.addr;
  assign be_o    = loading_q ? load_be_q : store.be;
  assign wdata_o = store.wdata;

  assign rvalid_o = stored_q || (state_q == Back && left_q == 16'd1);
  assign err_o    = refused_q && !stored_q;

  always_ff @(posedge clk_i) begin
    if (posts) stores[in_q] <= '{addr: addr_i, be: be_i, wdata: wdata_i};
    if (loads) {load_addr_q, load_be_q} <= {addr_i, be_i};
    if (served) rdata_o <= rdata_i;
    if (starts_load) back_q <= back;
  end

  function automatic logic [IndexW-1:0] next(logic [IndexW-1:0] index);
    return (index == IndexW'(Posted - 1)) ? '0 : index + IndexW'(1);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q        <= '0;
      out_q       <= '0;
      held_q      <= '0;
      load_held_q <= 1'b0;
      refused_q   <= 1'b0;
      stored_q    <= 1'b0;
      state_q     <= Idle;
      loading_q   <= 1'b0;
      left_q      <= '0;
    end else begin
      stored_q <= posts;
      if (posts) in_q <= next(in_q);
      if (served && !loading_q) out_q <= next(out_q);
      held_q <= held_q + 7'(posts) - 7'(served && !loading_q);
      if (loads) load_held_q <= 1'b1;
      else if (rvalid_o && !stored_q) load_held_q <= 1'b0;
      if (served && err_i) refused_q <= 1'b1;
      else if (rvalid_o && !stored_q) refused_q <= 1'b0;

      unique case (state_q)
        There:   if (left_q == 16'd1) state_q <= Asked;
        Asked:   if (gnt_i) state_q <= Awaited;
        Awaited: if (rvalid_i) state_q <= loading_q ? Back : Idle;
        Back:    if (left_q == 16'd1) state_q <= Idle;
        default: ;
      endcase
      if (left_q != '0) left_q <= left_q - 16'd1;
      if (served) left_q <= back_q;
      if (starts_store || starts_load) begin
        loading_q <= starts_load;
        left_q    <= (starts_load ? there : writing) - 16'd1;
        state_q   <= ((starts_load ? there : writing) == 16'd1) ? Asked : There;
      end
    end
  end

  if (Posted < 1 || Posted > 64) begin : gen_posted_check
    $error("mel_slow_bridge: Posted must be 1..64");
  end
endmodule
