// The driver of the unit's random test: plays one core that runs a C kernel, after a binary script (script.py).
//
// Contract: a script entry never depends on another one, so any subset of a script is a script (shrinking needs that). What an
// entry meets depends on the unit's own answers: a due dispatch is loaded, a task that was switched away in the middle of a call
// loads its answer when it runs again, a handler claims and ends with a dispatch load. The entry's flags break those rules.
// Writes: the trace (records of spec/trace.yaml) and the log of accesses, interrupt edges and output-line changes.
// Checks itself: one response per request, in order, within a bound. All else is judged by judge.py.
// Exit status: 0 script done; 1 a check failed (one sentence on stderr, the files are written); 2 bad arguments.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Vbench.h"
#include "melanion/mel_spec.h"
#include "verilated.h"

namespace {

constexpr uint16_t kDispatch = MEL_REG_DISPATCH;
constexpr uint16_t kClaim = MEL_REG_CLAIM;
constexpr uint16_t kRegisters = MEL_REG_IDENTITY;  // the command region ends here
constexpr uint16_t kAnswer = 0;  // any offset of the command region but those of the queries

enum Kind : uint8_t { kCommand = 0, kAccess = 1, kEdge = 2, kWait = 3, kTick = 4 };
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
  uint8_t byte_enable, unused[3];  // for kAccess: bit 7 = write
};
static_assert(sizeof(Entry) == 24, "script.py writes 24 bytes");

enum LogKind : uint8_t { kLoad = 0, kStore = 1, kLines = 2, kIrqEdge = 3 };
struct Log {
  uint64_t accepted, answered;  // cycles
  uint16_t address;
  uint8_t kind, byte_enable;
  uint32_t written, read, entry;
};
static_assert(sizeof(Log) == 32, "records.py reads 32 bytes");

struct TraceRecord {
  uint64_t cycle;
  uint8_t rest[16];
};

[[noreturn]] void usage(const char *text) {
  std::fprintf(stderr, "bench: %s\n", text);
  std::exit(2);
}

struct Failure {
  std::string text;
};

class Bench {
 public:
  Bench(uint64_t seed, uint64_t bound) : bound_(bound), noise_(seed * 2654435761u + 1) {
    context_.fatalOnError(false);  // a failed assertion ends the script, not the program
    context_.randReset(2);  // every register and memory powers up with random bits
    context_.randSeed(static_cast<int>(seed & 0x7FFFFFFF) | 1);
    top_ = std::make_unique<Vbench>(&context_);
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->req_valid_i = 0;
    top_->irq_i = 0;
    for (int i = 0; i < 4; ++i) edge();
    top_->rst_ni = 1;
    cycle_ = 0;
  }

  bool ticked() const { return ticked_; }  // in the last cycle
  uint64_t cycle() const { return cycle_; }
  bool dispatch_line() const { return dispatch_; }
  bool handler_line() const { return handler_; }
  uint64_t longest_accept() const { return longest_accept_; }
  uint64_t longest_answer() const { return longest_answer_; }
  void entry(uint32_t index) { entry_ = index; }

  void idle(unsigned cycles) {
    while (cycles--) step();
  }

  // Drives the request from the next cycle until it is accepted.
  void issue(bool write, uint16_t address, uint8_t byte_enable, uint32_t data) {
    top_->req_valid_i = 1;
    top_->req_write_i = write;
    top_->req_addr_i = address;
    top_->req_be_i = byte_enable;
    top_->req_wdata_i = write ? data : noise();
    uint64_t start = cycle_;
    do {
      step();
      if (!open_.empty() && !accepted_) start = cycle_;  // not ready because a response is open: not counted
      if (cycle_ - start > bound_) throw Failure{"no ready for " + std::to_string(bound_) + " cycles"};
    } while (!accepted_);
    longest_accept_ = std::max(longest_accept_, cycle_ - start);
    top_->req_valid_i = 0;
    // What is not valid must not matter.
    top_->req_write_i = noise() & 1;
    top_->req_addr_i = noise() & 0xFFFF;
    top_->req_be_i = noise() & 15;
    top_->req_wdata_i = noise();
    Log record{};
    record.accepted = cycle_ - 1;
    record.address = address;
    record.kind = write ? kStore : kLoad;
    record.byte_enable = byte_enable;
    record.written = write ? data : 0;
    record.entry = entry_;
    open_.push_back(log.size());
    log.push_back(record);
  }

  uint32_t await() {
    while (!open_.empty()) {
      step();
      if (!open_.empty() && cycle_ - log[open_.front()].accepted > bound_)
        throw Failure{"no response for " + std::to_string(bound_) + " cycles"};
    }
    return last_read_;
  }

  void schedule(uint64_t delay, unsigned line, unsigned width) {
    pulses_.emplace(cycle_ + delay, (uint64_t{line} << 32) | (width ? width : 1));
  }

