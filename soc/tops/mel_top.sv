// SPDX-License-Identifier: Apache-2.0
// mel_top: a whole system, as mel_system_pkg says: core tiles, the memory, and beside them the hardware unit, or the devices that the cores
// of a software kernel share, or nothing. Memory map: docs/decisions/0002; every core sees its own devices and its own port of the unit at
// the same addresses.
// Wait states and interrupt lines are inputs, so that one simulation binary serves every run.
// With MEL_UNIT_CLOCK_2 (mel_system_pkg) the unit has a clock of its own, of twice the frequency: each edge of `clk_i` is one of `clk_unit_i`.
module mel_top
  import mel_system_pkg::*;
  import mel_obi_pkg::*;
(
  input logic                   clk_i,
`ifdef MEL_UNIT_CLOCK_2
  input logic                   clk_unit_i,
`endif
  input logic                   rst_ni,
  // Cycles added to the next grant: of the memory (instructions, data), of a device or the unit (of each core).
  input logic [15:0]            instr_wait_states_i,
  input logic [15:0]            data_wait_states_i,
  input logic [Cores-1:0][15:0] unit_wait_states_i,
  // Cycles of the next load's way over a slow bridge and back, and of the next store's.
  input logic [Cores-1:0][15:0] bridge_read_i,
  input logic [Cores-1:0][15:0] bridge_write_i,
  input logic [63:0]            irq_i  // interrupt lines of the next cycle, from the generator in soc/sim
`ifdef MEL_BOARD
  ,
  output mel_host_pkg::host_a_t [Cores-1:0] host_a_o,  // device region of each core, for the devices of soc/board
  input  mel_host_pkg::host_r_t [Cores-1:0] host_r_i
`endif
`ifdef MEL_BOARD_TRACE
  ,
  output mel_pkg::trace_t                   trace_tick_o,
  output mel_pkg::trace_t                   trace_step_o,
  output mel_pkg::trace_t [Cores-1:0]       trace_answer_o,
  output logic                              access_o,  // an access to the unit is granted
  input  logic                              hold_i     // none is
`endif
);
  localparam logic [63:0] Wired = ~(64'hFFFF_FFFF_FFFF_FFFF << Interrupts);

`ifdef MEL_ETHERNET
  // The MAC stands before what else is at UnitBase: accesses of the cores, and its interrupt lines.
  logic [Cores-1:0]       core_req, core_gnt, core_rvalid;
  obi_a_t [Cores-1:0]     core_a;
  obi_r_t [Cores-1:0]     core_r;
  logic [63:0]            ethernet_lines;
`endif

  // Registered, so that no logic hangs on inputs: the simulator evaluates that logic twice a cycle.
  logic [15:0]            instr_wait_states_q, data_wait_states_q;
  logic [Cores-1:0][15:0] unit_wait_states_q, bridge_read_q, bridge_write_q;
  logic [63:0]            irq_q;
  always_ff @(posedge clk_i) begin
    instr_wait_states_q <= instr_wait_states_i;
    data_wait_states_q  <= data_wait_states_i;
    unit_wait_states_q  <= unit_wait_states_i;
    bridge_read_q       <= bridge_read_i;
    bridge_write_q      <= bridge_write_i;
`ifdef MEL_ETHERNET
    irq_q               <= (irq_i & Wired) | ethernet_lines;
`else
    irq_q               <= irq_i & Wired;
`endif
  end

  logic [Cores-1:0]        instr_req, instr_gnt, instr_rvalid;
  logic [Cores-1:0][31:0]  instr_addr;
  obi_r_t                  instr_r;
  logic [Cores-1:0]        memory_req, memory_gnt, memory_rvalid;
  obi_a_t [Cores-1:0]      memory_a;
  logic [31:0]             memory_rdata, store_addr;
  logic                    store;
  logic [Cores-1:0]        unit_req, unit_gnt, unit_rvalid;
  obi_a_t [Cores-1:0]      unit_a;
  obi_r_t [Cores-1:0]      unit_r;
  logic [Cores-1:0]        rest_req, rest_gnt, rest_rvalid;  // accesses to the unit that are no component's
  obi_r_t [Cores-1:0]      rest_r;
  logic [63:0]             irq_lines;
  logic [Cores-1:0]        irq_software, irq_timer, irq_external;
  from_contexts_t [Cores-1:0] from_contexts;
  to_contexts_t [Cores-1:0]   to_contexts;

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    mel_core_tile #(
      .HartId(i)
    ) u_tile (
      .clk_i,
      .rst_ni,
      .slow_wait_i    (unit_wait_states_q[i]),
      .instr_req_o    (instr_req[i]),
      .instr_gnt_i    (instr_gnt[i]),
      .instr_addr_o   (instr_addr[i]),
      .instr_rvalid_i (instr_rvalid[i]),
      .instr_r_i      (instr_r),
      .memory_req_o   (memory_req[i]),
      .memory_gnt_i   (memory_gnt[i]),
      .memory_a_o     (memory_a[i]),
      .memory_rvalid_i(memory_rvalid[i]),
      .memory_rdata_i (memory_rdata),
      .store_i        (store),
      .store_addr_i   (store_addr),
`ifdef MEL_ETHERNET
      .unit_req_o     (core_req[i]),
      .unit_gnt_i     (core_gnt[i]),
      .unit_a_o       (core_a[i]),
      .unit_rvalid_i  (core_rvalid[i]),
      .unit_r_i       (core_r[i]),
`else
      .unit_req_o     (unit_req[i]),
      .unit_gnt_i     (unit_gnt[i]),
      .unit_a_o       (unit_a[i]),
      .unit_rvalid_i  (unit_rvalid[i]),
      .unit_r_i       (unit_r[i]),
`endif
      .irq_lines_i    (irq_lines[Lines-1:0]),
      .irq_software_i (irq_software[i]),
      .irq_timer_i    (irq_timer[i]),
      .irq_external_i (irq_external[i]),
      .contexts_o     (from_contexts[i]),
      .contexts_i     (to_contexts[i])
`ifdef MEL_BOARD
      ,
      .host_a_o       (host_a_o[i]),
      .host_r_i       (host_r_i[i])
`endif
    );
  end

  mel_memory_tile u_memory_tile (
    .clk_i,
    .rst_ni,
    .instr_wait_states_i(instr_wait_states_q),
    .data_wait_states_i (data_wait_states_q),
    .instr_req_i        (instr_req),
    .instr_gnt_o        (instr_gnt),
    .instr_addr_i       (instr_addr),
    .instr_rvalid_o     (instr_rvalid),
    .instr_r_o          (instr_r),
    .data_req_i         (memory_req),
    .data_gnt_o         (memory_gnt),
    .data_a_i           (memory_a),
    .data_rvalid_o      (memory_rvalid),
    .data_rdata_o       (memory_rdata),
    .store_o            (store),
    .store_addr_o       (store_addr)
  );

