// Builds, sends and stores usage reports.
#include "base/admin/notices/usage.hpp"

#include "shared/store/read_rows.hpp"

namespace svc::notices {
namespace {

using json::Value;
using std::chrono::hours;

constexpr std::int64_t micros_of_week = std::int64_t{7} * 86'400'000'000;
constexpr auto between_reports = hours(24 * 7), between_tries = hours(24);

// The order of magnitude: 0, 1, 10, 100. An exact count would disclose more than needed.
std::int64_t magnitude_of(std::int64_t count) {
    std::int64_t bound = 1;
    while (bound * 10 <= count)
        bound *= 10;
    return count <= 0 ? 0 : bound;
}

struct UsageState {
    std::string instance_id, pending;
    std::int64_t retry_count = 0;
    std::optional<Instant> next_retry, last_sent;
    std::optional<std::string> last_error;
};

std::optional<UsageState> state_of(store::Store& store) {
    return store.reading<std::optional<UsageState>>([](store::Session& session) {
        return store::first_row(
            session,
            "SELECT instance_id, pending, retry_count, next_retry_at, last_sent_at, last_error FROM"
            " svc_usage_state WHERE id = 1",
            {},
            [](const std::string& id, const std::optional<std::string>& pending, std::int64_t retries,
               std::optional<Instant> next, std::optional<Instant> last, const std::optional<std::string>& error) {
                return UsageState{id, pending.value_or(""), retries, next, last, error};
            });
    });
}

}  // namespace

Usage::Usage(const Site& site) : site_(site), address_(SVC_USAGE_ADDRESS) {}

void Usage::add_jobs() {
    site_.jobs.add({.name = "usage_tracking",
                    .help = "Sends the weekly usage report, if staff turned it on and this build has an address.",
                    .every = hours(24),
                    .run = [this](Instant now) { return run_weekly(now); }});
}

// While reports are off, the installation has no lasting id: a forced report has one of its week, which nothing stores,
// so that its receiver drops a repeat and cannot connect the weeks.
std::string Usage::instance_id() const {
    if (const auto state = state_of(site_.store))
        return state->instance_id;
    return crypto::hex(site_.keyring->mac("usage-report", std::to_string(this_week())).substr(0, 16));
}

// Counted from 1970: with the installation's id it identifies a report.
std::int64_t Usage::this_week() const { return site_.clock.now().micros() / micros_of_week; }

Value Usage::report() const {
    auto counts = Value::object();
    site_.store.read([&](store::Session& session) {
        counts = Value::object(
            {{"trips", magnitude_of(session.number("SELECT COUNT(*) FROM svc_trips WHERE status = 'publish'", {}))},
             {"bookings", magnitude_of(session.number("SELECT COUNT(*) FROM svc_bookings", {}))},
             {"customers", magnitude_of(session.number("SELECT COUNT(*) FROM svc_customers", {}))},
             {"users", magnitude_of(session.number("SELECT COUNT(*) FROM svc_users", {}))}});
    });
    return Value::object({{"instance_id", instance_id()},
                          {"week", this_week()},
                          {"version", SVC_VERSION},
                          {"database", site_.store.dialect() == store::Dialect::sqlite ? "SQLite" : "PostgreSQL"},
                          {"currency", site_.settings.currency().code()},
                          {"timezone", site_.settings.zone().name()},
                          {"orders_of_magnitude", std::move(counts)}});
}

// A report of this week that was not accepted is sent again as it was: the same key must have the same body.
Value Usage::report_to_send() const {
    if (const auto state = state_of(site_.store); state && !state->pending.empty())
        if (auto pending = json::parse(state->pending); pending && (*pending)["week"] == Value(this_week()))
            return std::move(*pending);
    return report();
}

UsageStatus Usage::status() const {
    UsageStatus status{.enabled = site_.settings.flag(usage_setting), .has_address = !address_.empty()};
    if (const auto state = state_of(site_.store)) {
        status.instance_id = state->instance_id;
        status.last_sync = state->last_sent;
        status.next_retry = state->next_retry;
        status.retry_count = state->retry_count;
        status.last_error = state->last_error;
    }
    if (status.enabled && status.has_address)
        status.next_scheduled = status.last_sync ? status.last_sync->plus(between_reports) : site_.clock.now();
    return status;
}

Result<void> Usage::enable(bool enabled, std::int64_t user_id) const {
    return site_.store.write([&](store::Transaction& tx) -> Result<void> {
        SVC_RETURN_IF_ERROR(site_.settings.write(tx, Value::object({{usage_setting, enabled}}), user_id));
        if (!enabled) {
            tx.run("DELETE FROM svc_usage_state", {});
            tx.run("DELETE FROM svc_usage_snapshots", {});
        } else {
            tx.run("INSERT INTO svc_usage_state (id, instance_id) VALUES (1, :instance) ON CONFLICT (id) DO NOTHING",
                   {{"instance", crypto::hex(crypto::random_bytes(16))}});
        }
        return {};
    });
}

// In its own transaction before anything is sent, so that neither a crash nor two at once send a week twice.
Result<bool> Usage::begin_period(std::int64_t period, bool forced) const {
    return site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        return tx.run(
                   "UPDATE svc_usage_state SET period = :period WHERE id = 1 AND (period IS NULL OR period <> :period)",
                   {{"period", period}}) > 0 ||
               forced;
    });
}

