// SPDX-License-Identifier: Apache-2.0
// Proof of mel_command, for any traffic at the access port and any sequencer that answers within AnswerWithin cycles: every request
// that is taken gets one response, in order, with its own data; none is lost or doubled, none comes unasked. What must reach the
// sequencer reaches it once, in order and unchanged.
//   a response comes 1 cycle after the request was taken when nothing was under way, that of a load from the sequencer one after it
//   is done, that of a load of the answer in the cycle after the command before it ended, with the answer of that very cycle; none
//   later than 2 · AnswerWithin + 1 cycles (a load behind a store that was served late)
// There is at most one request without a response, so the ghost is one request and a count of what the sequencer owes.
module mel_command_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks        = 64,
  parameter int unsigned Cores        = 1,
  parameter int unsigned AnswerWithin = mel_bounds_pkg::served_cycles(Tasks, Cores)   // cycles, the first included
) (
  input logic                     clk_i,
  input logic                     req_valid_i,
  input logic                     req_write_i,
  input mel_pkg::offset_t         req_addr_i,
  input logic [3:0]               req_be_i,
  input logic [31:0]              req_wdata_i,
  input logic                     done_i,
  input logic [31:0]              data_i,
  input logic                     ready_i,
  input logic [$bits(core_t)-1:0] core_i,
  input logic [31:0]              answer_i
);

  localparam logic [31:0] Hash = 32'h5EED_0001;   // stands for ParameterHash

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        req_ready, rsp_valid, access_valid, operand_done, answered, illegal;
  logic [31:0] rsp_rdata;
  access_t     access;
  core_t       core;
  assign core         = core_i;
  assign operand_done = done_i && access.kind == AccessOperand;   // mel_sequencer

  logic clears;   // the monitor, outside
  mel_command #(.Tasks(Tasks), .ParameterHash(Hash)) u_command (
    .clk_i, .rst_ni (rst_n),
    .req_valid_i, .req_ready_o (req_ready), .req_write_i, .req_addr_i, .req_be_i, .req_wdata_i,
    .rsp_valid_o (rsp_valid), .rsp_rdata_o (rsp_rdata),
    .access_valid_o (access_valid), .access_o (access), .access_done_i (done_i), .operand_done_i (operand_done),
    .access_data_i (data_i), .ready_i, .core_i (core), .answer_i, .time_i ('0), .tick_cycles_i ('0), .refused_i ('0), .lost_irqs_i ('0),
    .monitor_i ('0), .watch_i ('0), .monitor_clear_o (clears),
    .answered_o (answered), .illegal_o (illegal)
  );

  // ---- what a request is, from spec alone -----------------------------------------------------------------------------

  typedef enum logic [3:0] { Post, Load, Answer, Identity, SpecHash, ParameterHash, Zero, Register, Nothing } what_e;

  function automatic what_e what(logic write, mel_pkg::offset_t addr, logic [3:0] be);
    if (be != '1 || addr[1:0] != '0)           return Nothing;
    if (addr < 17'hFC00 || addr >= 17'h10000) begin
      if (write)                               return Post;
      if (addr[16:10] inside {mel_pkg::QueryTaskState, mel_pkg::QuerySemaphoreCount, mel_pkg::QueryQueueCount,
                              mel_pkg::QueryMutexState, mel_pkg::QueryRunTime}) return Load;
      return Answer;
    end
    if (write && addr == mel_pkg::RegMonitor)  return Register;   // it clears what was measured
    if (write)                                 return (addr == mel_pkg::RegOperand) ? Post : Nothing;
    case (addr)
      mel_pkg::RegDispatch, mel_pkg::RegClaim, mel_pkg::RegValue: return Load;
      mel_pkg::RegIdentity:                    return Identity;
      mel_pkg::RegSpecHash:                    return SpecHash;
      mel_pkg::RegParameterHash:               return ParameterHash;
      mel_pkg::RegOperand:                     return Zero;
      mel_pkg::RegReady, mel_pkg::RegRunning, mel_pkg::RegTimeLow, mel_pkg::RegTimeHigh, mel_pkg::RegTickCycles,
      mel_pkg::RegRefused, mel_pkg::RegLostIrqs, mel_pkg::RegMonitor, mel_pkg::RegLongestWait,
      mel_pkg::RegMissedDeadlines, mel_pkg::RegBudgetOverruns, mel_pkg::RegReported: return Register;
      default: return (addr >= mel_pkg::RegLatency0 && addr <= mel_pkg::RegLatency15) ? Register : Nothing;
    endcase
  endfunction

  // ---- ghosts ---------------------------------------------------------------------------------------------------------

  logic        pending_q = 1'b0;         // a request has been taken and not answered
  what_e       what_q = Nothing;         // it
  logic [14:0] slot_q = '0;              // … its address in words
  logic [31:0] wdata_q = '0;
  logic [1:0]  owed_q = '0;              // requests for the sequencer that it has not yet done
  logic [9:0]  silent_q = '0, age_q = '0; // cycles without `done_i`; since the request was taken
  logic [31:0] data_q = '0;
  what_e       incoming;
  logic        take, passed, illegal_q = 1'b0;
  assign take     = rst_n && req_valid_i && req_ready;
  assign incoming = what(req_write_i, req_addr_i, req_be_i);

  always_ff @(posedge clk_i) begin
    pending_q <= take || (pending_q && !rsp_valid);
    if (take) begin
      what_q  <= incoming;
      slot_q  <= req_addr_i[16:2];
      wdata_q <= req_wdata_i;
    end
    owed_q    <= owed_q + 2'(take && incoming inside {Post, Load}) - 2'(done_i);
    silent_q  <= (!access_valid || done_i) ? '0 : silent_q + 10'd1;
    age_q     <= take ? 10'd1 : age_q + 10'(age_q != '1);
    data_q    <= data_i;
    illegal_q <= rst_n && illegal;
  end

  always_comb begin
    m_done:   assume (!done_i || (rst_n && access_valid));   // mel_sequencer
    m_within: assume (32'(silent_q) < AnswerWithin);         // mel_sequencer_proof: a_served
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  // The request that is pending is the one at the sequencer; a store is answered when it gets there, a load when it is done.
  logic loads;
  assign loads  = access_valid && !(access.kind inside {AccessCommand, AccessOperand});
  assign passed = (what_q == Post) ? rsp_valid : loads;

  access_e kind_q;
  always_comb begin
    unique case ({slot_q, 2'b00})
      mel_pkg::RegOperand:  kind_q = AccessOperand;
      mel_pkg::RegDispatch: kind_q = AccessDispatch;
      mel_pkg::RegClaim:    kind_q = AccessClaim;
      mel_pkg::RegValue:    kind_q = AccessValue;
      default:              kind_q = (what_q == Post) ? AccessCommand : AccessQuery;
    endcase
  end

  logic to_sequencer, answers, alone_q = 1'b0;   // nothing was under way when the request was taken
  assign to_sequencer = pending_q && what_q inside {Post, Load};
  assign answers      = rst_n && rsp_valid;
  always_ff @(posedge clk_i) if (take) alone_q <= !access_valid || operand_done;

  always_comb begin
    a_asked:     assert (!answers || pending_q);
    a_in_order:  assert (!take || !pending_q || rsp_valid);
    a_owed:      assert (!rst_n || owed_q == 2'(access_valid) + 2'(to_sequencer && !passed &&
                         !(what_q == Load && rsp_valid)));
    a_unchanged: assert (!rst_n || !to_sequencer || !passed || (what_q == Load && rsp_valid) || (access_valid &&
                         access.kind == kind_q && {access.op, access.id} == slot_q &&
                         (what_q != Post || access.argument == wdata_q)));
    a_command:   assert (!answers || what_q != Post || rsp_rdata == '0);
    a_load:      assert (!answers || what_q != Load || rsp_rdata == data_q);
    a_answer:    assert (!answers || what_q != Answer || rsp_rdata == answer_i);
    a_identity:  assert (!answers || what_q != Identity || rsp_rdata == mel_pkg::Identity);
    a_spec:      assert (!answers || what_q != SpecHash || rsp_rdata == mel_pkg::SpecHash);
    a_hash:      assert (!answers || what_q != ParameterHash || rsp_rdata == Hash);
    a_nothing:   assert (!answers || !(what_q inside {Zero, Nothing}) || rsp_rdata == '0);
    a_answered:  assert (!rst_n || answered == (rsp_valid && what_q == Answer));   // for the trace of answers
    a_illegal:   assert (!rst_n || illegal_q == (rsp_valid && what_q == Nothing));   // counted once
    a_at_once:   assert (!pending_q || !alone_q || what_q == Load || age_q == 10'd1);
    a_after:     assert (!pending_q || what_q != Answer || access_valid || rsp_valid);
    a_late:      assert (!pending_q || 32'(age_q) <= 2 * AnswerWithin + 1);

    c_late:      cover (answers && 32'(age_q) == 2 * AnswerWithin + 1);
    c_after:     cover (answers && what_q == Answer && !alone_q && take);
    c_hash:      cover (answers && what_q == ParameterHash);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic held;
  assign held = pending_q && !u_command.rsp_valid_q && !loads;

  always_comb begin
    a_held:      assert (!rst_n || u_command.hold_valid_q == held);
    a_hold:      assert (!rst_n || !held || (u_command.hold_q.addr[16:2] == slot_q && what_q == what(u_command.hold_q.write,
                         u_command.hold_q.addr, u_command.hold_q.be) && u_command.hold_q.wdata == wdata_q));
    a_hold_what: assert (!rst_n || !held || u_command.hold_answer_q == (what_q == Answer));
    a_loads:     assert (!rst_n || !loads || (pending_q && what_q == Load && !rsp_valid));
    a_held_age:  assert (!rst_n || !held || (access_valid ? age_q <= silent_q : 32'(age_q) <= AnswerWithin));
    a_load_age:  assert (!rst_n || !loads || 32'(age_q) <= AnswerWithin + 1 + 32'(silent_q));
    a_alone:     assert (!rst_n || !held || !alone_q);
    a_one:       assert (!rst_n || !rsp_valid || what_q == Answer || !u_command.rsp_answer_q);
    a_none:      assert (rst_n || !pending_q);
  end

endmodule
