// The base's own notices: counts of recent failures, each one statement on an index.
#include "base/admin/notices/notices.hpp"
#include "shared/store/typed.hpp"

namespace svc::notices {
namespace {

constexpr const char* for_settings = "svc_manage_settings";
constexpr const char* for_tools = "manage_options";
constexpr std::int64_t most_linked = 3;  // bookings that a notice names
constexpr int days_of_failures = 7;

Instant failures_since(Instant now) { return now.minus(std::chrono::hours(24 * days_of_failures)); }

std::string number_of(std::int64_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

struct Failures {
    std::int64_t count = 0;
    Instant last;
};
Failures failures(store::Session& session, std::string_view sql, const store::Params& params) {
    const auto row = store::tuple<std::int64_t, std::optional<Instant>>(session, sql, params);
    if (!row)
        return {};
    return {std::get<0>(*row), std::get<1>(*row).value_or(Instant{})};
}

std::vector<Notice> undeliverable_mails(store::Session& session, Instant now) {
    const auto failed = failures(session,
                                 "SELECT COUNT(*), MAX(updated_at) FROM svc_email_outbox WHERE status = 'failed' AND"
                                 " created_at >= :since",
                                 {{"since", failures_since(now)}});
    if (failed.count == 0)
        return {};
    return {{.key = "undeliverable_mails",
             .type = "error",
             .title = "E-mails could not be delivered",
             .message = number_of(failed.count, "e-mail", "e-mails") +
                        " of the last 7 days could not be delivered after six tries. Check the mail server's settings"
                        " and the recipients' addresses.",
             .actions = {{"Mail settings", "/admin/settings?group=email", for_settings}},
             .since = failed.last,
             .capability = for_settings}};
}

std::vector<Notice> events_given_up(store::Session& session, Instant /*now*/) {
    const auto dead = failures(session,
                               "SELECT COUNT(*), MAX(occurred_at) FROM svc_domain_events WHERE dispatched_at IS NULL"
                               " AND attempts >= 5 AND leased_by IS NULL",
                               {});
    if (dead.count == 0)
        return {};
    return {{.key = "events_given_up",
             .type = "error",
             .title = "Events were given up",
             .message = number_of(dead.count, "event", "events") +
                        " could not be handled. `svc failed` lists them, `svc retry` handles them again.",
             .actions = {{"Status", "/admin/tools/status", for_tools}},
             .since = dead.last,
             .capability = for_settings}};
}

std::vector<Notice> repaired_seats(store::Session& session, Instant now) {
    const auto drift = failures(session,
                                "SELECT COUNT(*), MAX(created_at) FROM svc_logs WHERE type = 'booking' AND"
                                " created_at >= :since AND event = 'seat_ledger_mismatch'",
                                {{"since", failures_since(now)}});
    if (drift.count == 0)
        return {};
    return {{.key = "seat_drift_repaired",
             .title = "Seat counts were corrected",
             .message = "The nightly audit corrected the seats of " +
                        number_of(drift.count, "departure", "departures") +
                        ", which differed from their bookings. The log names them.",
             .actions = {{"Departures", "/admin/departures"}, {"Log", "/admin/tools/logs?type=booking", for_tools}},
             .since = drift.last,
             .capability = "svc_view_departures"}};
}

std::vector<Notice> failing_jobs(store::Session& session, Instant now) {
    std::vector<Notice> all;
    store::each_row(session,
                    "SELECT name, last_finished_at FROM svc_jobs WHERE last_status = 'failed' AND"
                    " last_finished_at >= :since ORDER BY name",
                    {{"since", failures_since(now)}}, [&](const std::string& name, Instant at) {
                        all.push_back({.key = "job_failed." + name,
                                       .title = "A job failed",
                                       .message = "The last run of the job " + name +
                                                  " failed. It runs again at its next turn; the log has the reason.",
                                       .actions = {{"Jobs", "/admin/tools/cron", for_tools}},
                                       .since = at,
                                       .capability = for_settings});
                    });
    return all;
}

std::vector<Notice> payments_in_review(store::Session& session, Instant /*now*/) {
    const auto open = failures(session,
                               "SELECT COUNT(*), MAX(updated_at) FROM svc_payment_intents WHERE reconciliation ="
                               " 'review'",
                               {});
    if (open.count == 0)
        return {};
    std::vector<Action> bookings;
    store::each_row(session,
                    "SELECT DISTINCT b.id, b.reference FROM svc_payment_intents i JOIN svc_bookings b ON"
                    " b.id = i.booking_id WHERE i.reconciliation = 'review' ORDER BY b.id LIMIT :most",
                    {{"most", most_linked}}, [&](std::int64_t id, const std::string& reference) {
                        bookings.push_back({reference, "/admin/bookings/" + std::to_string(id)});
                    });
    bookings.push_back({"Payments", "/admin/payments"});
    return {{.key = "payments_in_review",
             .type = "error",
             .title = "Payments need a decision",
             .message = number_of(open.count, "payment does", "payments do") +
                        " not fit what the payment provider reports. Compare them with the provider's account.",
             .actions = std::move(bookings),
             .since = open.last,
             .capability = "svc_refund_bookings"}};
}

}  // namespace

std::vector<Source> own_sources(const Site& site) {
    const auto settings = [&site](store::Session&, Instant) {
        std::vector<Notice> all;
        for (const auto& notice : site.settings.notices())
            all.push_back({.key = "setting." + notice.code,
                           .type = notice.level,
                           .title = "A setting needs attention",
                           .message = notice.message.english(),
                           .actions = {{"Settings", "/admin/settings?search=" + notice.key, for_settings}},
                           .capability = for_settings});
        if (!site.settings.flag("smtp_enabled") || site.settings.text("smtp_host").empty())
            all.push_back({.key = "mail_not_configured",
                           .title = "No mail server is configured",
                           .message = "E-mails wait in the queue until a mail server is set and switched on.",
                           .actions = {{"Mail settings", "/admin/settings?group=email", for_settings}},
                           .capability = for_settings});
        return all;
    };
    return {payments_in_review, undeliverable_mails, events_given_up, failing_jobs, repaired_seats, settings};
}

}  // namespace svc::notices
