/* SPDX-License-Identifier: Apache-2.0 */
// The unit of the random test and its ports, for the driver (bench.cpp).
//
// Every core's program runs as a fiber of its own: what waits (`idle`, `issue`, `await`, `meet`) lets the clock go on, and the
// others with it. In a cycle the fibers run in the order of their numbers, before the inputs of that cycle are evaluated; so
// accesses of several cores begin in the same cycle.
// Kept for the judge: the trace (records of spec/trace.yaml), and the log of accesses, interrupt edges, changes of the
// interrupt lines and background work (records.py). Checked here: a response per request, in order, within a bound.
#pragma once
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "Vbench.h"
#include "verilated.h"

#ifndef CLOCK_RATIO
#define CLOCK_RATIO 1  // cycles of the unit's clock in one of the cores
#endif

constexpr unsigned kCores = 4;  // cores for which bench.sv has ports
constexpr size_t kStack = 256 * 1024;

enum LogKind : uint8_t { kLoad = 0, kStore = 1, kLines = 2, kIrqEdge = 3, kWork = 4 };
struct Log {
  uint64_t accepted, answered;  // cycles
  uint32_t address;
  uint8_t kind, byte_enable, core, unused;
  uint32_t written, read, entry, unused_too;
};
static_assert(sizeof(Log) == 40, "records.py reads 40 bytes");

struct TraceRecord {
  uint64_t cycle;
  uint8_t rest[16];
};

// Longest of the microprogrammed unit's steps that did the same (steps.sv): which, what it answered, how often its loops went round.
struct Step {
  uint16_t entry;
  uint8_t outcome, action;
  uint32_t answer, length, after;  // cycles
  uint16_t rounds[8];
  uint32_t count, unused;  // steps
  uint64_t longest_at, latest_at;  // cycle of the longest step's end, of the step that answered latest
};
static_assert(sizeof(Step) == 56, "steps.py reads 56 bytes");

struct Failure {
  std::string text;
  unsigned core;
};

// A function with a stack of its own. A Failure that it throws ends it; `resume` throws it again.
class Fiber {
 public:
  explicit Fiber(std::function<void()> body) : body_(std::move(body)), stack_(kStack) {
    getcontext(&own_);
    own_.uc_stack.ss_sp = stack_.data();
    own_.uc_stack.ss_size = stack_.size();
    own_.uc_link = &caller_;
    makecontext(&own_, &Fiber::enter, 0);
  }
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  bool done() const { return done_; }
  void pause() { swapcontext(&own_, &caller_); }
  void resume() {
    entered() = this;  // the first time `enter` has no other way to know
    swapcontext(&caller_, &own_);
    if (failure_) throw Failure(*failure_);
  }

 private:
  static Fiber *&entered() {
    static Fiber *fiber = nullptr;
    return fiber;
  }
  static void enter() {
    Fiber *fiber = entered();
    try {
      fiber->body_();
    } catch (const Failure &failure) {
      fiber->failure_ = std::make_unique<Failure>(failure);
    }
    fiber->done_ = true;
  }

  std::function<void()> body_;
  std::vector<char> stack_;
  ucontext_t own_{}, caller_{};
  std::unique_ptr<Failure> failure_;
  bool done_ = false;
};

// State shared by all ports: the unit, its clock, interrupt lines, trace and log.
class Unit {
  VerilatedContext context_;  // outlives `top`

 public:
  Unit(uint64_t seed, uint64_t bound) : bound(bound), noise_(seed * 2654435761u + 1) {
    context_.fatalOnError(false);  // a failed assertion ends the script, not the program
    context_.randReset(2);  // every register and memory powers up with random bits
    context_.randSeed(static_cast<int>(seed & 0x7FFFFFFF) | 1);
    top = std::make_unique<Vbench>(&context_);
    top->clk_i = 0;
    top->req_valid_i = 0;
    top->irq_i = 0;
    top->rst_ni = 1;
    top->eval();
    top->rst_ni = 0;  // the edge resets before the first clock edge, which would sample what powered up
    top->eval();
    for (int i = 0; i < 4; ++i) {
      fall();
      rise();
    }
    top->rst_ni = 1;
    cycle_ = 0;
  }

  uint64_t cycle() const { return cycle_; }
  bool ticked() const { return ticked_; }  // in the last cycle

  // A line rises `delay` cycles from now.
  void schedule(uint64_t delay, unsigned line, unsigned width, uint32_t entry) {
    pulses_.emplace(cycle_ + delay, Pulse{line, width ? width : 1, entry});
  }

  uint32_t noise() {
    noise_ ^= noise_ << 13;
    noise_ ^= noise_ >> 7;
    noise_ ^= noise_ << 17;
    return static_cast<uint32_t>(noise_ >> 16);
  }

