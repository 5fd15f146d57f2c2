// SPDX-License-Identifier: Apache-2.0
// The driver of mel_lock_cache alone: every core makes random accesses, which it chooses by what it was answered.
//
// Use: bench SEED ACCESSES SHORT LONG CORES HANDOVER PRIORITIES (the last five are those that the unit was built with).
// Writes a line for each access that was taken, in their order, all in hexadecimal: core, store (1) or load (0), address, byte enables, word,
// answer, and the interrupts right before it; or `reset`. What they must be is the matter of tests/rtl/lock_cache/reference.py.
// Checks here: one access a cycle, each answered in the next cycle, none waits for more than CORES - 1 others.
// Exit status: 0 done; 1 a check failed (one sentence on stderr).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "Vbench.h"
#include "melanion/mel_lock_cache.h"
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
  unsigned waited = 0;
};

using Lock = std::pair<bool, uint32_t>;   // long, number

class Bench {
 public:
  Bench(uint64_t seed, const std::vector<uint32_t>& sizes)
      : random_(seed), count_{sizes[0], sizes[1]}, cores_(sizes[2]), hand_over_(sizes[3]), priorities_(sizes[4]),
        pending_(cores_), held_(cores_) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }

  void run(uint64_t accesses) {
    const uint64_t lives = 8;   // each with habits of its own: how many locks are liked, how often a core rests
    uint64_t done = 0;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      liked_ = life % 2 ? 2 : 200;
      rest_ = life % 4 < 2 ? 0 : 60;
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
    for (unsigned core = 0; core < cores_; ++core) {
      pending_[core] = Access();
      held_[core].clear();
    }
    open_ = false;
    std::printf("reset\n");
  }

  static uint32_t place(uint32_t region, Lock lock) { return region + (lock.first ? MEL_LOCK_CACHE_LOCK_LONG(0) : 0) + 4 * lock.second; }

  Access choose(unsigned core) {
    const bool is_long = chance(60);
    const uint32_t count = count_[is_long];
    Lock lock{is_long, below(chance(95) ? (count < liked_ ? count : liked_) : 128)};
    Access access;
    access.valid = true;
    const uint32_t dice = below(100);
    const bool irq = top_->irq_o >> core & 1;
    if (irq && chance(30)) {
      access.address = MEL_LOCK_CACHE_REG_NOTICE;
    } else if (dice < 35 && !held_[core].empty()) {
      auto held = held_[core].begin();
      std::advance(held, below(uint32_t(held_[core].size())));
      lock = *held;
      access.write = true;
      access.address = place(MEL_LOCK_CACHE_LOCK_SHORT(0), lock);
      if (lock.first && chance(30)) access.data = core + 1;
    } else if (dice < 38) {   // in the name of another, rightly or not
      unsigned other = below(cores_);
      if (!held_[other].empty()) lock = *held_[other].begin();
      access.write = true;
      access.address = place(MEL_LOCK_CACHE_LOCK_SHORT(0), lock);
      access.data = chance(90) ? other + 1 : uint32_t(random_());
    } else if (dice < 40) {
      access.write = true;
      access.address = place(MEL_LOCK_CACHE_LOCK_SHORT(0), lock);
      access.data = chance(80) ? 0 : below(8);
    } else if (dice < 72) {
      access.address = place(MEL_LOCK_CACHE_LOCK_SHORT(0), lock);
    } else if (dice < 77) {
      access.address = place(MEL_LOCK_CACHE_TRY_SHORT(0), lock);
    } else if (dice < 83) {
      access.write = true;
      access.address = place(MEL_LOCK_CACHE_TRY_SHORT(0), lock);
      access.data = chance(40) ? MEL_LOCK_CACHE_ANSWER_NONE : below(priorities_ + 1);
    } else if (dice < 87) {
      access.address = place(MEL_LOCK_CACHE_STATE_SHORT(0), lock);
      access.write = chance(5);
    } else if (dice < 93) {
      access.write = true;
      access.address = MEL_LOCK_CACHE_REG_PRIORITY;
      access.data = chance(95) ? below(priorities_) : uint32_t(random_());
    } else if (dice < 98) {
      access.address = MEL_LOCK_CACHE_REG_IDENTITY + 4 * below(10);
      access.write = chance(10);
    } else {
      access.write = chance(50);
      access.address = chance(50) ? below(0x1000) : uint32_t(random_() & 0xFFFF);
      access.enables = chance(50) ? 0xF : below(16);
      access.data = below(4);
    }
    return access;
  }

  // Updates the locks that the core holds, by the answer to its access.
  void learn(unsigned core, const Access& access, uint32_t answer) {
    if (access.address == MEL_LOCK_CACHE_REG_NOTICE && !access.write) {
      if (answer != MEL_LOCK_CACHE_ANSWER_NONE && hand_over_) held_[core].insert({true, answer});
    } else if (access.address < MEL_LOCK_CACHE_STATE_SHORT(0)) {
      const Lock lock{access.address >> 9 & 1, access.address >> 2 & 0x7F};
      if (!access.write && answer == MEL_LOCK_CACHE_ANSWER_TAKEN) held_[core].insert(lock);
      if (access.write && answer == 0 && access.address < MEL_LOCK_CACHE_TRY_SHORT(0)) {
        held_[access.data ? access.data - 1 : core].erase(lock);
      }
    }
  }

  // One cycle; returns how many accesses were taken.
  unsigned cycle() {
    for (unsigned core = 0; core < cores_; ++core) {
      Access& access = pending_[core];
      if (!access.valid && !chance(rest_)) access = choose(core);
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
      const bool ready = top_->req_ready_o >> core & 1;
      if (pending_[core].valid && ready) {
        if (taken >= 0) fail("is served together with another", core);
        taken = int(core);
      } else if (pending_[core].valid && open_ && ++pending_[core].waited >= cores_) {
        fail("waits for too many others", core);
      }
    }
    open_ = open_ || taken >= 0;
    clock();
    for (unsigned core = 0; core < cores_; ++core) {
      if ((top_->rsp_valid_o >> core & 1) != (int(core) == taken)) fail("is not answered in the next cycle, or unasked", core);
    }
    if (taken < 0) return 0;
    Access& access = pending_[unsigned(taken)];
    const uint32_t answer = word(top_->rsp_rdata_o, unsigned(taken));
    std::printf("%x %x %x %x %x %x %x\n", taken, access.write, access.address, access.enables, access.data, answer, irq);
    learn(unsigned(taken), access, answer);
    access.valid = false;
    access.waited = 0;
    return 1;
  }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  std::mt19937_64 random_;
  uint32_t count_[2];
  unsigned cores_;
  uint32_t hand_over_, priorities_;
  std::vector<Access> pending_;
  std::vector<std::set<Lock>> held_;
  uint32_t liked_ = 2, rest_ = 0;
  bool open_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) return 2;
  std::vector<uint32_t> sizes;
  for (int i = 3; i < argc; ++i) sizes.push_back(uint32_t(std::strtoul(argv[i], nullptr, 0)));
  Verilated::randSeed(int(std::strtoul(argv[1], nullptr, 0)));
  Bench(std::strtoull(argv[1], nullptr, 0), sizes).run(std::strtoull(argv[2], nullptr, 0));
}
