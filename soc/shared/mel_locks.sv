// SPDX-License-Identifier: Apache-2.0
// mel_locks: test-and-set registers that the cores share, and a doorbell for each core.
// Registers (byte offsets): 0x000 + 4 * n lock n (load: 0, and it is the loading core's from now on; 1: it is not free, or another core's turn; store: it is
// free), 0x100 + 4 * c doorbell of core c (store 1: ring, 0: silence; load: whether it rings). `bell_o` is the software interrupt of each core.
// Rule: who finds a lock taken is noted, and a lock that is free goes to the first noted core behind the one that had it last. So a core that asks until it
// gets a lock waits for at most one holder of every other core; one that has asked must not give up, or the lock stays free for it alone.
// Timing: one access a cycle, answered in the next one.
module mel_locks #(
  parameter int unsigned Cores = 2,  // 2..4
  parameter int unsigned Locks = 8   // 1..64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             req_i,
  input  logic             we_i,
  input  logic [1:0]       core_i,  // core of the access
  input  logic [8:0]       addr_i,
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o,
  output logic [Cores-1:0] bell_o
);
  localparam int unsigned LockW = (Locks > 1) ? $clog2(Locks) : 1;
  localparam int unsigned CoreW = $clog2(Cores);

  logic [Locks-1:0]            held_q;
  logic [Locks-1:0][Cores-1:0] waiting_q;  // found it taken, and will ask again
  logic [Locks-1:0][1:0]       last_q;     // core that had it last
  logic [Cores-1:0]            bell_q;

  logic             at_bell;
  logic [LockW-1:0] lock;
  logic [CoreW-1:0] core;
  logic [Cores-1:0] waiting;  // for this lock, the core of the access included
  logic [1:0]       turn;     // core whose turn it is
  logic             taken;    // the access gets it

  assign at_bell = addr_i[8];
  assign lock    = addr_i[LockW+1:2];
  assign core    = core_i[CoreW-1:0];
  assign bell_o  = bell_q;

  always_comb begin
    waiting         = waiting_q[lock];
    waiting[core]   = 1'b1;
    turn            = core_i;
    // From the last in turn to the first: the last assignment counts.
    for (int unsigned i = Cores; i > 0; i--) begin
      if (waiting[(32'(last_q[lock]) + i) % Cores]) turn = 2'((32'(last_q[lock]) + i) % Cores);
    end
    taken = !held_q[lock] && turn == core_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q    <= '0;
      waiting_q <= '0;
      last_q    <= '0;
      bell_q    <= '0;
      rdata_o   <= '0;
    end else if (req_i) begin
      if (at_bell) begin
        for (int unsigned i = 0; i < Cores; i++) begin
          if (we_i && addr_i[3:2] == 2'(i)) bell_q[i] <= wdata_i[0];
        end
        rdata_o <= 32'(bell_q >> addr_i[3:2]) & 32'd1;
      end else begin
        rdata_o <= {31'd0, !taken};
        if (we_i) begin
          held_q[lock] <= 1'b0;
        end else if (taken) begin
          held_q[lock]          <= 1'b1;
          last_q[lock]          <= core_i;
          waiting_q[lock][core] <= 1'b0;
        end else begin
          waiting_q[lock][core] <= 1'b1;
        end
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{addr_i, core_i, wdata_i};

  if (Cores < 2 || Cores > 4) begin : gen_cores_check
    $error("mel_locks: Cores must be 2..4");
  end
  if (Locks < 1 || Locks > 64) begin : gen_locks_check
    $error("mel_locks: Locks must be 1..64");
  end
endmodule
