// SPDX-License-Identifier: Apache-2.0
// The driver of mel_interrupts alone: random edges and operations in every cycle, against sets of the C++ library.
//
// Use: interrupts SEED CYCLES INTERRUPTS TIMERS MISUSE. INTERRUPTS and TIMERS are those that the module was built with; MISUSE is one
// breach of its rules of use (enum Misuse), 0: none. With one, or `kBlind`, only the module's assertions check anything.
// With FLIPS, of at most 32 lines, pending bits of disabled lines flip now and then: each is served once, or forgotten by the next
// operation that disables or enables its line.
// A run is ten lives, each begun by a reset and with habits of its own: how often wires change (rarely, or in storms), how many
// of the lines are liked, how soon a request is taken, how often other operations come.
// Checks in every cycle: all outputs, exactly; and that no edge waits for more than one edge of every other line.
// Writes one line of JSON: what the run reached. Exit status: 0 done; 1 a check failed (one sentence on stderr); 2 bad arguments.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "Vbench.h"
#ifdef FLIPS
#include "Vbench___024root.h"
#endif
#include "verilated.h"

namespace {

enum Op : uint32_t { kNone, kEnable, kDisable, kRaise, kTake, kOffer, kClaim };
enum Misuse { kProper, kNotAlone, kTakeIdle, kBlind = 10 };

class Bench {
 public:
  Bench(uint64_t seed, uint32_t interrupts, uint32_t timers, Misuse misuse)
      : random_(seed), interrupts_(interrupts), timers_(timers), lines_(interrupts + timers), misuse_(misuse) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }

