// SPDX-License-Identifier: Apache-2.0
// The driver of the unit's random test: plays cores that run a C kernel, after a binary script (script.py). Each core executes its
// entries of the script one after another, at the same time as the others.
//
// Contract: a script entry never depends on another one, so any subset of a script is a script (shrinking needs that). What an
// entry meets depends on the unit's own answers: a due dispatch is loaded, a task that was switched away in the middle of a call
// loads its answer when it runs again, on whatever core, a handler claims and ends with a dispatch load. The entry's flags break
// those rules.
// Writes: the trace (records of spec/trace.yaml), the log of accesses, interrupt edges and output-line changes, and steps (steps.sv).
// Judged by judge.py. Elsewhere: the ports and the clock (ports.h).
// Exit status: 0 script done; 1 a check failed (one sentence on stderr, the files are written); 2 bad arguments.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "melanion/mel_spec.h"
#include "ports.h"

namespace {

constexpr uint16_t kDispatch = MEL_REG_DISPATCH;
constexpr uint16_t kClaim = MEL_REG_CLAIM;
constexpr uint16_t kRegisters = MEL_REG_IDENTITY;  // the command region ends here
constexpr uint16_t kAnswer = 0;  // any offset of the command region but those of the queries

enum Kind : uint8_t { kCommand = 0, kAccess = 1, kEdge = 2, kWait = 3, kTick = 4, kMeet = 5 };
enum Flag : uint16_t {
  kNoAnswer = 1,          // the caller does not load the answer
  kIgnoreDue = 2,         // an answer that says "dispatch due" is not followed
  kIgnoreDispatch = 4,    // interrupts disabled for the dispatch interrupt during this entry
  kIgnoreHandler = 8,     // and for the handler interrupt
  kAnswerTwice = 16,
  kPreempt = 32,          // an interrupt between the store and the load of the answer is taken there
  kHandlerEnds = 64,      // a handler that runs ends before this entry
  kWild = 128,            // a task calls although it may be waiting, suspended or dormant: the model does not know that
  kValue = 256,           // the caller loads its value after its answer
  kOperand = 1 << 15,     // it stores the operand before the command
};

struct Entry {
  uint8_t kind, op, id;
  uint8_t handler;  // commands in a handler that begins here
  uint32_t argument, operand;
  uint16_t flags;
  uint16_t delay, gap, after;  // cycles: before the store, between two accesses of a call, before a dispatch or claim load
  uint8_t byte_enable;  // for kAccess: bit 7 = write
  uint8_t core, unused[2];
};
static_assert(sizeof(Entry) == 24, "script.py writes 24 bytes");

[[noreturn]] void usage(const char *text) {
  std::fprintf(stderr, "bench: %s\n", text);
  std::exit(2);
}

// Tasks that were switched away inside a call: whichever core runs them next loads their answer.
using Owed = std::vector<bool>;

class Core {
 public:
  Core(Port &port, Owed &owed, unsigned tasks) : port_(port), answer_owed_(owed), running_(tasks) {}

  void run(const Entry &entry) {
    if (in_handler_ && (handler_left_ == 0 || (entry.flags & kHandlerEnds))) {
      port_.idle(entry.after);
      dispatch(entry);
    } else if (in_handler_) {
      --handler_left_;
    }
    take_interrupts(entry);
    switch (entry.kind) {
      case kCommand: command(entry); break;
      case kAccess: access(entry); break;
      case kEdge: port_.schedule(entry.delay, entry.id & 63, entry.gap); break;
      case kWait: wait(entry); break;
      case kTick:
        for (uint32_t i = 0; i < entry.argument && !port_.ticked(); ++i) port_.idle(1);
        port_.idle(entry.delay);
        break;
      case kMeet: port_.meet(entry.argument); break;
      default: usage("unknown entry kind");
    }
  }

 private:
  bool take_interrupts(const Entry &entry) {
    if (in_handler_) return false;
    if (port_.handler_line() && !(entry.flags & kIgnoreHandler)) {
      port_.idle(entry.after);
      load(kClaim);
      handler_left_ = entry.handler;
      return true;
    }
    if (port_.dispatch_line() && !(entry.flags & kIgnoreDispatch)) {
      port_.idle(entry.after);
      dispatch(entry);
      return true;
    }
    return false;
  }

  uint32_t load(uint32_t address) {
    port_.issue(false, address, 15, 0);
    const uint32_t value = port_.await();
    note(address, value);
    return value;
  }

  // Claim and dispatch change the context, whoever loads them.
  void note(uint32_t address, uint32_t value) {
    if (address == kClaim) {
      in_handler_ = true;
      handler_left_ = 0;
    } else if (address == kDispatch) {
      in_handler_ = false;
      away_ = false;
      running_ = value & 0xFFFF;
    }
  }

