// mel_wait_set: the tasks that wait for a semaphore, one list per (semaphore, priority), oldest first; the most urgent waiter
// of every semaphore is at hand without a search.
// Timing: insert 2, remove 2 or 3 cycles. `top_o` belongs to the semaphore of `request_i.object` in the last cycle with `ready`.
// Cleared one semaphore per cycle by `clear_i`.
module mel_wait_set
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned Semaphores = 64    // 0..128; 0: nobody ever waits
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,
  input  id_t           clear_index_i,
  input  list_request_t request_i,
  output list_state_t   state_o,
  output top_t          top_o
);

  if (Semaphores == 0) begin : gen_none
    logic unused_all;
    assign unused_all = ^{clk_i, rst_ni, clear_i, clear_index_i, request_i};
    assign state_o = '{ready: 1'b1, settled: 1'b1, done: 1'b0};
    assign top_o   = '0;
  end else begin : gen_lists
    top_t unused_top_next;

    mel_priority_list #(
      .Tasks      (Tasks),
      .Priorities (Priorities),
      .Objects    (Semaphores)
    ) u_list (
      .clk_i,
      .rst_ni,
      .clear_i,
      .clear_index_i,
      .request_i,
      .state_o,
      .top_o,
      .top_next_o (unused_top_next)
    );
  end

endmodule
