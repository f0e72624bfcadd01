// Token buckets in memory: sharded by key, each shard a bounded list in order of use.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/platform/limits/rate_limits.hpp"

namespace svc::limits {

// A bucket is one instant, in microseconds: when all uses will be refilled. It is empty when that is a whole `per`
// ahead and full when it has passed. Why: no counter, no window edge, and sums of uses add up.
struct Pace {
    std::int64_t step;  // added by one use
    std::int64_t per;
    int burst;
    static Pace of(Limit limit) {
        const std::int64_t per = std::chrono::microseconds(limit.per).count();
        return {per / limit.burst, per, limit.burst};
    }
    // Debts are limited, and a clock that was set back must not lock clients out for long.
    [[nodiscard]] std::int64_t latest(std::int64_t now) const { return now + 2 * per; }
    [[nodiscard]] int wait_until_free(std::int64_t busy_until, std::int64_t now) const {
        const std::int64_t wait = busy_until + step - per - now;
        return static_cast<int>(std::max<std::int64_t>(1, (wait + 999'999) / 1'000'000));
    }
    // What an answer says of the limit after that use, or instead of it.
    [[nodiscard]] Verdict verdict(bool allowed, std::int64_t busy_until, std::int64_t now) const {
        const std::int64_t busy = std::max<std::int64_t>(0, busy_until - now);
        return {.allowed = allowed,
                .retry_after = allowed ? 0 : wait_until_free(busy_until, now),
                .limit = burst,
                .rest = static_cast<int>(std::min<std::int64_t>(burst, std::max<std::int64_t>(0, per - busy) / step)),
                .reset = static_cast<int>((busy + 999'999) / 1'000'000)};
    }
};

// The subject of a row: no address or account name is stored in the database.
std::string stored_subject(std::string_view subject);

class RateLimits::Buckets {
  public:
    explicit Buckets(std::size_t capacity);

    Verdict take(std::string_view bucket, std::string_view subject, Limit limit, std::int64_t now);
    [[nodiscard]] Verdict left(std::string_view bucket, std::string_view subject, Limit limit, std::int64_t now) const;

    // A mark that lasts until that instant (for rejections).
    void mark(std::string_view bucket, std::string_view subject, std::int64_t until);
    [[nodiscard]] std::int64_t marked_until(std::string_view bucket, std::string_view subject) const;

    // A bucket that is used for at least a quarter now, or was so much within one refill's time, with the uses that the
    // table does not know yet.
    struct Unsent {
        std::string key, bucket, subject;  // subject as in the table
        std::int64_t since = 0;            // the bucket's instant before the uses
        std::int64_t used = 0;
        std::int64_t latest = 0;
    };
    [[nodiscard]] std::vector<Unsent> unsent(std::int64_t now, std::size_t most) const;
    // The table's instant after `sent` was added to it.
    void received(const Unsent& sent, std::int64_t busy_until);

    [[nodiscard]] std::size_t size() const;

  private:
    struct Entry {
        std::string key;
        std::size_t bucket_length = 0;
        std::int64_t busy_until = 0, unsent = 0, unsent_since = 0, per = 0;
    };
    struct Shard {
        mutable std::mutex mutex;
        std::list<Entry> by_use;  // most recent first
        std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key;
        Entry& touch(std::string key, std::size_t bucket_length, std::size_t capacity);
    };
    static std::string key_of(std::string_view bucket, std::string_view subject);
    Shard& shard_of(std::string_view key) { return shards_[std::hash<std::string_view>{}(key) % shards_.size()]; }
    [[nodiscard]] const Shard& shard_of(std::string_view key) const {
        return shards_[std::hash<std::string_view>{}(key) % shards_.size()];
    }

    std::array<Shard, 16> shards_;
    std::size_t shard_capacity_;
};

}  // namespace svc::limits