Result<bool> Usage::send(bool forced) const {
    if (!site_.settings.flag(usage_setting) && !forced)
        return invalid("force", "Usage reports are off. Turn them on, or send one now with force."_sentence);
    if (address_.empty())
        return Error{errc::validation_error, "This build has no address for usage reports; nothing is sent."_sentence};
    const Value weekly = report_to_send();
    const auto started = begin_period(weekly["week"].integer(), forced);
    if (!started || !*started)
        return started;
    const std::string body = weekly.dump(), instance = weekly["instance_id"].text();
    const auto answer = site_.fetch({.url = address_,
                                     .method = "POST",
                                     .headers = {{"Content-Type", "application/json"},
                                                 {"Idempotency-Key", instance + "-" + weekly["week"].number_text()}},
                                     .body = body});
    const bool taken = answer && answer->status / 100 == 2;
    const Instant now = site_.clock.now();
    const std::string why = answer ? "The server answered " + std::to_string(answer->status) + "."
                                   : std::string("The server could not be reached.");
    auto noted = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        // Without a row reports are off, and a forced report is not stored.
        if (taken) {
            if (tx.run("UPDATE svc_usage_state SET pending = NULL, retry_count = 0, next_retry_at = NULL,"
                       " last_error = NULL, last_sent_at = :now WHERE id = 1",
                       {{"now", now}}) > 0)
                tx.run("INSERT INTO svc_usage_snapshots (payload, sent_at) VALUES (:payload, :now)",
                       {{"payload", body}, {"now", now}});
            return {};
        }
        tx.run(
            "UPDATE svc_usage_state SET period = NULL, pending = :payload, retry_count = retry_count + 1, "
            "next_retry_at = :next,"
            " last_error = :why WHERE id = 1",
            {{"payload", body}, {"next", now.plus(between_tries)}, {"why", why}});
        return {};
    });
    if (!noted)
        return noted.error();
    if (!taken)
        return Error{errc::upstream_error, "The usage report could not be sent. {why}"_sentence.with("why", why)};
    return true;
}

Result<Value> Usage::run_weekly(Instant now) const {
    const auto is = status();
    const bool is_due = is.next_retry ? *is.next_retry <= now : is.next_scheduled && *is.next_scheduled <= now;
    if (!is.enabled || !is.has_address || !is_due)
        return Value::object({{"sent", 0}});
    SVC_ASSIGN_OR_RETURN(const auto sent, send(false));
    return Value::object({{"sent", sent ? 1 : 0}});
}

Result<void> Usage::forget_pending() const {
    return site_.store.write([](store::Transaction& tx) -> Result<void> {
        tx.run(
            "UPDATE svc_usage_state SET pending = NULL, retry_count = 0, next_retry_at = NULL, last_error = NULL"
            " WHERE id = 1",
            {});
        return {};
    });
}

Result<std::int64_t> Usage::delete_snapshots() const {
    return site_.store.transact<std::int64_t>(
        [](store::Transaction& tx) -> Result<std::int64_t> { return tx.run("DELETE FROM svc_usage_snapshots", {}); });
}

}  // namespace svc::notices
