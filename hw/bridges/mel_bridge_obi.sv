// SPDX-License-Identifier: Apache-2.0
// mel_bridge_obi: OBI subordinate (version 1.x, 32 bit, in order) to one access port of the hardware unit.
// Contract: `addr_i` is the byte offset in the core's window. One transfer is outstanding; the next may be granted in the cycle of
// the response. The unit answers every access, so `err_o` is never set (an illegal access is counted in register `refused`).
// Timing: combinational, adds no cycle. A store is granted in its request cycle and answered in the next, unless two
// accesses are already held; loads as in mel_access.
module mel_bridge_obi (
  input  logic        req_i,
  output logic        gnt_o,
  input  logic        we_i,
  input  mel_pkg::offset_t addr_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] wdata_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,

  output logic        req_valid_o,
  input  logic        req_ready_i,
  output logic        req_write_o,
  output mel_pkg::offset_t req_addr_o,
  output logic [3:0]  req_be_o,
  output logic [31:0] req_wdata_o,
  input  logic        rsp_valid_i,
  input  logic [31:0] rsp_rdata_i
);

  assign req_valid_o = req_i;
  assign gnt_o       = req_i && req_ready_i;
  assign req_write_o = we_i;
  assign req_addr_o  = addr_i;
  assign req_be_o    = be_i;
  assign req_wdata_o = wdata_i;
  assign rvalid_o    = rsp_valid_i;
  assign rdata_o     = rsp_rdata_i;
  assign err_o       = 1'b0;

endmodule
