// SPDX-License-Identifier: Apache-2.0
// mel_host_pkg: the channel between the device region of one core and the devices that a board has in the place of the simulation's (mel_host).
// Contract: `req` is high for one cycle per access; the answer is there in the next cycle.
package mel_host_pkg;

  typedef struct packed {
    logic        req;
    logic        we;
    logic [14:0] addr;   // offset from the base of the device region
    logic [31:0] wdata;
  } host_a_t;

  typedef struct packed {
    logic        err;    // the access was to no register
    logic [31:0] rdata;
  } host_r_t;

endpackage
