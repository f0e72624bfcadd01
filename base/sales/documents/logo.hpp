// The logo of documents: an uploaded file, or a recent copy from another server.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/catalog/media/service.hpp"
#include "base/platform/images/images.hpp"
#include "shared/core/date.hpp"

namespace svc::documents {

// Fetches an address within 5 seconds; rejects addresses that are not public. Blocks.
using Fetch = std::function<Result<std::string>(const std::string& url)>;

// Any thread.
class Logos {
  public:
    Logos(const catalog::media::Service& media, std::string media_root, Fetch fetch, const Clock& clock)
        : media_(media), media_root_(std::move(media_root)), fetch_(std::move(fetch)), clock_(clock) {}

    // Empty when there is none or it cannot be read: documents are printed without it.
    std::optional<images::Picture> at(const std::string& url, bool remote_allowed);

  private:
    struct Known {
        std::optional<images::Picture> picture;
        Instant until;
    };
    std::optional<images::Picture> decoded(const std::string& bytes);
    // The bytes of a public picture of /media, by its address.
    [[nodiscard]] std::optional<std::string> own(const std::string& url) const;
    std::optional<images::Picture> remote(const std::string& url);

    const catalog::media::Service& media_;
    const std::string media_root_;
    const Fetch fetch_;
    const Clock& clock_;
    std::mutex mutex_;
    std::map<std::string, Known> known_;
    std::map<std::string, std::optional<images::Picture>> decoded_;  // by the digest of the file
};

}  // namespace svc::documents
