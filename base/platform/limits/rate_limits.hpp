// How often something may be done: token buckets by bucket name and subject, in bounded memory, shared through the
// database between the processes of an installation (promise S20).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"
#include "shared/store/store.hpp"

namespace svc::limits {

// `burst` times at once, refilled evenly over `per`. A burst of 0 or less is no limit.
struct Limit {
    int burst = 0;
    std::chrono::seconds per{60};
};

struct Verdict {
    bool allowed = true;
    int retry_after = 0;  // seconds, at least 1 when refused
    int limit = 0;        // uses at once; 0: unlimited, or not known
    int rest = 0;         // uses that are left now
    int reset = 0;        // seconds until all of them are left again
};

// One use to be counted strictly; see RateLimits::take_strictly.
struct Use {
    std::string_view bucket;   // "login_account"
    std::string_view subject;  // an account, a session, a network
    Limit limit;
};

// Any thread.
class RateLimits {
  public:
    // `shared` null: this process counts alone and has no strict counts.
    // `capacity` bounds the buckets in memory; the least recently used are forgotten first, which needs that many
    // subjects at work at once and gives each no more than a fresh burst.
    explicit RateLimits(const Clock& clock, store::Store* shared = nullptr, std::size_t capacity = 65'536);
    ~RateLimits();  // stops
    RateLimits(const RateLimits&) = delete;
    RateLimits& operator=(const RateLimits&) = delete;

    // Counts one use in memory. Processes add up their uses by exchange(); between two exchanges each may admit a
    // quarter of the burst of its own, but no more over time: the excess is subtracted later.
    Verdict take(std::string_view bucket, std::string_view subject, Limit limit);
    // What is left of it, without counting a use.
    [[nodiscard]] Verdict left(std::string_view bucket, std::string_view subject, Limit limit) const;

    // Counts one use of every bucket in the database, in one transaction, or none when any is used up: exact for any
    // number of processes, by the caller's clock. For guesses at passwords and tokens. Costs a commit, except that a
    // rejection is cached here until it expires. Throws store::Unavailable.
    Verdict take_strictly(const std::vector<Use>& uses);
    // Whether this process has refused strict uses of that bucket and their time is not over. Looks nothing up.
    [[nodiscard]] Verdict refused(std::string_view bucket, std::string_view subject) const;
    // Takes strict uses back within the caller's transaction, as the guess was right.
    static void give_back(store::Transaction& tx, const std::vector<Use>& uses);

    // Adds this process's uses to the table and reads those of others: every second from start() to stop(), on a thread
    // of its own. Without the database each process has its own count.
    void start();
    void stop();
    void exchange();
    // Deletes rows whose buckets are full again; returns how many. For the daily clean-up.
    std::int64_t clean_up();

    [[nodiscard]] std::size_t size() const;  // buckets in memory

  private:
    class Buckets;
    struct Exchanger;
    [[nodiscard]] std::int64_t now() const { return clock_.now().micros(); }

    const Clock& clock_;
    store::Store* store_;
    std::unique_ptr<Buckets> counted_, refused_;
    std::unique_ptr<Exchanger> exchanger_;
};

// 429 with Retry-After for a refusal, success otherwise.
Result<void> answer_of(const Verdict& verdict, const ErrorCode& code = errc::rate_limited);

}  // namespace svc::limits
