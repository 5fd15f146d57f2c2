// SPDX-License-Identifier: Apache-2.0
// mel_component_tile: small units beside any kernel, each with a window of 4 KiB for every core, from UnitBase + mel_pkg::WindowBytes on: the deadlock
// detection unit, the memory management unit, as far as the system has them. Every other access goes on to what the system has at UnitBase besides.
// Contract: a port of mel_obi_pkg for each core. An access to no window, and beyond what there is besides, is answered with an error. A grant waits as the
// component does (mel_deadlock, mel_dmmu). `irq_lines_o` is a level on the line of each component that has one, for the edge of an interrupt line.
// Timing: adds no cycle.
module mel_component_tile
  import mel_system_pkg::*;
  import mel_obi_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic [Cores-1:0]   req_i,
  output logic [Cores-1:0]   gnt_o,
  input  obi_a_t [Cores-1:0] a_i,
  output logic [Cores-1:0]   rvalid_o,
  output obi_r_t [Cores-1:0] r_o,

  output logic [Cores-1:0]   rest_req_o,
  input  logic [Cores-1:0]   rest_gnt_i,
  input  logic [Cores-1:0]   rest_rvalid_i,
  input  obi_r_t [Cores-1:0] rest_r_i,

  output logic [63:0]        irq_lines_o
);
  localparam logic [31:0] DeadlockBase  = UnitBase + mel_pkg::WindowBytes;
  localparam logic [31:0] DmmuBase      = DeadlockBase + ((DeadlockProcesses != 0) ? 4096 : 0);
  localparam bit          HasRest       = HasUnit || HasSharedDevices;
  localparam int unsigned RestBits      = HasUnit ? $clog2(mel_pkg::WindowBytes) : 16;  // bits of an offset in what there is besides

  typedef enum logic [1:0] {TargetNone, TargetRest, TargetDeadlock, TargetDmmu} target_e;

  // Access ports of the components: a core's access is for all, and valid for one of them.
  logic [Cores-1:0]       req_write;
  logic [Cores-1:0][15:0] req_addr;
  logic [Cores-1:0][3:0]  req_be;
  logic [Cores-1:0][31:0] req_wdata;
  logic [Cores-1:0]       deadlock_valid, deadlock_ready, deadlock_rsp_valid;
  logic [Cores-1:0][31:0] deadlock_rsp_rdata;
  logic [Cores-1:0]       dmmu_valid, dmmu_ready, dmmu_rsp_valid;
  logic [Cores-1:0][31:0] dmmu_rsp_rdata;
  logic                   deadlock;

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    target_e     target, target_q;  // target of the access; that of the access that is answered
    logic        valid, gnt, rvalid, err, answered_q;
    logic [31:0] rdata;
    /* verilator lint_off UNUSEDSIGNAL */  // the window of a unit is larger than that of a component
    mel_pkg::offset_t far_addr;
    /* verilator lint_on UNUSEDSIGNAL */

    always_comb begin
      target = TargetNone;
      if ((HasRest && (a_i[i].addr - UnitBase) >> RestBits == '0) || (HasPort && a_i[i].addr - mel_pkg::PortBase < mel_pkg::PortBytes)) target = TargetRest;
      else if (DeadlockProcesses != 0 && a_i[i].addr - DeadlockBase < 4096) target = TargetDeadlock;
      else if (DmmuBlocks != 0 && a_i[i].addr - DmmuBase < 4096) target = TargetDmmu;
    end

    assign req_addr[i]       = far_addr[15:0];
    assign rest_req_o[i]     = req_i[i] && target == TargetRest;
    assign deadlock_valid[i] = valid && target == TargetDeadlock;
    assign dmmu_valid[i]     = valid && target == TargetDmmu;

    always_comb begin
      unique case (target)
        TargetRest:                 gnt_o[i] = rest_gnt_i[i];
        TargetDeadlock, TargetDmmu: gnt_o[i] = gnt;
        default:                    gnt_o[i] = req_i[i];
      endcase
      unique case (target_q)
        TargetRest: begin
          rvalid_o[i] = rest_rvalid_i[i];
          r_o[i]      = rest_r_i[i];
        end
        TargetDeadlock, TargetDmmu: begin
          rvalid_o[i] = rvalid;
          r_o[i]      = '{err: err, rdata: rdata};
        end
        default: begin
          rvalid_o[i] = answered_q;
          r_o[i]      = '{err: 1'b1, rdata: '0};
        end
      endcase
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        target_q   <= TargetNone;
        answered_q <= 1'b0;
      end else begin
        answered_q <= req_i[i] && target == TargetNone;
        if (req_i[i] && gnt_o[i]) target_q <= target;
      end
    end

    mel_bridge_obi u_bridge_obi (
      .req_i      (req_i[i] && (target == TargetDeadlock || target == TargetDmmu)),
      .gnt_o      (gnt),
      .we_i       (a_i[i].we),
      .addr_i     ({5'd0, a_i[i].addr[11:0]}),
      .be_i       (a_i[i].be),
      .wdata_i    (a_i[i].wdata),
      .rvalid_o   (rvalid),
      .rdata_o    (rdata),
      .err_o      (err),
      .req_valid_o(valid),
      .req_ready_i((target == TargetDmmu) ? dmmu_ready[i] : deadlock_ready[i]),
      .req_write_o(req_write[i]),
      .req_addr_o (far_addr),
      .req_be_o   (req_be[i]),
      .req_wdata_o(req_wdata[i]),
      .rsp_valid_i((target_q == TargetDmmu) ? dmmu_rsp_valid[i] : deadlock_rsp_valid[i]),
      .rsp_rdata_i((target_q == TargetDmmu) ? dmmu_rsp_rdata[i] : deadlock_rsp_rdata[i])
    );
  end

  if (DeadlockProcesses != 0) begin : gen_deadlock
    mel_deadlock #(
      .Processes(DeadlockProcesses),
      .Resources(DeadlockResources),
      .Cores    (Cores)
    ) u_deadlock (
      .clk_i,
      .rst_ni,
      .req_valid_i(deadlock_valid),
      .req_ready_o(deadlock_ready),
      .req_write_i(req_write),
      .req_addr_i (req_addr),
      .req_be_i   (req_be),
      .req_wdata_i(req_wdata),
      .rsp_valid_o(deadlock_rsp_valid),
      .rsp_rdata_o(deadlock_rsp_rdata),
      .irq_o      (deadlock)
    );
  end else begin : gen_no_deadlock
    assign deadlock_ready     = '1;
    assign deadlock_rsp_valid = '0;
    assign deadlock_rsp_rdata = '0;
    assign deadlock           = 1'b0;
    logic unused_requests;
    assign unused_requests = ^deadlock_valid;
  end

  if (DmmuBlocks != 0) begin : gen_dmmu
    mel_dmmu #(
      .Blocks(DmmuBlocks),
      .Owners(DmmuOwners),
      .Cores (Cores)
    ) u_dmmu (
      .clk_i,
      .rst_ni,
      .req_valid_i(dmmu_valid),
      .req_ready_o(dmmu_ready),
      .req_write_i(req_write),
      .req_addr_i (req_addr),
      .req_be_i   (req_be),
      .req_wdata_i(req_wdata),
      .rsp_valid_o(dmmu_rsp_valid),
      .rsp_rdata_o(dmmu_rsp_rdata)
    );
  end else begin : gen_no_dmmu
    assign dmmu_ready     = '1;
    assign dmmu_rsp_valid = '0;
    assign dmmu_rsp_rdata = '0;
    logic unused_requests;
    assign unused_requests = ^dmmu_valid;
  end

`ifdef MEL_ETHERNET
  // A system whose one component is the MAC has this tile for its error answers alone.
  logic unused_access;
  assign unused_access = ^{req_write, req_addr, req_be, req_wdata};
`endif

  assign irq_lines_o = 64'(deadlock) << DeadlockLine;
endmodule
