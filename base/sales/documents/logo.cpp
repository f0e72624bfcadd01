// Fetches logos, and caches remote ones.
#include "base/sales/documents/logo.hpp"

#include <charconv>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/files/content_type.hpp"

namespace svc::documents {
namespace {

constexpr std::size_t most_bytes = 4 << 20, most_known = 8;
constexpr std::chrono::minutes lifetime{10}, lifetime_of_failure{1};

std::optional<images::Picture> picture_in(const std::string& bytes) {
    const std::string type = files::content_type(bytes);
    if (!images::is_picture(type))
        return {};
    auto seen = images::look_at(type, bytes);
    return seen ? std::optional(std::move(seen->small)) : std::nullopt;
}

}  // namespace

std::optional<images::Picture> Logos::decoded(const std::string& bytes) {
    const std::string digest = crypto::sha256(bytes);
    {
        const std::lock_guard guard(mutex_);
        if (const auto found = decoded_.find(digest); found != decoded_.end())
            return found->second;
    }
    auto picture = picture_in(bytes);
    const std::lock_guard guard(mutex_);
    if (decoded_.size() >= most_known)
        decoded_.clear();
    decoded_[digest] = picture;
    return picture;
}

std::optional<std::string> Logos::own(const std::string& url) const {
    std::string_view rest(url);
    rest.remove_prefix(media_root_.size());
    std::int64_t id = 0;
    const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), id);
    const std::string_view which(end, static_cast<std::size_t>(rest.data() + rest.size() - end));
    if (failed != std::errc{} || (which != "/file" && which != "/thumbnail"))
        return {};
    const auto media = media_.find(id);
    if (!media || media->is_private)
        return {};
    const auto file = media_.open(*media, which == "/thumbnail");
    if (!file || file->size() > most_bytes)
        return {};
    std::string bytes(file->size(), '\0');
    bytes.resize(file->read(0, bytes.data(), bytes.size()));
    return bytes;
}

std::optional<images::Picture> Logos::remote(const std::string& url) {
    {
        const std::lock_guard guard(mutex_);
        if (const auto found = known_.find(url); found != known_.end() && found->second.until > clock_.now())
            return found->second.picture;
    }
    const auto bytes = fetch_(url);
    auto picture = bytes ? decoded(*bytes) : std::nullopt;
    const std::lock_guard guard(mutex_);
    if (known_.size() >= most_known)
        known_.clear();
    known_[url] = {picture, clock_.now().plus(picture ? lifetime : lifetime_of_failure)};
    return picture;
}

std::optional<images::Picture> Logos::at(const std::string& url, bool remote_allowed) {
    if (url.starts_with(media_root_)) {
        const auto bytes = own(url);
        return bytes ? decoded(*bytes) : std::nullopt;
    }
    if (!remote_allowed || !(url.starts_with("https://") || url.starts_with("http://")))
        return {};
    return remote(url);
}

}  // namespace svc::documents
