// Negotiates, tags and remembers.
#include "base/platform/compression/bodies.hpp"

#include <utility>

#include "shared/api/public_answer.hpp"

namespace svc::compression {
namespace {

// Below this a coding saves less than its header costs a client that unpacks it.
constexpr std::size_t least_coded = 1024;

}  // namespace

void Bodies::keep(const std::string& tag, const Text& text) {
    const std::size_t bytes = size_of(tag, text);
    if (bytes > most_bytes_ / 2)
        return;
    if (fresh_bytes_ + bytes > most_bytes_ / 2) {
        stale_ = std::exchange(fresh_, {});
        stale_bytes_ = std::exchange(fresh_bytes_, 0);
    }
    if (fresh_.emplace(tag, text).second)
        fresh_bytes_ += bytes;
}

Bodies::Text Bodies::prepared(Coding coding, const std::string& tag, std::string_view text) {
    if (!tally_.in_use())
        return std::make_shared<const std::string>(compress(coding, text));
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = fresh_.find(tag); known != fresh_.end()) {
            tally_.note(true);
            return known->second;
        }
        if (const auto known = stale_.find(tag); tally_.note(known != stale_.end())) {
            Text again = known->second;
            keep(tag, again);
            return again;
        }
    }
    auto body = std::make_shared<const std::string>(compress(coding, text));
    const std::lock_guard lock(mutex_);
    keep(tag, body);
    return body;
}

api::Reply Bodies::answer(const api::Request& request, std::shared_ptr<const std::string> text,
                          const std::string& etag) {
    if (text->size() < least_coded)
        return api::public_answer(request, std::move(text), etag);
    const Coding coding = request.header ? best_coding(request.header("accept-encoding")) : Coding::plain;
    if (coding == Coding::plain) {
        auto reply = api::public_answer(request, std::move(text), etag);
        reply.headers.emplace_back("Vary", "Accept-Encoding");
        return reply;
    }
    std::string tag = etag;
    tag.insert(tag.size() - 1, "-" + std::string(name_of(coding)));
    auto reply = api::public_answer(request, nullptr, tag);
    reply.headers.emplace_back("Vary", "Accept-Encoding");
    if (reply.status != 304) {
        reply.raw = prepared(coding, tag, *text);
        reply.headers.emplace_back("Content-Encoding", name_of(coding));
    }
    return reply;
}

caches::Usage Bodies::usage() const {
    const std::lock_guard lock(mutex_);
    return {.entries = static_cast<std::int64_t>(fresh_.size() + stale_.size()),
            .bytes = static_cast<std::int64_t>(fresh_bytes_ + stale_bytes_)};
}

void Bodies::each(const std::function<void(std::string_view, std::size_t)>& take) const {
    const std::lock_guard lock(mutex_);
    for (const Texts* texts : {&fresh_, &stale_})
        for (const auto& [tag, text] : *texts)
            take(tag, size_of(tag, text));
}

std::int64_t Bodies::forget(const std::function<bool(std::string_view)>& fits) {
    const std::lock_guard lock(mutex_);
    const auto out_of = [&](Texts& texts, std::size_t& bytes) {
        return static_cast<std::int64_t>(std::erase_if(texts, [&](const auto& entry) {
            const bool goes = fits(entry.first);
            bytes -= goes ? size_of(entry.first, entry.second) : 0;
            return goes;
        }));
    };
    const auto fresh = out_of(fresh_, fresh_bytes_);
    return fresh + out_of(stale_, stale_bytes_);
}

std::size_t Bodies::bytes() const {
    const std::lock_guard lock(mutex_);
    return fresh_bytes_ + stale_bytes_;
}

}  // namespace svc::compression
