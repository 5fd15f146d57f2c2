// SPDX-License-Identifier: Apache-2.0
// mel_tables: what is known of every task and object, and the words beside the commands: reads (reads_t) in, records (records_t) out.
// Timing: what is read in a cycle is there in the next, and stays until the next read; a write is visible to a read in the next cycle.
// One line of every table is cleared per cycle by `clear_i`.
module mel_tables
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes = mel_pkg::SizesDefault,
  localparam int unsigned    Cores = Sizes.Cores
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           clear_i,
  input  line_t          clear_index_i,

  input  reads_t         reads_i,
  output records_t       records_o,

  input  plan_t          plan_i,            // is written, with the additions of inheritance
  input  inherit_t       inherit_i,
  input  access_t        access_i,          // access that is planned
  input  id_t            subject_i,
  input  line_t          context_i,         // the caller's words
  input  mutex_write_t   mutex_write_i,
  input  logic           operand_write_i,
  input  logic [31:0]    operand_i,

  input  save_result_t   save_result_i,
  input  id_t            result_id_i,
  output status_t        result_o,

  output logic           judged_o,          // the flags that the plan had judged
  input  logic           flags_taken_i,     // … are written
  output flag_released_t released_o,
  output logic           flags_busy_o,
  output logic           queues_settled_o,
  output logic           purge_valid_o,
  output id_t            purge_id_o,
  input  list_request_t  held_request_i,
  output list_state_t    held_state_o,
  output top_t           held_o,
  output top_t           held_after_o
);

  task_t        task_entry;
  event_flags_t flags_entry;
  logic [31:0]  flags_clear;
  flag_wait_t   flag_wait;
  logic         message_valid;
  logic [31:0]  message;

  always_comb begin
    task_entry = plan_i.task_entry;
    if (inherit_i.prio_we) task_entry.prio = inherit_i.prio;
  end

  mel_task_table #(
    .Tasks      (Sizes.Tasks),
    .Priorities (Sizes.Priorities)
  ) u_task_table (
    .clk_i,
    .clear_i           (clear_i),
    .clear_index_i     (clear_index_i),
    .read_i            (reads_i.task_en),
    .read_id_i         (reads_i.task_id),
    .record_o          (records_o.task_record),
    .write_i           (plan_i.task_we),
    .write_id_i        (subject_i),
    .record_i          (task_entry),
    .prio_write_i      (inherit_i.prio_we),
    .result_read_id_i  (result_id_i),
    .result_o          (result_o),
    .result_write_i    (save_result_i.en || plan_i.change.sets_result),
    .result_write_id_i (save_result_i.en ? save_result_i.task_id : subject_i),
    .result_i          (save_result_i.en ? save_result_i.status : plan_i.change.result)
  );

  // Values from event flags and messages from queues come one cycle after the plan.
  logic        flags_value_q;
  line_t       late_context_q;
  logic        value_write;
  line_t       value_context;
  logic [31:0] value_entry;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flags_value_q <= 1'b0;
    else         flags_value_q <= plan_i.flags_value;
  end
  always_ff @(posedge clk_i) begin
    late_context_q <= plan_i.flags_value ? line_t'(subject_i) : context_i;
  end

  assign value_write   = plan_i.value_we || flags_value_q || message_valid;
  assign value_context = (flags_value_q || message_valid) ? late_context_q :
                         plan_i.value_to_waiter             ? line_t'(subject_i) : context_i;
  assign value_entry   = flags_value_q ? released_o.value : message_valid ? message : plan_i.value;

  mel_words #(
    .Tasks (Sizes.Tasks),
    .Cores (Cores)
  ) u_words (
    .clk_i,
    .clear_i         (clear_i),
    .clear_index_i   (clear_index_i),
    .read_i          (reads_i.object_en),
    .read_index_i    (reads_i.context_line),
    .operand_o       (records_o.operand),
    .value_o         (records_o.value),
    .operand_write_i (operand_write_i),
    .operand_index_i (reads_i.context_line),
    .operand_i       (operand_i),
    .value_write_i   (value_write),
    .value_index_i   (value_context),
    .value_i         (value_entry),
    .word_read_i     (reads_i.word_en),
    .word_read_id_i  (reads_i.task_id),
    .word_o          (records_o.word),
    .word_write_i    (plan_i.word_we),
    .word_write_id_i (subject_i),
    .word_i          (access_i.argument)
  );

  mel_notifications #(.Tasks(Sizes.Tasks)) u_notifications (
    .clk_i,
    .rst_ni,
    .read_i     (reads_i.task_en),
    .read_id_i  (reads_i.task_id),
    .record_o   (records_o.notification),
    .write_i    (plan_i.notification_we),
    .write_id_i (subject_i),
    .record_i   (plan_i.notification_entry)
  );

  mel_semaphores #(.Semaphores(Sizes.Semaphores)) u_semaphores (
    .clk_i,
    .clear_i       (clear_i),
    .clear_index_i (clear_index_i),
    .read_i        (reads_i.object_en),
    .read_id_i     (reads_i.object_id),
    .record_o      (records_o.semaphore),
    .write_i       (plan_i.semaphore_we),
    .write_id_i    (access_i.id),
    .record_i      (plan_i.semaphore_entry)
  );

  always_comb begin
    flags_entry = plan_i.flags_entry;
    if (flags_taken_i) flags_entry.flags &= ~flags_clear;
    flag_wait = '{
      op:      inherit_i.prio_we ? inherit_i.flag_wait_op : plan_i.flag_wait_op,
      task_id: subject_i,
      group:   plan_i.wait_id,
      pattern: access_i.argument,
      all:     access_i.op inside {mel_pkg::OpEventFlagsWaitAll, mel_pkg::OpEventFlagsTakeAll},
      take:    access_i.op inside {mel_pkg::OpEventFlagsTakeAny, mel_pkg::OpEventFlagsTakeAll},
      prio:    inherit_i.prio_we ? inherit_i.prio : (plan_i.flag_wait_op == FlagWaitMove) ? plan_i.move_prio : plan_i.prio
    };
  end

  mel_event_flags #(
    .Tasks      (Sizes.Tasks),
    .Priorities (Sizes.Priorities),
    .EventFlags (Sizes.EventFlags)
  ) u_event_flags (
    .clk_i,
    .rst_ni,
    .clear_i           (clear_i),
    .clear_index_i     (clear_index_i),
    .read_i            (reads_i.object_en),
    .read_id_i         (reads_i.object_id),
    .read_subject_i    (reads_i.task_id),
    .record_o          (records_o.flags),
    .waited_o          (records_o.waited),
    .subject_matched_o (records_o.released),
    .write_i           (plan_i.flags_we || flags_taken_i),
    .write_id_i        (access_i.id),
    .record_i          (flags_entry),
    .wait_i            (flag_wait),
    .judge_i           ('{valid: plan_i.judge, group: access_i.id, flags: records_o.flags.flags | access_i.argument,
                          remove: access_i.op == mel_pkg::OpEventFlagsDelete}),
    .judged_o          (judged_o),
    .judge_clear_o     (flags_clear),
    .released_o        (released_o),
    .busy_o            (flags_busy_o)
  );

  mel_queues #(
    .Queues            (Sizes.Queues),
    .Messages          (Sizes.Messages),
    .MessagePriorities (mel_pkg::MessagePriorities)
  ) u_queues (
    .clk_i,
    .rst_ni,
    .clear_i       (clear_i),
    .clear_index_i (clear_index_i),
    .read_i        (reads_i.object_en),
    .read_id_i     (reads_i.object_id),
    .record_o      (records_o.messages),
    .room_o        (records_o.room),
    .request_i     ('{op: plan_i.queue_op, word: plan_i.message, prio: plan_i.message_prio}),
    .settled_o     (queues_settled_o),
    .word_valid_o  (message_valid),
    .word_o        (message),
    .purge_valid_o (purge_valid_o),
    .purge_id_o    (purge_id_o)
  );

  mel_mutexes #(
    .Tasks      (Sizes.Tasks),
    .Priorities (Sizes.Priorities),
    .Mutexes    (Sizes.Mutexes)
  ) u_mutexes (
    .clk_i,
    .rst_ni,
    .clear_i        (clear_i),
    .clear_index_i  (clear_index_i),
    .read_i         (reads_i.mutex_en),
    .read_id_i      (reads_i.mutex_id),
    .record_o       (records_o.mutex),
    .write_i        (mutex_write_i.en),
    .write_id_i     (mutex_write_i.id),
    .record_i       (mutex_write_i.entry),
    .held_request_i (held_request_i),
    .held_state_o   (held_state_o),
    .held_o         (held_o),
    .held_after_o   (held_after_o)
  );

endmodule