  void drop_open() {
    for (; !open_.empty(); open_.pop_back()) log.erase(log.begin() + static_cast<std::ptrdiff_t>(open_.back()));
  }

  std::vector<Log> log;
  std::vector<TraceRecord> trace;

 private:
  void edge() {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }

  uint32_t noise() {
    noise_ ^= noise_ << 13;
    noise_ ^= noise_ >> 7;
    noise_ ^= noise_ << 17;
    return static_cast<uint32_t>(noise_ >> 16);
  }

  void drive_interrupts() {
    const uint64_t before = top_->irq_i;
    for (auto i = falls_.begin(); i != falls_.end() && i->first <= cycle_;) {
      top_->irq_i &= ~(uint64_t{1} << i->second);
      i = falls_.erase(i);
    }
    for (auto i = pulses_.begin(); i != pulses_.end() && i->first <= cycle_;) {
      const unsigned line = i->second >> 32, width = i->second & 0xFFFF;
      i = pulses_.erase(i);
      if ((before | top_->irq_i) >> line & 1) continue;  // high in the cycle before: no edge
      top_->irq_i |= uint64_t{1} << line;
      falls_.emplace(cycle_ + width, line);
      Log record{};
      record.accepted = record.answered = cycle_;
      record.address = line;
      record.kind = kIrqEdge;
      record.entry = entry_;
      log.push_back(record);
    }
  }

  void watch_lines() {
    if (dispatch_ == bool(top_->irq_dispatch_o) && handler_ == bool(top_->irq_handler_o)) return;
    dispatch_ = top_->irq_dispatch_o;
    handler_ = top_->irq_handler_o;
    Log record{};
    record.accepted = record.answered = cycle_;
    record.kind = kLines;
    record.read = unsigned{dispatch_} | unsigned{handler_} << 1;
    record.entry = entry_;
    log.push_back(record);
  }

  void collect(bool valid, const void *lane) {
    if (!valid) return;
    TraceRecord record;
    record.cycle = cycle_;
    std::memcpy(record.rest, lane, 16);
    trace.push_back(record);
  }

  // One clock cycle: outputs are those of the cycle, before its rising edge.
  void step() {
    drive_interrupts();
    top_->clk_i = 0;
    top_->eval();
    accepted_ = top_->req_valid_i && top_->req_ready_o;
    if (top_->rsp_valid_o) {
      if (open_.empty()) throw Failure{"a response without a request"};
      Log &record = log[open_.front()];
      record.answered = cycle_;
      record.read = last_read_ = top_->rsp_rdata_o;
      open_.pop_front();
      longest_answer_ = std::max(longest_answer_, cycle_ - record.accepted);
    }
    if (accepted_ && !open_.empty()) throw Failure{"a request was taken while a response is open"};
    watch_lines();
    ticked_ = top_->trace_valid_o & 1;
    collect(ticked_, top_->trace_tick_o.data());
    collect(top_->trace_valid_o & 2, top_->trace_step_o.data());
    collect(top_->trace_valid_o & 4, top_->trace_answer_o.data());
    top_->clk_i = 1;
    top_->eval();
    if (context_.gotFinish() || context_.gotError()) throw Failure{"an assertion of the RTL failed"};
    ++cycle_;
  }

  VerilatedContext context_;
  std::unique_ptr<Vbench> top_;
  std::deque<size_t> open_;  // indices of `log` without a response
  std::multimap<uint64_t, uint64_t> pulses_;
  std::multimap<uint64_t, unsigned> falls_;
  uint64_t bound_, noise_, cycle_ = 0, longest_accept_ = 0, longest_answer_ = 0;
  uint32_t last_read_ = 0, entry_ = 0;
  bool accepted_ = false, ticked_ = false, dispatch_ = false, handler_ = false;
};

class Core {
 public:
  explicit Core(Bench &bench, unsigned tasks) : bench_(bench), running_(tasks), answer_owed_(65536, false) {}

  void run(const Entry &entry) {
    if (in_handler_ && (handler_left_ == 0 || (entry.flags & kHandlerEnds))) {
      bench_.idle(entry.after);
      dispatch(entry);
    } else if (in_handler_) {
      --handler_left_;
    }
    take_interrupts(entry);
    switch (entry.kind) {
      case kCommand: command(entry); break;
      case kAccess: access(entry); break;
      case kEdge: bench_.schedule(entry.delay, entry.id & 63, entry.gap); break;
      case kWait: wait(entry); break;
      case kTick:
        for (uint32_t i = 0; i < entry.argument && !bench_.ticked(); ++i) bench_.idle(1);
        bench_.idle(entry.delay);
        break;
      default: usage("unknown entry kind");
    }
  }

