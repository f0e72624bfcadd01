// SQL on enrolments and the log of steps.
#include "pro/email_automation/enrolment.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {

bool Enrolments::add(store::Transaction& tx, std::int64_t sequence_id, std::int64_t booking_id, Instant since,
                     Instant next, std::optional<Date> day, Instant now) {
    return tx.run(
               "INSERT INTO svc_email_enrolments (sequence_id, booking_id, status, position, since, next_run_at,"
               " anchor_day, created_at, updated_at) SELECT CAST(:sequence_id AS BIGINT), b.id, 'active', 0,"
               " CAST(:since AS BIGINT), CAST(:next AS BIGINT), CAST(:day AS TEXT), CAST(:now AS BIGINT),"
               " CAST(:now AS BIGINT) FROM svc_booking_v1 b WHERE b.id = :booking_id"
               " ON CONFLICT (sequence_id, booking_id) DO NOTHING",
               {{"sequence_id", sequence_id},
                {"booking_id", booking_id},
                {"since", since},
                {"next", next},
                {"day", day},
                {"now", now}}) > 0;
}

std::int64_t Enrolments::stop_all(store::Transaction& tx, std::int64_t booking_id, std::string_view reason,
                                  Instant now) {
    return tx.run(
        "UPDATE svc_email_enrolments SET status = 'stopped', stop_reason = :reason, next_run_at = NULL, updated_at ="
        " :now WHERE booking_id = :booking_id AND status = 'active' AND sequence_id IN (SELECT id FROM"
        " svc_email_sequences WHERE trigger_type NOT IN ('booking.cancelled', 'booking.expired'))",
        {{"booking_id", booking_id}, {"reason", reason}, {"now", now}});
}

std::int64_t Enrolments::stop(store::Transaction& tx, std::int64_t sequence_id, std::int64_t booking_id,
                              std::string_view reason, Instant now) {
    return tx.run(
        "UPDATE svc_email_enrolments SET status = 'stopped', stop_reason = :reason, next_run_at = NULL, updated_at ="
        " :now WHERE booking_id = :booking_id AND sequence_id = :sequence_id AND status = 'active'",
        {{"booking_id", booking_id}, {"sequence_id", sequence_id}, {"reason", reason}, {"now", now}});
}

std::vector<Due> Enrolments::due(store::Session& session, Instant now, std::int64_t most) {
    using Text = std::string;
    using Id = std::int64_t;
    return store::structs<Due, Id, Id, Id, Id, Instant, Instant, std::optional<Date>, Text, Id, Text, Text, Text, Text,
                          Text, Text, Text, Id, Id, Id, Date, Date, Id, bool>(
        session,
        "SELECT e.id, e.sequence_id, e.booking_id, e.position, e.since, e.next_run_at, e.anchor_day, s.trigger_type,"
        " s.trigger_days, s.stop_on, b.status, t.payment_status, b.contact_email, b.contact_first_name,"
        " b.contact_last_name, b.currency, b.total_minor, b.amount_paid_minor, t.trip_id, t.travel_date, t.end_date,"
        " t.travelers_count, CASE WHEN c.marketing_optin = 1 AND c.erased_at IS NULL THEN 1 ELSE 0 END"
        " FROM svc_email_enrolments e JOIN svc_email_sequences s ON s.id = e.sequence_id"
        " JOIN svc_booking_v1 b ON b.id = e.booking_id JOIN svc_booking_travel_v1 t ON t.booking_id = e.booking_id"
        " LEFT JOIN svc_customer_v1 c ON c.id = t.customer_id"
        " WHERE e.status = 'active' AND e.next_run_at <= :now AND s.status = 'active'"
        " ORDER BY e.next_run_at, e.id LIMIT :most",
        {{"now", now}, {"most", most}});
}

bool Enrolments::advance(store::Transaction& tx, const Due& due, std::optional<Instant> next, Instant since,
                         Instant now) {
    return tx.run(
               "UPDATE svc_email_enrolments SET position = position + 1, since = :since, next_run_at = :next, status ="
               " :status, updated_at = :now WHERE id = :id AND status = 'active' AND position = :position",
               {{"id", due.id},
                {"position", due.position},
                {"since", since},
                {"next", next},
                {"status", next ? "active" : "finished"},
                {"now", now}}) > 0;
}

