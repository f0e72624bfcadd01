// Claims, judges whether it may be sent, sends, stores the outcome.
#include "pro/tracking/sender.hpp"

#include <algorithm>
#include <stdexcept>

#include "pro/tracking/parameters.hpp"
#include "pro/tracking/settings.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::tracking {
namespace {

using json::Value;
using Steady = std::chrono::steady_clock;

constexpr auto longest_run = std::chrono::seconds(20);
constexpr auto claim_for = std::chrono::seconds(60);  // longer than two requests
constexpr auto longest_rest = std::chrono::minutes(5);
constexpr auto looks_again = std::chrono::minutes(1);
constexpr std::size_t kept_answer = 2000;

std::string beginning_of(std::string_view answer) {
    std::string text = text::made_utf8(answer.substr(0, kept_answer));
    std::erase(text, '\0');  // no column holds it
    return text;
}

}  // namespace

// Empty where the base does not say it: then the message has no address of the page.
std::string Sender::site_url() {
    const auto known = address_ ? address_->site_url() : Result<std::string>(errc::unavailable);
    return known ? *known : std::string();
}

Sender::Ready Sender::ready(const TrackedEvent& event) {
    Ready now{.outgoing = {.event = event,
                           .booking = {},
                           .visitor = {},
                           .id = site_.settings.text(partner_.id_setting),
                           .secret = site_.settings.text(partner_.secret_setting),
                           .site_url = {},
                           .parameters = Value::object()}};
    if (!site_.settings.get(partner_.server_setting).boolean())
        now.reason = reason::switched_off;
    else if (!is_id(partner_, now.outgoing.id) || now.outgoing.secret.empty())  // PUT /settings takes any text
        now.reason = reason::no_credentials;
    else if (event.occurred_at.plus(partner_.takes_for) <= site_.clock.now())
        now.reason = reason::too_old;
    if (!now.reason.empty())
        return now;
    site_.store.read([&](store::Session& session) {
        const bool knows = Repository::knows_consent(session);
        const auto booking = Repository::booking(session, event.booking_id);
        const auto visitor = knows ? Repository::visitor(session, event.booking_id) : std::nullopt;
        if (!visitor || !booking) {
            now.reason = knows ? reason::no_consent : reason::old_base;
            return;
        }
        now.outgoing.booking = *booking;
        now.outgoing.visitor = *visitor;
        if (event.event == events::refund &&
            !Repository::was_sent(session, partner_, occasion_of(events::purchase, event.booking_id))) {
            now.waits = Repository::awaits_purchase(session, partner_, event.booking_id);
            now.reason = now.waits ? std::string_view() : reason::no_purchase;
        }
    });
    if (now.reason.empty() && !now.waits) {
        const Visitor& visitor = now.outgoing.visitor;
        const bool allows = partner_.needs_marketing ? visitor.marketing : visitor.analytics;
        now.reason = allows ? wire_.lacks(visitor) : reason::no_consent;
    }
    return now;
}

void Sender::finish(const TrackedEvent& event) {
    const auto done = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (Repository::record(tx, event) && event.status == status::sent) {
            const std::int64_t id = event.booking_id;
            if (event.event == events::purchase)
                Repository::note_sent(tx, partner_, occasion_of(events::purchase, id), *event.sent_at);
        }
        return {};
    });
    if (!done)
        throw std::runtime_error("the outcome of an event for " + std::string(partner_.name) +
                                 " was not stored: " + done.error().message().english());
}

void Sender::fail(Run& run, TrackedEvent& event, std::string_view why, std::optional<std::chrono::seconds> asked) {
    const auto now = site_.clock.now();
    event.reason = std::string(why);
    run.partner_fails = true;
    ++run.failed;
    if (event.attempts > static_cast<std::int64_t>(std::size(waits))) {
        event.status = status::rejected;
        event.reason = std::string(reason::gave_up);
        event.next_attempt_at.reset();
        return;
    }
    const auto wait = std::max(waits[event.attempts - 1], asked.value_or(std::chrono::seconds(0)));
    event.status = status::failed;
    event.next_attempt_at = now.plus(wait);
    const auto rest = std::max<std::chrono::seconds>(std::min<std::chrono::seconds>(wait, longest_rest),
                                                     asked.value_or(std::chrono::seconds(0)));
    rests_until_ = now.plus(rest).micros();
}

void Sender::attempt(Run& run, TrackedEvent& event, const Outgoing& outgoing) {
    const Message message = wire_.message(outgoing);
    event.payload = message.shown;
    event.http_status.reset();
    event.answer.clear();
    ++event.attempts;
    std::vector<std::pair<const plugin::FetchTwo::Request*, const std::function<Verdict(const plugin::FetchReply&)>*>>
        steps;
    if (message.rehearsal)
        steps.emplace_back(&*message.rehearsal, &wire_.judge_rehearsal);
    steps.emplace_back(&message.request, &wire_.judge);
    for (const auto& [request, judge] : steps) {
        const auto reply = fetch_(*request);
        if (!reply) {
            event.answer = beginning_of(problem_of(reply.error()));
            const bool is_ours = reply.error().code().name == errc::rate_limited.name;
            return fail(run, event, is_ours ? reason::throttled : reason::unreachable, std::nullopt);
        }
        event.http_status = reply->status;
        event.answer += (event.answer.empty() ? "" : "\n") + beginning_of(reply->body);
        const Verdict verdict = (*judge)(*reply);
        if (verdict.outcome == Outcome::again)
            return fail(run, event, verdict.reason, retry_after(*reply));
        if (verdict.outcome == Outcome::never) {
            event.status = status::rejected;
            event.reason = std::string(verdict.reason);
            event.next_attempt_at.reset();
            ++run.failed;
            return;
        }
    }
    event.status = status::sent;
    event.reason.reset();
    event.next_attempt_at.reset();
    event.sent_at = site_.clock.now();
    ++run.sent;
}

void Sender::send(Run& run, TrackedEvent event) {
    Ready now = ready(event);
    if (now.waits) {
        event.status = status::failed;
        event.reason.reset();
        event.next_attempt_at = site_.clock.now().plus(looks_again);
    } else if (!now.reason.empty()) {
        event.status = status::skipped;
        event.reason = std::string(now.reason);
        event.next_attempt_at.reset();
        ++run.skipped;
    } else {
        now.outgoing.site_url = site_url();
        now.outgoing.parameters =
            parameter_values(parameters_now(site_, partner_), now.outgoing.booking, event.occurred_at);
        attempt(run, event, now.outgoing);
    }
    finish(event);
}

Result<Value> Sender::run() {
    Run run;
    const auto until = Steady::now() + longest_run;
    while (!run.partner_fails && Steady::now() < until && site_.clock.now().micros() >= rests_until_) {
        const auto now = site_.clock.now();
        const auto claimed = site_.store.transact<std::optional<TrackedEvent>>(
            [&](store::Transaction& tx) -> Result<std::optional<TrackedEvent>> {
                return Repository::claim(tx, partner_, now, now.plus(claim_for));
            });
        if (!claimed)
            return claimed.error();
        if (!*claimed)
            break;
        send(run, **claimed);
    }
    const bool is_resting = site_.clock.now().micros() < rests_until_;
    if (!is_resting && site_.jobs && site_.store.reading<bool>([&](store::Session& session) {
            return Repository::has_due(session, partner_, site_.clock.now());
        }))
        site_.jobs->wake(partner_.job);
    return Value::object({{"sent", run.sent}, {"failed", run.failed}, {"skipped", run.skipped}});
}

}  // namespace svc::pro::tracking
