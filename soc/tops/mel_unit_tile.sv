// SPDX-License-Identifier: Apache-2.0
// mel_unit_tile: the hardware unit with what stands between its access ports and the cores' buses: a slow bridge or the window's short form
// on the side of the bus, the booster's registers or the question of a context switch on the side of the unit; what connects the cores' stores of contexts; the probe.
// Contract: a port of mel_obi_pkg for each core; `irq_dispatch_o` and `irq_handler_o` as in mel_unit.
// Timing: adds no cycle to mel_bridge_obi, mel_slow_bridge excepted. With MEL_UNIT_CLOCK_2 the unit runs at `clk_unit_i`, and a context switch gets
// the response to a dispatch a cycle behind it, as from a unit at the cores' clock (docs/decisions/0035). With UnitStage the cores see what the unit says out of
// registers of their clock (mel_clock_stage).
module mel_unit_tile
  import mel_system_pkg::*;
  import mel_obi_pkg::*;
(
  input  logic                    clk_i,
`ifdef MEL_UNIT_CLOCK_2
  input  logic                    clk_unit_i,
`endif
  input  logic                    rst_ni,
  input  logic [Cores-1:0][15:0]  bridge_read_i,   // cycles of the next load's way over a slow bridge, and of the next store's
  input  logic [Cores-1:0][15:0]  bridge_write_i,

  input  logic [Cores-1:0]        req_i,
  output logic [Cores-1:0]        gnt_o,
  input  obi_a_t [Cores-1:0]      a_i,
  output logic [Cores-1:0]        rvalid_o,
  output obi_r_t [Cores-1:0]      r_o,

  input  logic [63:0]             irq_lines_i,
  output logic [Cores-1:0]        irq_dispatch_o,
  output logic [Cores-1:0]        irq_handler_o,

  input  from_contexts_t [Cores-1:0] contexts_i,
  output to_contexts_t [Cores-1:0] contexts_o
`ifdef MEL_BOARD_TRACE
  ,
  output mel_pkg::trace_t             trace_tick_o,
  output mel_pkg::trace_t             trace_step_o,
  output mel_pkg::trace_t [Cores-1:0] trace_answer_o,
  output logic                        access_o,  // an access to the unit is granted
  input  logic                        hold_i     // none is
`endif
);
  localparam int unsigned IrqWidth = (Interrupts > 0) ? Interrupts : 1;

  // The unit's access ports.
  logic [Cores-1:0]            req_valid, req_ready, req_write, rsp_valid;
  mel_pkg::offset_t [Cores-1:0] req_addr;
  logic [Cores-1:0][3:0]       req_be;
  logic [Cores-1:0][31:0]      req_wdata, rsp_rdata;
  logic [Cores-1:0]            dispatch;
  logic [Cores-1:0][8:0]       running, next;
  logic [Cores-1:0][31:0]      answer;
  mel_pkg::trace_t             trace_tick, trace_step;
  mel_pkg::trace_t [Cores-1:0] trace_answer;

  for (genvar i = 0; i < Cores; i++) begin : gen_access
    // Behind the bus's side, in front of the bridge; then behind the bridge, in front of the unit.
    logic        near_req, near_gnt, near_we, near_rvalid, near_err;
    mel_pkg::offset_t near_addr;
    logic [3:0]  near_be;
    logic [31:0] near_wdata, near_rdata;
    logic        far_valid, far_ready, far_write, far_rsp;
    mel_pkg::offset_t far_addr;
    logic [3:0]  far_be;
    logic [31:0] far_wdata, far_rdata;

    if (Posted != 0) begin : gen_slow_bridge
      mel_slow_bridge #(
        .Posted(Posted)
      ) u_slow_bridge (
        .clk_i,
        .rst_ni,
        .read_cycles_i (bridge_read_i[i]),
        .write_cycles_i(bridge_write_i[i]),
        .req_i         (req_i[i]),
        .gnt_o         (gnt_o[i]),
        .we_i          (a_i[i].we),
        .addr_i        (mel_pkg::offset_t'(a_i[i].addr)),
        .be_i          (a_i[i].be),
        .wdata_i       (a_i[i].wdata),
        .rvalid_o      (rvalid_o[i]),
        .rdata_o       (r_o[i].rdata),
        .err_o         (r_o[i].err),
        .req_o         (near_req),
        .gnt_i         (near_gnt),
        .we_o          (near_we),
        .addr_o        (near_addr),
        .be_o          (near_be),
        .wdata_o       (near_wdata),
        .rvalid_i      (near_rvalid),
        .rdata_i       (near_rdata),
        .err_i         (near_err)
      );
    end else begin : gen_no_slow_bridge
`ifdef MEL_BOARD_TRACE
      assign near_req    = req_i[i] && !hold_i;
      assign gnt_o[i]    = near_gnt && !hold_i;
`else
      assign near_req    = req_i[i];
      assign gnt_o[i]    = near_gnt;
`endif
      assign near_we     = a_i[i].we;
      assign rvalid_o[i] = near_rvalid;
      assign r_o[i]      = '{err: near_err, rdata: near_rdata};
      if (HasPort) begin : gen_port
        mel_port u_port (
          .we_i   (a_i[i].we),
          .addr_i (a_i[i].addr),
          .be_i   (a_i[i].be),
          .wdata_i(a_i[i].wdata),
          .addr_o (near_addr),
          .be_o   (near_be),
          .wdata_o(near_wdata)
        );
      end else begin : gen_no_port
        assign near_addr  = mel_pkg::offset_t'(a_i[i].addr);
        assign near_be    = a_i[i].be;
        assign near_wdata = a_i[i].wdata;
      end
    end

    mel_bridge_obi u_bridge_obi (
      .req_i      (near_req),
      .gnt_o      (near_gnt),
      .we_i       (near_we),
      .addr_i     (near_addr),
      .be_i       (near_be),
      .wdata_i    (near_wdata),
      .rvalid_o   (near_rvalid),
      .rdata_o    (near_rdata),
      .err_o      (near_err),
      .req_valid_o(far_valid),
      .req_ready_i(far_ready),
      .req_write_o(far_write),
      .req_addr_o (far_addr),
      .req_be_o   (far_be),
      .req_wdata_o(far_wdata),
      .rsp_valid_i(far_rsp),
      .rsp_rdata_i(far_rdata)
    );

    if (HasView) begin : gen_view
      mel_booster #(
        .Core    (i),
        .ClockMhz(ClockMhz)
      ) u_booster (
        .clk_i,
        .rst_ni,
        .req_valid_i(far_valid),
        .req_ready_o(far_ready),
        .req_write_i(far_write),
        .req_addr_i (far_addr),
        .req_be_i   (far_be),
        .req_wdata_i(far_wdata),
        .rsp_valid_o(far_rsp),
        .rsp_rdata_o(far_rdata),
        .req_valid_o(req_valid[i]),
        .req_ready_i(req_ready[i]),
        .req_write_o(req_write[i]),
        .req_addr_o (req_addr[i]),
        .req_be_o   (req_be[i]),
        .req_wdata_o(req_wdata[i]),
        .rsp_valid_i(rsp_valid[i]),
        .rsp_rdata_i(rsp_rdata[i])
      );
    end else begin : gen_no_view
      assign far_ready    = req_ready[i];
      assign req_wdata[i] = far_wdata;
      assign far_rdata    = rsp_rdata[i];
      if (Resident != 0) begin : gen_bank_ask
        mel_bank_ask u_bank_ask (
          .clk_i,
          .rst_ni,
          .ask_i      (contexts_i[i].ask),
          .ask_gnt_o  (contexts_o[i].ask_gnt),
          .req_valid_i(far_valid),
          .req_write_i(far_write),
          .req_addr_i (far_addr),
          .req_be_i   (far_be),
          .rsp_valid_o(far_rsp),
          .req_valid_o(req_valid[i]),
          .req_ready_i(req_ready[i]),
          .req_write_o(req_write[i]),
          .req_addr_o (req_addr[i]),
          .req_be_o   (req_be[i]),
          .rsp_valid_i(rsp_valid[i])
        );
      end else begin : gen_no_bank_ask
        assign req_valid[i] = far_valid;
        assign req_write[i] = far_write;
        assign req_addr[i]  = far_addr;
        assign req_be[i]    = far_be;
        assign far_rsp      = rsp_valid[i];
      end
    end
  end

  if (Resident != 0) begin : gen_contexts
    // Each signal of all cores at once.
    logic [Cores-1:0]              forget, forget_gnt, fetch_gnt, fetch_own;
    logic [Cores-1:0][TaskW-1:0]   task_id;
    logic [Cores-1:0][255:0]       fetch_data, serve_data;
    mel_context_pkg::row_t [Cores-1:0]       fetch, serve;
    mel_context_pkg::drop_t [Cores-1:0] drop;

    for (genvar i = 0; i < Cores; i++) begin : gen_core
      assign forget[i]                = contexts_i[i].forget;
      assign task_id[i]               = contexts_i[i].task_id;
      assign fetch[i]                 = contexts_i[i].fetch;
      assign serve_data[i]            = contexts_i[i].serve_data;
      assign contexts_o[i].dispatch   = dispatch[i];
      assign contexts_o[i].running    = running[i];
      assign contexts_o[i].next       = next[i];
      assign contexts_o[i].answer     = answer[i];
      assign contexts_o[i].forget_gnt = forget_gnt[i];
      assign contexts_o[i].drop       = drop[i];
      assign contexts_o[i].fetch_gnt  = fetch_gnt[i];
      assign contexts_o[i].fetch_own  = fetch_own[i];
      assign contexts_o[i].fetch_data = fetch_data[i];
      assign contexts_o[i].serve      = serve[i];
    end

    mel_context_exchange #(
      .Tasks(Sizes.Tasks),
      .Cores(Cores)
    ) u_context_exchange (
      .clk_i,
      .rst_ni,
      .dispatch_i  (dispatch),
      .running_i   (running),
      .forget_i    (forget),
      .task_i      (task_id),
      .forget_gnt_o(forget_gnt),
      .drop_o      (drop),
      .fetch_i     (fetch),
      .fetch_gnt_o (fetch_gnt),
      .fetch_own_o (fetch_own),
      .fetch_data_o(fetch_data),
      .serve_o     (serve),
      .serve_data_i(serve_data)
    );
  end else begin : gen_no_contexts
    assign contexts_o = '0;
    logic unused_contexts;
    assign unused_contexts = ^{contexts_i, dispatch, running, next, answer};
  end

  // What the unit says, and what the cores see of it.
  logic [Cores-1:0]       said_rsp_valid, shown_rsp_valid, said_irq_handler, said_irq_dispatch, said_dispatch;
  logic [Cores-1:0][31:0] said_rsp_rdata, said_answer;
  logic [Cores-1:0][8:0]  said_running;
  if (UnitStage) begin : gen_stage
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {shown_rsp_valid, irq_handler_o, irq_dispatch_o, dispatch} <= '0;
      else         {shown_rsp_valid, irq_handler_o, irq_dispatch_o, dispatch} <= {said_rsp_valid, said_irq_handler, said_irq_dispatch, said_dispatch};
    end
    always_ff @(posedge clk_i) {rsp_rdata, answer, running} <= {said_rsp_rdata, said_answer, said_running};
  end else begin : gen_direct
    assign shown_rsp_valid = said_rsp_valid;
    assign rsp_rdata       = said_rsp_rdata;
    assign irq_handler_o   = said_irq_handler;
    assign irq_dispatch_o  = said_irq_dispatch;
    assign dispatch        = said_dispatch;
    assign answer          = said_answer;
    assign running         = said_running;
  end

`ifdef MEL_UNIT_CLOCK_2
  logic [Cores-1:0] rsp_late_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_late_q <= '0;
    else         rsp_late_q <= (Resident != 0) ? shown_rsp_valid & dispatch : '0;
  end
  assign rsp_valid = (Resident != 0) ? (shown_rsp_valid & ~dispatch) | rsp_late_q : shown_rsp_valid;
`else
  assign rsp_valid = shown_rsp_valid;
`endif

  mel_unit #(
`ifdef MEL_UNIT_CLOCK_2
    .ClockRatio   (2),
    .Staged       (UnitStage),
`endif
    .Sizes        (Sizes),
    .TimeReset    (TimeReset),
    .ClockGate    (1'b1),
    .ParameterHash(ParameterHash)
  ) u_unit (
`ifdef MEL_UNIT_CLOCK_2
    .clk_i         (clk_unit_i),
`else
    .clk_i,
`endif
    .rst_ni,
    .req_valid_i   (req_valid),
    .req_ready_o   (req_ready),
    .req_write_i   (req_write),
    .req_addr_i    (req_addr),
    .req_be_i      (req_be),
    .req_wdata_i   (req_wdata),
    .rsp_valid_o   (said_rsp_valid),
    .rsp_rdata_o   (said_rsp_rdata),
    .irq_i         (irq_lines_i[IrqWidth-1:0]),
    .irq_handler_o (said_irq_handler),
    .irq_dispatch_o(said_irq_dispatch),
    .dispatch_o    (said_dispatch),
    .running_o     (said_running),
    .next_o        (next),
    .answer_o      (said_answer),
    .trace_tick_o  (trace_tick),
    .trace_o       (trace_step),
    .trace_answer_o(trace_answer)
  );

  mel_probe_unit #(
    .Cores(Cores)
  ) u_probe_unit (
`ifdef MEL_UNIT_CLOCK_2
    .clk_i         (clk_unit_i),
`else
    .clk_i,
`endif
    .rst_ni,
    .tick_i  (trace_tick),
    .step_i  (trace_step),
    .answer_i(trace_answer)
  );

`ifdef MEL_BOARD_TRACE
  assign trace_tick_o   = trace_tick;
  assign trace_step_o   = trace_step;
  assign trace_answer_o = trace_answer;
  assign access_o       = |(req_i & gnt_o);
`endif

  logic unused_inputs;
  assign unused_inputs = ^{irq_lines_i, bridge_read_i, bridge_write_i};
endmodule
