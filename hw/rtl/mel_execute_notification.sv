// mel_execute_notification: the plans of the notification commands, melanion/model/notification.py in hardware.
// What a wait or take leaves of the value is decided when it ends: `object` of a waiting task's record says how (keep_e), and the
// word that it otherwise waits to send holds the bits to be cleared. What task_start writes is here too.
// Timing: combinational.
module mel_execute_notification
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
(
  input  logic [5:0]  op_i,
  input  logic [31:0] argument_i,
  input  found_t      found_i,
  input  logic [31:0] word_i,          // of the subject: the bits that its wait clears
  output plan_t       plan_o
);

  task_t         record;
  notification_t note;
  logic          in_ready;
  keep_e         keep;      // of the caller's command

  assign record   = found_i.record;
  assign note     = found_i.notification;
  assign in_ready = is_runnable(record) && !found_i.apart;

  always_comb begin
    unique case (op_i)
      mel_pkg::OpNotificationWait: keep = KeepOthers;
      mel_pkg::OpNotificationTake: keep = KeepRest;
      default:                     keep = KeepNone;
    endcase
  end

  // The value after a notification, and what a waiting subject leaves of it. A take waits with the value 0.
  logic [31:0] notified, left;

  always_comb begin
    unique case (op_i)
      mel_pkg::OpNotificationSet:  notified = note.value | argument_i;
      mel_pkg::OpNotificationGive: notified = note.value + 32'd1;
      default:                     notified = argument_i;
    endcase
    unique case (keep_e'(record.object[1:0]))
      KeepOthers: left = notified & ~word_i;
      KeepRest:   left = (op_i == mel_pkg::OpNotificationGive || argument_i == '0) ? '0 : argument_i - 32'd1;
      default:    left = '0;
    endcase
  end

  function automatic plan_t notify(plan_t plan, task_t subject, logic [31:0] value, logic [31:0] remains);
    if (subject.dormant) return fail(plan, mel_pkg::StatusEObj);
    notify = plan;
    if (subject.waits == WaitNotification) begin
      notify = end_wait(plan, subject, mel_pkg::StatusEOk);
      notify.value_we        = 1'b1;
      notify.value_to_waiter = 1'b1;
    end
    notify.value              = value;
    notify.notification_we    = 1'b1;
    notify.notification_entry = '{pending: subject.waits != WaitNotification, zero: 1'b0,
                                  value: (subject.waits == WaitNotification) ? remains : value};
  endfunction

  always_comb begin
    plan_o = nothing(found_i, argument_i);
    plan_o.value = note.value;
    case (op_i)
      mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive, mel_pkg::OpNotificationOverwrite:
        plan_o = notify(plan_o, record, notified, left);

      mel_pkg::OpNotificationSend: begin
        plan_o = notify(plan_o, record, notified, left);
        if (!record.dormant && note.pending) plan_o = fail(plan_o, mel_pkg::StatusEQovr);
      end

      mel_pkg::OpNotificationClear: begin
        plan_o.value_we                 = 1'b1;
        plan_o.notification_we          = 1'b1;
        plan_o.notification_entry.value = note.value & ~argument_i;
        if (record.dormant) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpNotificationCancel: begin
        plan_o.notification_we            = 1'b1;
        plan_o.notification_entry.pending = 1'b0;
        if (record.dormant || !note.pending) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpNotificationWait, mel_pkg::OpNotificationTake, mel_pkg::OpNotificationTakeAll: begin
        plan_o.notification_entry.pending = 1'b0;
        plan_o.word                       = found_i.operand.word;
        plan_o.wait_id                    = id_t'(keep);
        if ((keep == KeepOthers) ? note.pending : !note.zero) begin
          plan_o.value_we        = 1'b1;
          plan_o.notification_we = 1'b1;
          unique case (keep)
            KeepOthers: plan_o.notification_entry.value = note.value & ~found_i.operand.word;
            KeepRest:   plan_o.notification_entry.value = note.value - 32'd1;
            default:    plan_o.notification_entry.value = '0;
          endcase
        end else if (argument_i == '0) begin
          plan_o.status = mel_pkg::StatusETmout;
        end else begin
          plan_o = wait_here(plan_o, in_ready);
          plan_o.word_we         = 1'b1;
          plan_o.notification_we = 1'b1;
        end
      end

      default: plan_o.notification_entry = '0;   // task_start
    endcase
  end

endmodule
