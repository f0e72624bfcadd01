// Public bodies as they go out: plain or in the coding the client likes best, which is prepared once a body.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/platform/caches/caches.hpp"
#include "base/platform/compression/coding.hpp"
#include "shared/api/route.hpp"

namespace svc::compression {

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
    // For the list of caches; by entity tag.
    [[nodiscard]] caches::Usage usage() const;
    void each(const std::function<void(std::string_view tag, std::size_t bytes)>& take) const;
    std::int64_t forget(const std::function<bool(std::string_view tag)>& fits);
    [[nodiscard]] caches::Tally& tally() { return tally_; }

  private:
    using Text = std::shared_ptr<const std::string>;
    using Texts = std::unordered_map<std::string, Text>;
    [[nodiscard]] Text prepared(Coding coding, const std::string& tag, std::string_view text);
    void keep(const std::string& tag, const Text& text);  // with mutex_ held

    static std::size_t size_of(const std::string& tag, const Text& text) { return text->size() + 2 * tag.size() + 100; }

    const std::size_t most_bytes_;
    caches::Tally tally_;
    mutable std::mutex mutex_;
    Texts fresh_, stale_;  // a stale text becomes fresh when used; the others are dropped when fresh_ is half full
    std::size_t fresh_bytes_ = 0, stale_bytes_ = 0;
};

}  // namespace svc::compression
