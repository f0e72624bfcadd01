// Enrols, checks again when a step is due, and takes it in the transaction that queues its e-mail.
#include "pro/email_automation/engine.hpp"

#include <algorithm>

#include "pro/email_automation/conditions.hpp"
#include "pro/email_automation/events.hpp"
#include "pro/email_automation/mails.hpp"
#include "pro/email_automation/seeds.hpp"
#include "pro/email_automation/suppressions.hpp"
#include "pro/email_automation/unsubscribe.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

constexpr std::int64_t batch = 200, most_in_a_run = 200'000;
constexpr int most_days_late = 7;
constexpr auto most_late = std::chrono::hours(24 * most_days_late);
const ClockTime hour_of_days = ClockTime::from_minutes(9 * 60);  // behaviour.md 15.5

void must(const Result<void>& done) {
    if (!done)
        throw std::runtime_error("sequences could not be written: " + done.error().message().english());
}

bool lists(const std::string& json_list, std::string_view key) {
    const auto list = json::parse(json_list);
    return list && list->is_array() && std::any_of(list->items().begin(), list->items().end(), [&](const Value& each) {
               return each.is_string() && each.text() == key;
           });
}

// Whether what the booking is by now would have ended the sequence: the event may have come while the module was off.
std::string ended_by(const Due& due) {
    const bool begins_with_end = due.trigger_type == "booking.cancelled" || due.trigger_type == "booking.expired";
    if (!begins_with_end)
        for (const char* status : {"cancelled", "refunded", "failed", "trash"})
            if (due.status == status)
                return std::string("The booking is ") + (due.status == "trash" ? "in the trash." : due.status + ".");
    if (!begins_with_end && due.payment_status == "refunded")
        return "The booking is refunded.";
    const bool is_paid = due.total_minor > 0 && due.paid_minor >= due.total_minor;
    const bool is_confirmed = due.status == "confirmed" || due.status == "completed";
    for (const auto& [key, is_so] : {std::pair{"payment.received", is_paid},
                                     {"booking.confirmed", is_confirmed},
                                     {"booking.completed", due.status == "completed"}})
        if (is_so && due.trigger_type != key && lists(due.stop_on, key))
            return std::string("Ended by ") + key + ".";
    return {};
}

BookingFacts facts_of(const Due& due, Date today) {
    const auto currency = Currency::parse(due.currency);
    const Currency unit = currency ? *currency : Currency::usd();
    return {.status = due.status,
            .payment_status = due.payment_status,
            .trip_id = due.trip_id,
            .travelers_count = due.travelers_count,
            .days_until_trip = due.travel_date.days() - today.days(),
            .total = Money{due.total_minor, unit},
            .amount_due = Money{std::max<std::int64_t>(0, due.total_minor - due.paid_minor), unit}};
}

}  // namespace

Instant Engine::moment_of(bool is_before, std::int64_t days, Date day) const {
    const auto count = static_cast<std::int32_t>(days);
    return site_.zone().instant_of(day.plus_days(is_before ? -count : count), hour_of_days);
}

void Engine::stop_on(store::Transaction& tx, std::string_view key, std::int64_t booking_id, Instant now) const {
    for (const auto& [id, list] : store::tuples<std::int64_t, std::string>(
             tx, "SELECT id, stop_on FROM svc_email_sequences WHERE stop_on <> '[]' ORDER BY id"))
        if (lists(list, key))
            Enrolments::stop(tx, id, booking_id, "Ended by " + std::string(key) + ".", now);
}

void Engine::enrol(store::Transaction& tx, const std::string& key, std::int64_t booking_id,
                   std::optional<std::int64_t> trip_id, Instant at, Instant now) const {
    for (const std::int64_t id : store::values<std::int64_t>(
             tx,
             "SELECT s.id FROM svc_email_sequences s WHERE s.trigger_type = :key AND s.status = 'active'"
             " AND s.active_since <= :at AND (s.applicable_to = 'all' OR EXISTS (SELECT 1 FROM"
             " svc_email_sequence_trips l WHERE l.sequence_id = s.id AND l.trip_id = :trip_id)) ORDER BY s.id",
             {{"key", key}, {"at", at}, {"trip_id", trip_id.value_or(0)}})) {
        const auto steps = steps_of(tx, id);
        if (!steps.empty())
            Enrolments::add(tx, id, booking_id, at, at.plus(steps.front().delay()), {}, now);
    }
}

