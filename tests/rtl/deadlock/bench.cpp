// SPDX-License-Identifier: Apache-2.0
// The driver of mel_deadlock alone: every core makes random accesses; commands concern a graph that it follows by their answers, so that many fit.
//
// Use: bench SEED ACCESSES PROCESSES RESOURCES CORES (the last three are those that the unit was built with).
// Writes a line for each access that was taken, in their order, all in hexadecimal: core, store (1) or load (0), address, byte enables, word,
// answer, the interrupt right before it, and the cycles in which some core waited and none was served before it; or `reset`. What they must be is the
// matter of tests/rtl/deadlock/reference.py.
// Checks here: one access a cycle, each answered in the next cycle, none waits for more than CORES - 1 others.
// Exit status: 0 done; 1 a check failed (one sentence on stderr).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "Vbench.h"
#include "melanion/mel_deadlock.h"
#include "verilated.h"

namespace {

// Bits of a port of any width.
template <typename T>
void put(T& port, unsigned low, unsigned width, uint64_t value) {
  const uint64_t mask = ((width == 64 ? 0 : 1ull << width) - 1) << low;
  port = T((uint64_t(port) & ~mask) | (value << low & mask));
}
template <std::size_t N>
void put(VlWide<N>& port, unsigned low, unsigned, uint64_t value) { port[low / 32] = uint32_t(value); }   // whole words
template <typename T>
uint32_t word(const T& port, unsigned index) { return uint32_t(uint64_t(port) >> (32 * index)); }
template <std::size_t N>
uint32_t word(const VlWide<N>& port, unsigned index) { return port[index]; }

struct Access {
  bool valid = false, write = false;
  uint32_t address = 0, enables = 0xF, data = 0;
  unsigned behind = 0;   // others that were served meanwhile
};

using Edge = std::pair<uint32_t, uint32_t>;   // process, resource

class Bench {
 public:
  Bench(uint64_t seed, const std::vector<uint32_t>& sizes)
      : random_(seed), processes_(sizes[0]), resources_(sizes[1]), cores_(sizes[2]), pending_(cores_) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }

