// SQL for members of a single booking: price, answers and history.
#include "base/sales/booking/record/repository.hpp"
#include "shared/record/rows.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

// A booking's own row of particulars, sensitive answers encrypted.
struct AnswersRow {
    std::int64_t id = 0;
    Particulars particulars;
    std::optional<std::string> contact_sealed, emergency_sealed;
};

const record::Rows<AnswersRow>& answers_record() {
    using record::column, record::within;
    constexpr auto own = &AnswersRow::particulars;
    const auto text = api::raw_text(100'000);
    static const record::Rows<AnswersRow> answers{
        {.table = "svc_bookings"},
        {record::id(&AnswersRow::id),
         column("contact_data", within(own, &Particulars::contact_data), api::map(api::anything())),
         column("emergency_contact", within(own, &Particulars::emergency_contact), api::map(api::anything())),
         column("newsletter_optin", within(own, &Particulars::newsletter_optin), api::boolean()),
         column("terms_accepted_at", within(own, &Particulars::terms_accepted_at), api::instant()),
         column("verified_at", within(own, &Particulars::verified_at), api::instant()),
         column("expired_at", within(own, &Particulars::expired_at), api::instant()),
         column("reminder_sent_at", within(own, &Particulars::reminder_sent_at), api::instant()),
         column("cancelled_via", within(own, &Particulars::cancelled_via), text),
         column("contact_sealed", &AnswersRow::contact_sealed, text),
         column("emergency_sealed", &AnswersRow::emergency_sealed, text),
         column("quote", within(own, &Particulars::quote), api::anything()),
         record::derived("form", within(own, &Particulars::form),
                         "(SELECT f.form FROM svc_booking_forms f WHERE f.id = r.form_id)", api::anything())}};
    return answers;
}

// A row of the history.
struct StatusChange {
    std::int64_t id = 0;
    std::string from, to, actor, through, reason;
    std::optional<std::int64_t> actor_id;
    std::optional<std::string> actor_name;
    Instant at{};
};

const record::Rows<StatusChange>& change_record() {
    using record::column, record::stored_as;
    const auto text = api::raw_text(10'000);
    static const record::Rows<StatusChange> changes{
        {.table = "svc_booking_status_log", .joins = "LEFT JOIN svc_users u ON u.id = r.actor_id"},
        {record::id(&StatusChange::id), column("from", &StatusChange::from, text, stored_as("from_status")),
         column("to", &StatusChange::to, text, stored_as("to_status")),
         column("actor", &StatusChange::actor, text, stored_as("actor_kind")),
         column("actor_id", &StatusChange::actor_id, api::id()),
         record::derived("actor_name", &StatusChange::actor_name, "u.login", text),
         column("through", &StatusChange::through, text), column("reason", &StatusChange::reason, text),
         column("at", &StatusChange::at, api::instant())}};
    return changes;
}

// A snapshot that cannot be read is no reason not to show the booking.
json::Value json_or_null(const std::string& text) {
    auto parsed = json::parse(text);
    return parsed ? std::move(*parsed) : json::Value();
}

}  // namespace

void Repository::set_quote(store::Transaction& tx, std::int64_t id, const json::Value& quote) {
    tx.run("UPDATE svc_bookings SET quote = :quote WHERE id = :id", {{"quote", quote.dump()}, {"id", id}});
}

json::Value Repository::quote(store::Session& session, std::int64_t id) {
    const auto text = store::first_row(session, "SELECT quote FROM svc_bookings WHERE id = :id", {{"id", id}},
                                       [](const std::string& quote) { return quote; });
    return text ? json_or_null(*text) : json::Value();
}

void Repository::replace_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines) {
    tx.run("DELETE FROM svc_booking_lines WHERE booking_id = :id", {{"id", booking_id}});
    insert_lines(tx, booking_id, lines);
}

bool Repository::has_user(store::Session& session, std::int64_t id) {
    return session.number("SELECT COUNT(*) FROM svc_users WHERE id = :id", {{"id", id}}) > 0;
}