void Engine::occurred(const std::string& key, std::int64_t booking_id, const Value& payload) {
    const Event* event = find_event(key);
    if (!event || !event->begins_sequences || booking_id <= 0)
        return;
    const Instant now = site_.clock.now();
    const Instant at = Instant::parse(payload.text_or("occurred_at")).value_or(now);
    const auto trip_id = payload["booking"].maybe_integer("trip_id");
    must(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (key == "booking.cancelled" || key == "booking.expired")
            Enrolments::stop_all(tx, booking_id, "Ended by " + key + ".", now);
        stop_on(tx, key, booking_id, now);
        enrol(tx, key, booking_id, trip_id, at, now);
        return {};
    }));
    if (site_.jobs)
        site_.jobs->wake(sequences_job);  // a first step without delay is due
}

void Engine::reviewed(const Value& review) {
    const auto trip_id = review.maybe_integer("trip_id");
    const auto booking_id = review.maybe_integer("booking_id");
    const std::string email = review.text_or("author_email");
    if (!trip_id || (!booking_id && email.empty()))
        return;
    must(site_.store.write([&, now = site_.clock.now()](store::Transaction& tx) -> Result<void> {
        const auto ids =
            booking_id ? std::vector<std::int64_t>{*booking_id} : Enrolments::bookings_of(tx, email, trip_id);
        for (const std::int64_t id : ids)
            stop_on(tx, email_automation::reviewed, id, now);
        return {};
    }));
}

void Engine::wrote(const Value& enquiry) {
    const std::string email = enquiry.text_or("customer_email");
    if (email.empty())
        return;
    must(site_.store.write([&, now = site_.clock.now()](store::Transaction& tx) -> Result<void> {
        for (const std::int64_t id : Enrolments::bookings_of(tx, email, {}))
            stop_on(tx, email_automation::wrote, id, now);
        return {};
    }));
}

Result<std::int64_t> Engine::enrol_by_day(Instant now) {
    static const std::string by_day = sequence_record().select(
        "WHERE r.status = 'active' AND r.trigger_type IN ('schedule.days_before_trip', 'schedule.days_after_trip')"
        " ORDER BY r.id");
    struct Found {
        const Sequence* sequence;
        Candidate booking;
        Instant since;
    };
    const auto sequences = site_.store.reading<std::vector<Sequence>>(
        [&](store::Session& session) { return sequence_record().all(session, by_day); });
    const Date today = site_.today(now);
    std::vector<Found> found;
    for (const Sequence& each : sequences) {
        if (each.steps.empty() || !each.active_since)
            continue;
        const bool is_before = each.trigger_type == before_trip;
        const auto days = static_cast<std::int32_t>(each.trigger_days);
        const Date last = today.plus_days(is_before ? days : -days);
        Date first = last.plus_days(-most_days_late);
        if (is_before && first < today)
            first = today;  // nobody prepares for a trip that has begun
        auto bookings = site_.store.reading<std::vector<Candidate>>([&](store::Session& session) {
            return Enrolments::candidates(session, each.id, first, last, !is_before, each.applicable_to == "all");
        });
        for (const Candidate& booking : bookings) {
            const Instant since = moment_of(is_before, each.trigger_days, booking.day);
            if (since <= now && since >= *each.active_since && booking.created_at <= since)
                found.push_back({&each, booking, since});
        }
    }
    std::int64_t enrolled = 0;
    for (std::size_t begin = 0; begin < found.size(); begin += batch) {
        SVC_ASSIGN_OR_RETURN(const auto some, site_.store.transact<std::int64_t>([&](store::Transaction& tx) {
            std::int64_t count = 0;
            for (std::size_t at = begin; at < std::min(found.size(), begin + batch); ++at) {
                const Found& one = found[at];
                count += Enrolments::add(tx, one.sequence->id, one.booking.booking_id, one.since,
                                         one.since.plus(one.sequence->steps.front().delay()), one.booking.day, now)
                             ? 1
                             : 0;
            }
            return Result<std::int64_t>(count);
        }));
        enrolled += some;
    }
    return enrolled;
}

namespace {

// Why the mail is not sent; empty: it is.
std::string reason_against(const Site& site, store::Session& session, const Due& due, const Step& step,
                           const EmailTemplate* text, Instant now) {
    const bool is_marketing = text && text->is_marketing();
    const std::string mailbox = mailbox_key(due.email);
    if (now.minus(most_late) > due.due_at)
        return "The step was more than seven days late.";
    if (step.template_id && !text)
        return "The template is gone.";
    if (text && !text->is_active)
        return "The template is off.";
    if (!holds(step.conditions, facts_of(due, site.today(now))))
        return "A condition of the step does not hold.";
    if (mailbox.empty())
        return "The booking has no valid e-mail address.";
    if (is_marketing && Suppressions::has(session, mailbox))
        return "The recipient has unsubscribed.";
    if (is_marketing && !due.agreed_to_marketing)
        return "The recipient has not agreed to marketing.";
    return {};
}

}  // namespace

