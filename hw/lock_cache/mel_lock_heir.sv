// mel_lock_heir: who gets a lock that is released: of the cores that wait, the next after the holder, round (the holder itself comes last);
// with `ranked_i` the one that waits at the most urgent priority, and the next after the holder only among equals.
// So a core that waits is never passed by a less urgent one, and by at most Cores - 1 as urgent between two that are more urgent.
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
  output logic                            valid_o,
  output logic [CoreW-1:0]                heir_o
);
  logic [Cores-1:0]                turned_waiting;    // bit n: the core n + 1 after the holder
  logic [Cores-1:0][PriorityW-1:0] turned_priority;
  logic [PriorityW-1:0]            best;
  logic [2:0]                      distance;          // of the heir, less one

  always_comb begin
    turned_waiting  = '0;
    turned_priority = '0;
    for (int unsigned holder = 0; holder < Cores; holder++) begin
      if (holder == 32'(holder_i)) begin
        for (int unsigned i = 0; i < Cores; i++) begin
          turned_waiting[i]  = waiting_i[(holder + 1 + i) % Cores];
          turned_priority[i] = priority_i[(holder + 1 + i) % Cores];
        end
      end
    end
  end

  always_comb begin
    best     = '0;
    distance = '0;
    valid_o  = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (turned_waiting[i] && (!valid_o || (ranked_i && turned_priority[i] < best))) begin
        valid_o  = 1'b1;
        best     = turned_priority[i];
        distance = 3'(i);
      end
    end
  end

  always_comb begin
    heir_o = '0;
    for (int unsigned holder = 0; holder < Cores; holder++) begin
      for (int unsigned i = 0; i < Cores; i++) begin
        if (holder == 32'(holder_i) && i == 32'(distance)) heir_o = CoreW'((holder + 1 + i) % Cores);
      end
    end
  end
endmodule
