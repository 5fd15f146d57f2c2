// SPDX-License-Identifier: Apache-2.0
// mel_deadlock: the deadlock detection unit: which process holds which resource, and waits for which, and whether some wait for each other for ever. It says
// so in the answer to the command that closed the cycle, and by an interrupt, whose handler reads which processes and resources they are.
// What each access does: docs/decisions/0039; offsets and words: spec/deadlock.yaml.
//
// Contract: an access port per core, as the hardware RTOS has: a request is taken when valid and ready, and gets one response. A request stays until it is
// taken. `irq_o` is high from the end of a command that is answered with `deadlock` to the next store to `notice`.
// Timing: a request is answered in the cycle after it is taken. After a command none is taken while it is reduced (mel_deadlock_graph); then those of the cores
// in turn, so a request waits for at most one command of each other core, and its reduction, and that of its own core before it.
// Needs: mel_deadlock_pkg; mel_lock_turn (hw/lock_cache); the module beside it (mel_deadlock.f).
module mel_deadlock
  import mel_deadlock_pkg::*;
#(
  parameter int unsigned Processes = 16,   // 2..64
  parameter int unsigned Resources = 16,   // 2..64
  parameter int unsigned Cores     = 1     // 1..4
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
  output logic [Cores-1:0][31:0] rsp_rdata_o,   // load: answer; store: AnswerNone when refused

  output logic                   irq_o
);
  if (Processes < ProcessesMin || Processes > ProcessesMax) begin : gen_bad_processes
    $fatal(1, "mel_deadlock: parameter Processes = %0d is out of range 2..64", Processes);
  end
  if (Resources < ResourcesMin || Resources > ResourcesMax) begin : gen_bad_resources
    $fatal(1, "mel_deadlock: parameter Resources = %0d is out of range 2..64", Resources);
  end
  if (Cores < CoresMin || Cores > CoresMax) begin : gen_bad_cores
    $fatal(1, "mel_deadlock: parameter Cores = %0d is out of range 1..4", Cores);
  end

  localparam int unsigned CoreW      = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned ProcessW   = $clog2(Processes);
  localparam int unsigned ResourceW  = $clog2(Resources);
  localparam logic [15:0] RefusedMax = '1;

  logic                   any, write, whole, busy, done;
  logic [CoreW-1:0]       core, subject_q;
  logic [15:0]            addr;
  logic [31:0]            wdata, holder, answer, load_answer, rdata_q;
  logic [63:0]            waiting, processes, resources;
  logic                   request, grant, releases, withdraw, clear, named, command, command_refused;
  logic                   at_holder, at_waiting, load_refused, refused, at_notice;
  logic [7:0]             number, steps;  // number of the resource
  logic                   exists;
  logic [Processes-1:0]   process_bits;
  logic [Resources-1:0]   resource_bits;
  logic [Cores-1:0]       rsp_valid_q;
  logic [Cores-1:0][31:0] answer_q;
  logic [15:0]            refused_q;
  logic                   notice_q;

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

  assign request  = whole && write && addr[11:0] == CommandRequest;
  assign grant    = whole && write && addr[11:0] == CommandGrant;
  assign releases = whole && write && addr[11:0] == CommandRelease;
  assign withdraw = whole && write && addr[11:0] == CommandWithdraw;
  assign clear    = whole && write && addr[11:0] == CommandClear;
  assign named    = request || grant || releases || withdraw;
  assign command  = (named && 32'(wdata[7:0]) < Processes && wdata[31:16] == '0 && exists) || (clear && wdata == '0);

  // The regions as the package has them, decoded by wires; `holder` has 4 bytes for each resource, `waiting` 8.
  assign at_holder  = !write && addr[11:8] == RegionHolder[11:8];
  assign at_waiting = !write && addr[11:9] == RegionWaiting[11:9];
  assign number     = write ? wdata[15:8] : at_holder ? {2'd0, addr[7:2]} : {2'd0, addr[8:3]};
  assign exists     = 32'(number) < Resources;

  // ---- the graph ------------------------------------------------------------------------------------------------------

  mel_deadlock_graph #(
    .Processes(Processes),
    .Resources(Resources)
  ) u_graph (
    .clk_i,
    .rst_ni,
    .valid_i    (command),
    .request_i  (request),
    .grant_i    (grant),
    .release_i  (releases),
    .withdraw_i (withdraw),
    .clear_i    (clear),
    .process_i  (wdata[ProcessW-1:0]),
    .resource_i (number[ResourceW-1:0]),
    .refused_o  (command_refused),
    .holder_o   (holder),
    .waiting_o  (waiting),
    .busy_o     (busy),
    .done_o     (done),
    .answer_o   (answer),
    .steps_o    (steps),
    .processes_o(process_bits),
    .resources_o(resource_bits)
  );
  assign processes = 64'(process_bits);
  assign resources = 64'(resource_bits);

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

  // ---- loads, and the notice ------------------------------------------------------------------------------------------

  assign at_notice = whole && write && addr[11:0] == RegNotice;

  always_comb begin
    load_answer  = '0;
    load_refused = 1'b0;
    unique case (addr[11:0])
      RegIdentity:      load_answer = Identity;
      RegFactsHash:     load_answer = FactsHash;
      RegSizes:         load_answer = {13'd0, 3'(Cores), 8'(Resources), 8'(Processes)};
      RegCore:          load_answer = 32'(core);
      RegRefused:       load_answer = 32'(refused_q);
      RegAnswer:        load_answer = answer_q[core];
      RegNotice:        load_answer = 32'(notice_q);
      RegSteps:         load_answer = 32'(steps);
      RegProcesses:     load_answer = processes[31:0];
      RegProcessesHigh: load_answer = processes[63:32];
      RegResources:     load_answer = resources[31:0];
      RegResourcesHigh: load_answer = resources[63:32];
      default: begin
        load_refused = !((at_holder || at_waiting) && exists);
        load_answer  = at_holder ? holder : addr[2] ? waiting[63:32] : waiting[31:0];
      end
    endcase
  end

  always_comb begin
    if (!whole)     refused = 1'b1;
    else if (write) refused = !at_notice && (!command || command_refused);
    else            refused = load_refused;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_valid_q <= '0;
      rdata_q     <= '0;
      refused_q   <= '0;
      notice_q    <= 1'b0;
    end else begin
      rsp_valid_q <= Cores'(any) << core;
      if (any) rdata_q <= refused ? AnswerNone : write ? '0 : load_answer;
      if (any && refused && refused_q != RefusedMax) refused_q <= refused_q + 16'd1;
      if (at_notice)                                 notice_q <= 1'b0;
      else if (done && answer == AnswerDeadlock)     notice_q <= 1'b1;
    end
  end

  assign rsp_valid_o = rsp_valid_q;
  assign rsp_rdata_o = {Cores{rdata_q}};
  assign irq_o       = notice_q;

endmodule
