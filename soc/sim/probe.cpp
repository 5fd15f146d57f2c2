// SPDX-License-Identifier: Apache-2.0
#include "probe.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace mel {

namespace {

constexpr uint32_t kSp = 2;
constexpr uint64_t kPanicCycles = 200'000;  // time for an exception handler to print, also in slow memory
constexpr uint32_t kEcallUser = 8, kEcallMachine = 11;  // mcause of an ecall

// The instruction computes the new sp from the old one (a frame is pushed or popped), rather than loading another stack's.
bool moves_relative(uint32_t instruction) {
  if ((instruction & 3) != 3) {
    const uint32_t quadrant = instruction & 3, funct3 = (instruction >> 13) & 7;
    if (quadrant == 1) return funct3 == 0 || funct3 == 3;                   // c.addi, c.addi16sp
    return funct3 == 4 && (instruction & (1 << 12)) && (instruction & 0x7c);  // c.add
  }
  const uint32_t opcode = instruction & 0x7f, rs1 = (instruction >> 15) & 31, rs2 = (instruction >> 20) & 31;
  return (opcode == 0x13 && rs1 == kSp) || (opcode == 0x33 && (rs1 == kSp || rs2 == kSp));
}

// First half of a two-instruction constant: sp is not a stack pointer yet.
bool begins_constant(uint32_t instruction) {
  const uint32_t opcode = instruction & 0x7f;
  return opcode == 0x17 || opcode == 0x37;  // auipc, lui
}

// Of tasks that a program makes while it runs: the tracepoint that tells a stack (kernel/compat/freertos/task.c), the number of any of them, and those of memory in which
// they are.
constexpr uint32_t kToldStack = 0xfff2;
// Tracepoint for exceptions of user mode that the kernel has served (kernel/isolation/user.S): the run goes on.
constexpr uint32_t kServedFault = 0xfff3;
constexpr uint16_t kMadeStack = 0xfffb, kAllMemory = 0xfffc, kHeap = 0xfffd;

bool parse_operand(const std::string &text, Operand &operand) {
  if (text.size() < 2 || (text[0] != 'r' && text[0] != 'i')) return false;
  operand.is_register = text[0] == 'r';
  try {
    operand.value = static_cast<uint32_t>(std::stoll(text.substr(1)));
  } catch (const std::exception &) {
    return false;
  }
  return !operand.is_register || operand.value < 32;
}

}  // namespace

std::string Probe::load(const std::string &path, uint32_t memory_base, const uint32_t *memory, size_t memory_words) {
  memory_base_ = memory_base;
  memory_ = memory;
  memory_words_ = memory_words;
  has_tracepoint_.assign(memory_words * 2, 0);
  if (path.empty()) return "";
  std::ifstream file(path);
  if (!file) return path + ": the tracepoints file cannot be read";
  std::string line;
  for (int number = 1; std::getline(file, line); number++) {
    if (!line.empty() && !parse_line(line)) return path + ":" + std::to_string(number) + ": this is no tracepoint: " + line;
  }
  return "";
}

bool Probe::parse_line(const std::string &line) {
  std::istringstream words(line);
  if (line.compare(0, 6, "stack ") == 0) {
    std::string keyword;
    uint32_t base = 0, size = 0, number = 0;
    words >> keyword >> std::hex >> base >> std::dec >> size >> number;
    stacks_.push_back({base, base + size, static_cast<uint16_t>(number)});
    return !words.fail();
  }
  uint32_t address = 0, kind = 0;
  Tracepoint tracepoint{};
  words >> std::hex >> address >> std::dec >> kind;
  tracepoint.kind = static_cast<uint8_t>(kind);
  for (auto &operand : tracepoint.operands) {
    std::string text;
    words >> text;
    if (!parse_operand(text, operand)) return false;
  }
  const size_t half = (address - memory_base_) / 2;
  if (words.fail() || half >= has_tracepoint_.size()) return false;
  has_tracepoint_[half] = 1;
  tracepoints_[address].push_back(tracepoint);
  return true;
}

uint32_t Probe::instruction(uint32_t pc) const {
  const size_t half = (pc - memory_base_) / 2;
  if (half / 2 + 1 >= memory_words_) return 0;
  const uint32_t low = memory_[half / 2], high = memory_[half / 2 + 1];
  const uint32_t word = (half & 1) ? (low >> 16) | (high << 16) : low;
  return (word & 3) == 3 ? word : word & 0xffff;
}

void Probe::retired(uint32_t core, uint32_t bank, uint32_t pc, uint32_t age, uint32_t rd, uint32_t value) {
  retired_count++;
  last_core_ = core;
  cores_[core].pc = pc;
  const size_t half = (pc - memory_base_) / 2;
  if (half < has_tracepoint_.size() && has_tracepoint_[half]) report_tracepoints(core, bank, pc, cycle - age);
  if (rd != 0) {
    bank_of(core, bank).registers[rd] = value;
    if (rd == kSp && !stacks_.empty()) stack_pointer_moved(pc, core, bank, value);
  }
  if (exiting_ && core == exit_core_ && cycle > exit_cycle_ && !stopped) stop(kProgram, code, pc, core);
}

