// SPDX-License-Identifier: Apache-2.0
// The driver of mel_wishbone_obi alone: a Wishbone master as VexRiscv is one (bursts of eight words, single loads, posted stores) against a memory
// with wait states and answers of any delay, which refuses some addresses.
//
// Use: bench SEED ACCESSES WAITS. WAITS: the most cycles that a grant, or an answer behind its first possible cycle, is late.
// Checks: what is loaded; that every store is done once, in order, before any later access; that requests stay until their grant; that
// nothing is asked for that the master did not; an error for each refused access, and 0 for it; without waits, nine cycles for eight words,
// two for a load, one for a store.
// Writes one line of JSON: what the run reached. Exit status: 0 done; 1 a check failed (one sentence on stderr).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "Vbench.h"
#include "verilated.h"

namespace {

enum Kind { kLoad, kStore, kBurst, kKinds };
constexpr uint32_t kWords = 64, kRefusedFrom = 56;  // word addresses; a line of the last ones is refused

class Bench {
 public:
  Bench(uint64_t seed, uint32_t waits) : random_(seed), waits_(waits) {
    for (uint32_t i = 0; i < kWords; i++) memory_[i] = expected_[i] = uint32_t(random_());
    top_->rst_ni = 0;
    tick();
    top_->rst_ni = 1;
  }

  void run(uint64_t accesses) {
    for (uint64_t n = 0; n < accesses; n++) {
      const Kind kind = Kind(random_() % kKinds);
      const uint64_t begin = cycle_;
      access(kind, uint32_t(random_() % kWords));
      counts_[kind]++;
      if (waits_ == 0 && cycle_ - begin != kCycles[kind]) fail("took " + std::to_string(cycle_ - begin) + " cycles");
      for (uint32_t idle = random_() % 3; idle != 0 && random_() % 2; idle--) tick();
    }
    while (owed_.size()) tick();
    if (asked_ != wanted_) fail("asked for " + std::to_string(asked_) + " words instead of " + std::to_string(wanted_));
    if (errors_ != refused_) fail(std::to_string(errors_) + " errors instead of " + std::to_string(refused_));
    std::printf("{\"loads\": %llu, \"stores\": %llu, \"bursts\": %llu, \"refused\": %llu}\n", (unsigned long long)counts_[kLoad],
                (unsigned long long)counts_[kStore], (unsigned long long)counts_[kBurst], (unsigned long long)refused_);
  }

 private:
  static constexpr uint64_t kCycles[kKinds] = {2, 1, 9};
  struct Answer {
    uint64_t at;
    uint32_t data;
    bool error;
  };

  [[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "cycle %llu: %s\n", (unsigned long long)cycle_, what.c_str());
    std::exit(1);
  }

  // One access of the master, to the cycle of its last ACK.
  void access(Kind kind, uint32_t word) {
    const uint32_t beats = kind == kBurst ? 8 : 1;
    if (kind == kBurst) word &= ~7u;
    top_->stb_i = 1;
    top_->we_i = kind == kStore;
    top_->sel_i = kind == kStore ? uint32_t(1 + random_() % 15) : 15;
    top_->dat_i = uint32_t(random_());
    for (uint32_t beat = 0; beat < beats; beat++) {
      top_->adr_i = word + beat;
      top_->cti_i = kind != kBurst ? 0 : beat == 7 ? 7 : 2;
      const bool owner = word + beat < kRefusedFrom;
      wanted_++;
      refused_ += !owner;
      uint32_t data = 0;
      while (!tick(&data)) {
      }
      if (kind == kStore) {
        if (owner) store(expected_, word, top_->dat_i, top_->sel_i);
      } else if (data != (owner ? expected_[word + beat] : 0)) {
        fail("word " + std::to_string(word + beat) + " is wrong");
      }
    }
    top_->stb_i = 0;
    top_->we_i = 0;
  }

  static void store(std::map<uint32_t, uint32_t> &to, uint32_t word, uint32_t data, uint32_t lanes) {
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t mask = 0xffu << 8 * i;
      if (lanes >> i & 1) to[word] = (to[word] & ~mask) | (data & mask);
    }
  }

  // One cycle; returns ACK and its data.
  bool tick(uint32_t *data = nullptr) {
    const bool answers = !owed_.empty() && owed_.front().at <= cycle_;
    top_->rvalid_i = answers;
    top_->err_i = answers && owed_.front().error;
    top_->rdata_i = answers ? owed_.front().data : uint32_t(random_());
    top_->gnt_i = 0;
    top_->clk_i = 0;
    top_->eval();
    // As mel_bus: the next one is granted in the cycle in which the former is answered.
    if (top_->req_o && (owed_.empty() || answers)) {
      const uint64_t payload = uint64_t{top_->addr_o} << 1 | top_->we_o;
      if (held_ && payload != payload_) fail("a request changed before its grant");
      held_ = true;
      payload_ = payload;
      if (late_ == 0) {
        top_->gnt_i = 1;
        top_->eval();
      }
    } else if (held_) {
      fail("a request went before its grant");
    }
    const bool ack = top_->ack_o;
    if (data != nullptr) *data = top_->dat_o;
    errors_ += top_->err_o;
    if (answers) owed_.pop_front();
    if (top_->gnt_i) grant();
    else if (held_) late_--;
    top_->clk_i = 1;
    top_->eval();
    cycle_++;
    return ack;
  }

  void grant() {
    const uint32_t word = top_->addr_o / 4;
    const bool owner = word < kRefusedFrom;
    asked_++;
    if (top_->we_o && owner) store(memory_, word, top_->wdata_o, top_->be_o);
    owed_.push_back({cycle_ + 1 + late(), owner ? memory_[word] : uint32_t(random_()), !owner});
    held_ = false;
    late_ = late();
  }

  uint64_t late() { return random_() % (waits_ + 1); }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  std::mt19937_64 random_;
  uint32_t waits_;
  std::map<uint32_t, uint32_t> memory_, expected_;
  std::deque<Answer> owed_;
  bool held_ = false;
  uint64_t payload_ = 0, late_ = 0, cycle_ = 0;
  uint64_t asked_ = 0, wanted_ = 0, errors_ = 0, refused_ = 0;
  uint64_t counts_[kKinds] = {};
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  Bench(std::strtoull(argv[1], nullptr, 0), uint32_t(std::atoi(argv[3]))).run(std::strtoull(argv[2], nullptr, 0));
  return 0;
}
