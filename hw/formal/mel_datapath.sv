// SPDX-License-Identifier: Apache-2.0
// Proof of mel_datapath against a reference step, which says what a microword computes (hw/micro/word.yaml): unbounded, for any words, requests,
// devices, stalls and tasks. Promised for each word:
//   its result is that of its operation, in the bytes that it names, on its two operands; the carry and the result behind it are those of the word
//   registers of the file and words of the store hold what was written to them last, by a word that was active, and nothing else changes them
//   M is the word that the last read before the previous word asked for; words count, not cycles
//   subject, object, kind and level become what the word says, and stay otherwise
//   the store is cleared after reset in as many cycles as it has words
// Two registers and one word of the store are followed, any ones: what is true of them is true of all.
// Assumes: words are not active while the store is cleared or the word stalls (m_active); a read in the page of the caller is of a
// pair of pages when no task has called (m_pair); mel_unit gives an operand of a word that takes one, and 0 to others (m_given).
// FromReset = 0: from any state that the reference is in, too; then a mutant of any word is caught in few cycles.
module mel_datapath_proof
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter bit FromReset = 1'b1,
  parameter bit Hints     = 1'b1   // also what holds the induction; 0: the promises alone
) (
  input logic          clk_i,
  input word_t         word_i,
  input logic          idle_i,
  input logic          by_core_i,
  input logic          active_i,
  input logic          stall_i,
  input core_request_t access_i,
  input id_t           line_i,
  input core_t         core_i,
  input logic [1:0]    caller_i,
  input logic [1:0]    work_core_i,
  input logic [31:0]   given_i,
  input logic [31:0]   constant_i,
  input id_t           waiter_i,
  input id_t           due_i,
  input id_t           found_i,
  input id_t           best_i,
  input id_t           first_i
);
  localparam int unsigned IndexW = 1;
  localparam int unsigned PlaceW = 5 + IndexW;
  typedef logic [IndexW-1:0] index_t;
  typedef logic [PlaceW-1:0] place_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        clear, carry;
  logic [15:0] clear_index;
  logic [31:0] memory, result, last;
  status_t     status;
  id_t         subject, object;
  logic [1:0]  kind;
  prio_t       level;
  affinity_t   level_affinity;
  logic [7:0]  operand_a;

  mel_datapath #(.IndexW (IndexW)) u_datapath (
    .clk_i, .rst_ni (started_q || !FromReset), .clear_o (clear), .clear_index_o (clear_index), .word_i, .idle_i, .by_core_i, .active_i, .stall_i,
    .access_i, .line_i, .core_i, .caller_i, .work_core_i, .given_i, .constant_i, .waiter_i, .due_i, .found_i, .best_i, .first_i, .matched_i ('0), .memory_o (memory),
    .result_o (result), .status_o (status), .last_o (last), .carry_o (carry), .subject_o (subject), .object_o (object), .kind_o (kind),
    .level_o (level), .level_affinity_o (level_affinity), .operand_a_o (operand_a),
    .stores_o (), .stores_page_o (), .stores_index_o ()
  );

  // ---- the reference step ---------------------------------------------------------------------------------------------

  // The followed registers and the followed word.
  logic [3:0] first_q, second_q;
  place_t     place_q;
  always_ff @(posedge clk_i) begin
    first_q  <= first_q;
    second_q <= second_q;
    place_q  <= place_q;
  end

  logic [31:0] file_first_q, file_second_q, stored_q, next_q, memory_q, last_q;
  logic        next_known_q, memory_known_q, put_q, carry_q, carry_known_q;
  place_t      put_at_q;
  id_t         subject_q, object_q;
  logic [1:0]  kind_q;
  prio_t       level_q;
  affinity_t   affinity_q;
  logic [PlaceW:0] cleared_q;

  logic [31:0] a, b, computed, expected;
  logic        a_known, known, arithmetic, carries;
  assign a_known = word_i.a_from != AFromFile || word_i.a == first_q;
  assign known   = a_known && (word_i.b_from != BFromFile || word_i.b == second_q);
  assign a = (word_i.a_from == AFromFile)     ? file_first_q :
             (word_i.a_from == AFromMemory)   ? memory : given_i;
  assign b = (word_i.b_from == BFromFile)     ? file_second_q :
             (word_i.b_from == BFromConstant) ? constant_i :
             (word_i.b_from == BFromObject)   ? {object_q, object_q, object_q, object_q} : {subject_q, subject_q, subject_q, subject_q};
  assign arithmetic = word_i.alu == AluAdd || word_i.alu == AluSub;

  always_comb begin
    unique case (word_i.alu)
      AluAdd:  computed = a + b;
      AluSub:  computed = a - b;
      AluAnd:  computed = a & b;
      AluAndn: computed = a & ~b;
      AluOr:   computed = a | b;
      AluXor:  computed = a ^ b;
      AluB:    computed = b;
      default: computed = a;
    endcase
    // A carry of a difference: no borrow.
    if (word_i.alu == AluSub) carries = word_i.position[4] ? a[15:0] >= b[15:0] : a >= b;
    else                      carries = word_i.position[4] ? 17'(a[15:0]) + 17'(b[15:0]) > 17'h0FFFF : 33'(a) + 33'(b) > 33'h0_FFFF_FFFF;
    for (int unsigned i = 0; i < 4; i++) expected[8*i+:8] = word_i.lanes[i] ? computed[8*i+:8] : a[8*i+:8];
  end

  // A task's own record, or that of a level without a task: {core, idle} in the page behind it.
  logic       task_calls;
  logic [7:0] level_number;
  assign task_calls   = core_i.running_valid && !core_i.in_handler;
  assign level_number = 8'({caller_i, !core_i.in_handler});

  place_t read_at, put_at;
  logic   read_known, reads;
  assign reads = (idle_i || word_i.read) && !stall_i;
  always_comb begin
    read_known = 1'b1;
    if (idle_i) begin
      if (!by_core_i)              read_at = {5'(PageIrq), index_t'(line_i)};
      else if (access_i.of_caller) read_at = {5'(PageTask), index_t'(core_i.running)};
      else                         read_at = {2'b00, access_i.kind, index_t'(access_i.number)};
    end else begin
      unique case (word_i.read_by)
        ReadBySubject:   read_at = {word_i.read_page, index_t'(subject_q)};
        ReadByObject:    read_at = {word_i.read_page, index_t'(object_q)};
        ReadByImmediate: read_at = {word_i.read_page, index_t'(word_i.immediate)};
        ReadByA:         {read_known, read_at} = {a_known, word_i.read_page, index_t'(a)};
        ReadByCaller:    read_at = task_calls ? {word_i.read_page, index_t'(core_i.running)} : {word_i.read_page + 5'd1, index_t'(level_number)};
        ReadByMemory:    read_at = {memory[15:11], index_t'(memory[23:16])};
        default:         read_at = {word_i.read_page, index_t'({word_i.immediate[5:0], work_core_i})};
      endcase
    end
    unique case (word_i.store_by)
      StoreBySubject:   put_at = {word_i.store_page, index_t'(subject_q)};
      StoreByObject:    put_at = {word_i.store_page, index_t'(object_q)};
      StoreByImmediate: put_at = {word_i.store_page, index_t'(word_i.immediate)};
      // A register that is not followed may name any place.
      StoreByB:         put_at = {word_i.store_page, (word_i.b == second_q) ? index_t'(file_second_q) : u_datapath.store_index};
      StoreByCaller:    put_at = task_calls ? {word_i.store_page, index_t'(core_i.running)} : {word_i.store_page + 5'd1, index_t'(level_number)};
      default:          put_at = {word_i.store_page, index_t'({word_i.immediate[5:0], work_core_i})};
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (active_i && word_i.write && word_i.target == first_q)  file_first_q  <= result;
    if (active_i && word_i.write && word_i.target == second_q) file_second_q <= result;
    if (!stall_i) begin
      last_q         <= result;
      carry_q        <= carries;
      carry_known_q  <= known && arithmetic;
      memory_q       <= next_q;
      memory_known_q <= next_known_q;
    end
    if (reads) begin
      next_q       <= stored_q;
      next_known_q <= read_known && read_at == place_q && !clear;
    end
    put_q    <= active_i && word_i.store;
    put_at_q <= put_at;
    if (clear)                              stored_q <= '0;
    else if (put_q && put_at_q == place_q) stored_q <= last_q;

    if (idle_i) begin
      subject_q <= !by_core_i ? line_i : access_i.of_caller ? core_i.running : access_i.number;
      object_q  <= by_core_i ? access_i.number : line_i;
      unique case (access_i.kind)
        mel_pkg::IdKindSemaphore:  kind_q <= WaitedSemaphore;
        mel_pkg::IdKindEventFlags: kind_q <= WaitedFlags;
        mel_pkg::IdKindQueue:      kind_q <= WaitedQueue;
        default:                   kind_q <= WaitedMutex;
      endcase
    end else if (active_i) begin
      unique case (word_i.subject)
        SubjectObject:  subject_q <= object_q;
        SubjectRunning: subject_q <= core_i.running;
        SubjectTop:     subject_q <= waiter_i;
        SubjectDue:     subject_q <= due_i;
        SubjectA:       subject_q <= operand_a;
        SubjectFound:   subject_q <= found_i;
        SubjectBest:    subject_q <= best_i;
        SubjectFirst:   subject_q <= first_i;
        default: ;
      endcase
      if (word_i.object == ObjectMemory) object_q <= memory[23:16];
      if (word_i.object == ObjectA)      object_q <= operand_a;
      if (word_i.object == ObjectTop)    object_q <= waiter_i;
      if (word_i.device == DeviceKind)         kind_q <= word_i.immediate[1:0];
      else if (word_i.object == ObjectMemory) kind_q <= memory[25:24];
    end
    if (active_i && word_i.load_level) {affinity_q, level_q} <= result[10:0];
    if (!started_q && FromReset) cleared_q <= '0;
    else if (clear)              cleared_q <= cleared_q + 1'b1;
  end

  // Agreement inside: it holds the induction.
  logic agreed;
  assign agreed = u_datapath.file_a[first_q] == file_first_q && u_datapath.file_b[second_q] == file_second_q &&
                  (!next_known_q || u_datapath.store_q == next_q) &&
                  u_datapath.write_q == put_q && (!put_q || (!clear && u_datapath.write_address_q == put_at_q)) &&
                  (clear ? stored_q == '0 && (u_datapath.clear_address_q <= place_q || u_datapath.store[place_q] == '0) :
                           u_datapath.store[place_q] == stored_q) &&
                  (!clear || u_datapath.clear_address_q == cleared_q[PlaceW-1:0]) && cleared_q <= (PlaceW+1)'(2**PlaceW);
  logic same_word, same_memory, same_numbers, same_level, same_clear;
  assign same_word    = last == last_q && (!carry_known_q || carry == carry_q);
  assign same_memory  = !memory_known_q || memory == memory_q;
  assign same_numbers = subject == subject_q && object == object_q && kind == kind_q;
  assign same_level   = {level_affinity, level} == {affinity_q, level_q};
  assign same_clear   = clear == !cleared_q[PlaceW] && (!clear || clear_index == 16'(cleared_q));

  always_comb begin
    m_active: assume (!active_i || !(stall_i || clear));
    m_given:  assume ((word_i.a_from inside {AFromArgument, AFromDevice} || given_i == '0) && (word_i.b_from == BFromConstant || constant_i == '0));
    m_pair:   assume (task_calls || ((word_i.read_by != ReadByCaller || !word_i.read_page[0]) &&
                                     (word_i.store_by != StoreByCaller || !word_i.store_page[0])));
    // Registers that no reset sets are anything, and the same in both.
    m_start:  assume (started_q || (agreed && same_word && same_memory && same_numbers && same_level && same_clear));

    a_result:  assert (!started_q || !known || result == expected);
    a_status:  assert (!started_q || !known || arithmetic || !word_i.lanes[3] || status == computed[31:24]);
    a_operand: assert (!started_q || !a_known || operand_a == a[7:0]);
    a_word:    assert (!started_q || same_word);
    a_memory:  assert (!started_q || same_memory);
    a_numbers: assert (!started_q || same_numbers);
    a_level:   assert (!started_q || same_level);
    a_clear:   assert (!started_q || same_clear);
    h_agreed:  assert (!Hints || !started_q || agreed);

    // A word that was stored two words ago is M two words behind its read, beside a stall.
    c_stored:  cover (started_q && memory_known_q && memory == 32'h1234_5678 && stored_q == memory && last == ~memory && stall_i);
    c_file:    cover (started_q && known && word_i.a_from == AFromFile && word_i.b_from == BFromFile && first_q != second_q && result == 32'd7 &&
                      a == 32'd3 && b == 32'd4);
    c_level:   cover (started_q && level == 8'd5 && level_affinity == 3'd2 && subject != object && kind == WaitedMutex);
    c_cleared: cover (started_q && !clear && u_datapath.write_q);
  end
endmodule
