/* SPDX-License-Identifier: Apache-2.0 */
// ConsoleInput: the receive side of the console (mel_host.sv, with MEL_INPUT). Registers, as those of a board (mel_board_devices.sv):
//   0x0 received  load: the oldest byte, and it is taken; 0xFFFF_FFFF: none waits; 0xFFFF_FFFE: none waits, and none will come (a board never says so)
//   0x4 lost      load: bytes that found the queue full, in the high half
// Byte n of a file (from 0) arrives in cycle (n + 1) * --input-cycles, and the end of the file as one more byte would: the same input gives the same run.
// Typed bytes (`-`) arrive as they come, with at least as many cycles between two of them: such a run cannot be repeated exactly.
// The interrupt line is high while a byte waits, and from the end of the input on. Each rise is traced as irq_wire, stamped with its cycle.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>

#include "options.h"
#include "trace.h"

namespace mel {

class ConsoleInput {
 public:
  ConsoleInput(Trace &trace, const Options &options);
  // Returns an error text, empty when all is well.
  std::string open();
  // The lines in `cycle`. Call once a cycle, in order, one cycle ahead: the top registers its inputs.
  uint64_t lines(uint64_t cycle) {
    if (cycle >= next_) arrive(cycle);
    const bool high = !waiting_.empty() || ended_;
    if (high != high_) turn(high, cycle);
    return high ? mask_ : 0;
  }
  uint32_t load(uint32_t offset);
  // A line of the report at the end.
  std::string counts() const;
  // Returns false when the copy could not be written.
  bool close();

 private:
  static constexpr uint64_t kNever = ~uint64_t{0};
  void arrive(uint64_t cycle);
  void turn(bool high, uint64_t cycle);
  int next_byte();  // kNone: not yet, kEnd: there are no more

  Trace &trace_;
  const Options &options_;
  std::string bytes_;        // read from the input so far
  size_t at_ = 0;            // the first of them that has not arrived
  std::FILE *copy_ = nullptr;
  uint64_t next_ = kNever;   // cycle in which a byte may arrive
  uint64_t mask_ = 0;
  bool ended_ = false, high_ = false, typed_ = false;
  std::deque<uint8_t> waiting_;
  uint64_t arrived_ = 0, lost_ = 0;
};

}  // namespace mel
