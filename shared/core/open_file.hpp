// A file as a response: opened once and read in pieces by the sender, so that it is never in memory as a whole.
#pragma once

#include <cstddef>
#include <unistd.h>

namespace svc {

// Any thread. The file is never written again; its size is that at opening.
class OpenFile {
  public:
    // Owns the descriptor from now on.
    OpenFile(int descriptor, std::size_t size) : descriptor_(descriptor), size_(size) {}
    ~OpenFile() { ::close(descriptor_); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    [[nodiscard]] std::size_t size() const { return size_; }
    // Reads into `into` from that offset. Returns the number of bytes: less than requested only on a read error.
    [[nodiscard]] std::size_t read(std::size_t from, char* into, std::size_t most) const {
        std::size_t done = 0;
        while (done < most) {
            const auto got = ::pread(descriptor_, into + done, most - done, static_cast<off_t>(from + done));
            if (got <= 0)
                break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

  private:
    int descriptor_;
    std::size_t size_;
};

}  // namespace svc
