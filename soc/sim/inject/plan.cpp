// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <fstream>
#include <sstream>

#include "Vmel_top___024root.h"
#include "access.h"
#include "state.h"

// Verilator's own, for the first evaluation.
void Vmel_top___024root___eval_settle(Vmel_top___024root *root);

namespace mel {

namespace {

constexpr uint32_t kCall = 0, kPreempted = 1, kTag = 3;  // kernel/arch/riscv/frame.h

uint32_t *word_at(Simulation &simulation, uint64_t address) {
  auto &words = (simulation.*member(OpenedTop())).rootp->mel_top__DOT__u_memory_tile__DOT__u_memory__DOT__words;
  const uint64_t index = (address - kMemoryBase) / 4;
  return address >= kMemoryBase && index < sizeof(words) / sizeof(words[0]) ? &words[index] : nullptr;
}

bool read_flip(const std::string &line, Flip &flip) {
  std::istringstream text(line);
  size_t kinds = 0;
  uint32_t word = 0;
  text >> flip.number >> flip.cycle >> flip.kind;
  if (flip.kind == "state") return static_cast<bool>(text >> flip.scope >> flip.variable >> flip.element >> flip.bit);
  if (flip.kind == "memory") return static_cast<bool>(text >> flip.element >> flip.bit) && flip.bit < 32;
  if (flip.kind != "context" || !(text >> flip.element >> flip.bit >> flip.tagged)) return false;
  for (kinds = flip.tagged ? 2 : 1; kinds > 0 && text >> word; kinds--) flip.words.push_back(word);
  while (text >> word) flip.pointers.push_back(word);
  return kinds == 0 && flip.bit < 32;
}

}  // namespace

void settle(Simulation &simulation) { Vmel_top___024root___eval_settle((simulation.*member(OpenedTop())).rootp); }

std::string Flip::apply(Simulation &simulation) const {
  if (kind == "state") {
    if (!flip_state(scope, variable, element, bit)) return "nothing";
    settle(simulation);
    return scope + "." + variable + "[" + std::to_string(element) + "]";
  }
  uint64_t address = element;
  if (kind == "context") {
    address = 0;
    for (const uint32_t pointer : pointers) {
      const uint32_t *saved = word_at(simulation, pointer);
      if (saved == nullptr || word_at(simulation, *saved) == nullptr) continue;
      const uint32_t tag = tagged ? *saved & kTag : kCall;
      if (tag != kCall && tag != kPreempted) continue;
      address = (*saved & ~kTag) + 4 * (element % words[tag]);
      break;
    }
  }
  uint32_t *word = word_at(simulation, address);
  if (word == nullptr) return "nothing";
  *word ^= 1u << bit;
  settle(simulation);
  return std::to_string(address);
}

std::string read_plan(const std::string &path, std::vector<Flip> &plan) {
  std::ifstream file(path);
  if (!file) return path + ": cannot be read";
  for (std::string line; std::getline(file, line);) {
    Flip flip;
    if (!read_flip(line, flip) || (!plan.empty() && flip.cycle < plan.back().cycle)) return path + ": this is no flip, or an earlier one: " + line;
    plan.push_back(flip);
  }
  return "";
}

}  // namespace mel
