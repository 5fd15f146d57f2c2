// SPDX-License-Identifier: Apache-2.0
// Driver of mel_ethernet: performs a script, a file with an access a line, all numbers hexadecimal.
//   s CORE ADDRESS WORD   a store; writes its answer
//   l CORE ADDRESS        a load; writes its answer
//   p ADDRESS WORD        loads of core 0 until the answer is the word; writes the cycles that passed
//   w CYCLES              so many cycles without an access
//   i                     writes the interrupts
// An access is taken in its first cycle when no other core has one, and answered in the next.
// Exit status: 0 done; 1 an access was not taken or not answered, or the script is wrong; 2 no script.
#include <cstdint>
#include <cstdio>
#include <memory>

#include "Vbench.h"
#include "verilated.h"

namespace {

constexpr uint64_t kPatience = 10'000'000;  // cycles of `p`
Vbench* top;
uint64_t cycle = 0;

void tick() {
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  cycle++;
}

bool access(unsigned core, bool write, uint32_t address, uint32_t word, uint32_t& answer) {
  top->req_valid_i = 1u << core;
  top->req_write_i = write ? ~0u : 0;
  top->req_addr_i = 0;
  top->req_addr_i = uint64_t(address) << (16 * core);
  top->req_be_i = 0xFu << (4 * core);
  top->req_wdata_i = uint64_t(word) << (32 * core);
  top->eval();
  if (!(top->req_ready_o >> core & 1)) return false;
  tick();
  top->req_valid_i = 0;
  top->eval();
  answer = uint32_t(uint64_t(top->rsp_rdata_o) >> (32 * core));
  return top->rsp_valid_o == 1u << core;
}

bool perform(char what, const char* line) {
  unsigned core = 0;
  uint32_t address = 0, word = 0, answer = 0;
  unsigned long long cycles = 0;
  switch (what) {
    case 's':
      if (std::sscanf(line, "s %x %x %x", &core, &address, &word) != 3) return false;
      if (!access(core, true, address, word, answer)) return false;
      std::printf("%x\n", answer);
      return true;
    case 'l':
      if (std::sscanf(line, "l %x %x", &core, &address) != 2) return false;
      if (!access(core, false, address, 0, answer)) return false;
      std::printf("%x\n", answer);
      return true;
    case 'p': {
      if (std::sscanf(line, "p %x %x", &address, &word) != 2) return false;
      const uint64_t begin = cycle;
      do {
        if (!access(0, false, address, 0, answer) || cycle - begin > kPatience) return false;
      } while (answer != word);
      std::printf("%llx\n", static_cast<unsigned long long>(cycle - begin));
      return true;
    }
    case 'w':
      if (std::sscanf(line, "w %llx", &cycles) != 1) return false;
      for (; cycles != 0; cycles--) tick();
      return true;
    case 'i':
      std::printf("%x\n", unsigned(top->irq_o));
      return true;
    default:
      return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* script = argc == 2 ? std::fopen(argv[1], "r") : nullptr;
  if (script == nullptr) return 2;
  const auto owned = std::make_unique<Vbench>();
  top = owned.get();
  top->clk_i = 0;
  top->rst_ni = 0;
  top->req_valid_i = 0;
  top->eval();
  tick();
  top->rst_ni = 1;
  top->eval();
  char line[128];
  while (std::fgets(line, sizeof line, script) != nullptr) {
    if (!perform(line[0], line)) {
      std::fprintf(stderr, "cycle %llu: %s", static_cast<unsigned long long>(cycle), line);
      return 1;
    }
  }
  return 0;
}
