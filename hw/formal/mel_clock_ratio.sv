// SPDX-License-Identifier: Apache-2.0
// Proof of mel_clock_ratio, mel_clock_edge and the side of mel_access that is turned to them, at ratio 2, unbounded, for any requests, answers
// and lines. Promised, in cycles of the core, which see what is there when they end:
//   a request is taken once, by the core and the unit alike, when the core's cycle ends; nothing that the unit keeps follows it before
//   a response of the unit is shown once, in the core's cycle in which it comes, or, when it comes in the last unit cycle, in the next one, with
//   its word; at most one in a cycle, none without a request, and no second request is taken before it
//   a dispatch likewise, with the task that runs then
//   all that the core sees keeps its value for the whole cycle
//   an interrupt line has an edge for the unit exactly when it has one for the core's clock
// Assumes: the engine ends a request that it has (m_done), and dispatches at most every second unit cycle (m_apart).
module mel_clock_ratio_proof
  import mel_engine_pkg::*;
#(
  parameter bit Hints = 1'b1   // also what holds the induction; 0: the promises alone
) (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic        req_write_i,
  input mel_pkg::offset_t req_addr_i,
  input logic [3:0]  req_be_i,
  input logic        done_i,
  input logic        at_once_i,
  input logic [31:0] data_i,
  input logic [31:0] last_i,
  input logic [31:0] answer_i,
  input logic        handler_i,
  input logic        line_i,
  input logic        dispatch_i,
  input logic [8:0]  running_i,
  input logic        irq_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic          last, irq, to_valid, to_ready, from_valid, access_valid, answered;
  logic [31:0]   from_rdata;
  core_request_t access;
  check_t        check;

  mel_clock_edge #(.Ratio (2), .Lines (1)) u_edge (
    .clk_i, .rst_ni (started_q), .last_o (last), .irq_i, .irq_o (irq)
  );

  typedef struct packed {
    logic        ready, valid, handler, line, dispatch;
    logic [31:0] rdata, answer;
    logic [8:0]  running;
  } seen_t;
  seen_t seen;

  mel_clock_ratio u_ratio (
    .clk_i, .rst_ni (started_q), .last_i (last),
    .req_valid_i, .req_ready_o (seen.ready), .req_write_i, .rsp_valid_o (seen.valid), .rsp_rdata_o (seen.rdata), .irq_handler_o (seen.handler),
    .irq_dispatch_o (seen.line), .dispatch_o (seen.dispatch), .running_o (seen.running), .answer_o (seen.answer),
    .req_valid_o (to_valid), .req_ready_i (to_ready), .rsp_valid_i (from_valid), .rsp_rdata_i (from_rdata), .irq_handler_i (handler_i),
    .irq_dispatch_i (line_i), .dispatch_i, .running_i, .answer_i
  );

  mel_access u_access (
    .clk_i, .rst_ni (started_q), .sample_i (last), .req_valid_i (to_valid), .req_ready_o (to_ready), .req_write_i, .req_addr_i, .req_be_i,
    .req_wdata_i ('0), .rsp_valid_o (from_valid), .rsp_rdata_o (from_rdata), .access_valid_o (access_valid), .access_o (access),
    .check_o (check), .access_done_i (done_i), .at_once_i, .access_data_i (data_i), .last_i, .ready_i (1'b1), .answer_i,
    .answered_o (answered)
  );

  // Responses of the first unit cycle of this cycle of the core, and of the last one of the cycle before.
  logic          rsp_first_q = 1'b0, rsp_last_q = 1'b0, go_first_q = 1'b0, go_last_q = 1'b0, go_q = 1'b0;
  logic [31:0]   data_first_q = '0, data_last_q = '0;
  logic [8:0]    to_first_q = '0, to_last_q = '0;
  logic          pending_q = 1'b0, irq_core_q = 1'b0, irq_unit_q = 1'b0, taken;
  seen_t         seen_q = '0;         // in the first unit cycle
  core_request_t access_q = '0;
  logic          kept_q = 1'b0;
  assign taken = last && req_valid_i && seen.ready;
  always_ff @(posedge clk_i) if (started_q) begin
    go_q <= dispatch_i;
    if (last) begin
      {rsp_last_q, data_last_q} <= {from_valid, from_rdata};
      {go_last_q, to_last_q}    <= {dispatch_i, running_i};
      pending_q  <= taken || (pending_q && !seen.valid);
      irq_core_q <= irq_i;
    end else begin
      {rsp_first_q, data_first_q} <= {from_valid, from_rdata};
      {go_first_q, to_first_q}    <= {dispatch_i, running_i};
      seen_q <= seen;
    end
    irq_unit_q <= irq;
    access_q   <= access;
    kept_q     <= !last && !(u_access.hold_valid_q && !u_access.held_answer);
  end

  // Answers that the unit owes: a load that the engine has, one that is held, a response that is ready.
  logic [2:0] owes;
  assign owes = {access_valid && !access.write, u_access.hold_valid_q, u_access.rsp_valid_q};

  always_comb begin
    m_done:  assume (access_valid || !done_i);
    m_apart: assume (!(dispatch_i && go_q));

    a_taken:    assert (!started_q || (to_valid && to_ready) == taken);
    a_quiet:    assert (!started_q || !kept_q || access == access_q);
    a_response: assert (!started_q || !last || seen.valid == (rsp_first_q || rsp_last_q));
    a_word:     assert (!started_q || !last || !seen.valid || seen.rdata == (rsp_last_q ? data_last_q : data_first_q));
    a_once:     assert (!started_q || !last || !(rsp_first_q && rsp_last_q));
    a_asked:    assert (!started_q || !last || !seen.valid || pending_q);
    a_one:      assert (!started_q || !taken || !pending_q || seen.valid);
    a_dispatch: assert (!started_q || !last || seen.dispatch == (go_first_q || go_last_q));
    a_runs:     assert (!started_q || !last || !seen.dispatch || seen.running == (go_last_q ? to_last_q : to_first_q));
    a_apart:    assert (!started_q || !last || !(go_first_q && go_last_q));
    a_holds:    assert (!started_q || !last || seen == seen_q);
    a_edge:     assert (!started_q || (irq && !irq_unit_q) == (last && irq_i && !irq_core_q));

    h_late:     assert (!Hints || !started_q || last || {u_ratio.gen_twice.rsp_valid_q, u_ratio.gen_twice.dispatch_q} == {rsp_last_q, go_last_q});
    h_word:     assert (!Hints || !started_q || last || !rsp_last_q || u_ratio.gen_twice.rsp_rdata_q == data_last_q);
    h_task:     assert (!Hints || !started_q || last || !go_last_q || u_ratio.gen_twice.running_q == to_last_q);
    h_gap:      assert (!Hints || !started_q || last || go_q == go_last_q);
    h_irq:      assert (!Hints || !started_q || irq_unit_q == irq_core_q);
    h_pending:  assert (!Hints || !started_q || pending_q == ((last && rsp_first_q) || rsp_last_q || owes != '0));
    h_one:      assert (!Hints || !started_q || $onehot0({last && rsp_first_q, rsp_last_q, owes}));

    c_late:     cover (started_q && last && seen.valid && rsp_last_q);
    c_first:    cover (started_q && last && seen.valid && rsp_first_q && !u_access.rsp_valid_q);
    c_next:     cover (started_q && seen.valid && taken);
    c_dispatch: cover (started_q && last && seen.dispatch && go_last_q);
    c_edges:    cover (started_q && irq && !irq_unit_q && seen.line);
  end
endmodule