Particulars Repository::particulars(store::Session& session, std::int64_t id, const Sealing* sealing) {
    auto found = answers_record().find(session, id);
    if (!found)
        return {};
    const auto unseal = [&](json::Value plain, const std::optional<std::string>& sealed, const std::string& place) {
        return sealing && sealed ? sealing->unseal(std::move(plain), *sealed, place) : std::move(plain);
    };
    Particulars& known = found->particulars;
    known.contact_data = unseal(std::move(known.contact_data), found->contact_sealed, Sealing::of_contact(id));
    known.emergency_contact =
        unseal(std::move(known.emergency_contact), found->emergency_sealed, Sealing::of_emergency(id));
    return std::move(known);
}

void Repository::remove(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_bookings WHERE id = :id", {{"id", id}});
}

void Repository::log_creation(store::Transaction& tx, const Booking& booking, const Actor& actor) {
    store::run_later(tx,
                     "INSERT INTO svc_booking_status_log (booking_id, from_status, to_status, actor_kind, actor_id,"
                     " through, reason, at) VALUES (:booking_id, '', :to, :actor_kind, :actor_id, :through, '', :at)",
                     {{"booking_id", booking.id},
                      {"to", booking.status},
                      {"actor_kind", actor.kind},
                      {"actor_id", actor.id},
                      {"through", actor.through},
                      {"at", booking.created_at}});
}

json::Value Repository::status_log(store::Session& session, const Booking& booking) {
    json::Value log = json::Value::array();
    const auto creation = [&](const std::string& first_status) {
        const bool at_checkout = booking.source == "web";
        log.push(json::Value::object({{"from", ""},
                                      {"to", first_status},
                                      {"actor", at_checkout                 ? "customer"
                                                : booking.source == "admin" ? "admin"
                                                                            : "system"},
                                      {"actor_id", json::Value()},  // the current owner does not identify the past one
                                      {"actor_name", json::Value()},
                                      {"through", at_checkout ? "checkout" : ""},
                                      {"reason", ""},
                                      {"at", booking.created_at}}));
    };
    static const std::string of_booking = change_record().select("WHERE r.booking_id = :id ORDER BY r.id");
    for (const StatusChange& change : change_record().all(session, of_booking, {{"id", booking.id}})) {
        if (log.size() == 0 && !change.from.empty())
            creation(change.from);
        log.push(json::Value::object({{"from", change.from},
                                      {"to", change.to},
                                      {"actor", change.actor},
                                      {"actor_id", change.actor_id},
                                      {"actor_name", change.actor_name},
                                      {"through", change.through},
                                      {"reason", change.reason},
                                      {"at", change.at}}));
    }
    if (log.size() == 0)
        creation(booking.status);
    return log;
}

void Repository::set_answers(store::Transaction& tx, std::int64_t id, const Particulars& answers,
                             const Sealing& sealing) {
    const Sealing::AtRest contact = sealing.seal(answers.contact_data, Sealing::of_contact(id));
    const Sealing::AtRest emergency = sealing.seal(answers.emergency_contact, Sealing::of_emergency(id));
    store::run_later(tx,
                     "UPDATE svc_bookings SET contact_data = :contact_data, contact_sealed = :contact_sealed,"
                     " emergency_contact = :emergency_contact, emergency_sealed = :emergency_sealed,"
                     " newsletter_optin = :newsletter_optin, terms_accepted_at = :terms_accepted_at WHERE id = :id",
                     {{"contact_data", contact.plain.dump()},
                      {"contact_sealed", contact.sealed},
                      {"emergency_contact", emergency.plain.dump()},
                      {"emergency_sealed", emergency.sealed},
                      {"newsletter_optin", answers.newsletter_optin},
                      {"terms_accepted_at", answers.terms_accepted_at},
                      {"id", id}});
}

void Repository::set_payable(store::Transaction& tx, std::int64_t id, Instant now, std::optional<Instant> pay_by) {
    tx.run("UPDATE svc_bookings SET payable_since = :now, pay_by = :pay_by WHERE id = :id",
           {{"now", now}, {"pay_by", pay_by}, {"id", id}});
}

}  // namespace svc::booking