void Engine::send(store::Transaction& tx, const Due& due, const Step& step, Known& known, Instant now,
                  Counts& counts) const {
    const EmailTemplate* text = nullptr;
    if (step.template_id) {
        auto [at, is_new] = known.templates.try_emplace(*step.template_id);
        if (is_new)
            at->second = template_record().find(tx, *step.template_id);
        text = at->second ? &*at->second : nullptr;
    }
    Taken taken{.enrolment_id = due.id,
                .sequence_id = due.sequence_id,
                .step_id = step.id,
                .booking_id = due.booking_id,
                .template_id = step.template_id,
                .template_key = text ? text->template_key : std::string(),
                .email = due.email,
                .name = due.first_name + (due.last_name.empty() ? "" : " " + due.last_name),
                .subject = text ? text->subject : step.custom_subject,
                .body = text ? text->body : step.custom_body,
                .is_marketing = text && text->is_marketing(),
                .reason = {},
                .outbox_key = {}};
    taken.reason = reason_against(site_, tx, due, step, text, now);
    Message message{.dedupe_key = std::to_string(due.sequence_id) + ":" + std::to_string(step.id) + ":" +
                                  std::to_string(due.booking_id),
                    .booking_id = due.booking_id,
                    .is_marketing = taken.is_marketing,
                    .template_key = taken.template_key,
                    .subject = {{"en", taken.subject}},
                    .body = {{"en", taken.body}},
                    .unsubscribe_token = {}};
    taken.outbox_key = outbox_key(taken.is_marketing, message.dedupe_key);
    if (!Enrolments::log(tx, taken, now))
        return;  // it was taken before the sequence was edited
    if (!taken.reason.empty()) {
        ++counts.skipped;
        return;
    }
    if (const Seed* seed = text && !text->is_customized ? seed_of_template(text->template_key) : nullptr) {
        message.subject = seed->subject;
        message.body = seed->body;
    }
    if (taken.is_marketing)
        message.unsubscribe_token = unsubscribe_token(site_, due.email);
    must(queue(site_, tx, message));
    ++counts.queued;
}

void Engine::take(store::Transaction& tx, const Due& due, Known& known, Instant now, Counts& counts) const {
    auto [at, is_new] = known.steps.try_emplace(due.sequence_id);
    if (is_new)
        at->second = steps_of(tx, due.sequence_id);
    const std::vector<Step>& steps = at->second;
    const auto end = [&](const std::string& reason) { counts.ended += Enrolments::end(tx, due, reason, now) ? 1 : 0; };
    if (const std::string reason = ended_by(due); !reason.empty())
        return end(reason);
    if (due.position >= static_cast<std::int64_t>(steps.size()))
        return end({});
    const Step& step = steps[static_cast<std::size_t>(due.position)];
    // A booking that moved to another day before the first step waits for its new day.
    const bool is_before = due.trigger_type == before_trip;
    if (due.anchor_day && due.position == 0)
        if (const Date day = is_before ? due.travel_date : due.end_date; day != *due.anchor_day) {
            const Instant since = moment_of(is_before, due.trigger_days, day);
            return Enrolments::anchor(tx, due, day, since, since.plus(step.delay()), now);
        }
    // Small lateness does not add up over the steps; a great one, such as a pause, begins anew.
    const Instant since = now.minus(std::chrono::hours(1)) < due.due_at ? due.due_at : now;
    const bool is_last = due.position + 1 >= static_cast<std::int64_t>(steps.size());
    const auto next =
        is_last ? std::nullopt : std::optional(since.plus(steps[static_cast<std::size_t>(due.position) + 1].delay()));
    if (!Enrolments::advance(tx, due, next, since, now))
        return;
    if (step.is_active)
        send(tx, due, step, known, now, counts);
}

Engine::Counts Engine::take_some(store::Transaction& tx, Instant now) const {
    Counts counts;
    Known known;
    for (const Due& due : Enrolments::due(tx, now, batch)) {
        ++counts.handled;
        take(tx, due, known, now, counts);
    }
    return counts;
}

Result<Value> Engine::run(Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto enrolled, enrol_by_day(now));
    Counts all;
    while (all.handled < most_in_a_run) {
        SVC_ASSIGN_OR_RETURN(const auto some, site_.store.transact<Counts>([&](store::Transaction& tx) {
            return Result<Counts>(take_some(tx, now));
        }));
        all.handled += some.handled;
        all.queued += some.queued;
        all.skipped += some.skipped;
        all.ended += some.ended;
        if (some.handled == 0)  // a step that follows at once is due by now
            break;
    }
    return Value::object(
        {{"enrolled", enrolled}, {"queued", all.queued}, {"skipped", all.skipped}, {"ended", all.ended}});
}

}  // namespace svc::pro::email_automation
