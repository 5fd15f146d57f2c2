// SPDX-License-Identifier: Apache-2.0
// mel_trace_store: one of the block RAMs of mel_trace_pack: four bytes of every entry, written at once and read one by one.
// So the multiplexer that takes an entry apart is that of the block RAM.
// Contract: at power-up the entry 1 is `First`. A reset does not bring it back.
// Timing: `data_o` is the byte of `read_i` in the next cycle, and zero behind a cycle without `select_i`, so that those of several can be ORed. A byte that is read in the cycle of its write may be old or new.
module mel_trace_store #(
  parameter int unsigned Depth = 512,  // entries, a power of two
  parameter logic [31:0] First = '0,
  localparam int unsigned Width = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Width-1:0] entry_i,
  input  logic [31:0]      data_i,
  input  logic             select_i,
  input  logic [Width+1:0] read_i,   // entry, byte
  output logic [7:0]       data_o
);
  (* no_rw_check *) logic [7:0] bytes[4*Depth];

  initial for (int unsigned i = 0; i < 4; i++) bytes[4+i] = First[8*i+:8];

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      for (int unsigned i = 0; i < 4; i++) bytes[{entry_i, 2'(i)}] <= data_i[8*i+:8];
    end
    if (!select_i) data_o <= '0;
    else           data_o <= bytes[read_i];
  end
endmodule
