// SPDX-License-Identifier: Apache-2.0
// Proof of mel_booster, over every access of every core: what the unit then does is what decision 0022 says. In the view each store and load
// is exactly the one command, register or answer that the table below states, or is refused without effect; outside it accesses pass
// unchanged. What the unit makes of an access is asked of mel_access itself, in the first cycle after its reset: then nothing is held, and
// every access can come; one that is not `legal` there is refused by mel_engine, and counted. The answer is the unit's, or, to a load of the timer and to nothing else, the timer, which counts every ClockMhz cycles.
module mel_booster_proof
  import mel_engine_pkg::*;
#(
  parameter int unsigned Core     = 1,
  parameter int unsigned ClockMhz = 3
) (
  input logic        clk_i,
  input logic        we_i,
  input mel_pkg::offset_t addr_i,
  input logic [3:0]  be_i,
  input logic [31:0] wdata_i,
  // A second view of the same core, whose unit is free: responses.
  input logic        valid_i,
  input logic        ready_i,
  input logic        rsp_valid_i,
  input logic [31:0] rsp_rdata_i
);
  logic [1:0] age_q = '0;   // 0: reset, 1: the access, 2: what has become of it
  always_ff @(posedge clk_i) age_q <= (age_q == 2'd3) ? age_q : age_q + 2'd1;
  logic started;
  assign started = age_q != 2'd0;

  // ---- what an access becomes ------------------------------------------------------------------------------------------------

  mel_pkg::offset_t addr;
  logic [3:0]  be;
  logic [31:0] wdata, timer;
  logic        valid, write, ready, given_ready, given_rsp;
  mel_booster #(.Core (Core), .ClockMhz (ClockMhz)) u_booster (
    .clk_i, .rst_ni (started),
    .req_valid_i (age_q == 2'd1), .req_ready_o (given_ready), .req_write_i (we_i), .req_addr_i (addr_i), .req_be_i (be_i),
    .req_wdata_i (wdata_i), .rsp_valid_o (given_rsp), .rsp_rdata_o (timer),
    .req_valid_o (valid), .req_ready_i (ready), .req_write_o (write), .req_addr_o (addr), .req_be_o (be),
    .req_wdata_o (wdata), .rsp_valid_i (1'b0), .rsp_rdata_i ('0)
  );

  logic          rsp_valid, access_valid, answered;
  core_request_t access;
  check_t        check;
  logic [31:0]   rdata;
  mel_access u_access (
    .clk_i, .rst_ni (started), .sample_i (1'b1),
    .req_valid_i (valid), .req_ready_o (ready), .req_write_i (write), .req_addr_i (addr), .req_be_i (be),
    .req_wdata_i (wdata), .rsp_valid_o (rsp_valid), .rsp_rdata_o (rdata),
    .access_valid_o (access_valid), .access_o (access), .check_o (check), .access_done_i (1'b0), .at_once_i (1'b0),
    .access_data_i ('0), .last_i ('0), .ready_i (1'b1), .answer_i ('0), .answered_o (answered)
  );

  // The decision, in numbers of its own.
  typedef struct packed {
    mel_pkg::op_t op;
    logic [7:0]   number;
    logic [31:0]  argument;
  } stated_t;
  logic        in_view, whole, command, operand, load, dispatch, value, read, refused;
  logic [7:0]  place;
  logic [7:0]  read_register;
  stated_t     stated;
  always_comb begin
    in_view = addr_i >= 17'h200 && addr_i < 17'h300;
    place   = addr_i[7:0];
    whole   = in_view && be_i == 4'b1111;
    command = 1'b0;
    operand = whole && we_i && Core < 3 && place == 8'(Core * 16 + 4);
    load    = whole && !we_i && Core < 3 && place == 8'(Core * 16);
    value   = whole && !we_i && Core < 3 && place == 8'(Core * 16 + 4);
    dispatch = whole && !we_i && Core < 3 && place == 8'(Core * 16 + 12);
    read    = whole && !we_i && place inside {8'h40, 8'h44, 8'h48, 8'h50};
    read_register = place == 8'h40 ? 8'h20 : place == 8'h44 ? 8'h24 : place == 8'h48 ? 8'h28 : 8'h00;   // offset in the registers
    stated.op       = '0;
    stated.number   = '0;
    stated.argument = wdata_i;
    if (whole && we_i && Core < 3 && place == 8'(Core * 16) && wdata_i / 32'h400_0000 < 32'd63) begin
      command = 1'b1;
      stated.op = 7'(wdata_i / 32'h400_0000);
      stated.number = 8'(wdata_i / 32'h4_0000 % 32'd256);
      stated.argument = 32'($signed(wdata_i << 14) >>> 14);
    end
    if (whole && we_i && Core < 3 && place == 8'(Core * 16 + 8)) begin
      command = 1'b1;
      stated.op = 7'd56;
    end
    if (whole && we_i && place == 8'h48) begin
      command = 1'b1;
      stated.op = 7'd40;
    end
    if (whole && we_i && place == 8'h4C) begin
      command = 1'b1;
      stated.op = 7'd14;
    end
    refused = in_view && !(command || operand || load || value || dispatch || read);
  end

  logic    command_q = 1'b0, operand_q = 1'b0, load_q = 1'b0, dispatch_q = 1'b0, value_q = 1'b0, read_q = 1'b0, refused_q = 1'b0;
  logic [7:0] read_register_q = '0;
  stated_t stated_q = '0;
  always_ff @(posedge clk_i) begin
    command_q    <= command;
    operand_q    <= operand;
    load_q       <= load;
    dispatch_q   <= dispatch;
    value_q      <= value;
    read_q       <= read;
    refused_q    <= refused;
    read_register_q <= read_register;
    stated_q     <= stated;
  end

  logic asks_register;
  assign asks_register = access_valid && access.legal && access.in_registers;

  always_comb begin
    a_pass:     assert (in_view || {addr, be, wdata} == {addr_i, be_i, wdata_i});
    a_wires:    assert ({valid, write, given_ready, given_rsp} == {age_q == 2'd1, we_i, ready, 1'b0});
    a_taken:    assert (age_q != 2'd1 || ready);
    a_command:  assert (age_q != 2'd2 || !command_q || (access_valid && access.legal && access.write && !access.in_registers &&
                                                        {access.op, access.number, access.argument} == stated_q));
    a_operand:  assert (age_q != 2'd2 || !operand_q ||
                        (asks_register && access.write && access.number == 8'h34 / 4 && access.argument == stated_q.argument));
    a_load:     assert (age_q != 2'd2 || !load_q || (answered && !access_valid));
    a_dispatch: assert (age_q != 2'd2 || !dispatch_q || (asks_register && !access.write && access.number == 8'h10 / 4));
    a_value:    assert (age_q != 2'd2 || !value_q || (asks_register && !access.write && access.number == 8'h38 / 4));
    // A load of the timer goes on as one of `identity`, which has no effect.
    a_read:     assert (age_q != 2'd2 || !read_q || (asks_register && !access.write && access.number == read_register_q / 4));
    a_refused:  assert (age_q != 2'd2 || !refused_q || (access_valid && !access.legal));
    c_service:  cover (age_q == 2'd2 && command_q && stated_q.op == 6'd62 && stated_q.number == 8'd255 && stated_q.argument == '1);
    c_period:   cover (age_q == 2'd2 && command_q && stated_q.op == 6'd14 && stated_q.argument == 32'h7654_3210);
    c_refused:  cover (age_q == 2'd2 && refused_q);
  end

  // ---- answers, and the timer --------------------------------------------------------------------------------------------------

  logic        free_ready, free_valid, free_write, free_rsp;
  mel_pkg::offset_t free_addr;
  logic [3:0]  free_be;
  logic [31:0] free_wdata, data;
  mel_booster #(.Core (Core), .ClockMhz (ClockMhz)) u_answers (
    .clk_i, .rst_ni (started),
    .req_valid_i (valid_i), .req_ready_o (free_ready), .req_write_i (we_i), .req_addr_i (addr_i), .req_be_i (be_i),
    .req_wdata_i (wdata_i), .rsp_valid_o (free_rsp), .rsp_rdata_o (data),
    .req_valid_o (free_valid), .req_ready_i (ready_i), .req_write_o (free_write), .req_addr_o (free_addr), .req_be_o (free_be),
    .req_wdata_o (free_wdata), .rsp_valid_i, .rsp_rdata_i
  );

  logic        pending_q = 1'b0, of_timer_q = 1'b0;   // the request under way, and that it asks for the timer
  logic [31:0] time_q = '0;
  logic [9:0]  cycle_q = '0;
  logic        take;
  assign take = started && valid_i && ready_i;
  always_ff @(posedge clk_i) begin
    pending_q <= take || (pending_q && !rsp_valid_i);
    if (take) of_timer_q <= read && place == 8'h50;
    cycle_q <= !started || cycle_q == 10'(ClockMhz - 1) ? '0 : cycle_q + 10'd1;
    if (started && cycle_q == 10'(ClockMhz - 1)) time_q <= time_q + 32'd1;
  end

  always_comb begin
    m_one:     assume (!rsp_valid_i || pending_q);                  // a response only to a request
    m_next:    assume (!(pending_q && ready_i) || rsp_valid_i);     // one under way at a time
    a_through: assert ({free_valid, free_ready, free_write, free_rsp} == {valid_i, ready_i, we_i, rsp_valid_i});
    a_answer:  assert (!started || !rsp_valid_i || data == (of_timer_q ? time_q : rsp_rdata_i));
    // Invariants of the induction.
    a_count:   assert (!started || (u_answers.time_q == time_q && u_answers.count_q == cycle_q && cycle_q < 10'(ClockMhz)));
    a_asked:   assert (!started || !pending_q || u_answers.asked_q == of_timer_q);
    c_timer:   cover (started && rsp_valid_i && of_timer_q && time_q == 32'd2);
  end
endmodule
