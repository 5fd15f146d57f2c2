/* SPDX-License-Identifier: Apache-2.0 */
// Access to private members of Simulation and Trace, which stay as they are: a change of their files would give each simulation another key in the build cache.
// An explicit instantiation may name a private member (C++17, [temp.spec.general]); each friend function below is declared here and defined by it.
#pragma once

#include "../simulation.h"

namespace mel {

template <typename Tag, typename Tag::Type Member>
struct Opened {
  friend typename Tag::Type member(Tag) { return Member; }
};

#define MEL_OPENED(tag, owner, type, name) \
  struct tag {                             \
    using Type = type owner::*;            \
    friend Type member(tag);               \
  };                                       \
  template struct Opened<tag, &owner::name>

using Lines = std::string[kCores];
MEL_OPENED(OpenedTop, Simulation, Vmel_top, top_);
MEL_OPENED(OpenedTrace, Simulation, Trace, trace_);
MEL_OPENED(OpenedConsole, Simulation, std::FILE *, console_);
MEL_OPENED(OpenedLines, Simulation, Lines, lines_);
MEL_OPENED(OpenedFile, Trace, std::FILE *, file_);
MEL_OPENED(OpenedBuffer, Trace, std::vector<Record>, buffer_);

#undef MEL_OPENED

inline Trace &trace_of(Simulation &simulation) { return simulation.*member(OpenedTrace()); }
inline std::FILE *trace_file(Simulation &simulation) { return trace_of(simulation).*member(OpenedFile()); }
inline std::FILE *console_file(Simulation &simulation) { return simulation.*member(OpenedConsole()); }

// Records that the run has left so far: in the file, and not yet written.
inline uint64_t records_of(Simulation &simulation) {
  return static_cast<uint64_t>(std::ftell(trace_file(simulation))) / sizeof(Record) + (trace_of(simulation).*member(OpenedBuffer())).size();
}

// Records in the file alone.
inline uint64_t records_written(Simulation &simulation) { return static_cast<uint64_t>(std::ftell(trace_file(simulation))) / sizeof(Record); }

}  // namespace mel
