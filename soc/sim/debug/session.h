/* SPDX-License-Identifier: Apache-2.0 */
// Session: holds a simulation between two cycles and answers the questions of melanion/debug, one line each (docs/decisions/0028).
// A core stands *before the last instruction that retired*: what that instruction wrote is hidden from whoever looks, so a breakpoint
// shows the state in which its instruction begins. Nothing here changes the run, but for `write` and `quit`.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "../simulation.h"

namespace mel {

class Session {
 public:
  explicit Session(Simulation &simulation);
  ~Session();
  // The run has ended, its files are closed: answers questions until there are no more.
  void end();

  // Called by the RTL (soc/debug), through the functions at the end of session.cpp.
  void retired(uint32_t core, uint32_t bank, uint32_t pc, uint32_t rd, uint32_t value);
  void put(uint32_t core, uint32_t bank, uint32_t rd, uint32_t value) { bank_of(core, bank)[rd] = value; }
  void stored(uint32_t index, uint32_t before);
  void cycle();

 private:
  struct Hart {
    uint32_t banks[kOwnBanks][32] = {};
    uint32_t core = 0, bank = 0, pc = 0, rd = 0, before = 0;  // last instruction that retired; `before`: old rd
    uint64_t count = 0;                             // number of instructions retired
  };
  // A store of a word, as the memory sees it and as a core retires it: whichever comes first waits for the other.
  struct Store {
    uint64_t cycle;            // in which it came to memory
    uint32_t index, before;    // index and old value of the word
    bool retired;
    uint32_t core;             // … on this core
    uint64_t instruction;      // … its number among those that the core retired
  };
  struct Late {  // retired, not in memory yet
    uint64_t cycle;
    uint32_t index, mask, value, core;
    uint64_t instruction;
  };
  struct Watch {
    uint32_t address, bytes;
    bool touches(uint32_t other, uint32_t size) const { return other < address + bytes && address < other + size; }
  };

  uint32_t *bank_of(uint32_t core, uint32_t bank) { return bank < kOwnBanks ? harts_[core].banks[bank] : tasks_[bank - kOwnBanks]; }
  const uint32_t *bank_of(uint32_t core, uint32_t bank) const { return const_cast<Session *>(this)->bank_of(core, bank); }
  void serve(const char *reason, uint32_t core);
  void say_stopped(const char *reason, uint32_t core) const;
  // Answers one line; true: the simulation goes on.
  bool answer(const std::string &line);
  bool watch(const Watch &watch, bool wanted);
  bool go(const std::string &verb, uint32_t core);
  void look_back(uint32_t core);
  void retire_store(uint32_t core);
  bool touches_watch(uint32_t core);  // the core's last instruction stores to what is watched, which nobody was told
  bool find_store(const Hart &hart, uint32_t &address, uint32_t &bytes, uint32_t &value) const;
  uint32_t value(const Hart &hart, uint32_t number) const;
  uint32_t instruction(uint32_t pc) const;
  uint32_t word(uint32_t index) const;  // as it is shown
  std::string registers(uint32_t core) const;
  std::string read(uint32_t address, uint32_t bytes) const;
  bool write(uint32_t address, const std::string &hex);
  bool next_line(std::string &line);
  bool asked() const;

  Simulation &simulation_;
  uint32_t *words_;
  size_t count_;
  Hart harts_[kCores];
  uint32_t tasks_[kBanks - kOwnBanks][32] = {};
  std::vector<uint8_t> breaks_;         // one a halfword of memory
  std::vector<Watch> watches_;
  uint32_t watched_ = 0;                // the one that the last stop `watch` is about: its address
  uint64_t told_[kCores] = {};          // by core: the instruction that the last stop `watch` was about
  std::deque<Store> stores_;            // the latest in memory
  std::deque<Late> late_;
  std::map<uint32_t, uint32_t> hidden_; // words that are shown with another value than they have
  std::string input_;                   // not yet a line
  bool open_ = true, ended_ = false;
  bool any_ = false;                    // stop at the next instruction of any core …
  uint64_t patience_ = 0;               // … or in this cycle
  int stepping_ = -1;                   // stop at the next instruction of this core
  const char *reason_ = nullptr;        // why to stop at the end of this cycle
  uint32_t core_ = 0, last_ = 0;
};

}  // namespace mel
