// SPDX-License-Identifier: Apache-2.0
// mel_booster: the register view of the booster (decision 0022) and its timer of 1 µs, between a bridge and an access port of the unit.
// Contract: an access to one of the view's registers becomes one access of the unit: the command, register or answer that mel_booster_pkg
// states. Accesses outside the view pass unchanged. What is in the view and no register of this core, is not legal there, or is not 32 bits
// wide, goes on without byte enables: the unit refuses it, and counts it in register `refused`. A load of `microseconds` goes to the
// unit as a load of `identity`, which has no effect; the timer takes the place of its data.
// Timing: requests and responses pass combinationally, no cycle is added. The timer is that of the response's cycle; it counts every
// ClockMhz cycles from reset on.
// Needs: one request under way at a time, as every access port has (mel_bridge_port).
module mel_booster #(
  parameter int unsigned Core     = 0,   // the number of the core, and of its processor; one of no processor has the shared registers only
  parameter int unsigned ClockMhz = 100  // 1..1000
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        req_write_i,
  input  mel_pkg::offset_t req_addr_i,
  input  logic [3:0]  req_be_i,
  input  logic [31:0] req_wdata_i,
  output logic        rsp_valid_o,
  output logic [31:0] rsp_rdata_o,

  output logic        req_valid_o,
  input  logic        req_ready_i,
  output logic        req_write_o,
  output mel_pkg::offset_t req_addr_o,
  output logic [3:0]  req_be_o,
  output logic [31:0] req_wdata_o,
  input  logic        rsp_valid_i,
  input  logic [31:0] rsp_rdata_i
);
  import mel_booster_pkg::*;

  if (ClockMhz < 1 || ClockMhz > 1000) begin : gen_range_clock
    $fatal(1, "mel_booster: parameter ClockMhz = %0d is out of range 1..1000", ClockMhz);
  end

  localparam bit          HasOwn  = Core < Processors;
  localparam logic [7:0]  OwnBase = HasOwn ? 8'(Core) * OwnBytes : 8'd0;
  localparam mel_pkg::offset_t Harmless = mel_pkg::RegIdentity;
  localparam logic [5:0]  OpNone  = '1;  // there the window has its registers, which no service call may reach

  // ---- which register ---------------------------------------------------------------------------------------------------

  logic       in_view, own, shared, service, microseconds;
  logic [7:0] offset;
  logic [3:0] slot;
  target_t    target;

  assign in_view = (req_addr_i & ~(ViewBytes - 17'd1)) == ViewBase;
  assign offset  = {req_addr_i[7:2], 2'b00};
  assign own     = in_view && HasOwn && offset - OwnBase < OwnBytes;  // modulo 2^8
  assign shared  = in_view && offset >= SharedBase && offset - SharedBase < 8'd4 * (8'd16 - 8'(OwnSlots));
  assign slot    = own ? 4'((offset - OwnBase) >> 2) : 4'(((offset - SharedBase) >> 2) + 8'(OwnSlots));
  assign target  = !(own || shared) ? '0 : req_write_i ? Stores[slot] : Loads[slot];
  assign service = own && req_write_i && slot == SlotService && req_wdata_i[31:26] != OpNone;
  assign microseconds = shared && !req_write_i && slot == SlotMicroseconds;

  // ---- requests -----------------------------------------------------------------------------------------------------------

  assign req_valid_o = req_valid_i;
  assign req_ready_o = req_ready_i;
  assign req_write_o = req_write_i;

  always_comb begin
    req_addr_o  = req_addr_i;
    req_be_o    = req_be_i;
    req_wdata_o = req_wdata_i;
    if (service) begin
      req_addr_o  = {1'b0, req_wdata_i[31:18], req_addr_i[1:0]};
      req_wdata_o = {{14{req_wdata_i[17]}}, req_wdata_i[17:0]};
    end else if (microseconds) begin
      req_addr_o = Harmless | {15'd0, req_addr_i[1:0]};
    end else if (target.legal) begin
      req_addr_o = target.offset | {15'd0, req_addr_i[1:0]};
    end else if (in_view) begin
      req_be_o = '0;
    end
  end

  // ---- the timer, and its answer --------------------------------------------------------------------------------------------

  localparam int unsigned CountW = $clog2(1000);
  logic [CountW-1:0] count_q;
  logic [31:0]       time_q;
  logic              asked_q;   // the request under way asks for the timer, and is legal
  logic              turn;

  assign turn = count_q == CountW'(ClockMhz - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      time_q  <= '0;
      asked_q <= 1'b0;
    end else begin
      count_q <= turn ? '0 : count_q + CountW'(1);
      time_q  <= time_q + 32'(turn);
      if (req_valid_i && req_ready_i) begin
        asked_q <= microseconds && req_be_i == '1 && req_addr_i[1:0] == 2'b00;
      end
    end
  end

  assign rsp_valid_o = rsp_valid_i;
  assign rsp_rdata_o = asked_q ? time_q : rsp_rdata_i;

endmodule
