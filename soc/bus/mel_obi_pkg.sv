// SPDX-License-Identifier: Apache-2.0
// mel_obi_pkg: the two channels of a port (OBI 1.x, 32 bit) as values: what a request carries, what a response carries.
// Contract: beside them go three wires: req is held with its request until gnt; rvalid comes once per grant, in order, at least one cycle later.
// These stay wires of their own, since gnt follows req within a cycle: in one struct they would look like a loop.
package mel_obi_pkg;

  typedef struct packed {
    logic        we;
    logic [3:0]  be;
    logic [31:0] addr;   // byte address
    logic [31:0] wdata;
  } obi_a_t;

  typedef struct packed {
    logic        err;
    logic [31:0] rdata;
  } obi_r_t;

endpackage