  void run(uint64_t cycles) {
    const uint64_t lives = 10;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      changes_ = life % 3 == 0 ? 500 : life % 3 == 1 ? 20 : 2;
      liked_ = life % 2 ? lines_ : 1 + lines_ / 4;
      takes_ = life % 4 < 2 ? 60 : 8;
      acts_ = life % 5 < 3 ? 5 : 50;
      while (cycle_ < cycles * life / lives) step();
    }
    std::printf("{\"cycles\": %llu", (unsigned long long)cycle_);
    for (const auto& [what, count] : reached_) std::printf(", \"%s\": %llu", what.c_str(), (unsigned long long)count);
    std::printf("}\n");
  }

 private:
  uint32_t below(uint32_t limit) { return uint32_t(random_() % limit); }
  bool per_mille(uint32_t chance) { return below(1000) < chance; }

  void expect(const char* what, uint64_t got, uint64_t wanted) {
    if (got == wanted || misuse_ != kProper) return;
    std::fprintf(stderr, "cycle %llu: %s is %llu, not %llu\n", (unsigned long long)cycle_, what, (unsigned long long)got,
                 (unsigned long long)wanted);
    std::exit(1);
  }

  void reset() {
    wires_ = 0;
    top_->irq_i = 0;
    top_->expired_i = 0;
    top_->op_i = kNone;
    top_->rst_ni = 1;   // the first reset, too, is an edge: the simulation resets by no level
    top_->eval();
    top_->rst_ni = 0;
    top_->eval();
    tick();
    tick();
    top_->rst_ni = 1;
    enabled_.clear();
    pending_.clear();
    offered_.clear();
    waited_.clear();
    line_ = 0;
    op_ = kNone;
    number_ = 0;
    forgets_ = false;
    round_ = 0;
    request_ = offer_ = -1;
    first_ = 0;
    lost_ = lost_before_ = lost_seen_ = 0;
    quiet_ = 0;
  }

  void tick() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  // The outputs of this cycle, then inputs, then the next cycle of the reference.
  void step() {
    check();
    choose();
    top_->irq_i = wires_;
    top_->expired_i = expired_;
    top_->op_i = next_op_;
    top_->number_i = next_number_;
    top_->eval();
    advance();
    tick();
    flip();
    ++cycle_;
  }

  // Between two cycles, a pending bit of a line that is disabled and not the one that is operated on.
  void flip() {
#ifdef FLIPS
    if (misuse_ != kProper || !per_mille(10)) return;
    const uint32_t line = below(lines_);
    if (enabled_.count(line) || pending_.count(line) || line == number_) return;
    top_->rootp->mel_interrupts__DOT__gen_interrupts__DOT__pending_q ^= 1u << line;
    pending_.insert(line);
    waited_[line] = 0;
    ++reached_["flips"];
#endif
  }

  void check() {
    expect("pending", top_->pending_o, request_ >= 0);
    if (request_ >= 0) {
      expect("first", top_->first_o, uint32_t(request_));
      if (quiet_ >= 3 && first_ == request_) {
        expect("first_offered", top_->first_offered_o, offered_.count(uint32_t(request_)));
        ++reached_[offered_.count(uint32_t(request_)) ? "first_offered" : "first_not_offered"];
      }
    }
    expect("offered", top_->offered_o, offer_ >= 0);
    if (offer_ >= 0) expect("offered_first", top_->offered_first_o, uint32_t(offer_));
    expect("lost", top_->lost_o, lost_seen_);
  }

  uint32_t any_line() { return per_mille(700) ? below(liked_) : below(lines_); }

  void choose() {
    next_op_ = kNone;
    next_number_ = below(128);
    if (lines_ && ((op_ != kDisable && op_ != kTake) || misuse_ == kNotAlone)) {
      if (request_ >= 0 && per_mille(takes_ * 10)) {
        next_op_ = kTake;
        next_number_ = uint32_t(request_);
      } else if (per_mille(acts_ * 10)) {
        const Op ops[] = {kEnable, kEnable, kDisable, kRaise, kRaise, kOffer, kClaim};
        next_op_ = ops[below(7)];
        next_number_ = any_line();
        if (next_op_ == kClaim && offer_ >= 0 && per_mille(700)) next_number_ = uint32_t(offer_);
        if (next_op_ == kDisable && per_mille(700)) next_op_ = kEnable;   // most lines are enabled
        if (misuse_ == kTakeIdle && !pending_.count(next_number_)) next_op_ = kTake;
        // A handler's interrupt is offered when it was taken: the line is enabled then.
        const bool disables = op_ == kDisable && number_ == next_number_;
        if (next_op_ == kOffer && (disables || !enabled_.count(next_number_))) next_op_ = kNone;
      }
    }
    // The unit offers a line that it takes in the next cycle.
    if (op_ == kTake && misuse_ == kProper && enabled_.count(number_) && per_mille(300)) {
      next_op_ = kOffer;
      next_number_ = number_;
      ++reached_["offered_at_once"];
    }
    for (uint32_t i = 0; i < interrupts_; ++i) {
      if (per_mille(changes_)) wires_ ^= uint64_t(1) << i;
    }
    if (per_mille(5)) wires_ ^= (per_mille(500) ? ~uint64_t(0) : random_()) & mask(interrupts_);
    // Edges where they matter: on the line that an operation changes in this cycle.
    if (op_ != kNone && number_ < interrupts_ && per_mille(400)) wires_ |= uint64_t(1) << number_;
    expired_ = per_mille(30) ? uint32_t(random_() & random_() & mask(timers_)) : 0;
    if (op_ != kNone && number_ >= interrupts_ && per_mille(200)) expired_ |= uint32_t(1) << (number_ - interrupts_);
  }

  static uint64_t mask(uint32_t bits) { return bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0); }

  // The state after this cycle. `op_` is the operation of the cycle before: it acts now.
  void advance() {
    // Outputs after the next edge are chosen from the state of this cycle.
    const auto lowest = pending_.lower_bound(round_);
    const bool any = lowest != pending_.end();
    first_ = request_;
    request_ = any && next_op_ == kNone && op_ == kNone && !forgets_ ? int(*lowest) : -1;
    offer_ = offered_.empty() ? -1 : int(*offered_.begin());

    std::set<uint32_t> edges;
    for (uint32_t i = 0; i < interrupts_; ++i) {
      if ((wires_ & ~line_) >> i & 1) edges.insert(i);
    }
    for (uint32_t i = 0; i < timers_; ++i) {
      if (expired_ >> i & 1) edges.insert(interrupts_ + i);
    }
    line_ = wires_;
    if (op_ == kRaise) reached_["raise_with_edge"] += edges.count(number_) && enabled_.count(number_);
    if (op_ == kRaise) edges.insert(number_);
    if (op_ == kTake) {
      reached_["take_with_edge"] += edges.count(number_);
      reached_["take_disabled"] += !enabled_.count(number_);
      served(number_);
    }
    if (forgets_ && !enabled_.count(number_)) pending_.erase(number_);   // an edge that came with the disable, before it could be seen
    forgets_ = op_ == kDisable || op_ == kTake;

    lost_seen_ = lost_before_;
    lost_before_ = lost_;
    lost_ = 0;
    uint32_t found = 0;
    for (uint32_t line : edges) {
      if (!enabled_.count(line)) continue;
      const bool disables = op_ == kDisable && line == number_;
      if (disables) ++reached_["disable_with_edge"];
      if (!pending_.insert(line).second && !disables) ++found;
      else if (!disables) waited_[line] = 0;
    }
    lost_ = found;
    if (found > reached_["most_lost"]) reached_["most_lost"] = found;
    reached_["lost"] += found;

    if (op_ == kTake) round_ = number_ + 1;
    else if (!any) {
      reached_["rounds"] += round_ != 0;
      round_ = 0;
    }
    if (op_ == kEnable && enabled_.insert(number_).second) pending_.erase(number_);
    if (op_ == kDisable) {
      const bool was_enabled = enabled_.erase(number_) != 0;
      if (was_enabled && !edges.count(number_)) pending_.erase(number_);
      offered_.erase(number_);
    }
    if (op_ == kOffer) offered_.insert(number_);
    if (op_ == kClaim) offered_.erase(number_);
    quiet_ = op_ == kNone && next_op_ == kNone ? quiet_ + 1 : 0;
    op_ = next_op_;
    if (next_op_ != kNone) number_ = next_number_;
  }

  void served(uint32_t line) {
    pending_.erase(line);
    for (uint32_t other : pending_) {
      const uint32_t waits = ++waited_[other];
      if (waits > reached_["longest_wait"]) reached_["longest_wait"] = waits;
      if (waits > lines_ - 1) expect("number of edges served before one that waits", waits, lines_ - 1);
    }
    ++reached_["taken"];
  }

  std::mt19937_64 random_;
  const uint32_t interrupts_, timers_, lines_;
  const Misuse misuse_;
  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  uint64_t cycle_ = 0;
  std::map<std::string, uint64_t> reached_;
  uint32_t changes_ = 0, liked_ = 1, takes_ = 0, acts_ = 0;
  uint64_t wires_ = 0;
  uint32_t expired_ = 0, next_op_ = kNone, next_number_ = 0;
  // Reference.
  std::set<uint32_t> enabled_, pending_, offered_;
  std::map<uint32_t, uint32_t> waited_;   // edges of others that were served meanwhile
  uint64_t line_ = 0;
  uint32_t op_ = kNone, number_ = 0, round_ = 0;
  bool forgets_ = false;
  int request_ = -1, first_ = -1, offer_ = -1;
  uint32_t lost_ = 0, lost_before_ = 0, lost_seen_ = 0, quiet_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "use: interrupts SEED CYCLES INTERRUPTS TIMERS MISUSE\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  Bench(number(1), uint32_t(number(3)), uint32_t(number(4)), Misuse(number(5))).run(number(2));
  return 0;
}
