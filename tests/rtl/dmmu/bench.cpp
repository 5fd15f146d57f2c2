// SPDX-License-Identifier: Apache-2.0
// The driver of mel_dmmu alone: every core makes random accesses; commands concern allocations that it follows by their answers, so that many fit.
//
// Use: bench SEED ACCESSES BLOCKS OWNERS CORES (the last three are those that the unit was built with).
// Writes a line for each access that was taken, in their order, all in hexadecimal: core, store (1) or load (0), address, byte enables, word,
// answer, and the cycles since the access before in which no core could be served; or `reset`. What they must be is the matter of
// tests/rtl/dmmu/reference.py.
// Checks here: one access a cycle, each answered in the next cycle, none waits for more than CORES - 1 others.
// Exit status: 0 done; 1 a check failed (one sentence on stderr).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "Vbench.h"
#include "melanion/mel_dmmu.h"
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

struct Allocation {
  uint32_t owner, first;
};

class Bench {
 public:
  Bench(uint64_t seed, const std::vector<uint32_t>& sizes)
      : random_(seed), blocks_(sizes[0]), owners_(sizes[1]), cores_(sizes[2]), pending_(cores_) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }

  void run(uint64_t accesses) {
    const uint64_t lives = 8;   // each with habits of its own: how long allocations are, how often a core rests, how full the memory is
    uint64_t done = 0;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      longest_ = life % 2 ? 3 : 1 + blocks_ / (1 + life);
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
    allocations_.clear();
    closed_ = 0;
    std::printf("reset\n");
  }

  Allocation any() { return {below(owners_), below(blocks_)}; }
  Allocation one_of_them() { return allocations_.empty() ? any() : allocations_[below(uint32_t(allocations_.size()))]; }

  Access choose() {
    Access access;
    access.valid = true;
    access.write = true;
    if (whole_) {
      whole_ = false;
      access.address = MEL_DMMU_COMMAND_ALLOCATE;
      access.data = blocks_ << 8;
      return access;
    }
    const Allocation meant = chance(85) ? one_of_them() : any();
    access.data = meant.owner | meant.first << 8;
    const uint32_t dice = below(100);
    if (dice < 36) {
      access.address = MEL_DMMU_COMMAND_ALLOCATE;
      const uint32_t number = chance(90) ? 1 + below(longest_) : below(blocks_ + 3);
      access.data = (chance(95) ? below(owners_) : below(256)) | number << 8;
    } else if (dice < 36 + leave_) {
      access.address = MEL_DMMU_COMMAND_RELEASE;
      if (chance(5)) access.data ^= 1;
    } else if (dice < 76) {
      access.address = MEL_DMMU_COMMAND_GIVE;
      access.data |= (chance(90) ? below(owners_) : below(256)) << 24;
    } else if (dice < 78) {
      access.address = MEL_DMMU_COMMAND_RELEASE;
      access.data = below(owners_) | below(512) << 8;
    } else if (dice < 79) {
      access.address = MEL_DMMU_COMMAND_CLEAR;
      access.data = chance(20) ? 0 : 1;
      whole_ = access.data == 0 && chance(30);
    } else if (dice < 98) {
      access.write = chance(10);
      access.address = chance(60) ? MEL_DMMU_REG_IDENTITY + 4 * below(10) : MEL_DMMU_REGION_ALLOCATION(chance(80) ? meant.first : below(258));
    } else {
      access.write = chance(50);
      access.address = chance(50) ? below(0x1000) : uint32_t(random_() & 0xFFFF);
      access.enables = chance(50) ? 0xF : below(16);
    }
    if (chance(1)) access.data = uint32_t(random_());
    if (chance(2)) access.data ^= 1u << (17 + below(15));
    return access;
  }

  // Updates the allocations, roughly: the first block of a new one is known to the core that loads the answer, so it is asked for at once.
  void learn(unsigned core, const Access& access, uint32_t answer) {
    if (!access.write) {
      if (access.address == MEL_DMMU_REG_ANSWER && asked_[core] && answer < blocks_) allocations_.push_back({owner_[core], answer});
      if (access.address == MEL_DMMU_REG_ANSWER) asked_[core] = false;
      return;
    }
    if (answer != 0) return;
    if (access.address == MEL_DMMU_COMMAND_CLEAR) {
      allocations_.clear();
      for (bool& asked : asked_) asked = false;
    } else if (access.address == MEL_DMMU_COMMAND_ALLOCATE) {
      asked_[core] = true;
      owner_[core] = access.data & 0xFF;
    } else {
      for (Allocation& each : allocations_) {
        if (each.first != (access.data >> 8 & 0x1FF)) continue;
        each.owner = access.data >> 24;
        if (access.address == MEL_DMMU_COMMAND_RELEASE) {
          each = allocations_.back();
          allocations_.pop_back();
        }
        break;
      }
    }
  }

  Access ask() {
    Access access;
    access.valid = true;
    access.address = MEL_DMMU_REG_ANSWER;
    return access;
  }

  // One cycle; returns how many accesses were taken.
  unsigned cycle() {
    for (unsigned core = 0; core < cores_; ++core) {
      Access& access = pending_[core];
      if (!access.valid && !chance(rest_)) access = asked_[core] ? ask() : choose();
      put(top_->req_valid_i, core, 1, access.valid);
      put(top_->req_write_i, core, 1, access.write);
      put(top_->req_addr_i, 16 * core, 16, access.address);
      put(top_->req_be_i, 4 * core, 4, access.enables);
      put(top_->req_wdata_i, 32 * core, 32, access.data);
    }
    top_->eval();
    closed_ += top_->req_ready_o == 0;
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
    if (taken < 0) return 0;
    for (unsigned core = 0; core < cores_; ++core) {
      if (int(core) != taken && pending_[core].valid && ++pending_[core].behind >= cores_) fail("waits for too many others", core);
    }
    Access& access = pending_[unsigned(taken)];
    const uint32_t answer = word(top_->rsp_rdata_o, unsigned(taken));
    std::printf("%x %x %x %x %x %x %x\n", taken, access.write, access.address, access.enables, access.data, answer, closed_);
    learn(unsigned(taken), access, answer);
    access = Access();
    closed_ = 0;
    return 1;
  }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  std::mt19937_64 random_;
  uint32_t blocks_, owners_, cores_;
  std::vector<Access> pending_;
  std::vector<Allocation> allocations_;
  bool asked_[4] = {};   // by core: the answer to an `allocate` is still to be loaded
  uint32_t owner_[4] = {};
  uint32_t longest_ = 3, rest_ = 0, leave_ = 20;
  bool whole_ = false;   // the next command asks for all blocks
  unsigned closed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  std::vector<uint32_t> sizes;
  for (int i = 3; i < argc; ++i) sizes.push_back(uint32_t(std::strtoul(argv[i], nullptr, 0)));
  Verilated::randSeed(int(std::strtoul(argv[1], nullptr, 0)));
  Bench(std::strtoull(argv[1], nullptr, 0), sizes).run(std::strtoull(argv[2], nullptr, 0));
}
