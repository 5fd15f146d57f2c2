/* SPDX-License-Identifier: Apache-2.0 */
// Probe: what the core and unit probes report (soc/probes), and what follows from it: tracepoints, stack watch, end of the run.
// Operands of a tracepoint are the register values before the tracepoint's instruction, from a copy of the registers that retirements keep.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace.h"

namespace mel {

struct Operand {
  bool is_register;
  uint32_t value;  // register number or constant
};

struct Tracepoint {
  uint8_t kind;
  Operand operands[4];
};

struct Stack {
  uint32_t base, top;  // sp may be base … top
  uint16_t number;
};

class Probe {
 public:
  explicit Probe(Trace &trace) : trace_(trace) {}
  // Reads a tracepoints file (docs/decisions/0002; empty: there is none) of a program in this memory. Returns an error text, empty when all
  // is well.
  std::string load(const std::string &path, uint32_t memory_base, const uint32_t *memory, size_t memory_words);

  // `bank`: set of registers that the instruction reads and writes (trace.h; 0 without a store of contexts).
  void retired(uint32_t core, uint32_t bank, uint32_t pc, uint32_t age, uint32_t rd, uint32_t value);
  // A register is written by no instruction.
  void put(uint32_t core, uint32_t bank, uint32_t rd, uint32_t value);
  void event(uint32_t kind, uint32_t core, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
  // The program stored to the exit device. The run goes on until that store retires, so that every tracepoint before it is reported.
  void exit_requested(uint32_t core, uint32_t code);
  void stop(ExitReason reason, uint32_t code, uint32_t pc, uint32_t core);
  // Writes the exit record.
  void finish();

  uint64_t cycle = 0;       // the cycle that the next clock edge ends
  uint64_t end_cycle = 0;   // the run ends here at the latest
  bool stopped = false;
  ExitReason reason = kCycleLimit;
  uint32_t code = 0;
  uint64_t retired_count = 0;

 private:
  struct Bank {
    const Stack *stack = nullptr;  // in which its sp is
    uint32_t registers[32] = {};
  };
  bool parse_line(const std::string &line);
  void report_tracepoints(uint32_t core, uint32_t bank, uint32_t pc, uint64_t since);
  void stack_pointer_moved(uint32_t pc, uint32_t core, uint32_t bank, uint32_t sp);
  const Stack *stack_of(uint32_t sp) const;
  // A program made a task with this stack; older ones whose memory it has are none any more.
  void stack_made(uint32_t base, uint32_t size);
  void fault_served(uint32_t core);
  Bank &bank_of(uint32_t core, uint32_t bank) { return bank < kOwnBanks ? cores_[core].banks[bank] : tasks_[bank - kOwnBanks]; }
  uint32_t instruction(uint32_t pc) const;

  Trace &trace_;
  uint32_t memory_base_ = 0;
  const uint32_t *memory_ = nullptr;
  size_t memory_words_ = 0;
  std::vector<uint8_t> has_tracepoint_;  // one a halfword of memory
  std::unordered_map<uint32_t, std::vector<Tracepoint>> tracepoints_;
  std::vector<Stack> stacks_;
  std::list<Stack> made_;  // while the program runs; within memory that stacks_ has for the stacks of several tasks
  struct Core {
    Bank banks[kOwnBanks];
    uint32_t pc = 0;               // PC of the last instruction that retired
    bool faulted = false;
    uint32_t fault_cause = 0, fault_pc = 0;
    uint64_t end_cycle = 0;        // the run's, as it was before the fault
  };
  Core cores_[kCores];
  Bank tasks_[kBanks - kOwnBanks];
  uint32_t last_core_ = 0;         // the core that ended the run, or retired last
  bool exiting_ = false;
  uint32_t exit_core_ = 0;
  uint64_t exit_cycle_ = 0;
};

}  // namespace mel
