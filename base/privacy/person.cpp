// Finds a person and reads what no other feature shows of them.
#include "base/privacy/person.hpp"

#include "shared/core/text.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::privacy {
namespace {

constexpr std::size_t most_of_a_kind = 10'000;

std::int64_t first_number(const store::Row& row) { return row.integer(0); }

}  // namespace

Person Repository::find(store::Session& session, std::string_view email) {
    Person person;
    const std::string folded = text::folded(email);
    person.email = folded;
    session.each(
        "SELECT u.id, CASE WHEN r.slug = 'svc_customer' THEN 0 ELSE 1 END FROM svc_users u"
        " JOIN svc_roles r ON r.id = u.role_id WHERE u.email_lower = :email",
        "ii", {{"email", folded}}, [&](const store::Row& row) {
            person.user_id = row.integer(0);
            person.is_staff = row.flag(1);
        });
    person.customer_id = session.first<std::int64_t>(
        "SELECT id FROM svc_customers WHERE email_lower = :email OR user_id = :user ORDER BY"
        " CASE WHEN user_id = :user THEN 0 ELSE 1 END, id LIMIT 1",
        "i", {{"email", folded}, {"user", person.user_id.value_or(0)}}, first_number);
    person.booking_ids = session.all<std::int64_t>(
        "SELECT id FROM svc_bookings WHERE customer_id = :customer OR user_id = :user"
        " OR LOWER(contact_email) = :email ORDER BY id",
        "i", {{"customer", person.customer_id.value_or(0)}, {"user", person.user_id.value_or(0)}, {"email", folded}},
        first_number);
    person.enquiry_ids = session.all<std::int64_t>(
        "SELECT id FROM svc_enquiries WHERE email_lower = :email OR customer_id = :customer ORDER BY id", "i",
        {{"email", folded}, {"customer", person.customer_id.value_or(0)}}, first_number);
    return person;
}

std::vector<std::string> Repository::bookings_ahead(store::Session& session, const Person& person, Date today) {
    static constexpr auto ahead = SVC_BY_IDS(
        "SELECT reference FROM svc_bookings WHERE end_date >= :today AND status IN ('pending', 'pending_verification',"
        " 'confirmed', 'processing', 'on-hold', 'waitlist') AND",
        "id", "ORDER BY id");
    std::vector<std::string> references;
    store::each_of(session, ahead, "t", person.booking_ids,
                   [&](const store::Row& row) { references.push_back(row.text(0)); }, {{"today", today}});
    return references;
}

json::Value Repository::account(store::Session& session, std::int64_t user_id) {
    return session
        .first<json::Value>(
            "SELECT login, email, display_name, status, email_verified_at, pending_email, last_login_at, locale,"
            " created_at FROM svc_users WHERE id = :id",
            "ttttititi", {{"id", user_id}},
            [](const store::Row& row) {
                return json::Value::object({{"login", row.text(0)},
                                            {"email", row.text(1)},
                                            {"display_name", row.text(2)},
                                            {"status", row.text(3)},
                                            {"email_verified_at", row.maybe_instant(4)},
                                            {"pending_email", row.maybe_text(5)},
                                            {"last_login_at", row.maybe_instant(6)},
                                            {"locale", row.maybe_text(7)},
                                            {"created_at", row.instant(8)}});
            })
        .value_or(json::Value());
}

std::vector<std::int64_t> Repository::payments(store::Session& session, const Person& person) {
    static constexpr auto of_bookings = SVC_BY_IDS("SELECT id FROM svc_payments WHERE", "booking_id", "ORDER BY id");
    std::vector<std::int64_t> ids;
    store::each_of(session, of_bookings, "i", person.booking_ids,
                   [&](const store::Row& row) { ids.push_back(row.integer(0)); });
    return ids;
}

json::Value Repository::emails(store::Session& session, const Person& person) {
    auto mails = json::Value::array();
    session.each(
        "SELECT template_key, to_email, subject, status, created_at, sent_at FROM svc_email_outbox"
        " WHERE LOWER(to_email) = :email ORDER BY id LIMIT :most",
        "ttttii", {{"email", person.email}, {"most", static_cast<std::int64_t>(most_of_a_kind)}},
        [&](const store::Row& row) {
            mails.push(json::Value::object({{"template", row.text(0)},
                                            {"to", row.text(1)},
                                            {"subject", row.text(2)},
                                            {"status", row.text(3)},
                                            {"created_at", row.instant(4)},
                                            {"sent_at", row.maybe_instant(5)}}));
        });
    return mails;
}

}  // namespace svc::privacy
