// SPDX-License-Identifier: Apache-2.0
// mel_dmmu: the memory management unit: blocks of memory, handed out to owners, one behind the other as many as an owner asks for, in the same few cycles
// whatever is held. It knows numbers of blocks; their size and place are software's.
// What each access does: docs/decisions/0041; offsets and words: spec/dmmu.yaml.
//
// Contract: an access port per core, as the hardware RTOS has: a request is taken when valid and ready, and gets one response. A request stays until it is
// taken.
// Timing: a request is answered in the cycle after it is taken. After a command that is not refused none is taken for ceil(log2(Blocks) / 2) + 2 cycles
// (`allocate`: 6 with 256 blocks, 3 with 2) or 1 (others); then those of the cores in turn, so a request waits for at most one command of each other core, and
// that of its own core before it.
// Needs: mel_dmmu_pkg; mel_lock_turn (hw/lock_cache); mel_first_set (hw/engine); the modules beside it (mel_dmmu.f).
module mel_dmmu
  import mel_dmmu_pkg::*;
#(
  parameter int unsigned Blocks = 256,  // 2..256
  parameter int unsigned Owners = 64,   // 1..256
  parameter int unsigned Cores  = 1     // 1..4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [Cores-1:0]       req_valid_i,
  output logic [Cores-1:0]       req_ready_o,
  input  logic [Cores-1:0]       req_write_i,
  input  logic [Cores-1:0][15:0] req_addr_i,    // byte offset in the core's window
  input  logic [Cores-1:0][3:0]  req_be_i,
  input  logic [Cores-1:0][31:0] req_wdata_i,
  output logic [Cores-1:0]       rsp_valid_o,
  output logic [Cores-1:0][31:0] rsp_rdata_o    // load: answer; store: AnswerNone when refused
);
  if (Blocks < BlocksMin || Blocks > BlocksMax) begin : gen_bad_blocks
    $fatal(1, "mel_dmmu: parameter Blocks = %0d is out of range 2..256", Blocks);
  end
  if (Owners < OwnersMin || Owners > OwnersMax) begin : gen_bad_owners
    $fatal(1, "mel_dmmu: parameter Owners = %0d is out of range 1..256", Owners);
  end
  if (Cores < CoresMin || Cores > CoresMax) begin : gen_bad_cores
    $fatal(1, "mel_dmmu: parameter Cores = %0d is out of range 1..4", Cores);
  end

  localparam int unsigned CoreW    = (Cores > 1) ? $clog2(Cores) : 1;
  localparam logic [15:0] CountMax = '1;

  logic                   any, write, whole, busy, done;
  logic [CoreW-1:0]       core, subject_q;
  logic [15:0]            addr;
  logic [31:0]            wdata, row, answer, load_answer, rdata_q;
  logic                   allocate, releases, give, clear, named, command, command_refused, full;
  logic                   at_allocation, load_refused, refused;
  logic [8:0]             number, free, least;
  logic [Cores-1:0]       rsp_valid_q;
  logic [Cores-1:0][31:0] answer_q;
  logic [15:0]            refused_q, failed_q;

  // ---- the access -----------------------------------------------------------------------------------------------------

  mel_lock_turn #(
    .Cores(Cores)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .open_i (!busy),
    .valid_i(req_valid_i),
    .ready_o(req_ready_o),
    .any_o  (any),
    .core_o (core)
  );

  assign write = req_write_i[core];
  assign addr  = req_addr_i[core];
  assign wdata = req_wdata_i[core];
  assign whole = any && req_be_i[core] == 4'hF && addr[1:0] == '0 && addr < 16'(WindowBytes);

  assign allocate = whole && write && addr[11:0] == CommandAllocate;
  assign releases = whole && write && addr[11:0] == CommandRelease;
  assign give     = whole && write && addr[11:0] == CommandGive;
  assign clear    = whole && write && addr[11:0] == CommandClear;
  assign named    = allocate || releases || give;
  assign command  = (named && wdata[23:17] == '0 && (give || wdata[31:24] == '0)) || (clear && wdata == '0);

  // The region as the package has it, decoded by wires: 4 bytes for each block.
  assign at_allocation = !write && addr[11:10] == RegionAllocation[11:10];
  assign number        = write ? wdata[16:8] : {1'b0, addr[9:2]};

  // ---- the table ------------------------------------------------------------------------------------------------------

  mel_dmmu_table #(
    .Blocks(Blocks),
    .Owners(Owners)
  ) u_table (
    .clk_i,
    .rst_ni,
    .valid_i   (command),
    .allocate_i(allocate),
    .release_i (releases),
    .give_i    (give),
    .owner_i   (wdata[7:0]),
    .number_i  (number),
    .next_i    (wdata[31:24]),
    .refused_o (command_refused),
    .row_o     (row),
    .busy_o    (busy),
    .done_o    (done),
    .answer_o  (answer),
    .full_o    (full),
    .free_o    (free),
    .least_o   (least)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_q  <= {Cores{AnswerNone}};
      subject_q <= '0;
    end else if (done) begin
      answer_q[subject_q] <= answer;
    end else if (named || clear) begin
      subject_q <= core;
      if (refused) answer_q[core] <= AnswerNone;
    end
  end

  // ---- loads ----------------------------------------------------------------------------------------------------------

  always_comb begin
    load_answer  = '0;
    load_refused = 1'b0;
    unique case (addr[11:0])
      RegIdentity:  load_answer = Identity;
      RegFactsHash: load_answer = FactsHash;
      RegSizes:     load_answer = {1'b0, 3'(Cores), 3'd0, 9'(Owners), 7'd0, 9'(Blocks)};
      RegCore:      load_answer = 32'(core);
      RegRefused:   load_answer = 32'(refused_q);
      RegAnswer:    load_answer = answer_q[core];
      RegFailed:    load_answer = 32'(failed_q);
      RegFree:      load_answer = 32'(free);
      RegLeast:     load_answer = 32'(least);
      default: begin
        load_refused = !(at_allocation && 32'(number) < Blocks);
        load_answer  = row;
      end
    endcase
  end

  always_comb begin
    if (!whole)     refused = 1'b1;
    else if (write) refused = !command || command_refused;
    else            refused = load_refused;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_valid_q <= '0;
      rdata_q     <= '0;
      refused_q   <= '0;
      failed_q    <= '0;
    end else begin
      rsp_valid_q <= Cores'(any) << core;
      if (any) rdata_q <= refused ? AnswerNone : write ? '0 : load_answer;
      if (any && refused && refused_q != CountMax) refused_q <= refused_q + 16'd1;
      if (done && full && failed_q != CountMax)    failed_q <= failed_q + 16'd1;
    end
  end

  assign rsp_valid_o = rsp_valid_q;
  assign rsp_rdata_o = {Cores{rdata_q}};
endmodule
