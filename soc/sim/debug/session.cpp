// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "Vmel_top___024root.h"

namespace mel {

// A simulation shows nobody its parts, and its files decide the key of every simulation in the cache: so the debugger does not add a word to
// them. An explicit instantiation may name what is private, and that is how these three reach it.
template <auto Member>
struct TopOf {
  friend auto &top_of(Simulation &simulation) { return simulation.*Member; }
};
auto &top_of(Simulation &simulation);
template struct TopOf<&Simulation::top_>;

template <auto Member>
struct TraceOf {
  friend auto &trace_of(Simulation &simulation) { return simulation.*Member; }
};
auto &trace_of(Simulation &simulation);
template struct TraceOf<&Simulation::trace_>;

template <auto Member>
struct FlushOf {
  friend void flush(Trace &trace) { (trace.*Member)(); }
};
void flush(Trace &trace);
template struct FlushOf<&Trace::flush>;

namespace {

constexpr uint32_t kResetPc = kMemoryBase + 0x80;  // docs/decisions/0002
constexpr size_t kStores = 64;           // stores remembered: more than the cores have under way
// Cycles that a store in memory waits for its instruction to retire: later than that, no instruction wrote it (registers that go to a frame), or
// one that gave another address. And the most that a retired store takes to memory, behind a cache and slow memory.
constexpr uint64_t kEarly = 16, kLate = 16384;
constexpr uint32_t kAtomic = 0x2f;  // opcode
constexpr uint64_t kAskEvery = 2048;     // cycles between two looks whether somebody wants to stop
constexpr uint64_t kHaltCycles = 10'000;  // a core that sleeps retires nothing
constexpr uint32_t kMostBytes = 4096;    // longest answer

Session *g_session;  // for the DPI functions, which get no context

void say(const std::string &text) {
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
}

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}

}  // namespace

Session::Session(Simulation &simulation) : simulation_(simulation) {
  auto &words = top_of(simulation).rootp->mel_top__DOT__u_memory_tile__DOT__u_memory__DOT__words;
  words_ = reinterpret_cast<uint32_t *>(&words[0]);
  count_ = sizeof(words) / sizeof(words[0]);
  breaks_.assign(count_ * 2, 0);
  for (uint32_t core = 0; core < kCores; core++) {
    harts_[core].core = core;
    harts_[core].pc = kResetPc;
  }
  g_session = this;
  any_ = true;  // the first instruction
  patience_ = ~uint64_t{0};
}

Session::~Session() { g_session = nullptr; }

// ---- what the RTL reports ------------------------------------------------------------------------------------------------------------

void Session::retired(uint32_t core, uint32_t bank, uint32_t pc, uint32_t rd, uint32_t value) {
  Hart &hart = harts_[core];
  hart.bank = bank;
  hart.pc = pc;
  hart.rd = rd;
  hart.before = bank_of(core, bank)[rd];
  hart.count++;
  if (rd != 0) bank_of(core, bank)[rd] = value;
  last_ = core;
  retire_store(core);
  const size_t half = (pc - kMemoryBase) / 2;
  const char *why = touches_watch(core) ? "watch" : half < breaks_.size() && breaks_[half] ? "break" : stepping_ == static_cast<int>(core) ? "step" : any_ ? "halt" : nullptr;
  if (why == nullptr || reason_ != nullptr) return;
  reason_ = why;
  core_ = core;
}

void Session::stored(uint32_t index, uint32_t before) {
  const uint64_t now = simulation_.probe.cycle;
  Store store = {now, index, before, false, 0, 0};
  while (!late_.empty() && late_.front().cycle + kLate < now) late_.pop_front();
  for (auto late = late_.begin(); late != late_.end(); ++late) {
    if (late->index != index) continue;
    store.retired = true;
    store.core = late->core;
    store.instruction = late->instruction;
    late_.erase(late);
    break;
  }
  stores_.push_back(store);
  if (stores_.size() > kStores) stores_.pop_front();
}

// The core's last instruction: its words have come to memory, or will.
void Session::retire_store(uint32_t core) {
  const Hart &hart = harts_[core];
  const uint64_t now = simulation_.probe.cycle;
  uint32_t address = 0, bytes = 0, written = 0;
  if (!find_store(hart, address, bytes, written)) return;
  for (uint32_t index = (address - kMemoryBase) / 4; index <= (address + bytes - 1 - kMemoryBase) / 4; index++) {
    if (index >= count_) break;
    auto store = stores_.begin();
    while (store != stores_.end() && (store->index != index || store->retired)) ++store;
    if (store != stores_.end()) {
      store->retired = true;
      store->core = core;
      store->instruction = hart.count;
      continue;
    }
    if ((instruction(hart.pc) & 0x7f) == kAtomic) continue;  // its result is not known here; it does not retire before
    uint32_t mask = 0, value = 0;
    for (uint32_t i = 0; i < bytes; i++) {
      const uint32_t at = address + i, shift = at % 4 * 8;
      if ((at - kMemoryBase) / 4 != index) continue;
      mask |= 0xffu << shift;
      value |= (written >> i * 8 & 0xff) << shift;
    }
    late_.push_back({now, index, mask, value, core, hart.count});
  }
}

