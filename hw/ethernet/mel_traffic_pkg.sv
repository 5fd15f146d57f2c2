// SPDX-License-Identifier: Apache-2.0
// mel_traffic_pkg: the wire between MAC and traffic generator, and what generator and checker agree on: addresses, ports, payload, the sum of checksums.
package mel_traffic_pkg;

  // No single module uses every constant.
  // verilator lint_off UNUSEDPARAM
  localparam logic [47:0] Station   = 48'h024D_454C_0001;  // address of the MAC
  localparam logic [47:0] Generator = 48'h024D_454C_0002;
  localparam logic [31:0] StationIp   = 32'h0A00_0001;     // 10.0.0.1
  localparam logic [31:0] GeneratorIp = 32'h0A00_0002;
  localparam logic [15:0] EchoPort = 16'd7;
  localparam logic [15:0] OwnPort  = 16'd49152;
  localparam logic [15:0] EchoId   = 16'h4D45;             // identifier of ICMP echo requests

  localparam int unsigned ByteCycles = 8;    // 100 Mbit/s at 100 MHz
  localparam int unsigned GapBytes   = 24;   // checksum of the frame, gap and preamble: on the wire, and not in the stream
  localparam int unsigned LeastBytes = 60;   // frame without its checksum
  localparam int unsigned MostBytes  = 1514;

  localparam logic [1:0] FormUdp = 2'd0, FormIcmp = 2'd1, FormArp = 2'd2;
  typedef enum logic [2:0] {DefectNone, DefectIp, DefectStation, DefectFragment, DefectSum, DefectCut, DefectShort} defect_e;
  // verilator lint_on UNUSEDPARAM

  // One byte of a frame.
  typedef struct packed {
    logic       valid;
    logic       last;
    logic [7:0] data;
  } wire_t;

  // Settings of the generator, as its registers have them.
  typedef struct packed {
    logic [1:0]  form;
    defect_e     defect;
    logic [10:0] bytes;
    logic [31:0] period;
    logic [15:0] loss;
    logic [15:0] reorder;
    logic [15:0] corrupt;
  } traffic_t;

  // Sum in one's complement (RFC 1071).
  function automatic logic [15:0] sum(input logic [15:0] a, input logic [15:0] b);
    logic [16:0] whole;
    whole = {1'b0, a} + {1'b0, b};
    return whole[15:0] + 16'(whole[16]);
  endfunction

  // Half-word of a payload: the frame's number first.
  function automatic logic [15:0] payload(input logic [15:0] number, input logic [9:0] place);
    if (place == '0) return number;
    return {number[7:0] ^ place[7:0], place[7:0] + 8'h5A} ^ {6'd0, place};
  endfunction

endpackage
