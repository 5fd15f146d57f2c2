// SPDX-License-Identifier: Apache-2.0
// mel_guard: between the access port of one core and a protected unit (docs/decisions/0051). While the unit is right, wires; from the cycle in which it tells
// of a flipped bit, the safe state, until reset: the unit is asked nothing more, no task is dispatched to, and every access is answered.
//
// Contract: as mel_unit's access port; one access of the core is outstanding. `last_i` is high in the unit cycle that ends with one of the cores' (mel_clock_edge).
// Safe state: an answer is E_SYS, that of `dispatch` the task that runs, which thus goes on. The handler line rises until `claim` is loaded.
// Timing: no cycle. In the safe state an access is answered in the cycle of the core after it.
module mel_guard #(
  parameter int unsigned Idle = 64   // `running` before the first dispatch: no task
) (
  input  logic        clk_i,         // the unit's
  input  logic        rst_ni,
  input  logic        last_i,
  input  logic        fault_i,       // the unit told of a flip; stays high
  input  logic        suspect_i,     // what it says in this cycle may be wrong

  // The core.
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        req_write_i,
  input  mel_pkg::offset_t req_addr_i,
  output logic        rsp_valid_o,
  output logic [31:0] rsp_rdata_o,
  output logic        irq_handler_o,
  output logic        irq_dispatch_o,
  output logic        dispatch_o,
  output logic        failed_o,      // the safe state
  output logic        told_o,        // a load is answered E_SYS, in the last unit cycle of its answer
  output logic [8:0]  runs_o,        // the task that runs

  // The unit. What else a request holds goes around.
  output logic        req_valid_o,
  input  logic        req_ready_i,
  input  logic        rsp_valid_i,
  input  logic [31:0] rsp_rdata_i,
  input  logic        irq_handler_i,
  input  logic        irq_dispatch_i,
  input  logic        dispatch_i,
  input  logic [8:0]  running_i
);

  logic       failed, failed_q, owed_q, loads_q, loads_dispatch_q, claimed_q;
  logic [8:0] running_q;

  assign failed         = failed_q || fault_i || suspect_i;
  assign failed_o       = failed;
  assign req_valid_o    = req_valid_i && !failed;
  assign req_ready_o    = failed || req_ready_i;
  assign rsp_valid_o    = failed ? owed_q : rsp_valid_i;
  assign rsp_rdata_o    = !failed ? rsp_rdata_i : loads_dispatch_q ? 32'(running_q) : 32'(mel_pkg::StatusESys);
  assign told_o         = failed && last_i && owed_q && loads_q && !loads_dispatch_q;
  assign runs_o         = running_q;
  assign irq_handler_o  = failed ? !claimed_q : irq_handler_i;
  assign irq_dispatch_o = !failed && irq_dispatch_i;
  assign dispatch_o     = !failed && dispatch_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      failed_q         <= 1'b0;
      owed_q           <= 1'b0;
      loads_q          <= 1'b0;
      loads_dispatch_q <= 1'b0;
      claimed_q        <= 1'b0;
      running_q        <= 9'(Idle);
    end else begin
      failed_q <= failed;
      if (last_i) begin
        owed_q <= (req_valid_i && req_ready_o) || (owed_q && !rsp_valid_o);
        if (req_valid_i && req_ready_o) begin
          loads_q          <= !req_write_i;
          loads_dispatch_q <= !req_write_i && req_addr_i == mel_pkg::RegDispatch;
          if (failed && !req_write_i && req_addr_i == mel_pkg::RegClaim) claimed_q <= 1'b1;
        end
        if (dispatch_o) running_q <= running_i;
      end
    end
  end

endmodule
