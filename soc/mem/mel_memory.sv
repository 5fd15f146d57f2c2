// SPDX-License-Identifier: Apache-2.0
// mel_memory: code and data, two ports. The simulation's C++ side loads programs straight into `words`.
// Contract: OBI-like on both ports. Addresses are offsets from the memory's start; the instruction port answers an offset outside with `err`,
// the data port is only asked for offsets inside (the bus decodes).
// Timing: grant `*_wait_states_i` cycles after the request (mel_wait_states), answer one cycle after the grant. Both ports can be granted in
// one cycle.
module mel_memory #(
  parameter int unsigned Bytes = 262144  // multiple of 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] instr_wait_states_i,
  input  logic [15:0] data_wait_states_i,

  input  logic        instr_req_i,
  output logic        instr_gnt_o,
  input  logic [31:0] instr_offset_i,
  output logic        instr_rvalid_o,
  output logic [31:0] instr_rdata_o,
  output logic        instr_err_o,

  input  logic        data_req_i,
  output logic        data_gnt_o,
  input  logic        data_we_i,
  input  logic [3:0]  data_be_i,
  input  logic [31:0] data_offset_i,
  input  logic [31:0] data_wdata_i,
  output logic        data_rvalid_o,
  output logic [31:0] data_rdata_o
);
  localparam int unsigned Words = Bytes / 4;
  localparam int unsigned IndexWidth = $clog2(Words);

  logic [31:0] words[Words];  // public: soc/sim/mel_top.vlt
  logic        instr_passed, data_passed;
  logic        instr_inside;
  logic [IndexWidth-1:0] instr_index, data_index;

  assign instr_gnt_o  = instr_req_i && instr_passed;
  assign data_gnt_o   = data_req_i && data_passed;
  assign instr_inside = instr_offset_i < Bytes;
  assign instr_index  = instr_offset_i[2+:IndexWidth];
  assign data_index   = data_offset_i[2+:IndexWidth];

  mel_wait_states u_wait_states_instr (
    .clk_i,
    .rst_ni,
    .cycles_i (instr_wait_states_i),
    .req_i    (instr_req_i),
    .granted_i(instr_gnt_o),
    .passed_o (instr_passed)
  );

  mel_wait_states u_wait_states_data (
    .clk_i,
    .rst_ni,
    .cycles_i (data_wait_states_i),
    .req_i    (data_req_i),
    .granted_i(data_gnt_o),
    .passed_o (data_passed)
  );

  always_ff @(posedge clk_i) begin
    if (instr_gnt_o) begin
      instr_rdata_o <= words[instr_index];
      instr_err_o   <= !instr_inside;
    end
    if (data_gnt_o) begin
      data_rdata_o <= words[data_index];
      if (data_we_i) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (data_be_i[i]) words[data_index][8*i+:8] <= data_wdata_i[8*i+:8];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      instr_rvalid_o <= 1'b0;
      data_rvalid_o  <= 1'b0;
    end else begin
      instr_rvalid_o <= instr_gnt_o;
      data_rvalid_o  <= data_gnt_o;
    end
  end

  logic unused_offset_bits;
  assign unused_offset_bits = ^{instr_offset_i, data_offset_i};

  if (Bytes < 4096 || Bytes % 4 != 0) begin : gen_bytes_check
    $error("mel_memory: Bytes must be a multiple of 4 and at least 4096");
  end
endmodule
