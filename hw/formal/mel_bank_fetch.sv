// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bank_fetch, unbounded. One fetch is watched by the proof, which one is free. Promised:
//   each fetch that is granted to the core is one of the bus, at once, and gets one response: that of the bus, in order
//   from the grant of the dispatch vector on, fetched by an interrupt, the core gets nothing but what it asked for before, and is granted nothing, until the unit has
//     performed the dispatch and x3 of the task is at hand; `switch_o` is high from the cycle behind the grant to the dispatch
//   the unit is asked for that dispatch from that grant on, until it grants this, and not again
//   the vector's word comes in the cycle of the dispatch, if x3 is at hand then, or when it is, or with the bus' response if that is later
//   no other fetch is delayed: its grant and its response are those of the bus, in the same cycle
// Assumes: a core that holds a request until it is granted, with at most 3 fetches without a response, and takes no second interrupt before
// it has the first one's vector; a fetch of the vector's address follows one of the slot before exactly when no interrupt makes it; a
// bus that responds in order to what it has granted; a unit that performs a dispatch behind the cycle in which it granted to be asked for it (m_*).
module mel_bank_fetch_proof #(
  parameter bit Hints = 1'b1   // also what holds the induction; 0: the promise alone
) (
  input logic        clk_i,
  input logic        req_i,
  input logic [31:0] addr_i,
  input logic        trap_i,      // this fetch is the interrupt's
  input logic        watch_i,     // this one is watched
  input logic        gnt_i,
  input logic        rvalid_i,
  input logic [31:0] rdata_i,
  input logic        err_i,
  input logic        ask_gnt_i,
  input logic        dispatch_i,
  input logic        near_i
);
  localparam logic [31:0] Vector = 32'h1000_000C;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        gnt, rvalid, err, req, ask, switched;
  logic [31:0] rdata;
  mel_bank_fetch #(.Vector(Vector)) u_fetch (
    .clk_i, .rst_ni (started_q), .req_i, .gnt_o (gnt), .addr_i, .rvalid_o (rvalid), .rdata_o (rdata), .err_o (err),
    .req_o (req), .gnt_i, .rvalid_i, .rdata_i, .err_i, .ask_o (ask), .ask_gnt_i, .switch_o (switched), .dispatch_i, .near_i
  );

  // ---- what both sides have seen --------------------------------------------------------------------------------------

  logic       granted, taken;                        // the core's grant, the bus'
  logic [1:0] core_open_q = '0, bus_open_q = '0;     // fetches without a response
  logic       behind_q = 1'b0;                       // the last fetch was of the slot before the vector
  logic       asked_q = 1'b0, trap_q;                // a request that is held
  logic [31:0] addr_q;
  logic       waits_q = 1'b0;                        // the vector is granted, its dispatch not performed or x3 not at hand
  logic       done_q = 1'b0;                         // the dispatch is performed
  logic       told_q = 1'b0;                         // … and the unit knows that it is due
  logic       owed_q = 1'b0;                         // the core has not got the vector's word
  logic [1:0] ahead_q = '0;                          // … and gets so many others before
  logic       due, goes_on;
  assign due     = (waits_q && !done_q) || (granted && trap_i);
  assign goes_on = (dispatch_i || done_q) && near_i;
  assign granted = req_i && gnt;
  assign taken   = req && gnt_i;
  always_ff @(posedge clk_i) begin
    core_open_q <= core_open_q + 2'(granted) - 2'(rvalid);
    bus_open_q  <= bus_open_q + 2'(taken) - 2'(rvalid_i);
    if (granted) behind_q <= addr_i == Vector - 32'd4;
    asked_q <= req_i && !granted;
    addr_q  <= addr_i;
    trap_q  <= trap_i;
    waits_q <= (waits_q || (granted && trap_i)) && !goes_on;
    done_q  <= (dispatch_i || done_q) && !goes_on;
    told_q  <= (told_q || (ask && ask_gnt_i)) && !dispatch_i;
    owed_q  <= (granted && trap_i) || (owed_q && !(rvalid && ahead_q == '0));
    if (granted && trap_i)            ahead_q <= core_open_q - 2'(rvalid);
    else if (rvalid && ahead_q != '0) ahead_q <= ahead_q - 2'd1;
  end

  // The watched fetch: how many responses come before its own, on both sides; what the bus answered.
  logic        watched_q = 1'b0, answered_q = 1'b0, served_q = 1'b0;
  logic [1:0]  core_before_q, bus_before_q;
  logic [32:0] answer_q;
  logic        watched, answered, served;
  assign watched  = granted && watch_i && !watched_q;
  assign answered = watched_q && !answered_q && rvalid_i && bus_before_q == '0;
  assign served   = watched_q && !served_q && rvalid && core_before_q == '0;
  always_ff @(posedge clk_i) begin
    watched_q  <= watched_q || watched;
    answered_q <= answered_q || answered;
    served_q   <= served_q || served;
    if (answered) answer_q <= {err_i, rdata_i};
    if (watched) {core_before_q, bus_before_q} <= {core_open_q - 2'(rvalid), bus_open_q - 2'(rvalid_i)};
    else begin
      if (rvalid && core_before_q != '0)  core_before_q <= core_before_q - 2'd1;
      if (rvalid_i && bus_before_q != '0) bus_before_q  <= bus_before_q - 2'd1;
    end
  end

  always_comb begin
    m_start:    assume (started_q || !(req_i || gnt_i || rvalid_i || dispatch_i));
    m_hold:     assume (!asked_q || (req_i && addr_i == addr_q && trap_i == trap_q));
    m_trap:     assume (!(req_i && trap_i) || addr_i == Vector);
    m_told:     assume (!(req_i && addr_i == Vector) || trap_i == !behind_q);   // slots before the vector are fetched one after the other
    m_one_trap: assume (!(req_i && trap_i) || !owed_q);                         // its first instruction must end before interrupts are on
    m_few:      assume (!req_i || core_open_q != 2'd3 || rvalid);
    m_bus:      assume (!rvalid_i || bus_open_q != '0);
    m_dispatch: assume (!dispatch_i || told_q);

    a_once:     assert (!started_q || granted == taken);
    a_switch:   assert (!started_q || switched == (waits_q && !done_q));
    a_ask:      assert (!started_q || ask == (due && !told_q));
    a_closed:   assert (!waits_q || goes_on || !((rvalid && ahead_q == '0) || granted));
    a_vector:   assert (!goes_on || ahead_q != '0 || rvalid == (bus_open_q == '0 || rvalid_i));
    a_grant:    assert (!started_q || (waits_q && !goes_on) || granted == (req_i && gnt_i));
    a_response: assert (!started_q || (waits_q && ahead_q == '0) || (rvalid == rvalid_i && (!rvalid || {err, rdata} == {err_i, rdata_i})));
    a_asked:    assert (!rvalid || core_open_q != '0);
    a_order:    assert (!served || {err, rdata} == (answered_q ? answer_q : {err_i, rdata_i}));
    a_served:   assert (!served || answered || answered_q);

    c_word_first:     cover (dispatch_i && rvalid && !rvalid_i && served);
    c_dispatch_first: cover (owed_q && !waits_q && rvalid && served);
    c_together:       cover (dispatch_i && rvalid_i && rvalid);
    c_behind:         cover (waits_q && ahead_q != '0 && rvalid);
    c_first:          cover (goes_on && ahead_q != '0);
    c_ahead:          cover (granted && addr_i == Vector && !trap_i);
    c_asks:           cover (waits_q && ask && ask_gnt_i);
    c_next:           cover (dispatch_i && granted);
    c_late:           cover (done_q && goes_on && rvalid && served && !rvalid_i);
    c_three:          cover (core_open_q == 2'd3 && rvalid && granted);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  if (Hints) begin : gen_hints
    logic [1:0] held;
    assign held = 2'(u_fetch.held_q);
    always_comb begin
      a_open:   assert (!started_q || (u_fetch.open_q == bus_open_q && core_open_q == bus_open_q + held));
      a_waits:  assert (!started_q || (u_fetch.waits_q == waits_q && u_fetch.ahead_q == behind_q));
      a_owed:   assert (!waits_q || (owed_q && core_open_q == ahead_q + 2'd1));
      a_ahead:  assert (!started_q || (owed_q ? ahead_q < core_open_q : ahead_q == '0));
      a_turn:   assert (!waits_q || u_fetch.before_q == ahead_q);
      a_told:   assert (!started_q || (u_fetch.asked_q == told_q && (waits_q || !told_q)));
      a_held:   assert (!u_fetch.held_q || (waits_q && ahead_q == '0));
      a_done:   assert (!started_q || (u_fetch.done_q == done_q && (!done_q || (waits_q && !told_q))));
      a_clean:  assert (started_q || {core_open_q, bus_open_q, watched_q, waits_q, done_q, told_q, owed_q, behind_q, asked_q, ahead_q} == '0);
      a_before: assert (!watched_q || served_q || core_before_q < core_open_q);
      a_behind: assert (!watched_q || answered_q || (bus_before_q < bus_open_q && bus_before_q == core_before_q));
      a_place:  assert (!(answered_q && !served_q) || (u_fetch.held_q && core_before_q == '0 &&
                                                       answer_q == {u_fetch.held_err_q, u_fetch.held_data_q}));
      a_ends:   assert ((watched_q || !(answered_q || served_q)) && (answered_q || !served_q));
    end
  end
endmodule