// A task that begins gets its stack so: it may have another one than in its life before.
void Probe::put(uint32_t core, uint32_t bank, uint32_t rd, uint32_t value) {
  Bank &changed = bank_of(core, bank);
  changed.registers[rd] = value;
  if (rd == kSp) changed.stack = stack_of(value);
}

void Probe::report_tracepoints(uint32_t core, uint32_t bank, uint32_t pc, uint64_t since) {
  for (const Tracepoint &tracepoint : tracepoints_[pc]) {
    uint32_t values[4];
    for (int i = 0; i < 4; i++) {
      const Operand &operand = tracepoint.operands[i];
      values[i] = operand.is_register ? bank_of(core, bank).registers[operand.value] : operand.value;
    }
    trace_.add({since, tracepoint.kind, static_cast<uint8_t>(core), static_cast<uint16_t>(values[0]), values[1], values[2], values[3]});
    if (tracepoint.kind == kPoint && values[0] == kToldStack) stack_made(values[2], values[3]);
    if (tracepoint.kind == kPoint && values[0] == kServedFault) fault_served(core);
  }
}

void Probe::fault_served(uint32_t core) {
  if (!cores_[core].faulted) return;
  cores_[core].faulted = false;
  end_cycle = cores_[core].end_cycle;
}

void Probe::stack_made(uint32_t base, uint32_t size) {
  for (auto old = made_.begin(); old != made_.end();) {
    if (old->base >= base + size || base >= old->top) {
      ++old;
      continue;
    }
    for (Core &core : cores_)
      for (Bank &bank : core.banks)
        if (bank.stack == &*old) bank.stack = nullptr;
    for (Bank &bank : tasks_)
      if (bank.stack == &*old) bank.stack = nullptr;
    old = made_.erase(old);
  }
  made_.push_back({base, base + size, kMadeStack});
}

// sp may also tracepoint just above a stack (the stack is empty), which can be the base of its neighbour; so base itself is tried last.
const Stack *Probe::stack_of(uint32_t sp) const {
  for (const Stack &stack : made_)
    if (stack.base < sp && sp <= stack.top) return &stack;
  for (const Stack &stack : stacks_)
    if (stack.base < sp && sp <= stack.top) return &stack;
  for (const Stack &stack : stacks_)
    if (stack.base == sp) return &stack;
  return nullptr;
}

void Probe::stack_pointer_moved(uint32_t pc, uint32_t core, uint32_t bank, uint32_t sp) {
  const Stack *&current = bank_of(core, bank).stack;
  const uint32_t word = instruction(pc);
  if (begins_constant(word)) {  // wherever the half constant happens to tracepoint
    current = nullptr;
    return;
  }
  const bool shared = current != nullptr && (current->number == kAllMemory || current->number == kHeap);  // a task's own may be within
  if (current != nullptr && !shared && current->base < sp && sp <= current->top) return;
  if (current != nullptr && current->base == sp && moves_relative(word)) return;  // exactly full
  const Stack *left = current;
  const bool pushed_below = left != nullptr && sp < left->base && moves_relative(word);
  current = stack_of(sp);
  if (current != nullptr && !pushed_below) return;
  const uint16_t number = left != nullptr ? left->number : 0xffff;
  trace_.add({cycle, kStack, static_cast<uint8_t>(core), number, sp, pc, number == kMadeStack ? left->base : 0});
  stop(kStackOverflow, number, pc, core);
}

void Probe::event(uint32_t kind, uint32_t core, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  trace_.add({cycle, static_cast<uint8_t>(kind), static_cast<uint8_t>(core), static_cast<uint16_t>(a), b, c, d});
  if (kind != kTrap || (a >> 15) != 0 || a == kEcallUser || a == kEcallMachine) return;
  // An exception, and no call of a service. The kernel's handler may print what happened and exit; without one, or when it faults itself, the run ends here.
  Core &here = cores_[core];
  if (here.faulted) stop(kFault, here.fault_cause, here.fault_pc, core);
  here.faulted = true;
  here.fault_cause = a;
  here.fault_pc = b;
  here.end_cycle = end_cycle;
  end_cycle = std::min(end_cycle, cycle + kPanicCycles);
}

void Probe::exit_requested(uint32_t core, uint32_t exit_code) {
  if (exiting_) return;
  exiting_ = true;
  exit_core_ = core;
  exit_cycle_ = cycle;
  code = exit_code;
}

void Probe::stop(ExitReason why, uint32_t exit_code, uint32_t pc, uint32_t core) {
  if (stopped) return;
  stopped = true;
  reason = why;
  code = exit_code;
  last_core_ = core;
  cores_[core].pc = pc;
}

void Probe::finish() {
  for (uint32_t core = 0; core < kCores; core++) {
    const Core &here = cores_[core];
    if (!stopped && here.faulted) stop(kFault, here.fault_cause, here.fault_pc, core);
  }
  trace_.add({cycle, kExit, static_cast<uint8_t>(last_core_), static_cast<uint16_t>(reason), code, cores_[last_core_].pc, 0});
}

}  // namespace mel
