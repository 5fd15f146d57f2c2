// SPDX-License-Identifier: Apache-2.0
// The driver of mel_lists alone: random operations against lists of the C++ library.
//
// Use: bench SEED OPERATIONS OBJECTS PRIORITIES NODES TOPS FIRST GROUPS MISUSE. The six sizes are those that the module was built with; the
// last is one breach of its rules of use (enum Misuse); 0: none, kBlind: only the module's assertions check anything.
// A run is ten lives, each begun by a clearing and ended by a reset in the middle of an operation, each with habits of its own
// (how many nodes are in lists, how many objects and priorities it likes), so that lists become empty and long at any size.
// Looks come during the clearing, requests while the engine is busy: they must have no effect.
// Checks in every cycle: idle, outcome, tops; the top from the cycle behind its request to the next request.
// Writes one line of JSON: what the run reached. Exit status: 0 done; 1 a check failed (a sentence on stderr); 2 bad arguments.
#include <algorithm>
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

enum Op : uint32_t { kNone, kTail, kHead, kRemove, kWalk, kLook, kFirst, kOps };   // mel_lists: op_i
const char* const kNames[kOps] = {"none", "tail", "head", "remove", "walk", "look", "first"};
enum Misuse {
  kProper, kOp, kObject, kPrio, kNode, kInsertMember, kRemoveStranger, kRemoveElsewhere, kWalkStranger, kClearLate, kBlind
};

// Bits of a port of any width.
template <typename T>
uint32_t bits(const T& port, uint32_t first, uint32_t count) {
  return uint32_t(uint64_t(port) >> first) & ((1u << count) - 1);
}
template <std::size_t Words>
uint32_t bits(const VlWide<Words>& port, uint32_t first, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; ++i) found |= (port[(first + i) / 32] >> (first + i) % 32 & 1) << i;
  return found;
}

uint32_t width(uint32_t count) {
  uint32_t bits = 1;
  while ((1u << bits) < count) ++bits;
  return bits;
}

struct Top {
  bool valid = false;
  uint32_t prio = 0, node = 0;
};

using Object = std::map<uint32_t, std::deque<uint32_t>>;   // lists by priority, none of them empty

struct Node {
  bool member = false;
  uint32_t object = 0, prio = 0, place = 0;   // place: in members_
};

