// SPDX-License-Identifier: Apache-2.0
// Proof of mel_port, over every access: what the unit then does is what decision 0014 says. Below 0x400 a store is exactly the
// stated command and nothing else, or refused, a load is one of the answer; from 0x400 on, and outside the port, accesses pass
// unchanged. What the unit makes of an access is asked of mel_access itself, in the first cycle after its reset: then nothing is
// held, and every access can come. An access that is not `legal` there is refused by mel_engine, and counted.
module mel_port_proof
  import mel_engine_pkg::*;
(
  input logic        clk_i,
  input logic        we_i,
  input logic [31:0] addr_i,
  input logic [3:0]  be_i,
  input logic [31:0] wdata_i
);
  logic [1:0] age_q = '0;   // 0: reset, 1: the access, 2: what has become of it
  always_ff @(posedge clk_i) age_q <= (age_q == 2'd3) ? age_q : age_q + 2'd1;

  mel_pkg::offset_t addr;
  logic [3:0]  be;
  logic [31:0] wdata;
  mel_port u_port (
    .we_i, .addr_i, .be_i, .wdata_i, .addr_o (addr), .be_o (be), .wdata_o (wdata)
  );

  logic          ready, rsp_valid, access_valid, answered;
  core_request_t access;
  check_t        check;
  logic [31:0]   rdata;
  mel_access u_access (
    .clk_i, .rst_ni (age_q != 2'd0), .sample_i (1'b1),
    .req_valid_i (age_q == 2'd1), .req_ready_o (ready), .req_write_i (we_i), .req_addr_i (addr), .req_be_i (be),
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
  logic [31:0] offset;
  logic        in_port, whole, packed_store, plain_store, command, load;
  stated_t     stated;
  always_comb begin
    offset       = addr_i - 32'hFFFF_F800;
    in_port      = addr_i >= 32'hFFFF_F800 && offset < 32'h400;
    whole        = be_i == 4'b1111 && offset % 32'd4 == 0;
    packed_store = in_port && we_i && whole && offset / 32'd4 < 32'd63;
    plain_store  = in_port && we_i && whole && offset >= 32'h100 && (offset - 32'h100) / 32'd4 < 32'd63;
    command      = packed_store || plain_store;
    load         = in_port && !we_i && whole;
    stated.op       = packed_store ? 7'(offset / 32'd4) : 7'((offset - 32'h100) / 32'd4);
    stated.number   = packed_store ? 8'(wdata_i % 32'd256) : 8'd0;
    stated.argument = packed_store ? 32'($signed(wdata_i) >>> 8) : wdata_i;
  end

  logic    command_q = 1'b0, load_q = 1'b0, refused_q = 1'b0;
  stated_t stated_q = '0;
  always_ff @(posedge clk_i) begin
    command_q <= command;
    load_q    <= load;
    refused_q <= in_port && !command && !load;
    stated_q  <= stated;
  end

  always_comb begin
    a_pass:    assert (in_port || addr_i >= 32'hFFFF_FC00 || {addr, be, wdata} == {addr_i[16:0], be_i, wdata_i});
    a_register: assert (addr_i < 32'hFFFF_FC00 || {addr, be, wdata} == {1'b0, addr_i[15:0], be_i, wdata_i});
    a_taken:   assert (age_q != 2'd1 || ready);
    a_command: assert (age_q != 2'd2 || !command_q || (access_valid && access.legal && access.write && !access.in_registers &&
                                                             {access.op, access.number, access.argument} == stated_q));
    a_load:    assert (age_q != 2'd2 || !load_q || (answered && !access_valid));
    a_refused: assert (age_q != 2'd2 || !refused_q || (access_valid && !access.legal));
    c_packed:  cover (age_q == 2'd2 && command_q && stated_q.number == 8'd255 && stated_q.argument == '1);
    c_plain:   cover (age_q == 2'd2 && command_q && stated_q.number == 8'd0 && stated_q.argument == 32'h7654_3210);
    c_load:    cover (age_q == 2'd2 && load_q);
    c_refused: cover (age_q == 2'd2 && refused_q);
    c_dispatch: cover (age_q == 2'd2 && access_valid && access.legal && access.in_registers && !access.write && access.number == 8'd4);
  end
endmodule
