// SPDX-License-Identifier: Apache-2.0
// mel_lock_turn: whose access is performed: the first core with one after the core served last, so that none waits for more than Cores - 1 others.
// Timing: combinational, the turn advances with each access. `ready_o` of a core does not depend on its own `valid_i`; it is there at least
// in every Cores-th cycle in which the core has not been served.
module mel_lock_turn #(
  parameter int unsigned Cores  = 1,   // 1..4
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             open_i,    // accesses are performed at all
  input  logic [Cores-1:0] valid_i,
  output logic [Cores-1:0] ready_o,
  output logic             any_o,     // an access is performed now
  output logic [CoreW-1:0] core_o     // its core
);
  if (Cores == 1) begin : gen_one
    assign ready_o = open_i;
    assign any_o   = open_i && valid_i[0];
    assign core_o  = '0;
    logic unused_clock;
    assign unused_clock = clk_i && rst_ni;
  end else begin : gen_several
    logic [CoreW-1:0] last_q;

    // From the farthest to the nearest behind the last: who comes before one that asks, must wait.
    always_comb begin
      ready_o = '0;
      core_o  = '0;
      for (int unsigned core = 0; core < Cores; core++) begin
        if (core == 32'(last_q)) begin
          for (int unsigned distance = 1; distance <= Cores; distance++) begin
            ready_o[(core + distance) % Cores] = open_i;
            for (int unsigned nearer = 1; nearer < distance; nearer++) begin
              if (valid_i[(core + nearer) % Cores]) ready_o[(core + distance) % Cores] = 1'b0;
            end
          end
        end
      end
      for (int unsigned core = 0; core < Cores; core++) begin
        if (ready_o[core] && valid_i[core]) core_o = CoreW'(core);
      end
    end

    assign any_o = open_i && |valid_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)    last_q <= '0;
      else if (any_o) last_q <= core_o;
    end
  end
endmodule
