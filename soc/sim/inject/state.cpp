// SPDX-License-Identifier: Apache-2.0
#include "state.h"

#include <cstring>

#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

namespace mel {

namespace {

// Verilator knows the variables that were made public alone; of these the memory of the system is none of the kernel.
bool is_state(const char *scope, const VerilatedVar &variable) {
  return !variable.isParam() && std::strstr(scope, ".u_memory_tile.") == nullptr;
}

uint64_t elements_of(const VerilatedVar &variable) {
  uint64_t elements = 1;
  for (const VerilatedRange &range : variable.unpackedRanges()) elements *= static_cast<uint64_t>(range.elements());
  return elements;
}

// An output that follows its module's inputs in some configurations, and the copy of a register that stands elsewhere, lose a flip.
bool keeps(const VerilatedVar &variable, const std::function<void()> &settle) {
  auto *byte = static_cast<uint8_t *>(variable.datap());
  const uint8_t before = *byte;
  *byte ^= 1;
  settle();
  const bool kept = *byte == (before ^ 1);
  *byte = before;
  settle();
  return kept;
}

}  // namespace

std::string list_state(const std::function<void()> &settle) {
  std::string text;
  for (const auto &[scope, content] : *Verilated::threadContextp()->scopeNameMap()) {
    if (content->varsp() == nullptr) continue;
    for (const auto &[name, variable] : *content->varsp()) {
      if (!is_state(scope, variable) || !keeps(variable, settle)) continue;
      text += std::string("state ") + scope + " " + name + " " + std::to_string(elements_of(variable)) + " " + std::to_string(variable.entBits()) + "\n";
    }
  }
  return text;
}

bool flip_state(const std::string &scope, const std::string &variable, uint64_t element, uint64_t bit) {
  const VerilatedScope *found = Verilated::threadContextp()->scopeFind(scope.c_str());
  const VerilatedVar *hit = found == nullptr ? nullptr : found->varFind(variable.c_str());
  if (hit == nullptr || !is_state(scope.c_str(), *hit) || element >= elements_of(*hit) || bit >= hit->entBits()) return false;
  // Elements stand one behind the other, each in whole bytes, the lowest first (little endian).
  auto *bytes = static_cast<uint8_t *>(hit->datap());
  bytes[element * hit->entSize() + bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
  return true;
}

}  // namespace mel
