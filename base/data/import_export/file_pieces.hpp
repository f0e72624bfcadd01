// Files that are written and read a piece at a time, at places that a task remembers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc::import_export {

// Makes the file that long, whatever a dead process left behind it, and writes the text there; on disk when it returns
// success. svc_unavailable when the disk is full or fails.
Result<void> append_at(const std::string& path, std::int64_t at, std::string_view text);

struct Lines {
    std::vector<std::string> lines;  // without their ends
    std::int64_t next = 0;           // where to go on
    bool is_end = false;
    std::vector<std::int64_t> ends = {};  // of each line, where the one behind it begins

    // The same of the first `count` lines.
    [[nodiscard]] std::int64_t next_after(std::size_t count) const {
        return count == 0 || count >= lines.size() ? next : ends[count - 1];
    }
    [[nodiscard]] bool is_end_after(std::size_t count) const { return is_end && count == lines.size(); }
};
// Up to `most` lines from there on, fewer once they have `enough` bytes together. A line over `longest` bytes comes
// shortened to that. No file: the end.
Lines lines_at(const std::string& path, std::int64_t at, std::size_t most, std::size_t longest,
               std::size_t enough = SIZE_MAX);

}  // namespace svc::import_export
