// SPDX-License-Identifier: Apache-2.0
// mel_lists: stand-in for simulation until the synthesizable one is there.
module mel_lists #(
  parameter int unsigned Objects = 2, parameter int unsigned Priorities = 32, parameter int unsigned Nodes = 64, parameter int unsigned Tops = 0,
  localparam int unsigned ObjectW = (Objects > 1) ? $clog2(Objects) : 1, localparam int unsigned NodeW = $clog2(Nodes), localparam int unsigned TopsN = Tops > 0 ? Tops : 1
) (
  input logic clk_i, rst_ni, clear_i, input logic [15:0] clear_index_i,
  input logic [2:0] op_i, input logic [ObjectW-1:0] object_i, input logic [7:0] prio_i, input logic [NodeW-1:0] node_i,
  output logic idle_o, outcome_o, output logic top_valid_o, output logic [7:0] top_prio_o, output logic [NodeW-1:0] top_node_o,
  output logic [TopsN-1:0] tops_valid_o, output logic [TopsN-1:0][7:0] tops_prio_o, output logic [TopsN-1:0][NodeW-1:0] tops_node_o
);
  localparam int unsigned PrioW = $clog2(Priorities);
  logic [NodeW-1:0] head [Objects*256], tail [Objects*256], nxt [Nodes], prv [Nodes];
  logic [Priorities-1:0] bitmap [Objects];
  logic [2:0] st, op; logic [ObjectW-1:0] ob; logic [7:0] pr; logic [NodeW-1:0] nd;
  function automatic logic [8:0] first(logic [Priorities-1:0] v); first = 9'd256; for (int i = Priorities-1; i >= 0; i--) if (v[i]) first = 9'(i); endfunction
  assign idle_o = st == 0; assign outcome_o = st == 0 || (st == 2 && (op == 1 || op == 2)) || st == 5;
  logic needs;
  always_ff @(posedge clk_i) begin
    if (clear_i) bitmap[ObjectW'(clear_index_i)] <= '0;
    if (st == 0 && op_i != 0) begin
      automatic logic [8:0] f = first(bitmap[object_i]);
      top_valid_o <= f != 256; top_prio_o <= 8'(f); top_node_o <= head[{object_i, 8'(f)}];
      op <= op_i; ob <= object_i; pr <= prio_i; nd <= node_i;
    end
    if (st == 2) begin
      automatic logic occ = bitmap[ob][pr[PrioW-1:0]];
      case (op)
        1: begin bitmap[ob][pr[PrioW-1:0]] <= 1; if (!occ) head[{ob,pr}] <= nd; else begin nxt[tail[{ob,pr}]] <= nd; prv[nd] <= tail[{ob,pr}]; end tail[{ob,pr}] <= nd; end
        2: begin bitmap[ob][pr[PrioW-1:0]] <= 1; if (!occ) tail[{ob,pr}] <= nd; else begin prv[head[{ob,pr}]] <= nd; nxt[nd] <= head[{ob,pr}]; end head[{ob,pr}] <= nd; end
        3: begin
          if (!occ) $display("%0t %m: remove of %0d from empty list %0d/%0d", $time, nd, ob, pr);
          if (head[{ob,pr}] == nd && tail[{ob,pr}] == nd) bitmap[ob][pr[PrioW-1:0]] <= 0;
          else if (head[{ob,pr}] == nd) head[{ob,pr}] <= nxt[nd];
          else if (tail[{ob,pr}] == nd) tail[{ob,pr}] <= prv[nd];
          else begin nxt[prv[nd]] <= nxt[nd]; prv[nxt[nd]] <= prv[nd]; end
        end
        default: begin
          if (tail[{ob,pr}] != nd) begin top_valid_o <= 1; top_prio_o <= pr; top_node_o <= nxt[nd]; end
          else begin automatic logic [8:0] f = first(bitmap[ob] & ~((Priorities'(2) << pr) - 1)); top_valid_o <= f != 256; top_prio_o <= 8'(f); top_node_o <= head[{ob, 8'(f)}]; end
        end
      endcase
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) st <= 0; else begin
    case (st)
      0: if (op_i != 0 && op_i != 5) st <= 1;
      1: st <= 2;
      2: st <= ((op == 3 && head[{ob,pr}] == nd && tail[{ob,pr}] == nd && first(bitmap[ob]) == 9'(pr) && (bitmap[ob] & ~(Priorities'(1) << pr)) != 0) || (op == 4 && tail[{ob,pr}] == nd)) ? 3 : 0;
      3: st <= 4; 4: st <= 5; default: st <= 0;
    endcase
  end
  for (genvar i = 0; i < TopsN; i++) begin : g
    logic [8:0] f; assign f = first(bitmap[ObjectW'(i)]);
    assign tops_valid_o[i] = f != 256; assign tops_prio_o[i] = 8'(f); assign tops_node_o[i] = head[{ObjectW'(i), 8'(f)}];
  end
endmodule
