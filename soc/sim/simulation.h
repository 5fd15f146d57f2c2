/* SPDX-License-Identifier: Apache-2.0 */
// Simulation: one Verilated system and one run of it. prepare() → run() → finish(), once each; run() may come in parts, advance().
// Cycle numbering: cycle 0 is the first after reset; an event belongs to the cycle that ends at the clock edge at which the RTL reports it.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "Vmel_top.h"
#include "console_input.h"
#include "irqgen.h"
#include "options.h"
#include "probe.h"
#include "random.h"
#include "trace.h"
#include "verilated.h"

#ifdef MEL_WAVE
#include "verilated_fst_c.h"
#endif

namespace mel {

constexpr uint32_t kMemoryBase = 0x10000000;  // docs/decisions/0002

class Simulation {
 public:
  explicit Simulation(const Options &options);
  ~Simulation();
  // Loads memory, opens files, resets the system. Returns an error text, empty when all is well.
  std::string prepare();
  void run() { advance(options_.max_cycles); }
  // Goes on until this cycle is the next one, or the run is over.
  void advance(uint64_t until);
  // Closes the files. Returns false when one could not be written.
  bool finish();

  // Called by the RTL (import "DPI-C"), through the functions at the end of simulation.cpp.
  void host_store(uint32_t core, uint32_t offset, uint32_t value);
  uint32_t host_load(uint32_t offset);
  void cache_count(uint32_t core, bool instr, uint64_t loads, uint64_t misses);  // once each, at the end
  void unit_counted(uint32_t refused, uint32_t lost_irqs);                       // once, at the end
  Probe probe;
  IrqGenerator irqgen;
  ConsoleInput input;

 private:
  std::string load(const std::string &path, uint32_t address);
  std::string open_wave();
  // The wait states of accesses that begin in the next cycle.
  void draw_wait_states();
  void reset();
  void half_cycle(bool clock);
  // The levels of the clocks of the cores and of the unit, which is theirs or has twice the frequency.
  void clocks(bool cores, bool unit);
  void step(bool cores, bool unit);  // sets the levels and writes a step of the wave
  void tell_progress();
  // A line stays together: it is written when its core ends it, or with the run.
  void print(uint32_t core, char character);

  const Options &options_;
  Trace trace_;
  Random random_;
  VerilatedContext context_;
  Vmel_top top_;
  std::FILE *console_ = nullptr;
  std::string lines_[kCores];
  std::vector<std::string> counts_;  // lines of the report at the end
  std::chrono::steady_clock::time_point told_;  // when progress was told
  double seconds_ = 0;
#ifdef MEL_WAVE
  VerilatedFstC wave_;
  uint64_t wave_step_ = 0;
#endif
};

}  // namespace mel
