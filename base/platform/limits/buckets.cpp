// The arithmetic of buckets, and the limit of their number.
#include "base/platform/limits/buckets.hpp"

#include <algorithm>
#include <tuple>

#include "base/platform/crypto/crypto.hpp"

namespace svc::limits {

std::string stored_subject(std::string_view subject) { return crypto::hex(crypto::sha256(subject).substr(0, 16)); }

RateLimits::Buckets::Buckets(std::size_t capacity)
    : shard_capacity_(std::max<std::size_t>(1, capacity / std::tuple_size_v<decltype(shards_)>)) {}

std::string RateLimits::Buckets::key_of(std::string_view bucket, std::string_view subject) {
    std::string key(bucket);
    key += '\0';
    // Subjects come from outside: a long one must not take more memory than a short one.
    if (subject.size() <= 64)
        key += subject;
    else
        key += crypto::sha256(subject);
    return key;
}

RateLimits::Buckets::Entry& RateLimits::Buckets::Shard::touch(std::string key, std::size_t bucket_length,
                                                              std::size_t capacity) {
    if (const auto found = by_key.find(key); found != by_key.end()) {
        by_use.splice(by_use.begin(), by_use, found->second);
        return by_use.front();
    }
    if (by_use.size() >= capacity) {
        by_key.erase(by_use.back().key);
        by_use.pop_back();
    }
    by_use.push_front(Entry{.key = std::move(key), .bucket_length = bucket_length});
    by_key.emplace(by_use.front().key, by_use.begin());
    return by_use.front();
}

Verdict RateLimits::Buckets::take(std::string_view bucket, std::string_view subject, Limit limit, std::int64_t now) {
    const Pace pace = Pace::of(limit);
    std::string key = key_of(bucket, subject);
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    Entry& entry = shard.touch(std::move(key), bucket.size(), shard_capacity_);
    entry.per = pace.per;
    entry.busy_until = std::min(entry.busy_until, pace.latest(now));
    if (entry.busy_until <= now) {
        entry.busy_until = now;
        // Less than a quarter of the refill during a whole refill's time is not reported. It accumulates, else callers
        // that use each process at the pace of the refill would never be reported.
        if (now - entry.unsent_since >= pace.per)
            entry.unsent = 0;
    }
    if (entry.busy_until + pace.step - now > pace.per)
        return pace.verdict(false, entry.busy_until, now);
    if (entry.unsent == 0)
        entry.unsent_since = entry.busy_until;
    entry.busy_until += pace.step;
    entry.unsent += pace.step;
    return pace.verdict(true, entry.busy_until, now);
}

Verdict RateLimits::Buckets::left(std::string_view bucket, std::string_view subject, Limit limit,
                                  std::int64_t now) const {
    const Pace pace = Pace::of(limit);
    return pace.verdict(true, std::min(marked_until(bucket, subject), pace.latest(now)), now);
}

void RateLimits::Buckets::mark(std::string_view bucket, std::string_view subject, std::int64_t until) {
    std::string key = key_of(bucket, subject);
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    shard.touch(std::move(key), bucket.size(), shard_capacity_).busy_until = until;
}

std::int64_t RateLimits::Buckets::marked_until(std::string_view bucket, std::string_view subject) const {
    const std::string key = key_of(bucket, subject);
    const Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.by_key.find(key);
    return found == shard.by_key.end() ? 0 : found->second->busy_until;
}

std::vector<RateLimits::Buckets::Unsent> RateLimits::Buckets::unsent(std::int64_t now, std::size_t most) const {
    std::vector<Unsent> found;
    for (const Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        for (const Entry& entry : shard.by_use) {
            if (found.size() >= most)
                break;
            if (entry.unsent == 0 || std::max(entry.busy_until - now, entry.unsent) < entry.per / 4)
                continue;
            found.push_back({.key = entry.key,
                             .bucket = entry.key.substr(0, entry.bucket_length),
                             .subject = stored_subject(std::string_view(entry.key).substr(entry.bucket_length + 1)),
                             // After the clock was set back, the bucket and the debt that others receive are cut.
                             .since = std::min(entry.unsent_since, entry.busy_until - entry.unsent),
                             .used = entry.unsent,
                             .latest = now + 2 * entry.per});
        }
    }
    // One order for everybody, so that two exchanges never wait for each other.
    std::sort(found.begin(), found.end(), [](const Unsent& a, const Unsent& b) {
        return std::tie(a.bucket, a.subject) < std::tie(b.bucket, b.subject);
    });
    return found;
}

void RateLimits::Buckets::received(const Unsent& sent, std::int64_t busy_until) {
    Shard& shard = shard_of(sent.key);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.by_key.find(sent.key);
    if (found == shard.by_key.end())
        return;
    Entry& entry = *found->second;
    // Adds uses counted here since it was sent; a bucket that refilled meanwhile reported nothing since.
    entry.unsent = std::max<std::int64_t>(0, entry.unsent - sent.used);
    entry.unsent_since = busy_until;
    entry.busy_until = busy_until + entry.unsent;
}

std::size_t RateLimits::Buckets::size() const {
    std::size_t sum = 0;
    for (const Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        sum += shard.by_use.size();
    }
    return sum;
}

}  // namespace svc::limits
