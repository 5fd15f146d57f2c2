// SPDX-License-Identifier: Apache-2.0
// mel_core_tile: one core with its bus, its devices and, where the system has them, its two caches.
// Contract: ports of mel_obi_pkg to the memory (instructions, data) and to what stands at UnitBase. `irq_timer_i`, `irq_software_i` and
// `irq_external_i` come from there; a system that has nothing there has a timer and an interrupt controller in the tile, for `irq_lines_i`.
// Timing: adds no cycle; `slow_wait_i` as in mel_bus.
module mel_core_tile
  import mel_system_pkg::*;
  import mel_obi_pkg::*;
#(
  parameter int unsigned HartId = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      slow_wait_i,

  output logic             instr_req_o,
  input  logic             instr_gnt_i,
  output logic [31:0]      instr_addr_o,
  input  logic             instr_rvalid_i,
  input  obi_r_t           instr_r_i,

  output logic             memory_req_o,
  input  logic             memory_gnt_i,
  output obi_a_t           memory_a_o,
  input  logic             memory_rvalid_i,
  input  logic [31:0]      memory_rdata_i,
  input  logic             store_i,          // the memory takes a store, of any core, in this cycle
  input  logic [31:0]      store_addr_i,

  output logic             unit_req_o,
  input  logic             unit_gnt_i,
  output obi_a_t           unit_a_o,
  input  logic             unit_rvalid_i,
  input  obi_r_t           unit_r_i,

  input  logic [Lines-1:0] irq_lines_i,
  input  logic             irq_software_i,
  input  logic             irq_timer_i,
  input  logic             irq_external_i,

  output from_contexts_t   contexts_o,
  input  to_contexts_t     contexts_i
