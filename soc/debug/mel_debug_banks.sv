// SPDX-License-Identifier: Apache-2.0
// mel_debug_banks: tells the debugger (soc/sim/debug) in which bank of which core the registers of each task are. Part of simulations of systems
// with banks that are built for `melanion debug` alone; it only reads.
module mel_debug_banks #(
  parameter int unsigned Tasks = 64,
  parameter int unsigned CoreW = 1,
  parameter int unsigned SlotW = 4
) (
  input logic                              clk_i,
  input logic                              rst_ni,
  input logic [Tasks-1:0][CoreW+SlotW:0] place_i  // valid, core, bank
);
  import "DPI-C" function void mel_debug_placed(input int unsigned task_id, input int unsigned valid, input int unsigned core,
                                                input int unsigned bank);

  logic [Tasks-1:0][CoreW+SlotW:0] told_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      told_q <= '0;
    end else begin
      told_q <= place_i;
      if (told_q != place_i) begin
        for (int unsigned i = 0; i < Tasks; i++) begin
          if (told_q[i] != place_i[i]) begin
            mel_debug_placed(i, 32'(place_i[i][CoreW+SlotW]), 32'(place_i[i][SlotW+:CoreW]), 32'(place_i[i][SlotW-1:0]));
          end
        end
      end
    end
  end
endmodule

bind mel_bank_table mel_debug_banks #(
  .Tasks(Tasks),
  .CoreW(CoreW),
  .SlotW(SlotW)
) u_debug (
  .clk_i,
  .rst_ni,
  .place_i(place_q)
);
