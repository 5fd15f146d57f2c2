// SPDX-License-Identifier: Apache-2.0
// mel_bank_switch: changes the context when a core changes the task (decisions 0015, 0038). It stands between the core's data port and the bus; the registers
// are those of mel_context_store.
//
// Contract: OBI-like on both sides, one access outstanding, and `gnt_i` may be high without a request. Besides what passes through it knows the words below; `pc_i` is that of the
// instruction in the ID stage, `mepc_i` the live register. A store of x3, of which compiled code has none, to SWITCH or SWITCH_TRAP becomes the unit's load of `dispatch`, and is
// granted in the cycle in which the unit performs it (`dispatch_i`): at its end the context changes. (The grant waits when x3 of that context is not at hand: the core may read it in every cycle
// behind the grant.) What is read in the next cycle is the new one's.
// The other way to `dispatch_i` is the fetch of the dispatch vector (mel_bank_fetch).
// No address decides a grant, for it comes late: a store of x3 waits, until it is known not to be a switch, or until the switch; everything else has the bus' grant.
// In a handler, which switches nothing, a store to SWITCH brings the answer of its last command into a0 and goes on behind the jump.
// FORGET ends a task's registers; the stores to the frame behind it give it those with which it begins.
// Timing: other accesses cost no cycle, a store of x3 to another address one. A store of SWITCH is answered in the cycle behind that in which the registers come (`ready_i`), with a resident context when the unit's
// answer comes.
// After a switch x3 of the context that was left is written in the 1st cycle, a0 of a task that goes on in a call in the cycle behind `ready_i`, at the earliest in the 2nd:
// in both the core's writeback holds the store or the jump, which write no register.
module mel_bank_switch #(
  parameter bit           Writeback   = 1'b1,           // registers are written one stage behind ID
  parameter int unsigned  MemoryBits  = 18              // programs run in so many bits of addresses; vectors are at their beginning
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // The core's data port.
  input  logic             req_i,
  output logic             gnt_o,
  input  logic [4:0]       data_register_i,             // whose register a store stores
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
  input  logic [31:0]      next_pc_i,                   // … and of the one that is fetched for it
  input  logic [31:0]      mepc_i,

  // The unit.
  input  logic             dispatch_i,                  // it performs this core's dispatch
  input  logic [31:0]      answer_i,                    // to the running context, from registers

  // The registers (mel_context_store).
  input  logic             ready_i,
  input  logic             x3_there_i,
  input  logic             called_i,
  input  logic             again_i,                     // the running context is the one that was left
  output logic             handler_o,                   // in the next cycle the instruction that reads is a handler's, …
  output logic             whandler_o,
  output logic             x3_is_o,                     // x3 reads x3_o instead
  output logic [31:0]      x3_o,
  output logic             put_o,
  output mel_context_pkg::put_e put_to_o,
  output logic [4:0]       put_addr_o,
  output logic [31:0]      put_data_o,
  output logic             mark_o,                      // the cycle behind a dispatch
  output logic             mark_called_o,               // it left a context in a call
  output logic             forget_o,                    // the core forgets the task of its write data, …
  input  logic             forget_gnt_i                 // … which may wait (mel_context_exchange)
);
  import mel_context_pkg::*;
  localparam logic [31:0] AnswerAddress   = mel_pkg::PortBase;
  localparam logic [31:0] DispatchAddress = {mel_pkg::PortBase[31:16], mel_pkg::RegDispatch[15:0]};
  localparam logic [4:0]  X3              = 5'd3;
  localparam logic [31:0] ClaimAddress    = {mel_pkg::PortBase[31:16], mel_pkg::RegClaim[15:0]};

  // ---- decode ---------------------------------------------------------------------------------------------------------

  logic       here, stores_x3, is_switch, is_trap, is_ask, is_forget, is_frame, is_local, left_trap;
  logic [8:0] offset;
  logic       handler_q;                // a handler runs, from its load of `claim` on
  assign offset    = addr_i[8:0];
  assign here      = req_i && addr_i[31:9] == mel_pkg::BanksBase[31:9];
  assign stores_x3 = we_i && data_register_i == X3;
  assign is_trap   = here && stores_x3 && offset == mel_pkg::BankSwitchTrap;
  assign is_switch = (here && stores_x3 && offset == mel_pkg::BankSwitch && !handler_q) || is_trap;
  assign is_ask    = here && stores_x3 && offset == mel_pkg::BankSwitch && handler_q;
  assign is_forget = here && we_i && offset == mel_pkg::BankForget;
  assign is_frame  = here && we_i && offset >= mel_pkg::BankFrame && offset < mel_pkg::BankFrame + 9'd128;
  assign is_local  = (is_forget || is_frame) && !stores_x3;
  assign left_trap = trap_i || is_trap;

  // ---- the access -----------------------------------------------------------------------------------------------------

  logic pending_q, local_q, sent_q;      // an access waits for its answer; it is ours; a switch has been asked for
  logic asking_q;                        // … the answer has been asked for. Not by `is_ask`: the core's request may depend on `rvalid_o`
  logic entering_q;                      // a context has come whose registers may be on their way
  logic done_q;                          // the dispatch that the store asked for is performed, its grant waits for x3
  logic calls_q, late_q;                 // its answer waits for the other registers; it has come
  logic forget_q;                        // a task that is to be forgotten waits
  logic other_q;                         // x3 is stored somewhere else: that is known from the first cycle on
  logic switches, local_done, asked, granted, waits;
  assign switches   = is_switch || is_ask;
  assign forget_o   = (req_i && gnt_o && is_local && is_forget) || forget_q;
  assign local_done = (req_i && gnt_o && is_local && is_frame) || (forget_o && forget_gnt_i);
  assign asked      = asking_q && rvalid_i;
  assign granted    = (dispatch_i || done_q) && x3_there_i;
  assign waits      = calls_q && (done_q || (mark_o ? !ready_i : entering_q));
  assign gnt_o      = (stores_x3 && !other_q) ? granted || asked : gnt_i;

  always_comb begin
    req_o  = req_i && (switches ? !sent_q && !done_q : !is_local && (!stores_x3 || other_q));
    we_o   = we_i && !switches;
    be_o   = be_i;
    addr_o = addr_i;
    if (is_switch) addr_o = DispatchAddress;
    if (is_ask)    addr_o = AnswerAddress;
    rvalid_o = local_q || (((rvalid_i && !asked) || late_q) && !waits);
    rdata_o  = rdata_i;
    err_o    = err_i && !local_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q  <= 1'b0;
      local_q    <= 1'b0;
      sent_q     <= 1'b0;
      asking_q   <= 1'b0;
      entering_q <= 1'b0;
      done_q     <= 1'b0;
      calls_q    <= 1'b0;
      late_q     <= 1'b0;
      forget_q   <= 1'b0;
      other_q    <= 1'b0;
    end else begin
      pending_q  <= (req_i && gnt_o) || (pending_q && !rvalid_o);
      local_q    <= local_done || asked;
      forget_q   <= forget_o && !forget_gnt_i;
      other_q    <= req_i && stores_x3 && !switches && !gnt_o;
      sent_q     <= switches && (sent_q || gnt_i) && !dispatch_i && !asked;
      asking_q   <= is_ask && (asking_q || gnt_i) && !asked;
      entering_q <= dispatch_i || (entering_q && !ready_i);
      done_q     <= is_switch && (dispatch_i || done_q) && !granted;
      calls_q    <= (dispatch_i && is_switch) || (calls_q && !rvalid_o);
      late_q     <= waits && (late_q || rvalid_i);
    end
  end

  // ---- which context --------------------------------------------------------------------------------------------------

  // The address of an instruction is there a cycle before the instruction at least: between them nothing is read or written, for a core takes a trap,
  // and returns from one, with an empty pipeline.
  logic in_region, claims, handler_d, whandler_q;
  assign in_region  = next_pc_i[MemoryBits-1:10] == '0 && (next_pc_i[9:7] == '0 || next_pc_i[9:8] inside {2'd1, 2'd2});  // vectors, and their routines
  assign claims     = req_i && gnt_o && !we_i && addr_i == ClaimAddress;
  assign handler_d  = claims || (handler_q && !dispatch_i);
  assign handler_o  = in_region || handler_d;

  logic handler_ran_q;                   // handler_o of the last cycle
  assign whandler_o = Writeback ? whandler_q : handler_ran_q;

  logic [31:0] jump_q;                   // address of the jump behind the last SWITCH
  logic        keeps_pc;                 // the trap came between them: x3 already says where to go on
  assign keeps_pc = left_trap && mepc_i == jump_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      handler_q     <= 1'b0;
      handler_ran_q <= 1'b0;
      whandler_q    <= 1'b0;
      jump_q        <= '0;
    end else begin
      handler_q     <= handler_d;
      handler_ran_q <= handler_o;
      whandler_q    <= handler_ran_q;
      if (dispatch_i && !left_trap) jump_q <= pc_i + 32'd4;
    end
  end

  // ---- what the coupling writes -------------------------------------------------------------------------------------

  // x3 of the context that was left, in the cycle after the switch; the result of a task that goes on; a handler's answer; a frame.
  logic        left_q, result_q, asked_q, frame_q;
  logic        told_q;                   // a handler has asked: x3 is behind its jump, whenever the jump comes
  logic [4:0]  frame_addr_q;
  logic [31:0] data_q;                   // write data of the last two
  logic [31:0] left_pc_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mark_o   <= 1'b0;
      left_q   <= 1'b0;
      result_q <= 1'b0;
      asked_q  <= 1'b0;
      frame_q  <= 1'b0;
      told_q   <= 1'b0;
    end else begin
      asked_q  <= asked;
      told_q   <= (told_q || asked) && !dispatch_i;
      mark_o   <= dispatch_i;
      left_q   <= dispatch_i && !keeps_pc;
      result_q <= entering_q && ready_i && called_i;
      frame_q  <= local_done;
    end
  end
  always_ff @(posedge clk_i) begin
    mark_called_o <= !left_trap;
    data_q        <= asked ? rdata_i : forget_o ? '0 : wdata_i;
    frame_addr_q  <= forget_o ? '0 : addr_i[6:2];
    if (dispatch_i || asked) left_pc_q <= left_trap ? mepc_i : pc_i + 32'd8;
  end

  // The context that was left may be the one that goes on: what is being written is read.
  assign x3_is_o = told_q || (left_q && again_i);
  assign x3_o    = left_pc_q;

  assign put_o      = left_q || result_q || asked_q || frame_q;
  assign put_to_o   = left_q ? PutLeft : asked_q ? PutHandlers : frame_q ? PutFrame : PutRunning;
  assign put_addr_o = left_q ? 5'd3 : frame_q ? frame_addr_q : 5'd10;
  assign put_data_o = left_q ? left_pc_q : result_q ? answer_i : data_q;

`ifndef SYNTHESIS
  a_one_put: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0({left_q, result_q, asked_q, frame_q}));
  a_asked: assert property (@(posedge clk_i) disable iff (!rst_ni) !dispatch_i || trap_i || is_switch);
`endif
endmodule
