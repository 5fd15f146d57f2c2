// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cerrno>
#include <cstdlib>

namespace mel {

namespace {

bool number(const std::string &text, uint64_t maximum, uint64_t &value) {
  if (text.empty() || text[0] == '-') return false;
  char *end = nullptr;
  errno = 0;
  value = std::strtoull(text.c_str(), &end, 0);
  return *end == '\0' && errno == 0 && value <= maximum;
}

// FILE@ADDRESS, LINE@CYCLE: what is before the last `@`, and the number behind it.
bool placed(const std::string &text, uint64_t maximum, std::string &what, uint64_t &place) {
  const size_t at = text.rfind('@');
  what = text.substr(0, at);
  return at != std::string::npos && number(text.substr(at + 1), maximum, place);
}

bool data(const std::string &text, Options &options) {
  std::string file;
  uint64_t address = 0;
  if (!placed(text, 0xffffffff, file, address)) return false;
  options.data.emplace_back(file, static_cast<uint32_t>(address));
  return true;
}

bool pulse(const std::string &text, Options &options) {
  std::string word;
  uint64_t line = 0, cycle = 0;
  if (!placed(text, ~uint64_t{0} - 1, word, cycle) || !number(word, 63, line) || cycle == 0) return false;
  options.pulses.emplace_back(static_cast<uint32_t>(line), cycle);
  return true;
}

// N, or N-M: from N to M.
bool waits(const std::string &text, Waits &waits) {
  const size_t dash = text.find('-');
  uint64_t least = 0, most = 0;
  if (!number(text.substr(0, dash), 0xffff, least)) return false;
  if (dash == std::string::npos) most = least;
  else if (!number(text.substr(dash + 1), 0xffff, most) || most < least) return false;
  waits = {static_cast<uint32_t>(least), static_cast<uint32_t>(most)};
  return true;
}

bool set(const std::string &name, const std::string &value, Options &options) {
  if (name == "--image") options.image = value;
  else if (name == "--tracepoints") options.tracepoints = value;
  else if (name == "--trace") options.trace = value;
  else if (name == "--console") options.console = value;
  else if (name == "--wave") options.wave = value;
  else if (name == "--input") options.input = value;
  else if (name == "--input-copy") options.input_copy = value;
  else if (name == "--input-cycles") return number(value, 1'000'000, options.input_cycles) && options.input_cycles >= 2;
  else if (name == "--input-line") return number(value, 64, options.input_line);
  else if (name == "--data") return data(value, options);
  else if (name == "--pulse") return pulse(value, options);
  else if (name == "--max-cycles") return number(value, ~uint64_t{0}, options.max_cycles);
  else if (name == "--seed") return number(value, ~uint64_t{0}, options.seed);
  else if (name == "--parent") return number(value, 0x7fffffff, options.parent);
  else if (name == "--wait-states") return waits(value, options.wait_states);
  else if (name == "--data-wait-states") return waits(value, options.data_wait_states);
  else if (name == "--unit-wait-states") return waits(value, options.unit_wait_states);
  else if (name == "--bridge-read") return waits(value, options.bridge_read);
  else if (name == "--bridge-write") return waits(value, options.bridge_write);
  else return false;
  return true;
}

}  // namespace

std::string parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    if (name == "--speed" || name == "--progress") {
      (name == "--speed" ? options.speed : options.progress) = true;
      continue;
    }
    if (i + 1 == argc) return name + ": unknown, or its value is missing";
    const std::string value = argv[++i];
    if (!set(name, value, options)) return name + " " + value + ": unknown, or its value is out of range";
  }
  return options.image.empty() ? "--image FILE is needed" : "";
}

}  // namespace mel
