// SPDX-License-Identifier: Apache-2.0
// mel_contexts_bench: the stores of contexts of several cores and what connects them, with a port per core. Adds nothing.
module mel_contexts_bench #(
  parameter int unsigned  Tasks    = 8,
  parameter int unsigned  Resident = 4,
  parameter int unsigned  Cores    = 1,
  localparam int unsigned TaskW    = (Tasks > 1) ? $clog2(Tasks) : 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        handler_i     [Cores],
  input  logic        x3_is_i       [Cores],
  input  logic [31:0] x3_i          [Cores],
  input  logic [4:0]  raddr_a_i     [Cores],
  output logic [31:0] rdata_a_o     [Cores],
  input  logic [4:0]  raddr_b_i     [Cores],
  output logic [31:0] rdata_b_o     [Cores],
  input  logic        whandler_i    [Cores],
  input  logic        we_i          [Cores],
  input  logic [4:0]  waddr_i       [Cores],
  input  logic [31:0] wdata_i       [Cores],
  input  logic        put_i         [Cores],
  input  logic [1:0]  put_to_i      [Cores],
  input  logic [4:0]  put_addr_i    [Cores],
  input  logic [31:0] put_data_i    [Cores],
  input  logic        mark_i        [Cores],
  input  logic        mark_called_i [Cores],
  input  logic        forget_i      [Cores],
  input  logic [8:0]  task_i        [Cores],
  output logic        forget_gnt_o  [Cores],
  input  logic        dispatch_i    [Cores],
  input  logic [8:0]  running_i     [Cores],
  input  logic [8:0]  next_i        [Cores],
  output logic        ready_o       [Cores],
  output logic        x3_there_o    [Cores],
  output logic        near_o        [Cores],
  output logic        called_o      [Cores],
  output logic        again_o       [Cores]
);
  logic [Cores-1:0]            dispatch, forget, forget_gnt, fetch_gnt, fetch_own;
  logic [Cores-1:0][8:0]       running;
  logic [Cores-1:0][TaskW-1:0] task_id;
  logic [Cores-1:0][255:0]     fetch_data, serve_data;
  mel_context_pkg::row_t [Cores-1:0]       fetch, serve;
  mel_context_pkg::drop_t [Cores-1:0] drop;

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign dispatch[i]     = dispatch_i[i];
    assign running[i]      = running_i[i];
    assign forget[i]       = forget_i[i];
    assign task_id[i]      = task_i[i][TaskW-1:0];
    assign forget_gnt_o[i] = forget_gnt[i];
    mel_context_store #(.Tasks(Tasks), .Resident(Resident), .Cores(Cores)) u_store (
      .clk_i, .rst_ni,
      .handler_i (handler_i[i]), .x3_is_i (x3_is_i[i]), .x3_i (x3_i[i]), .raddr_a_i (raddr_a_i[i]), .rdata_a_o (rdata_a_o[i]),
      .raddr_b_i (raddr_b_i[i]), .rdata_b_o (rdata_b_o[i]), .whandler_i (whandler_i[i]), .we_i (we_i[i]), .waddr_i (waddr_i[i]),
      .wdata_i (wdata_i[i]), .put_i (put_i[i]), .put_to_i (mel_context_pkg::put_e'(put_to_i[i])), .put_addr_i (put_addr_i[i]),
      .put_data_i (put_data_i[i]), .mark_i (mark_i[i]), .mark_called_i (mark_called_i[i]), .forget_i (forget_gnt[i]), .task_i (task_id[i]),
      .dispatch_i (dispatch_i[i]), .running_i (running_i[i]), .next_i (next_i[i]), .ready_o (ready_o[i]), .x3_there_o (x3_there_o[i]),
      .near_o (near_o[i]), .called_o (called_o[i]), .again_o (again_o[i]), .drop_i (drop[i]), .fetch_o (fetch[i]),
      .fetch_gnt_i (fetch_gnt[i]), .fetch_own_i (fetch_own[i]), .fetch_data_i (fetch_data[i]), .serve_i (serve[i]),
      .serve_data_o (serve_data[i])
    );
  end

  mel_context_exchange #(.Tasks(Tasks), .Cores(Cores)) u_exchange (
    .clk_i, .rst_ni, .dispatch_i (dispatch), .running_i (running), .forget_i (forget), .task_i (task_id), .forget_gnt_o (forget_gnt),
    .drop_o (drop), .fetch_i (fetch), .fetch_gnt_o (fetch_gnt), .fetch_own_o (fetch_own), .fetch_data_o (fetch_data), .serve_o (serve),
    .serve_data_i (serve_data)
  );
endmodule
