// What the listeners store, and the steps of a run of the job besides the sending itself.
#include "pro/mailchimp/sync.hpp"

#include <algorithm>

#include "pro/mailchimp/run.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;

constexpr std::int64_t most_reports = 500, most_withdrawals = 200, most_removals = 100, most_of_run = 500,
                       most_strays = 500;
constexpr auto look_for_strays_every = std::chrono::hours(1);
constexpr auto longest_rest = std::chrono::seconds(3600);

}  // namespace

std::chrono::seconds rest_after(Outcome outcome, std::int64_t failures, std::optional<std::chrono::seconds> asked) {
    if (outcome == Outcome::key || outcome == Outcome::gone)
        return longest_rest;  // somebody has to change the settings, which ends the rest
    const auto doublings = std::clamp<std::int64_t>(failures - 1, 0, 10);
    const auto rest =
        std::min<std::chrono::seconds>(std::chrono::seconds(30) * (std::int64_t{1} << doublings), longest_rest);
    return asked ? std::max(rest, *asked) : rest;
}

std::string_view problem_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::key:
            return "key";
        case Outcome::throttled:
            return "throttled";
        case Outcome::garbled:
            return "garbled";
        case Outcome::gone:
            return "list";
        default:
            return "unavailable";
    }
}

void Sync::occurred(const std::string& event, const Value& payload) const {
    const Value& booking = payload["booking"];
    const auto customer_id = booking.is_object() ? booking.maybe_integer("customer_id") : std::nullopt;
    const Configuration now_set = configuration_of(site_);
    if (!customer_id || !now_set.is_complete())
        return;
    const bool is_payment = event.starts_with("payment.");
    // The end of a booking adds nobody; it changes the tags of those who are contacts.
    const bool is_wanted = is_payment
                               ? now_set.on_payment
                               : now_set.on_booking && (event == "booking.created" || event == "booking.confirmed");
    if (!is_wanted && !site_.store.reading<bool>(
                          [&](store::Session& session) { return Repository::has_member(session, *customer_id); }))
        return;
    const auto now = site_.clock.now();
    static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Repository::queue(tx, *customer_id, is_payment ? "payment" : "booking", booking.maybe_integer("id"), now);
        tx.after_commit([jobs = site_.jobs] { jobs->wake(sync_job); });
        return {};
    }));
}

void Sync::changed(std::int64_t customer_id, bool is_new) const {
    const Configuration now_set = configuration_of(site_);
    if (!now_set.is_complete())
        return;
    const bool concerns = site_.store.reading<bool>([&](store::Session& session) {
        // One that a booking made waits for the event of the booking or the payment, as the settings say.
        return session.number(
                   is_new ? "SELECT COUNT(*) FROM svc_customer_v1 WHERE id = :id AND newsletter_optin = 1 AND source <>"
                            " 'booking'"
                          : "SELECT COUNT(*) FROM svc_customer_v1 WHERE id = :id AND newsletter_optin = 1",
                   {{"id", customer_id}}) > 0 ||
               Repository::has_member(session, customer_id);
    });
    if (!concerns)
        return;
    const auto now = site_.clock.now();
    static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Repository::queue(tx, customer_id, "customer", std::nullopt, now);
        tx.after_commit([jobs = site_.jobs] { jobs->wake(sync_job); });
        return {};
    }));
}

Result<std::int64_t> Sync::begin_run(Instant now) const {
    const Configuration now_set = configuration_of(site_);
    if (!now_set.is_complete())
        return Error{errc::conflict, "Save a key and choose an audience first."_sentence};
    return site_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        tx.after_commit([jobs = site_.jobs] { jobs->wake(sync_job); });
        return Runs::begin(tx, now_set, now);
    });
}

// What they report wins over all that is sent later: their word is taken over before anything is sent.
void Sync::take_reports(Instant now) const {
    const Configuration now_set = configuration_of(site_);
    const auto reports = site_.store.reading<std::vector<Report>>(
        [](store::Session& session) { return Repository::reports(session, most_reports); });
    for (const Report& report : reports)
        take(report, now_set, now);
}

void Sync::take(const Report& report, const Configuration& now_set, Instant now) const {
    auto member = site_.store.reading<std::optional<Member>>([&](store::Session& session) {
        auto found = Repository::member(session, report.list_id, report.email);
        if (!found)
            if (const auto customer = Repository::customer_of(session, report.email))
                found = Member{.email = report.email, .customer_id = *customer};
        return found;
    });
    // An audience chosen before counts for those whom we subscribed there.
    const bool is_former = member && member->id > 0 && member->is_ours && report.list_id != now_set.list_id;
    const bool is_known = member && (is_former || report.list_id == now_set.list_id);
    const bool subscribes = report.kind == "subscribe";
    bool changes = is_known, withdraws = false;
    // One that we never sent and that signs up there is their contact alone.
    if (subscribes && is_known && member->id == 0)
        changes = false;
    if (changes) {
        const bool is_gone = report.kind == "delete" || report.kind == "upemail";
        member->status = subscribes                 ? status::subscribed
                         : is_gone                  ? status::archived
                         : report.kind == "cleaned" ? status::cleaned
                                                    : status::unsubscribed;
        member->status_at = report.received_at;
        member->is_theirs = !subscribes;
        member->is_ours = subscribes && member->is_ours;
        withdraws = !subscribes && !is_gone;
    }
    static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Repository::drop_report(tx, report.id);
        if (changes)
            Repository::put(tx, report.list_id, *member, withdraws, now);
        if (is_known || report.list_id != now_set.list_id)
            Repository::log(tx,
                            {.customer_id = is_known ? std::optional(member->customer_id) : std::nullopt,
                             .booking_id = {},
                             .email = is_known ? report.email : std::string(),
                             .action = "report",
                             .status = is_known ? "received" : "skipped",
                             .reason = is_known ? report.kind : "other_list",
                             .detail = {},
                             .http_status = {}},
                            now);
        return {};
    }));
}

