// SPDX-License-Identifier: Apache-2.0
// mel_execute_notification: the plans of the notification commands, melanion/model/notification.py in hardware.
// What a wait or take leaves of the value is decided when it ends: `object` of a waiting task's record says how (keep_e), and the
// word that it otherwise waits to send holds the bits to be cleared. What task_start writes is here too.
// Timing: combinational.
module mel_execute_notification
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
(
  input  mel_pkg::op_t  op_i,
  input  logic [31:0] argument_i,
  input  found_t      found_i,
  input  logic [31:0] word_i,          // word of the subject: the bits that its wait clears
  output plan_t       plan_o
);

  task_t         record;
  notification_t note;
  logic          in_ready, waiting, adds, clears;
  keep_e         keep;      // mode of the caller's command or the subject's wait

  assign record   = found_i.record;
  assign note     = found_i.notification;
  assign in_ready = is_runnable(record) && !found_i.apart;
  assign waiting  = record.waits == WaitNotification;
  assign adds     = op_i == mel_pkg::OpNotificationGive;
  assign clears   = op_i inside {mel_pkg::OpNotificationClear, mel_pkg::OpNotificationWait};

  // ---- the value: after a notification (`value`), and what is left of it ------------------------------------------------

  // One adder: plus one to give, minus one to take. A take waits with the value 0, and takes from what it is sent.
  logic [31:0] sum, value, kept, left;
  logic        notifies;

  assign notifies = op_i inside {mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive, mel_pkg::OpNotificationOverwrite,
                                 mel_pkg::OpNotificationSend};
  assign sum      = ((notifies && !adds) ? argument_i : note.value) + (adds ? 32'd1 : '1);

  always_comb begin
    value = '0;
    if (notifies)                                         value = argument_i;
    if (!notifies || op_i == mel_pkg::OpNotificationSet)  value = note.value | value;
    if (adds)                                             value = sum;

    if (notifies) begin
      keep = waiting ? keep_e'(record.object[1:0]) : KeepOthers;
    end else begin
      unique case (op_i)
        mel_pkg::OpNotificationTake:    keep = KeepRest;
        mel_pkg::OpNotificationTakeAll: keep = KeepNone;
        default:                        keep = KeepOthers;
      endcase
    end
    kept = value & ~((notifies && waiting) ? word_i : clears ? argument_i : '0);
    unique case (keep)
      KeepOthers: left = kept;
      KeepRest:   left = (notifies && (adds || argument_i == '0)) ? '0 : sum;
      default:    left = '0;
    endcase
  end

  // ---- the plan ---------------------------------------------------------------------------------------------------------

  always_comb begin
    plan_o = nothing(found_i, argument_i);
    plan_o.value                    = value;
    plan_o.notification_entry.value = left;
    case (op_i)
      mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive, mel_pkg::OpNotificationOverwrite,
      mel_pkg::OpNotificationSend: begin
        if (waiting) begin
          plan_o = end_wait(plan_o, record, mel_pkg::StatusEOk);
          plan_o.value_we        = 1'b1;
          plan_o.value_to_waiter = 1'b1;
        end
        plan_o.notification_we            = 1'b1;
        plan_o.notification_entry.pending = !waiting;
        if (record.dormant)                                               plan_o = fail(plan_o, mel_pkg::StatusEObj);
        else if (op_i == mel_pkg::OpNotificationSend && note.pending)     plan_o = fail(plan_o, mel_pkg::StatusEQovr);
      end

      mel_pkg::OpNotificationClear: begin
        plan_o.value_we        = 1'b1;
        plan_o.notification_we = 1'b1;
        if (record.dormant) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpNotificationCancel: begin
        plan_o.notification_we            = 1'b1;
        plan_o.notification_entry.pending = 1'b0;
        if (record.dormant || !note.pending) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpNotificationWait: begin
        plan_o.wait_id                    = id_t'(KeepOthers);
        plan_o.notification_entry.pending = 1'b0;
        if (note.pending) begin
          plan_o.value_we        = 1'b1;
          plan_o.notification_we = 1'b1;
        end else if (found_i.operand.zero) begin
          plan_o.status = mel_pkg::StatusETmout;
        end else begin
          plan_o         = wait_here(plan_o, in_ready);
          plan_o.word_we = 1'b1;
        end
      end

      mel_pkg::OpNotificationTake, mel_pkg::OpNotificationTakeAll: begin
        plan_o.wait_id                    = id_t'(keep);
        plan_o.notification_entry.pending = 1'b0;
        if (!note.zero) begin
          plan_o.value_we        = 1'b1;
          plan_o.notification_we = 1'b1;
        end else if (argument_i == '0) begin
          plan_o.status = mel_pkg::StatusETmout;
        end else begin
          plan_o                          = wait_here(plan_o, in_ready);
          plan_o.notification_we          = 1'b1;   // clear `pending`; the value stays 0
          plan_o.notification_entry.value = '0;
        end
      end

      default: plan_o.notification_entry = '0;   // task_start
    endcase
  end

endmodule
