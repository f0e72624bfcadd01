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
            .help =
                "Deletes and erases what is older than the settings keep it: logs, events, e-mails, checkout sessions, "
                "files of exports, personal data.",
            .run = [this](Instant now) { return run(now); },
            .daily_at = ClockTime::from_minutes(3 * 60 + 20)};
}

Result<std::int64_t> Housekeeping::clear(const Piece& piece, Instant now) {
    std::int64_t total = 0;
    for (int i = 0; i < most_batches; ++i) {
        std::int64_t deleted = 0;
        const auto done = store_.write([&](store::Transaction& tx) -> Result<void> {
            deleted = piece(tx, now, batch);
            return {};
        });
        if (!done)
            return done.error();
        total += deleted;
        if (deleted < batch)
            break;
    }
    return total;
}

Result<json::Value> Housekeeping::run(Instant now) {
    auto counts = json::Value::object();
    std::string failed;
    const auto take = [&](const std::string& name, const std::function<Result<std::int64_t>()>& work) {
        std::string problem;
        try {
            if (const auto done = work())
                counts.set(name, *done);
            else
                problem = done.error().message().english();
        } catch (const std::exception& thrown) {
            problem = thrown.what();
        }
        if (problem.empty())
            return;
        log::error("housekeeping_failed", {{"piece", name}, {"problem", problem}});
        failed += (failed.empty() ? "" : ", ") + name;
    };
    for (const auto& [name, piece] : pieces_)
        take(name, [&, &each = piece] { return clear(each, now); });
    for (const auto& [name, chore] : chores_)
        take(name, [&, &each = chore] { return each(now); });
    if (!failed.empty())
        return Error{errc::internal_error, "Housekeeping could not finish everything."_sentence}.because(failed);
    return counts;
}

}  // namespace svc::jobs
