// SPDX-License-Identifier: Apache-2.0
// mel_deadlock_pkg: the numbers that the deadlock detection unit and its software share: the window, answers, parameter limits.
// Contract: the facts of spec/deadlock.yaml, nothing else.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_deadlock_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // First 32 bits of the hash of spec/deadlock.yaml: boot code compares it with its own.
  localparam logic [31:0] FactsHash = 32'h2ce860b5;
  localparam logic [31:0] Identity = 32'h4D454C44;
  localparam int unsigned WindowBytes = 4096;

  // Commands: offsets in the window.
  localparam logic [11:0] CommandRequest = 12'h000;
  localparam logic [11:0] CommandGrant = 12'h004;
  localparam logic [11:0] CommandRelease = 12'h008;
  localparam logic [11:0] CommandWithdraw = 12'h00C;
  localparam logic [11:0] CommandClear = 12'h010;

  // Regions: offset of number 0.
  localparam logic [11:0] RegionHolder = 12'h400;
  localparam logic [11:0] RegionWaiting = 12'h600;

  // Answers.
  localparam logic [31:0] AnswerWaits = 32'h00000000;
  localparam logic [31:0] AnswerDone = 32'h00000001;
  localparam logic [31:0] AnswerDeadlock = 32'h00000002;
  localparam logic [31:0] AnswerNone = 32'hFFFFFFFF;

  // Registers: offsets in the window.
  localparam logic [11:0] RegIdentity = 12'hC00;
  localparam logic [11:0] RegFactsHash = 12'hC04;
  localparam logic [11:0] RegSizes = 12'hC08;
  localparam logic [11:0] RegCore = 12'hC0C;
  localparam logic [11:0] RegRefused = 12'hC10;
  localparam logic [11:0] RegAnswer = 12'hC14;
  localparam logic [11:0] RegNotice = 12'hC18;
  localparam logic [11:0] RegSteps = 12'hC1C;
  localparam logic [11:0] RegProcesses = 12'hC20;
  localparam logic [11:0] RegProcessesHigh = 12'hC24;
  localparam logic [11:0] RegResources = 12'hC28;
  localparam logic [11:0] RegResourcesHigh = 12'hC2C;

  // Limits of the parameters.
  localparam int unsigned ProcessesMin = 2;
  localparam int unsigned ProcessesMax = 64;
  localparam int unsigned ResourcesMin = 2;
  localparam int unsigned ResourcesMax = 64;
  localparam int unsigned CoresMin = 1;
  localparam int unsigned CoresMax = 4;

  // verilator lint_on UNUSEDPARAM

endpackage
