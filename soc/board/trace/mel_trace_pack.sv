// SPDX-License-Identifier: Apache-2.0
// mel_trace_pack: keeps what the trace port of the unit reports in a queue of block RAMs, and takes it apart into the bytes of the stream
// (docs/reference/trace-stream.md, melanion/trace/stream.py).
// An entry is all that the port reports in one cycle: so records need no arbiter, keep their order (tick, step, answer), and may follow each other in every
// cycle. Its 16 bytes: what the step lane holds (0 cycles low, 1 a, 2 b, 3 cycles high, 4 high bits of a, 5..8 c, 9 d), 10 low byte of the tick counter,
// 11 flags, 12 and 13 reader and status of an answer, 14 and 15 number of lost records. Bytes of a lane that reported nothing are those of an earlier
// report, and are not sent; nor are bytes that are zero.
// Lost are the records that find the queue full and all behind them until a quarter of it is free again. Their number goes out with the next entry.
// After 57 344 cycles without an entry comes one without a record, so that cycles fit into 16 bits; it has a place even when others are lost.
// Contract: the system has one core, and fewer tasks than 255. `valid_o` and `byte_o` hold until `ready_i`; with `check_o` the check is to be sent.
module mel_trace_pack #(
  parameter int unsigned Depth    = 512,   // entries, a power of two, 16..2048
  parameter logic [31:0] Hash     = '0,    // of the system's sizes: in the first record
  parameter bit          Lossless = 1'b1   // told in the first record
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  mel_pkg::trace_t tick_i,
  input  mel_pkg::trace_t step_i,
  input  mel_pkg::trace_t answer_i,

  output logic            near_full_o,  // the core should wait: three quarters are full
  output logic            taken_o,      // changes whenever an entry is sent

  output logic            valid_o,
  input  logic            ready_i,
  output logic            check_o,
  output logic [7:0]      byte_o
);
  localparam int unsigned Width   = $clog2(Depth);
  localparam int unsigned ReserveW = (Width > 7) ? 3 : 1;  // the last 8 or 2 entries are for those without a record
  localparam logic [Width-1:0] Taps = Width'(mel_trace_pkg::Taps[Width]);
  localparam logic [7:0]  Version = 8'd1;
  localparam logic [3:0]  Flags   = 4'd11;  // the byte that is read before all others, and so the position behind an entry
  // The first entry, at power-up: a step of the kind 0.
  localparam logic [127:0] First = {32'd0, 8'b0000_0100, 16'd0, Hash, Version, 8'd0, 7'd0, Lossless, 16'd0};

  typedef enum logic [1:0] {LaneStep, LaneTick, LaneAnswer, LaneSpecial} lane_e;
  typedef enum logic [2:0] {StateFlags, StateScan, StateHead, StateMore, StateBytes} state_e;

  // ---- entries in -----------------------------------------------------------------------------------------------------

  logic [Width-1:0] write_q, read_q;  // states of mel_trace_pkg; so one entry is never used
  logic [Width:0]   level_q;
  logic [15:0]      cycles_q;    // since the last entry; so those of an entry are never 0
  logic [15:0]      lost_q;      // stops at 32768 or a little above
  logic             any, empty_entry, full, drops, drops_q, has_lost_q, write, pop, taken_q, reset_q;
  logic [1:0]       reports;
  logic [127:0]     entry;

  assign reports     = 2'(tick_i.valid) + 2'(step_i.valid) + 2'(answer_i.valid);
  assign any         = tick_i.valid || step_i.valid || answer_i.valid;
  assign empty_entry = &cycles_q[15:13] && !any;
  assign full        = &level_q[Width-1:ReserveW] || level_q[Width];
  assign drops       = full || drops_q;
  assign write       = (any && !drops) || empty_entry;
  assign near_full_o = level_q[Width] || (&level_q[Width-1:Width-2]);
  assign taken_o     = taken_q;

  assign entry = {lost_q, answer_i.d[7:0], answer_i.a[7:0],
                  step_i.kind[3:0], tick_i.valid, step_i.valid, answer_i.valid, has_lost_q, tick_i.b[7:0],
                  step_i.d[7:0], step_i.c, 6'd0, step_i.a[9:8], cycles_q[15:8], step_i.b[7:0], step_i.a[7:0], cycles_q[7:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= Width'(2);
      read_q  <= Width'(1);
      level_q <= (Width + 1)'(1);
      drops_q <= 1'b0;
      taken_q <= 1'b0;
      reset_q <= 1'b1;
    end else begin
      reset_q <= 1'b0;
      if (write) write_q <= {write_q[Width-2:0], ^(write_q & Taps)};
      if (pop) read_q <= {read_q[Width-2:0], ^(read_q & Taps)};
      if (write != pop) level_q <= level_q + {{Width{pop}}, 1'b1};
      if (pop) taken_q <= !taken_q;
      if (any && full) drops_q <= 1'b1;
      else if (!near_full_o) drops_q <= 1'b0;
    end
  end

  // Cleared by the clock alone: a flip-flop of an ECP5 has one kind of reset, the other would be logic in front of it.
  always_ff @(posedge clk_i) begin
    if (reset_q || write) cycles_q <= 16'd1;
    else cycles_q <= cycles_q + 16'd1;
  end
  always_ff @(posedge clk_i) begin
    if (reset_q || write) begin
      lost_q     <= '0;
      has_lost_q <= 1'b0;
    end else if (any) begin
      if (!lost_q[15]) lost_q <= lost_q + 16'(reports);
      has_lost_q <= 1'b1;
    end
  end

  // ---- bytes out ------------------------------------------------------------------------------------------------------

  // A byte of the store follows its address by a cycle: in the first cycle of a step (`settled_q` low) nothing is looked at.
  state_e      state_q;
  logic        settled_q, there_q, special_q, tick_q, step_q, answer_q, first_q, act, relevant, cycle_position, last;
  logic [3:0]  kind_q, position_q, index;
  logic [11:0] mask_q;
  lane_e       lane;
  logic [7:0]  data, column [4];
  logic        more;

  for (genvar i = 0; i < 4; i++) begin : gen_store
    mel_trace_store #(
      .Depth(Depth),
      .First(First[32*i+:32])
    ) u_store (
      .clk_i,
      .write_i(write),
      .entry_i(write_q),
      .data_i (entry[32*i+:32]),
      .select_i(index[3:2] == 2'(i)),
      .read_i ({read_q, index[1:0]}),
      .data_o (column[i])
    );
  end

  always_comb begin
    lane = LaneStep;
    if (special_q)                lane = LaneSpecial;
    else if (tick_q)              lane = LaneTick;
    else if (!step_q && answer_q) lane = LaneAnswer;
  end

  assign cycle_position = position_q == 4'd0 || position_q == 4'd3;
  always_comb begin
    index    = (lane == LaneStep || cycle_position) ? position_q : {1'b1, lane, position_q[1]};
    relevant = lane == LaneStep || (position_q[3:2] == '0 && !(lane == LaneTick && position_q[1]));
    if (cycle_position) relevant = first_q;
  end
  assign data = column[0] | column[1] | column[2] | column[3];

  assign more    = |mask_q[9:3];
  // Of twelve positions the last two have no byte: the check, if there is one, is sent there.
  assign last    = position_q == 4'd11;
  assign check_o = position_q[3] && position_q[1];
  always_comb begin
    byte_o  = data;
    valid_o = 1'b0;
    unique case (state_q)
      StateHead: begin
        byte_o  = {lane == LaneStep ? kind_q : lane == LaneTick ? 4'(mel_pkg::TraceTick) : lane == LaneAnswer ? 4'(mel_pkg::TraceAnswer) : 4'd0,
                   more, mask_q[2:0]};
        valid_o = 1'b1;
      end
      StateMore: begin
        byte_o  = {1'b0, mask_q[9:3]};
        valid_o = 1'b1;
      end
      StateBytes: valid_o = settled_q && (check_o ? lane == LaneSpecial || lane == LaneTick : mask_q[0]);
      default: ;
    endcase
  end
  assign act = settled_q && (!valid_o || ready_i);
  assign pop = act && state_q == StateBytes && last && 3'(special_q) + 3'(tick_q) + 3'(step_q) + 3'(answer_q) == 3'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= StateFlags;
      settled_q   <= 1'b0;
      there_q     <= 1'b0;
      {kind_q, special_q, tick_q, step_q, answer_q, first_q} <= '0;
      position_q  <= Flags;
      mask_q      <= '0;
    end else begin
      there_q   <= level_q != '0 && !pop;
      settled_q <= !act && !(state_q == StateFlags && !there_q);
      if (act) begin
        unique case (state_q)
          StateFlags: begin
            {kind_q, tick_q, step_q, answer_q} <= data[7:1];
            special_q <= data[0] || data[3:1] == '0;
            first_q    <= 1'b1;
            position_q <= '0;
            state_q    <= StateScan;
          end
          StateScan: begin
            mask_q     <= {relevant && data != '0, mask_q[11:1]};
            position_q <= last ? '0 : position_q + 4'd1;
            if (last) state_q <= StateHead;
          end
          StateHead: state_q <= more ? StateMore : StateBytes;
          StateMore: state_q <= StateBytes;
          default: begin
            mask_q     <= {mask_q[0], mask_q[11:1]};
            position_q <= last ? (pop ? Flags : '0) : position_q + 4'd1;
            if (last) begin
              state_q    <= pop ? StateFlags : StateScan;
              first_q    <= 1'b0;
              unique case (lane)
                LaneSpecial: special_q <= 1'b0;
                LaneTick:    tick_q    <= 1'b0;
                LaneStep:    step_q    <= 1'b0;
                default:     answer_q  <= 1'b0;
              endcase
            end
          end
        endcase
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{tick_i, step_i, answer_i};

  if (Depth != 2 ** Width || Depth < 16 || Depth > 2048) begin : gen_depth_check
    $error("mel_trace_pack: Depth must be a power of two, 16..2048");
  end
endmodule
