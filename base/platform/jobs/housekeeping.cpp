// Deletes in batches.
#include "base/platform/jobs/housekeeping.hpp"

#include "shared/core/log.hpp"

namespace svc::jobs {
namespace {

constexpr int batch = 500;
constexpr int most_batches = 2000;  // of a piece in one run

}  // namespace

Job Housekeeping::job() {
    return {.name = "housekeeping",
            .says = "Deletes old events and expired checkout sessions in small batches.",
            .run = [this](Instant now) { return run(now); },
            .daily_at = ClockTime::from_minutes(3 * 60 + 20)};
}

Result<json::Value> Housekeeping::run(Instant now) {
    auto counts = json::Value::object();
    std::string failed;
    for (const auto& [name, piece] : pieces_) {
        std::int64_t total = 0;
        try {
            for (int i = 0; i < most_batches; ++i) {
                std::int64_t deleted = 0;
                const auto done = store_.write([&, &clear = piece](store::Transaction& tx) -> Result<void> {
                    deleted = clear(tx, now, batch);
                    return {};
                });
                if (!done)
                    return done.error();
                total += deleted;
                if (deleted < batch)
                    break;
            }
        } catch (const std::exception& problem) {
            log::error("housekeeping_failed", {{"piece", name}, {"problem", problem.what()}});
            failed += (failed.empty() ? "" : ", ") + name;
        }
        counts.set(name, total);
    }
    if (!failed.empty())
        return Error{errc::internal_error, "Housekeeping could not finish everything."}.because(failed);
    return counts;
}

}  // namespace svc::jobs
