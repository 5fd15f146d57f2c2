// SPDX-License-Identifier: Apache-2.0
// mel_bank_switch: changes the bank of registers when a core changes the task, and moves registers when the task has no bank on this core (decision
// 0015). It stands between the core's data port and the bus, and between the unit's interrupt lines and the core. Whose bank is which, mel_bank_table
// knows.
//
// Contract: OBI-like on both sides, one access outstanding. Besides what passes through it knows the words below; `pc_i` is that of the
// instruction in the ID stage, `mepc_i` the live register. A store to SWITCH or SWITCH_TRAP becomes the unit's load of `dispatch`, and is
// granted in the cycle in which the unit performs it (`dispatch_i`): at its end the bank changes. What is read in the next cycle is the new bank's.
// The other way to `dispatch_i` is the fetch of the dispatch vector (mel_bank_fetch).
// In a handler, which switches nothing, a store to SWITCH brings the answer of its last command into a0 and goes on behind the jump.
// Timing: other accesses cost no cycle. After a switch x3 of the bank that was left is written in the 1st cycle, a0 of a task that goes on in a
// call in the 2nd: in both the core's writeback holds the store or the jump, which write no register.
module mel_bank_switch #(
  parameter int unsigned  Tasks       = 64,
  parameter int unsigned  Banks       = 16,             // banks of tasks, 2..64
  parameter bit           Writeback   = 1'b1,           // registers are written one stage behind ID
  parameter logic [31:0]  VectorBase  = 32'h1000_0000,
  localparam int unsigned All         = Banks + 2,      // + idle, handlers
  localparam int unsigned BankW       = $clog2(All),
  localparam int unsigned TaskW       = $clog2(Tasks)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // The core's data port.
  input  logic             req_i,
  output logic             gnt_o,
  input  logic             we_i,
  input  logic [3:0]       be_i,
  input  logic [31:0]      addr_i,
  input  logic [31:0]      wdata_i,
  output logic             rvalid_o,
  output logic [31:0]      rdata_o,
  output logic             err_o,
  // The bus. Write data goes around.
  output logic             req_o,
  input  logic             gnt_i,
  output logic             we_o,
  output logic [3:0]       be_o,
  output logic [31:0]      addr_o,
  input  logic             rvalid_i,
  input  logic             err_i,
  input  logic [31:0]      rdata_i,

  // The core.
  input  logic             trap_i,                      // it has fetched the dispatch vector; high until `dispatch_i`
  input  logic [31:0]      pc_i,
  input  logic [31:0]      mepc_i,
  output logic             hold_irqs_o,                 // the core is to take no interrupt

  // The unit.
  input  logic             dispatch_i,                  // it performs this core's dispatch
  input  logic [31:0]      answer_i,                    // to the running context, from registers

  // The table (mel_bank_table).
  output logic             left_trap_o,                 // with `dispatch_i`: the context was interrupted
  output logic             load_o,                      // load by the missing bank's routine, the access before it answered
  output logic             filled_o,
  output logic             forget_o,
  input  logic [BankW-1:0] current_i,
  input  logic             called_i,
  input  logic             missing_i,
  input  logic             spills_i,
  input  logic             moves_i,
  input  logic [TaskW-1:0] leaver_i,
  input  logic [TaskW-1:0] comer_i,
  input  logic             load_gnt_i,
  input  logic [31:0]      moved_i,
  input  logic             forget_gnt_i,

  // The registers (mel_register_banks).
  output logic [BankW-1:0] bank_o,
  output logic [BankW-1:0] bank_x3_o,
  output logic [BankW-1:0] wbank_o,
  output logic             x3_is_o,                     // x3 reads x3_o instead
  output logic [31:0]      x3_o,
  output logic             put_o,
  output logic [BankW-1:0] put_bank_o,
  output logic [4:0]       put_addr_o,
  output logic [31:0]      put_data_o
);
  localparam logic [BankW-1:0] Handlers = BankW'(Banks + 1);

  localparam logic [31:0] AnswerAddress   = mel_pkg::PortBase;
  localparam logic [31:0] DispatchAddress = {mel_pkg::PortBase[31:16], mel_pkg::RegDispatch[15:0]};
  localparam logic [31:0] ClaimAddress    = {mel_pkg::PortBase[31:16], mel_pkg::RegClaim[15:0]};
  // The region of vectors: 32 words, and from 256 bytes on the routines that belong to them; the first are those of a missing bank.
  localparam logic [31:0] Spill = VectorBase + 32'h100, Fill = VectorBase + 32'h17C;  // behind 31 stores of 4 bytes

  // ---- decode ---------------------------------------------------------------------------------------------------------

  logic       here, is_switch, is_trap, is_ask, is_filled, is_forget, is_frames, is_frame, is_moved, is_local;
  logic [8:0] offset;
  logic       handler_q;                // a handler runs, from its load of `claim` on
  assign offset    = addr_i[8:0];
  assign here      = req_i && addr_i[31:9] == mel_pkg::BanksBase[31:9];
  assign is_trap   = here && we_i && offset == mel_pkg::BankSwitchTrap;
  assign is_switch = (here && we_i && offset == mel_pkg::BankSwitch && !handler_q) || is_trap;
  assign is_ask    = here && we_i && offset == mel_pkg::BankSwitch && handler_q;
  assign is_filled = here && we_i && offset == mel_pkg::BankFilled;
  assign is_forget = here && we_i && offset == mel_pkg::BankForget;
  assign is_frames = here && we_i && offset == mel_pkg::BankFrames;
  assign is_frame  = here && offset >= mel_pkg::BankFrame && offset < mel_pkg::BankFrame + 9'd128;
  assign is_moved  = is_frame && !we_i && moves_i;
  assign is_local  = is_filled || is_forget || is_frames || is_moved;
  assign left_trap_o = trap_i || is_trap;

  // ---- the access -----------------------------------------------------------------------------------------------------

  logic pending_q, local_q, sent_q;      // an access waits for its answer; it is ours; a switch has been asked for
  logic asking_q;                        // … the answer has been asked for. Not by `is_ask`: the core's request may depend on `rvalid_o`
  logic open, local_gnt, asked;
  assign open      = !pending_q || rvalid_o;
  assign load_o    = is_frame && !we_i && open;
  assign forget_o  = is_forget && open;
  assign filled_o  = is_filled && open;
  assign local_gnt = filled_o || (is_frames && open) || (is_forget && forget_gnt_i) || (is_moved && load_gnt_i);
  assign asked     = asking_q && rvalid_i;

  logic [31:0] frames_q;
  logic [31:0] moved_q;
  logic        moved_valid_q;            // the answer is a moved register

  always_comb begin
    req_o  = req_i && !is_local && !sent_q && (!is_frame || we_i || load_gnt_i);
    we_o   = we_i && !is_switch && !is_ask;
    be_o   = be_i;
    addr_o = addr_i;
    if (is_switch) addr_o = DispatchAddress;
    if (is_ask)    addr_o = AnswerAddress;
    if (is_frame)  addr_o = frames_q + {32'(we_i ? leaver_i : comer_i) << 7} + 32'(addr_i[6:0]);
    gnt_o    = is_local ? local_gnt : is_switch ? dispatch_i : is_ask ? asked : gnt_i;
    rvalid_o = local_q || (rvalid_i && !asked);
    rdata_o  = moved_valid_q ? moved_q : rdata_i;
    err_o    = err_i && !local_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q     <= 1'b0;
      local_q       <= 1'b0;
      moved_valid_q <= 1'b0;
      sent_q        <= 1'b0;
      asking_q      <= 1'b0;
    end else begin
      pending_q     <= (req_i && gnt_o) || (pending_q && !rvalid_o);
      local_q       <= local_gnt || asked;
      moved_valid_q <= local_gnt && is_moved;
      sent_q        <= (is_switch || is_ask) && (sent_q || gnt_i) && !dispatch_i && !asked;
      asking_q      <= is_ask && (asking_q || gnt_i) && !asked;
    end
  end
  always_ff @(posedge clk_i) moved_q <= moved_i;

  // ---- which bank -----------------------------------------------------------------------------------------------------

  logic             in_region, handler;
  logic             begun_q;             // the routine of a missing bank has been entered
  logic             redirect;            // x3 leads to it
  logic [BankW-1:0] bank_q;
  logic [31:0]      depth;
  assign depth     = pc_i - VectorBase;
  assign in_region = depth < 32'h80 || (depth >= 32'h100 && depth < 32'h300);
  assign handler   = (in_region || handler_q) && !missing_i;
  assign redirect  = missing_i && !begun_q;
  assign bank_o    = handler ? Handlers : current_i;
  assign bank_x3_o = current_i;
  assign wbank_o   = Writeback ? bank_q : bank_o;
  assign hold_irqs_o = missing_i;

  logic [31:0] jump_q;                   // address of the jump behind the last SWITCH or FILLED
  logic        keeps_pc;                 // the trap came between them: x3 already says where to go on
  assign keeps_pc = left_trap_o && mepc_i == jump_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      handler_q <= 1'b0;
      begun_q   <= 1'b0;
      bank_q    <= '0;
      frames_q  <= '0;
      jump_q    <= '0;
    end else begin
      bank_q <= bank_o;
      if (req_i && gnt_o && !we_i && addr_i == ClaimAddress) handler_q <= 1'b1;
      else if (dispatch_i) handler_q <= 1'b0;
      begun_q <= (begun_q || (req_i && gnt_o && is_frame)) && !dispatch_i;
      if (local_gnt && is_frames) frames_q <= wdata_i;
      if (filled_o || (dispatch_i && !left_trap_o)) jump_q <= pc_i + 32'd4;
    end
  end

  // ---- what the coupling writes -------------------------------------------------------------------------------------

  // x3 of the bank that was left, in the cycle after the switch; the result of a task that goes on, one later.
  logic             left_q, entered_q, result_q, asked_q;
  logic             told_q;              // a handler has asked: x3 is behind its jump, whenever the jump comes
  logic [31:0]      asked_data_q;
  logic [BankW-1:0] left_bank_q;
  logic [31:0]      left_pc_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q    <= 1'b0;
      entered_q <= 1'b0;
      result_q  <= 1'b0;
      asked_q   <= 1'b0;
      told_q    <= 1'b0;
    end else begin
      asked_q   <= asked;
      told_q    <= (told_q || asked) && !dispatch_i;
      left_q    <= dispatch_i && !keeps_pc;
      entered_q <= dispatch_i || filled_o;
      result_q  <= entered_q && !missing_i && called_i;
    end
  end
  always_ff @(posedge clk_i) begin
    left_bank_q  <= current_i;
    asked_data_q <= rdata_i;
    if (dispatch_i || asked) left_pc_q <= left_trap_o ? mepc_i : pc_i + 32'd8;
  end

  // The task that was left may be the one that goes on: what is being written is read.
  assign x3_is_o = redirect || told_q || (left_q && left_bank_q == current_i);
  assign x3_o    = !redirect ? left_pc_q : spills_i ? Spill : Fill;

  assign put_o      = left_q || result_q || asked_q;
  assign put_bank_o = left_q ? left_bank_q : asked_q ? Handlers : current_i;
  assign put_addr_o = left_q ? 5'd3 : 5'd10;
  assign put_data_o = left_q ? left_pc_q : asked_q ? asked_data_q : answer_i;

`ifndef SYNTHESIS
  a_one_put: assert property (@(posedge clk_i) disable iff (!rst_ni) !(left_q && result_q));
  a_asked: assert property (@(posedge clk_i) disable iff (!rst_ni) !dispatch_i || trap_i || is_switch);
`endif
endmodule
