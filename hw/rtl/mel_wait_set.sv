// SPDX-License-Identifier: Apache-2.0
// mel_wait_set: the tasks that wait for a semaphore, a mutex or a message queue: one list per (object, priority), oldest first; the
// most urgent waiter of every object is at hand without a search.
// Timing: insert 2, remove 2 or 3 cycles. `top_o` belongs to the object of the request in the last cycle with `ready`;
// `after_o` to that of the last operation, once it is settled. Cleared one object per cycle by `clear_i`.
module mel_wait_set
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes = mel_pkg::SizesDefault
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,
  input  line_t         clear_index_i,
  input  wait_request_t request_i,
  output list_state_t   state_o,
  output top_t          top_o,
  output top_t          after_o
);

  localparam int unsigned Objects = Sizes.Semaphores + Sizes.Mutexes + Sizes.Queues;

  if (Objects == 0) begin : gen_none
    logic unused_all;
    assign unused_all = ^{clk_i, rst_ni, clear_i, clear_index_i, request_i};
    assign state_o = '{ready: 1'b1, settled: 1'b1, done: 1'b0};
    assign top_o   = '0;
    assign after_o = '0;
  end else begin : gen_lists
    list_request_t request;

    always_comb begin
      request = '{op: request_i.op, object: line_t'(request_i.object), prio: request_i.prio, task_id: request_i.task_id};
      unique case (request_i.kind)
        WaitMutex: request.object = line_t'(request_i.object) + line_t'(Sizes.Semaphores);
        WaitQueue: request.object = line_t'(request_i.object) + line_t'(Sizes.Semaphores + Sizes.Mutexes);
        default: ;
      endcase
    end

    mel_priority_list #(
      .Tasks      (Sizes.Tasks),
      .Priorities (Sizes.Priorities),
      .Objects    (Objects)
    ) u_list (
      .clk_i,
      .rst_ni,
      .clear_i,
      .clear_index_i,
      .request_i   (request),
      .state_o,
      .top_o,
      .top_after_o (after_o)
    );
  end

endmodule
