// SPDX-License-Identifier: Apache-2.0
// The driver of the stores of contexts alone: random cores against what each context wrote last.
//
// Use: bench SEED CYCLES TASKS CORES BLIND. The sizes are those that the module was built with. BLIND 1: only the module's assertions check anything.
// Each core runs a context, reads and writes registers of it and of its handlers, and is dispatched to another context at any time: to the task that
// its store was told is the next, to another one, to the same, to none. Tasks end, also while a core runs them, and get registers anew. A hint of the next
// task may be wrong, but for a task that has just been forgotten. Habits change every few thousand cycles: cores that write in every cycle, or to one register only; that switch
// as soon as they may, or seldom.
// Checks in every cycle: both reads, whatever may be read; `called_o` when the registers are there; how long they take.
// Writes one line of JSON: what the run reached. Exit status: 0 done; 1 a check failed (a sentence on stderr); 2 bad arguments.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vbench.h"
#include "verilated.h"

namespace {

constexpr uint32_t kX3 = 3, kLate = 5;                     // kLate: cycles from a dispatch to the registers, at most, with one core
enum Put : uint32_t { kLeft, kRunning, kHandlers, kFrame };   // mel_context_pkg: put_e

struct Context {
  uint32_t registers[32] = {};
  bool known[32] = {};   // written since power-up
  bool called = false, marked = false;
};

struct Core {
  Context idle, handlers, ghost;      // ghost: a task that was forgotten while this core runs it
  uint32_t runs, left = 0;            // task, or idle
  bool gone = false, left_gone = false;
  Context left_ghost;
  uint64_t since = 1000;              // cycles since the dispatch
  bool ready = true, x3 = true;       // all registers may be read; x3
  int near = -1;                      // cycles since `near_o`; -1: not yet
  bool loose = false;                 // … or beside a write, which it does not count
  bool handler = false;               // a handler reads: told in the cycle before
  bool marks = false;                 // the cycle behind the dispatch
  uint32_t next = 0, frames = 0;      // frames: registers still to be given to `framed`
  uint32_t framed = 0;
  bool forgets = false;
};

class Bench {
 public:
  Bench(uint64_t seed, uint32_t tasks, uint32_t cores, bool blind) : random_(seed), tasks_(tasks), blind_(blind), contexts_(tasks), cores_(cores), held_(tasks, false) {
    for (Core& core : cores_) core.runs = core.next = tasks;
    for (Context& context : contexts_) context = Context();
  }

  void run(uint64_t cycles) {
    top_->rst_ni = 0;
    clear();
    edge();
    edge();
    top_->rst_ni = 1;
    for (cycle_ = 0; cycle_ < cycles; ++cycle_) step();
    std::printf("{\"cycles\": %llu", (unsigned long long)cycle_);
    for (const auto& [name, count] : reached_) std::printf(", \"%s\": %llu", name.c_str(), (unsigned long long)count);
    std::printf("}\n");
  }

