// SPDX-License-Identifier: Apache-2.0
// mel_memory_tile: the memory of all cores: two ports, one for instructions and one for data, each behind an arbiter.
// Contract and timing: of mel_memory_arbiter and mel_memory. Addresses are those of the memory map; the response is one wire for all cores, and
// `rvalid` says whose it is.
module mel_memory_tile
  import mel_system_pkg::*;
  import mel_obi_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [15:0]            instr_wait_states_i,
  input  logic [15:0]            data_wait_states_i,

  input  logic [Cores-1:0]       instr_req_i,
  output logic [Cores-1:0]       instr_gnt_o,
  input  logic [Cores-1:0][31:0] instr_addr_i,
  output logic [Cores-1:0]       instr_rvalid_o,
  output obi_r_t                 instr_r_o,

  input  logic [Cores-1:0]       data_req_i,
  output logic [Cores-1:0]       data_gnt_o,
  input  obi_a_t [Cores-1:0]     data_a_i,
  output logic [Cores-1:0]       data_rvalid_o,
  output logic [31:0]            data_rdata_o,

  output logic                   store_o,       // a store is granted in this cycle, for caches
  output logic [31:0]            store_addr_o
);
  logic        instr_req, instr_gnt, instr_rvalid;
  logic [31:0] instr_addr;
  logic        data_req, data_gnt, data_rvalid;
  obi_a_t      data_a;

  mel_memory_arbiter #(
    .Cores(Cores),
    .Width(32)
  ) u_arbiter_instr (
    .clk_i,
    .rst_ni,
    .req_i    (instr_req_i),
    .gnt_o    (instr_gnt_o),
    .payload_i(instr_addr_i),
    .rvalid_o (instr_rvalid_o),
    .req_o    (instr_req),
    .gnt_i    (instr_gnt),
    .payload_o(instr_addr),
    .rvalid_i (instr_rvalid)
  );

  mel_memory_arbiter #(
    .Cores(Cores),
    .Width($bits(obi_a_t))
  ) u_arbiter_data (
    .clk_i,
    .rst_ni,
    .req_i    (data_req_i),
    .gnt_o    (data_gnt_o),
    .payload_i(data_a_i),
    .rvalid_o (data_rvalid_o),
    .req_o    (data_req),
    .gnt_i    (data_gnt),
    .payload_o(data_a),
    .rvalid_i (data_rvalid)
  );

  mel_memory #(
    .Bytes(MemoryBytes)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .instr_wait_states_i,
    .data_wait_states_i,
    .instr_req_i   (instr_req),
    .instr_gnt_o   (instr_gnt),
    .instr_offset_i(instr_addr - MemoryBase),
    .instr_rvalid_o(instr_rvalid),
    .instr_rdata_o (instr_r_o.rdata),
    .instr_err_o   (instr_r_o.err),
    .data_req_i    (data_req),
    .data_gnt_o    (data_gnt),
    .data_we_i     (data_a.we),
    .data_be_i     (data_a.be),
    .data_offset_i (data_a.addr - MemoryBase),
    .data_wdata_i  (data_a.wdata),
    .data_rvalid_o (data_rvalid),
    .data_rdata_o
  );

  assign store_o      = data_req && data_gnt && data_a.we;
  assign store_addr_o = data_a.addr;
endmodule