bool Session::touches_watch(uint32_t core) {
  const Hart &hart = harts_[core];
  uint32_t address = 0, bytes = 0, written = 0;
  if (watches_.empty() || told_[core] == hart.count || !find_store(hart, address, bytes, written)) return false;
  for (const Watch &watch : watches_) {
    if (!watch.touches(address, bytes)) continue;
    watched_ = watch.address;
    return true;
  }
  return false;
}

void Session::cycle() {
  const uint64_t now = simulation_.probe.cycle;
  if (reason_ == nullptr && any_ && now >= patience_) {
    reason_ = "halt";
    core_ = last_;
  }
  if (reason_ != nullptr) return serve(reason_, core_);
  if (now % kAskEvery != 0 || any_ || !asked()) return;
  any_ = true;  // whatever was said, it means: stop
  patience_ = now + kHaltCycles;
}

// ---- what is shown -------------------------------------------------------------------------------------------------------------------

// Memory as the retired instructions left it: without what is in memory too early, with what is late; and without what the core's last
// instruction stored.
void Session::look_back(uint32_t core) {
  hidden_.clear();
  const Hart &hart = harts_[core];
  const uint64_t now = simulation_.probe.cycle;
  for (auto store = stores_.rbegin(); store != stores_.rend(); ++store) {
    const bool early = !store->retired && store->cycle + kEarly >= now;
    const bool last = store->retired && store->core == core && store->instruction == hart.count;
    if (early || last) hidden_[store->index] = store->before;
  }
  for (const Late &late : late_) {
    if (late.core == core && late.instruction == hart.count) continue;
    hidden_[late.index] = (word(late.index) & ~late.mask) | late.value;
  }
}

bool Session::find_store(const Hart &hart, uint32_t &address, uint32_t &bytes, uint32_t &stored) const {
  const uint32_t code = instruction(hart.pc), funct3 = (code >> 12) & 7;
  stored = value(hart, (code >> 20) & 31);
  if ((code & 0x7f) == 0x23) {  // sb, sh, sw
    address = value(hart, (code >> 15) & 31) + static_cast<uint32_t>((static_cast<int32_t>(code & 0xfe000000) >> 20) | static_cast<int32_t>((code >> 7) & 31));
    bytes = 1u << (funct3 & 3);
    return true;
  }
  bytes = 4;
  if ((code & 0x7f) == kAtomic) {
    address = value(hart, (code >> 15) & 31);
    return true;
  }
  if ((code & 0xe003) == 0xc000) {  // c.sw
    address = value(hart, ((code >> 7) & 7) + 8) + (((code >> 10) & 7) << 3 | ((code >> 6) & 1) << 2 | ((code >> 5) & 1) << 6);
    stored = value(hart, ((code >> 2) & 7) + 8);
    return true;
  }
  if ((code & 0xe003) == 0xc002) {  // c.swsp
    address = value(hart, 2) + (((code >> 9) & 15) << 2 | ((code >> 7) & 3) << 6);
    stored = value(hart, (code >> 2) & 31);
    return true;
  }
  return false;
}

// Value of a register before the core's last instruction.
uint32_t Session::value(const Hart &hart, uint32_t number) const {
  return number == 0 ? 0 : number == hart.rd ? hart.before : bank_of(hart.core, hart.bank)[number];
}

uint32_t Session::instruction(uint32_t pc) const {
  const size_t half = (pc - kMemoryBase) / 2;
  if (half / 2 + 1 >= count_) return 0;
  const uint32_t low = words_[half / 2], high = words_[half / 2 + 1];
  const uint32_t code = (half & 1) ? (low >> 16) | (high << 16) : low;
  return (code & 3) == 3 ? code : code & 0xffff;
}

uint32_t Session::word(uint32_t index) const {
  const auto found = hidden_.find(index);
  return found != hidden_.end() ? found->second : words_[index];
}

std::string Session::registers(uint32_t core) const {
  const Hart &hart = harts_[core];
  std::string text;
  for (uint32_t i = 0; i < 32; i++) text += hex(value(hart, i)) + " ";
  return text + hex(hart.pc);
}

std::string Session::read(uint32_t address, uint32_t bytes) const {
  const uint64_t offset = uint64_t{address} - kMemoryBase;
  if (address < kMemoryBase || offset + bytes > count_ * 4 || bytes > kMostBytes) return "error";
  std::string text = ".";
  char two[4];
  for (uint64_t at = offset; at < offset + bytes; at++) {
    std::snprintf(two, sizeof two, "%02x", word(static_cast<uint32_t>(at / 4)) >> (at % 4 * 8) & 0xff);
    text += two;
  }
  return text;
}

