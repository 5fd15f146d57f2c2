// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

namespace mel {

Trace::~Trace() { close(); }

bool Trace::open(const char *path) {
  file_ = std::fopen(path, "wb");
  buffer_.reserve(kBuffered);
  return file_ != nullptr;
}

void Trace::flush() {
  if (std::fwrite(buffer_.data(), sizeof(Record), buffer_.size(), file_) != buffer_.size()) failed_ = true;
  buffer_.clear();
}

bool Trace::close() {
  if (file_ != nullptr) {
    flush();
    if (std::fclose(file_) != 0) failed_ = true;
    file_ = nullptr;
  }
  return !failed_;
}

}  // namespace mel