  // Loads `dispatch`, and for a task that was switched away inside a call its answer, until none is due.
  void dispatch(const Entry &entry) {
    for (int round = 0; round < 8; ++round) {
      load(kDispatch);
      if (!answer_owed_[running_]) return;
      answer_owed_[running_] = false;
      port_.idle(entry.gap);
      if (!follow(entry, load(kAnswer))) {
        if (entry.flags & kValue) load(MEL_REG_VALUE);
        return;
      }
      port_.idle(entry.after);
    }
  }

  // True when the answer asks for a dispatch that this entry wants to make.
  bool follow(const Entry &entry, uint32_t answer) {
    if (in_handler_ || static_cast<int32_t>(answer) < 0 || !(answer & MEL_ANSWER_DISPATCH_DUE)) return false;
    if (entry.flags & kIgnoreDue) return false;
    if (answer & MEL_ANSWER_WAITING) answer_owed_[running_] = true;
    return true;
  }

  // After these the running task may be waiting, suspended or dormant: it cannot call until it is dispatched again.
  void watch(const Entry &entry) {
    switch (entry.op) {
      case MEL_OP_TASK_EXIT: case MEL_OP_TASK_SLEEP: case MEL_OP_TASK_DELAY: case MEL_OP_TASK_DELAY_UNTIL:
      case MEL_OP_SEMAPHORE_TAKE: case MEL_OP_QUEUE_SEND: case MEL_OP_QUEUE_RECEIVE: case MEL_OP_MUTEX_LOCK:
      case MEL_OP_EVENT_FLAGS_WAIT_ANY: case MEL_OP_EVENT_FLAGS_WAIT_ALL:
      case MEL_OP_EVENT_FLAGS_TAKE_ANY: case MEL_OP_EVENT_FLAGS_TAKE_ALL:
      case MEL_OP_NOTIFICATION_WAIT: case MEL_OP_NOTIFICATION_TAKE: case MEL_OP_NOTIFICATION_TAKE_ALL:
        away_ |= !in_handler_;
        break;
      case MEL_OP_TASK_SUSPEND:
        away_ |= entry.id == running_;
        break;
      default: break;
    }
  }

  // The operand belongs to whoever runs now; an interrupt before the command itself lets another context make it.
  void operand(const Entry &entry) {
    port_.issue(true, MEL_REG_OPERAND, 15, entry.operand);
    if (entry.gap == 0) return;
    port_.await();
    port_.idle(entry.gap - 1);
    if (entry.flags & kPreempt) take_interrupts(entry);
  }

  void command(const Entry &entry) {
    if (away_ && !in_handler_ && !(entry.flags & kWild)) {
      port_.idle(entry.delay);
      dispatch(entry);
    }
    port_.idle(entry.delay);
    const unsigned address = entry.op * 1024u + entry.id * 4u;
    if (entry.op == kRegisters / 1024 || address >= MEL_WINDOW_BYTES) return;
    // Loads at the offsets of queries are no answers.
    const bool asks = entry.op >= MEL_QUERY_TASK_STATE && address < kRegisters;
    const uint32_t back = asks ? kAnswer : address;
    if (entry.flags & kOperand) operand(entry);
    watch(entry);
    port_.issue(true, address, 15, entry.argument);
    if (entry.flags & kNoAnswer) {
      port_.await();
      return;
    }
    if (entry.gap) {  // without a gap the load is requested while the store may still be open
      port_.await();
      port_.idle(entry.gap - 1);
      if ((entry.flags & kPreempt) && !in_handler_ && (port_.handler_line() || port_.dispatch_line())) {
        answer_owed_[running_] = true;
        take_interrupts(entry);
        return;
      }
    }
    uint32_t answer = load(back);
    for (int again = 0; static_cast<int32_t>(answer) == MEL_E_BUSY && again < entry.after; ++again) {  // as the C library does
      port_.issue(true, address, 15, entry.argument);
      answer = load(back);
    }
    if (entry.flags & kAnswerTwice) answer = load(back);
    if (!in_handler_ && (static_cast<int32_t>(answer) < 0 || !(answer & MEL_ANSWER_DISPATCH_DUE))) away_ = false;
    if (!follow(entry, answer)) {
      if (entry.flags & kValue) load(MEL_REG_VALUE);
      return;
    }
    port_.idle(entry.after);
    dispatch(entry);
  }

  void access(const Entry &entry) {
    port_.idle(entry.delay);
    const uint32_t address = (entry.byte_enable & 64u) << 10 | entry.op << 8 | entry.id;
    const bool write = entry.byte_enable & 128;
    port_.issue(write, address, entry.byte_enable & 15, entry.argument);
    const uint32_t value = port_.await();
    if (!write && (entry.byte_enable & 15) == 15) note(address, value);
  }

