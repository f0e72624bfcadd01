// Events and e-mails given up after too many attempts, and their return to the queues.
#include "base/app/assembly.hpp"
#include "base/messaging/outbox/repository.hpp"
#include "base/platform/events/repository.hpp"

namespace svc::commands {
namespace {

constexpr int most_listed = 1000;
constexpr std::string_view event = "event", mail = "mail";

std::vector<FailedDeliveries> all_of(store::Session& session) {
    std::vector<FailedDeliveries> all;
    for (const auto& one : events::rows::dead(session, most_listed))
        all.push_back({std::string(event), one.id, one.name, one.occurred_at.text(),
                       one.error.empty() ? "The processes that ran it ended." : one.error});
    for (const auto& one : messaging::outbox::dead_letters(session, most_listed))
        all.push_back({std::string(mail), one.id, one.template_key, one.failed_at.text(), one.error});
    return all;
}

bool revived(store::Transaction& tx, const FailedDeliveries& one, Instant now) {
    return one.kind == event ? events::rows::revive(tx, one.id) : messaging::outbox::revive(tx, one.id, now);
}

}  // namespace

std::vector<FailedDeliveries> given_up(const BaseOptions& options) {
    return app::open_current(options)->reading<std::vector<FailedDeliveries>>(all_of);
}

int run_again(const BaseOptions& options, const std::string& kind, std::int64_t id) {
    if (kind != event && kind != mail)
        throw std::runtime_error("there are events and mails to run again: svc retry event ID, svc retry mail ID");
    const auto store = app::open_current(options);
    const SystemClock clock;
    int done = 0;
    const auto written = store->write([&](store::Transaction& tx) -> Result<void> {
        done = 0;
        if (id != 0) {
            done = revived(tx, {.kind = kind, .id = id, .what = {}, .since = {}, .why = {}}, clock.now()) ? 1 : 0;
            return {};
        }
        for (const FailedDeliveries& one : all_of(tx))
            done += one.kind == kind && revived(tx, one, clock.now()) ? 1 : 0;
        return {};
    });
    if (!written)
        throw std::runtime_error(written.error().message().english());
    if (id != 0 && done == 0)
        throw std::runtime_error("there is no " + kind + " " + std::to_string(id) + " that was given up");
    return done;
}

}  // namespace svc::commands
