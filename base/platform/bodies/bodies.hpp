// Public bodies as they go out: plain or in the coding the client likes best, which is prepared once a body.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/platform/bodies/coding.hpp"
#include "shared/api/route.hpp"

namespace svc::bodies {

// Any thread.
class Bodies {
  public:
    // Encoded bodies use at most that much memory; the least recently used are dropped first.
    explicit Bodies(std::size_t most_bytes = std::size_t{32} << 20) : most_bytes_(most_bytes) {}

    // The body, or 304 for a client that has it. `etag` (quoted) identifies the content; each coding has its own, as
    // RFC 9110 requires of strong tags. Clients may cache the body and must revalidate it before each use.
    [[nodiscard]] api::Reply answer(const api::Request& request, std::shared_ptr<const std::string> text,
                                    const std::string& etag);

    [[nodiscard]] std::size_t bytes() const;

  private:
    using Text = std::shared_ptr<const std::string>;
    using Texts = std::unordered_map<std::string, Text>;
    [[nodiscard]] Text prepared(Coding coding, const std::string& tag, std::string_view text);
    void keep(const std::string& tag, const Text& text);  // with mutex_ held

    const std::size_t most_bytes_;
    mutable std::mutex mutex_;
    Texts fresh_, stale_;  // a stale text becomes fresh when used; the others are dropped when fresh_ is half full
    std::size_t fresh_bytes_ = 0, stale_bytes_ = 0;
};

}  // namespace svc::bodies
