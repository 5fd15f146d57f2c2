// SPDX-License-Identifier: Apache-2.0
// mel_booster_pkg: the register view of the booster: what its registers are for the unit (hw/bridges/mel_booster.sv).
// Contract: the facts of spec/booster.yaml, nothing else.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_booster_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // In the window: where the view is; in the view: a processor's registers, the shared ones.
  localparam mel_pkg::offset_t ViewBase   = 17'h00200;
  localparam mel_pkg::offset_t ViewBytes  = 17'h00100;
  localparam int unsigned Processors = 3;
  localparam logic [7:0]  OwnBytes   = 8'h10;
  localparam logic [7:0]  SharedBase = 8'h40;

  // Registers that a core reaches: those of its processor, then the shared ones.
  localparam int unsigned OwnSlots = 4;
  localparam logic [3:0] SlotService = 4'd0;
  localparam logic [3:0] SlotWord = 4'd1;
  localparam logic [3:0] SlotRoundRobin = 4'd2;
  localparam logic [3:0] SlotRunning = 4'd3;
  localparam logic [3:0] SlotTimeLow = 4'd4;
  localparam logic [3:0] SlotTimeHigh = 4'd5;
  localparam logic [3:0] SlotTick = 4'd6;
  localparam logic [3:0] SlotPeriod = 4'd7;
  localparam logic [3:0] SlotMicroseconds = 4'd8;

  // Access that a store and a load of each become: {legal, offset in the window}.
  typedef struct packed {
    logic        legal;
    mel_pkg::offset_t offset;
  } target_t;

  localparam target_t [15:0] Stores = {
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // microseconds
    {1'b1, 17'h03800},  // period
    {1'b1, 17'h0A000},  // tick
    18'h0,  // time_high
    18'h0,  // time_low
    18'h0,  // running
    {1'b1, 17'h0E000},  // round_robin
    {1'b1, 17'h0FC34},  // word
    18'h0   // service
  };
  localparam target_t [15:0] Loads = {
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // none
    18'h0,  // microseconds
    18'h0,  // period
    {1'b1, 17'h0FC28},  // tick
    {1'b1, 17'h0FC24},  // time_high
    {1'b1, 17'h0FC20},  // time_low
    {1'b1, 17'h0FC10},  // running
    18'h0,  // round_robin
    {1'b1, 17'h0FC38},  // word
    {1'b1, 17'h00000}   // service
  };

  // verilator lint_on UNUSEDPARAM

endpackage