 private:
  bool take_interrupts(const Entry &entry) {
    if (in_handler_) return false;
    if (bench_.handler_line() && !(entry.flags & kIgnoreHandler)) {
      bench_.idle(entry.after);
      load(kClaim);
      handler_left_ = entry.handler;
      return true;
    }
    if (bench_.dispatch_line() && !(entry.flags & kIgnoreDispatch)) {
      bench_.idle(entry.after);
      dispatch(entry);
      return true;
    }
    return false;
  }

  uint32_t load(uint16_t address) {
    bench_.issue(false, address, 15, 0);
    const uint32_t value = bench_.await();
    note(address, value);
    return value;
  }

  // Claim and dispatch change the context, whoever loads them.
  void note(uint16_t address, uint32_t value) {
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
      bench_.idle(entry.gap);
      if (!follow(entry, load(kAnswer))) {
        if (entry.flags & kValue) load(MEL_REG_VALUE);
        return;
      }
      bench_.idle(entry.after);
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
    bench_.issue(true, MEL_REG_OPERAND, 15, entry.operand);
    if (entry.gap == 0) return;
    bench_.await();
    bench_.idle(entry.gap - 1);
    if (entry.flags & kPreempt) take_interrupts(entry);
  }

  void command(const Entry &entry) {
    if (away_ && !in_handler_ && !(entry.flags & kWild)) {
      bench_.idle(entry.delay);
      dispatch(entry);
    }
    bench_.idle(entry.delay);
    const unsigned address = entry.op * 1024u + entry.id * 4u;
    if (address >= kRegisters) return;
    // Loads at the offsets of queries are no answers.
    const uint16_t back = entry.op >= MEL_QUERY_TASK_STATE ? kAnswer : static_cast<uint16_t>(address);
    if (entry.flags & kOperand) operand(entry);
    watch(entry);
    bench_.issue(true, static_cast<uint16_t>(address), 15, entry.argument);
    if (entry.flags & kNoAnswer) {
      bench_.await();
      return;
    }
    if (entry.gap) {  // without a gap the load is requested while the store may still be open
      bench_.await();
      bench_.idle(entry.gap - 1);
      if ((entry.flags & kPreempt) && !in_handler_ && (bench_.handler_line() || bench_.dispatch_line())) {
        answer_owed_[running_] = true;
        take_interrupts(entry);
        return;
      }
    }
    uint32_t answer = load(back);
    if (entry.flags & kAnswerTwice) answer = load(back);
    if (!in_handler_ && (static_cast<int32_t>(answer) < 0 || !(answer & MEL_ANSWER_DISPATCH_DUE))) away_ = false;
    if (!follow(entry, answer)) {
      if (entry.flags & kValue) load(MEL_REG_VALUE);
      return;
    }
    bench_.idle(entry.after);
    dispatch(entry);
  }

  void access(const Entry &entry) {
    bench_.idle(entry.delay);
    const uint16_t address = static_cast<uint16_t>(entry.op << 8 | entry.id);
    const bool write = entry.byte_enable & 128;
    bench_.issue(write, address, entry.byte_enable & 15, entry.argument);
    const uint32_t value = bench_.await();
    if (!write && (entry.byte_enable & 15) == 15) note(address, value);
  }

  void wait(const Entry &entry) {
    for (uint32_t i = 0; i < entry.argument && !bench_.handler_line() && !bench_.dispatch_line(); ++i) bench_.idle(1);
    take_interrupts(entry);
  }

  Bench &bench_;
  unsigned running_;
  std::vector<bool> answer_owed_;  // per task: it was switched away inside a call
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

}  // namespace

int main(int argc, char **argv) {
  if (argc != 7) usage("usage: bench SCRIPT TRACE LOG SEED BOUND TASKS");
  const std::vector<Entry> script = read_file<Entry>(argv[1]);
  Bench bench(std::strtoull(argv[4], nullptr, 0), std::strtoull(argv[5], nullptr, 0));
  Core core(bench, static_cast<unsigned>(std::strtoul(argv[6], nullptr, 0)));
  int status = 0;
  uint32_t index = 0;
  try {
    for (; index < script.size(); ++index) {
      bench.entry(index);
      core.run(script[index]);
    }
  } catch (const Failure &failure) {
    std::fprintf(stderr, "bench: %s (cycle %llu, script entry %u)\n", failure.text.c_str(),
                 static_cast<unsigned long long>(bench.cycle()), index);
    status = 1;
  }
  write_file(argv[2], bench.trace);
  // What is still open at a failure has no response to judge.
  bench.drop_open();
  write_file(argv[3], bench.log);
  std::printf("{\"cycles\": %llu, \"entries\": %u, \"longest_accept\": %llu, \"longest_answer\": %llu}\n",
              static_cast<unsigned long long>(bench.cycle()), index,
              static_cast<unsigned long long>(bench.longest_accept()),
              static_cast<unsigned long long>(bench.longest_answer()));
  return status;
}
