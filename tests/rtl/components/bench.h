// SPDX-License-Identifier: Apache-2.0
// Bench of a component alone: every core makes random accesses through its window. The driver of a
// component (<name>.cpp) derives from Bench and chooses the accesses.
//
// Use: bench SEED ACCESSES SIZE... (the sizes are those that the component was built with).
// Writes a line for each access that was taken, in their order, all in hexadecimal: core, store (1)
// or load (0), address, byte enables, word, answer, the interrupts right before it, and the cycles
// since the access before in which no core could be served, and in which some core waited; or
// `reset`. The references beside this file judge the lines.
// Checks here: one access a cycle, each answered in the next cycle, none waits for more than
// CORES - 1 others.
// Exit status: 0 done; 1 a check failed (one sentence on stderr); 2 bad arguments.
#ifndef MEL_COMPONENT_BENCH_H
#define MEL_COMPONENT_BENCH_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "Vbench.h"
#include "verilated.h"

using Sizes = std::vector<uint32_t>;

// Bits of a port of any width; of a wide one whole words.
template <typename T>
void put(T& port, unsigned low, unsigned width, uint64_t value) {
  const uint64_t mask = ((width == 64 ? 0 : 1ull << width) - 1) << low;
  port = T((uint64_t(port) & ~mask) | (value << low & mask));
}
template <std::size_t N>
void put(VlWide<N>& port, unsigned low, unsigned, uint64_t value) {
  port[low / 32] = uint32_t(value);
}
template <typename T>
uint32_t word(const T& port, unsigned index) {
  return uint32_t(uint64_t(port) >> (32 * index));
}
template <std::size_t N>
uint32_t word(const VlWide<N>& port, unsigned index) {
  return port[index];
}

struct Access {
  bool valid = false, write = false;
  uint32_t address = 0, enables = 0xF, data = 0;
  unsigned behind = 0;   // others that were served meanwhile
};

class Bench {
 public:
  Bench(uint64_t seed, uint32_t cores) : cores_(cores), random_(seed), pending_(cores) {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
  }
  virtual ~Bench() = default;

  void run(uint64_t accesses) {
    const uint64_t lives = 8;   // each with habits of its own
    uint64_t done = 0;
    for (uint64_t life = 1; life <= lives; ++life) {
      reset();
      rest_ = life % 4 < 2 ? 0 : 60;
      live(life);
      while (done < accesses * life / lives) done += cycle();
    }
  }

 protected:
  // Forget the state before the reset, and take the habits of this life.
  virtual void live(uint64_t life) = 0;
  virtual Access choose(unsigned core) = 0;
  // Follow the state of the component by the answer to an access.
  virtual void learn(unsigned core, const Access& access, uint32_t answer) = 0;
  virtual uint32_t irq() const { return 0; }

  uint32_t below(uint32_t limit) { return uint32_t(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  uint32_t any_word() { return uint32_t(random_()); }

  // Any kind of access to any address: most of them are refused.
  void stray(Access& access) {
    access.write = chance(50);
    access.address = chance(50) ? below(0x1000) : any_word() & 0xFFFF;
    access.enables = chance(50) ? 0xF : below(16);
  }

  std::unique_ptr<Vbench> top_ = std::make_unique<Vbench>();
  const unsigned cores_;

 private:
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
    closed_ = stalled_ = 0;
    std::printf("reset\n");
  }

  // Drive the ports; returns whether some core waits.
  bool request() {
    bool waits = false;
    for (unsigned core = 0; core < cores_; ++core) {
      Access& access = pending_[core];
      if (!access.valid && !chance(rest_)) {
        access = choose(core);
        access.valid = true;
      }
      waits = waits || access.valid;
      put(top_->req_valid_i, core, 1, access.valid);
      put(top_->req_write_i, core, 1, access.write);
      put(top_->req_addr_i, 16 * core, 16, access.address);
      put(top_->req_be_i, 4 * core, 4, access.enables);
      put(top_->req_wdata_i, 32 * core, 32, access.data);
    }
    top_->eval();
    return waits;
  }

  // Number of the core that is served in this cycle, or -1.
  int served() {
    int taken = -1;
    for (unsigned core = 0; core < cores_; ++core) {
      if (pending_[core].valid && (top_->req_ready_o >> core & 1)) {
        if (taken >= 0) fail("is served together with another", core);
        taken = int(core);
      }
    }
    return taken;
  }

  // One cycle; returns how many accesses were taken.
  unsigned cycle() {
    const bool waits = request();
    closed_ += top_->req_ready_o == 0;
    const uint32_t interrupts = irq();
    const int taken = served();
    clock();
    for (unsigned core = 0; core < cores_; ++core) {
      if ((top_->rsp_valid_o >> core & 1) != (int(core) == taken)) {
        fail("is not answered in the next cycle, or unasked", core);
      }
    }
    if (taken < 0) {
      stalled_ += waits;
      return 0;
    }
    for (unsigned core = 0; core < cores_; ++core) {
      Access& access = pending_[core];
      if (int(core) != taken && access.valid && ++access.behind >= cores_) {
        fail("waits for too many others", core);
      }
    }
    Access& access = pending_[unsigned(taken)];
    const uint32_t answer = word(top_->rsp_rdata_o, unsigned(taken));
    std::printf("%x %x %x %x %x %x %x %x %x\n", taken, access.write, access.address,
                access.enables, access.data, answer, interrupts, closed_, stalled_);
    learn(unsigned(taken), access, answer);
    access.valid = false;   // its other words stay on the port: only `valid` may count
    closed_ = stalled_ = 0;
    return 1;
  }

  std::mt19937_64 random_;
  std::vector<Access> pending_;
  uint32_t rest_ = 0;   // percent of the cycles in which a core begins no access
  unsigned closed_ = 0, stalled_ = 0;
};

// The program of a driver, which takes `Driver::kSizes` sizes.
template <typename Driver>
int drive(int argc, char** argv) {
  if (argc != 3 + int(Driver::kSizes)) return 2;
  Sizes sizes;
  for (int i = 3; i < argc; ++i) sizes.push_back(uint32_t(std::strtoul(argv[i], nullptr, 0)));
  Verilated::randSeed(int(std::strtoul(argv[1], nullptr, 0)));
  Driver(std::strtoull(argv[1], nullptr, 0), sizes).run(std::strtoull(argv[2], nullptr, 0));
  return 0;
}

#endif
