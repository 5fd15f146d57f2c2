// SPDX-License-Identifier: Apache-2.0
// Proof of mel_access, unbounded, for any requests at the port, at any cycles in which they are looked at, and any engine that ends
// each access. Promised:
//   every request that is taken gets one response, in order, with its own data; none is lost or doubled, none comes unasked
//   what must reach the engine reaches it once, in order, decoded as spec says (kinds of numbers: mel_program_pkg, made
//     from it), with its row of the check table, and stays until it is done
//   a request is taken exactly when no other waits for its response, or that one comes in this cycle
//   with no access under way a response comes in the cycle behind the request, but that of a load that the engine serves; such a load is
//     answered in the cycle behind the last of its access, with the word of then or of the last cycle
//   a load of the answer is answered in the cycle behind the last of the command before it, with the answer of that very cycle; what else
//     is held, two cycles behind it; no request waits longer than 2 · Within + 1 cycles when an access takes at most Within
// Assumes: an access ends only while it is there, and within Within cycles, any number up to 255 (mel_engine; a_done_was_asked of
// mel_access asserts the first in every simulation); a request is there only when it is looked at (mel_clock_ratio_proof).
// There is at most one request without a response, so the reference is one request and a count of what the engine owes.
module mel_access_proof
  import mel_engine_pkg::*;
