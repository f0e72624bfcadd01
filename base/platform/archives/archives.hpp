// Zip archives, written and read in pieces, so that none is in memory whole.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc::archives {

// Puts files into a new archive at `path`, each under its name. svc_unavailable when the disk is full or fails; what
// was written of the archive is removed then. Not thread-safe: one call writes one archive.
struct Member {
    std::string name, file;  // as in the archive, and where it is read from
};
Result<void> pack(const std::string& path, const std::vector<Member>& members);

// Limits for archives from outside (promise S11).
struct Bounds {
    std::size_t members = 100;
    std::int64_t bytes = std::int64_t{4} << 30;  // of all members, unpacked
    std::int64_t ratio = 100;                    // of unpacked to packed, for members over a megabyte
};

// Writes members into `folder`, each under its own name; `takes` must accept only plain file names, others are an
// error. Counts sizes while unpacking and ignores those that the archive declares. svc_validation_error of the field
// `file` for a file that is no zip archive or exceeds a limit, svc_unavailable when the disk is full. Returns the
// names.
Result<std::vector<std::string>> unpack(const std::string& path, const std::string& folder,
                                        const std::function<bool(std::string_view name)>& takes,
                                        const Bounds& bounds = {});

// The text of one file of an archive. svc_validation_error of the field `file` when it has none of that name, the file
// is over `most` bytes, or it is damaged.
Result<std::string> member_of(const std::string& path, const std::string& name, std::size_t most);

}  // namespace svc::archives
