// Declares the record of requests.
#include "pro/consent/request.hpp"

#include "shared/store/by_ids.hpp"

namespace svc::pro::consent {

const record::Record<ConsentRequest>& request_record() {
    using namespace record;
    using R = ConsentRequest;
    static const Record<R> declared{
        {.table = "svc_consent_requests",
         .component = "ConsentRequest",
         .joins = "JOIN svc_consent_forms f ON f.id = r.form_id JOIN svc_booking_v2 b ON b.id = r.booking_id"
                  " LEFT JOIN svc_trip_v1 t ON t.id = b.trip_id"
                  " LEFT JOIN svc_signed_consents s ON s.request_id = r.id",
         .search_column = "search",
         .sorts = {{"created_at", {"r.created_at"}},
                   {"id", {"r.id"}},
                   {"expires_at", {"r.expires_at"}},
                   {"travel_date", {"b.travel_date"}}},
         .default_sort = "created_at",
         .conditions = {{"form_id", "r.form_id = :form_id"}, {"booking_id", "r.booking_id = :booking_id"}}},
        {id(&R::id),
         column("form_id", &R::form_id, api::id().referring_to("consent/forms"), by_server),
         derived("form_name", &R::form_name, "f.name", api::text(200)),
         column("form_version", &R::form_version, api::integer(1), by_server,
                "The version that is signed; a newer one takes its place only when the request is sent again."),
         column("booking_id", &R::booking_id, api::id(), by_server),
         column("booking_reference", &R::booking_reference, api::text(40), by_server | searched),
         derived("trip_title", &R::trip_title, "COALESCE(t.title, '')", api::text(255)),
         derived("travel_date", &R::travel_date, "b.travel_date", api::date()),
         column("traveler_index", &R::traveler_index, api::integer(0), by_server, "0: the booking's contact."),
         column("name", &R::name, api::text(200), by_server | searched),
         column("email", &R::email, api::text(254), by_server | searched),
         stored("email_lower", &R::email_lower),
         stored("locale", &R::locale),
         column("status", &R::status, api::choice({"pending", "signed", "expired", "revoked"}), by_server | sortable),
         column("end_reason", &R::end_reason, api::text(20), by_server,
                "Why it was revoked: staff, booking (cancelled), form (in the trash), replaced (the seat was given to"
                " another person), erased or withdrawn."),
         column("sent_at", &R::sent_at, api::instant(), by_server),
         column("viewed_at", &R::viewed_at, api::instant(), by_server, "When its page was first opened."),
         stored("last_viewed_at", &R::last_viewed_at),
         stored("mails_sent", &R::mails_sent),
         column("reminders_sent", &R::reminders_sent, api::integer(0), by_server),
         column("last_reminder_at", &R::last_reminder_at, api::instant(), by_server),
         column("expires_at", &R::expires_at, api::instant(), by_server),
         stored("ends_with_trip", &R::ends_with_trip),
         column("signed_at", &R::signed_at, api::instant(), by_server),
         derived("signed_id", &R::signed_id, "s.id", api::id().referring_to("consent/signed")),
         timestamps<R>()}};
    return declared;
}

std::map<std::int64_t, std::vector<ConsentRequest>> requests_of(store::Session& session,
                                                                std::span<const std::int64_t> booking_ids) {
#define SVC_BY_SEAT "ORDER BY r.booking_id, r.form_id, r.traveler_index, r.id"
    static const std::string sqlite = request_record().select(
                                 "WHERE r.booking_id IN (SELECT value FROM json_each(:ids)) " SVC_BY_SEAT),
                             postgresql = request_record().select(
                                 "WHERE r.booking_id = ANY(CAST(:ids AS BIGINT[])) " SVC_BY_SEAT);
    std::map<std::int64_t, std::vector<ConsentRequest>> all;
    if (booking_ids.empty())
        return all;
    const store::Dialect dialect = session.dialect();
    for (ConsentRequest& each : request_record().all(session, dialect == store::Dialect::sqlite ? sqlite : postgresql,
                                                     {{"ids", store::ids_text(dialect, booking_ids)}}))
        all[each.booking_id].push_back(std::move(each));
    return all;
}

}  // namespace svc::pro::consent
