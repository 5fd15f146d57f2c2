// SPDX-License-Identifier: Apache-2.0
// Proof of mel_clock_stage, with the registers of the core's clock behind it, and the side of mel_access that is turned to it, unbounded, for any requests, answers
// and lines. Promised, in cycles of the core, which see what is there when they end:
//   a request is taken once, by the core and the unit alike, when the core's cycle ends
//   a store is answered in the next cycle; a load's response is shown once, in the cycle behind the one in which it comes, with its word; at most one in a
//   cycle, none without a request, and no second request is taken before it
//   a dispatch likewise, with the task that runs then; the line of one that comes in the last unit cycle is low with it
//   `ready` keeps its value for the whole cycle; all else that the core sees is in those registers
// Assumes: the engine ends a request that it has (m_done), and dispatches at most every second unit cycle (m_apart).
module mel_clock_stage_proof
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
  input logic [31:0] unit_last_i,
  input logic [31:0] unit_answer_i,
  input logic        handler_i,
  input logic        line_i,
  input logic        dispatch_i,
  input logic [8:0]  running_i
);
  logic started_q = 1'b0, last_q = 1'b0;   // last_q: as mel_clock_edge makes it
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_ff @(posedge clk_i) if (started_q) last_q <= !last_q;

  logic          to_valid, to_ready, from_valid, access_valid, answered;
  logic [31:0]   from_rdata;
  core_request_t access;
  check_t        check;

  typedef struct packed {
    logic        valid, handler, line, dispatch;
    logic [31:0] rdata, answer;
    logic [8:0]  running;
  } seen_t;
  seen_t said, seen = '0;             // inputs of the registers; their outputs, as the core sees them
  logic  ready;
  always_ff @(posedge clk_i) if (started_q && last_q) seen <= said;

  mel_clock_stage u_stage (
    .clk_i, .rst_ni (started_q), .last_i (last_q),
    .req_valid_i, .req_ready_o (ready), .req_write_i, .rsp_valid_o (said.valid), .rsp_rdata_o (said.rdata), .irq_handler_o (said.handler),
    .irq_dispatch_o (said.line), .dispatch_o (said.dispatch), .running_o (said.running), .answer_o (said.answer),
    .req_valid_o (to_valid), .req_ready_i (to_ready), .rsp_valid_i (from_valid), .rsp_rdata_i (from_rdata), .irq_handler_i (handler_i),
    .irq_dispatch_i (line_i), .dispatch_i, .running_i, .answer_i (unit_answer_i)
  );

  mel_access u_access (
    .clk_i, .rst_ni (started_q), .sample_i (last_q), .req_valid_i (to_valid), .req_ready_o (to_ready), .req_write_i, .req_addr_i, .req_be_i,
    .req_wdata_i ('0), .rsp_valid_o (from_valid), .rsp_rdata_o (from_rdata), .access_valid_o (access_valid), .access_o (access),
    .check_o (check), .access_done_i (done_i), .at_once_i, .access_data_i (data_i), .last_i (unit_last_i), .ready_i (1'b1), .answer_i (unit_answer_i),
    .answered_o (answered)
  );

  // Requests of the core: one may be under way. `owes_q`: the unit's response to it; a store's is not waited for.
  logic        taken, pending_q = 1'b0, store_q = 1'b0;
  logic        store_taken_q = 1'b0;                     // a store was taken when the core's cycle before ended
  logic        came_q = 1'b0, shows_q = 1'b0;            // a load's response came in this core cycle, in the one before
  logic [31:0] word_q = '0, shown_q = '0;
  logic        went_q = 1'b0, goes_q = 1'b0, go_q = 1'b0;
  logic [8:0]  to_q = '0, shown_to_q = '0;
  logic        late_q = 1'b0;                            // a dispatch came in the last unit cycle
  logic        ready_q = 1'b0, load;
  assign taken = last_q && req_valid_i && ready;
  assign load  = from_valid && !store_q;                 // the oldest request that the unit has not answered is a load
  always_ff @(posedge clk_i) if (started_q) begin
    go_q <= dispatch_i;
    if (taken) store_q <= req_write_i;
    if (last_q) begin
      store_taken_q <= taken && req_write_i;
      shows_q       <= came_q || load;
      shown_q       <= load ? from_rdata : word_q;
      came_q        <= 1'b0;
      goes_q        <= went_q || dispatch_i;
      shown_to_q    <= went_q ? to_q : running_i;
      went_q        <= 1'b0;
      late_q        <= dispatch_i;
      pending_q     <= taken || (pending_q && !seen.valid);
    end else begin
      {came_q, word_q} <= {load, from_rdata};
      {went_q, to_q}   <= {dispatch_i, running_i};
      ready_q <= ready;
    end
  end

  // Answers that the unit owes: a load that the engine has, one request that is held, a response that is ready.
  logic [2:0] owes;
  assign owes = {access_valid && !access.write, u_access.hold_valid_q, u_access.rsp_valid_q};

  always_comb begin
    m_done:  assume (access_valid || !done_i);
    m_apart: assume (!(dispatch_i && go_q));

    a_taken:    assert (!started_q || (to_valid && to_ready) == taken);
    a_ready:    assert (!started_q || !last_q || ready == ready_q);
    a_response: assert (!started_q || !last_q || seen.valid == (store_taken_q || shows_q));
    a_word:     assert (!started_q || !last_q || !shows_q || seen.rdata == shown_q);
    a_once:     assert (!started_q || !last_q || !(store_taken_q && shows_q));
    a_asked:    assert (!started_q || !last_q || !seen.valid || pending_q);
    a_one:      assert (!started_q || !taken || !pending_q || seen.valid);
    a_dispatch: assert (!started_q || !last_q || seen.dispatch == goes_q);
    a_runs:     assert (!started_q || !last_q || !seen.dispatch || seen.running == shown_to_q);
    a_line:     assert (!started_q || !last_q || !late_q || !seen.line);
    a_apart:    assert (!started_q || !last_q || !(went_q && dispatch_i));

    h_store:    assert (!Hints || !started_q || u_stage.store_q == store_q);
    h_shown:    assert (!Hints || !started_q || {seen.valid, seen.dispatch} == {store_taken_q || shows_q, goes_q});
    h_word:     assert (!Hints || !started_q || !shows_q || seen.rdata == shown_q);
    h_task:     assert (!Hints || !started_q || !goes_q || seen.running == shown_to_q);
    h_came:     assert (!Hints || !started_q || {u_stage.came_q, u_stage.dispatched_q} == {last_q && came_q, last_q && went_q});
    h_kept:     assert (!Hints || !started_q || !last_q || !came_q || u_stage.came_data_q == word_q);
    h_seen:     assert (!Hints || !started_q || u_stage.shown_q == seen.valid);
    h_went:     assert (!Hints || !started_q || !last_q || !went_q || u_stage.dispatched_to_q == to_q);
    h_gap:      assert (!Hints || !started_q || !last_q || go_q == went_q);
    h_first:    assert (!Hints || !started_q || last_q || !came_q && !went_q);
    // A load is under way in one place, and nothing else then; a store may be owed that the core has seen answered.
    h_load:     assert (!Hints || !started_q || store_q || pending_q == (shows_q || (last_q && came_q) || owes != '0));
    h_one:      assert (!Hints || !started_q || $onehot0(owes));
    h_loads:    assert (!Hints || !started_q || store_q || $onehot0({shows_q, last_q && came_q, owes}));
    h_stores:   assert (!Hints || !started_q || !store_q || !owes[2] && (pending_q == (store_taken_q || shows_q)) && !(last_q && came_q));
    h_late:     assert (!Hints || !started_q || !late_q || !seen.line);
    h_owed:     assert (!Hints || !started_q || u_stage.owed_q == (pending_q && !store_q));
    h_kind:     assert (!Hints || !started_q || !u_access.hold_valid_q || u_access.hold_q.write == store_q);

    c_load:     cover (started_q && last_q && seen.valid && shows_q);
    c_store:    cover (started_q && last_q && seen.valid && store_taken_q && owes != '0);
    c_next:     cover (started_q && seen.valid && taken);
    c_dispatch: cover (started_q && last_q && seen.dispatch && seen.valid);
  end
endmodule
