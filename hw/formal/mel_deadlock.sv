// SPDX-License-Identifier: Apache-2.0
// Proof of mel_deadlock, for any accesses of all cores at any time, from any graph that it can hold. A reference graph, written down from docs/decisions/0039,
// follows the commands (h_waits, h_held, h_holder), and what each process reaches in it is computed whole in every cycle, by transitive closure: no reduction.
// Then: a deadlock is reported exactly when some process reaches itself (a_reported); those that are named are exactly those that are on a cycle, or reach one
// and are reached by one (a_processes), and so for resources (a_resources); the answer is the decision's (a_answer), refused commands change nothing but
// the counter; the interrupt is asked for from such an answer on until it is taken back (a_notice). Bounded: a reduction takes at most Steps cycles (a_bound),
// so no access of one core waits longer (a_wait), and each is answered in the cycle after it was taken (a_response).
// FromReset = 0: from any state in which unit and reference agree (m_start); then a mutant is caught in few cycles. By induction; h_kept and h_rest say how the nodes that the reduction has not removed stand to the closure.
module mel_deadlock_proof
  import mel_deadlock_pkg::*;
#(
  parameter int unsigned Processes = 3,
  parameter int unsigned Resources = 3,
  parameter int unsigned Cores     = 2,
  parameter bit          FromReset = 1'b1,
  parameter bit          Hints     = 1'b1,  // also what holds the induction; 0: the promises alone
  localparam int unsigned Least    = (Processes < Resources) ? Processes : Resources,
  localparam int unsigned Steps    = 2 * Least - ((Processes == Resources && Least > 2) ? 3 : 2),
  localparam int unsigned CoreW    = (Cores > 1) ? $clog2(Cores) : 1
) (
  input logic                   clk_i,
  input logic [Cores-1:0]       req_valid_i,
  input logic [Cores-1:0]       req_write_i,
  input logic [Cores-1:0][15:0] req_addr_i,
  input logic [Cores-1:0][3:0]  req_be_i,
  input logic [Cores-1:0][31:0] req_wdata_i
);
  logic started_q = 1'b0, rst_n;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_n = started_q || !FromReset;

  logic [Cores-1:0]       ready, rsp_valid;
  logic [Cores-1:0][31:0] rsp_rdata;
  logic                   irq;

  mel_deadlock #(
    .Processes(Processes), .Resources(Resources), .Cores(Cores)
  ) u_deadlock (
    .clk_i, .rst_ni (rst_n),
    .req_valid_i, .req_ready_o (ready), .req_write_i, .req_addr_i, .req_be_i, .req_wdata_i,
    .rsp_valid_o (rsp_valid), .rsp_rdata_o (rsp_rdata), .irq_o (irq)
  );

  // ---- the access of this cycle ---------------------------------------------------------------------------------------

  logic [Cores-1:0] takes;
  logic             any, write, whole;
  logic [CoreW-1:0] who;
  logic [15:0]      addr;
  logic [31:0]      wdata;

  assign takes = rst_n ? req_valid_i & ready : '0;
  assign any   = |takes;
  always_comb begin
    who   = '0;
    write = 1'b0;
    addr  = '0;
    wdata = '0;
    whole = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (takes[i]) begin
        who   = CoreW'(i);
        write = req_write_i[i];
        addr  = req_addr_i[i];
        wdata = req_wdata_i[i];
        whole = req_be_i[i] == 4'hF && req_addr_i[i][1:0] == 2'd0 && req_addr_i[i] < 16'd4096;
      end
    end
  end

  // ---- the reference --------------------------------------------------------------------------------------------------

  logic [Resources-1:0][Processes-1:0] waits_q, waits_d;
  logic [Resources-1:0]                held_q, held_d;
  logic [Resources-1:0][5:0]           holder_q, holder_d;

  logic       at_command, good, refused, runs;
  logic [7:0] process, resource;
  logic       joined;  // the process waits from now on

  assign process    = wdata[7:0];
  assign resource   = wdata[15:8];
  assign at_command = any && whole && write && addr <= 16'(CommandClear);
  assign good       = wdata[31:16] == '0 && 32'(process) < Processes && 32'(resource) < Resources;
  assign runs       = at_command && !refused;

  always_comb begin
    waits_d  = waits_q;
    held_d   = held_q;
    holder_d = holder_q;
    refused  = 1'b1;
    joined   = 1'b0;
    for (int unsigned r = 0; r < Resources; r++) begin
      for (int unsigned p = 0; p < Processes; p++) begin
        if (at_command && good && r == 32'(resource) && p == 32'(process)) begin
          automatic logic mine = held_q[r] && 32'(holder_q[r]) == p;
          unique case (addr)
            16'(CommandRequest): begin
              refused = mine || waits_q[r][p];
              joined  = held_q[r] || waits_q[r] != '0;
              if (!refused && joined) waits_d[r][p] = 1'b1;
              if (!refused && !joined) begin
                held_d[r]   = 1'b1;
                holder_d[r] = 6'(p);
              end
            end
            16'(CommandGrant): begin
              refused = held_q[r];
              if (!refused) begin
                held_d[r]     = 1'b1;
                holder_d[r]   = 6'(p);
                waits_d[r][p] = 1'b0;
              end
            end
            16'(CommandRelease): begin
              refused = !mine;
              if (!refused) held_d[r] = 1'b0;
            end
            16'(CommandWithdraw): begin
              refused = !waits_q[r][p];
              waits_d[r][p] = 1'b0;
            end
            default: ;
          endcase
        end
      end
    end
    if (at_command && addr == 16'(CommandClear)) begin
      refused = wdata != '0;
      if (!refused) begin
        waits_d = '0;
        held_d  = '0;
      end
    end
  end

  logic             busy_q;  // a command was performed, and nothing was answered since
  logic             joined_q, names_q;
  logic [7:0]       process_q;
  logic [CoreW-1:0] who_q;
  logic             busy;
  assign busy = u_deadlock.u_graph.busy_o;

  always_ff @(posedge clk_i) begin
    waits_q  <= rst_n ? waits_d : '0;
    held_q   <= rst_n ? held_d : '0;
    holder_q <= rst_n ? holder_d : '0;
    busy_q   <= rst_n && (runs || (busy && !u_deadlock.u_graph.done_o));
    if (runs) begin
      joined_q  <= joined;
      names_q   <= addr == 16'(CommandRequest) || addr == 16'(CommandGrant);
      process_q <= process;
      who_q     <= who;
    end
  end

  // ---- the closure ----------------------------------------------------------------------------------------------------

  // [p][q]: p waits for a resource that q holds; then: there is a way from p to q.
  logic [Processes-1:0][Processes-1:0] closure;
  logic [Processes-1:0]                circular, dead;   // on a cycle; between cycles, too
  logic [Resources-1:0]                dead_resource;

  always_comb begin
    closure = '0;
    for (int unsigned r = 0; r < Resources; r++) begin
      for (int unsigned p = 0; p < Processes; p++) begin
        for (int unsigned q = 0; q < Processes; q++) begin
          if (waits_q[r][p] && held_q[r] && 32'(holder_q[r]) == q) closure[p][q] = 1'b1;
        end
      end
    end
    for (int unsigned via = 0; via < Processes; via++) begin
      for (int unsigned p = 0; p < Processes; p++) begin
        for (int unsigned q = 0; q < Processes; q++) begin
          if (closure[p][via] && closure[via][q]) closure[p][q] = 1'b1;
        end
      end
    end
    for (int unsigned p = 0; p < Processes; p++) circular[p] = closure[p][p];
    for (int unsigned p = 0; p < Processes; p++) begin
      automatic logic reaches = 1'b0, reached = 1'b0;
      for (int unsigned q = 0; q < Processes; q++) begin
        reaches |= closure[p][q] && circular[q];
        reached |= closure[q][p] && circular[q];
      end
      dead[p] = reaches && reached;
    end
    for (int unsigned r = 0; r < Resources; r++) begin
      automatic logic by_dead = 1'b0;
      for (int unsigned p = 0; p < Processes; p++) begin
        for (int unsigned q = 0; q < Processes; q++) begin
          by_dead |= held_q[r] && 32'(holder_q[r]) == p && dead[p] && waits_q[r][q] && dead[q];
        end
      end
      dead_resource[r] = by_dead;
    end
  end

  // ---- what holds -----------------------------------------------------------------------------------------------------

  logic [Processes-1:0] left;      // nodes that the reduction has not removed
  logic [Resources-1:0] left_resource;
  logic [7:0]           length_q;
  assign left          = u_deadlock.u_graph.process_q;
  assign left_resource = u_deadlock.u_graph.resource_q;

  logic             loads_q;
  logic [15:0]      load_addr_q;
  logic [31:0]      loaded, answer_q;   // expected answer of the watched core 0
  logic             notice_q, finished;
  logic [Cores-1:0] takes_q;
  logic [31:0]      answer_d;
  logic             fatal;  // the command that is finished closed a cycle, or joined one
  logic [7:0]       waited_q;

  assign finished = busy && u_deadlock.u_graph.done_o;
  always_comb begin
    fatal = 1'b0;
    for (int unsigned p = 0; p < Processes; p++) if (names_q && p == 32'(process_q) && dead[p]) fatal = 1'b1;
    answer_d = fatal ? AnswerDeadlock : joined_q ? AnswerWaits : AnswerDone;
  end

  always_ff @(posedge clk_i) begin
    length_q    <= (rst_n && busy) ? length_q + 8'd1 : '0;
    takes_q     <= takes;
    loads_q     <= takes[0] && whole && !write;
    load_addr_q <= addr;
    waited_q    <= (rst_n && req_valid_i[0] && !ready[0]) ? waited_q + 8'd1 : '0;
    if (!rst_n)                                  answer_q <= AnswerNone;
    else if (finished && who_q == '0)            answer_q <= answer_d;
    else if (at_command && refused && who == '0) answer_q <= AnswerNone;
    if (!rst_n)                                               notice_q <= 1'b0;
    else if (any && whole && write && addr == 16'(RegNotice)) notice_q <= 1'b0;
    else if (finished && fatal)                               notice_q <= 1'b1;
  end
  assign loaded = rsp_rdata[0];

  if (!FromReset) begin : gen_any_state
    logic agree;
    always_comb begin
      agree = !busy && !busy_q && !u_deadlock.notice_q && !notice_q && takes_q == '0 && u_deadlock.rsp_valid_q == '0 && !loads_q && waited_q == '0 &&
              length_q == '0 && u_deadlock.u_graph.waits_q == waits_q && u_deadlock.u_graph.held_q == held_q && u_deadlock.answer_q[0] == answer_q &&
              left == dead && left_resource == dead_resource;
      for (int unsigned r = 0; r < Resources; r++) begin
        if (32'(holder_q[r]) >= Processes || 32'(u_deadlock.u_graph.holder_q[r]) != 32'(holder_q[r])) agree = 1'b0;
        for (int unsigned p = 0; p < Processes; p++) if (held_q[r] && 32'(holder_q[r]) == p && waits_q[r][p]) agree = 1'b0;
      end
      m_start: assume (started_q || agree);
    end
  end

  for (genvar r = 0; r < Resources; r++) begin : gen_resource
    always_comb begin
      h_holder: assert (!Hints || !rst_n || (32'(holder_q[r]) < Processes && 32'(u_deadlock.u_graph.holder_q[r]) == 32'(holder_q[r])));
      h_own:    assert (!Hints || !rst_n || !held_q[r] || !waits_q[r][holder_q[r][$clog2(Processes)-1:0]]);
    end
  end

  always_comb begin
    h_waits: assert (!Hints || !rst_n || u_deadlock.u_graph.waits_q == waits_q);
    h_held:  assert (!Hints || !rst_n || u_deadlock.u_graph.held_q == held_q);
    h_busy:  assert (!Hints || !rst_n || busy == busy_q);
    h_who:   assert (!Hints || !rst_n || !busy || (u_deadlock.subject_q == who_q && u_deadlock.u_graph.waits_now_q == joined_q &&
                                         u_deadlock.u_graph.names_q == names_q && 8'(u_deadlock.u_graph.subject_q) == process_q % 8'(2 ** $clog2(Processes)) &&
                                         (!names_q || 32'(process_q) < Processes)));
    h_asks:  assert (!Hints || !rst_n || (u_deadlock.answer_q[0] == answer_q && u_deadlock.notice_q == notice_q));
    h_kept:  assert (!Hints || !rst_n || !busy || ((dead & ~left) == '0 && (dead_resource & ~left_resource) == '0));
    h_rest:  assert (!Hints || !rst_n || busy || (left == dead && left_resource == dead_resource));

    a_reported:  assert (!rst_n || busy || (u_deadlock.processes != '0) == (circular != '0));
    a_processes: assert (!rst_n || busy || u_deadlock.processes == 64'(dead));
    a_resources: assert (!rst_n || busy || u_deadlock.resources == 64'(dead_resource));
    a_bound:     assert (!rst_n || !busy || 32'(length_q) < Steps);
    a_wait:      assert (!rst_n || Cores > 1 || 32'(waited_q) <= Steps);
    a_response:  assert (!rst_n || rsp_valid == takes_q);
    a_notice:    assert (!rst_n || irq == notice_q);
    a_answer:    assert (!rst_n || !loads_q || load_addr_q != 16'(RegAnswer) || loaded == answer_q);
  end

  // Two cycles and one process between them need five processes; the others are reached sooner with few.
  if (Processes > 4) begin : gen_covers
    always_comb c_between: cover (rst_n && !busy && dead != circular);
  end else begin : gen_covers
    always_comb begin
      c_longest:  cover (rst_n && busy && 32'(length_q) == Steps - 1);
      c_cycle:    cover (rst_n && !busy && circular == '1);
      c_beside:   cover (rst_n && !busy && answer_q == AnswerWaits && circular != '0);
      c_resolved: cover (rst_n && !busy && answer_q == AnswerDone && irq && circular == '0);
    end
  end
endmodule
