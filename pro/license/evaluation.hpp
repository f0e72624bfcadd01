// The evaluation: 30 days of all plans without a licence, once per database, in builds without a licence server's key.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "pro/license/license.hpp"
#include "shared/core/result.hpp"
#include "shared/plugin/host.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::license {

inline constexpr ErrorCode no_evaluation{"no_evaluation", 409,
                                         "This build of Pro has no evaluation. Enter a licence key and activate it."};
inline constexpr ErrorCode evaluation_used{
    "evaluation_used", 409, "The evaluation was used on this database. Enter a licence key and activate it."};

struct Evaluation {
    static constexpr std::chrono::hours length{30 * 24};

    Instant started_at;
    Instant last_seen_at;     // the latest moment at which it was known to last
    bool is_genuine = false;  // false: its rows were changed or removed, or sealed with another key file

    [[nodiscard]] Instant ends_at() const { return started_at.plus(length); }
    // Not while the clock is more than an hour behind the moment that was seen: setting it back gains no days.
    [[nodiscard]] bool is_running(Instant now) const;
    [[nodiscard]] std::int64_t days_left(Instant now) const;  // a day that has begun counts; 0 when it does not run
};

// Whether this build can be evaluated: without a licence server's key no licence can be activated.
bool is_evaluation_build();

// The licence with the terms of the evaluation in place of its own.
License evaluated(License license, const Evaluation& evaluation, Instant now);

// The rows of the evaluation. Any thread.
class Evaluations {
  public:
    explicit Evaluations(const plugin::Secrets& secrets) : secrets_(secrets) {}
    // Nothing when it never began on this database.
    [[nodiscard]] std::optional<Evaluation> find(store::Session& session) const;
    // False when it has begun already. The row of the licence exists.
    bool begin(store::Transaction& tx, const std::string& site_id, Instant now) const;
    // Notes that it lasted at that moment, sealed with the key in use.
    void see(store::Transaction& tx, const std::string& site_id, const Evaluation& evaluation, Instant now) const;

  private:
    [[nodiscard]] std::string seal(const std::string& site_id, Instant started_at) const;
    const plugin::Secrets& secrets_;
};

}  // namespace svc::pro::license
