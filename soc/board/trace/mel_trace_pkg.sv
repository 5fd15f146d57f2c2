// SPDX-License-Identifier: Apache-2.0
// mel_trace_pkg: shift registers with feedback, in the place of counters whose values nobody reads: a cell or two, where a counter takes one per bit.
// A register of `width` bits (4..11) is shifted up, and gets the parity of the bits that `Taps` names: so it passes 2**width - 1 states, from 1 on.
package mel_trace_pkg;

  localparam logic [10:0] Taps [4:11] = '{11'h00c, 11'h014, 11'h030, 11'h060, 11'h0b8, 11'h110, 11'h240, 11'h500};

  // The state `steps` behind the first, for a constant. Bits from `width` on mean nothing.
  function automatic logic [10:0] state_at(int unsigned width, int unsigned steps);
    logic [10:0] state;
    state = 11'd1;
    for (int unsigned i = 0; i < steps; i++) state = {state[9:0], ^(state & Taps[width])};
    return state;
  endfunction

endpackage
