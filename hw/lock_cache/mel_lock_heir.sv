// SPDX-License-Identifier: Apache-2.0
// mel_lock_heir: who gets a lock that is released: of the cores that wait, the next after the holder, round (the holder itself comes last);
// with `ranked_i` the one that waits at the most urgent priority, and among equals the one that has waited longest.
// So a core that waits is passed by at most Cores - 2 others in turn; ranked, by none but more urgent ones and those that waited before it.
// Timing: combinational.
module mel_lock_heir #(
  parameter int unsigned Cores     = 1,   // 1..4
  parameter int unsigned PriorityW = 5,
  localparam int unsigned CoreW    = (Cores > 1) ? $clog2(Cores) : 1
) (
  input  logic [Cores-1:0]                waiting_i,
  input  logic [CoreW-1:0]                holder_i,
  input  logic                            ranked_i,
  input  logic [Cores-1:0][PriorityW-1:0] priority_i,   // 0 is the most urgent
  input  logic [Cores-1:0][Cores-1:0]     longer_i,     // [a][b]: a has waited longer than b; of cores that wait, an order
  output logic                            valid_o,
  output logic [CoreW-1:0]                heir_o
);
  logic [Cores-1:0][Cores-1:0] turn;   // [a][b]: a comes before b, round behind the holder
  logic [Cores-1:0]            passed; // another core that waits comes first

  always_comb begin
    turn = '0;
    for (int unsigned holder = 0; holder < Cores; holder++) begin
      for (int unsigned a = 0; a < Cores; a++) begin
        for (int unsigned b = 0; b < Cores; b++) begin
          if (holder == 32'(holder_i)) turn[a][b] = (a + Cores - 1 - holder) % Cores < (b + Cores - 1 - holder) % Cores;
        end
      end
    end
  end

  always_comb begin
    passed = '0;
    for (int unsigned a = 0; a < Cores; a++) begin
      for (int unsigned b = 0; b < Cores; b++) begin
        if (a != b && waiting_i[a]) begin
          if (!ranked_i)                           passed[b] |= turn[a][b];
          else if (priority_i[a] != priority_i[b]) passed[b] |= priority_i[a] < priority_i[b];
          else                                     passed[b] |= longer_i[a][b];
        end
      end
    end
  end

  assign valid_o = waiting_i != '0;

  always_comb begin
    heir_o = '0;
    for (int unsigned core = 0; core < Cores; core++) begin
      if (waiting_i[core] && !passed[core]) heir_o = CoreW'(core);
    end
  end
endmodule
