// SPDX-License-Identifier: Apache-2.0
// mel_port: the short form of the window (coupling `port`, decision 0014): turns an access to the end of the address space, which a
// core reaches with no address in a register, into an access to the core's window. Stands before a bridge of the unit.
// Contract: `addr_i` is the address of an access to the window or to the port; at the window's addresses it passes unchanged. Below
// PortRegisters a store is a command (packed: of the object in the low bits of the word, the rest is the argument, sign-extended;
// plain: of object 0, the word is the argument), a load the answer. From PortRegisters on offsets are those of the window. What is
// none of this goes on without byte enables: the unit refuses it, and counts it in register `refused`.
// Timing: combinational, a comparison and a multiplexer of address and data; the request's handshake does not pass through it.
module mel_port (
  input  logic        we_i,
  input  logic [31:0] addr_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] wdata_i,

  output mel_pkg::offset_t addr_o,   // offset in the window
  output logic [3:0]  be_o,
  output logic [31:0] wdata_o
);
  localparam int unsigned ObjectBits = mel_pkg::PortObjectBits;
  localparam logic [5:0]  OpNone     = '1;  // there the window has its registers, which no short form may reach

  logic       in_port, short_form, packed_form, plain_form;
  logic [5:0] op;

  assign in_port     = addr_i[31:11] == mel_pkg::PortBase[31:11];
  assign short_form  = in_port && addr_i[10:0] < mel_pkg::PortRegisters;
  assign op          = addr_i[7:2];
  assign packed_form = addr_i[10:8] == mel_pkg::PortPacked[10:8] && op != OpNone;
  assign plain_form  = addr_i[10:8] == mel_pkg::PortPlain[10:8] && op != OpNone;

  always_comb begin
    addr_o  = {addr_i[16] && !in_port, addr_i[15:0]};   // the port's registers are those of the window, in its first half
    be_o    = be_i;
    wdata_o = wdata_i;
    if (short_form && !we_i) begin
      addr_o = {15'd0, addr_i[1:0]};
    end else if (short_form && packed_form) begin
      addr_o  = {1'b0, op, wdata_i[ObjectBits-1:0], addr_i[1:0]};
      wdata_o = {{ObjectBits{wdata_i[31]}}, wdata_i[31:ObjectBits]};
    end else if (short_form && plain_form) begin
      addr_o = {1'b0, op, 8'd0, addr_i[1:0]};
    end else if (short_form) begin
      be_o = '0;
    end
  end

endmodule