// By the route of the base, so that the rules of its records hold. A consent given later stays.
void Sync::withdraw_consents() const {
    const auto members = site_.store.reading<std::vector<Member>>(
        [](store::Session& session) { return Repository::withdrawals(session, most_withdrawals); });
    for (const Member& member : members) {
        const auto given_at = site_.store.reading<std::optional<Instant>>([&](store::Session& session) {
            return contact_of(session, {}, member.customer_id, site_.today(site_.clock.now())).opted_in_at;
        });
        const bool stands = given_at && *given_at <= member.status_at;
        if (stands) {
            const auto reply = calls_({.method = api::Method::put,
                                       .path = "/customers/" + std::to_string(member.customer_id),
                                       .body = Value::object({{"newsletter_optin", false}}),
                                       .as = plugin::Calls::As::system});
            if (!reply || (!reply->is_good() && reply->status != 404)) {  // tried again at the next run
                static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
                    Repository::tried(tx, member.id, site_.clock.now());
                    return {};
                }));
                continue;
            }
        }
        static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            Repository::withdrawn(tx, member.id);
            if (stands)
                Repository::log(tx,
                                {.customer_id = member.customer_id,
                                 .booking_id = {},
                                 .email = member.email,
                                 .action = "consent",
                                 .status = "received",
                                 .reason = member.status,
                                 .detail = {},
                                 .http_status = {}},
                                site_.clock.now());
            return {};
        }));
    }
}

// Contacts of erased persons, by their digest: for good where Mailchimp does that, else to its archive.
void Sync::remove_erased(Run& run) const {
    const auto rows = site_.store.reading<std::vector<Removal>>(
        [&](store::Session& session) { return Repository::removals(session, site_.clock.now(), most_removals); });
    for (const Removal& row : rows) {
        if (run.is_over())
            return;
        Answer answer = client_.forget(run.now_set.api_key, row.list_id, row.member_hash);
        if (answer.outcome == Outcome::rejected)
            answer = client_.archive(run.now_set.api_key, row.list_id, row.member_hash);
        const auto now = site_.clock.now();
        const bool is_done = answer.outcome == Outcome::done || answer.outcome == Outcome::gone;
        static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            if (is_done)
                Repository::removed(tx, row.id);
            else
                Repository::removal_failed(tx, row.id, now.plus(rest_after(answer.outcome, row.attempts + 1, {})));
            if (is_done || !pauses(answer.outcome))
                Repository::log(
                    tx,
                    {.customer_id = {},
                     .booking_id = {},
                     .email = {},
                     .action = "forget",
                     .status = is_done ? "sent" : "failed",
                     .reason = is_done ? "" : "rejected",
                     .detail = answer.detail,
                     .http_status = answer.status ? std::optional<std::int64_t>(answer.status) : std::nullopt},
                    now);
            return {};
        }));
        if (!pauses(answer.outcome))
            run.failing = 0;
        else if (run.is_of_all(answer)) {
            run.pause(site_, answer, problem_of(answer.outcome));
            return;
        }
    }
}

Result<Value> Sync::run(Instant now) const {
    Run run{.now_set = configuration_of(site_)};
    take_reports(now);
    withdraw_consents();
    const auto state = site_.store.reading<State>([](store::Session& session) { return Repository::state(session); });
    if (run.now_set.is_complete() && !(state.resume_at && *state.resume_at > now)) {
        const bool looks = !state.looked_at || state.looked_at->plus(look_for_strays_every) <= now;
        SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            if (looks)
                Runs::queue_strays(tx, run.now_set.list_id, most_strays, now);
            return {};
        }));
        run.failures = state.failures;
        remove_erased(run);
        for (bool more = true; more && !run.is_over();) {
            more = false;
            const auto at =
                site_.store.reading<State>([](store::Session& session) { return Repository::state(session); });
            if (at.is_running() && at.run_after) {
                SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
                    Runs::queue_next(tx, run.now_set, *at.run_after, most_of_run, now);
                    return {};
                }));
                more = true;
            }
            send_due(run);
        }
        SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            const State at = Repository::state(tx);
            if (at.is_running() && !at.run_after && Runs::waiting(tx) == 0)
                Runs::end(tx, site_.clock.now());
            return {};
        }));
        withdraw_consents();  // of those whose departure was learnt while sending
    }
    return Value::object({{"sent", run.sent.load()}, {"skipped", run.skipped.load()}, {"failed", run.failed.load()}});
}

}  // namespace svc::pro::mailchimp
