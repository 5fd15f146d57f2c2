/* SPDX-License-Identifier: Apache-2.0 */
// Window: the words that the hardware unit executes in a span of a run, one record for each of its cycles (soc/probes/mel_probe_engine.sv).
// A run without one is the run of a simulation that has none, and its trace the same.
#pragma once

#include <cstdint>
#include <vector>

#include "../simulation.h"

namespace mel {

// Bits of `flags`: 0 annulled, 1 stalls, 2 the word waits for a request, 3 wait lists busy, 4 ready lists busy, 5 a step begins, 6 the effects
// happen, 8 … 11 core 0 … 3 is answered, 12 … 15 its dispatch line is high.
struct UnitCycle {
  uint32_t cycle;  // of the cores
  uint16_t address;
  uint16_t flags;
};
static_assert(sizeof(UnitCycle) == 8, "studio/src/unit.ts reads these records");

class Window {
 public:
  explicit Window(Simulation &simulation);
  ~Window();
  // Goes on until this cycle is the next one, or the run is over, and records.
  void record(uint64_t until);
  std::vector<UnitCycle> cycles;

  // Called by the RTL (import "DPI-C").
  void word(uint32_t address, uint32_t flags);

 private:
  Simulation &simulation_;
  bool open_ = false;
};

}  // namespace mel
