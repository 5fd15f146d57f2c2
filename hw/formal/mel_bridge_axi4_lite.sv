// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bridge_axi4_lite, unbounded: each store and each load goes to the unit once and unchanged, also when address and data of a
// store come in any order; each gets one response with the unit's data, on its own channel; a response and its data
// stay until taken; no response without a request; loads and stores that wait are served within a bound, neither starves. The
// bridge adds no cycle (a_prompt, a_b, a_r).
// Assumes: the manager holds what it offers (m_*) and takes a response within TakenWithin cycles; the unit keeps the
// promise of mel_bridge_port.
module mel_bridge_axi4_lite_proof #(
  parameter int unsigned ReadyWithin  = 2,
  parameter int unsigned AnswerWithin = 2,
  parameter int unsigned TakenWithin  = 2,
  parameter bit          Hints        = 1'b1   // also what holds the induction; 0: the promise alone
) (
  input logic        clk_i,
  input logic        awvalid_i,
  input mel_pkg::offset_t awaddr_i,
  input logic        wvalid_i,
  input logic [31:0] wdata_i,
  input logic [3:0]  wstrb_i,
  input logic        bready_i,
  input logic        arvalid_i,
  input mel_pkg::offset_t araddr_i,
  input logic        rready_i,
  input logic        req_ready_i,
  input logic        rsp_valid_i,
  input logic [31:0] rsp_rdata_i
);
  localparam int unsigned Transfer = ReadyWithin + AnswerWithin + TakenWithin;   // cycles of one, at most

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        awready, wready, bvalid, arready, rvalid, valid, write, pending, kept;
  logic [1:0]  bresp, rresp;
  logic [31:0] rdata, req_wdata;
  mel_pkg::offset_t req_addr;
  logic [3:0]  req_be;

  mel_bridge_axi4_lite u_bridge (
    .clk_i, .rst_ni (started_q),
    .awvalid_i, .awready_o (awready), .awaddr_i, .wvalid_i, .wready_o (wready), .wdata_i, .wstrb_i,
    .bvalid_o (bvalid), .bready_i, .bresp_o (bresp), .arvalid_i, .arready_o (arready), .araddr_i,
    .rvalid_o (rvalid), .rready_i, .rdata_o (rdata), .rresp_o (rresp),
    .req_valid_o (valid), .req_ready_i, .req_write_o (write), .req_addr_o (req_addr), .req_be_o (req_be),
    .req_wdata_o (req_wdata), .rsp_valid_i, .rsp_rdata_i
  );

  mel_bridge_port #(.ReadyWithin (ReadyWithin), .AnswerWithin (AnswerWithin)) u_port (
    .clk_i, .rst_ni (started_q), .req_valid_i (valid), .req_ready_i, .rsp_valid_i, .pending_o (pending), .kept_o (kept)
  );

  // ---- ghost: what was accepted and not passed on; what is owed -------------------------------------------------------

  logic        aw_q = 1'b0, w_q = 1'b0;          // accepted, not passed on
  mel_pkg::offset_t awaddr_q = '0;
  logic [35:0] wdata_q = '0;
  logic        b_q = 1'b0, r_q = 1'b0;           // a response is owed
  logic        got_q = 1'b0;                     // the unit has answered
  logic [31:0] data_q = '0;
  logic        aw_now, w_now, ar_now, fire_write, fire_read, b_taken, r_taken;

  assign aw_now     = awvalid_i && awready;
  assign w_now      = wvalid_i && wready;
  assign ar_now     = arvalid_i && arready;
  assign fire_write = valid && req_ready_i && write;
  assign fire_read  = valid && req_ready_i && !write;
  assign b_taken    = bvalid && bready_i;
  assign r_taken    = rvalid && rready_i;

  always_ff @(posedge clk_i) begin
    if (started_q) begin
      aw_q  <= (aw_q || aw_now) && !fire_write;
      w_q   <= (w_q || w_now) && !fire_write;
      b_q   <= fire_write || (b_q && !b_taken);
      r_q   <= fire_read || (r_q && !r_taken);
      got_q <= (got_q || rsp_valid_i) && !b_taken && !r_taken;
      if (aw_now) awaddr_q <= awaddr_i;
      if (w_now) wdata_q <= {wdata_i, wstrb_i};
      if (rsp_valid_i) data_q <= rsp_rdata_i;
    end
  end

  // ---- the manager ----------------------------------------------------------------------------------------------------

  logic        aw_waits_q = 1'b0, w_waits_q = 1'b0, ar_waits_q = 1'b0;
  mel_pkg::offset_t aw_was_q = '0, ar_was_q = '0;
  logic [35:0] w_was_q = '0;
  logic [4:0]  keeps_q = '0;                     // cycles that the manager has left a response
  logic [4:0]  write_q = '0, read_q = '0;        // cycles that a whole store, a load has waited
  logic        whole;
  assign whole = (aw_q || awvalid_i) && (w_q || wvalid_i);

  always_ff @(posedge clk_i) begin
    aw_waits_q <= started_q && awvalid_i && !awready;
    w_waits_q  <= started_q && wvalid_i && !wready;
    ar_waits_q <= started_q && arvalid_i && !arready;
    aw_was_q   <= awaddr_i;
    w_was_q    <= {wdata_i, wstrb_i};
    ar_was_q   <= araddr_i;
    keeps_q    <= (started_q && (bvalid || rvalid) && !b_taken && !r_taken) ? keeps_q + 5'd1 : '0;
    write_q    <= (started_q && whole && !fire_write) ? write_q + 5'd1 : '0;
    read_q     <= (started_q && arvalid_i && !ar_now) ? read_q + 5'd1 : '0;
  end

  always_comb begin
    m_port:  assume (!started_q || kept);
    m_start: assume (started_q || !(awvalid_i || wvalid_i || arvalid_i));
    m_aw:    assume (!aw_waits_q || (awvalid_i && awaddr_i == aw_was_q));
    m_w:     assume (!w_waits_q || (wvalid_i && {wdata_i, wstrb_i} == w_was_q));
    m_ar:    assume (!ar_waits_q || (arvalid_i && araddr_i == ar_was_q));
    m_takes: assume (!(bvalid || rvalid) || keeps_q < 5'(TakenWithin - 1) || b_taken || r_taken);
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic        answered;
  logic        b_left_q = 1'b0, r_left_q = 1'b0;   // offered and not taken
  logic [31:0] r_was_q = '0;
  assign answered = got_q || rsp_valid_i;
  always_ff @(posedge clk_i) begin
    b_left_q <= started_q && bvalid && !bready_i;
    r_left_q <= started_q && rvalid && !rready_i;
    r_was_q  <= rdata;
  end

  always_comb begin
    a_room:     assert (!started_q || (!(aw_now && aw_q) && !(w_now && w_q)));
    a_write:    assert (!started_q || !fire_write || ((aw_q || aw_now) && (w_q || w_now) &&
                        req_addr == (aw_q ? awaddr_q : awaddr_i) &&
                        {req_wdata, req_be} == (w_q ? wdata_q : {wdata_i, wstrb_i})));
    a_read:     assert (!started_q || fire_read == ar_now);
    a_read_as:  assert (!started_q || !fire_read || (req_addr == araddr_i && req_be == 4'hF));
    a_prompt:   assert (!started_q || !req_ready_i || b_q || r_q || !(whole || arvalid_i) || valid);
    a_one:      assert (!started_q || !(fire_write || fire_read) || !(b_q || r_q));
    a_b:        assert (!started_q || bvalid == (b_q && answered));
    a_r:        assert (!started_q || rvalid == (r_q && answered));
    a_data:     assert (!started_q || !rvalid || rdata == (got_q ? data_q : rsp_rdata_i));
    a_b_stays:  assert (!b_left_q || bvalid);
    a_r_stays:  assert (!r_left_q || (rvalid && rdata == r_was_q));
    a_error:    assert (bresp == 2'b00 && rresp == 2'b00);
    // One transfer may be under way, and one of the other kind may come first.
    a_w_bound:  assert (!started_q || !whole || fire_write || write_q < 5'(2 * Transfer - 1));
    a_r_bound:  assert (!started_q || !arvalid_i || ar_now || read_q < 5'(2 * Transfer - 1));
    // Invariants of the induction.
    a_owed:     assert (!Hints || !started_q || (!(b_q && r_q) && (b_q || r_q) == (pending || got_q) && !(pending && got_q)));
    a_held:     assert (!Hints || !started_q || (u_bridge.aw_held_q == aw_q && u_bridge.w_held_q == w_q));
    a_state:    assert (!Hints || !started_q || (u_bridge.busy_q == pending && u_bridge.answer_q == got_q &&
                        (!b_q || u_bridge.write_q) && (!r_q || !u_bridge.write_q)));
    a_values:   assert (!Hints || !started_q || ((!aw_q || u_bridge.awaddr_q == awaddr_q) &&
                        (!w_q || {u_bridge.wdata_q, u_bridge.wstrb_q} == wdata_q) && (!got_q || u_bridge.rdata_q == data_q)));
    c_turns:    cover (started_q && fire_write && aw_q && w_q && arvalid_i);
    c_left:     cover (started_q && r_left_q && aw_q && w_q);
    c_data_first: cover (started_q && fire_write && w_q && !aw_q);
  end
endmodule