`ifdef MEL_ETHERNET
  mel_ethernet_tile u_ethernet_tile (
    .clk_i,
    .rst_ni,
    .req_i        (core_req),
    .gnt_o        (core_gnt),
    .a_i          (core_a),
    .rvalid_o     (core_rvalid),
    .r_o          (core_r),
    .rest_req_o   (unit_req),
    .rest_gnt_i   (unit_gnt),
    .rest_a_o     (unit_a),
    .rest_rvalid_i(unit_rvalid),
    .rest_r_i     (unit_r),
    .irq_lines_o  (ethernet_lines)
  );
`endif

  if (Components != 0) begin : gen_components
    logic [63:0] raised;
    mel_component_tile u_tile (
      .clk_i,
      .rst_ni,
      .req_i        (unit_req),
      .gnt_o        (unit_gnt),
      .a_i          (unit_a),
      .rvalid_o     (unit_rvalid),
      .r_o          (unit_r),
      .rest_req_o   (rest_req),
      .rest_gnt_i   (rest_gnt),
      .rest_rvalid_i(rest_rvalid),
      .rest_r_i     (rest_r),
      .irq_lines_o  (raised)
    );
    assign irq_lines = irq_q | raised;
  end else begin : gen_no_components
    assign rest_req    = unit_req;
    assign unit_gnt    = rest_gnt;
    assign unit_rvalid = rest_rvalid;
    assign unit_r      = rest_r;
    assign irq_lines   = irq_q;
  end

  if (HasUnit) begin : gen_unit
    mel_unit_tile u_tile (
      .clk_i,
`ifdef MEL_UNIT_CLOCK_2
      .clk_unit_i,
`endif
      .rst_ni,
      .bridge_read_i (bridge_read_q),
      .bridge_write_i(bridge_write_q),
      .req_i         (rest_req),
      .gnt_o         (rest_gnt),
      .a_i           (unit_a),
      .rvalid_o      (rest_rvalid),
      .r_o           (rest_r),
      .irq_lines_i   (irq_lines),
      .irq_dispatch_o(irq_software),
      .irq_handler_o (irq_external),
      .contexts_i    (from_contexts),
      .contexts_o    (to_contexts)
`ifdef MEL_BOARD_TRACE
      ,
      .trace_tick_o,
      .trace_step_o,
      .trace_answer_o,
      .access_o,
      .hold_i
`endif
    );
    assign irq_timer = '0;
  end else begin : gen_no_unit
    if (HasSharedDevices) begin : gen_shared
      mel_shared_tile u_tile (
        .clk_i,
        .rst_ni,
        .req_i         (rest_req),
        .gnt_o         (rest_gnt),
        .a_i           (unit_a),
        .rvalid_o      (rest_rvalid),
        .r_o           (rest_r),
        .irq_lines_i   (irq_lines[Lines-1:0]),
        .irq_timer_o   (irq_timer),
        .irq_software_o(irq_software),
        .irq_external_o(irq_external)
      );
    end else begin : gen_nothing
      assign rest_gnt     = '0;
      assign rest_rvalid  = '0;
      assign rest_r       = '0;
      assign irq_timer    = '0;
      assign irq_software = '0;
      assign irq_external = '0;
      logic unused_unit;
      assign unused_unit = ^{rest_req, unit_a};
    end
    assign to_contexts = '0;
    logic unused_contexts;
    assign unused_contexts = ^{from_contexts, bridge_read_q, bridge_write_q};
  end

  logic unused_irq;
  assign unused_irq = ^irq_lines;
endmodule
