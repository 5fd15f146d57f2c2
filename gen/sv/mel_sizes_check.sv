// SPDX-License-Identifier: Apache-2.0
// mel_sizes_check: stops the elaboration of a hardware unit whose sizes are out of range, with a sentence for each.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
module mel_sizes_check #(
  parameter mel_pkg::sizes_t Sizes = mel_pkg::SizesDefault
) ();

  if (Sizes.Tasks < 4 || Sizes.Tasks > 256) begin : gen_bad_tasks
    $fatal(1, "mel_unit: parameter Tasks = %0d is out of range 4..256", Sizes.Tasks);
  end

  if (Sizes.Priorities < 2 || Sizes.Priorities > 256) begin : gen_bad_priorities
    $fatal(1, "mel_unit: parameter Priorities = %0d is out of range 2..256", Sizes.Priorities);
  end

  if (Sizes.Semaphores > 128) begin : gen_bad_semaphores
    $fatal(1, "mel_unit: parameter Semaphores = %0d is out of range 0..128", Sizes.Semaphores);
  end

  if (Sizes.EventFlags > 128) begin : gen_bad_event_flags
    $fatal(1, "mel_unit: parameter EventFlags = %0d is out of range 0..128", Sizes.EventFlags);
  end

  if (Sizes.Mutexes > 128) begin : gen_bad_mutexes
    $fatal(1, "mel_unit: parameter Mutexes = %0d is out of range 0..128", Sizes.Mutexes);
  end

  if (Sizes.Queues > 128) begin : gen_bad_queues
    $fatal(1, "mel_unit: parameter Queues = %0d is out of range 0..128", Sizes.Queues);
  end

  if (Sizes.Messages > 256) begin : gen_bad_messages
    $fatal(1, "mel_unit: parameter Messages = %0d is out of range 0..256", Sizes.Messages);
  end

  if (Sizes.Timers > 16) begin : gen_bad_timers
    $fatal(1, "mel_unit: parameter Timers = %0d is out of range 0..16", Sizes.Timers);
  end

  if (Sizes.Interrupts > 64) begin : gen_bad_interrupts
    $fatal(1, "mel_unit: parameter Interrupts = %0d is out of range 0..64", Sizes.Interrupts);
  end

  if (Sizes.Cores < 1 || Sizes.Cores > 4) begin : gen_bad_cores
    $fatal(1, "mel_unit: parameter Cores = %0d is out of range 1..4", Sizes.Cores);
  end

  if (Sizes.Monitor > 1) begin : gen_bad_monitor
    $fatal(1, "mel_unit: parameter Monitor = %0d is out of range 0..1", Sizes.Monitor);
  end

  if (Sizes.FlagLanes > 4) begin : gen_bad_flag_lanes
    $fatal(1, "mel_unit: parameter FlagLanes = %0d is out of range 0..4", Sizes.FlagLanes);
  end

  if (Sizes.FlagLanes <= 4 && (Sizes.FlagLanes - 0) % 4 != 0) begin : gen_odd_flag_lanes
    $fatal(1, "mel_unit: parameter FlagLanes = %0d is none of 0, 4", Sizes.FlagLanes);
  end

  if (Sizes.FlagLanes != 0 && (Sizes.Tasks < 4 || Sizes.Tasks > 64)) begin : gen_bad_tasks_with_flag_lanes
    $fatal(1, "mel_unit: parameter Tasks = %0d is out of range 4..64 with FlagLanes = %0d", Sizes.Tasks, Sizes.FlagLanes);
  end

  if (Sizes.FlagLanes != 0 && (Sizes.EventFlags < 1 || Sizes.EventFlags > 128)) begin : gen_bad_event_flags_with_flag_lanes
    $fatal(1, "mel_unit: parameter EventFlags = %0d is out of range 1..128 with FlagLanes = %0d", Sizes.EventFlags, Sizes.FlagLanes);
  end

endmodule
