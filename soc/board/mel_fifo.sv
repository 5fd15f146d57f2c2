// SPDX-License-Identifier: Apache-2.0
// mel_fifo: a queue of bytes in a block RAM.
// Contract: a push into a full queue is dropped, and `dropped_o` is high in its cycle. `head_o` is the oldest byte while `valid_o` is high.
// Timing: a byte can be popped from the second cycle after its push on; after a pop the next head is there two cycles later.
module mel_fifo #(
  parameter int unsigned Depth = 2048  // power of two
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       push_i,
  input  logic [7:0] data_i,
  output logic       dropped_o,
  output logic       empty_o,
  output logic       valid_o,
  output logic [7:0] head_o,
  input  logic       pop_i     // only with `valid_o`
);
  localparam int unsigned Width = $clog2(Depth);

  (* no_rw_check *) logic [7:0] bytes[Depth];
  logic [Width:0] write_q, read_q;  // one bit more than an index: equal is empty, half a turn apart is full
  logic           full, taken, valid_q;

  assign full      = write_q == {~read_q[Width], read_q[Width-1:0]};
  assign taken     = push_i && !full;
  assign dropped_o = push_i && full;
  assign empty_o   = write_q == read_q;
  assign valid_o   = valid_q;

  always_ff @(posedge clk_i) begin
    if (taken) bytes[write_q[Width-1:0]] <= data_i;
    head_o <= bytes[read_q[Width-1:0]];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (taken) write_q <= write_q + (Width + 1)'(1);
      if (pop_i) read_q <= read_q + (Width + 1)'(1);
      valid_q <= !empty_o && !pop_i;
    end
  end

  if (Depth != 2 ** Width) begin : gen_depth_check
    $error("mel_fifo: Depth must be a power of two");
  end
endmodule
