// SPDX-License-Identifier: Apache-2.0
// Proof of mel_interrupt_map, for any lines, commands and pace of the sequencer: an edge of an enabled line is served once, unless
// the line is disabled before, or another edge of it is still pending: then it is counted as lost. Lines are served in turn: one
// that is pending waits for at most OthersFirst edges of others. While an edge is pending and nothing is taken or commanded, it is
// offered in the next cycle. What is offered to handlers is what was served with that wish, until it is claimed or
// its line disabled. Between two ticks no more interrupts can be claimed than the limit says, and no fewer when so many are offered; a
// claim in the cycle of a tick is the first behind it.
// The ghost is the set of lines whose edge is owed. One line is watched, which one is free. Limits up to 3: the map compares with one number only.
// Needs: the sequencer takes what is offered, and not in a cycle with a command (m_*).
module mel_interrupt_map_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Interrupts = 3,
  parameter int unsigned Timers     = 1
) (
  input logic                  clk_i,
  input logic [Interrupts-1:0] irq_i,
  input logic [Timers-1:0]     expired_i,
  input logic [2:0]            op_i,
  input logic [7:0]            number_i,
  input logic [31:0]           argument_i,
  input logic [31:0]           operand_i,
  input logic                  take_i,
  input logic                  offer_i,
  input logic                  claim_i,
  input logic                  limit_set_i,
  input logic                  ticks_i,
  input logic                  tick_i,
  input logic [2:0]            watch_i
);

  localparam int unsigned Lines       = Interrupts + Timers;
  localparam int unsigned OthersFirst = Lines - 1;   // each other once

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  irq_request_t request;
  claim_t       claim;
  logic [6:0]   lost;
  logic         busy, waits;
  irq_op_e      op;
  assign op = irq_op_e'(op_i);

  mel_interrupt_map #(.Interrupts(Interrupts), .Timers(Timers)) u_map (
    .clk_i, .rst_ni (rst_n), .clear_i (1'b0), .clear_index_i ('0), .irq_i, .expired_i (16'(expired_i)),
    .op_i (op), .number_i, .argument_i, .operand_i, .request_o (request), .take_i, .offer_i,
    .claim_o (claim), .claim_i, .waits_o (waits), .limit_set_i, .ticks_i, .tick_i, .lost_o (lost), .busy_o (busy)
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  logic [Interrupts-1:0] line_q = '0;
  logic [Lines-1:0]      enabled_q = '0, owed_q = '0, offered_q = '0, edges, named, served;
  logic [6:0]            lost_q = '0, lost_now;
  logic [2:0]            watch_q, waits_q = '0, quiet_q = '0;
  logic [7:0]            taken_q = '0;
  logic                  fixed_q = 1'b0, took_q = 1'b0;

  logic [1:0] limit_q = '0, claims_q = '0, claims;   // claims since the last tick, limit, or change of ticks
  logic       claimed, reached, opened_q = 1'b0;
  assign claims  = (tick_i || !ticks_i) ? '0 : claims_q;
  assign claimed = claim_i && claim.valid;
  assign reached = limit_q != '0 && ticks_i && claims >= limit_q;

  always_comb begin
    lost_now = '0;
    for (int unsigned l = 0; l < Lines; l++) begin
      named[l]  = number_i == 8'(l);
      served[l] = take_i && request.number == 8'(l);
      edges[l]  = enabled_q[l] && ((op == IrqOpRaise && named[l]) ||
                                   (l < Interrupts ? irq_i[l % Interrupts] && !line_q[l % Interrupts]
                                                   : expired_i[(l - Interrupts) % Timers]));
      lost_now += 7'(edges[l] && owed_q[l] && !served[l]);
    end
  end

  always_ff @(posedge clk_i) begin
    fixed_q <= 1'b1;
    watch_q <= fixed_q ? watch_q : watch_i;
    took_q  <= take_i;
    if (take_i) taken_q <= request.number;
    if (rst_n) begin
      opened_q <= (tick_i || !ticks_i) && !claimed;
      claims_q <= claims + 2'(claimed && ticks_i && limit_q != '0);
      if (limit_set_i) begin
        limit_q  <= argument_i[1:0];
        claims_q <= '0;
      end
      line_q <= irq_i;
      lost_q <= lost_now;
      for (int unsigned l = 0; l < Lines; l++) begin
        owed_q[l] <= (edges[l] || (owed_q[l] && !served[l])) && !(op == IrqOpDisable && named[l]);
        if (op == IrqOpEnable && named[l])  enabled_q[l] <= 1'b1;
        if (op == IrqOpDisable && named[l]) enabled_q[l] <= 1'b0;
        offered_q[l] <= ((offer_i && taken_q == 8'(l)) || (offered_q[l] && !(claim_i && claim.valid && claim.number == 8'(l)))) &&
                        !(op == IrqOpDisable && named[l]);
      end
      waits_q <= (!owed_q[watch_q[1:0]] || served[watch_q[1:0]]) ? '0 : waits_q + 3'(take_i);
      quiet_q <= (owed_q == '0 || take_i || op != IrqOpNone) ? '0 : quiet_q + 3'(quiet_q != '1);
    end
  end

  always_comb begin
    m_watch:  assume (!fixed_q || 32'(watch_q) < Lines);
    m_take:   assume (!take_i || (rst_n && request.valid && op == IrqOpNone));   // mel_sequencer
    m_number: assume (op_i <= IrqOpRaise && 32'(number_i) < Lines);              // mel_check
    m_claim:  assume (!claim_i || !(offer_i || take_i || op != IrqOpNone));          // a step of its own
    m_limit:  assume (!limit_set_i || (rst_n && op == IrqOpNone && !claim_i && !take_i && !offer_i && argument_i <= 32'd3));   // likewise; mel_check
    m_offer:  assume (!offer_i || (took_q && rst_n && op == IrqOpNone));         // cycle 2 of the edge's step

    a_owed:    assert (!rst_n || !request.valid || owed_q[request.number[1:0]]);
    a_lines:   assert (!rst_n || (u_map.gen_interrupts.pending_q == owed_q && u_map.gen_interrupts.enabled_q == enabled_q &&
                                  u_map.gen_interrupts.line_q == line_q));
    a_lost:    assert (!rst_n || lost == lost_q);
    a_offers:  assert (!rst_n || u_map.gen_interrupts.offered_q == offered_q);
    a_limit:   assert (!rst_n || !ticks_i || limit_q == '0 || claims_q <= limit_q);
    a_claim:   assert (!rst_n || (claim.valid == (offered_q != '0 && !reached) && (!claim.valid || offered_q[claim.number[1:0]])));
    a_waits:   assert (!rst_n || (waits ? claim.valid : !claim.valid || tick_i || !ticks_i));
    a_opens:   assert (!rst_n || !opened_q || waits == (offered_q != '0));
    a_soon:    assert (!rst_n || quiet_q < 3'd1 || request.valid);
    a_in_turn: assert (32'(waits_q) <= OthersFirst);

    c_in_turn: cover (32'(waits_q) == OthersFirst);
    c_lost:    cover (lost == 7'd2);
    c_limit:   cover (limit_q == 2'd3 && reached && offered_q != '0);
    c_tick:    cover (limit_q == 2'd1 && claimed && tick_i && claims_q == 2'd1);
  end

  logic unused_busy;
  assign unused_busy = busy;
endmodule
