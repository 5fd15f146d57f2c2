// SPDX-License-Identifier: Apache-2.0
// mel_cache_pair: the two caches of one core (mel_cache, with its contract and timing), and their probes.
// Coherence: both see every store that the memory takes; the one for data does not see its own, which went through it.
module mel_cache_pair
  import mel_obi_pkg::*;
#(
  parameter int unsigned Lines  = 128,           // in each cache
  parameter logic [31:0] Base   = 32'h1000_0000,
  parameter int unsigned Bytes  = 262144,
  parameter int unsigned HartId = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        fetch_req_i,
  output logic        fetch_gnt_o,
  input  logic [31:0] fetch_addr_i,
  output logic        fetch_rvalid_o,
  output obi_r_t      fetch_r_o,
  input  logic        load_req_i,      // loads and stores
  output logic        load_gnt_o,
  input  obi_a_t      load_a_i,
  output logic        load_rvalid_o,
  output logic [31:0] load_rdata_o,

  output logic        instr_req_o,
  input  logic        instr_gnt_i,
  output logic [31:0] instr_addr_o,
  input  logic        instr_rvalid_i,
  input  obi_r_t      instr_r_i,
  output logic        memory_req_o,
  input  logic        memory_gnt_i,
  output obi_a_t      memory_a_o,
  input  logic        memory_rvalid_i,
  input  logic [31:0] memory_rdata_i,

  input  logic        store_i,         // the memory takes a store, of any core, in this cycle
  input  logic [31:0] store_addr_i
);
  logic        fetch_we, load_err, fetch_counts, fetch_misses, load_counts, load_misses;
  logic [3:0]  fetch_be;
  logic [31:0] fetch_wdata;

  mel_cache #(
    .Lines(Lines),
    .Base (Base),
    .Bytes(Bytes)
  ) u_cache_instr (
    .clk_i,
    .rst_ni,
    .req_i       (fetch_req_i),
    .gnt_o       (fetch_gnt_o),
    .we_i        (1'b0),
    .be_i        (4'hF),
    .addr_i      (fetch_addr_i),
    .wdata_i     ('0),
    .rvalid_o    (fetch_rvalid_o),
    .rdata_o     (fetch_r_o.rdata),
    .err_o       (fetch_r_o.err),
    .req_o       (instr_req_o),
    .gnt_i       (instr_gnt_i),
    .we_o        (fetch_we),
    .be_o        (fetch_be),
    .addr_o      (instr_addr_o),
    .wdata_o     (fetch_wdata),
    .rvalid_i    (instr_rvalid_i),
    .rdata_i     (instr_r_i.rdata),
    .err_i       (instr_r_i.err),
    .snoop_i     (store_i),
    .snoop_addr_i(store_addr_i),
    .load_o      (fetch_counts),
    .miss_o      (fetch_misses)
  );

  mel_cache #(
    .Lines(Lines),
    .Base (Base),
    .Bytes(Bytes)
  ) u_cache_data (
    .clk_i,
    .rst_ni,
    .req_i       (load_req_i),
    .gnt_o       (load_gnt_o),
    .we_i        (load_a_i.we),
    .be_i        (load_a_i.be),
    .addr_i      (load_a_i.addr),
    .wdata_i     (load_a_i.wdata),
    .rvalid_o    (load_rvalid_o),
    .rdata_o     (load_rdata_o),
    .err_o       (load_err),
    .req_o       (memory_req_o),
    .gnt_i       (memory_gnt_i),
    .we_o        (memory_a_o.we),
    .be_o        (memory_a_o.be),
    .addr_o      (memory_a_o.addr),
    .wdata_o     (memory_a_o.wdata),
    .rvalid_i    (memory_rvalid_i),
    .rdata_i     (memory_rdata_i),
    .err_i       (1'b0),
    .snoop_i     (store_i && !memory_gnt_i),
    .snoop_addr_i(store_addr_i),
    .load_o      (load_counts),
    .miss_o      (load_misses)
  );

  mel_probe_cache #(
    .Core        (HartId),
    .Instructions(1'b1)
  ) u_probe_cache_instr (
    .clk_i,
    .rst_ni,
    .load_i(fetch_counts),
    .miss_i(fetch_misses)
  );

  mel_probe_cache #(
    .Core(HartId)
  ) u_probe_cache_data (
    .clk_i,
    .rst_ni,
    .load_i(load_counts),
    .miss_i(load_misses)
  );

  logic unused_fetch;
  assign unused_fetch = ^{fetch_we, fetch_be, fetch_wdata, load_err};
endmodule
