// SQL of customers.
#include "base/customers/repository.hpp"

#include "shared/core/text.hpp"

namespace svc::customers {
namespace {

Customer read(const store::Row& row) {
    return {.id = row.integer(0),
            .email = row.text(1),
            .first_name = row.text(2),
            .last_name = row.text(3),
            .phone = row.text(4),
            .country = row.text(5),
            .status = row.text(6)};
}

}  // namespace

std::optional<Customer> Repository::find(store::Session& session, std::string_view email) {
    return session.first<Customer>(
        "SELECT id, email, first_name, last_name, phone, country, status FROM svc_customers"
        " WHERE email_lower = :email",
        "itttttt", {{"email", text::folded(email)}}, read);
}

std::optional<Customer> Repository::find(store::Session& session, std::int64_t id) {
    return session.first<Customer>(
        "SELECT id, email, first_name, last_name, phone, country, status FROM svc_customers WHERE id = :id", "itttttt",
        {{"id", id}}, read);
}

bool Repository::is_blocked(store::Session& session, std::string_view email, std::optional<std::int64_t> user_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_customers WHERE (email_lower = :email OR user_id = :user_id)"
               " AND status = 'blocked'",
               {{"email", text::folded(email)}, {"user_id", user_id.value_or(0)}}) > 0;
}

std::optional<Customer> Repository::insert(store::Transaction& tx, const Contact& contact, Instant now) {
    return tx.first<Customer>(
        "INSERT INTO svc_customers (email, email_lower, user_id, first_name, last_name, phone, country, created_at,"
        " updated_at) VALUES (:email, :email_lower, NULL, :first_name, :last_name, :phone, :country, :created_at,"
        " :updated_at) ON CONFLICT (email_lower) DO NOTHING"
        " RETURNING id, email, first_name, last_name, phone, country, status",
        "itttttt",
        {{"email", contact.email},
         {"email_lower", text::folded(contact.email)},
         {"first_name", contact.first_name},
         {"last_name", contact.last_name},
         {"phone", contact.phone},
         {"country", contact.country},
         {"created_at", now},
         {"updated_at", now}},
        read);
}

std::optional<std::int64_t> Repository::own(store::Transaction& tx, std::int64_t user_id, std::string_view email,
                                            Instant now) {
    return tx.first<std::int64_t>(
        "UPDATE svc_customers SET user_id = :user_id, updated_at = :now WHERE email_lower = :email"
        " AND user_id IS NULL AND NOT EXISTS (SELECT 1 FROM svc_customers o WHERE o.user_id = :user_id_is)"
        " RETURNING id",
        "i", {{"user_id", user_id}, {"user_id_is", user_id}, {"now", now}, {"email", text::folded(email)}},
        [](const store::Row& row) { return row.integer(0); });
}

void Repository::fill_blanks(store::Transaction& tx, std::int64_t id, const Contact& contact, Instant now) {
    tx.run(
        "UPDATE svc_customers SET first_name = CASE first_name WHEN '' THEN :first_name ELSE first_name END,"
        " last_name = CASE last_name WHEN '' THEN :last_name ELSE last_name END,"
        " phone = CASE phone WHEN '' THEN :phone ELSE phone END,"
        " country = CASE country WHEN '' THEN :country ELSE country END, updated_at = :now WHERE id = :id",
        {{"first_name", contact.first_name},
         {"last_name", contact.last_name},
         {"phone", contact.phone},
         {"country", contact.country},
         {"now", now},
         {"id", id}});
}

}  // namespace svc::customers