  void wait(const Entry &entry) {
    for (uint32_t i = 0; i < entry.argument && !port_.handler_line() && !port_.dispatch_line(); ++i) port_.idle(1);
    take_interrupts(entry);
  }

  Port &port_;
  Owed &answer_owed_;
  unsigned running_;
  bool in_handler_ = false;
  bool away_ = false;  // the running task may not be runnable
  unsigned handler_left_ = 0;
};

template <typename T>
std::vector<T> read_file(const char *name) {
  std::vector<T> content;
  FILE *file = std::fopen(name, "rb");
  if (!file) usage((std::string("cannot read ") + name).c_str());
  T item;
  while (std::fread(&item, sizeof item, 1, file) == 1) content.push_back(item);
  std::fclose(file);
  return content;
}

template <typename T>
void write_file(const char *name, const std::vector<T> &content) {
  FILE *file = std::fopen(name, "wb");
  if (!file || std::fwrite(content.data(), sizeof(T), content.size(), file) != content.size())
    usage((std::string("cannot write ") + name).c_str());
  std::fclose(file);
}

// End of a script: exit status, and the entry of the core that failed, or the number of entries.
struct Ended {
  int status;
  uint32_t entry;
};

constexpr size_t kEventsPerEntry = 1000;  // far more than any entry causes

// Plays the script to its end; a Failure is printed.
Ended play(Unit &unit, std::vector<Port> &ports, const std::vector<Entry> &script, unsigned tasks) {
  Owed owed(65536, false);
  std::vector<Core> cores;
  for (Port &port : ports) cores.emplace_back(port, owed, tasks);
  for (size_t i = 0; i < ports.size(); ++i) {
    ports[i].run([&script, &port = ports[i], &core = cores[i]] {
      for (uint32_t index = 0; index < script.size(); ++index) {
        if (script[index].core != port.core()) continue;
        port.entry(index);
        core.run(script[index]);
      }
    });
  }
  const auto done = [](const Port &port) { return port.done(); };
  try {
    for (;;) {
      uint32_t least = UINT32_MAX;  // meeting for which a core waits, or has not come to yet
      for (const Port &port : ports) least = std::min(least, port.done() ? UINT32_MAX : port.meeting());
      for (Port &port : ports) port.part(least);
      for (Port &port : ports) port.resume();
      if (std::all_of(ports.begin(), ports.end(), done)) return {0, static_cast<uint32_t>(script.size())};
      unit.begin_cycle();
      for (Port &port : ports) port.look();
      unit.end_cycle();
      if (unit.trace.size() > kEventsPerEntry * (script.size() + 1)) throw Failure{"the unit reports events without end", 0};
    }
  } catch (const Failure &failure) {
    const uint32_t entry = ports.at(failure.core).entry();
    std::fprintf(stderr, "bench: %s (cycle %llu, core %u, script entry %u)\n", failure.text.c_str(),
                 static_cast<unsigned long long>(unit.cycle()), failure.core, entry);
    return {1, entry};
  }
}

// Returns the log without accesses still open at a failure: they have no response to judge.
std::vector<Log> answered(const Unit &unit, const std::vector<Port> &ports) {
  std::vector<Log> log = unit.log;
  std::vector<size_t> open;
  for (const Port &port : ports) open.insert(open.end(), port.open().begin(), port.open().end());
  std::sort(open.rbegin(), open.rend());
  for (size_t index : open) log.erase(log.begin() + static_cast<std::ptrdiff_t>(index));
  return log;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 9) usage("usage: bench SCRIPT TRACE LOG SEED BOUND TASKS CORES STEPS");
  const std::vector<Entry> script = read_file<Entry>(argv[1]);
  const auto number = [argv](int i) { return std::strtoull(argv[i], nullptr, 0); };
  Unit unit(number(4), number(5));
  std::vector<Port> ports;
  for (unsigned core = 0; core < number(7); ++core) ports.emplace_back(unit, core);
  const Ended ended = play(unit, ports, script, static_cast<unsigned>(number(6)));
  write_file(argv[2], unit.trace);
  write_file(argv[3], answered(unit, ports));
  std::vector<Step> steps;
  for (const auto &[key, step] : unit.steps) steps.push_back(step);
  write_file(argv[8], steps);
  unsigned long long accept = 0, answer = 0;
  for (const Port &port : ports) {
    accept = std::max<unsigned long long>(accept, port.longest_accept());
    answer = std::max<unsigned long long>(answer, port.longest_answer());
  }
  std::printf("{\"cycles\": %llu, \"entries\": %u, \"longest_accept\": %llu, \"longest_answer\": %llu}\n",
              static_cast<unsigned long long>(unit.cycle()), ended.entry, accept, answer);
  return ended.status;
}
