// What the jobs do: new requests, reminders, and the end of what is over.
#include <algorithm>

#include "pro/consent/configuration.hpp"
#include "pro/consent/mails.hpp"
#include "pro/consent/requests.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

constexpr std::int64_t batch = 200;

// Confirmed bookings near enough, some of whose travelers were not asked. Whom staff revoked is not asked again; who
// was revoked with a booking or a form that came back, or whose seat was given to another person, is.
#define SVC_CONSENT_DUE(whom, count)                                                                          \
    "SELECT b.id FROM svc_booking_v2 b WHERE b.status = 'confirmed' AND b.id > :after"                        \
    " AND b.travel_date <= :limit_date AND COALESCE(b.end_date, b.travel_date) >= :today"                     \
    " AND (CAST(:of_all AS BIGINT) = 1 OR EXISTS (SELECT 1 FROM svc_consent_form_trips l"                     \
    " WHERE l.form_id = :form_id AND l.trip_id = b.trip_id))"                                                 \
    " AND (SELECT COUNT(DISTINCT q.traveler_index) FROM svc_consent_requests q WHERE q.form_id = :form_id"    \
    " AND q.booking_id = b.id AND q.end_reason NOT IN ('booking', 'form', 'replaced') AND " whom ") < " count \
    " ORDER BY b.id LIMIT :most"

std::string_view due_statement(std::string_view send_to) {
    return send_to == "primary_contact" ? SVC_CONSENT_DUE("q.traveler_index = 0", "1")
           : send_to == "lead_traveler"
               ? SVC_CONSENT_DUE(
                     "q.traveler_index = COALESCE((SELECT MIN(t.traveler_index) FROM svc_traveler_v1 t"
                     " WHERE t.booking_id = b.id AND t.is_lead = 1), 1)",
                     "1")
               : SVC_CONSENT_DUE("q.traveler_index BETWEEN 1 AND b.travelers_count", "b.travelers_count");
}

std::vector<std::int64_t> open_requests(store::Session& session, std::int64_t after, Date from, Date to) {
    return store::values<std::int64_t>(
        session,
        "SELECT q.id FROM svc_consent_requests q JOIN svc_booking_v2 b ON b.id = q.booking_id"
        " WHERE q.status = 'pending' AND q.id > :after AND b.status = 'confirmed' AND b.travel_date >= :from_date"
        " AND b.travel_date <= :to_date ORDER BY q.id LIMIT :most",
        {{"after", after}, {"from_date", from}, {"to_date", to}, {"most", batch}});
}

}  // namespace

Result<Value> Requests::send_due(Instant now) {
    std::int64_t sent = 0, ended = 0;
    if (site_.modules.enabled(module_slug)) {
        ended = end_what_is_over(now);
        for (const ConsentForm& form : site_.store.reading<std::vector<ConsentForm>>(published_forms))
            sent += send_form(form, now, batch - sent);
    }
    return Value::object({{"sent", sent}, {"ended", ended}});
}

std::int64_t Requests::send_form(const ConsentForm& form, Instant now, std::int64_t most) {
    const Date today = site_.today(now);
    std::int64_t sent = 0, after = 0;
    while (sent < most) {
        const auto ids = site_.store.reading<std::vector<std::int64_t>>([&](store::Session& session) {
            return store::values<std::int64_t>(
                session, due_statement(form.send_to),
                {{"after", after},
                 {"limit_date", today.plus_days(static_cast<std::int32_t>(form.send_before_days))},
                 {"today", today},
                 {"of_all", form.applicable_to == "all"},
                 {"form_id", form.id},
                 {"most", batch}});
        });
        for (const std::int64_t id : ids) {
            if (sent >= most)
                break;
            after = id;
            try {
                sent += send_to_party(form, id, now);
            } catch (const std::exception& failure) {
                note_failure("consent_request_failed", id, failure);
            }
        }
        if (static_cast<std::int64_t>(ids.size()) < batch)
            break;
    }
    return sent;
}

std::int64_t Requests::send_to_party(const ConsentForm& form, std::int64_t booking_id, Instant now) {
    const auto address = site_url();
    if (!address)
        throw std::runtime_error(address.error().message().english());
    const Zone zone = site_.zone();
    const auto count = site_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        const auto party = party_of(tx, booking_id);
        if (!party || party->status != "confirmed" || party->end_of_trip(zone) <= now)
            return 0;
        std::int64_t added = 0;
        for (const std::int64_t index : party->asked_by(form)) {
            const bool was_asked =
                tx.number(
                    "SELECT COUNT(*) FROM svc_consent_requests WHERE form_id = :form_id AND booking_id = :booking_id"
                    " AND traveler_index = :traveler AND end_reason NOT IN ('booking', 'form', 'replaced')",
                    {{"form_id", form.id}, {"booking_id", booking_id}, {"traveler", index}}) > 0;
            if (!was_asked && add(tx, form, *party, index, *address, now))
                ++added;
        }
        return added;
    });
    if (!count)
        throw std::runtime_error(count.error().message().english());
    return *count;
}

