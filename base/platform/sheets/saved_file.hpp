// A table written into a file that is sent from the disk: nobody else sees it, and it is gone when it was sent.
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <unistd.h>

#include "base/platform/sheets/sheets.hpp"
#include "shared/core/open_file.hpp"

namespace svc::sheets {

// Throws std::runtime_error when there is no room for it, and what `rows` throws.
inline std::shared_ptr<const OpenFile> saved_file(const Rows& rows, Format format) {
    std::string path = (std::filesystem::temp_directory_path() / "svc-table-XXXXXX").string();
    const int made = mkstemp(path.data());
    if (made < 0)
        throw std::runtime_error("no temporary file could be made");
    ::close(made);
    const std::unique_ptr<const char, int (*)(const char*)> deleted_at_the_end(path.c_str(), &::unlink);
    save(rows, format, path);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        throw std::runtime_error("the table's file cannot be opened");
    return std::make_shared<const OpenFile>(file, std::filesystem::file_size(path));
}

}  // namespace svc::sheets
