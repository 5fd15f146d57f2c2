// SPDX-License-Identifier: Apache-2.0
// Proof of mel_guard, for any unit and any core, at either clock ratio: wires until the unit tells of a flip; from that cycle on the safe state of decision 0051.
// What the module holds of the past is kept here once more, from its ports alone.
module mel_guard_proof (
  input logic        clk_i,
  input logic        last_i,
  input logic        fault_i,
  input logic        suspect_i,
  input logic        req_valid_i,
  input logic        req_write_i,
  input mel_pkg::offset_t req_addr_i,
  input logic        req_ready_i,
  input logic        rsp_valid_i,
  input logic [31:0] rsp_rdata_i,
  input logic        irq_handler_i,
  input logic        irq_dispatch_i,
  input logic        dispatch_i,
  input logic [8:0]  running_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        ready, rsp_valid, handler, switches, dispatches, failed, told, asks;
  logic [31:0] rdata;
  logic [8:0]  runs;
  mel_guard #(.Idle(64)) u_guard (
    .clk_i, .rst_ni (started_q), .last_i, .fault_i, .suspect_i,
    .req_valid_i, .req_ready_o (ready), .req_write_i, .req_addr_i, .rsp_valid_o (rsp_valid), .rsp_rdata_o (rdata),
    .irq_handler_o (handler), .irq_dispatch_o (switches), .dispatch_o (dispatches), .failed_o (failed), .told_o (told), .runs_o (runs),
    .req_valid_o (asks), .req_ready_i, .rsp_valid_i, .rsp_rdata_i, .irq_handler_i, .irq_dispatch_i, .dispatch_i, .running_i
  );

  // The past.
  logic       wrong, wrong_q = 1'b0, owed_q = 1'b0, load_q = 1'b0, of_dispatch_q = 1'b0, claimed_q = 1'b0;
  logic [8:0] ran_q = 9'd64;
  assign wrong = wrong_q || fault_i || suspect_i;
  always_ff @(posedge clk_i) begin
    if (started_q) begin
      wrong_q <= wrong;
      if (last_i) begin
        if (req_valid_i && ready) begin
          load_q        <= !req_write_i;
          of_dispatch_q <= !req_write_i && req_addr_i == mel_pkg::RegDispatch;
          if (wrong && !req_write_i && req_addr_i == mel_pkg::RegClaim) claimed_q <= 1'b1;
        end
        owed_q <= (req_valid_i && ready) || (owed_q && !rsp_valid);
        if (dispatch_i && !wrong) ran_q <= running_i;
      end
    end
  end

  always_comb begin
    // State of the module, as its ports have shown it: holds the induction.
    h_state: assert (!started_q || {u_guard.failed_q, u_guard.owed_q, u_guard.claimed_q, u_guard.running_q} == {wrong_q, owed_q, claimed_q, ran_q});
    h_kind:  assert (!started_q || !owed_q || {u_guard.loads_q, u_guard.loads_dispatch_q} == {load_q, of_dispatch_q});
    if (started_q && !wrong) begin
      a_wires:  assert ({asks, ready, rsp_valid, handler, switches, dispatches} ==
                        {req_valid_i, req_ready_i, rsp_valid_i, irq_handler_i, irq_dispatch_i, dispatch_i});
      a_data:   assert (rdata == rsp_rdata_i);
      a_silent: assert (!told && !failed);
    end
    if (started_q && wrong) begin
      a_quiet:  assert (failed && !asks && !switches && !dispatches);
      a_taken:  assert (ready);
      a_answer: assert (rsp_valid == owed_q);
      a_status: assert (!owed_q || of_dispatch_q || rdata == 32'hFFFF_FFFB);
      a_task:   assert (!owed_q || !of_dispatch_q || rdata == 32'(ran_q));
      a_line:   assert (handler == !claimed_q);
      a_told:   assert (told == (last_i && owed_q && load_q && !of_dispatch_q) && runs == ran_q);
    end
    c_owed:     cover (started_q && wrong && !wrong_q && owed_q && load_q);
    c_dispatch: cover (started_q && wrong_q && owed_q && of_dispatch_q && ran_q == 9'd3);
    c_claimed:  cover (started_q && wrong_q && claimed_q && told);
  end
endmodule
