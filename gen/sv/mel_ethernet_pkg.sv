// SPDX-License-Identifier: Apache-2.0
// mel_ethernet_pkg: the numbers that the Ethernet MAC and its software share: the window, answers, parameter limits.
// Contract: the facts of spec/ethernet.yaml, nothing else.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_ethernet_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // First 32 bits of the hash of spec/ethernet.yaml: boot code compares it with its own.
  localparam logic [31:0] FactsHash = 32'h8a37ab34;
  localparam logic [31:0] Identity = 32'h4D454C45;
  localparam int unsigned WindowBytes = 4096;

  // Commands: offsets in the window.
  localparam logic [11:0] CommandRelease = 12'h600;
  localparam logic [11:0] CommandSend = 12'h604;
  localparam logic [11:0] CommandStart = 12'h608;

  // Regions: offset of number 0.
  localparam logic [11:0] RegionFrame = 12'h000;
  localparam logic [11:0] RegionRoundTrip = 12'h800;

  // Answers.
  localparam logic [31:0] AnswerDone = 32'h00000000;
  localparam logic [31:0] AnswerNone = 32'hFFFFFFFF;

  // Registers: offsets in the window.
  localparam logic [11:0] RegIdentity = 12'hC00;
  localparam logic [11:0] RegFactsHash = 12'hC04;
  localparam logic [11:0] RegSizes = 12'hC08;
  localparam logic [11:0] RegCore = 12'hC0C;
  localparam logic [11:0] RegRefused = 12'hC10;
  localparam logic [11:0] RegAnswer = 12'hC14;
  localparam logic [11:0] RegLength = 12'hC18;
  localparam logic [11:0] RegRoom = 12'hC1C;
  localparam logic [11:0] RegAccepted = 12'hC20;
  localparam logic [11:0] RegLost = 12'hC24;
  localparam logic [11:0] RegForeign = 12'hC28;
  localparam logic [11:0] RegMalformed = 12'hC2C;
  localparam logic [11:0] RegSent = 12'hC30;
  localparam logic [11:0] RegStation = 12'hC34;
  localparam logic [11:0] RegForm = 12'hD00;
  localparam logic [11:0] RegBytes = 12'hD04;
  localparam logic [11:0] RegPeriod = 12'hD08;
  localparam logic [11:0] RegLoss = 12'hD0C;
  localparam logic [11:0] RegReorder = 12'hD10;
  localparam logic [11:0] RegCorrupt = 12'hD14;
  localparam logic [11:0] RegSeed = 12'hD18;
  localparam logic [11:0] RegBusy = 12'hD1C;
  localparam logic [11:0] RegOffered = 12'hD20;
  localparam logic [11:0] RegDropped = 12'hD24;
  localparam logic [11:0] RegCorrupted = 12'hD28;
  localparam logic [11:0] RegReplies = 12'hD2C;
  localparam logic [11:0] RegWrong = 12'hD30;
  localparam logic [11:0] RegDisordered = 12'hD34;
  localparam logic [11:0] RegOthers = 12'hD38;

  // Limits of the parameters.
  localparam int unsigned SlotsMin = 2;
  localparam int unsigned SlotsMax = 16;
  localparam int unsigned WordsMin = 32;
  localparam int unsigned WordsMax = 384;
  localparam int unsigned SamplesMin = 2;
  localparam int unsigned SamplesMax = 256;
  localparam int unsigned CoresMin = 1;
  localparam int unsigned CoresMax = 4;

  // verilator lint_on UNUSEDPARAM

endpackage
