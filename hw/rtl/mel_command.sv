// SPDX-License-Identifier: Apache-2.0
// mel_command: the access port of one core: decodes loads and stores of its window, answers registers and answers
// itself, hands commands, operands, queries, `value`, `dispatch` and `claim` to the sequencer, and holds what comes meanwhile.
//
// Timing: a store of a command is taken in its request cycle and answered in the next; its service begins in the next cycle (the
// capture register is `access_o`). A load of the answer is answered in the next cycle, or, while this core's
// command is under way, in the cycle after its last (`access_done_i`): in the same cycle in which its result is registered.
// Register loads likewise. One further request is held while a command is under way (`req_ready_o` is then low): unless it is a load
// of the answer, it is taken in the second cycle after the last of the command, because that is known late (of an operand early).
// Answers come from the dispatcher's registers through a few levels of logic, all other data from a register.
// Answers never pass a command: requests of one core take effect in order.
module mel_command
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks         = 64,   // the number that stands for idle
  parameter logic [31:0] ParameterHash = '0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        req_write_i,
  input  mel_pkg::offset_t req_addr_i,
  input  logic [3:0]  req_be_i,
  input  logic [31:0] req_wdata_i,
  output logic        rsp_valid_o,
  output logic [31:0] rsp_rdata_o,

  output logic        access_valid_o,
  output access_t     access_o,
  input  logic        access_done_i,
  input  logic        operand_done_i,  // completion of an operand alone, early in the cycle
  input  logic [31:0] access_data_i,

  input  logic        ready_i,
  input  core_t       core_i,
  input  logic [31:0] answer_i,        // from registers
  input  logic [63:0] time_i,
  input  logic [31:0] tick_cycles_i,
  input  logic [31:0] refused_i,
  input  logic [31:0] lost_irqs_i,
  input  monitor_t    monitor_i,
  input  watch_t      watch_i,
  output logic        monitor_clear_o,

  output logic        answered_o,      // the response of this cycle is the answer
  output logic        illegal_o        // an access that is answered and does nothing
);

  typedef struct packed {
    logic        write;
    mel_pkg::offset_t addr;
    logic [3:0]  be;
    logic [31:0] wdata;
  } request_t;

  logic     hold_valid_q, hold_answer_q, access_valid_q, rsp_valid_q, rsp_answer_q;
  logic     held_answer;             // a held load of the answer, now that the command has ended
  logic [31:0] rsp_rdata_q;
  request_t hold_q, incoming, request;
  access_t  access_q, access_d;
  logic     take, free, request_valid, to_sequencer, posts, waiting_load;

  // ---- one request at a time ------------------------------------------------------------------------------------------

  assign waiting_load  = access_valid_q && !(access_q.kind inside {AccessCommand, AccessOperand});
  assign held_answer   = hold_valid_q && hold_answer_q && !access_valid_q;
  assign req_ready_o   = (!hold_valid_q || held_answer) && !waiting_load;
  assign take          = req_valid_i && req_ready_o;
  assign incoming      = '{write: req_write_i, addr: req_addr_i, be: req_be_i, wdata: req_wdata_i};
  assign request       = (hold_valid_q && !held_answer) ? hold_q : incoming;
  assign free          = !access_valid_q || operand_done_i;
  assign request_valid = ((hold_valid_q && !held_answer) || take) && free;

  // ---- decode ---------------------------------------------------------------------------------------------------------

  logic        legal, in_commands;
  logic        is_command, is_operand, is_value, is_query, is_dispatch, is_claim, is_answer, is_clear;
  logic        is_register, in_registers, known_register;
  logic [31:0] register_data;

  assign legal       = (request.be == '1) && (request.addr[1:0] == '0);
  assign in_commands = (request.addr[16:10] != mel_pkg::OpRegisters);
  assign is_command  = legal && request.write && in_commands;
  assign is_query    = legal && !request.write &&
                       request.addr[16:10] inside {mel_pkg::QueryTaskState, mel_pkg::QuerySemaphoreCount,
                                                   mel_pkg::QueryQueueCount, mel_pkg::QueryMutexState,
                                                   mel_pkg::QueryRunTime};
  assign is_dispatch = legal && !request.write && in_registers && request.addr[7:0] == mel_pkg::RegDispatch[7:0];
  assign is_operand  = legal && request.write && in_registers && request.addr[7:0] == mel_pkg::RegOperand[7:0];
  assign is_value    = legal && !request.write && in_registers && request.addr[7:0] == mel_pkg::RegValue[7:0];
  assign is_claim    = legal && !request.write && in_registers && request.addr[7:0] == mel_pkg::RegClaim[7:0];
  assign is_clear    = legal && request.write && in_registers && request.addr[7:0] == mel_pkg::RegMonitor[7:0];
  assign is_answer   = legal && !request.write && in_commands && !is_query;
  assign is_register = legal && !request.write && known_register;

  // Registers are 256 bytes: the low bits of the offset tell them apart.
  localparam mel_pkg::offset_t RegistersMask = 17'h1FF00;
  assign in_registers = (request.addr & RegistersMask) == (mel_pkg::RegIdentity & RegistersMask);

  always_comb begin
    known_register = in_registers;
    unique case (request.addr[7:0])
      mel_pkg::RegIdentity[7:0]:      register_data = mel_pkg::Identity;
      mel_pkg::RegSpecHash[7:0]:      register_data = mel_pkg::SpecHash;
      mel_pkg::RegParameterHash[7:0]: register_data = ParameterHash;
      mel_pkg::RegReady[7:0]:         register_data = 32'(ready_i);
      mel_pkg::RegOperand[7:0]:       register_data = '0;
      mel_pkg::RegRunning[7:0]:       register_data = core_i.running_valid ? 32'(core_i.running) : 32'(Tasks);
      mel_pkg::RegTimeLow[7:0]:       register_data = time_i[31:0];
      mel_pkg::RegTimeHigh[7:0]:      register_data = time_i[63:32];
      mel_pkg::RegTickCycles[7:0]:    register_data = tick_cycles_i;
      mel_pkg::RegRefused[7:0]:       register_data = refused_i;
      mel_pkg::RegLostIrqs[7:0]:      register_data = lost_irqs_i;
      mel_pkg::RegMonitor[7:0]:       register_data = 32'(monitor_i.there);
      mel_pkg::RegLongestWait[7:0]:   register_data = monitor_i.longest_wait;
      mel_pkg::RegMissedDeadlines[7:0]: register_data = watch_i.missed;
      mel_pkg::RegBudgetOverruns[7:0]: register_data = watch_i.overruns;
      mel_pkg::RegReported[7:0]:      register_data = watch_i.reported;
      default: begin
        register_data  = monitor_i.histogram[request.addr[5:2]];
        known_register = in_registers && request.addr[7:6] == mel_pkg::RegLatency0[7:6] && request.addr[1:0] == '0;
      end
    endcase
  end

  assign to_sequencer = is_command || is_operand || is_query || is_value || is_dispatch || is_claim;
  assign posts        = request_valid && (is_command || is_operand);
  assign illegal_o    = request_valid && !to_sequencer && !is_answer && !is_register && !is_clear;
  assign monitor_clear_o = request_valid && is_clear;
  assign answered_o   = held_answer || rsp_answer_q;

  assign access_d = '{
    kind:     is_command ? AccessCommand : is_operand ? AccessOperand : is_query ? AccessQuery :
              is_value ? AccessValue : is_dispatch ? AccessDispatch : AccessClaim,
    op:       request.addr[16:10],
    id:       request.addr[9:2],
    argument: request.wdata
  };

  // ---- registers ------------------------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hold_valid_q   <= 1'b0;
      access_valid_q <= 1'b0;
      rsp_valid_q    <= 1'b0;
      rsp_answer_q   <= 1'b0;
    end else begin
      hold_valid_q   <= ((hold_valid_q && !held_answer) || take) && !free;
      rsp_answer_q   <= request_valid && is_answer;
      access_valid_q <= (request_valid && to_sequencer) || (access_valid_q && !access_done_i);
      rsp_valid_q    <= (request_valid && (posts || !to_sequencer)) || (waiting_load && access_done_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      hold_q        <= incoming;
      hold_answer_q <= is_answer;
    end
    if (free) access_q <= access_d;   // whatever comes: whether something comes is known late
    rsp_rdata_q <= waiting_load ? access_data_i : is_register ? register_data : '0;
  end

  assign rsp_valid_o    = rsp_valid_q || held_answer;
  assign rsp_rdata_o    = answered_o ? answer_i : rsp_rdata_q;
  assign access_valid_o = access_valid_q;
  assign access_o       = access_q;

`ifndef SYNTHESIS
  a_one_answer: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(waiting_load && (hold_valid_q || take)));
  a_done_was_asked: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !access_done_i || access_valid_q);
`endif

endmodule
