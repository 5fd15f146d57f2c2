// SPDX-License-Identifier: Apache-2.0
#include "irqgen.h"

#include <algorithm>
#include <functional>

namespace mel {

IrqGenerator::IrqGenerator(Trace &trace, uint64_t seed) : trace_(trace), random_(seed) {}

void IrqGenerator::plan() {
  next_ = kNever;
  for (const Line &line : lines_) next_ = std::min({next_, line.at, line.once, given(line)});
}

void IrqGenerator::give(uint32_t line, uint64_t cycle) {
  std::vector<uint64_t> &given = lines_[line % kLines].given;
  given.insert(std::upper_bound(given.begin(), given.end(), cycle, std::greater<>()), cycle);
  plan();
}

void IrqGenerator::store(uint32_t offset, uint32_t value, uint64_t cycle) {
  Line &line = lines_[(offset / 16) % kLines];
  switch (offset % 16 / 4) {
    case 0: line.once = cycle + 2 + value; break;
    case 1: line.minimum = value; break;
    case 2: line.maximum = value; break;
    default:
      line.left = value;
      line.at = value != 0 ? cycle + 2 + random_delay(line) : kNever;
  }
  plan();
}

uint32_t IrqGenerator::load(uint32_t offset) const {
  const Line &line = lines_[(offset / 16) % kLines];
  switch (offset % 16 / 4) {
    case 1: return line.minimum;
    case 2: return line.maximum;
    case 3: return line.left;
    default: return 0;
  }
}

uint64_t IrqGenerator::left() const {
  uint64_t pulses = 0;
  for (const Line &line : lines_) pulses += line.left + (line.once != kNever) + line.given.size();
  return pulses;
}

uint64_t IrqGenerator::raise(uint64_t cycle) {
  uint64_t raised = 0;
  for (uint32_t i = 0; i < kLines; i++) {
    Line &line = lines_[i];
    if (line.at > cycle && line.once > cycle && given(line) > cycle) continue;
    if (line.last != kNever && cycle < line.last + 2) continue;  // still high, or just fallen: next cycle
    if (given(line) <= cycle) {
      line.given.pop_back();
    } else if (line.once <= cycle) {
      line.once = kNever;
    } else {
      line.left--;
      line.at = line.left != 0 ? cycle + std::max<uint64_t>(random_delay(line), 2) : kNever;
    }
    line.last = cycle;
    raised |= uint64_t{1} << i;
    trace_.add({cycle, kIrqWire, 0, static_cast<uint16_t>(i), 0, 0, 0});
  }
  plan();
  return raised;
}

}  // namespace mel
