// SPDX-License-Identifier: Apache-2.0
// mel_intc: the interrupt controller of software kernels, for at most 64 lines. A rising edge of an enabled line becomes pending; edges of a
// disabled line are forgotten, and disabling a line forgets its pending edge. `irq_o` is high while anything is pending.
// Registers (byte offsets): 0x0 pending (read only, one bit a line), 0x4 enable (one bit a line), 0x8 claim (load: the lowest pending line,
// which is then no longer pending; 0xFFFF_FFFF: none), 0xC raise (store: one bit a line, as if those lines rose). 0x10, 0x14 and 0x1C are
// pending, enable and raise of the lines from 32 on; claim stands for all lines at 0x8 and 0x18.
// Timing: an access is answered in the next cycle; an edge in cycle n makes `irq_o` high in cycle n + 1.
module mel_intc #(
  parameter int unsigned Lines = 32  // 1..64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Lines-1:0] irq_i,
  input  logic             req_i,
  input  logic             we_i,
  input  logic [4:0]       addr_i,
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o,
  output logic             irq_o
);
  logic [Lines-1:0] line_q, enable_q, enable_d, pending_q, raised, first;
  logic [31:0]      first_number;

  // 64 lines of which one half is stored now.
  function automatic logic [63:0] with_half(logic [63:0] lines);
    return addr_i[4] ? {wdata_i, lines[31:0]} : {lines[63:32], wdata_i};
  endfunction

  function automatic logic [31:0] half(logic [Lines-1:0] lines);
    logic [63:0] all;
    all = 64'(lines);
    return addr_i[4] ? all[63:32] : all[31:0];
  endfunction

  assign first = pending_q & (~pending_q + Lines'(1));  // one-hot: the lowest pending line

  always_comb begin
    first_number = '1;
    for (int i = 0; i < int'(Lines); i++) begin
      if (first[i]) first_number = i;
    end
  end

  always_comb begin
    enable_d = enable_q;
    raised   = irq_i & ~line_q;
    if (req_i && we_i && addr_i[3:2] == 2'd1) enable_d = Lines'(with_half(64'(enable_q)));
    if (req_i && we_i && addr_i[3:2] == 2'd3) raised |= Lines'(with_half('0));
  end

  logic claim;
  assign claim = req_i && !we_i && addr_i[3:2] == 2'd2;
  assign irq_o = |pending_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q    <= '0;
      enable_q  <= '0;
      pending_q <= '0;
      rdata_o   <= '0;
    end else begin
      line_q    <= irq_i;
      enable_q  <= enable_d;
      // A line must have been enabled before its edge, and still be.
      pending_q <= ((pending_q & ~(claim ? first : '0)) | (raised & enable_q)) & enable_d;
      unique case (addr_i[3:2])
        2'd0: rdata_o <= half(pending_q);
        2'd1: rdata_o <= half(enable_q);
        2'd2: rdata_o <= first_number;
        2'd3: rdata_o <= '0;
      endcase
    end
  end

  logic unused_bits;
  assign unused_bits = ^{addr_i[1:0], wdata_i};

  if (Lines < 1 || Lines > 64) begin : gen_lines_check
    $error("mel_intc: Lines must be 1..64");
  end
endmodule