void Enrolments::anchor(store::Transaction& tx, const Due& due, Date day, Instant since, Instant next, Instant now) {
    tx.run(
        "UPDATE svc_email_enrolments SET anchor_day = :day, since = :since, next_run_at = :next, updated_at = :now"
        " WHERE id = :id AND status = 'active' AND position = :position",
        {{"id", due.id}, {"position", due.position}, {"day", day}, {"since", since}, {"next", next}, {"now", now}});
}

bool Enrolments::end(store::Transaction& tx, const Due& due, std::string_view reason, Instant now) {
    return tx.run(
               "UPDATE svc_email_enrolments SET status = :status, stop_reason = :reason, next_run_at = NULL, updated_at"
               " = :now WHERE id = :id AND status = 'active' AND position = :position",
               {{"id", due.id},
                {"position", due.position},
                {"status", reason.empty() ? "finished" : "stopped"},
                {"reason", reason},
                {"now", now}}) > 0;
}

bool Enrolments::log(store::Transaction& tx, const Taken& taken, Instant now) {
    return tx.run(
               "INSERT INTO svc_email_step_logs (enrolment_id, sequence_id, step_id, booking_id, template_id,"
               " template_key, recipient_email, recipient_name, subject, body, is_marketing, reason, dedupe_key,"
               " created_at) VALUES (:enrolment_id, :sequence_id, :step_id, :booking_id, :template_id, :template_key,"
               " :email, :name, :subject, :body, :is_marketing, :reason, :outbox_key, :now) ON CONFLICT DO NOTHING",
               {{"enrolment_id", taken.enrolment_id},
                {"sequence_id", taken.sequence_id},
                {"step_id", taken.step_id},
                {"booking_id", taken.booking_id},
                {"template_id", taken.template_id},
                {"template_key", taken.template_key},
                {"email", taken.email},
                {"name", taken.name},
                {"subject", taken.subject},
                {"body", taken.body},
                {"is_marketing", taken.is_marketing},
                {"reason", taken.reason},
                {"outbox_key", taken.outbox_key},
                {"now", now}}) > 0;
}

#define SVC_CANDIDATES(column, statuses)                                                                          \
    "SELECT b.id, " column                                                                                        \
    ", b.created_at FROM svc_booking_travel_v1 t JOIN svc_booking_v1 b ON b.id = t.booking_id WHERE " column      \
    " BETWEEN :from AND :to AND " statuses                                                                        \
    " AND (:all_trips = 1 OR EXISTS (SELECT 1 FROM svc_email_sequence_trips l WHERE l.sequence_id = :sequence_id" \
    " AND l.trip_id = t.trip_id)) AND NOT EXISTS (SELECT 1 FROM svc_email_enrolments e WHERE e.sequence_id ="     \
    " :sequence_id AND e.booking_id = b.id) ORDER BY b.id"

std::vector<Candidate> Enrolments::candidates(store::Session& session, std::int64_t sequence_id, Date from, Date to,
                                              bool by_end, bool all_trips) {
    const store::Params params{{"sequence_id", sequence_id}, {"from", from}, {"to", to}, {"all_trips", all_trips}};
    return store::structs<Candidate, std::int64_t, Date, Instant>(
        session,
        by_end ? SVC_CANDIDATES("t.end_date", "b.status IN ('confirmed', 'completed')")
               // As the reminder of the base: those that will probably travel.
               : SVC_CANDIDATES("t.travel_date",
                                "(b.status IN ('confirmed', 'processing', 'on-hold') OR (b.status = 'pending' AND"
                                " b.amount_paid_minor > 0))"),
        params);
}

std::vector<std::int64_t> Enrolments::bookings_of(store::Session& session, const std::string& email,
                                                  std::optional<std::int64_t> trip_id) {
    return store::values<std::int64_t>(
        session,
        "SELECT DISTINCT e.booking_id FROM svc_email_enrolments e JOIN svc_booking_v1 b ON b.id = e.booking_id"
        " JOIN svc_booking_travel_v1 t ON t.booking_id = e.booking_id WHERE e.status = 'active'"
        " AND lower(b.contact_email) = lower(:email) AND (:trip_id = 0 OR t.trip_id = :trip_id) ORDER BY e.booking_id",
        {{"email", email}, {"trip_id", trip_id.value_or(0)}});
}

}  // namespace svc::pro::email_automation
