// SPDX-License-Identifier: Apache-2.0
// The driver of mel_queues alone: random steps as the sequencer makes them, against queues of the C++ library.
//
// Use: bench SEED OPERATIONS QUEUES MESSAGES PRIORITIES MISUSE. The last four are those that the module was built with, and one
// breach of its rules of use (enum Misuse); 0: none. With one, or `kBlind`, only the module's assertions check anything.
// A run is ten lives, each begun by a clearing and ended by a reset in the middle of an operation, each with habits of its own (how
// often it deletes, how many queues it likes), so that queues and the pool become empty and full at any size. Between steps, and
// while an operation is under way, other queues are read, as the sequencer does; what is read then must have no effect.
// Checks in every cycle: word_valid and word. In every cycle 2: record, room, purge. Of every operation: its exact cycles.
// Writes one line of JSON: what the run reached. Exit status: 0 done; 1 a check failed (one sentence on stderr); 2 bad arguments.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vbench.h"
#include "verilated.h"

namespace {

enum Op : uint32_t { kNone, kCreate, kDelete, kPush, kPop, kPopPush, kPurge, kOps };   // mel_unit_pkg::queue_op_e
const char* const kNames[kOps] = {"none", "create", "delete", "push", "pop", "pop_push", "purge"};
enum Misuse {
  kProper, kPushFull, kPopEmpty, kTooLarge, kTwice, kWithRead, kCreatePurged, kDeleteSecond, kPurgeNone, kPriority, kBlind
};

struct Queue {
  bool exists = false;
  uint32_t capacity = 0;
  std::map<uint32_t, std::deque<uint32_t>> words;   // by priority, none of them empty
  uint32_t count() const {
    uint32_t sum = 0;
    for (const auto& [priority, list] : words) sum += uint32_t(list.size());
    return sum;
  }
};

class Bench {
 public:
  Bench(uint64_t seed, uint32_t queues, uint32_t messages, uint32_t priorities, Misuse misuse)
      : random_(seed), queues_(queues), messages_(messages), priorities_(priorities), misuse_(misuse) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }

