// SPDX-License-Identifier: Apache-2.0
// mel_memory: code and data in the block RAMs of an FPGA, in the place of soc/mem/mel_memory.sv: one port fetches, the other loads or stores.
// Contract: as there, with no wait states. The contents at power-up are those of mel_memory.hex, one word a line, in the working folder of the tool.
// Timing: grant in the cycle of the request, answer in the next.
// A store leaves `data_rdata_o` as it was, and a word that is stored and fetched in one cycle may be fetched old or new: a block RAM has both ports at once
// under these two conditions only. Neither is seen by a program, because a store has no data to read and new code is fetched after a `fence.i`.
module mel_memory #(
  parameter int unsigned Bytes = 65536  // multiple of 4
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

  (* no_rw_check *) logic [31:0] words[Words];
  logic [IndexWidth-1:0] instr_index, data_index;

  initial $readmemh("mel_memory.hex", words);

  assign instr_gnt_o = instr_req_i;
  assign data_gnt_o  = data_req_i;
  assign instr_index = instr_offset_i[2+:IndexWidth];
  assign data_index  = data_offset_i[2+:IndexWidth];

  always_ff @(posedge clk_i) begin
    if (instr_req_i) begin
      instr_rdata_o <= words[instr_index];
      instr_err_o   <= instr_offset_i >= Bytes;
    end
  end

  always_ff @(posedge clk_i) begin
    if (data_req_i) begin
      if (data_we_i) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (data_be_i[i]) words[data_index][8*i+:8] <= data_wdata_i[8*i+:8];
        end
      end else begin
        data_rdata_o <= words[data_index];
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

  logic unused_inputs;
  assign unused_inputs = ^{instr_offset_i, data_offset_i, instr_wait_states_i, data_wait_states_i};

  if (Bytes < 4096 || Bytes % 4 != 0) begin : gen_bytes_check
    $error("mel_memory: Bytes must be a multiple of 4 and at least 4096");
  end
endmodule
