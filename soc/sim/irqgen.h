/* SPDX-License-Identifier: Apache-2.0 */
// IrqGenerator: 64 interrupt lines, each raised for one cycle after a programmed or random delay. Every rise is traced as irq_wire, stamped
// with its exact cycle. Line n has four words at 16 * n:
//   0x0 delay     store d: one pulse, d + 1 cycles after the cycle in which the store is answered
//   0x4 minimum   0x8 maximum   of a random delay, in cycles
//   0xC count     store c: c pulses, each a random delay (minimum … maximum, uniform, from --seed) after the one before; load: pulses left
// Besides, whoever starts the run may give cycles in which a line rises (--pulse).
// Two pulses of one line are at least two cycles apart (a rising edge needs a low cycle).
#pragma once

#include <cstdint>
#include <vector>

#include "random.h"
#include "trace.h"

namespace mel {

class IrqGenerator {
 public:
  IrqGenerator(Trace &trace, uint64_t seed);
  // `cycle`: in which the bus granted the store; it is answered in the next.
  void store(uint32_t offset, uint32_t value, uint64_t cycle);
  uint32_t load(uint32_t offset) const;

  // One pulse in this cycle, whatever the program asks for; before the run.
  void give(uint32_t line, uint64_t cycle);

  // Pulses that were asked for and have not come.
  uint64_t left() const;

  // The lines in `cycle`. Call once a cycle, in order, one cycle ahead: the top registers its inputs.
  uint64_t lines(uint64_t cycle) { return cycle < next_ ? 0 : raise(cycle); }

 private:
  static constexpr uint32_t kLines = 64;
  static constexpr uint64_t kNever = ~uint64_t{0};
  struct Line {
    uint64_t at = kNever;        // cycle of the next random pulse
    uint64_t once = kNever;      // cycle of the next programmed pulse
    uint64_t last = kNever;      // cycle of the last pulse
    std::vector<uint64_t> given; // cycles of given pulses, the next one last
    uint32_t minimum = 0, maximum = 0, left = 0;
  };
  uint64_t raise(uint64_t cycle);
  static uint64_t given(const Line &line) { return line.given.empty() ? kNever : line.given.back(); }
  uint64_t random_delay(const Line &line) { return random_.between(line.minimum, line.maximum); }
  void plan();

  Trace &trace_;
  Random random_;
  uint64_t next_ = kNever;  // the earliest pulse of all lines
  Line lines_[kLines];
};

}  // namespace mel
