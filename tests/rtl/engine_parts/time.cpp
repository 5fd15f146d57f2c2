// SPDX-License-Identifier: Apache-2.0
// The driver of mel_time alone: random ticks, waits, alarms and deadlines, against a map of the C++ library.
//
// Use: time SEED CYCLES TASKS TIMERS TIME_RESET MISUSE. The three before the last are those that the module was built with; MISUSE is
// one breach of its rules of use (enum Misuse), 0: none. With one, or `kBlind`, only the module's assertions check anything.
// A run is ten lives, each begun by a reset and the clearing of the memory, with habits of its own: how near the values are (many
// for the very next tick, or few), how long tasks are released, how soon what is found is taken, how often entries are set.
// Checks: what is found is armed and reached, and nothing else; it stays until it is taken or its entry is written; nothing
// armed is passed over by a publish; ticks elapse in the exact cycle; a search ends within its cycles; lines of timers, notes.
// Writes one line of JSON: what the run reached. Exit status: 0 done; 1 a check failed (one sentence on stderr); 2 bad arguments.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "Vbench.h"
#include "verilated.h"

namespace {

using Entry = std::pair<uint32_t, uint32_t>;   // half (1: deadlines), number
enum Misuse { kProper, kEarly, kInARow, kNoteWithPublish, kShort, kLengthsInARow, kBlind = 10 };

class Bench {
 public:
  Bench(uint64_t seed, uint32_t tasks, uint32_t timers, uint32_t time_reset, Misuse misuse)
      : random_(seed), tasks_(tasks), timers_(timers), entries_(tasks + timers), time_reset_(time_reset), misuse_(misuse) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }

