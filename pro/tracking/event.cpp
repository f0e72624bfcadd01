// Declares the record of events, one for each partner.
#include "pro/tracking/event.hpp"

namespace svc::pro::tracking {
namespace {

using E = TrackedEvent;

std::vector<std::string> server_keys() {
    std::vector<std::string> keys;
    for (const EventKind& kind : event_kinds())
        if (kind.by_server)
            keys.emplace_back(kind.key);
    return keys;
}

record::Layout layout(const char* component, const char* where) {
    return {.table = "svc_tracking_events",
            .component = component,
            .where = where,
            .searched = "LOWER(r.event_id)",  // begins with the booking's reference
            .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"occurred_at", {"r.occurred_at"}}},
            .default_sort = "id",
            .conditions = {{"event", "r.event = :event"}, {"booking_id", "r.booking_id = :booking_id"}}};
}

std::vector<record::Entry<E>> fields() {
    using namespace record;
    static const auto amount = currency_of(&E::value);
    return {record::id(&E::id),
            stored("partner", &E::partner, fixed),
            column("event", &E::event, api::choice(server_keys()), read_only | fixed),
            column("event_id", &E::event_id, api::text(80), read_only | fixed,
                   "By which the partner counts an event once; of a purchase the booking's reference."),
            column("booking_id", &E::booking_id, api::id(), read_only | fixed),
            derived("booking_reference", &E::reference,
                    "(SELECT b.reference FROM svc_booking_v2 b WHERE b.id = r.booking_id)", api::text(40)),
            record::money("value", &E::value, amount, api::money(), read_only | fixed),
            column("currency", amount, api::text(3), read_only | fixed),
            column("status", &E::status, api::choice({"queued", "sending", "sent", "failed", "rejected", "skipped"}),
                   read_only | sortable,
                   "failed: there is another attempt at next_attempt_at. skipped: it was not sent, see reason."),
            column("reason", &E::reason, api::choice(reasons()), read_only, "Why it was not sent, or not yet."),
            column("attempts", &E::attempts, api::integer(0), read_only),
            column("next_attempt_at", &E::next_attempt_at, api::instant(), read_only),
            stored("claimed_until", &E::claimed_until),
            column("http_status", &E::http_status, api::integer(0), read_only),
            column("payload", &E::payload, api::map(api::anything().or_null()), read_only,
                   "What was sent; values that name the visitor are left out."),
            column("answer", &E::answer, api::raw_text(4000), read_only, "The beginning of the partner's answer."),
            column("occurred_at", &E::occurred_at, api::instant(), read_only | fixed),
            column("created_at", &E::created_at, api::instant(), read_only | fixed),
            column("sent_at", &E::sent_at, api::instant(), read_only)};
}

}  // namespace

std::vector<std::string> reasons() {
    std::vector<std::string> all;
    for (const std::string_view each :
         {reason::no_consent, reason::no_client_id, reason::no_browser, reason::old_base, reason::too_old,
          reason::switched_off, reason::no_credentials, reason::no_purchase, reason::unreachable, reason::throttled,
          reason::credentials, reason::refused, reason::gave_up})
        all.emplace_back(each);
    return all;
}

const record::Record<E>& event_record(const Partner& partner) {
    static const record::Record<E> of_meta(layout("FacebookPixelEventLog", "r.partner = 'meta'"), fields());
    static const record::Record<E> of_google(layout("GoogleAnalyticsEventLog", "r.partner = 'google'"), fields());
    return partner.key == meta.key ? of_meta : of_google;
}

}  // namespace svc::pro::tracking
