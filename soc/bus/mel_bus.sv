// SPDX-License-Identifier: Apache-2.0
// mel_bus: decodes one core's data port to memory, devices and the hardware unit.
// Contract: OBI-like. One access is outstanding at a time; the next is granted in the cycle in which the former is answered. An address
// that nobody owns is granted at once and answered in the next cycle with `err`. So is the unit's once it has been silent for longer than
// UnitPatience cycles, until reset: a core that asks a dead unit takes a bus error and never hangs.
// With HasPort the unit answers also at the end of the address space (hw/bridges/mel_port.sv translates), and it stands before the bus.
// With AtOnce whoever it asks takes the access in the same cycle (mel_hold): the grant follows from registers, and the address decides nothing but whom it asks.
// Every base is a multiple of its region's size, rounded up to a power of two: a region is decoded by the high bits of the address, and no carry
// stands between the core's address and its grant.
// Timing: adds no cycle.
// UnitPatience + 1 cycles after the first in which the unit owed a grant or an answer, the bus gives it instead.
module mel_bus #(
  parameter logic [31:0] MemoryBase   = 32'h1000_0000,
  parameter int unsigned MemoryBytes  = 262144,         // multiple of 4
  parameter logic [31:0] DeviceBase   = 32'h2000_0000,  // 64 KiB from there
  parameter logic [31:0] UnitBase     = 32'h4000_0000,
  parameter int unsigned UnitBytes    = mel_pkg::WindowBytes,
  parameter bit          HasUnit      = 1'b0,
  parameter bit          HasPort      = 1'b0,           // only with HasUnit
  parameter bit          AtOnce       = 1'b0,
  // Cycles. Far longer than the unit ever keeps a core waiting: the few hundred in which it clears its memories after reset.
  parameter logic [15:0] UnitPatience = 16'hFFFF
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_i,
  output logic        gnt_o,
  input  logic [31:0] addr_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,

  // we, be, address and write data of the access go to all three; `*_req_o` selects.
  output logic        memory_req_o,
  input  logic        memory_gnt_i,
  input  logic        memory_rvalid_i,
  input  logic [31:0] memory_rdata_i,

  output logic        device_req_o,
  input  logic        device_gnt_i,
  input  logic        device_rvalid_i,
  input  logic [31:0] device_rdata_i,
  input  logic        device_err_i,

  output logic        unit_req_o,
  input  logic        unit_gnt_i,
  input  logic        unit_rvalid_i,
  input  logic [31:0] unit_rdata_i,
  input  logic        unit_err_i,
  output logic        silent_o             // it did not grant or answer in time, and is asked no more
);
  // Low bits of a region: those below its size, rounded up to a power of two.
  localparam logic [31:0] MemoryLow = 32'(2 ** $clog2(MemoryBytes) - 1);
  localparam logic [31:0] UnitLow   = 32'(2 ** $clog2(UnitBytes) - 1);
  localparam logic [31:0] PortLow   = 32'(2 ** $clog2(mel_pkg::PortBytes) - 1);

  if ((MemoryBase & MemoryLow) != '0 || (UnitBase & UnitLow) != '0) begin : gen_bad_base
    $error("mel_bus: MemoryBase and UnitBase must be multiples of their region's size, rounded up to a power of two");
  end

  typedef enum logic [1:0] {TargetNone, TargetMemory, TargetDevice, TargetUnit} target_e;

  target_e target, target_q;
  logic    pending_q;
  logic    open;          // an access may be granted in this cycle
  logic    at_unit;       // the address is one of the unit's
  logic    granted;
  logic    silent_q;      // the unit did not grant or answer in time: it is absent

  function automatic logic owns(logic [31:0] addr, logic [31:0] base, logic [31:0] low, int unsigned bytes);
    return (addr & ~low) == base && (low == bytes - 32'd1 || (addr & low) < bytes);
  endfunction

  assign at_unit = owns(addr_i, UnitBase, UnitLow, UnitBytes)
                || (HasPort && owns(addr_i, mel_pkg::PortBase, PortLow, mel_pkg::PortBytes));

  always_comb begin
    target = TargetNone;
    if (owns(addr_i, MemoryBase, MemoryLow, MemoryBytes)) target = TargetMemory;
    else if (addr_i[31:16] == DeviceBase[31:16]) target = TargetDevice;
    else if (HasUnit && !silent_q && at_unit) target = TargetUnit;
  end

  assign open         = !pending_q || rvalid_o;
  assign memory_req_o = req_i && open && target == TargetMemory;
  assign device_req_o = req_i && open && target == TargetDevice;
  assign unit_req_o   = req_i && open && target == TargetUnit;

  always_comb begin
    granted = req_i && open;
    if (!AtOnce) begin
      unique case (target)
        TargetMemory: granted = memory_req_o && memory_gnt_i;
        TargetDevice: granted = device_req_o && device_gnt_i;
        TargetUnit:   granted = unit_req_o && unit_gnt_i;
        default: ;
      endcase
    end
  end
  assign gnt_o    = AtOnce ? open : granted;
  assign silent_o = silent_q;

  logic [15:0] patience_q;
  logic        owing;    // the unit owes a grant or an answer
  logic        give_up;
  assign owing   = (unit_req_o && !unit_gnt_i) || (pending_q && target_q == TargetUnit && !unit_rvalid_i);
  assign give_up = owing && patience_q == UnitPatience;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      patience_q <= '0;
      silent_q   <= 1'b0;
    end else begin
      patience_q <= owing ? patience_q + 16'd1 : '0;
      silent_q   <= silent_q || give_up;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      target_q  <= TargetNone;
    end else begin
      if (granted) begin
        pending_q <= 1'b1;
        target_q  <= target;
      end else if (rvalid_o) begin
        pending_q <= 1'b0;
      end
      if (give_up) target_q <= TargetNone;  // answer the access with `err`, and do not take the unit's late answer for another's
    end
  end

  always_comb begin
    rvalid_o = pending_q;
    rdata_o  = 32'd0;
    err_o    = 1'b0;
    unique case (target_q)
      TargetMemory: begin
        rvalid_o = pending_q && memory_rvalid_i;
        rdata_o  = memory_rdata_i;
      end
      TargetDevice: begin
        rvalid_o = pending_q && device_rvalid_i;
        rdata_o = device_rdata_i;
        err_o   = device_err_i;
      end
      TargetUnit: begin
        rvalid_o = pending_q && unit_rvalid_i;
        rdata_o  = unit_rdata_i;
        err_o    = unit_err_i;
      end
      default: err_o = 1'b1;
    endcase
  end

endmodule
