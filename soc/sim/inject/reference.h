/* SPDX-License-Identifier: Apache-2.0 */
// Reference: the run without a flip, and the comparison of another one with it. Digests of the whole state (model, interrupt generator, console, registers that
// the probe keeps) stand in memory that the processes share. Equal state in the same cycle: what follows is equal, too, so the run need not be made.
#pragma once

#include <cstdint>
#include <string>

#include "../simulation.h"

namespace mel {

class Reference {
 public:
  // Before the processes part: pointers in the state are then the same in all.
  Reference(Simulation &simulation, uint64_t limit);

  // Run to the end and keep the digests.
  void record();
  // Run on to the end, or, with `early`, until the state is that of the reference, or an answer is E_SYS. `equal RECORDS` (of its trace until then), `noticed`, `clean` or
  // `latent` (the run ended; its state is that of the reference at its end, or another).
  std::string follow(bool early);

 private:
  struct Point {
    uint64_t digest, records;
  };
  struct Shared {
    uint64_t end_cycle, end_digest;
  };
  uint64_t digest();
  // Run on to a cycle; whether an answer was E_SYS: then the flip counts as detected, whatever follows (melanion/inject/outcome.py).
  bool noticed(uint64_t cycle);

  Simulation &simulation_;
  Shared *shared_ = nullptr;
  Point *points_ = nullptr;  // one each kEvery cycles
  uint64_t count_ = 0;
};

}  // namespace mel
