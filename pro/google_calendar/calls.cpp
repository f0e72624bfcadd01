// The record of calls.
#include "pro/google_calendar/calls.hpp"

#include "pro/google_calendar/kept.hpp"

namespace svc::pro::google_calendar {

void keep_call(const Site& site, const Call& call) {
    must_be_kept(site.store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "INSERT INTO svc_google_calendar_calls (method, path, status, duration_ms, error, kind, subject_id,"
            " created_at) VALUES (:method, :path, :status, :duration, :error, :kind, :subject_id, :now)",
            {{"method", call.method},
             {"path", call.path},
             {"status", call.status ? std::optional<std::int64_t>(call.status) : std::nullopt},
             {"duration", static_cast<std::int64_t>(call.duration.count())},
             {"error", call.error},
             {"kind", call.about.kind},
             {"subject_id", call.about.id ? std::optional(call.about.id) : std::nullopt},
             {"now", site.clock.now()}});
        tx.run(
            "DELETE FROM svc_google_calendar_calls WHERE id <= (SELECT MAX(id) FROM svc_google_calendar_calls) - :kept",
            {{"kept", kept_calls}});
        return {};
    }),
                 "a call of Google");
}

const record::Record<LoggedCall>& call_record() {
    using namespace record;
    using C = LoggedCall;
    static const Record<C> call{
        {.table = "svc_google_calendar_calls",
         .component = "GoogleCalendarCall",
         .sorts = {{"created_at", {"r.created_at"}}, {"id", {"r.id"}}},
         .default_sort = "created_at"},
        {id(&C::id), column("method", &C::method, api::text(10), by_server),
         column("path", &C::path, api::text(1000), by_server, "Without its query."),
         column("status", &C::status, api::integer(0), by_server, "null: there was no answer."),
         column("duration_ms", &C::duration_ms, api::integer(0), by_server),
         column("error", &C::error, api::text(200), by_server, "Google's word for it; empty: it went well."),
         column("kind", &C::kind, api::text(20), by_server, "departure or booking, whose id follows; empty: neither."),
         column("subject_id", &C::subject_id, api::integer(0), by_server),
         column("created_at", &C::created_at, api::instant(), by_server_on_create)}};
    return call;
}

}  // namespace svc::pro::google_calendar