#(
  parameter bit Hints = 1'b1   // also what holds the induction; 0: the promises alone
) (
  input logic        clk_i,
  input logic        sample_i,
  input logic        req_valid_i,
  input logic        req_write_i,
  input mel_pkg::offset_t req_addr_i,
  input logic [3:0]  req_be_i,
  input logic [31:0] req_wdata_i,
  input logic        done_i,
  input logic        at_once_i,
  input logic [31:0] data_i,
  input logic [31:0] last_i,
  input logic        ready_i,
  input logic [31:0] answer_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic          req_ready, rsp_valid, access_valid, answered;
  logic [31:0]   rsp_rdata;
  core_request_t access;
  check_t        check;

  mel_access u_access (
    .clk_i, .rst_ni (rst_n), .sample_i, .req_valid_i, .req_ready_o (req_ready), .req_write_i, .req_addr_i, .req_be_i, .req_wdata_i,
    .rsp_valid_o (rsp_valid), .rsp_rdata_o (rsp_rdata), .access_valid_o (access_valid), .access_o (access), .check_o (check),
    .access_done_i (done_i), .at_once_i, .access_data_i (data_i), .last_i, .ready_i, .answer_i, .answered_o (answered)
  );

  // ---- what a request is, from spec -----------------------------------------------------------------------------------

  typedef enum logic [1:0] { Post, Load, Answer, Ready } what_e;

  function automatic logic in_registers(mel_pkg::offset_t addr);
    return addr >= 17'h0FC00 && addr < 17'h10000;
  endfunction

  function automatic what_e what(logic write, mel_pkg::offset_t addr, logic [3:0] be);
    if (write)                                                 return Post;
    if (be != '1 || addr[1:0] != '0)                           return Load;
    if (addr == mel_pkg::RegReady)                             return Ready;
    if (in_registers(addr) || addr[16:10] inside {mel_pkg::QueryTaskState, mel_pkg::QuerySemaphoreCount, mel_pkg::QueryQueueCount,
        mel_pkg::QueryMutexState, mel_pkg::QueryRunTime})      return Load;
    return Answer;
  endfunction

  function automatic core_request_t decode(logic write, mel_pkg::offset_t addr, logic [3:0] be, logic [31:0] wdata);
    decode              = '0;
    decode.write        = write;
    decode.in_registers = in_registers(addr);
    decode.legal        = be == '1 && addr[1:0] == '0 && !(in_registers(addr) && addr >= 17'h0FD00);
    decode.op           = addr[16:10];
    decode.number       = addr[9:2];
    decode.argument     = wdata;
    if (in_registers(addr)) begin
      decode.kind       = mel_pkg::IdKindNone;
      decode.dispatches = decode.legal && !write && addr == mel_pkg::RegDispatch;
      decode.claims     = decode.legal && !write && addr == mel_pkg::RegClaim;
      decode.plain      = decode.legal && !write && !(addr inside {mel_pkg::RegDispatch, mel_pkg::RegClaim, mel_pkg::RegRunning,
                            mel_pkg::RegLostIrqs, mel_pkg::RegOperand, mel_pkg::RegValue, mel_pkg::RegLongestWait});
    end else begin
      decode.kind       = mel_program_pkg::id_kind(addr[16:10]);
      decode.of_caller  = decode.kind == mel_pkg::IdKindNone;
      decode.held_back  = write && mel_program_pkg::held_back(addr[16:10]);
    end
  endfunction

  function automatic logic [8:0] row_of(logic write, mel_pkg::offset_t addr);   // in the check table
    return {write, in_registers(addr), in_registers(addr) ? 7'(addr[7:2]) : addr[16:10]};
  endfunction

  what_e incoming;
  assign incoming = what(req_write_i, req_addr_i, req_be_i);

  // ---- reference ------------------------------------------------------------------------------------------------------

  logic          pending_q = 1'b0;        // a request was taken and has no response
  what_e         what_q;
  core_request_t expected_q, access_q;
  check_t        check_q;
  logic [8:0]    row_q, followed_q;       // rows of the check table: its own, and the one that is followed, any
  logic          alone_q;                 // no access was under way when it was taken
  logic [1:0]    owed_q = '0;             // accesses that the engine has not ended
  logic [1:0]    done_q = '0;             // in the two cycles before
  logic [7:0]    within_q;                // any
  logic [9:0]    age_q, silent_q = '0;    // cycles since it was taken; of the access
  logic [31:0]   data_q;
  logic          stays_q = 1'b0, at_once_q, ready_q, taken;
  assign taken = rst_n && req_valid_i && req_ready;
  always_ff @(posedge clk_i) begin
    pending_q <= taken || (pending_q && !rsp_valid);
    if (taken) begin
      what_q     <= incoming;
      expected_q <= decode(req_write_i, req_addr_i, req_be_i, req_wdata_i);
      row_q      <= row_of(req_write_i, req_addr_i);
      alone_q    <= !access_valid;
    end
    followed_q <= followed_q;
    within_q   <= within_q;
    owed_q     <= owed_q + 2'(taken && incoming inside {Post, Load}) - 2'(done_i);
    done_q     <= {done_q[0], done_i};
    age_q      <= taken ? 10'd1 : age_q + 10'(age_q != '1);
    silent_q   <= (!access_valid || done_i) ? '0 : silent_q + 10'd1;
    {at_once_q, data_q, ready_q} <= {at_once_i, data_i, ready_i};
    {stays_q, access_q, check_q} <= {rst_n && access_valid && !done_i, access, check};
  end

  // A store has reached the engine when it is answered, a load in the cycle behind.
  core_request_t seen;   // `plain` of what is not legal means nothing
  always_comb begin
    seen       = access;
    seen.plain = access.plain && access.legal;
  end
  logic loads, passed, to_engine, answers, waits;
  assign loads     = access_valid && !access.write;
  assign to_engine = pending_q && what_q inside {Post, Load};
  assign passed    = (what_q == Post) ? rsp_valid : loads;
  assign answers   = rst_n && rsp_valid;
  assign waits     = pending_q && !rsp_valid;

  always_comb begin
    m_sample: assume (!req_valid_i || sample_i);
    m_done:   assume (!done_i || (rst_n && access_valid));
    m_within: assume (within_q != '0 && silent_q < 10'(within_q));

    a_asked:     assert (!answers || pending_q);
    a_ready:     assert (!rst_n || req_ready == !waits);
    a_owed:      assert (!rst_n || owed_q == 2'(access_valid) + 2'(to_engine && !passed && !(what_q == Load && rsp_valid)));
    a_decoded:   assert (!rst_n || !to_engine || !passed || (access_valid && seen == expected_q));
    a_row:       assert (!rst_n || !to_engine || !passed || row_q != followed_q ||
                         check == check_t'(mel_program_pkg::Checks[followed_q]));
    a_keeps:     assert (!stays_q || (access_valid && access == access_q && check == check_q));
    a_store:     assert (!answers || what_q != Post || rsp_rdata == '0);
    a_load:      assert (!answers || what_q != Load || (done_q[0] && rsp_rdata == (at_once_q ? data_q : last_i)));
    a_answer:    assert (!answers || what_q != Answer || rsp_rdata == answer_i);
    a_made:      assert (!answers || what_q != Ready || rsp_rdata == 32'(ready_q));
    a_answered:  assert (!rst_n || answered == (rsp_valid && what_q == Answer));
    a_at_once:   assert (!pending_q || !alone_q || (what_q == Load ? loads || rsp_valid : rsp_valid));
    a_ended:     assert (!waits || !loads || !done_q[0]);
    a_behind:    assert (!pending_q || what_q != Answer || access_valid || rsp_valid);
    a_held:      assert (!pending_q || alone_q || !done_q[1] || what_q == Answer || (what_q == Load ? loads || rsp_valid : rsp_valid));
    a_late:      assert (!pending_q || age_q <= 10'(within_q) * 2 + 10'd1);

    h_held:      assert (!Hints || !rst_n || u_access.hold_valid_q == (pending_q && !u_access.rsp_valid_q && !loads));
    h_hold:      assert (!Hints || !rst_n || !u_access.hold_valid_q || (!alone_q && u_access.hold_answer_q == (what_q == Answer) &&
                         what_q == what(u_access.hold_q.write, u_access.hold_q.addr, u_access.hold_q.be) &&
                         row_q == row_of(u_access.hold_q.write, u_access.hold_q.addr) &&
                         expected_q == decode(u_access.hold_q.write, u_access.hold_q.addr, u_access.hold_q.be, u_access.hold_q.wdata)));
    h_row:       assert (!Hints || check_t'(u_access.check_mem[followed_q]) == check_t'(mel_program_pkg::Checks[followed_q]));
    h_loads:     assert (!Hints || !rst_n || !loads || (pending_q && what_q == Load && !rsp_valid));
    h_answer:    assert (!Hints || !rst_n || !u_access.rsp_valid_q || u_access.rsp_answer_q == (what_q == Answer));
    h_none:      assert (!Hints || rst_n || !(pending_q || (|owed_q) || (|done_q) || silent_q != '0));
    h_age:       assert (!Hints || !rst_n || !u_access.hold_valid_q || (access_valid ? age_q <= silent_q : age_q <= 10'(within_q)));
    h_load_age:  assert (!Hints || !rst_n || !loads || age_q <= 10'(within_q) + 10'd1 + silent_q);
    h_silent:    assert (!Hints || access_valid || silent_q == '0);

    c_late:      cover (answers && what_q == Load && within_q == 8'd4 && age_q == 10'd9);
    c_behind:    cover (answers && what_q == Answer && !alone_q && taken && incoming == Answer);
    c_held:      cover (answers && what_q == Post && !alone_q && taken && incoming == Load);
    c_at_once:   cover (answers && what_q == Load && at_once_q && data_q != last_i && rsp_rdata == 32'h600D_F00D);
    c_made:      cover (answers && what_q == Ready && !alone_q && rsp_rdata == 32'd1);
    c_plain:     cover (rst_n && access_valid && access.plain && access.legal);
  end
endmodule