bool Session::write(uint32_t address, const std::string &hex_bytes) {
  const uint64_t offset = uint64_t{address} - kMemoryBase, bytes = hex_bytes.size() / 2;
  if (address < kMemoryBase || offset + bytes > count_ * 4) return false;
  for (uint64_t i = 0; i < bytes; i++) {
    const uint32_t byte = static_cast<uint32_t>(std::stoul(hex_bytes.substr(2 * i, 2), nullptr, 16));
    const uint32_t index = static_cast<uint32_t>((offset + i) / 4), shift = (offset + i) % 4 * 8;
    words_[index] = (words_[index] & ~(0xffu << shift)) | (byte << shift);
    const auto found = hidden_.find(index);
    if (found != hidden_.end()) found->second = (found->second & ~(0xffu << shift)) | (byte << shift);
  }
  return true;
}

// ---- the conversation ----------------------------------------------------------------------------------------------------------------

bool Session::asked() const {
  if (!open_ || input_.find('\n') != std::string::npos) return open_;
  pollfd file = {0, POLLIN, 0};
  return poll(&file, 1, 0) > 0;
}

bool Session::next_line(std::string &line) {
  size_t end;
  while ((end = input_.find('\n')) == std::string::npos) {
    char buffer[4096];
    const ssize_t got = ::read(0, buffer, sizeof buffer);
    if (got <= 0) return false;
    input_.append(buffer, static_cast<size_t>(got));
  }
  line = input_.substr(0, end);
  input_.erase(0, end + 1);
  return true;
}

void Session::say_stopped(const char *reason, uint32_t core) const {
  say(std::string("stopped ") + reason + " " + std::to_string(core) + " " + std::to_string(simulation_.probe.cycle) + " " + hex(watched_));
}

void Session::serve(const char *reason, uint32_t core) {
  if (!open_) return;
  if (std::string(reason) == "watch") told_[core] = harts_[core].count;
  any_ = false;
  stepping_ = -1;
  reason_ = nullptr;
  look_back(core);
  if (!ended_) flush(trace_of(simulation_));
  std::fflush(nullptr);  // the files of the run: whoever reads them sees all of it
  say_stopped(reason, core);
  std::string line;
  while (next_line(line)) {
    if (answer(line)) return;
  }
  open_ = false;  // nobody asks any more
  simulation_.probe.end_cycle = simulation_.probe.cycle;
}

bool Session::answer(const std::string &line) {
  std::istringstream words(line);
  std::string verb, text;
  uint32_t first = 0, second = 0;
  words >> verb >> std::hex >> first;
  if (verb == "quit") {
    open_ = false;
    simulation_.probe.end_cycle = simulation_.probe.cycle;
    return true;
  }
  if (verb == "halt") return false;  // it stands already
  if (verb == "run" || verb == "step" || verb == "next") return go(verb, first);
  if (verb == "write") {
    words >> text;
    say(write(first, text) ? "ok" : "error");
    return false;
  }
  words >> second;
  if (verb == "registers" && first < kCores) {
    say(registers(first));
  } else if (verb == "bank" && first < kCores && second < kBanks) {
    for (uint32_t i = 0; i < 32; i++) text += hex(bank_of(first, second)[i]) + (i < 31 ? " " : "");
    say(text);
  } else if (verb == "read") {
    say(read(first, second));
  } else if (verb == "watch" || verb == "unwatch") {
    say(watch({first, second}, verb == "watch") ? "ok" : "error");
  } else if (verb == "break" || verb == "clear") {
    const size_t half = (first - kMemoryBase) / 2;
    if (half < breaks_.size()) breaks_[half] = verb == "break";
    say(half < breaks_.size() ? "ok" : "error");
  } else {
    say("error");
  }
  return false;
}

bool Session::watch(const Watch &watch, bool wanted) {
  const uint64_t offset = uint64_t{watch.address} - kMemoryBase;
  if (watch.address < kMemoryBase || offset + watch.bytes > count_ * 4) return false;
  if (wanted) {
    watches_.push_back(watch);
    return true;
  }
  for (auto known = watches_.begin(); known != watches_.end(); ++known) {
    if (known->address != watch.address || known->bytes != watch.bytes) continue;
    watches_.erase(known);
    return true;
  }
  return false;
}

bool Session::go(const std::string &verb, uint32_t core) {
  if (ended_) {
    say_stopped("end", last_);
    return false;
  }
  if (verb == "run" && touches_watch(core_)) {  // watched since it retired: GDB watches nothing while it stands
    told_[core_] = harts_[core_].count;
    say_stopped("watch", core_);
    return false;
  }
  if (verb == "step") stepping_ = static_cast<int>(core);
  if (verb == "next") {
    any_ = true;
    patience_ = simulation_.probe.cycle + kHaltCycles;
  }
  return true;
}

void Session::end() {
  ended_ = true;
  serve("end", last_);
}

}  // namespace mel

extern "C" {

void mel_debug_retired(unsigned core, unsigned bank, unsigned pc, unsigned rd, unsigned value) {
  mel::g_session->retired(core, bank, pc, rd, value);
}

void mel_debug_put(unsigned core, unsigned bank, unsigned rd, unsigned value) { mel::g_session->put(core, bank, rd, value); }

void mel_debug_stored(unsigned index, unsigned before) { mel::g_session->stored(index, before); }

void mel_debug_cycle() { mel::g_session->cycle(); }

}  // extern "C"