 private:
  uint32_t below(uint32_t limit) { return uint32_t(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  [[noreturn]] void fail(uint32_t i, const std::string& what) {
    std::fprintf(stderr, "cycle %llu, core %u: %s\n", (unsigned long long)cycle_, i, what.c_str());
    std::exit(1);
  }

  void edge() {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }

  void clear() {
    for (size_t i = 0; i < cores_.size(); ++i) {
      top_->handler_i[i] = top_->x3_is_i[i] = top_->whandler_i[i] = top_->we_i[i] = top_->put_i[i] = top_->mark_i[i] = 0;
      top_->forget_i[i] = top_->dispatch_i[i] = 0;
      top_->next_i[i] = tasks_;
    }
  }

  bool runs_elsewhere(uint32_t task, size_t i) const {
    for (size_t k = 0; k < cores_.size(); ++k) if (k != i && cores_[k].runs == task && !cores_[k].gone) return true;
    return false;
  }
  bool ready_for(uint32_t task, size_t i) const {
    if (task == tasks_) return true;
    // A core that runs a forgotten task leaves it before another one, or it itself, runs the task again.
    for (size_t k = 0; k < cores_.size(); ++k) if (k != i && cores_[k].runs == task) return false;
    return !held_[task] && !runs_elsewhere(task, i);
  }

  Context& context_of(Core& core) { return core.runs == tasks_ ? core.idle : core.gone ? core.ghost : contexts_[core.runs]; }
  Context& left_of(Core& core) { return core.left == tasks_ ? core.idle : core.left_gone ? core.left_ghost : contexts_[core.left]; }

  void habits() {
    writes_ = std::vector<uint32_t>{100, 60, 20}[below(3)];
    one_ = chance(30) ? below(32) : 32;
    switches_ = std::vector<uint32_t>{100, 20, 5}[below(3)];
    liked_ = chance(50) ? std::min(tasks_, 3u) : tasks_;
    steady_ = std::vector<uint32_t>{50, 5}[below(2)];
  }

  void step() {
    if (cycle_ % 2000 == 0) habits();
    clear();
    bool dispatched = false;
    for (size_t i = 0; i < cores_.size(); ++i) drive(i, dispatched);
    top_->clk_i = 0;
    top_->eval();
    for (size_t i = 0; i < cores_.size(); ++i) if (!blind_) check(i);
    // Values that are read here belong to the cycle before the edge.
    std::vector<bool> granted, ready, x3, near;
    for (size_t i = 0; i < cores_.size(); ++i) {
      granted.push_back(top_->forget_gnt_o[i]);
      ready.push_back(top_->ready_o[i]);
      x3.push_back(top_->x3_there_o[i]);
      near.push_back(top_->near_o[i]);
    }
    top_->clk_i = 1;
    top_->eval();
    for (size_t i = 0; i < cores_.size(); ++i) write(i);
    for (size_t i = 0; i < cores_.size(); ++i) if (granted[i]) forget(i);
    for (size_t i = 0; i < cores_.size(); ++i) advance(i, ready[i], x3[i], near[i]);
  }

  void drive(size_t i, bool& dispatched) {
    Core& core = cores_[i];
    const bool may_write = core.ready && !core.marks && core.since > 1;
    if (chance(steady_)) core.next = chance(10) ? tasks_ : below(liked_);
    if (core.next != tasks_ && held_[core.next]) core.next = tasks_;
    top_->next_i[i] = core.next;
    top_->raddr_a_i[i] = chance(20) ? kX3 : below(32);
    top_->raddr_b_i[i] = below(32);
    top_->handler_i[i] = chance(20);
    top_->whandler_i[i] = chance(20);
    top_->wdata_i[i] = uint32_t(random_());
    top_->put_data_i[i] = uint32_t(random_());
    top_->waddr_i[i] = one_ < 32 ? one_ : below(32);
    if (core.marks) {
      top_->mark_i[i] = 1;
      top_->mark_called_i[i] = chance(50);
      top_->put_i[i] = chance(80);
      top_->put_to_i[i] = kLeft;
      top_->put_addr_i[i] = kX3;
    } else if (core.frames > 0 && may_write && chance(50)) {
      top_->put_i[i] = 1;
      top_->put_to_i[i] = kFrame;
      top_->put_addr_i[i] = core.frames == 5 ? 0 : 1 + below(31);
      if (core.frames == 5) top_->put_data_i[i] = 0;
    } else if (may_write && chance(10)) {
      top_->put_i[i] = 1;
      top_->put_to_i[i] = chance(50) ? kRunning : kHandlers;
      top_->put_addr_i[i] = 1 + below(31);
      if (top_->put_to_i[i] == kHandlers && top_->put_addr_i[i] == kX3) top_->put_i[i] = 0;
    } else if (may_write && chance(writes_)) {
      top_->we_i[i] = 1;
      if (top_->whandler_i[i] && top_->waddr_i[i] == kX3) top_->whandler_i[i] = 0;
    }
    if (core.forgets) {
      top_->forget_i[i] = 1;
      top_->task_i[i] = core.framed;
    } else if (core.frames == 0 && may_write && chance(3) && !dispatched) {
      const uint32_t task = below(tasks_);
      bool busy = held_[task];
      for (const Core& other : cores_) busy = busy || (other.runs == task && (other.gone || !other.ready || other.since <= 1));
      if (busy) return;
      core.forgets = held_[task] = true;
      core.framed = task;
      for (Core& other : cores_) if (other.next == task) other.next = tasks_;
      for (size_t k = 0; k < cores_.size(); ++k) if (top_->next_i[k] == task) top_->next_i[k] = tasks_;
      quiet_ = 3;
      return;
    }
    if (!dispatched && core.ready && core.since > 2 && !core.marks && core.frames == 0 && !core.forgets && chance(switches_)) {
      const uint32_t task = chance(60) ? core.next : chance(20) ? tasks_ : chance(20) ? core.runs : below(liked_);
      if (!ready_for(task, i) || (task == core.runs && core.gone && held_[task])) return;
      top_->dispatch_i[i] = 1;
      top_->running_i[i] = task;
      dispatched = true;
    }
  }

  void expect_read(size_t i, uint32_t addr, uint32_t got) {
    Core& core = cores_[i];
    if (addr == 0) {
      if (got != 0) fail(i, "x0 is not 0");
      return;
    }
    const bool of_handler = core.handler && addr != kX3;
    if (!of_handler && !(addr == kX3 ? core.x3 : core.ready)) return;
    // x3 of a context that is left and goes on is being written.
    if (addr == kX3 && core.marks && core.left == core.runs && top_->again_o[i]) return;
    Context& context = of_handler ? core.handlers : context_of(core);
    if (!context.known[addr]) return;
    ++reached_["reads"];
    if (got != context.registers[addr]) {
      fail(i, "x" + std::to_string(addr) + " of " + (of_handler ? "handlers" : "context " + std::to_string(core.runs)) + " is " + std::to_string(got) + ", not " +
                  std::to_string(context.registers[addr]) + ", " + std::to_string(core.since) + " cycles behind its dispatch");
    }
  }

  void check(size_t i) {
    Core& core = cores_[i];
    expect_read(i, top_->raddr_a_i[i], top_->rdata_a_o[i]);
    expect_read(i, top_->raddr_b_i[i], top_->rdata_b_o[i]);
    if (top_->ready_o[i] && !core.ready) {
      Context& context = context_of(core);
      const bool again = core.marks && core.left == core.runs && top_->again_o[i];
      const bool wanted = again ? bool(top_->mark_called_i[i]) : context.called;
      if ((context.marked || again) && bool(top_->called_o[i]) != wanted) fail(i, "called is wrong");
    }
    const uint64_t late = cores_.size() == 1 ? kLate : 4 * cores_.size() + 2;
    if (!core.ready && core.since == late && !top_->ready_o[i]) fail(i, "not ready " + std::to_string(late) + " cycles behind a dispatch");
    if (!core.ready && core.near >= 3 && !top_->ready_o[i]) fail(i, "near, and not ready 3 cycles later");
  }

  void set(Context& context, uint32_t addr, uint32_t value) {
    context.registers[addr] = value;
    context.known[addr] = true;
  }

  void write(size_t i) {
    Core& core = cores_[i];
    if (top_->mark_i[i]) {
      left_of(core).called = top_->mark_called_i[i];
      left_of(core).marked = true;
    }
    if (top_->put_i[i]) {
      const uint32_t addr = top_->put_addr_i[i], data = top_->put_data_i[i];
      switch (top_->put_to_i[i]) {
        case kLeft: set(left_of(core), addr, data); break;
        case kRunning: set(context_of(core), addr, data); break;
        case kHandlers: set(core.handlers, addr, data); break;
        default:
          if (addr == 0) contexts_[core.framed].called = false;
          else set(contexts_[core.framed], addr, data);
          if (--core.frames == 0) {
            held_[core.framed] = false;
            ++reached_["frames"];
          }
      }
    } else if (top_->we_i[i] && top_->waddr_i[i] != 0) {
      set(top_->whandler_i[i] ? core.handlers : context_of(core), top_->waddr_i[i], top_->wdata_i[i]);
    }
  }

  void forget(size_t i) {
    Core& core = cores_[i];
    core.forgets = false;
    core.frames = 5;
    for (Core& other : cores_) {
      if (other.runs != core.framed || other.gone) continue;
      other.gone = true;
      other.ghost = contexts_[core.framed];
      ++reached_["gone"];
    }
    contexts_[core.framed] = Context();
    contexts_[core.framed].marked = true;
  }

  void advance(size_t i, bool ready, bool x3, bool near) {
    Core& core = cores_[i];
    core.handler = top_->handler_i[i];
    core.marks = false;
    ++core.since;
    if (top_->dispatch_i[i]) {
      const uint32_t task = top_->running_i[i];
      core.left = core.runs;
      core.left_gone = core.gone;
      core.left_ghost = core.ghost;
      if (core.left != task) ++reached_["switches"];
      if (task != tasks_ && last_core_.count(task) && last_core_[task] != i) ++reached_["moves"];
      if (task != tasks_) last_core_[task] = i;
      core.runs = task;
      core.gone = false;
      core.since = 1;
      core.marks = true;
      core.ready = false;
      core.x3 = x3;
      core.near = near && !top_->we_i[i] && !top_->put_i[i] ? 1 : -1;
      core.loose = near && core.near < 0;
      return;
    }
    if (core.near >= 0) ++core.near;
    else if (!core.ready && near && !core.loose) core.near = 1;
    core.x3 = core.x3 || x3;
    if (!core.ready && ready) {
      core.ready = true;
      ++reached_["ready " + std::to_string(core.since - 1)];
    }
  }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  std::mt19937_64 random_;
  const uint32_t tasks_;
  const bool blind_;
  std::vector<Context> contexts_;
  std::vector<Core> cores_;
  std::vector<bool> held_;   // tasks that get registers
  std::map<uint32_t, size_t> last_core_;
  uint32_t writes_ = 60, one_ = 32, switches_ = 20, liked_ = 3, steady_ = 20, quiet_ = 0;
  uint64_t cycle_ = 0;
  std::map<std::string, uint64_t> reached_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "use: bench SEED CYCLES TASKS CORES BLIND\n");
    return 2;
  }
  const uint64_t seed = std::strtoull(argv[1], nullptr, 10), cycles = std::strtoull(argv[2], nullptr, 10);
  Verilated::randReset(2);   // memories and registers begin with anything
  Verilated::randSeed(int(seed & 0x7fffffff) + 1);
  Bench(seed, uint32_t(std::strtoul(argv[3], nullptr, 10)), uint32_t(std::strtoul(argv[4], nullptr, 10)), argv[5][0] == '1').run(cycles);
  return 0;
}