  void run(uint64_t operations) {
    const uint64_t lives = 10;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      deletes_ = life % 2 ? 40 : 4000;
      liked_ = life % 3 ? 3 : queues_;
      while (done_ < operations * life / lives) step();
      breaks_off_ = true;
      step();
      breaks_off_ = false;
    }
    std::printf("{\"operations\": %llu, \"resets\": %llu, \"deepest\": %u, \"pool_full\": %llu, \"second_purge\": %llu",
                (unsigned long long)done_, (unsigned long long)lives, deepest_, (unsigned long long)pool_full_,
                (unsigned long long)second_purge_);
    for (uint32_t op = kCreate; op < kOps; ++op) std::printf(", \"%s\": %llu", kNames[op], (unsigned long long)counts_[op]);
    for (const auto& [cycles, count] : cycles_) {
      std::printf(", \"%s %u\": %llu", kNames[cycles.first], cycles.second, (unsigned long long)count);
    }
    std::printf("}\n");
  }

 private:
  uint32_t below(uint32_t limit) { return uint32_t(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  [[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "operation %llu, queue %u: %s\n", (unsigned long long)done_, id_, what.c_str());
    std::exit(1);
  }

  void expect(const char* what, uint64_t got, uint64_t wanted) {
    if (got != wanted && misuse_ == kProper) fail(std::string(what) + " is " + std::to_string(got) + ", not " + std::to_string(wanted));
  }

  // One cycle; its outputs are checked before its end, with the inputs that are set.
  void cycle(bool word_valid = false, uint32_t word = 0) {
    top_->eval();
    expect("word_valid", top_->word_valid_o, word_valid);
    if (word_valid) expect("word", top_->word_o, word);
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void request(Op op, uint32_t word, uint32_t priority) {
    top_->request_i = uint64_t(op) << 40 | uint64_t(word) << 8 | priority;
  }

  void no_request() { request(kNone, uint32_t(random_()), below(256)); }

  // Reads that are overtaken by the step's own, or ignored.
  void read_any() {
    top_->read_i = chance(50);
    top_->read_id_i = below(256);   // also numbers of other objects
  }

  void reset() {
    model_.assign(queues_, Queue());
    room_ = free_ = messages_;
    purge_valid_ = false;
    top_->read_i = 0;
    no_request();
    top_->rst_ni = 1;   // the first reset, too, is an edge: the simulation resets by no level
    top_->eval();
    top_->rst_ni = 0;
    top_->eval();
    cycle();
    top_->rst_ni = 1;
    top_->clear_i = 1;
    const uint32_t lines = queues_ > messages_ ? queues_ : messages_;
    const uint32_t last = chance(50) ? lines : lines + below(257 - lines);   // other tables may be larger
    for (uint32_t line = 0; line < last; ++line) {
      top_->clear_index_i = line;
      cycle();
    }
    top_->clear_i = 0;
  }

  // A queue of a few favourites, so that they fill, or any.
  uint32_t choose_queue() {
    if (below(400) == 0) favourite_ = below(queues_);
    if (below(messages_ * 10) == 0) grows_ = below(101);
    return chance(80) ? (favourite_ + below(liked_)) % queues_ : below(queues_);
  }

  Op choose(const Queue& queue) {
    const bool purged = purge_valid_ && purge_id_ == id_;
    if (purged) return kPurge;
    const uint32_t count = queue.count();
    if (misuse_ != kProper && done_ > 200) {
      if (misuse_ == kPushFull && queue.exists && count == queue.capacity) return kPush;
      if (misuse_ == kPopEmpty && queue.exists && count == 0) return kPop;
      if (misuse_ == kTooLarge && !queue.exists) return kCreate;
      if (misuse_ == kDeleteSecond && queue.exists && count && purge_valid_) return kDelete;
      if (misuse_ == kPurgeNone && queue.exists && count) return kPurge;
    }
    if (!queue.exists) return room_ && chance(50) ? kCreate : kNone;
    if (below(deletes_) == 0) {
      if (count == 0 || !purge_valid_) return kDelete;
      ++second_purge_;   // it would have to wait
      return kNone;
    }
    if (count && chance(10)) return kPopPush;
    if (chance(grows_)) return count < queue.capacity ? kPush : count && chance(50) ? kPopPush : kNone;
    return count ? kPop : kNone;
  }

  void step() {
    for (uint32_t idle = chance(30) ? below(4) : 0; idle; --idle) {
      read_any();
      no_request();
      cycle();
    }
    id_ = purge_valid_ && chance(30) ? purge_id_ : choose_queue();
    if (misuse_ == kCreatePurged && purge_valid_ && done_ > 200) id_ = purge_id_;
    Queue& queue = model_[id_];
    top_->read_i = 1;
    top_->read_id_i = id_;
    no_request();
    expect("settled before a step", top_->settled_o, 1);
    cycle();
    top_->read_i = 0;
    top_->read_id_i = below(256);
    for (uint32_t later = chance(20) ? 1 + below(3) : 0; later; --later) {
      no_request();
      cycle();
    }
    check_record(queue);

    Op op = choose(queue);
    uint32_t word = uint32_t(random_()), priority = below(priorities_);
    if (chance(50)) priority = priorities_ - 1 - below(2);
    if (op == kCreate) word = 1 + below(chance(50) ? room_ : room_ < 4 ? room_ : 4);
    if (op == kCreate && misuse_ == kTooLarge && done_ > 200) word = room_ + 1;
    if (op == kPurge && misuse_ == kCreatePurged && done_ > 200) {
      op = kCreate;
      word = 1;
    }
    if (misuse_ == kPriority && done_ > 200) priority = priorities_;
    request(op, word, priority);
    if (op != kNone && misuse_ == kWithRead && done_ > 200) top_->read_i = 1;
    cycle();
    if (misuse_ == kTwice && op == kPush && done_ > 200) cycle();   // the request is still there
    if (op == kNone || breaks_off_) return;
    uint32_t popped = 0;
    const uint32_t cycles = apply(queue, op, word, priority, popped);
    bool word_valid = op == kPop || op == kPopPush;
    for (uint32_t busy = 0; busy < cycles; ++busy) {
      no_request();
      read_any();
      expect("settled during an operation", top_->settled_o, 0);
      cycle(word_valid, popped);
      word_valid = false;
    }
    expect((std::string("settled after ") + kNames[op]).c_str(), top_->settled_o, 1);
    expect("room", top_->room_o, room_);
    ++done_;
    ++counts_[op];
    ++cycles_[{op, cycles}];
  }

  void check_record(const Queue& queue) {
    const uint64_t record = top_->record_o;
    const uint32_t count = queue.count();
    expect("exists", record >> 34 & 1, queue.exists);
    if (queue.exists) {
      expect("empty", record >> 33 & 1, count == 0);
      expect("full", record >> 32 & 1, count == queue.capacity);
      expect("capacity", record >> 16 & 0xffff, queue.capacity);
      expect("count", record & 0xffff, count);
    }
    expect("room", top_->room_o, room_);
    expect("purge_valid", top_->purge_valid_o, purge_valid_);
    if (purge_valid_) expect("purge_id", top_->purge_id_o, purge_id_);
  }

  // Applies the operation to the reference; returns its cycles.
  uint32_t apply(Queue& queue, Op op, uint32_t word, uint32_t priority, uint32_t& popped) {
    uint32_t cycles = 1;
    if (op == kCreate) {
      queue.exists = true;
      queue.capacity = word;
      room_ -= word;
    }
    if (op == kDelete) {
      queue.exists = false;
      purge_valid_ = purge_valid_ || queue.count();
      if (queue.count()) purge_id_ = id_;
      else room_ += queue.capacity;
    }
    if (op == kPop || op == kPopPush || op == kPurge) {
      auto list = queue.words.begin();
      popped = list->second.front();
      list->second.pop_front();
      ++free_;
      if (list->second.empty()) {
        queue.words.erase(list);
        // With one queue the list takes the new word in the cycle in which it looks up its next priority.
        if (!queue.words.empty() && !(op == kPopPush && queues_ == 1)) ++cycles;
      }
    }
    if (op == kPush || op == kPopPush) {
      queue.words[priority].push_back(word);
      --free_;
      cycles += op == kPush ? 1 : 2;
    }
    if (op == kPurge && queue.words.empty()) {
      purge_valid_ = false;
      room_ += queue.capacity;
    }
    if (queue.count() > deepest_) deepest_ = queue.count();
    pool_full_ += free_ == 0;
    return cycles;
  }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  std::mt19937_64 random_;
  const uint32_t queues_, messages_, priorities_;
  const Misuse misuse_;
  std::vector<Queue> model_;
  uint32_t room_ = 0, free_ = 0, id_ = 0, purge_id_ = 0, favourite_ = 0, grows_ = 60, deepest_ = 0;
  uint32_t deletes_ = 1, liked_ = 1;   // 1 step in so many; queues
  bool purge_valid_ = false, breaks_off_ = false;   // breaks_off_: a reset comes in the first cycle after the operation
  uint64_t done_ = 0, pool_full_ = 0, second_purge_ = 0, counts_[kOps] = {};
  std::map<std::pair<Op, uint32_t>, uint64_t> cycles_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "use: bench SEED OPERATIONS QUEUES MESSAGES PRIORITIES MISUSE\n");
    return 2;
  }
  uint64_t values[6];
  for (int i = 0; i < 6; ++i) values[i] = std::strtoull(argv[i + 1], nullptr, 10);
  Verilated::randReset(2);   // memories and registers begin with anything
  Verilated::randSeed(int(values[0] & 0x7fffffff) + 1);
  Bench(values[0], uint32_t(values[2]), uint32_t(values[3]), uint32_t(values[4]), Misuse(values[5])).run(values[1]);
  return 0;
}
