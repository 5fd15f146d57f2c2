// SPDX-License-Identifier: Apache-2.0
// Driver of mel_lock_cache: accesses are chosen by what cores were answered.
// Sizes: SHORT LONG CORES HANDOVER PRIORITIES. The bench: bench.h; the reference: lock_cache.py.
#include <iterator>
#include <set>
#include <utility>

#include "bench.h"
#include "melanion/mel_lock_cache.h"

namespace {

using Lock = std::pair<bool, uint32_t>;   // long, number

class LockCache : public Bench {
 public:
  static constexpr unsigned kSizes = 5;
  LockCache(uint64_t seed, const Sizes& sizes)
      : Bench(seed, sizes[2]), count_{sizes[0], sizes[1]}, hand_over_(sizes[3]),
        priorities_(sizes[4]), held_(cores_) {}

 private:
  uint32_t irq() const override { return top_->irq_o; }

  // Habit: how many locks are liked.
  void live(uint64_t life) override {
    for (std::set<Lock>& held : held_) held.clear();
    liked_ = life % 2 ? 2 : 200;
  }

  static uint32_t place(uint32_t region, Lock lock) { return region + (lock.first ? MEL_LOCK_CACHE_LOCK_LONG(0) : 0) + 4 * lock.second; }

  Access choose(unsigned core) override {
    const bool is_long = chance(60);
    const uint32_t count = count_[is_long];
    Lock lock{is_long, below(chance(95) ? (count < liked_ ? count : liked_) : 128)};
    Access access;
    const uint32_t dice = below(100);
    if ((irq() >> core & 1) && chance(30)) {
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
      access.data = chance(90) ? other + 1 : any_word();
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
      access.data = chance(95) ? below(priorities_) : any_word();
    } else if (dice < 98) {
      access.address = MEL_LOCK_CACHE_REG_IDENTITY + 4 * below(10);
      access.write = chance(10);
    } else {
      stray(access);
      access.data = below(4);
    }
    return access;
  }

  // Updates the locks that the core holds, by the answer to its access.
  void learn(unsigned core, const Access& access, uint32_t answer) override {
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

  uint32_t count_[2];
  uint32_t hand_over_, priorities_;
  std::vector<std::set<Lock>> held_;
  uint32_t liked_ = 2;
};

}  // namespace

int main(int argc, char** argv) { return drive<LockCache>(argc, argv); }
