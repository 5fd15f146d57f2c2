// SPDX-License-Identifier: Apache-2.0
// mel_lock_pkg: the numbers that the lock cache and its software share: the window, answers, parameter limits.
// Contract: the facts of spec/lock_cache.yaml, nothing else.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_lock_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // First 32 bits of the hash of spec/lock_cache.yaml: boot code compares it with its own.
  localparam logic [31:0] FactsHash = 32'hb6937bf9;
  localparam int unsigned WindowBytes = 4096;

  // Answers of loads of a lock and of `notice`, besides numbers.
  localparam logic [31:0] AnswerWaits = 32'h00000000;
  localparam logic [31:0] AnswerTaken = 32'h00000001;
  localparam logic [31:0] AnswerNone = 32'hFFFFFFFF;

  // Regions: offset of lock 0 of each kind.
  localparam logic [11:0] RegionLockShort = 12'h000;
  localparam logic [11:0] RegionLockLong = 12'h200;
  localparam logic [11:0] RegionTryShort = 12'h400;
  localparam logic [11:0] RegionTryLong = 12'h600;
  localparam logic [11:0] RegionStateShort = 12'h800;
  localparam logic [11:0] RegionStateLong = 12'hA00;

  // Fields of the state: lowest bit.
  localparam int unsigned StateHeld = 0;
  localparam int unsigned StateHanded = 1;
  localparam int unsigned StateHolder = 4;
  localparam int unsigned StateWaiting = 8;

  // Registers: offsets in the window.
  localparam logic [31:0] Identity = 32'h4D454C4B;
  localparam logic [11:0] RegIdentity = 12'hC00;
  localparam logic [11:0] RegFactsHash = 12'hC04;
  localparam logic [11:0] RegSizes = 12'hC08;
  localparam logic [11:0] RegPriorities = 12'hC0C;
  localparam logic [11:0] RegCore = 12'hC10;
  localparam logic [11:0] RegRefused = 12'hC14;
  localparam logic [11:0] RegPriority = 12'hC18;
  localparam logic [11:0] RegNotice = 12'hC1C;

  // Limits of the parameters.
  localparam int unsigned ShortLocksMin = 1;
  localparam int unsigned ShortLocksMax = 128;
  localparam int unsigned LongLocksMin = 1;
  localparam int unsigned LongLocksMax = 128;
  localparam int unsigned CoresMin = 1;
  localparam int unsigned CoresMax = 4;
  localparam int unsigned HandOverMin = 0;
  localparam int unsigned HandOverMax = 1;
  localparam int unsigned PrioritiesMin = 2;
  localparam int unsigned PrioritiesMax = 256;

  // verilator lint_on UNUSEDPARAM

endpackage
