// SPDX-License-Identifier: Apache-2.0
// The driver of mel_slow_bridge alone: a core that loads and stores, and a unit that takes an access after any delay and answers it after any
// other. Its model of the bridge is times alone: when each access must be granted, asked of the unit and answered (the head of the module).
//
// Use: bench SEED ACCESSES POSTED WAY DELAY IDLE. WAY: most cycles of a way (drawn for each cycle from 0); DELAY: most cycles that the unit is late;
// IDLE: most cycles between two accesses of the core.
// Checks, in every cycle: that a grant, a request to the unit and an answer are there when and only when the model says so; address, byte
// enables, data and kind of every access, in the core's order; the data of a load; that an error of a posted store comes with the next load.
// Writes one line of JSON: what the run reached. Exit status: 0 done; 1 a check failed (one sentence on stderr).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <string>

#include "Vbench.h"
#include "verilated.h"

namespace {

struct Access {
  bool store = false;
  uint32_t addr = 0, be = 0, data = 0;
  uint64_t asked = 0;  // cycle in which the unit must be asked; 0: it waits for the one before it
};

class Bench {
 public:
  Bench(uint64_t seed, uint32_t posted, uint32_t way, uint32_t delay, uint32_t idle)
      : random_(seed), posted_(posted), way_(way), delay_(delay), idle_(idle) {
    top_->rst_ni = 0;
    clock();
    top_->rst_ni = 1;
  }

  void run(uint64_t accesses) {
    while (accesses != 0 || wanted_ || !way_out_.empty() || loading_) {
      if (!wanted_ && accesses != 0 && idle_left_ == 0) {
        wanted_ = true, accesses--;
        next_ = {random_() % (storm_ ? 64 : 3) != 0, uint32_t(random_() & 0xffff), uint32_t(random_() & 15), uint32_t(random_()), 0};
        if (random_() % 100 == 0) storm_ = !storm_;
        idle_left_ = draw(idle_);
      }
      if (idle_left_ != 0) idle_left_--;
      cycle();
    }
    std::printf("{\"loads\": %llu, \"stores\": %llu, \"full\": %llu, \"behind\": %llu, \"most\": %llu, \"refused\": %llu}\n",
                (unsigned long long)loads_, (unsigned long long)stores_, (unsigned long long)full_, (unsigned long long)behind_,
                (unsigned long long)most_, (unsigned long long)refused_);
  }

 private:
  [[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "cycle %llu: %s\n", (unsigned long long)now_, what.c_str());
    std::exit(1);
  }
  void check(const char *what, uint64_t got, uint64_t wanted) {
    if (got != wanted) fail(std::string(what) + " is " + std::to_string(got) + " instead of " + std::to_string(wanted));
  }
  uint32_t draw(uint32_t most) { return most == 0 ? 0 : uint32_t(random_() % (most + 1)); }

  // The first on its way begins it in this cycle.
  void begin(Access &access, uint32_t read, uint32_t write) {
    access.asked = now_ + (access.store ? std::max(write, 1u) : std::max(read, 2u) / 2);
    if (!access.store) back_ = std::max(read, 2u) - std::max(read, 2u) / 2;
  }

  void cycle() {
    const uint32_t read = draw(way_), write = draw(way_);
    top_->read_cycles_i = read, top_->write_cycles_i = write;
    top_->req_i = wanted_, top_->we_i = next_.store;
    top_->addr_i = next_.addr, top_->be_i = next_.be, top_->wdata_i = next_.data;
    const bool asks = !way_out_.empty() && way_out_.front().asked != 0 && now_ >= way_out_.front().asked && !awaited_;
    if (asks && !decided_) decided_ = true, grant_at_ = now_ + draw(delay_);
    const bool grants = asks && now_ >= grant_at_;
    const bool answers = awaited_ && now_ >= answer_at_;
    const uint32_t data = uint32_t(random_());
    const bool error = random_() % 8 == 0;
    top_->gnt_i = grants, top_->rvalid_i = answers, top_->rdata_i = data, top_->err_i = error;
    top_->clk_i = 0;
    top_->eval();

    const bool granted = wanted_ && !loading_ && (!next_.store || way_out_.size() < posted_);
    check("the grant", top_->gnt_o, granted);
    check("the request to the unit", top_->req_o, asks);
    if (asks) {
      const Access &first = way_out_.front();
      check("the kind", top_->we_o, first.store);
      check("the address", top_->addr_o, first.addr);
      check("the byte enables", top_->be_o, first.be);
      if (first.store) check("the data", top_->wdata_o, first.data);
    }
    const bool loaded = loading_ && loaded_at_ == now_;
    check("the answer", top_->rvalid_o, stored_ || loaded);
    if (stored_) check("the error of a store", top_->err_o, 0);
    if (loaded) {
      check("what is loaded", top_->rdata_o, loaded_);
      check("the error", top_->err_o, error_);
      refused_ += error_;
      error_ = false;
    }
    if (wanted_ && next_.store && !granted && !loading_) full_++;

    // The clock edge.
    bool free = way_out_.empty();
    if (loaded) loading_ = false, loaded_at_ = 0;
    stored_ = granted && next_.store;
    if (grants) awaited_ = true, decided_ = false, answer_at_ = now_ + 1 + draw(delay_);
    if (answers) {
      awaited_ = false;
      error_ = error_ || error;
      if (!way_out_.front().store) loaded_at_ = now_ + back_, loaded_ = data;
      free = way_out_.front().store;
      way_out_.pop_front();
    }
    if (granted) {
      if (next_.store) stores_++;
      else loads_++, loading_ = true, behind_ += !way_out_.empty() || answers;
      way_out_.push_back(next_);
      wanted_ = false;
    }
    most_ = std::max<uint64_t>(most_, way_out_.size());
    if (free && !way_out_.empty()) begin(way_out_.front(), read, write);
    clock();
  }

  void clock() {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
    now_++;
  }

  std::mt19937_64 random_;
  const uint32_t posted_, way_, delay_, idle_;
  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  uint64_t now_ = 1;
  std::deque<Access> way_out_;  // granted, and not answered by the unit
  Access next_;
  bool wanted_ = false, storm_ = false, stored_ = false, loading_ = false, awaited_ = false, decided_ = false, error_ = false;
  uint64_t loaded_at_ = 0, grant_at_ = 0, answer_at_ = 0;
  uint32_t idle_left_ = 0, back_ = 0, loaded_ = 0;
  uint64_t loads_ = 0, stores_ = 0, full_ = 0, behind_ = 0, most_ = 0, refused_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 7) return std::fprintf(stderr, "use: bench SEED ACCESSES POSTED WAY DELAY IDLE\n"), 2;
  const auto number = [argv](int i) { return std::strtoull(argv[i], nullptr, 10); };
  Bench(number(1), uint32_t(number(3)), uint32_t(number(4)), uint32_t(number(5)), uint32_t(number(6))).run(number(2));
  return 0;
}