`ifdef MEL_BOARD
  ,
  output mel_host_pkg::host_a_t host_a_o,
  input  mel_host_pkg::host_r_t host_r_i
`endif
);
  localparam bit OwnTimer = !HasUnit && !HasSharedDevices;
  localparam bit AtOnce   = CoreType == Ibex;   // it goes on behind the response of a store only

  // The core's two ports, in front of its caches.
  logic        fetch_req, fetch_gnt, fetch_rvalid;
  logic [31:0] fetch_addr;
  obi_r_t      fetch_r;
  logic        data_req, data_gnt, data_rvalid;
  obi_a_t      data_a;
  obi_r_t      data_r;
  logic        to_memory, to_device, to_unit;    // an access of the data port goes there
  logic        memory_takes, device_takes, unit_takes;
  logic        load_req, load_gnt, load_rvalid;  // share of the data port that goes to the memory
  obi_a_t      load_a;
  obi_a_t      held_a;                          // the access, while its owner may take it
  logic [31:0] load_rdata;
  logic        device_req, device_rvalid;
  // verilator lint_off UNUSEDSIGNAL
  obi_a_t      device_a;                        // devices take whole words, and decode 16 bits
  // verilator lint_on UNUSEDSIGNAL
  logic        silent;
  obi_r_t      device_r;
  logic        own_timer, own_external, irq_timer, irq_external;

  assign irq_timer    = OwnTimer ? own_timer : irq_timer_i;
  assign irq_external = OwnTimer ? own_external : irq_external_i;

  if (CoreType == VexRiscv) begin : gen_core
    mel_core_vexriscv #(
      .BootAddress(MemoryBase),
      .HartId     (HartId)
    ) u_core (
      .clk_i,
      .rst_ni,
      .instr_req_o   (fetch_req),
      .instr_gnt_i   (fetch_gnt),
      .instr_addr_o  (fetch_addr),
      .instr_rvalid_i(fetch_rvalid),
      .instr_rdata_i (fetch_r.rdata),
      .instr_err_i   (fetch_r.err),
      .data_req_o    (data_req),
      .data_gnt_i    (data_gnt),
      .data_we_o     (data_a.we),
      .data_be_o     (data_a.be),
      .data_addr_o   (data_a.addr),
      .data_wdata_o  (data_a.wdata),
      .data_rvalid_i (data_rvalid),
      .data_rdata_i  (data_r.rdata),
      .data_err_i    (data_r.err),
      .irq_software_i,
      .irq_timer_i   (irq_timer),
      .irq_external_i(irq_external)
    );
  end else if (Resident != 0) begin : gen_core
    mel_core_ibex_banked #(
      .Small      (SmallCores[HartId]),
      .BootAddress(MemoryBase),
      .Tasks      (Sizes.Tasks),
      .Resident   (Resident),
      .Cores      (Cores),
      .MemoryBits ($clog2(MemoryBytes)),
      .HartId     (HartId)
    ) u_core (
      .clk_i,
      .rst_ni,
      .instr_req_o   (fetch_req),
      .instr_gnt_i   (fetch_gnt),
      .instr_addr_o  (fetch_addr),
      .instr_rvalid_i(fetch_rvalid),
      .instr_rdata_i (fetch_r.rdata),
      .instr_err_i   (fetch_r.err),
      .data_req_o    (data_req),
      .data_gnt_i    (data_gnt),
      .data_we_o     (data_a.we),
      .data_be_o     (data_a.be),
      .data_addr_o   (data_a.addr),
      .data_wdata_o  (data_a.wdata),
      .data_rvalid_i (data_rvalid),
      .data_rdata_i  (data_r.rdata),
      .data_err_i    (data_r.err),
      .irq_software_i,
      .irq_timer_i   (irq_timer),
      .irq_external_i(irq_external),
      .ask_o         (contexts_o.ask),
      .ask_gnt_i     (contexts_i.ask_gnt),
      .dispatch_i    (contexts_i.dispatch),
      .running_i     (contexts_i.running),
      .next_i        (contexts_i.next),
      .answer_i      (contexts_i.answer),
      .forget_o      (contexts_o.forget),
      .task_o        (contexts_o.task_id),
      .forget_gnt_i  (contexts_i.forget_gnt),
      .drop_i        (contexts_i.drop),
      .fetch_o       (contexts_o.fetch),
      .fetch_gnt_i   (contexts_i.fetch_gnt),
      .fetch_own_i   (contexts_i.fetch_own),
      .fetch_data_i  (contexts_i.fetch_data),
      .serve_i       (contexts_i.serve),
      .serve_data_o  (contexts_o.serve_data)
    );
  end else begin : gen_core
    mel_core_ibex #(
      .Small      (SmallCores[HartId]),
      .Pmp        (HasPmp),
      .BootAddress(MemoryBase),
      .HartId     (HartId)
    ) u_core (
      .clk_i,
      .rst_ni,
      .instr_req_o   (fetch_req),
      .instr_gnt_i   (fetch_gnt),
      .instr_addr_o  (fetch_addr),
      .instr_rvalid_i(fetch_rvalid),
      .instr_rdata_i (fetch_r.rdata),
      .instr_err_i   (fetch_r.err),
      .data_req_o    (data_req),
      .data_gnt_i    (data_gnt),
      .data_we_o     (data_a.we),
      .data_be_o     (data_a.be),
      .data_addr_o   (data_a.addr),
      .data_wdata_o  (data_a.wdata),
      .data_rvalid_i (data_rvalid),
      .data_rdata_i  (data_r.rdata),
      .data_err_i    (data_r.err),
      .irq_software_i,
      .irq_timer_i   (irq_timer),
      .irq_external_i(irq_external)
    );
  end

  if (Resident == 0) begin : gen_no_contexts
    logic unused_contexts;
    assign unused_contexts = ^contexts_i;
    assign contexts_o      = '0;
  end

  mel_bus #(
    .MemoryBase (MemoryBase),
    .MemoryBytes(MemoryBytes),
    .DeviceBase (DeviceBase),
    .UnitBase   (UnitBase),
    .UnitBytes  ((Components != 0) ? mel_pkg::WindowBytes + 4096 * Components : HasUnit ? mel_pkg::WindowBytes : 65536),
    .HasUnit    (!OwnTimer || Components != 0),
    .HasPort    (HasPort),
    .AtOnce     (AtOnce)
  ) u_bus (
    .clk_i,
    .rst_ni,
    .req_i          (data_req),
    .gnt_o          (data_gnt),
    .addr_i         (data_a.addr),
    .rvalid_o       (data_rvalid),
    .rdata_o        (data_r.rdata),
    .err_o          (data_r.err),
    .memory_req_o   (to_memory),
    .memory_gnt_i   (memory_takes),
    .memory_rvalid_i(load_rvalid),
    .memory_rdata_i (load_rdata),
    .device_req_o   (to_device),
    .device_gnt_i   (device_takes),
    .device_rvalid_i(device_rvalid),
    .device_rdata_i (device_r.rdata),
    .device_err_i   (device_r.err),
    .unit_req_o     (to_unit),
    .unit_gnt_i     (unit_takes),
    .unit_rvalid_i,
    .unit_rdata_i   (unit_r_i.rdata),
    .unit_err_i     (unit_r_i.err),
    .silent_o       (silent)
  );

  assign load_a   = held_a;
  assign device_a = held_a;
  assign unit_a_o = held_a;
  mel_hold #(.Owners(3), .AtOnce(AtOnce)) u_hold (
    .clk_i, .rst_ni,
    .wait_i((to_device || (to_unit && !HasPort)) ? slow_wait_i : 16'd0),
    .drop_i({silent, 1'b0, 1'b0}),
    .req_i ({to_unit, to_device, to_memory}),
    .gnt_o ({unit_takes, device_takes, memory_takes}),
    .a_i   (data_a),
    .req_o ({unit_req_o, device_req, load_req}),
    .gnt_i ({unit_gnt_i, 1'b1, load_gnt}),
    .a_o   (held_a)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) device_rvalid <= 1'b0;
    else         device_rvalid <= device_req;
  end

  mel_devices #(
    .HasTimer(OwnTimer),
    .Core    (HartId),
    .Lines   (Lines)
  ) u_devices (
    .clk_i,
    .rst_ni,
    .req_i         (device_req),
    .we_i          (device_a.we),
    .addr_i        (device_a.addr[15:0]),
    .wdata_i       (device_a.wdata),
    .rdata_o       (device_r.rdata),
    .err_o         (device_r.err),
    .irq_i         (irq_lines_i),
    .irq_timer_o   (own_timer),
    .irq_external_o(own_external)
`ifdef MEL_BOARD
    ,
    .host_a_o,
    .host_r_i
`endif
  );

  if (CacheLines != 0) begin : gen_caches
    mel_cache_pair #(
      .Lines (CacheLines),
      .Base  (MemoryBase),
      .Bytes (MemoryBytes),
      .HartId(HartId)
    ) u_caches (
      .clk_i,
      .rst_ni,
      .fetch_req_i    (fetch_req),
      .fetch_gnt_o    (fetch_gnt),
      .fetch_addr_i   (fetch_addr),
      .fetch_rvalid_o (fetch_rvalid),
      .fetch_r_o      (fetch_r),
      .load_req_i     (load_req),
      .load_gnt_o     (load_gnt),
      .load_a_i       (load_a),
      .load_rvalid_o  (load_rvalid),
      .load_rdata_o   (load_rdata),
      .instr_req_o,
      .instr_gnt_i,
      .instr_addr_o,
      .instr_rvalid_i,
      .instr_r_i,
      .memory_req_o,
      .memory_gnt_i,
      .memory_a_o,
      .memory_rvalid_i,
      .memory_rdata_i,
      .store_i,
      .store_addr_i
    );
  end else begin : gen_no_caches
    assign instr_req_o  = fetch_req;
    assign fetch_gnt    = instr_gnt_i;
    assign instr_addr_o = fetch_addr;
    assign fetch_rvalid = instr_rvalid_i;
    assign fetch_r      = instr_r_i;
    assign memory_req_o = load_req;
    assign load_gnt     = memory_gnt_i;
    assign memory_a_o   = load_a;
    assign load_rvalid  = memory_rvalid_i;
    assign load_rdata   = memory_rdata_i;
    logic unused_stores;
    assign unused_stores = ^{store_i, store_addr_i};
  end

  logic unused_irq;
  assign unused_irq = ^{own_timer, own_external, irq_timer_i, irq_external_i, irq_lines_i};
endmodule
