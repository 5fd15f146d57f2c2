/* SPDX-License-Identifier: Apache-2.0 */
// Options: the arguments of the simulation binary (docs/decisions/0002).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mel {

// Wait states of one port: each access has its own number, drawn from the seed.
struct Waits {
  uint32_t least = 0, most = 0;
};

struct Options {
  std::string image, tracepoints, trace, console, wave;
  std::string input;            // file that the console receives; `-`: standard input, as it comes; empty: nothing
  std::string input_copy;       // a copy of the bytes that arrived is written there
  uint64_t input_cycles = 1000; // from one byte to the next
  uint64_t input_line = 64;     // interrupt line that is high while a byte waits; 64: none
  uint64_t max_cycles = 100'000'000;
  Waits wait_states, data_wait_states, unit_wait_states;  // instructions; data; devices and the unit
  Waits bridge_read, bridge_write;                        // latencies of mel_slow_bridge, in systems that have one
  uint64_t seed = 1;
  std::vector<std::pair<std::string, uint32_t>> data;  // file, address
  std::vector<std::pair<uint32_t, uint64_t>> pulses;   // interrupt line, cycle in which it rises
  bool speed = false;     // at the end, on standard error: speed and counts
  bool progress = false;  // about once a second, on standard error: the cycle
  uint64_t parent = 0;    // the process with which the simulation ends; 0: none
};

// Returns an error text, empty when all is well.
std::string parse(int argc, char **argv, Options &options);

}  // namespace mel