std::int64_t Requests::end_what_is_over(Instant now) {
    const Zone zone = site_.zone();
    const auto ended = site_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        std::int64_t count = tx.run(
            "UPDATE svc_consent_requests SET status = 'revoked', end_reason = 'booking', updated_at = :now"
            " WHERE status = 'pending' AND booking_id IN (SELECT id FROM svc_booking_v2 WHERE status IN"
            " ('cancelled', 'refunded', 'failed', 'trash'))",
            {{"now", now}});
        for (const auto& [id, booking_id, ends_with_trip] : store::tuples<std::int64_t, std::int64_t, bool>(
                 tx,
                 "SELECT id, booking_id, ends_with_trip FROM svc_consent_requests WHERE status = 'pending'"
                 " AND expires_at <= :now ORDER BY expires_at, id LIMIT :most",
                 {{"now", now}, {"most", batch}})) {
            const auto party = ends_with_trip ? party_of(tx, booking_id) : std::nullopt;
            const bool was_moved = party && party->end_of_trip(zone) > now;
            if (was_moved)
                tx.run("UPDATE svc_consent_requests SET expires_at = :end, updated_at = :now WHERE id = :id",
                       {{"id", id}, {"now", now}, {"end", party->end_of_trip(zone)}});
            else
                count += tx.run("UPDATE svc_consent_requests SET status = 'expired', updated_at = :now WHERE id = :id",
                                {{"id", id}, {"now", now}});
        }
        return count;
    });
    return ended ? *ended : 0;
}

Result<Value> Requests::remind_due(Instant now) {
    std::int64_t sent = 0;
    if (site_.modules.enabled(module_slug)) {
        const Date today = site_.today(now);
        constexpr std::int32_t furthest = 366;
        for (std::int64_t after = 0; sent < batch;) {
            const auto ids = site_.store.reading<std::vector<std::int64_t>>([&](store::Session& session) {
                return open_requests(session, after, today, today.plus_days(furthest));
            });
            for (const std::int64_t id : ids) {
                if (sent >= batch)
                    break;
                after = id;
                try {
                    sent += remind(id, now) ? 1 : 0;
                } catch (const std::exception& failure) {
                    note_failure("consent_reminder_failed", id, failure);
                }
            }
            if (static_cast<std::int64_t>(ids.size()) < batch)
                break;
        }
    }
    return Value::object({{"sent", sent}});
}

// The days that are left, if one of the form's reminders is due and nothing was mailed since its day.
std::optional<std::int64_t> Requests::reminder_of(const ConsentRequest& request, const ConsentForm& form,
                                                  const Party& party, Instant now) const {
    const Zone zone = site_.zone();
    const std::int64_t left = std::int64_t{party.travel_date.days()} - zone.date_at(now).days();
    const auto days = reminder_days_of(form.reminder_days);
    if (!days || left < 0 || form.status == "trash" || form.status == "draft")
        return std::nullopt;
    std::optional<std::int64_t> due;  // the latest whose day has come
    for (const std::int64_t day : *days)
        if (left <= day)
            due = day;
    if (!due)
        return std::nullopt;
    const Instant last = std::max(request.sent_at.value_or(request.created_at),
                                  request.last_reminder_at.value_or(Instant::from_micros(0)));
    const Date of_reminder = party.travel_date.plus_days(-static_cast<std::int32_t>(*due));
    return zone.date_at(last) < of_reminder ? std::optional(left) : std::nullopt;
}

bool Requests::remind(std::int64_t id, Instant now) {
    const auto address = site_url();
    if (!address)
        throw std::runtime_error(address.error().message().english());
    const Zone zone = site_.zone();
    const auto done = site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        request_record().lock(tx, id, false);
        auto request = request_record().find(tx, id);
        if (!request || !request->is_open())
            return false;
        const auto form = form_record().find(tx, request->form_id);
        const auto party = party_of(tx, request->booking_id);
        if (!form || !party || party->status != "confirmed")
            return false;
        if (request->ends_with_trip)  // as the e-mail says it, also where the trip was moved
            request->expires_at = party->end_of_trip(zone);
        // Who travels no longer is left in peace.
        if (request->expires_at <= now || (request->traveler_index != 0 && !party->find(request->traveler_index)))
            return false;
        const auto left = reminder_of(*request, *form, *party, now);
        if (!left)
            return false;
        invite(tx, *request, *party, form->name, *address, left, now);
        return true;
    });
    if (!done)
        throw std::runtime_error(done.error().message().english());
    return *done;
}

}  // namespace svc::pro::consent
