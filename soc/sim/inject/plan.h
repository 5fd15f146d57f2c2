/* SPDX-License-Identifier: Apache-2.0 */
// Plan: the flips of a campaign, a line each, in the order of their cycles:
//   NUMBER CYCLE state SCOPE VARIABLE ELEMENT BIT
//   NUMBER CYCLE memory ADDRESS BIT                                 a bit of the word at this address
//   NUMBER CYCLE context WORD BIT TAGGED WORDS… POINTER…            a bit of a saved context: POINTER holds its address; the first of several that has one in memory
// TAGGED 1: the two lowest bits of the address say what lies there (kernel/arch/riscv/frame.h): WORDS of a call, of a preemption; others have nothing. 0: WORDS of all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../simulation.h"

namespace mel {

struct Flip {
  uint64_t number = 0, cycle = 0;
  std::string kind, scope, variable;
  uint64_t element = 0, bit = 0;  // element: of a variable; address of a word; word of a context
  bool tagged = false;
  std::vector<uint32_t> words, pointers;

  // Returns what was hit: `SCOPE.VARIABLE[ELEMENT]`, an address; `nothing`.
  std::string apply(Simulation &simulation) const;
};

// Computes all combinational logic anew from the state.
void settle(Simulation &simulation);

// Returns an error text, empty when all is well.
std::string read_plan(const std::string &path, std::vector<Flip> &plan);

}  // namespace mel
