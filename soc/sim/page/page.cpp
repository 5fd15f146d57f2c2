// SPDX-License-Identifier: Apache-2.0
// The simulation in a page (studio/, in the place of soc/sim/main.cpp): begun, advanced and ended by calls. Between two calls the state of a run is the memory of
// the module and two open files, which are empty before the first records are written; so a copy of that memory, put back, is the run in that cycle again.
// Cycles are doubles, which hold them exactly: JavaScript has no 64-bit integers in calls.
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../options.h"
#include "../simulation.h"
#include "../unit/window.h"

namespace {

mel::Options g_options;
std::unique_ptr<mel::Simulation> g_run;
std::unique_ptr<mel::Window> g_window;
std::string g_error;

}  // namespace

extern "C" {

// Prepares the run that these words describe (../options.h), a word a line. Returns an error text, empty when all is well. Once.
const char *mel_begin(const char *lines) {
  std::vector<std::string> words = {"sim"};
  std::istringstream text(lines);
  for (std::string word; std::getline(text, word);) words.push_back(word);
  std::vector<char *> pointers;
  for (std::string &word : words) pointers.push_back(word.data());
  g_error = mel::parse(static_cast<int>(pointers.size()), pointers.data(), g_options);
  if (!g_error.empty()) return g_error.c_str();
  g_run = std::make_unique<mel::Simulation>(g_options);
  g_window = std::make_unique<mel::Window>(*g_run);
  g_error = g_run->prepare();
  return g_error.c_str();
}

// An interrupt line rises in a cycle that is still to come.
void mel_pulse(unsigned line, double cycle) { g_run->irqgen.give(line, static_cast<uint64_t>(cycle)); }

// Goes on until this cycle is the next one, or the run is over. Returns the next cycle.
double mel_advance(double until) {
  g_run->advance(static_cast<uint64_t>(until));
  return static_cast<double>(g_run->probe.cycle);
}

// Goes on likewise, and records what the unit does. Returns how many records there are (../unit/window.h).
double mel_watch(double until) {
  g_window->record(static_cast<uint64_t>(until));
  return static_cast<double>(g_window->cycles.size());
}

// The records of the last mel_watch, until the next call.
const void *mel_watched() { return g_window->cycles.data(); }

// The run is over, its files are whole. Returns 0 when one of them could not be written.
int mel_end() { return g_run->finish() ? 1 : 0; }

}  // extern "C"
