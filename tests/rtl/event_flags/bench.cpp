// SPDX-License-Identifier: Apache-2.0
// Random operations on mel_event_flags against a plain reference; every output is compared in every cycle that the module's head
// makes a promise for, at exactly the cycle promised. Inputs that are not valid carry noise, and memories power up with noise.
//   bench TASKS PRIORITIES GROUPS SEED OPERATIONS
// Prints one line of counts. Exit status: 0 all agreed; 1 a difference (one sentence on stderr); 2 wrong use.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "Vbench.h"
#include "verilated.h"

namespace {

constexpr unsigned kLanes = 16;  // the module's default
enum Op : unsigned { kNone, kAdd, kRemove, kMove };

struct Task {
  bool waits = false, matched = false, all = false, take = false, deleted = false;
  unsigned group = 0, prio = 0;
  uint32_t pattern = 0, value = 0;
};

struct Group {
  bool exists = false;
  uint32_t flags = 0;
  unsigned waiters = 0;
};

class Test {
 public:
  Test(unsigned tasks, unsigned priorities, unsigned groups, unsigned seed)
      : task_(tasks), group_(groups), priorities_(priorities), rows_((tasks + kLanes - 1) / kLanes), random_(seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed));
    top_ = std::make_unique<Vbench>(&context_);
    top_->rst_ni = 0;
    quiet();
    edge();
    edge();
    top_->rst_ni = 1;
    for (unsigned i = 0; i < std::max(tasks, groups); ++i) {
      quiet();
      top_->clear_i = 1;
      top_->clear_index_i = i;
      edge();
    }
  }

  void run(uint64_t operations) {
    while (operations_ < operations) cycle();
    std::printf("%llu operations, %llu cycles, %llu judgements, %llu released, %llu deleted, most at once %u\n",
                ull(operations_), ull(cycle_), ull(judgements_), ull(released_), ull(deletions_), most_);
  }

 private:
  static unsigned long long ull(uint64_t value) { return value; }
  unsigned below(unsigned limit) { return random_() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }
  uint32_t word() {  // few flags mostly, so that conditions of several flags are met now and then
    switch (below(4)) {
      case 0: return random_();
      case 1: return 1u << below(32);
      default: return (random_() & 15u) << (below(2) * 28);
    }
  }

  void edge() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void quiet() {
    top_->clear_i = top_->read_i = top_->write_i = top_->op_i = top_->judge_i = 0;
    top_->clear_index_i = random_();
    top_->read_id_i = below(group_.size());
    top_->read_subject_i = below(task_.size());
    top_->write_id_i = below(group_.size());
    top_->exists_i = chance(50);
    top_->flags_i = word();
    top_->op_task_i = below(task_.size());
    top_->op_group_i = below(group_.size());
    top_->op_pattern_i = word();
    top_->op_all_i = chance(50);
    top_->op_take_i = chance(50);
    top_->op_prio_i = chance(80) ? below(std::min(priorities_, 4u)) : below(priorities_);
    top_->judge_group_i = below(group_.size());
    top_->judge_flags_i = word();
    top_->judge_remove_i = chance(10);
  }

  [[noreturn]] void fail(const char *what, uint64_t expected, uint64_t found) {
    std::fprintf(stderr, "cycle %llu, %llu operations: %s is %llx, expected %llx\n", ull(cycle_), ull(operations_), what,
                 ull(found), ull(expected));
    std::exit(1);
  }
  void same(const char *what, uint64_t expected, uint64_t found) {
    if (expected != found) fail(what, expected, found);
  }

  int best() const {
    int found = -1;
    for (size_t i = 0; i < task_.size(); ++i) {
      if (task_[i].matched && (found < 0 || task_[i].prio < task_[found].prio)) found = static_cast<int>(i);
    }
    return found;
  }

  void cycle() {
    quiet();
    choose();
    top_->eval();
    check();
    take_effect();
    edge();
    ++cycle_;
  }

  bool judging() const { return cycle_ < judged_at_; }   // rows are being read

  void choose() {
    top_->read_i = chance(40);
    if (!judging() && op_ == kNone && cycle_ >= judge_not_before_ && chance(busy_ ? 25 : 6)) {
      top_->judge_i = 1;
    } else if (!judging() && chance(60)) {   // takes effect in the next cycle
      choose_operation();
    }
    top_->write_i = chance(20) && !(top_->read_i && top_->read_id_i == top_->write_id_i);
    if (below(2000) == 0) busy_ = !busy_;
  }

  void choose_operation() {
    const Op wanted = static_cast<Op>(1 + below(3));
    unsigned number = below(task_.size());
    if (wanted == kRemove && chance(70)) {
      if (!top_->first_valid_o) return;
      number = top_->first_task_o;               // as the sequencer does
    }
    // Not one whose change is under way: the sequencer's steps are farther apart.
    if (op_ != kNone && number == op_task_) return;
    if (wanted == kAdd ? task_[number].waits || task_[number].matched : !(task_[number].waits || task_[number].matched)) return;
    top_->op_i = wanted;
    top_->op_task_i = number;
    if (wanted != kAdd) top_->op_group_i = task_[number].group;
    if (wanted == kMove) top_->op_group_i = below(group_.size());
  }

  void check() {
    // Records and the like, read in the cycle before.
    if (read_) {
      same("exists", read_group_.exists, top_->exists_o);
      if (read_group_.exists) same("flags", read_group_.flags, top_->flags_o);
      same("waited", read_group_.waiters != 0, top_->waited_o);
      if (read_matched_) same("subject_matched", *read_matched_, top_->subject_matched_o);
    }

    // The judgement's end.
    const bool ends = cycle_ == judged_at_;
    same("judged", ends, top_->judged_o);
    if (ends && !judge_remove_) same("judge_clear", judge_clear_, top_->judge_clear_o);

    // The most urgent released task.
    const bool hidden = (op_ == kRemove || op_ == kMove);
    const int first = best();
    const bool valid = first >= 0 && cycle_ >= known_at_ && !hidden;
    same("first.valid", valid, top_->first_valid_o);
    if (valid) {
      same("first.task_id", first, top_->first_task_o);
      same("first.prio", task_[first].prio, top_->first_prio_o);
      same("deleted", task_[first].deleted, top_->deleted_o);
    }
    if (cycle_ == known_at_) {
      fetched_at_ = cycle_ + 2;
      fetched_ = first >= 0 ? std::optional<uint32_t>(task_[first].value) : std::nullopt;
    }
    if (cycle_ == fetched_at_) value_ = fetched_;
    if (value_) same("value", *value_, top_->value_o);

    if (judging()) {
      if (any_before_) same("any", 1, top_->any_o);
    } else if (op_ != kRemove) {
      same("any", first >= 0, top_->any_o);
    }
    if (first >= 0 || cycle_ < known_at_ || op_ != kNone) same("busy", 1, top_->busy_o);
  }

  void take_effect() {
    read_ = top_->read_i;
    if (read_) {
      read_group_ = group_[top_->read_id_i];
      read_matched_ = judging() || top_->judge_i ? std::nullopt : std::optional<bool>(task_[top_->read_subject_i].matched);
    }
    if (top_->write_i) {
      group_[top_->write_id_i].exists = top_->exists_i;
      group_[top_->write_id_i].flags = top_->flags_i;
    }

    op_ = static_cast<Op>(top_->op_i);
    op_task_ = top_->op_task_i;
    if (op_ != kNone) {
      ++operations_;
      judge_not_before_ = cycle_ + 2;
      Task &task = task_[op_task_];
      if (op_ != kAdd && task.matched) known_at_ = cycle_ + rows_ + 2;
      if (op_ == kAdd) {
        task = Task{true, false, top_->op_all_i != 0, top_->op_take_i != 0, false, top_->op_group_i, top_->op_prio_i,
                    top_->op_pattern_i, 0};
        ++group_[task.group].waiters;
      } else if (op_ == kRemove) {
        if (task.matched) ++released_;
        --group_[task.group].waiters;
        task = Task{};
      } else {
        task.prio = top_->op_prio_i;
      }
    }

    if (top_->judge_i) judge();
  }

  void judge() {
    ++operations_;
    ++judgements_;
    any_before_ = best() >= 0;
    judged_at_ = known_at_ = cycle_ + rows_;
    judge_remove_ = top_->judge_remove_i;
    judge_clear_ = 0;
    value_.reset();
    fetched_.reset();
    unsigned count = 0;
    const uint32_t flags = top_->judge_flags_i;
    for (Task &task : task_) {
      if (!task.waits || task.group != top_->judge_group_i) continue;
      const bool holds = task.all ? (task.pattern & ~flags) == 0 : (task.pattern & flags) != 0;
      if (!holds && !judge_remove_) continue;
      task.waits = false;
      task.matched = true;
      task.deleted = judge_remove_;
      task.value = flags;
      if (task.take) judge_clear_ |= task.pattern;
      ++count;
      deletions_ += judge_remove_;
    }
    most_ = std::max(most_, count);
  }

  VerilatedContext context_;
  std::unique_ptr<Vbench> top_;
  std::vector<Task> task_;
  std::vector<Group> group_;
  const unsigned priorities_, rows_;
  std::mt19937 random_;

  uint64_t cycle_ = 1, operations_ = 0, judgements_ = 0, released_ = 0, deletions_ = 0;
  unsigned most_ = 0;
  bool busy_ = false;                 // many judgements

  Op op_ = kNone;                     // takes effect in this cycle
  unsigned op_task_ = 0;
  uint64_t judge_not_before_ = 0, judged_at_ = 0, known_at_ = 0, fetched_at_ = 0;
  bool judge_remove_ = false, any_before_ = false;
  uint32_t judge_clear_ = 0;
  std::optional<uint32_t> fetched_, value_;

  bool read_ = false;
  Group read_group_;
  std::optional<bool> read_matched_;
};

}  // namespace

int main(int count, char **words) {
  if (count != 6) {
    std::fprintf(stderr, "usage: bench TASKS PRIORITIES GROUPS SEED OPERATIONS\n");
    return 2;
  }
  unsigned value[5];
  for (int i = 0; i < 5; ++i) value[i] = static_cast<unsigned>(std::strtoul(words[i + 1], nullptr, 0));
  Test(value[0], value[1], value[2], value[3]).run(value[4]);
}
