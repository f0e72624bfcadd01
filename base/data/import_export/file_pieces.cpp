// Pieces of files by their offsets.
#include "base/data/import_export/file_pieces.hpp"

#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace svc::import_export {

Result<void> append_at(const std::string& path, std::int64_t at, std::string_view text) {
    const Error failed{errc::unavailable, "The file could not be written. Check the disk's free space."_sentence};
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return failed;
    bool good = ::ftruncate(file, at) == 0 && ::lseek(file, at, SEEK_SET) == at;
    while (good && !text.empty()) {
        const auto written = ::write(file, text.data(), text.size());
        good = written > 0;
        if (good)
            text.remove_prefix(static_cast<std::size_t>(written));
    }
    good = good && ::fdatasync(file) == 0;
    good = ::close(file) == 0 && good;
    return good ? Result<void>() : Result<void>(failed);
}

Lines lines_at(const std::string& path, std::int64_t at, std::size_t most, std::size_t longest, std::size_t enough) {
    Lines read{.lines = {}, .next = at, .is_end = true};
    std::ifstream file(path, std::ios::binary);
    if (!file || !file.seekg(at))
        return read;
    std::string line;
    std::size_t bytes = 0;
    bool any = false;
    char c = 0;
    auto* buffer = file.rdbuf();
    for (auto got = buffer->sbumpc(); got != std::char_traits<char>::eof(); got = buffer->sbumpc()) {
        ++read.next;
        c = static_cast<char>(got);
        if (c != '\n') {
            any = true;
            if (line.size() < longest)
                line += c;
            continue;
        }
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        bytes += line.size();
        read.lines.push_back(std::move(line));
        read.ends.push_back(read.next);
        line.clear();
        any = false;
        if (read.lines.size() == most || bytes >= enough) {
            read.is_end = buffer->sgetc() == std::char_traits<char>::eof();
            return read;
        }
    }
    if (any) {
        read.lines.push_back(std::move(line));
        read.ends.push_back(read.next);
    }
    return read;
}

}  // namespace svc::import_export