  // First half of a cycle: then its outputs are there.
  void begin_cycle() {
    drive_interrupts();
    working_before_ = working_;
    working_ = false;
    ticked_ = false;
    for (unsigned i = 1; i < CLOCK_RATIO; ++i) {
      fall();
      record();
      rise();
    }
    fall();
  }

  // Second half: the trace, and the rising edge.
  void end_cycle() {
    record();
    rise();
    if (context_.gotFinish() || context_.gotError()) throw Failure{"an assertion of the RTL failed", 0};
    ++cycle_;
  }

  std::unique_ptr<Vbench> top;
  std::vector<Log> log;
  std::vector<TraceRecord> trace;
  std::map<std::array<uint32_t, 5>, Step> steps;  // by entry, outcome, action, and rounds
  const uint64_t bound;  // cycles until a request is taken, or answered

 private:
  struct Pulse {
    unsigned line, width;
    uint32_t entry;
  };

  // Reports of the unit in a cycle of its clock: events, background work.
  void record() {
    ticked_ |= top->trace_valid_o & 1;
    for (unsigned lane = 0; lane < 2 + kCores; ++lane) {
      if (!(top->trace_valid_o >> lane & 1)) continue;
      TraceRecord record;
      record.cycle = cycle_;
      std::memcpy(record.rest, top->trace_o.data() + 4 * lane, 16);
      trace.push_back(record);
    }
    if (top->step_valid_o) step();
    if (top->work_o) {
      if (!working_ && !working_before_) {
        Log record{};
        record.accepted = cycle_;
        record.kind = kWork;
        work_ = log.size();
        log.push_back(record);
      }
      log[work_].answered = cycle_;
      working_ = true;
    }
  }

  void fall() {
    top->clk_i = 0;
    top->eval();
  }

  void rise() {
    top->clk_i = 1;
    top->eval();
  }

  void step() {
    const auto &words = top->step_o;
    Step &step = steps.try_emplace({words[0], words[3], words[4], words[5], words[6]}, Step{}).first->second;
    std::memcpy(&step.entry, &words[0], 4);
    std::memcpy(step.rounds, &words[3], sizeof step.rounds);
    ++step.count;
    if (words[2] > step.length) step.longest_at = cycle_;
    if (words[1] > step.answer) step.latest_at = cycle_;
    step.answer = std::max<uint32_t>(step.answer, words[1]);
    step.length = std::max<uint32_t>(step.length, words[2]);
    step.after = std::max<uint32_t>(step.after, words[2] - words[1]);
  }

  void drive_interrupts() {
    const uint64_t before = top->irq_i;
    for (auto i = falls_.begin(); i != falls_.end() && i->first <= cycle_;) {
      top->irq_i &= ~(uint64_t{1} << i->second);
      i = falls_.erase(i);
    }
    for (auto i = pulses_.begin(); i != pulses_.end() && i->first <= cycle_;) {
      const Pulse pulse = i->second;
      i = pulses_.erase(i);
      if ((before | top->irq_i) >> pulse.line & 1) continue;  // high in the cycle before: no edge
      top->irq_i |= uint64_t{1} << pulse.line;
      falls_.emplace(cycle_ + pulse.width, pulse.line);
      Log record{};
      record.accepted = record.answered = cycle_;
      record.address = pulse.line;
      record.kind = kIrqEdge;
      record.entry = pulse.entry;
      log.push_back(record);
    }
  }

  std::multimap<uint64_t, Pulse> pulses_;
  std::multimap<uint64_t, unsigned> falls_;
  uint64_t noise_, cycle_ = 0;
  bool ticked_ = false, working_ = false, working_before_ = false;  // in this cycle of the cores; in the one before
  size_t work_ = 0;  // index in the log of the work under way
};

// One core's access port and interrupt lines. `run` gives it its program.
class Port {
 public:
  Port(Unit &unit, unsigned core) : unit_(unit), core_(core) {}

  unsigned core() const { return core_; }
  bool dispatch_line() const { return lines_ & 1; }
  bool handler_line() const { return lines_ & 2; }
  bool ticked() const { return unit_.ticked(); }
  uint64_t longest_accept() const { return longest_accept_; }
  uint64_t longest_answer() const { return longest_answer_; }
  uint32_t entry() const { return entry_; }
  void entry(uint32_t index) { entry_ = index; }
  bool done() const { return !fiber_ || fiber_->done(); }
  uint32_t meeting() const { return meeting_; }  // 0: none
  void part(uint32_t number) {
    if (meeting_ <= number) meeting_ = 0;
  }

