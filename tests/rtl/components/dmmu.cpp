// SPDX-License-Identifier: Apache-2.0
// Driver of mel_dmmu: commands concern allocations that it follows by their answers, so that many
// fit. Sizes: BLOCKS OWNERS CORES. The bench: bench.h; the reference: dmmu.py.
#include "bench.h"
#include "melanion/mel_dmmu.h"

namespace {

struct Allocation {
  uint32_t owner, first;
};

class Dmmu : public Bench {
 public:
  static constexpr unsigned kSizes = 3;
  Dmmu(uint64_t seed, const Sizes& sizes)
      : Bench(seed, sizes[2]), blocks_(sizes[0]), owners_(sizes[1]) {}

 private:
  // Habits: how long allocations are, and how full the memory is.
  void live(uint64_t life) override {
    allocations_.clear();
    longest_ = life % 2 ? 3 : 1 + blocks_ / (1 + uint32_t(life));
    leave_ = life % 3 ? 20 : 34;
  }

  Allocation any() { return {below(owners_), below(blocks_)}; }
  Allocation one_of_them() { return allocations_.empty() ? any() : allocations_[below(uint32_t(allocations_.size()))]; }

  Access choose(unsigned core) override {
    Access access;
    if (asked_[core]) {
      access.address = MEL_DMMU_REG_ANSWER;
      return access;
    }
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
      stray(access);
    }
    if (chance(1)) access.data = any_word();
    if (chance(2)) access.data ^= 1u << (17 + below(15));
    return access;
  }

  // Updates the allocations, roughly: the first block of a new one is known to the core that loads the answer, so it is asked for at once.
  void learn(unsigned core, const Access& access, uint32_t answer) override {
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

  uint32_t blocks_, owners_;
  std::vector<Allocation> allocations_;
  bool asked_[4] = {};   // by core: the answer to an `allocate` is still to be loaded
  uint32_t owner_[4] = {};
  uint32_t longest_ = 3, leave_ = 20;
  bool whole_ = false;   // the next command asks for all blocks
};

}  // namespace

int main(int argc, char** argv) { return drive<Dmmu>(argc, argv); }
