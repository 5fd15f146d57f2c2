// SPDX-License-Identifier: Apache-2.0
// mel_access: the access port of one core: takes loads and stores of its window, answers loads of the answer and of
// `ready`, hands all else to mel_engine with its row of the check table, and holds what comes meanwhile.
//
// Timing: a store is taken in its request cycle and answered in the next. What it asks begins in the next cycle (`access_o` is the
// capture register). A load of the answer is answered in the next cycle, or, while this core's command is under way, in the
// cycle after its last. Other loads are answered in the cycle after `access_done_i`. One further request is held meanwhile
// (`req_ready_o` is then low); unless it is a load of the answer, it is taken in the second cycle after the last of the command.
// Answers never pass a command: requests of one core take effect in order.
// A request is looked at only in cycles in which `sample_i` is high (mel_clock_ratio): it may come late, and change before.
module mel_access
  import mel_unit_pkg::id_t;
  import mel_engine_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        sample_i,        // `req_valid_i` may be high, and what is asked is there
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        req_write_i,
  input  mel_pkg::offset_t req_addr_i,
  input  logic [3:0]  req_be_i,
  input  logic [31:0] req_wdata_i,
  output logic        rsp_valid_o,
  output logic [31:0] rsp_rdata_o,

  output logic        access_valid_o,
  output core_request_t     access_o,
  output check_t      check_o,
  input  logic        access_done_i,
  input  logic        at_once_i,       // with `access_data_i`; else with `last_i` of the next cycle
  input  logic [31:0] access_data_i,
  input  logic [31:0] last_i,          // result of the word before

  input  logic        ready_i,         // the unit has cleared its memories
  input  logic [31:0] answer_i,        // from registers
  output logic        answered_o       // the response of this cycle is the answer
);

  typedef struct packed {
    logic        write;
    mel_pkg::offset_t addr;
    logic [3:0]  be;
    logic [31:0] wdata;
  } request_t;

  logic     hold_valid_q, hold_answer_q, access_valid_q, rsp_valid_q, rsp_answer_q;
  logic     held_answer;             // a held load of the answer, now that the command has ended
  logic     take, free, looks, request_valid, to_engine, posts, waiting_load, is_answer, is_ready, in_registers;
  logic [31:0] rsp_rdata_q;
  logic     rsp_last_q, rsp_ready_q;
  request_t hold_q, incoming, request;
  core_request_t  access_q, access_d;

  // ---- one request at a time ------------------------------------------------------------------------------------------

  assign waiting_load  = access_valid_q && !access_q.write;
  assign held_answer   = hold_valid_q && hold_answer_q && !access_valid_q;
  assign req_ready_o   = (!hold_valid_q || held_answer) && !waiting_load;
  assign take          = req_valid_i && req_ready_o;
  assign incoming      = '{write: req_write_i, addr: req_addr_i, be: req_be_i, wdata: req_wdata_i};
  assign request       = (hold_valid_q && !held_answer) ? hold_q : incoming;
  assign free          = !access_valid_q;
  assign looks         = free && (sample_i || (hold_valid_q && !held_answer));
  assign request_valid = ((hold_valid_q && !held_answer) || take) && free;

  // ---- decode ---------------------------------------------------------------------------------------------------------

  function automatic logic is_query(mel_pkg::op_t op);
    return op inside {mel_pkg::QueryTaskState, mel_pkg::QuerySemaphoreCount, mel_pkg::QueryQueueCount,
                      mel_pkg::QueryMutexState, mel_pkg::QueryRunTime};
  endfunction

  logic legal;
  logic [2:0] kind;                    // kind of a command's or a query's number
  mel_pkg::op_t op;
  assign op           = request.addr[16:10];
  assign kind         = mel_program_pkg::id_kind(op);
  assign legal        = (request.be == '1) && (request.addr[1:0] == '0);
  assign in_registers = (op == mel_pkg::OpRegisters);
  assign is_answer    = legal && !request.write && !in_registers && !is_query(op);
  assign is_ready     = legal && !request.write && request.addr == mel_pkg::RegReady;
  assign to_engine    = !is_answer && !is_ready;
  assign posts        = request_valid && request.write;
  assign answered_o   = held_answer || rsp_answer_q;

  assign access_d = '{
    write:        request.write,
    in_registers: in_registers,
    legal:        legal && !(in_registers && request.addr[9:8] != '0),   // 256 bytes of registers
    op:           op,
    number:       request.addr[9:2],
    kind:         in_registers ? mel_pkg::IdKindNone : kind,
    of_caller:    !in_registers && kind == mel_pkg::IdKindNone,
    held_back:    request.write && mel_program_pkg::held_back(op),
    dispatches:   legal && in_registers && !request.write && request.addr[9:0] == mel_pkg::RegDispatch[9:0],
    claims:       legal && in_registers && !request.write && request.addr[9:0] == mel_pkg::RegClaim[9:0],
    plain:        in_registers && !request.write &&
                  !(request.addr[7:0] inside {mel_pkg::RegDispatch[7:0], mel_pkg::RegClaim[7:0], mel_pkg::RegRunning[7:0],
                                              mel_pkg::RegLostIrqs[7:0], mel_pkg::RegOperand[7:0], mel_pkg::RegValue[7:0],
                                              mel_pkg::RegLongestWait[7:0]}),
    argument:     request.wdata
  };

  (* ram_style = "block" *) logic [$bits(check_t)-1:0] check_mem [512];
  logic [$bits(check_t)-1:0] check_row;
  initial for (int unsigned i = 0; i < 512; i++) check_mem[i] = mel_program_pkg::Checks[i];
  always_ff @(posedge clk_i) begin
    if (looks) check_row <= check_mem[{request.write, in_registers, in_registers ? {1'b0, request.addr[7:2]} : op}];
  end
  assign check_o = check_t'(check_row);

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
      access_valid_q <= (request_valid && to_engine) || (access_valid_q && !access_done_i);
      rsp_valid_q    <= (request_valid && (posts || !to_engine)) || (waiting_load && access_done_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      hold_q        <= incoming;
      hold_answer_q <= is_answer;
    end
    if (looks) access_q <= access_d;   // whatever comes: whether something comes is known late
    rsp_rdata_q <= (waiting_load && at_once_i) ? access_data_i : '0;
    rsp_ready_q <= !waiting_load && is_ready && ready_i;
    rsp_last_q  <= waiting_load && !at_once_i;
  end

  assign rsp_valid_o    = rsp_valid_q || held_answer;
  // At most one of the three is not 0: behind a cycle without a load that waits, only `ready` is none of the answer.
  assign rsp_rdata_o    = ({32{answered_o}} & answer_i) | ({32{rsp_last_q}} & last_i) | rsp_rdata_q | 32'(rsp_ready_q);
  assign access_valid_o = access_valid_q;
  assign access_o       = access_q;

`ifndef SYNTHESIS
  a_one_answer: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(waiting_load && (hold_valid_q || take)));
  a_done_was_asked: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !access_done_i || access_valid_q);
`endif

endmodule
