// SPDX-License-Identifier: Apache-2.0
// mel_bank_core: the core beside mel_bank_switch, and the programs on it, for the proof of that module: every order of instructions, waits
// and interrupts that the contract allows, and no other. What the core is to do with a register is in `reads_o`, `x3_o` and `writes_*`.
// The core: the instruction in ID (`pc_o`) reads its registers in every cycle there; it writes one when it leaves ID (Writeback 0), or one
// cycle later; a load when its data comes, from where it then is: in ID (Writeback 0), or behind it. An access waits for the answer to the one
// before it. The target of a jump is in ID 2 cycles after the jump at the earliest. An interrupt is taken with nothing in ID and behind it.
// The programs: tasks and the idle context outside the region of vectors; handlers in it until their load of `claim` is granted, from the
// interrupt to the store of SWITCH_TRAP, without interrupts; behind SWITCH, SWITCH_TRAP and FILLED, in the vector of the dispatch, and in the
// routines of a missing bank just what decision 0015 says. Nothing else uses x3.
module mel_bank_core #(
  parameter int unsigned Tasks      = 4,
  parameter bit          Writeback  = 1'b1,
  parameter logic [31:0] VectorBase = 32'h1000_0000
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Free inputs: events and data.
  input  logic        enter_i,         // an instruction comes into ID: of this kind, from here, with these registers and this datum
  input  logic [3:0]  kind_i,
  input  logic [31:0] at_i,
  input  logic [4:0]  ra_i,
  input  logic [4:0]  rb_i,
  input  logic [4:0]  rd_i,
  input  logic [31:0] address_i,
  input  logic [31:0] datum_i,
  input  logic        go_i,            // the one in ID goes on
  input  logic        take_i,          // an interrupt is taken
  input  logic        take_dispatch_i, // … and it is that of the dispatch
  input  logic        fetch_i,         // the vector of the dispatch is fetched
  input  logic [31:0] next_i,          // the pc of the interrupted task

  // mel_bank_switch and mel_register_banks
  output logic        req_o,
  input  logic        gnt_i,
  output logic        we_o,
  output logic [31:0] addr_o,
  output logic [31:0] wdata_o,
  input  logic        rvalid_i,
  input  logic [31:0] rdata_i,
  output logic        trap_o,
  output logic [31:0] pc_o,
  output logic [31:0] mepc_o,
  input  logic        hold_irqs_i,
  input  logic        dispatch_i,
  output logic [4:0]  raddr_a_o,
  output logic [4:0]  raddr_b_o,
  input  logic [31:0] rdata_a_i,
  input  logic [31:0] rdata_b_i,
  output logic        we_rf_o,
  output logic [4:0]  waddr_o,
  output logic [31:0] wdata_rf_o,

  // For the proof.
  output logic        reads_o,         // the instruction in ID reads registers of the program that it belongs to
  output logic        handler_o,       // … which is a handler
  output logic        jumps_o,         // it goes where x3 says
  output logic        writes_o,        // the register written now is a program's
  output logic        writes_handler_o,
  output logic        in_handler_o,
  output logic        between_o,       // the interrupt came between SWITCH or FILLED and the jump
  output logic        forgets_o,       // FORGET is granted
  output logic        frames_o,
  output logic        stores_o         // a program's store is granted
);
  typedef enum logic [3:0] {Plain, Load, Store, Claim, Switch, SwitchTrap, Forget, Frames, Jump, Csr, Mret, Spill, Fill, Filled} kind_e;
  // Next instruction to enter ID: of the program, the jump, none before the dispatch, the two of the vector, none before the
  // target, of the routine.
  typedef enum logic [2:0] {Run, ToJump, Trap, ToCsr, ToMret, Land, Routine} phase_e;

  localparam logic [31:0] ClaimAddress = {mel_pkg::PortBase[31:16], mel_pkg::RegClaim[15:0]};
  localparam logic [31:0] Dispatch     = {mel_pkg::PortBase[31:16], mel_pkg::RegDispatch[15:0]};
  localparam logic [31:0] SpillAt = VectorBase + 32'h100, FillAt = SpillAt + 32'd124, FilledAt = FillAt + 32'd124;

  function automatic logic region(logic [31:0] at);
    return at - VectorBase < 32'h80 || (at - VectorBase >= 32'h100 && at - VectorBase < 32'h300);
  endfunction

  phase_e      phase_q;
  logic [5:0]  index_q;                         // index of the next access of the routine
  logic        in_handler_q, claimed_q, between_q, trapped_q;
  logic        valid_q, held_q, sent_q;         // in ID; its request is held; it is granted and in ID still (Writeback 0)
  kind_e       kind_q;
  logic        of_handler_q;
  logic [31:0] at_q, address_q, datum_q, mepc_q, jump_q;
  logic [4:0]  ra_q, rb_q, rd_q;
  logic        access_q, load_q, write_q, program_q, program_handler_q;   // behind ID (Writeback 1): waits for its answer, a load, a write
  logic [4:0]  behind_rd_q;
  logic [31:0] behind_datum_q;

  // ---- which instruction comes -----------------------------------------------------------------------------------------

  kind_e kind;
  logic  enters, leaves, lands, takes, is_access, behind_ready, is_program;
  assign lands  = leaves && (kind_q == Jump || kind_q == Mret);
  assign enters = enter_i && (!valid_q || leaves) && !lands && !takes && (phase_q inside {Run, ToJump, ToCsr, ToMret, Routine} ||
                                                                       (phase_q == Trap && dispatch_i));
  assign takes  = take_i && !valid_q && !access_q && !write_q && !in_handler_q && !hold_irqs_i && phase_q inside {Run, ToJump, Routine};
  always_comb begin
    unique case (phase_q)
      ToJump:  kind = Jump;
      ToMret:  kind = Mret;
      Routine: kind = index_q < 6'd31 ? Spill : index_q < 6'd62 ? Fill : Filled;
      Run:     kind = kind_e'(kind_i);
      default: kind = Csr;
    endcase
  end
  logic [31:0] at;
  assign at = (phase_q == ToJump) ? at_q + 32'd4 : (phase_q == Routine) ? SpillAt + {24'd0, index_q, 2'd0} : at_i;

  always_comb begin
    m_kind: assume (!enters || phase_q != Run || kind_i <= 4'(Frames));
    m_task: assume (!enters || phase_q != Run || in_handler_q || (!region(at_i) && !(kind_i inside {4'(Claim), 4'(SwitchTrap)})));
    // A handler asks for the answer of a command behind `claim` only; it begins and ends in the region.
    m_handler: assume (!enters || phase_q != Run || !in_handler_q ||
                       ((region(at_i) || (claimed_q && !(kind_i inside {4'(Claim), 4'(SwitchTrap)}))) &&
                        (kind_i != 4'(Switch) || claimed_q) && kind_i != 4'(Frames)));
    m_vector: assume (!enters || !(phase_q inside {Trap, ToCsr, ToMret}) || region(at_i));
    m_x3: assume (!enters || phase_q != Run || (ra_i != 5'd3 && rb_i != 5'd3 && rd_i != 5'd3));
    m_forget: assume (!enters || phase_q != Run || kind_i != 4'(Forget) || datum_i < 32'(Tasks));
    m_memory: assume (!enters || phase_q != Run || kind_i != 4'(Frames) || !datum_i[31]);   // frames are in memory, far from the port
    // Programs leave the words of the banks, `claim` and `dispatch` to the kernel.
    m_words: assume (!enters || phase_q != Run ||
                     (address_i[31:9] != mel_pkg::BanksBase[31:9] && address_i != ClaimAddress && address_i != Dispatch));
    m_next: assume (!takes || phase_q != Run || next_i != jump_q);     // the jump is reached through the store before it only
  end

  // ---- the pipeline ---------------------------------------------------------------------------------------------------

  assign is_access    = kind_q inside {Load, Store, Claim, Switch, SwitchTrap, Forget, Frames, Spill, Fill, Filled};
  assign is_program   = kind_q inside {Plain, Load, Store, Claim, Switch, SwitchTrap, Forget, Frames};
  assign behind_ready = !access_q || rvalid_i;
  assign req_o        = valid_q && is_access && !sent_q && behind_ready && (go_i || held_q);
  assign leaves       = valid_q && (!is_access ? go_i && behind_ready : Writeback ? req_o && gnt_i : sent_q && rvalid_i);
  assign we_o         = !(kind_q inside {Load, Claim, Fill});
  always_comb begin
    unique case (kind_q)
      Claim:      addr_o = ClaimAddress;
      Switch:     addr_o = mel_pkg::BanksBase + 32'(mel_pkg::BankSwitch);
      SwitchTrap: addr_o = mel_pkg::BanksBase + 32'(mel_pkg::BankSwitchTrap);
      Forget:     addr_o = mel_pkg::BanksBase + 32'(mel_pkg::BankForget);
      Frames:     addr_o = mel_pkg::BanksBase + 32'(mel_pkg::BankFrames);
      Filled:     addr_o = mel_pkg::BanksBase + 32'(mel_pkg::BankFilled);
      Spill:      addr_o = mel_pkg::BanksBase + 32'(mel_pkg::BankFrame) + {25'd0, rb_q, 2'd0};
      Fill:       addr_o = mel_pkg::BanksBase + 32'(mel_pkg::BankFrame) + {25'd0, rd_q, 2'd0};
      default:    addr_o = address_q;
    endcase
  end
  assign wdata_o    = (kind_q == Spill) ? rdata_b_i : datum_q;
  assign pc_o       = at_q;
  assign mepc_o     = mepc_q;
  assign trap_o     = (phase_q == Trap && (trapped_q || fetch_i)) || (takes && take_dispatch_i && fetch_i);
  assign raddr_a_o  = ra_q;
  assign raddr_b_o  = rb_q;

  logic loads;                          // the instruction in ID writes what it loads
  assign loads            = kind_q inside {Load, Claim, Fill};
  assign we_rf_o          = Writeback ? write_q || (load_q && rvalid_i) : valid_q && (loads ? sent_q && rvalid_i : kind_q == Plain && leaves);
  assign waddr_o          = Writeback ? behind_rd_q : rd_q;
  assign wdata_rf_o       = (Writeback ? load_q : loads) ? rdata_i : Writeback ? behind_datum_q : datum_q;
  assign reads_o          = valid_q && kind_q inside {Plain, Load, Store, Claim, Forget, Frames};
  assign handler_o        = of_handler_q;
  assign jumps_o          = valid_q && kind_q inside {Jump, Csr};
  assign writes_o         = we_rf_o && (Writeback ? program_q : is_program);
  assign writes_handler_o = Writeback ? program_handler_q : of_handler_q;
  assign in_handler_o     = in_handler_q;
  assign between_o        = between_q;
  assign forgets_o        = req_o && gnt_i && kind_q == Forget;
  assign frames_o         = req_o && gnt_i && kind_q == Frames;
  assign stores_o         = req_o && gnt_i && kind_q == Store;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= Run;
      index_q <= '0;
      {in_handler_q, claimed_q, between_q, trapped_q, valid_q, held_q, sent_q, access_q, load_q, write_q} <= '0;
      {jump_q, mepc_q} <= '0;
    end else begin
      // ID
      valid_q <= enters || (valid_q && !leaves);
      held_q  <= req_o && !gnt_i;
      sent_q  <= !Writeback && ((req_o && gnt_i) || (sent_q && !leaves));
      // behind it
      access_q <= Writeback && ((leaves && is_access) || (access_q && !rvalid_i));
      load_q   <= Writeback && ((leaves && loads) || (load_q && !rvalid_i));
      write_q  <= Writeback && leaves && kind_q == Plain;
      // the program
      if (req_o && gnt_i && kind_q == Claim) claimed_q <= 1'b1;
      trapped_q <= trap_o && !dispatch_i;
      if (enters) begin
        unique case (kind)
          Switch, Filled: phase_q <= ToJump;
          SwitchTrap:     phase_q <= ToCsr;
          Csr:            phase_q <= ToMret;
          Jump, Mret:     phase_q <= Land;
          default: ;
        endcase
        if (kind inside {Spill, Fill, Filled}) index_q <= index_q + 6'd1;
      end else if (phase_q == Trap && dispatch_i) phase_q <= ToCsr;
      if (lands) begin
        phase_q <= hold_irqs_i ? Routine : Run;
        index_q <= ((kind_q == Jump ? rdata_a_i : mepc_q) == FillAt) ? 6'd31 : 6'd0;
      end
      if (leaves && kind_q == Csr) mepc_q <= rdata_a_i;
      if (takes) begin
        phase_q      <= take_dispatch_i ? Trap : Run;
        in_handler_q <= !take_dispatch_i;
        between_q    <= phase_q == ToJump;
        mepc_q       <= (phase_q == ToJump) ? at_q + 32'd4 : next_i;
      end
      if (req_o && gnt_i && (kind_q == Filled || (kind_q == Switch && !in_handler_q))) jump_q <= at_q + 32'd4;
      if (dispatch_i) {in_handler_q, claimed_q} <= '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (enters) begin
      {kind_q, at_q, address_q, datum_q, of_handler_q} <= {kind, at, address_i, datum_i, in_handler_q};
      ra_q <= (kind inside {Jump, Csr}) ? 5'd3 : ra_i;
      rb_q <= (kind == Spill) ? index_q[4:0] + 5'd1 : rb_i;
      rd_q <= (kind == Fill) ? 5'(index_q - 6'd30) : rd_i;
    end
    if (leaves) {behind_rd_q, behind_datum_q, program_q, program_handler_q} <= {rd_q, datum_q, is_program, of_handler_q};
  end

  // ---- what holds the inductions that use it ---------------------------------------------------------------------------

  logic [6:0] index;
  assign index = 7'(index_q);
  always_comb begin
    h_phase:   assert (!rst_ni || (phase_q <= Routine && (!valid_q || kind_q <= Filled)));
    h_land:    assert (!rst_ni || (phase_q == Land) == (valid_q && kind_q inside {Jump, Mret}));
    h_mret:    assert (!rst_ni || !valid_q || (phase_q == ToMret) == (kind_q == Csr));
    h_csr:     assert (!rst_ni || !valid_q || (phase_q == ToCsr) == (kind_q == SwitchTrap));
    h_jump:    assert (!rst_ni || !valid_q || (phase_q == ToJump) == (kind_q inside {Switch, Filled}));
    h_routine: assert (!rst_ni || !valid_q || (phase_q == Routine) == (kind_q inside {Spill, Fill}));
    h_trap:    assert (!rst_ni || phase_q != Trap || !(valid_q || access_q || write_q || in_handler_q));
    h_trapped: assert (!rst_ni || !trapped_q || phase_q == Trap);
    h_handler: assert (!rst_ni || !in_handler_q || phase_q == Run || (phase_q == ToJump && claimed_q && (!valid_q || kind_q == Switch)) ||
                       (phase_q == ToCsr && valid_q && !sent_q) || (phase_q == Land && kind_q == Jump && claimed_q));
    h_claimed: assert (!rst_ni || !claimed_q || in_handler_q);
    h_exit:    assert (!rst_ni || !(valid_q && kind_q == SwitchTrap) || (region(at_q) && (sent_q || in_handler_q)));
    h_owner:   assert (!rst_ni || !(valid_q && kind_q <= Frames) ||
                       (sent_q && kind_q inside {Switch, SwitchTrap} && !in_handler_q) || of_handler_q == in_handler_q);
    h_frames:  assert (!rst_ni || !(valid_q && kind_q == Frames) || !in_handler_q);
    h_where:   assert (!rst_ni || !(valid_q && kind_q <= Frames) || (of_handler_q ? claimed_q || region(at_q) : !region(at_q)));
    h_claim:   assert (!rst_ni || !(valid_q && kind_q == Claim) || (region(at_q) && of_handler_q));
    h_forget:  assert (!rst_ni || !(valid_q && kind_q == Forget) || datum_q < 32'(Tasks));
    h_memory:  assert (!rst_ni || !(valid_q && kind_q == Frames && datum_q[31]));
    h_words:   assert (!rst_ni || !(valid_q && kind_q <= Frames) || !(address_q[31:9] == mel_pkg::BanksBase[31:9] ||
                       address_q == ClaimAddress || address_q == Dispatch));
    h_x3:      assert (!rst_ni || !(valid_q && kind_q <= Frames) || (ra_q != 5'd3 && rb_q != 5'd3 && rd_q != 5'd3));
    h_x3_wb:   assert (!rst_ni || !((load_q || write_q) && program_q) || behind_rd_q != 5'd3);
    h_reads:   assert (!rst_ni || !(valid_q && kind_q inside {Jump, Csr}) || ra_q == 5'd3);
    h_behind:  assert (!rst_ni || ((!load_q || access_q) && !(write_q && access_q) && (!write_q || program_q)));
    h_small:   assert (!rst_ni || (Writeback ? !sent_q : !(access_q || load_q || write_q)));
    h_sent:    assert (!rst_ni || !sent_q || (valid_q && is_access));
    h_held:    assert (!rst_ni || !held_q || (valid_q && is_access && !sent_q && !access_q));
    h_stores:  assert (!rst_ni || !(valid_q && kind_q == Spill) || (7'(rb_q) == index && index >= 7'd1 && index <= 7'd31));
    h_loads:   assert (!rst_ni || !(valid_q && kind_q == Fill) || (7'(rd_q) + 7'd31 == index && index >= 7'd32 && index <= 7'd62));
    h_index:   assert (!rst_ni || phase_q != Routine || index <= 7'd62);
    h_filled:  assert (!rst_ni || !(valid_q && kind_q == Filled) || (index == 7'd63 && at_q == FilledAt));
    h_load:    assert (!rst_ni || !load_q || program_q || (7'(behind_rd_q) + 7'd31 == index - 7'(valid_q && kind_q inside {Fill, Filled}) &&
                       (phase_q == Routine ? (index >= 7'd32 && (!valid_q || kind_q == Fill)) : (valid_q && kind_q == Filled))));
    h_loading: assert (!rst_ni || !(load_q || write_q) || phase_q == Run || (phase_q == Routine && load_q && !program_q) ||
                       (phase_q inside {ToJump, ToCsr} && valid_q));
  end
endmodule
