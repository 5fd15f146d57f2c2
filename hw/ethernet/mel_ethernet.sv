// SPDX-License-Identifier: Apache-2.0
// mel_ethernet: an Ethernet MAC of frames in its own memory, and a traffic generator at the other end of its wire, which checks the replies. Neither copies
// into the cores' memory: a frame is loaded and stored word by word.
// What each access does: docs/decisions/0047; offsets and words: spec/ethernet.yaml.
//
// Contract: an access port per core, as the hardware RTOS has: a request is taken when valid and ready, and gets one response. A request stays until it is
// taken. `irq_o[0]` is a level: there is a received frame; `irq_o[1]`: a transmit slot is free.
// Timing: a request is answered in the cycle after it is taken; those of the cores in turn, so a request waits for at most one access of each other core.
// The wire carries a byte in each ByteCycles cycles and direction (mel_traffic_pkg).
// Needs: mel_ethernet_pkg; mel_lock_turn (hw/lock_cache); the modules beside it (mel_ethernet.f).
module mel_ethernet
  import mel_ethernet_pkg::*;
  import mel_traffic_pkg::*;
#(
  parameter int unsigned Slots   = 4,    // 2..16
  parameter int unsigned Words   = 384,  // 32..384
  parameter int unsigned Samples = 256,  // 2..256
  parameter int unsigned Cores   = 1     // 1..4
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

  output logic [1:0]             irq_o
);
  if (Slots < SlotsMin || Slots > SlotsMax) begin : gen_bad_slots
    $fatal(1, "mel_ethernet: parameter Slots = %0d is out of range 2..16", Slots);
  end
  if (Words < WordsMin || Words > WordsMax) begin : gen_bad_words
    $fatal(1, "mel_ethernet: parameter Words = %0d is out of range 32..384", Words);
  end
  if (Samples < SamplesMin || Samples > SamplesMax) begin : gen_bad_samples
    $fatal(1, "mel_ethernet: parameter Samples = %0d is out of range 2..256", Samples);
  end
  if (Cores < CoresMin || Cores > CoresMax) begin : gen_bad_cores
    $fatal(1, "mel_ethernet: parameter Cores = %0d is out of range 1..4", Cores);
  end

  localparam int unsigned CoreW   = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned SampleW = $clog2(Samples);
  localparam logic [15:0] CountMax = '1;
  localparam traffic_t    Reset = '{form: FormUdp, defect: DefectNone, bytes: 11'd32, period: 32'd100_000, loss: '0, reorder: '0, corrupt: '0};

  // ---- the access -----------------------------------------------------------------------------------------------------

  logic                   any, write, whole, refused, command, performs;
  logic [CoreW-1:0]       core;
  logic [15:0]            addr;
  logic [31:0]            wdata, load_answer, rdata_q, frame_word;
  logic                   at_frame, at_round_trip, load_refused, store_refused, frame_q;
  logic                   release_frame, send, start, frame_write, set;
  logic [Cores-1:0]       rsp_valid_q;
  logic [Cores-1:0][31:0] answer_q;
  logic [15:0]            refused_q;

  mel_lock_turn #(
    .Cores(Cores)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .open_i (1'b1),
    .valid_i(req_valid_i),
    .ready_o(req_ready_o),
    .any_o  (any),
    .core_o (core)
  );

  assign write         = req_write_i[core];
  assign addr          = req_addr_i[core];
  assign wdata         = req_wdata_i[core];
  assign whole         = any && req_be_i[core] == 4'hF && addr[1:0] == '0 && addr < 16'(WindowBytes);
  assign at_frame      = 32'(addr) < 4 * Words;
  assign at_round_trip = addr[11:10] == RegionRoundTrip[11:10] && 32'(addr[9:2]) < Samples;
  assign command       = write && (addr[11:0] == CommandRelease || addr[11:0] == CommandSend || addr[11:0] == CommandStart);
  assign performs      = whole && write && !store_refused;
  assign release_frame = performs && addr[11:0] == CommandRelease;
  assign send          = performs && addr[11:0] == CommandSend;
  assign start         = performs && addr[11:0] == CommandStart;
  assign frame_write   = performs && at_frame;
  assign set           = performs && addr[11:8] == RegForm[11:8];

  // ---- the MAC --------------------------------------------------------------------------------------------------------

  wire_t       to_mac, from_mac;
  logic        accepted, lost, foreign, malformed;
  logic [10:0] length;
  logic [1:0]  room;
  logic [15:0] accepted_q, lost_q, foreign_q, malformed_q, sent_q;

  mel_ethernet_receive #(
    .Slots(Slots),
    .Words(Words)
  ) u_receive (
    .clk_i,
    .rst_ni,
    .wire_i     (to_mac),
    .accepted_o (accepted),
    .lost_o     (lost),
    .foreign_o  (foreign),
    .malformed_o(malformed),
    .word_i     (addr[10:2]),
    .rdata_o    (frame_word),
    .length_o   (length),
    .release_i  (release_frame)
  );

  mel_ethernet_transmit #(
    .Words(Words)
  ) u_transmit (
    .clk_i,
    .rst_ni,
    .write_i(frame_write),
    .word_i (addr[10:2]),
    .wdata_i(wdata),
    .send_i (send),
    .bytes_i(wdata[10:0]),
    .room_o (room),
    .wire_o (from_mac)
  );

  assign irq_o = {room != '0, length != '0};

  function automatic logic [15:0] counted(input logic [15:0] count, input logic one);
    return (one && count != CountMax) ? count + 16'd1 : count;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accepted_q  <= '0;
      lost_q      <= '0;
      foreign_q   <= '0;
      malformed_q <= '0;
      sent_q      <= '0;
    end else begin
      accepted_q  <= counted(accepted_q, accepted);
      lost_q      <= counted(lost_q, lost);
      foreign_q   <= counted(foreign_q, foreign);
      malformed_q <= counted(malformed_q, malformed);
      sent_q      <= counted(sent_q, from_mac.last);
    end
  end

  // ---- the generator --------------------------------------------------------------------------------------------------

  traffic_t            traffic_q;
  logic [31:0]         seed, now_q, first, time_q;
  logic [7:0]          run, number, newest_q, answered, answered_q;
  logic                busy, gone, dropped, opens, good, bad, other, good_q;
  logic [31:0]         times_q [Samples];
  logic [Samples-1:0]  open_q, done_q;       // a reply is expected; it has come
  logic                settles, reply;       // a good reply is looked up; its frame expects one
  logic [15:0]         offered_q, dropped_q, corrupted_q, replies_q, wrong_q, disordered_q, others_q;
  logic                ever_q;               // there was a reply since the start
  logic [7:0]          last_q;               // the frame that it answered

  mel_traffic_send u_send (
    .clk_i,
    .rst_ni,
    .traffic_i   (traffic_q),
    .start_i     (start),
    .frames_i    (wdata[8:0]),
    .seed_write_i(set && addr[11:0] == RegSeed),
    .seed_i      (wdata),
    .seed_o      (seed),
    .busy_o      (busy),
    .run_o       (run),
    .sent_o      (gone),
    .dropped_o   (dropped),
    .opens_o     (opens),
    .number_o    (number),
    .wire_o      (to_mac)
  );

  mel_traffic_check u_check (
    .clk_i,
    .rst_ni,
    .form_i  (traffic_q.form),
    .bytes_i (traffic_q.bytes),
    .run_i   (run),
    .newest_i(newest_q),
    .wire_i  (from_mac),
    .good_o  (good),
    .bad_o   (bad),
    .other_o (other),
    .number_o(answered)
  );

  // A good reply waits for a cycle in which no frame is entered: the next one is far away.
  assign settles = good_q && !gone;
  assign reply   = settles && 32'(answered_q) < Samples && open_q[SampleW'(answered_q)];
  assign first   = times_q[SampleW'(answered_q)];

  always_ff @(posedge clk_i) begin
    if (gone)       times_q[SampleW'(number)]     <= now_q;
    else if (reply) times_q[SampleW'(answered_q)] <= time_q - first;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q        <= '0;
      time_q       <= '0;
      newest_q     <= '0;
      answered_q   <= '0;
      good_q       <= 1'b0;
      open_q       <= '0;
      done_q       <= '0;
      offered_q    <= '0;
      dropped_q    <= '0;
      corrupted_q  <= '0;
      replies_q    <= '0;
      wrong_q      <= '0;
      disordered_q <= '0;
      others_q     <= '0;
      ever_q       <= 1'b0;
      last_q       <= '0;
    end else begin
      now_q <= now_q + 32'd1;
      if (good) begin
        time_q     <= now_q;
        answered_q <= answered;
      end
      good_q   <= good || (good_q && gone);
      others_q <= counted(others_q, other);
      if (start) begin
        open_q       <= '0;
        done_q       <= '0;
        offered_q    <= '0;
        dropped_q    <= '0;
        corrupted_q  <= '0;
        replies_q    <= '0;
        wrong_q      <= '0;
        disordered_q <= '0;
        ever_q       <= 1'b0;
      end else begin
        offered_q    <= counted(offered_q, gone);
        dropped_q    <= counted(dropped_q, dropped);
        corrupted_q  <= counted(corrupted_q, gone && !opens && traffic_q.defect == DefectNone);
        replies_q    <= counted(replies_q, reply);
        wrong_q      <= counted(wrong_q, bad || (settles && !reply));
        disordered_q <= counted(disordered_q, reply && ever_q && answered_q < last_q);
        if (gone) begin
          open_q[SampleW'(number)] <= opens;
          newest_q                 <= number;
        end
        if (reply) begin
          open_q[SampleW'(answered_q)] <= 1'b0;
          done_q[SampleW'(answered_q)] <= 1'b1;
          ever_q                       <= 1'b1;
          last_q                       <= answered_q;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      traffic_q <= Reset;
    end else if (set) begin
      unique case (addr[11:0])
        RegForm: begin
          traffic_q.form   <= wdata[1:0];
          traffic_q.defect <= defect_e'(wdata[6:4]);
        end
        RegBytes:   traffic_q.bytes   <= wdata[10:0];
        RegPeriod:  traffic_q.period  <= wdata;
        RegLoss:    traffic_q.loss    <= wdata[15:0];
        RegReorder: traffic_q.reorder <= wdata[15:0];
        RegCorrupt: traffic_q.corrupt <= wdata[15:0];
        default: ;  // the seed is the sender's
      endcase
    end
  end

  // ---- loads and stores -----------------------------------------------------------------------------------------------

  always_comb begin
    load_answer  = '0;
    load_refused = 1'b0;
    unique case (addr[11:0])
      RegIdentity:   load_answer = Identity;
      RegFactsHash:  load_answer = FactsHash;
      RegSizes:      load_answer = {1'b0, 3'(Cores), 3'd0, 9'(Samples), 2'd0, 9'(Words), 5'(Slots)};
      RegCore:       load_answer = 32'(core);
      RegRefused:    load_answer = 32'(refused_q);
      RegAnswer:     load_answer = answer_q[core];
      RegLength:     load_answer = 32'(length);
      RegRoom:       load_answer = 32'(room);
      RegAccepted:   load_answer = 32'(accepted_q);
      RegLost:       load_answer = 32'(lost_q);
      RegForeign:    load_answer = 32'(foreign_q);
      RegMalformed:  load_answer = 32'(malformed_q);
      RegSent:       load_answer = 32'(sent_q);
      RegStation:    load_answer = Station[31:0];
      RegForm:       load_answer = {25'd0, traffic_q.defect, 2'd0, traffic_q.form};
      RegBytes:      load_answer = 32'(traffic_q.bytes);
      RegPeriod:     load_answer = traffic_q.period;
      RegLoss:       load_answer = 32'(traffic_q.loss);
      RegReorder:    load_answer = 32'(traffic_q.reorder);
      RegCorrupt:    load_answer = 32'(traffic_q.corrupt);
      RegSeed:       load_answer = seed;
      RegBusy:       load_answer = 32'(busy);
      RegOffered:    load_answer = 32'(offered_q);
      RegDropped:    load_answer = 32'(dropped_q);
      RegCorrupted:  load_answer = 32'(corrupted_q);
      RegReplies:    load_answer = 32'(replies_q);
      RegWrong:      load_answer = 32'(wrong_q);
      RegDisordered: load_answer = 32'(disordered_q);
      RegOthers:     load_answer = 32'(others_q);
      default: begin
        load_refused = !at_round_trip && !(at_frame && length != '0);
        if (at_round_trip && done_q[SampleW'(addr[9:2])]) load_answer = times_q[SampleW'(addr[9:2])];
      end
    endcase
  end

  always_comb begin
    unique case (addr[11:0])
      CommandRelease: store_refused = wdata != '0 || length == '0;
      CommandSend:    store_refused = room == '0 || wdata < 32'd14 || wdata > 32'(MostBytes) || wdata > 32'(4 * Words - 2);
      CommandStart:   store_refused = busy || wdata == '0 || wdata > 32'(Samples);
      RegForm:        store_refused = busy || (wdata & ~32'h73) != '0 || wdata[1:0] == 2'd3 || wdata[6:4] > DefectShort;
      RegBytes:       store_refused = busy || wdata[0] || wdata < 32'd4 || wdata > 32'(MostBytes - 42);
      RegPeriod:      store_refused = busy;
      RegLoss, RegReorder, RegCorrupt:
                      store_refused = busy || wdata[31:16] != '0;
      RegSeed:        store_refused = busy || wdata == '0;
      default:        store_refused = !at_frame || room == '0;
    endcase
  end

  assign refused = !whole || (write ? store_refused : load_refused);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_valid_q <= '0;
      rdata_q     <= '0;
      frame_q     <= 1'b0;
      refused_q   <= '0;
      answer_q    <= {Cores{AnswerNone}};
    end else begin
      rsp_valid_q <= Cores'(any) << core;
      if (any) begin
        rdata_q <= refused ? AnswerNone : write ? '0 : load_answer;
        frame_q <= !refused && !write && at_frame;
      end
      if (any && command) answer_q[core] <= refused ? AnswerNone : AnswerDone;
      refused_q <= counted(refused_q, any && refused);
    end
  end

  assign rsp_valid_o = rsp_valid_q;
  assign rsp_rdata_o = {Cores{frame_q ? frame_word : rdata_q}};
endmodule