class Bench {
 public:
  Bench(uint64_t seed, uint32_t objects, uint32_t priorities, uint32_t nodes, uint32_t tops, uint32_t groups, Misuse misuse)
      : random_(seed), objects_(objects), priorities_(priorities), nodes_(nodes), tops_(tops), groups_(groups), misuse_(misuse) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }

  void run(uint64_t operations) {
    const uint64_t lives = 10;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      liked_objects_ = life % 3 ? std::min(objects_, uint32_t(life)) : objects_;
      liked_priorities_ = life % 2 ? std::min(priorities_, 3u) : priorities_;
      while (done_ < operations * life / lives) step();
      breaks_off_ = true;
      while (!step()) {}
      breaks_off_ = false;
    }
    std::printf("{\"operations\": %llu, \"resets\": %llu, \"longest\": %u, \"all_members\": %llu, \"whole_walks\": %llu",
                (unsigned long long)done_, (unsigned long long)lives, longest_, (unsigned long long)all_members_,
                (unsigned long long)whole_walks_);
    std::printf(", \"no_first\": %llu, \"a_first\": %llu", (unsigned long long)firsts_[0], (unsigned long long)firsts_[1]);
    for (const auto& [kind, count] : cycles_) {
      std::printf(", \"%s %u\": %llu", kind.first.c_str(), kind.second, (unsigned long long)count);
    }
    std::printf("}\n");
  }

 private:
  uint32_t below(uint32_t limit) { return uint32_t(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  bool misuses(Misuse which, bool possible = true) {
    const bool now = misuse_ == which && done_ > 200 && possible;
    broken_ = broken_ || now;
    return now;
  }

  [[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "operation %llu, %s: %s\n", (unsigned long long)done_, kNames[op_], what.c_str());
    std::exit(1);
  }

  void expect(const char* what, uint64_t got, uint64_t wanted) {
    if (got == wanted || misuse_ != kProper) return;
    fail(std::string(what) + " is " + std::to_string(got) + ", not " + std::to_string(wanted));
  }

  void expect_top(const char* what, const Top& got, const Top& wanted) {
    expect((std::string(what) + " valid").c_str(), got.valid, wanted.valid);
    if (!wanted.valid) return;
    expect((std::string(what) + " prio").c_str(), got.prio, wanted.prio);
    expect((std::string(what) + " node").c_str(), got.node, wanted.node);
  }

  static Top top_of(const Object& object) {
    if (object.empty()) return {};
    return {true, object.begin()->first, object.begin()->second.front()};
  }

  // One cycle; its outputs are checked before its end, with the inputs that are set.
  void cycle(bool idle, bool outcome) {
    top_->eval();
    expect("idle", top_->idle_o, idle);
    expect("outcome", top_->outcome_o, outcome);
    if (shown_known_) {
      Top wanted = shown_;
      wanted.node %= nodes_ / groups_;   // without its group
      expect_top("top", {bool(top_->top_valid_o), top_->top_prio_o, uint32_t(top_->top_node_o)}, wanted);
    }
    for (uint32_t i = 0; i < tops_; ++i) {
      const uint32_t w = width(nodes_);
      const Top got = {bits(top_->tops_valid_o, i, 1) != 0, bits(top_->tops_prio_o, 8 * i, 8),
                       bits(top_->tops_node_o, w * i, w)};
      expect_top("tops", got, kept_[i]);
    }
    clock();
  }

  void clock() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void request(Op op, uint32_t object, uint32_t prio, uint32_t node) {
    top_->op_i = op;
    top_->object_i = object;
    top_->prio_i = prio;
    top_->node_i = node;
  }

  void request_any(Op op) { request(op, below(objects_), below(256), below(nodes_)); }

  void reset() {
    lists_.assign(objects_, Object());
    where_.assign(nodes_, Node());
    kept_.assign(tops_, Top());
    members_.clear();
    shown_known_ = false;
    top_->clear_i = 0;
    request_any(kNone);
    top_->rst_ni = 1;   // the first reset, too, is an edge: the simulation resets by no level
    top_->eval();
    top_->rst_ni = 0;
    top_->eval();
    clock();
    top_->rst_ni = 1;
    top_->clear_i = 1;
    const uint32_t last = chance(50) ? objects_ : objects_ + below(2 * objects_);   // other memories may be larger
    for (uint32_t i = 0; i < last; ++i) {
      top_->clear_index_i = i;
      request_any(chance(50) ? kLook : kNone);
      clock();
    }
    top_->clear_i = 0;
    request_any(kNone);
  }

  uint32_t choose_object() { return chance(80) ? (favourite_ + below(liked_objects_)) % objects_ : below(objects_); }

  // Near this object, one that takes the node: the nodes of an object are of one group.
  uint32_t fitting(uint32_t object, uint32_t node) const { return object - object % groups_ + node / (nodes_ / groups_); }

  uint32_t choose_prio() {
    return chance(80) ? (favourite_prio_ + below(liked_priorities_)) % priorities_ : below(priorities_);
  }

  uint32_t choose_stranger() {
    uint32_t node = below(nodes_);
    while (where_[node].member) node = (node + 1) % nodes_;
    return node;
  }

  // Returns false when nothing was begun.
  bool step() {
    if (below(300) == 0) {
      favourite_ = below(objects_);
      favourite_prio_ = below(priorities_);
    }
    if (below(nodes_ * 4) == 0) grows_ = below(101);
    for (uint32_t wait = chance(30) ? below(4) : 0; wait; --wait) {
      request_any(kNone);
      cycle(true, true);
    }
    if (misuses(kOp)) {
      request_any(kOps);
      cycle(true, true);
      return true;
    }
    if (misuses(kClearLate)) top_->clear_i = 1;
    const uint32_t kind = below(100);
    if (kind < 15) {
      look(misuses(kObject) ? objects_ : choose_object());
      return false;
    }
    if (kind < 17 && !breaks_off_) {
      walk_all(choose_object());
      return false;
    }
    if (kind < 35 && !members_.empty()) {
      const bool stranger = misuses(kWalkStranger, members_.size() < nodes_);
      const uint32_t node = stranger ? choose_stranger() : members_[below(uint32_t(members_.size()))];
      operate(kWalk, where_[node].object, where_[node].prio, node);
      return true;
    }
    if (kind < 40) {
      operate(kFirst, choose_object(), choose_prio(), below(nodes_));
      return true;
    }
    const bool inserts = members_.empty() || (members_.size() < nodes_ && chance(grows_));
    if (inserts) {
      uint32_t node = choose_stranger();
      if (misuses(kInsertMember, !members_.empty())) node = members_[0];
      const uint32_t object = fitting(choose_object(), node);
      if (misuses(kNode)) node = nodes_;
      operate(chance(50) ? kTail : kHead, object, misuses(kPrio) ? priorities_ : choose_prio(), node);
    } else {
      // Often the top of an object: its lists become empty in the order of their urgency.
      uint32_t node = members_[below(uint32_t(members_.size()))];
      if (chance(50)) node = top_of(lists_[where_[node].object]).node;
      uint32_t prio = where_[node].prio;
      if (misuses(kRemoveElsewhere)) prio = (prio + 1) % priorities_;
      if (misuses(kRemoveStranger, members_.size() < nodes_)) node = choose_stranger();
      operate(kRemove, where_[node].object, prio, node);
    }
    return true;
  }

  void look(uint32_t object) {
    op_ = kLook;
    request(kLook, object, below(256), below(nodes_));
    cycle(true, true);
    if (!broken_) shown_ = top_of(lists_[object]);
    shown_known_ = true;
    count("look", 1);
  }

  // From the top to the end.
  void walk_all(uint32_t object) {
    std::vector<uint32_t> order, found;
    for (const auto& [prio, list] : lists_[object]) order.insert(order.end(), list.begin(), list.end());
    look(object);
    while (top_->eval(), top_->top_valid_o) {
      const uint32_t node = top_->top_node_o + object % groups_ * (nodes_ / groups_);
      if (misuse_ != kProper && !where_[node].member) break;
      found.push_back(node);
      operate(kWalk, object, top_->top_prio_o, node);
      if (found.size() > order.size()) break;
    }
    if (misuse_ == kProper && found != order) fail("the walk does not find the nodes in their order");
    ++whole_walks_;
  }

  void operate(Op op, uint32_t object, uint32_t prio, uint32_t node) {
    op_ = op;
    request(op, object, prio, node);
    cycle(true, true);
    shown_known_ = op != kWalk && op != kFirst;
    shown_ = top_of(lists_[object]);
    Top found;
    const uint32_t cycles = apply(op, object, prio, node, found);
    const uint32_t last = breaks_off_ ? below(cycles - 1) : cycles - 1;
    for (uint32_t busy = 1; busy <= last; ++busy) {
      request_any(Op(below(kOps)));   // ignored
      if (op == kFirst && busy == 2) {
        shown_ = found;
        shown_known_ = true;
      }
      cycle(false, busy == 5 || (busy == 2 && (op == kTail || op == kHead)));
    }
    if (breaks_off_) return;
    request_any(kNone);
    for (uint32_t i = 0; i < tops_; ++i) kept_[i] = top_of(lists_[i]);
    if (op == kWalk) {
      shown_ = found;
      shown_known_ = true;
    }
    ++done_;
    count(kNames[op], cycles);
    if (chance(50)) cycle(true, true);   // else the next request follows at once
  }

  void count(const std::string& what, uint32_t cycles) { ++cycles_[{what, cycles}]; }

  // Applies the operation to the reference; returns its cycles.
  uint32_t apply(Op op, uint32_t object, uint32_t prio, uint32_t node, Top& found) {
    if (broken_) return 3;
    Object& lists = lists_[object];
    if (op == kTail || op == kHead) {
      std::deque<uint32_t>& list = lists[prio];
      if (op == kTail) list.push_back(node);
      else list.push_front(node);
      where_[node] = {true, object, prio, uint32_t(members_.size())};
      members_.push_back(node);
      longest_ = std::max(longest_, uint32_t(list.size()));
      all_members_ += members_.size() == nodes_;
      return 3;
    }
    const auto here = lists.find(prio);
    if (op == kFirst) {
      if (here != lists.end()) found = {true, prio, here->second.front()};
      ++firsts_[here != lists.end()];
      return 3;
    }
    if (op == kRemove) {
      std::deque<uint32_t>& list = here->second;
      const uint32_t top = top_of(lists).node;
      const bool leaves = top == node && list.size() == 1;
      list.erase(std::find(list.begin(), list.end(), node));
      if (list.empty()) lists.erase(here);
      const uint32_t place = where_[node].place;
      members_[place] = members_.back();
      where_[members_[place]].place = place;
      members_.pop_back();
      where_[node].member = false;
      return leaves && !lists.empty() ? 6 : 3;
    }
    auto next = std::find(here->second.begin(), here->second.end(), node) + 1;
    if (next != here->second.end()) {
      found = {true, prio, *next};
      return 3;
    }
    const auto other = std::next(here);
    if (other == lists.end()) return 3;
    found = {true, other->first, other->second.front()};
    return 6;
  }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  std::mt19937_64 random_;
  const uint32_t objects_, priorities_, nodes_, tops_, groups_;
  const Misuse misuse_;
  std::vector<Object> lists_;
  std::vector<Node> where_;
  std::vector<uint32_t> members_;
  std::vector<Top> kept_;   // tops in registers
  Top shown_;               // tops of the ports
  bool shown_known_ = false;
  bool breaks_off_ = false;   // a reset comes before the operation ends
  bool broken_ = false;       // a rule of use: an assertion has to fire
  uint32_t favourite_ = 0, favourite_prio_ = 0, grows_ = 60, liked_objects_ = 1, liked_priorities_ = 1, longest_ = 0;
  Op op_ = kNone;
  uint64_t done_ = 0, all_members_ = 0, whole_walks_ = 0, firsts_[2] = {};   // firsts_: of an empty list, of another
  std::map<std::pair<std::string, uint32_t>, uint64_t> cycles_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 10) {
    std::fprintf(stderr, "use: bench SEED OPERATIONS OBJECTS PRIORITIES NODES TOPS FIRST GROUPS MISUSE\n");
    return 2;
  }
  const uint64_t seed = std::strtoull(argv[1], nullptr, 10), operations = std::strtoull(argv[2], nullptr, 10);
  uint32_t sizes[7];
  for (int i = 0; i < 7; ++i) sizes[i] = uint32_t(std::strtoul(argv[i + 3], nullptr, 10));
  Verilated::randReset(2);   // memories and registers begin with anything
  Verilated::randSeed(int(seed & 0x7fffffff) + 1);
  Bench(seed, sizes[0], sizes[1], sizes[2], sizes[3], sizes[5], Misuse(sizes[6])).run(operations);
  return 0;
}