  void run(uint64_t accesses) {
    const uint64_t lives = 8;   // each with habits of its own: how many processes are liked, how often a core rests, how often edges go
    uint64_t done = 0;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      liked_ = life % 2 ? 5 : 64;
      rest_ = life % 4 < 2 ? 0 : 60;
      leave_ = life % 3 ? 20 : 34;
      while (done < accesses * life / lives) done += cycle();
    }
  }

 private:
  uint32_t below(uint32_t limit) { return uint32_t(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  [[noreturn]] void fail(const char* what, unsigned core) {
    std::fprintf(stderr, "core %u: %s\n", core, what);
    std::exit(1);
  }

  void clock() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void reset() {
    top_->req_valid_i = 0;
    top_->rst_ni = 0;
    clock();
    top_->rst_ni = 1;
    top_->eval();
    for (Access& access : pending_) access = Access();
    waits_.clear();
    holds_.clear();
    stalled_ = 0;
    std::printf("reset\n");
  }

  Edge any_edge() {
    return {below(processes_ < liked_ ? processes_ : liked_), below(resources_ < liked_ ? resources_ : liked_)};
  }
  Edge one_of(const std::vector<Edge>& edges) { return edges.empty() ? any_edge() : edges[below(uint32_t(edges.size()))]; }

  Access choose() {
    Access access;
    access.valid = true;
    access.write = true;
    Edge edge = any_edge();
    const uint32_t dice = below(100);
    if (top_->irq_o && chance(20)) {
      access.address = MEL_DEADLOCK_REG_NOTICE;
    } else if (dice < 36) {
      access.address = MEL_DEADLOCK_COMMAND_REQUEST;
    } else if (dice < 36 + leave_ / 2) {
      access.address = MEL_DEADLOCK_COMMAND_RELEASE;
      if (chance(90)) edge = one_of(holds_);
    } else if (dice < 36 + leave_) {
      access.address = MEL_DEADLOCK_COMMAND_WITHDRAW;
      if (chance(90)) edge = one_of(waits_);
    } else if (dice < 78) {
      access.address = MEL_DEADLOCK_COMMAND_GRANT;
      if (chance(70)) edge = one_of(waits_);
    } else if (dice < 80) {
      if (chance(25)) access.address = MEL_DEADLOCK_COMMAND_CLEAR;
      edge = chance(70) ? Edge{0, 0} : Edge{1, 0};
      if (access.address != MEL_DEADLOCK_COMMAND_CLEAR) edge = {below(80), below(80)};
    } else if (dice < 98) {
      access.write = chance(10);
      access.address = chance(60)   ? MEL_DEADLOCK_REG_IDENTITY + 4 * below(13)
                       : chance(50) ? MEL_DEADLOCK_REGION_HOLDER(below(chance(80) ? resources_ : 70))
                                    : MEL_DEADLOCK_REGION_WAITING(below(chance(80) ? resources_ : 66)) + 4 * below(2);
    } else {
      access.write = chance(50);
      access.address = chance(50) ? below(0x1000) : uint32_t(random_() & 0xFFFF);
      access.enables = chance(50) ? 0xF : below(16);
    }
    access.data = edge.first | edge.second << 8;
    if (chance(1)) access.data = uint32_t(random_());
    return access;
  }

  static void drop(std::vector<Edge>& edges, Edge edge) {
    for (Edge& each : edges) {
      if (each == edge) {
        each = edges.back();
        edges.pop_back();
        return;
      }
    }
  }

  // Updates the graph, roughly: whether a request waits is known to the reference alone.
  void learn(const Access& access, uint32_t answer) {
    if (!access.write || answer != 0) return;
    const Edge edge{access.data & 0xFF, access.data >> 8 & 0xFF};
    if (access.address == MEL_DEADLOCK_COMMAND_CLEAR) {
      waits_.clear();
      holds_.clear();
    } else if (access.address == MEL_DEADLOCK_COMMAND_REQUEST) {
      bool held = false;
      for (const Edge& each : holds_) held = held || each.second == edge.second;
      for (const Edge& each : waits_) held = held || each.second == edge.second;
      (held ? waits_ : holds_).push_back(edge);
    } else if (access.address == MEL_DEADLOCK_COMMAND_GRANT) {
      drop(waits_, edge);
      holds_.push_back(edge);
    } else if (access.address == MEL_DEADLOCK_COMMAND_RELEASE) {
      drop(holds_, edge);
    } else if (access.address == MEL_DEADLOCK_COMMAND_WITHDRAW) {
      drop(waits_, edge);
    }
  }

  // One cycle; returns how many accesses were taken.
  unsigned cycle() {
    bool waits = false;
    for (unsigned core = 0; core < cores_; ++core) {
      Access& access = pending_[core];
      if (!access.valid && !chance(rest_)) access = choose();
      waits = waits || access.valid;
      put(top_->req_valid_i, core, 1, access.valid);
      put(top_->req_write_i, core, 1, access.write);
      put(top_->req_addr_i, 16 * core, 16, access.address);
      put(top_->req_be_i, 4 * core, 4, access.enables);
      put(top_->req_wdata_i, 32 * core, 32, access.data);
    }
    top_->eval();
    const uint32_t irq = top_->irq_o;
    int taken = -1;
    for (unsigned core = 0; core < cores_; ++core) {
      if (pending_[core].valid && (top_->req_ready_o >> core & 1)) {
        if (taken >= 0) fail("is served together with another", core);
        taken = int(core);
      }
    }
    clock();
    for (unsigned core = 0; core < cores_; ++core) {
      if ((top_->rsp_valid_o >> core & 1) != (int(core) == taken)) fail("is not answered in the next cycle, or unasked", core);
    }
    if (taken < 0) {
      stalled_ += waits;
      return 0;
    }
    for (unsigned core = 0; core < cores_; ++core) {
      if (int(core) != taken && pending_[core].valid && ++pending_[core].behind >= cores_) fail("waits for too many others", core);
    }
    Access& access = pending_[unsigned(taken)];
    const uint32_t answer = word(top_->rsp_rdata_o, unsigned(taken));
    std::printf("%x %x %x %x %x %x %x %x\n", taken, access.write, access.address, access.enables, access.data, answer, irq, stalled_);
    learn(access, answer);
    access = Access();
    stalled_ = 0;
    return 1;
  }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  std::mt19937_64 random_;
  uint32_t processes_, resources_, cores_;
  std::vector<Access> pending_;
  std::vector<Edge> waits_, holds_;
  uint32_t liked_ = 5, rest_ = 0, leave_ = 20;
  unsigned stalled_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  std::vector<uint32_t> sizes;
  for (int i = 3; i < argc; ++i) sizes.push_back(uint32_t(std::strtoul(argv[i], nullptr, 0)));
  Verilated::randSeed(int(std::strtoul(argv[1], nullptr, 0)));
  Bench(std::strtoull(argv[1], nullptr, 0), sizes).run(std::strtoull(argv[2], nullptr, 0));
}
