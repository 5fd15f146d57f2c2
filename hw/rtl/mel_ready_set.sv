// mel_ready_set: the tasks that could run, one list per priority, oldest first. A running task is in it only when it lost its
// turn (dispatcher: `listed`), so that the best of the others is known before the running task blocks.
// Timing: insert 2, remove 2 or 3, rotate 3 cycles; `best_next_o` is the new best in the last of them (`done`), `best_o` from
// the next cycle on. The same for any content.
module mel_ready_set
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32    // 2..256, 0 is the most urgent
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  list_request_t request_i,   // `object` is not used
  output list_state_t   state_o,
  output top_t          best_o,
  output top_t          best_next_o
);

  top_t unused_top_after;

  mel_priority_list #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Objects    (1)
  ) u_list (
    .clk_i,
    .rst_ni,
    .clear_i       (1'b0),
    .clear_index_i ('0),
    .request_i,
    .state_o,
    .top_o         (best_o),
    .top_next_o    (best_next_o),
    .top_after_o   (unused_top_after)
  );

endmodule
