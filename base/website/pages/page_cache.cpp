// Pages in memory: found by their address, listed and forgotten as a cache.
#include "base/website/pages/pages.hpp"

namespace svc::pages {

namespace {

constexpr std::size_t most_bytes = std::size_t{24} << 20;

std::string_view target_in(std::string_view key) { return key.substr(0, key.find(mark_before_consent)); }

}  // namespace

std::optional<HttpAnswer> Pages::kept(const HttpRequest& http) {
    if (!tally_.in_use())
        return std::nullopt;
    Kept found;
    bool has_tags = false;
    {
        const std::lock_guard lock(keeping_);
        has_tags = tags_on_ != nullptr;
        const auto page = pages_.find(key_of(http.target, tags_on_, http));
        const bool is_good = page != pages_.end() && page->second.writes == writes_.load(std::memory_order_relaxed) &&
                             page->second.until >= parts_.site.clock.now().micros();
        if (!tally_.note(is_good))
            return std::nullopt;
        found = page->second;
    }
    HttpAnswer answer = compress(http, found.body, found.etag);
    answer.headers.emplace_back("Content-Type", "text/html; charset=utf-8");
    answer.headers.emplace_back("Cache-Control", "public, max-age=0, must-revalidate");
    answer.headers.emplace_back("Content-Security-Policy", found.policy);
    answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
    answer.headers.emplace_back("Referrer-Policy", "same-origin");
    if (has_tags)
        answer.headers.emplace_back("Vary", "Cookie, Sec-GPC");
    return answer;
}

void Pages::keep(const std::string& key, Kept made) {
    const std::lock_guard lock(keeping_);
    if (const auto before = pages_.find(key); before != pages_.end()) {
        bytes_ -= kept_size(*before->second.body);
        pages_.erase(before);
    }
    const std::size_t size = kept_size(*made.body);
    bytes_ += size;
    if (bytes_ > most_bytes) {
        pages_.clear();
        bytes_ = size;
    }
    pages_.emplace(key, std::move(made));
}

caches::Usage Pages::usage() const {
    const std::lock_guard lock(keeping_);
    return {.entries = static_cast<std::int64_t>(pages_.size()), .bytes = static_cast<std::int64_t>(bytes_)};
}

void Pages::each(const std::function<void(std::string_view, std::size_t)>& take) const {
    const std::lock_guard lock(keeping_);
    for (const auto& [key, page] : pages_)
        take(target_in(key), kept_size(*page.body));
}

std::int64_t Pages::forget(const std::function<bool(std::string_view)>& fits) {
    const std::lock_guard lock(keeping_);
    return static_cast<std::int64_t>(std::erase_if(pages_, [&](const auto& entry) {
        const bool goes = fits(target_in(entry.first));
        bytes_ -= goes ? kept_size(*entry.second.body) : 0;
        return goes;
    }));
}

}  // namespace svc::pages