  void run(uint64_t cycles) {
    const uint64_t lives = 10;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      near_ = life % 2 ? 3 : 40;
      sets_ = life % 5 < 2 ? 30 : life % 5 < 4 ? 150 : 5;   // per mille
      takes_ = life % 3 ? 400 : 50;
      longest_tick_ = life % 4 ? 4 * entries_ : 12;
      deadlines_too_ = life % 3 != 1;
      while (cycle_ < cycles * life / lives) step();
    }
    std::printf("{\"cycles\": %llu", (unsigned long long)cycle_);
    for (const auto& [what, count] : reached_) std::printf(", \"%s\": %llu", what.c_str(), (unsigned long long)count);
    std::printf("}\n");
  }

 private:
  uint32_t below(uint32_t limit) { return uint32_t(random_() % limit); }
  bool per_mille(uint32_t chance) { return below(1000) < chance; }

  void fail(const std::string& what) const {
    if (misuse_ != kProper) return;
    std::fprintf(stderr, "cycle %llu, tick %u: %s\n", (unsigned long long)cycle_, now_, what.c_str());
    std::exit(1);
  }

  void expect(const char* what, uint64_t got, uint64_t wanted) const {
    if (got != wanted) fail(std::string(what) + " is " + std::to_string(got) + ", not " + std::to_string(wanted));
  }

  // Two searches, what lies between them, and the cycle in which the end is seen.
  uint32_t bound() const { return 2 * (entries_ + 3) + 3; }

  static std::string named(const Entry& entry) { return (entry.first ? "deadline " : "expiry ") + std::to_string(entry.second); }

  void tick() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void no_inputs() {
    top_->clear_i = top_->tick_set_i = top_->publish_i = top_->set_i = top_->found_take_i = top_->note_i = top_->unnote_i = 0;
    top_->clear_index_i = top_->set_index_i = below(1024);
    top_->tick_cycles_i = uint32_t(random_());
    top_->set_value_i = per_mille(500) ? now_ + 1 : uint32_t(random_());
    top_->set_armed_i = below(2);
    top_->timer_i = below(16);
  }

  void reset() {
    no_inputs();
    top_->open_i = 0;
    top_->advance_i = 1;   // the clock of the cores
    top_->clear_i = 1;
    top_->rst_ni = 1;   // the first reset, too, is an edge: the simulation resets by no level
    top_->eval();
    top_->rst_ni = 0;
    top_->eval();
    tick();
    tick();
    top_->rst_ni = 1;
    for (uint32_t half = 0; half < 2; ++half) {
      for (uint32_t number = 0; number < entries_; ++number) {
        top_->clear_index_i = half << 9 | number;
        top_->eval();
        tick();
      }
    }
    no_inputs();
    armed_.clear();
    now_ = time_reset_;
    length_ = length_next_ = count_ = pending_ = pending_before_ = 0;
    length_acts_ = false;
    since_length_ = since_set_ = 100;
    notes_ = note_sets_ = note_clears_ = lines_ = 0;
    noted_valid_ = false;
    noted_ = 0;
    found_ = false;
    publishes_ = 0;
    open_left_ = opens_in_ = 0;
    opens_ = false;
    busy_ = 0;
    budget_ = bound();
    idle_ = 0;
  }

  // One cycle: the outputs, then the program's reaction.
  void step() {
    no_inputs();
    top_->open_i = opens_;
    top_->eval();
    expect("tick_cycles", top_->tick_cycles_o, length_next_);
    expect("expired", top_->expired_o, lines_);
    if (noted_valid_) expect("noted", top_->noted_o, noted_);
    if (publishes_ == 0) expect("now_low", top_->now_low_o, now_);
    const bool may = top_->may_publish_o, found = top_->found_valid_o;
    const Entry entry(top_->found_deadline_o, top_->found_index_o);
    if (may && pending_before_ == 0) fail("a tick may be published that did not elapse");
    if (may && found) fail("a tick may be published while an entry is found");
    if (found) look_at(entry);
    else if (found_ && since_set_ > 1) fail(named(found_entry_) + " was found, and neither taken nor written");
    found_ = found_ && (found || since_set_ <= 1);

    // A search may not take longer than it says.
    const bool waits = found || opens_ || publishes_ || pending_before_ == 0;
    if (may || opens_) { busy_ = 0; budget_ = bound(); }
    else if (!waits && ++busy_ > budget_) fail("the search did not end in " + std::to_string(budget_) + " cycles");
    idle_ = !found && !publishes_ && !opens_ && since_set_ > 4 ? idle_ + 1 : 0;
    if (idle_ > 2 * (entries_ + 10) && !may && pending_before_) fail("a tick elapsed and may not be published");

    bool sets = false;
    if (found && per_mille(takes_)) sets = handle(entry);
    else if ((may || misuse_ == kEarly) && !publishes_ && per_mille(200)) publish();
    else if ((since_set_ > 1 || misuse_ == kInARow) && per_mille(sets_)) { set_any(found, entry); sets = true; }
    note();
    set_length();
    count();
    top_->eval();
    tick();
    since_set_ = sets ? 1 : since_set_ + 1;
    if (publishes_) --publishes_;
    if (open_left_ && --open_left_ == 0) opens_ = false;
    ++cycle_;
  }

  void look_at(const Entry& entry) {
    if (found_ && entry != found_entry_) fail(named(entry) + " replaces " + named(found_entry_) + ", which was found before");
    const auto place = armed_.find(entry);
    if (place == armed_.end()) fail(named(entry) + " is found and is not armed");
    else expect(named(entry).c_str(), place->second, now_ + (entry.first ? 0 : 1));
    if (!entry.first) {
      if (opens_) fail(named(entry) + " is found before the tasks of the tick before are released");
      for (const auto& [other, value] : armed_) {
        if (other.first && value == now_) fail(named(entry) + " is found before " + named(other));
      }
    }
    if (!found_) ++reached_[entry.first ? "deadlines_found" : entry.second >= tasks_ ? "timers_found" : "expiries_found"];
    found_ = true;
    found_entry_ = entry;
  }

  // Takes what is found: it is disarmed or moved on in the same cycle, or in the cycles before.
  bool handle(const Entry& entry) {
    const uint32_t how = since_set_ > 1 ? below(4) : 4;
    if (how == 4) return false;
    if (how == 0) write(entry, false, uint32_t(random_()));
    else write(entry, per_mille(500), now_ + 2 + below(near_));
    if (how < 3) {
      top_->found_take_i = 1;
      ++reached_["taken"];
    } else {
      ++reached_["withdrawn"];
    }
    found_ = false;
    budget_ += 4;
    return true;
  }

  void write(const Entry& entry, bool armed, uint32_t value) {
    top_->set_i = 1;
    top_->set_index_i = entry.first << 9 | entry.second;
    top_->set_armed_i = armed;
    top_->set_value_i = value;
    if (armed) armed_[entry] = value;
    else armed_.erase(entry);
    budget_ += 5;
    if (armed && value == now_ + 1) budget_ += entries_ + 3;   // the search begins anew
  }

  void set_any(bool found, const Entry& found_entry) {
    Entry entry(deadlines_too_ && per_mille(300), 0);
    entry.second = per_mille(200) ? entries_ - 1 - below(2) : below(entry.first ? tasks_ : entries_);
    if (entry.first) entry.second %= tasks_;
    if (per_mille(300) && !armed_.empty()) entry = std::next(armed_.begin(), long(below(uint32_t(armed_.size()))))->first;
    if (found && per_mille(200)) entry = found_entry;
    const bool armed = per_mille(700);
    // The least difference of a deadline is one tick, too; other values differ in one bit from what is sought, or by far.
    uint32_t value = now_ + 1 + below(near_);
    if (per_mille(100)) value = now_ + 1 + (uint32_t(1) << (2 + below(29)));
    if (found && entry == found_entry) { found_ = false; ++reached_["withdrawn"]; }
    else if (found) ++reached_["set_beside_found"];
    if (armed && value == now_ + 1 && !entry.first) ++reached_["set_for_next_tick"];
    write(entry, armed, value);
  }

  void publish() {
    for (const auto& [entry, value] : armed_) {
      if (value == now_ + (entry.first ? 0 : 1)) fail(named(entry) + " was passed over");
    }
    top_->publish_i = 1;
    publishes_ = 2;
    ++now_;
    ++reached_["ticks"];
    if (per_mille(600)) {
      opens_in_ = 1 + below(2);   // the latest: from the second cycle on
      open_left_ = 3 + below(per_mille(100) ? 300 : 12);
    }
    busy_ = 0;
    budget_ = bound();
  }

  // A note acts in the cycle after it; lines rise a cycle after a publish has acted.
  void note() {
    const uint32_t before = notes_;
    lines_ = 0;
    notes_ = (notes_ | note_sets_) & ~note_clears_;
    if (publishes_ == 1) {
      lines_ = before;
      reached_["lines"] += before != 0;
      notes_ = 0;
    }
    note_sets_ = note_clears_ = 0;
    noted_valid_ = top_->timer_i < timers_;
    const uint32_t what = below(20);
    if (timers_ && (publishes_ != 2 || misuse_ == kNoteWithPublish) && what < 3) {
      const uint32_t timer = below(timers_);
      top_->timer_i = timer;
      noted_valid_ = true;
      if (what < 2) { top_->note_i = 1; note_sets_ = 1u << timer; }
      else { top_->unnote_i = 1; note_clears_ = 1u << timer; }
    }
    noted_ = before >> top_->timer_i & 1;
  }

  void set_length() {
    if ((since_length_ < 4 && misuse_ != kLengthsInARow) || !per_mille(length_ ? 3 : 100)) { ++since_length_; return; }
    since_length_ = 1;
    top_->tick_set_i = 1;
    top_->tick_cycles_i = per_mille(200) ? 0 : (misuse_ == kShort ? 1 : 4) + below(longest_tick_);
    if (per_mille(30)) top_->tick_cycles_i |= 1u << (8 + below(24));
  }

  // The count as the length is set, with a set that acts a cycle later.
  void count() {
    pending_before_ = pending_;
    const bool elapsed = count_ == 1;
    if (length_acts_) {
      length_ = length_next_;
      ++reached_[elapsed ? "set_as_it_elapses" : count_ == 0 ? "started" : length_ ? "changed" : "stopped"];
    }
    if (length_acts_ && length_ == 0) count_ = 0;
    else if (elapsed || (length_acts_ && count_ == 0)) count_ = length_;
    else if (count_) --count_;
    if (elapsed) ++pending_;
    if (publishes_ == 1) --pending_;
    length_acts_ = top_->tick_set_i;
    if (length_acts_) length_next_ = top_->tick_cycles_i;
    if (opens_in_ && --opens_in_ == 0) opens_ = true;
  }

  std::mt19937_64 random_;
  const uint32_t tasks_, timers_, entries_, time_reset_;
  const Misuse misuse_;
  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  uint64_t cycle_ = 0;
  std::map<std::string, uint64_t> reached_;
  uint32_t near_ = 1, sets_ = 0, takes_ = 0, longest_tick_ = 1;
  bool deadlines_too_ = false;
  // Reference.
  std::map<Entry, uint32_t> armed_;
  uint32_t now_ = 0, length_ = 0, length_next_ = 0, count_ = 0, pending_ = 0, pending_before_ = 0;
  bool length_acts_ = false;
  uint32_t since_length_ = 0, since_set_ = 0;
  uint32_t notes_ = 0, note_sets_ = 0, note_clears_ = 0, lines_ = 0, noted_ = 0;
  bool noted_valid_ = false, found_ = false, opens_ = false;
  Entry found_entry_;
  uint32_t publishes_ = 0, open_left_ = 0, opens_in_ = 0, busy_ = 0, budget_ = 0, idle_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "use: time SEED CYCLES TASKS TIMERS TIME_RESET MISUSE\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  Bench(number(1), uint32_t(number(3)), uint32_t(number(4)), uint32_t(number(5)), Misuse(number(6))).run(number(2));
  return 0;
}
