// SPDX-License-Identifier: Apache-2.0
// mel_timer: the RISC-V machine timer of software kernels. `mtime` counts clock cycles; `irq_o` is high while mtime >= mtimecmp.
// Registers (word offsets in bytes): 0x0/0x4 mtime low/high (read only), 0x8/0xC mtimecmp low/high (reset: all ones, no interrupt).
// Timing: an access is answered in the next cycle; `irq_o` follows a write to mtimecmp in the cycle after the write.
module mel_timer (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  input  logic        we_i,
  input  logic [3:0]  addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        irq_o
);
  logic [63:0] mtime_q, mtimecmp_q;

  assign irq_o = mtime_q >= mtimecmp_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtime_q    <= '0;
      mtimecmp_q <= '1;
      rdata_o    <= '0;
    end else begin
      mtime_q <= mtime_q + 64'd1;
      if (req_i && we_i) begin
        if (addr_i[3:2] == 2'd2) mtimecmp_q[31:0] <= wdata_i;
        if (addr_i[3:2] == 2'd3) mtimecmp_q[63:32] <= wdata_i;
      end
      unique case (addr_i[3:2])
        2'd0: rdata_o <= mtime_q[31:0];
        2'd1: rdata_o <= mtime_q[63:32];
        2'd2: rdata_o <= mtimecmp_q[31:0];
        2'd3: rdata_o <= mtimecmp_q[63:32];
      endcase
    end
  end

  logic unused_addr;
  assign unused_addr = ^addr_i[1:0];
endmodule
