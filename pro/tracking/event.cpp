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
            stored("partner", &E::partner, by_server_on_create),
            column("event", &E::event, api::choice(server_keys()), by_server_on_create),
            column("event_id", &E::event_id, api::text(80), by_server_on_create,
                   "By which the partner counts an event once; of a purchase the booking's reference."),
            column("booking_id", &E::booking_id, api::id(), by_server_on_create),
            derived("booking_reference", &E::reference,
                    "(SELECT b.reference FROM svc_booking_v2 b WHERE b.id = r.booking_id)", api::text(40)),
            record::money("value", &E::value, amount, api::money(), by_server_on_create),
            column("currency", amount, api::text(3), by_server_on_create),
            column("status", &E::status, api::choice({"queued", "sending", "sent", "failed", "rejected", "skipped"}),
                   by_server | sortable,
                   "failed: there is another attempt at next_attempt_at. skipped: it was not sent, see reason."),
            column("reason", &E::reason, api::choice(reasons()), by_server, "Why it was not sent, or not yet."),
            column("attempts", &E::attempts, api::integer(0), by_server),
            column("next_attempt_at", &E::next_attempt_at, api::instant(), by_server),
            stored("claimed_until", &E::claimed_until),
            column("http_status", &E::http_status, api::integer(0), by_server),
            column("payload", &E::payload, api::map(api::anything().or_null()), by_server,
                   "What was sent; values that name the visitor are left out."),
            column("answer", &E::answer, api::raw_text(4000), by_server, "The beginning of the partner's answer."),
            column("occurred_at", &E::occurred_at, api::instant(), by_server_on_create),
            column("created_at", &E::created_at, api::instant(), by_server_on_create),
            column("sent_at", &E::sent_at, api::instant(), by_server)};
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
