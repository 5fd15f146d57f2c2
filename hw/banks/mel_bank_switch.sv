// mel_bank_switch: gives each task of a core a bank of registers, and changes the bank when the core changes the task (decision 0015).
// It stands between the core's data port and the bus, and between the unit's interrupt lines and the core.
//
// Contract: OBI-like on both sides, one access outstanding. Besides what passes through it knows the words below; `pc_i` is that of the
// instruction in the ID stage, `mepc_i` the live register. A store to SWITCH or SWITCH_TRAP becomes the unit's load of `dispatch`, and is
// granted in the cycle in which the unit performs it (`dispatch_i`, with the task that then runs): at its end the bank changes.
// What is read in the next cycle is the new bank's.
// In a handler, which switches nothing, a store to SWITCH brings the answer of its last command into a0 and goes on behind the jump.
// Timing: other accesses cost no cycle. After a switch x3 of the bank that was left is written in the 1st cycle, a0 of a task that goes on in a
// call in the 2nd: in both the core's writeback holds the store or the jump, which write no register.
module mel_bank_switch #(
  parameter int unsigned  Tasks       = 64,             // the number that stands for idle
  parameter int unsigned  Banks       = 16,             // of tasks, 2..64
  parameter bit           Writeback   = 1'b1,           // registers are written one stage behind ID
  parameter logic [31:0]  VectorBase  = 32'h1000_0000,
  localparam int unsigned All         = Banks + 2,      // + idle, handlers
  localparam int unsigned BankW       = $clog2(All)
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
  output logic             err_o,
  // The bus. Write data goes around.
  output logic             req_o,
  input  logic             gnt_i,
  output logic             we_o,
  output logic [3:0]       be_o,
  output logic [31:0]      addr_o,
  input  logic             rvalid_i,
  input  logic             err_i,
  input  logic [31:0]      rdata_i,                     // goes around, too

  // The core.
  input  logic             trap_i,                      // it fetches the dispatch vector (mel_bank_fetch); high until `dispatch_i`
  input  logic [31:0]      pc_i,
  input  logic [31:0]      mepc_i,
  output logic             hold_irqs_o,                 // the core is to take no interrupt

  // The unit.
  input  logic             dispatch_i,                  // it performs this core's dispatch
  input  logic [8:0]       running_i,                    // … and this task runs from now on
  input  logic [31:0]      answer_i,                    // to the running context, from registers

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
  localparam int unsigned      TaskW    = $clog2(Tasks);
  localparam int unsigned      SlotW    = $clog2(Banks);
  localparam logic [BankW-1:0] Idle     = BankW'(Banks);
  localparam logic [BankW-1:0] Handlers = BankW'(Banks + 1);

  localparam logic [31:0] AnswerAddress   = mel_pkg::PortBase;
  localparam logic [31:0] DispatchAddress = {mel_pkg::PortBase[31:16], mel_pkg::RegDispatch};
  localparam logic [31:0] ClaimAddress    = {mel_pkg::PortBase[31:16], mel_pkg::RegClaim};
  // The region of vectors: 32 words, and from 256 bytes on the routines that belong to them; the first are those of a missing bank.
  localparam logic [31:0] Spill = VectorBase + 32'h100, Fill = VectorBase + 32'h17C;  // behind 31 stores of 4 bytes

  typedef struct packed {
    logic             valid;
    logic [SlotW-1:0] slot;
  } place_t;
  typedef struct packed {
    logic             valid;
    logic [TaskW-1:0] task_id;
  } owner_t;

  // ---- decode ---------------------------------------------------------------------------------------------------------

  logic       here, is_switch, is_trap, is_ask, is_filled, is_forget, is_frames, is_frame, is_local, asks;
  logic [8:0] offset;
  logic       handler_q;                // a handler runs, from its load of `claim` on
  assign offset    = addr_i[8:0];
  assign here      = req_i && addr_i[31:9] == mel_pkg::BanksBase[31:9];
  assign is_trap   = trap_i || (here && we_i && offset == mel_pkg::BankSwitchTrap);
  assign is_switch = (here && we_i && offset == mel_pkg::BankSwitch && !handler_q) || is_trap;
  assign asks      = req_i || trap_i;   // never both: before a trap the core waits for its accesses
  assign is_ask    = here && we_i && offset == mel_pkg::BankSwitch && handler_q;
  assign is_filled = here && we_i && offset == mel_pkg::BankFilled;
  assign is_forget = here && we_i && offset == mel_pkg::BankForget;
  assign is_frames = here && we_i && offset == mel_pkg::BankFrames;
  assign is_frame  = here && offset >= mel_pkg::BankFrame && offset < mel_pkg::BankFrame + 9'd128;
  assign is_local  = is_filled || is_forget || is_frames;

  // ---- the access -----------------------------------------------------------------------------------------------------

  logic pending_q, local_q, sent_q;      // an access waits for its answer; it is ours; a switch has been asked for
  logic silent_q;                        // … by a fetch: the core has made no access
  logic open, local_gnt, asked;
  assign open      = !pending_q || rvalid_o;
  assign local_gnt = req_i && is_local && open;
  assign asked     = is_ask && sent_q && rvalid_i;

  logic [31:0]      frames_q;
  logic [TaskW-1:0] leaver_q, comer_q;   // whose registers are stored, and loaded, when a bank is missing

  always_comb begin
    req_o  = asks && !is_local && !sent_q;
    we_o   = we_i && !is_switch && !is_ask;
    be_o   = be_i | {4{trap_i}};
    addr_o = addr_i;
    if (is_switch) addr_o = DispatchAddress;
    if (is_ask)    addr_o = AnswerAddress;
    if (is_frame)  addr_o = frames_q + {32'(we_i ? leaver_q : comer_q) << 7} + 32'(addr_i[6:0]);
    gnt_o    = is_local ? local_gnt : is_switch ? dispatch_i : is_ask ? asked : gnt_i;
    rvalid_o = local_q || (rvalid_i && !asked && !silent_q);
    err_o    = err_i && !local_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      local_q   <= 1'b0;
      sent_q    <= 1'b0;
      silent_q  <= 1'b0;
    end else begin
      pending_q <= (req_i && gnt_o) || (pending_q && !rvalid_o);
      local_q   <= local_gnt || asked;
      sent_q    <= (is_switch || is_ask) && asks && (sent_q || gnt_i) && !dispatch_i && !asked;
      silent_q  <= trap_i || (silent_q && !rvalid_i);
    end
  end

  // ---- which bank -----------------------------------------------------------------------------------------------------

  logic             in_region, handler, missing_q, redirect_q, fill_only_q;
  logic [BankW-1:0] current_q, bank_q;
  logic [31:0]      depth;
  assign depth     = pc_i - VectorBase;
  assign in_region = depth < 32'h80 || (depth >= 32'h100 && depth < 32'h300);
  assign handler   = (in_region || handler_q) && !missing_q;
  assign bank_o    = handler ? Handlers : current_q;
  assign bank_x3_o = current_q;
  assign wbank_o   = Writeback ? bank_q : bank_o;
  assign hold_irqs_o = missing_q;

  // ---- whose bank -----------------------------------------------------------------------------------------------------

  place_t [Tasks-1:0] place_q;
  logic   [Tasks-1:0] called_q;          // its result is to be written when it goes on
  logic               idle_called_q;     // the same of the idle context
  owner_t [Banks-1:0] owner_q;
  logic [TaskW-1:0]   task_q;            // runs, unless `idle_q`
  logic               idle_q;
  logic               gone_q;            // the running task has ended: nothing is to be kept of it
  logic [SlotW-1:0]   next_q, victim;
  logic               to_idle, miss;
  logic [TaskW-1:0]   comer;
  place_t             place;

  assign to_idle = running_i == 9'(Tasks);
  assign comer   = TaskW'(running_i);
  assign place   = place_q[comer];
  assign miss    = !to_idle && !place.valid;
  assign victim  = (BankW'(next_q) == current_q) ? after(next_q) : next_q;

  function automatic logic [SlotW-1:0] after(logic [SlotW-1:0] slot);
    return (slot == SlotW'(Banks - 1)) ? '0 : slot + 1'b1;
  endfunction

  logic [31:0] jump_q;                   // address of the jump behind the last SWITCH or FILLED
  logic        keeps_pc;                 // the trap came between them: x3 already says where to go on
  logic        filled, forgets;
  assign keeps_pc = is_trap && mepc_i == jump_q;
  assign filled   = local_gnt && is_filled;
  assign forgets  = local_gnt && is_forget;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      handler_q   <= 1'b0;
      missing_q   <= 1'b0;
      redirect_q  <= 1'b0;
      fill_only_q <= 1'b0;
      current_q   <= Idle;
      bank_q      <= Idle;
      idle_q      <= 1'b1;
      gone_q      <= 1'b0;
      task_q      <= '0;
      place_q     <= '0;
      owner_q     <= '0;
      called_q    <= '0;
      idle_called_q <= 1'b0;
      next_q      <= '0;
      leaver_q    <= '0;
      comer_q     <= '0;
      frames_q    <= '0;
      jump_q      <= '0;
    end else begin
      bank_q <= bank_o;
      if (req_i && gnt_o && !we_i && addr_i == ClaimAddress) handler_q <= 1'b1;
      if (req_i && gnt_o && is_frame) redirect_q <= 1'b0;
      if (local_gnt && is_frames) frames_q <= wdata_i;
      if (forgets) begin
        place_q[TaskW'(wdata_i)]  <= '0;
        called_q[TaskW'(wdata_i)] <= 1'b0;
        if (TaskW'(wdata_i) == task_q && !idle_q) gone_q <= 1'b1;
        if (place_q[TaskW'(wdata_i)].valid) owner_q[place_q[TaskW'(wdata_i)].slot].valid <= 1'b0;
      end
      if (filled) begin
        missing_q <= 1'b0;
        jump_q    <= pc_i + 32'd4;
      end
      if (dispatch_i) begin
        handler_q <= 1'b0;
        task_q    <= comer;
        idle_q    <= to_idle;
        current_q <= to_idle ? Idle : miss ? BankW'(victim) : BankW'(place.slot);
        if (idle_q) idle_called_q    <= !is_trap;
        else        called_q[task_q] <= !is_trap && !gone_q;
        gone_q <= 1'b0;
        if (!is_trap) jump_q <= pc_i + 32'd4;
        if (miss) begin
          missing_q   <= 1'b1;
          redirect_q  <= 1'b1;
          fill_only_q <= !owner_q[victim].valid;
          leaver_q    <= owner_q[victim].task_id;
          comer_q     <= comer;
          next_q      <= after(victim);
          if (owner_q[victim].valid) place_q[owner_q[victim].task_id].valid <= 1'b0;
          owner_q[victim] <= '{valid: 1'b1, task_id: comer};
          place_q[comer]  <= '{valid: 1'b1, slot: victim};
        end
      end
    end
  end

  // ---- what the attachment writes -------------------------------------------------------------------------------------

  // x3 of the bank that was left, in the cycle after the switch; the result of a task that goes on, one later.
  logic             left_q, entered_q, result_q, asked_q;
  logic             beyond_q;            // the handler has been answered: x3 says where its call goes on, whenever the jump is fetched
  logic [31:0]      asked_data_q, beyond_pc_q;
  logic [BankW-1:0] left_bank_q;
  logic [31:0]      left_pc_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q    <= 1'b0;
      entered_q <= 1'b0;
      result_q  <= 1'b0;
      asked_q   <= 1'b0;
      beyond_q  <= 1'b0;
    end else begin
      asked_q   <= asked;
      beyond_q  <= asked || (beyond_q && handler_q);
      left_q    <= dispatch_i && !keeps_pc;
      entered_q <= (dispatch_i && !miss) || filled;
      result_q  <= entered_q && (idle_q ? idle_called_q : called_q[task_q]);
    end
  end
  always_ff @(posedge clk_i) begin
    left_bank_q  <= current_q;
    asked_data_q <= rdata_i;
    if (asked) beyond_pc_q <= pc_i + 32'd8;
    left_pc_q   <= is_trap ? mepc_i : pc_i + 32'd8;
  end

  // The task that was left may be the one that goes on: what is being written is read.
  assign x3_is_o = redirect_q || (beyond_q && handler_q) || (left_q && left_bank_q == current_q);
  assign x3_o    = redirect_q ? (fill_only_q ? Fill : Spill) : (beyond_q && handler_q) ? beyond_pc_q : left_pc_q;

  assign put_o      = left_q || result_q || asked_q;
  assign put_bank_o = left_q ? left_bank_q : asked_q ? Handlers : current_q;
  assign put_addr_o = left_q ? 5'd3 : 5'd10;
  assign put_data_o = left_q ? left_pc_q : asked_q ? asked_data_q : answer_i;

`ifndef SYNTHESIS
  a_one_put: assert property (@(posedge clk_i) disable iff (!rst_ni) !(left_q && result_q));
  a_asked: assert property (@(posedge clk_i) disable iff (!rst_ni) !dispatch_i || (is_switch && asks));
`endif
endmodule
