// SPDX-License-Identifier: Apache-2.0
// mel_dmmu_pkg: the numbers that the memory management unit and its software share: the window, answers, parameter limits.
// Contract: the facts of spec/dmmu.yaml, nothing else.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_dmmu_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // First 32 bits of the hash of spec/dmmu.yaml: boot code compares it with its own.
  localparam logic [31:0] FactsHash = 32'h0b0d6f9c;
  localparam logic [31:0] Identity = 32'h4D454C4D;
  localparam int unsigned WindowBytes = 4096;

  // Commands: offsets in the window.
  localparam logic [11:0] CommandAllocate = 12'h000;
  localparam logic [11:0] CommandRelease = 12'h004;
  localparam logic [11:0] CommandGive = 12'h008;
  localparam logic [11:0] CommandClear = 12'h00C;

  // Regions: offset of number 0.
  localparam logic [11:0] RegionAllocation = 12'h400;

  // Answers.
  localparam logic [31:0] AnswerDone = 32'h00000000;
  localparam logic [31:0] AnswerFull = 32'hFFFFFFFE;
  localparam logic [31:0] AnswerNone = 32'hFFFFFFFF;

  // Registers: offsets in the window.
  localparam logic [11:0] RegIdentity = 12'hC00;
  localparam logic [11:0] RegFactsHash = 12'hC04;
  localparam logic [11:0] RegSizes = 12'hC08;
  localparam logic [11:0] RegCore = 12'hC0C;
  localparam logic [11:0] RegRefused = 12'hC10;
  localparam logic [11:0] RegAnswer = 12'hC14;
  localparam logic [11:0] RegFailed = 12'hC18;
  localparam logic [11:0] RegFree = 12'hC1C;
  localparam logic [11:0] RegLeast = 12'hC20;

  // Limits of the parameters.
  localparam int unsigned BlocksMin = 2;
  localparam int unsigned BlocksMax = 256;
  localparam int unsigned OwnersMin = 1;
  localparam int unsigned OwnersMax = 256;
  localparam int unsigned CoresMin = 1;
  localparam int unsigned CoresMax = 4;

  // verilator lint_on UNUSEDPARAM

endpackage
