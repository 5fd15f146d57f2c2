// SPDX-License-Identifier: Apache-2.0
// sampler: a peripheral of the tutorial (docs/tutorial/peripheral.md). Every `period` cycles it takes a sample and raises its interrupt for a cycle.
// Contract: `req_i` is high for one cycle per access, the answer is there in the next; every address of its page is answered.
//   0x0 period   cycles between two samples, 0: none (store, load)
//   0x4 sample   the last one; a load makes room for the next (load)
//   0x8 lost     samples that were taken before the one before was loaded (load)
module sampler (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  input  logic        we_i,
  input  logic [3:0]  addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        irq_o
);
  logic [31:0] period_q, count_q, sample_q, lost_q;
  logic        fresh_q;  // the sample has not been loaded yet
  logic        due, loaded;

  assign due    = period_q != '0 && count_q >= period_q - 32'd1;
  assign loaded = req_i && !we_i && addr_i == 4'h4;
  assign irq_o  = due;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      period_q <= '0;
      count_q  <= '0;
      sample_q <= '0;
      lost_q   <= '0;
      fresh_q  <= 1'b0;
      rdata_o  <= '0;
    end else begin
      count_q <= due ? '0 : count_q + 32'd1;
      if (due) begin
        sample_q <= sample_q + 32'd7;  // stands for the value of a converter
        fresh_q  <= 1'b1;
        if (fresh_q && !loaded) lost_q <= lost_q + 32'd1;
      end else if (loaded) begin
        fresh_q <= 1'b0;
      end
      if (req_i && we_i && addr_i == 4'h0) begin
        period_q <= wdata_i;
        count_q  <= '0;
      end
      if (req_i) begin
        unique case (addr_i)
          4'h0:    rdata_o <= period_q;
          4'h4:    rdata_o <= sample_q;
          4'h8:    rdata_o <= lost_q;
          default: rdata_o <= '0;
        endcase
      end
    end
  end
endmodule
