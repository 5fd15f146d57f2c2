// SPDX-License-Identifier: Apache-2.0
// mel_datapath: what a microword computes: register file, adder and logic, state store, and the numbers that a step is about:
// subject (a task), object and its kind, level (a priority and an affinity). Meaning of the fields: hw/micro/word.yaml.
//
// Timing: the word of this cycle is `word_i`; `result_o` and what it writes to the register file are known at its end. A read of the
// store in this cycle is `memory_o` two cycles later and stays; a store is visible to reads two cycles later (the assembler refuses earlier ones).
// Subject, object and level change in the next cycle. `active_i` low: the word is annulled or stalled: nothing is written (a read is made).
module mel_datapath
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter int unsigned IndexW = 7,   // bits of a page's number
  parameter bit          Lanes  = 1'b0 // there is mel_flag_lanes
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        clear_o,         // after reset the store is cleared, a word per cycle
  output logic [15:0] clear_index_o,   // counts up meanwhile
  input  word_t       word_i,
  input  logic        idle_i,          // the word waits for a request
  input  logic        by_core_i,       // … it is a core's: `access_i`; else the interrupt `line_i`
  input  logic        active_i,
  input  logic        stall_i,         // the word goes on in the next cycle

  input  core_request_t     access_i,
  input  id_t         line_i,
  input  core_t       core_i,          // the caller's, or that which the step works for
  input  logic [1:0]  caller_i,        // its number
  input  logic [1:0]  work_core_i,     // that operations are about
  input  logic [31:0] given_i,         // read of a device, or the argument; 0: A is neither
  input  logic [31:0] constant_i,      // 0: B is none
  input  id_t         waiter_i,        // top of the waits
  input  id_t         due_i,
  input  id_t         found_i,
  input  id_t         best_i,
  input  id_t         first_i,
  input  id_t         matched_i,       // the task that mel_flag_lanes found

  output logic [31:0] memory_o,
  output logic [31:0] result_o,        // the word's
  output status_t     status_o,        // its highest byte, when the word does not add
  output logic [31:0] last_o,          // of the word before
  output logic        carry_o,         // likewise
  output id_t         subject_o,
  output id_t         object_o,
  output logic [1:0]  kind_o,          // the object's, as something that is waited for
  output prio_t       level_o,
  output affinity_t   level_affinity_o,
  output logic [7:0]  operand_a_o,     // low byte of A
  output logic        stores_o,        // `last_o` is written to the store at the end of this cycle
  output logic [4:0]  stores_page_o,
  output id_t         stores_index_o
);

  // ---- register file, adder, logic ------------------------------------------------------------------------------------

  (* ram_style = "distributed" *) logic [31:0] file_a [16];
  (* ram_style = "distributed" *) logic [31:0] file_b [16];
  logic [31:0] from_file_a, from_file_b, a, b, operand, sum, logical;
  logic        adds, carry_32, carry_16, carry_q;
  logic [31:0] last_q, memory_q;
  id_t         subject_q, object_q, number;
  logic [1:0]  kind_q;

  always_ff @(posedge clk_i) if (word_i.write && active_i) file_a[word_i.target] <= result_o;
  always_ff @(posedge clk_i) if (word_i.write && active_i) file_b[word_i.target] <= result_o;
  assign from_file_a = file_a[word_i.a];
  assign from_file_b = file_b[word_i.b];

  // Operands are disjunctions, in which what the word does not take is 0.
  assign number = ((word_i.b_from == BFromObject) ? object_q : '0) | ((word_i.b_from == BFromSubject) ? subject_q : '0);
  assign a      = ((word_i.a_from == AFromFile) ? from_file_a : '0) | ((word_i.a_from == AFromMemory) ? memory_q : '0) | given_i;
  assign b      = ((word_i.b_from == BFromFile) ? from_file_b : '0) | constant_i | {4{number}};

  assign adds     = word_i.alu == AluAdd || word_i.alu == AluSub;
  assign operand  = b ^ {32{word_i.alu[0]}};
  assign {carry_32, sum} = {1'b0, a} + {1'b0, operand} + 33'(word_i.alu[0]);
  assign carry_16 = sum[16] ^ a[16] ^ operand[16];

  // A byte that logic leaves as it is is A or 0. The complement of B serves two operations: A xor B is the complement of A xor ~B.
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      logic       changes, ands, passes, differs;
      logic [7:0] other;
      changes = word_i.lanes[i] && !adds && word_i.alu != AluA;
      ands    = changes && (word_i.alu == AluAnd || word_i.alu == AluAndn);
      passes  = changes && word_i.alu == AluB;
      differs = changes && word_i.alu == AluXor;
      other   = operand[8*i+:8] & {8{changes}};
      logical[8*i+:8]  = ands    ? a[8*i+:8] & other :
                         passes  ? other :
                         differs ? ~(a[8*i+:8] ^ other) : a[8*i+:8] | other;
      result_o[8*i+:8] = (word_i.lanes[i] && adds) ? sum[8*i+:8] : logical[8*i+:8];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!stall_i) begin
      last_q  <= result_o;
      carry_q <= word_i.position[4] ? carry_16 : carry_32;
    end
  end

  // ---- state store ----------------------------------------------------------------------------------------------------

  localparam int unsigned AddressW = 5 + IndexW;
  typedef logic [IndexW-1:0]   index_t;
  typedef logic [AddressW-1:0] address_t;

  (* no_rw_check, ram_style = "block" *) logic [31:0] store [2**AddressW];
  logic [31:0] store_q;
  logic [4:0]  read_page, store_page;
  index_t      read_index, store_index;
  logic        write_q, clear_q, of_task;
  address_t    write_address_q, clear_address_q;

  assign of_task = !core_i.in_handler && core_i.running_valid;

  always_comb begin
    read_page = word_i.read_page;
    unique case (word_i.read_by)
      ReadBySubject:   read_index = index_t'(subject_q);
      ReadByObject:    read_index = index_t'(object_q);
      ReadByImmediate: read_index = index_t'(word_i.immediate);
      ReadByA:         read_index = index_t'(a);
      ReadByCaller: begin
        read_index   = of_task ? index_t'(core_i.running) : index_t'({caller_i, !core_i.in_handler});
        read_page[0] = word_i.read_page[0] || !of_task;
      end
      ReadByMemory:    {read_page, read_index} = {memory_q[15:11], index_t'(memory_q[23:16])};
      default:         read_index = (Lanes && word_i.read_by == ReadByMatched) ? index_t'(matched_i) : index_t'({word_i.immediate[5:0], work_core_i});
    endcase
    // The idle word reads the record that the request is about.
    if (idle_i) begin
      read_page  = by_core_i ? {2'b00, access_i.of_caller ? mel_pkg::IdKindTask : access_i.kind} : 5'(PageIrq);
      read_index = by_core_i ? (access_i.of_caller ? index_t'(core_i.running) : index_t'(access_i.number)) : index_t'(line_i);
    end

    store_page = word_i.store_page;
    unique case (word_i.store_by)
      StoreBySubject:   store_index = index_t'(subject_q);
      StoreByObject:    store_index = index_t'(object_q);
      StoreByImmediate: store_index = index_t'(word_i.immediate);
      StoreByB:         store_index = index_t'(from_file_b);
      StoreByCaller: begin
        store_index   = of_task ? index_t'(core_i.running) : index_t'({caller_i, !core_i.in_handler});
        store_page[0] = word_i.store_page[0] || !of_task;
      end
      default:          store_index = index_t'({word_i.immediate[5:0], work_core_i});
    endcase
  end

  always_ff @(posedge clk_i) begin
    write_address_q <= {store_page, store_index};
    if (write_q || clear_q) store[clear_q ? clear_address_q : write_address_q] <= clear_q ? '0 : last_q;
    if ((word_i.read || idle_i) && !stall_i) store_q <= store[{read_page, read_index}];
    if (!stall_i) memory_q <= store_q;   // words count, not cycles
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q         <= 1'b0;
      clear_q         <= 1'b1;
      clear_address_q <= '0;
    end else begin
      write_q         <= word_i.store && active_i;
      clear_address_q <= clear_address_q + address_t'(clear_q);
      if (clear_address_q == '1) clear_q <= 1'b0;
    end
  end
  assign clear_o       = clear_q;
  assign clear_index_o = 16'(clear_address_q);

  // ---- subject, object, level -----------------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    if (idle_i) begin
      if (by_core_i && access_i.of_caller) subject_q <= core_i.running;
      else                                 subject_q <= by_core_i ? access_i.number : line_i;
      object_q <= by_core_i ? access_i.number : line_i;
      kind_q   <= (access_i.kind == mel_pkg::IdKindSemaphore)  ? WaitedSemaphore :
                  (access_i.kind == mel_pkg::IdKindEventFlags) ? WaitedFlags :
                  (access_i.kind == mel_pkg::IdKindQueue)      ? WaitedQueue : WaitedMutex;
    end else if (active_i) begin
      unique case (word_i.subject)
        SubjectObject:  subject_q <= object_q;
        SubjectRunning: subject_q <= core_i.running;
        SubjectTop:     subject_q <= waiter_i;
        SubjectDue:     subject_q <= due_i;
        SubjectA:       subject_q <= a[7:0];
        SubjectFound:   subject_q <= found_i;
        SubjectBest:    subject_q <= best_i;
        SubjectFirst:   subject_q <= first_i;
        default: if (Lanes && word_i.subject == SubjectMatched) subject_q <= matched_i;
      endcase
      unique case (word_i.object)
        ObjectMemory: begin
          object_q <= memory_q[23:16];
          kind_q   <= memory_q[25:24];
        end
        ObjectA:      object_q <= a[7:0];
        ObjectTop:    object_q <= waiter_i;
        default: ;
      endcase
      if (word_i.device == DeviceKind) kind_q <= word_i.immediate[1:0];
    end
    if (active_i && word_i.load_level) {level_affinity_o, level_o} <= result_o[10:0];
  end

  assign memory_o    = memory_q;
  assign status_o    = status_t'(logical[31:24]);
  assign last_o      = last_q;
  assign carry_o     = carry_q;
  assign subject_o   = subject_q;
  assign object_o    = object_q;
  assign kind_o      = kind_q;
  assign operand_a_o = a[7:0];
  assign stores_o    = write_q;
  assign {stores_page_o, stores_index_o} = {write_address_q[AddressW-1:IndexW], id_t'(write_address_q[IndexW-1:0])};

endmodule
