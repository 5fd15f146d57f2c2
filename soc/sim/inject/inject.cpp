// SPDX-License-Identifier: Apache-2.0
// The simulation with bit flips (melanion/inject, in the place of soc/sim/main.cpp): a process runs the program and forks in the cycle of each flip; the child flips
// its bit and runs on, to the end of the program or to --max-cycles (docs/decisions/0048).
//   sim PLAN JOBS FOLDER EARLY OPTIONS      PLAN: plan.h; JOBS: children at a time; OPTIONS: ../options.h, with --trace and --console
// EARLY 1: a child ends as soon as its state is that of the run without a flip, or an answer is E_SYS; 0: never before the program.
// Lines on standard output: `state …`, all that can be hit in hardware (state.h); then of each child
//   flip N RECORDS BYTES WHERE        of trace and console before the flip; WHERE: what was hit, or `nothing`
//   end N CYCLE HOW                   its end (reference.h), or
//   died N SIGNAL                     the simulation itself broke
// and FOLDER has N.trace and N.console, what came behind the flip. `reference` stands for the run without one.
// Exit status: as of soc/sim/main.cpp.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "../options.h"
#include "../process.h"
#include "../simulation.h"
#include "access.h"
#include "plan.h"
#include "reference.h"
#include "state.h"

namespace {

constexpr int kBadUse = 2, kInternal = 3, kOwnWords = 4;

int fail(int status, const std::string &text) {
  std::fprintf(stderr, "sim: %s\n", text.c_str());
  return status;
}

// A single write: lines of several processes do not mix.
bool say(const std::string &line) { return write(STDOUT_FILENO, line.data(), line.size()) == static_cast<ssize_t>(line.size()); }

// Send further output of this process for the file into another, new one.
bool redirect(std::FILE *file, const std::string &path) {
  const int made = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (made < 0) return false;
  const bool done = dup2(made, fileno(file)) >= 0;
  close(made);
  return done;
}

class Campaign {
 public:
  Campaign(mel::Simulation &simulation, const mel::Options &options, const std::string &folder, size_t jobs, bool early)
      : simulation_(simulation), folder_(folder), jobs_(jobs), early_(early), reference_(simulation, options.max_cycles) {}

  // Returns an error text, empty when all is well.
  std::string run(const std::vector<mel::Flip> &plan) {
    std::fflush(nullptr);
    const pid_t lists = fork();
    if (lists == 0) _exit(say(mel::list_state([this] { mel::settle(simulation_); })) ? 0 : kInternal);
    if (lists < 0 || !ended(lists)) return "the state could not be listed";
    const pid_t first = fork();
    if (first == 0) _exit(make_reference());
    if (first < 0 || !ended(first)) return "the run without a flip did not end";
    for (const mel::Flip &flip : plan) {
      simulation_.advance(flip.cycle);
      while (children_.size() >= jobs_) reap();
      begin(flip);
    }
    while (!children_.empty()) reap();
    return "";
  }

 private:
  static bool ended(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0;
  }

  bool take_files(const std::string &name) {
    return mel::end_with(parent_) && redirect(mel::trace_file(simulation_), folder_ + "/" + name + ".trace") &&
           redirect(mel::console_file(simulation_), folder_ + "/" + name + ".console");
  }

  int make_reference() {
    if (!take_files("reference")) return kInternal;
    reference_.record();
    return simulation_.finish() ? 0 : kInternal;
  }

  void begin(const mel::Flip &flip) {
    std::fflush(nullptr);  // else what is buffered would be written by both
    const auto printed = static_cast<uint64_t>(std::ftell(mel::console_file(simulation_)));  // before the fork: both share the file's position
    const pid_t child = fork();
    if (child == 0) _exit(go_on(flip, printed));
    if (child > 0) {
      children_[child] = flip.number;
    } else {
      say("died " + std::to_string(flip.number) + " 0\n");
    }
  }

  int go_on(const mel::Flip &flip, uint64_t printed) {
    const std::string number = std::to_string(flip.number);
    const uint64_t records = mel::records_written(simulation_);
    if (!take_files(number)) return kInternal;
    const std::string where = flip.apply(simulation_), how = reference_.follow(early_);
    const uint64_t cycle = simulation_.probe.cycle;
    if (!simulation_.finish()) return kInternal;
    const std::string line = "flip " + number + " " + std::to_string(records) + " " + std::to_string(printed) + " " + where + "\n";
    return say(line + "end " + number + " " + std::to_string(cycle) + " " + how + "\n") ? 0 : kInternal;
  }

  void reap() {
    int status = 0;
    const auto found = children_.find(wait(&status));
    if (found == children_.end()) return;
    if (status != 0) say("died " + std::to_string(found->second) + " " + std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : 0) + "\n");
    children_.erase(found);
  }

  mel::Simulation &simulation_;
  const std::string folder_;
  const size_t jobs_;
  const bool early_;
  const uint64_t parent_ = static_cast<uint64_t>(getpid());
  mel::Reference reference_;
  std::map<pid_t, uint64_t> children_;  // process, number of its flip
};

}  // namespace

int main(int argc, char **argv) {
  if (argc <= kOwnWords) return fail(kBadUse, "PLAN JOBS FOLDER EARLY and options are needed");
  const std::string plan_file = argv[1], folder = argv[3];
  const int jobs = std::atoi(argv[2]);
  const bool early = std::string(argv[4]) == "1";
  mel::Options options;
  if (const std::string error = mel::parse(argc - kOwnWords, argv + kOwnWords, options); !error.empty()) return fail(kBadUse, error);
  std::vector<mel::Flip> plan;
  if (const std::string error = mel::read_plan(plan_file, plan); !error.empty()) return fail(kBadUse, error);
  if (options.trace.empty() || options.console.empty() || jobs < 1) return fail(kBadUse, "--trace, --console and a job at least are needed");
  mel::refuse_no_size();
  if (!mel::end_with(options.parent)) return fail(kInternal, "the process that started it has ended");
  mel::Simulation simulation(options);
  if (const std::string error = simulation.prepare(); !error.empty()) return fail(kBadUse, error);
  if (const std::string error = Campaign(simulation, options, folder, static_cast<size_t>(jobs), early).run(plan); !error.empty())
    return fail(kInternal, error);
  return simulation.finish() ? 0 : fail(kInternal, "the trace or console file could not be written (is the disk full?)");
}
