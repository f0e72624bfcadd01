// Files of the data folder, each under a name made of its content: written once, whole or not at all, never changed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "shared/core/open_file.hpp"
#include "shared/core/progress.hpp"
#include "shared/core/result.hpp"

namespace svc::files {

// Any thread and any process. A name is lower-case hex digits, with a dash, letters and digits after them for further
// files; anything else throws std::logic_error, since outsiders never choose names.
class Files {
  public:
    explicit Files(std::string folder) : folder_(std::move(folder)) {}

    // On disk when it returns success; a file that is there already counts as written now. svc_unavailable when the
    // disk is full or fails.
    [[nodiscard]] Result<void> put(std::string_view name, std::string_view bytes) const;
    [[nodiscard]] bool has(std::string_view name) const;
    // Null when there is none.
    [[nodiscard]] std::shared_ptr<const OpenFile> open(std::string_view name) const;
    void remove(std::string_view name) const;
    // Calls `take` for each file written before that time, unfinished ones of dead processes included, until it returns
    // false.
    void each_older(std::chrono::system_clock::time_point than,
                    const std::function<bool(const std::string& name)>& take) const;
    // Copies missing files to another folder of the same kind. Returns how many; throws std::runtime_error with a
    // sentence for the operator, also when it is stopped.
    std::int64_t copy_to(const std::string& folder, Progress& progress = unwatched()) const;

  private:
    [[nodiscard]] std::string path_of(std::string_view name) const;
    std::string folder_;
};

}  // namespace svc::files