  void run(std::function<void()> program) { fiber_ = std::make_unique<Fiber>(std::move(program)); }

  void resume() {
    if (!done() && unit_.cycle() >= wakes_) fiber_->resume();
  }

  void idle(uint64_t cycles) {
    if (cycles == 0) return;
    wakes_ = unit_.cycle() + cycles;
    fiber_->pause();
  }

  // Until every other core is at this meeting or a later one, or done: all go on in the same cycle.
  void meet(uint32_t number) {
    for (meeting_ = number; meeting_;) idle(1);
  }

  void schedule(uint64_t delay, unsigned line, unsigned width) { unit_.schedule(delay, line, width, entry_); }

  // Drives the request from the next cycle until it is accepted.
  void issue(bool write, uint32_t address, uint8_t byte_enable, uint32_t data) {
    drive(true, write, address, byte_enable, write ? data : unit_.noise());
    uint64_t start = unit_.cycle();
    do {
      idle(1);
      if (!open_.empty() && !accepted_) start = unit_.cycle();  // not ready because a response is open: not counted
      if (unit_.cycle() - start > unit_.bound) throw Failure{"no ready for " + std::to_string(unit_.bound) + " cycles", core_};
    } while (!accepted_);
    longest_accept_ = std::max(longest_accept_, unit_.cycle() - start);
    // Noise on an invalid request must have no effect.
    const bool any_write = unit_.noise() & 1;
    const uint32_t any_address = unit_.noise() % MEL_WINDOW_BYTES;
    const uint8_t any_byte = unit_.noise() & 15;
    drive(false, any_write, any_address, any_byte, unit_.noise());
    Log record{};
    record.accepted = unit_.cycle() - 1;
    record.address = address;
    record.kind = write ? kStore : kLoad;
    record.byte_enable = byte_enable;
    record.core = static_cast<uint8_t>(core_);
    record.written = write ? data : 0;
    record.entry = entry_;
    open_.push_back(unit_.log.size());
    unit_.log.push_back(record);
  }

  uint32_t await() {
    while (!open_.empty()) {
      idle(1);
      if (!open_.empty() && unit_.cycle() - unit_.log[open_.front()].accepted > unit_.bound)
        throw Failure{"no response for " + std::to_string(unit_.bound) + " cycles", core_};
    }
    return last_read_;
  }

  // The outputs of a cycle, before its rising edge.
  void look() {
    const Vbench &top = *unit_.top;
    accepted_ = (top.req_valid_i & top.req_ready_o) >> core_ & 1;
    if (top.rsp_valid_o >> core_ & 1) {
      if (open_.empty()) throw Failure{"a response without a request", core_};
      Log &record = unit_.log[open_.front()];
      record.answered = unit_.cycle();
      record.read = last_read_ = top.rsp_rdata_o[core_];
      open_.pop_front();
      longest_answer_ = std::max(longest_answer_, unit_.cycle() - record.accepted);
    }
    if (accepted_ && !open_.empty()) throw Failure{"a request was taken while a response is open", core_};
    watch_lines((top.irq_dispatch_o >> core_ & 1) | (top.irq_handler_o >> core_ & 1) << 1);
  }

  const std::deque<size_t> &open() const { return open_; }

 private:
  template <typename T>
  void put(T &all, unsigned width, uint64_t value) {
    const T mask = static_cast<T>(((uint64_t{1} << width) - 1) << (width * core_));
    all = static_cast<T>((all & ~mask) | ((static_cast<T>(value) << (width * core_)) & mask));
  }

  void drive(bool valid, bool write, uint32_t address, uint8_t byte_enable, uint32_t data) {
    Vbench &top = *unit_.top;
    put(top.req_valid_i, 1, valid);
    put(top.req_write_i, 1, write);
    put(top.req_be_i, 4, byte_enable);
    top.req_addr_i[core_] = address;
    top.req_wdata_i[core_] = data;
  }

  void watch_lines(unsigned lines) {
    if (lines == lines_) return;
    lines_ = lines;
    Log record{};
    record.accepted = record.answered = unit_.cycle();
    record.kind = kLines;
    record.core = static_cast<uint8_t>(core_);
    record.read = lines;
    record.entry = entry_;
    unit_.log.push_back(record);
  }

  Unit &unit_;
  const unsigned core_;
  std::unique_ptr<Fiber> fiber_;
  std::deque<size_t> open_;  // indices of the log, without a response
  uint64_t wakes_ = 0, longest_accept_ = 0, longest_answer_ = 0;
  uint32_t last_read_ = 0, entry_ = 0, meeting_ = 0;
  unsigned lines_ = 0;
  bool accepted_ = false;
};
