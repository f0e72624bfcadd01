// SQL of customers.
#include "base/people/customers/repository.hpp"

#include <map>

#include "shared/core/text.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/typed.hpp"

namespace svc::customers {
namespace {

#define SVC_CUSTOMER_COLUMNS "id, email, first_name, last_name, phone, country, status, newsletter_optin"
constexpr auto customer_of = [](std::int64_t id, const std::string& email, const std::string& first_name,
                                const std::string& last_name, const std::string& phone, const std::string& country,
                                const std::string& status, bool newsletter_optin) {
    return Customer{id, email, first_name, last_name, phone, country, status, newsletter_optin};
};

// Columns derived from name, address and telephone.
void add_keys(store::Params& params, const std::string& first_name, const std::string& last_name,
              const std::string& email, const std::string& phone) {
    Keys keys = keys_of(first_name, last_name, email, phone);
    params.emplace_back("full_name", std::move(keys.full_name));
    params.emplace_back("name_order", std::move(keys.name_order));
    params.emplace_back("search", std::move(keys.search));
    params.emplace_back("email_key", std::move(keys.email));
    params.emplace_back("phone_key", std::move(keys.phone));
}

}  // namespace

std::optional<Customer> Repository::find(store::Session& session, std::string_view email) {
    return store::first_row(session, "SELECT " SVC_CUSTOMER_COLUMNS " FROM svc_customers WHERE email_lower = :email",
                            {{"email", text::folded(email)}}, customer_of);
}

std::optional<Customer> Repository::find_former(store::Session& session, std::string_view email) {
    return store::first_row(session,
                            "SELECT " SVC_CUSTOMER_COLUMNS
                            " FROM svc_customers WHERE id ="
                            " (SELECT a.customer_id FROM svc_customer_addresses a WHERE a.email_lower = :email)",
                            {{"email", text::folded(email)}}, customer_of);
}

std::vector<std::string> Repository::former_emails(store::Session& session, std::int64_t id) {
    return store::values<std::string>(
        session, "SELECT email FROM svc_customer_addresses WHERE customer_id = :id ORDER BY id", {{"id", id}});
}

void Repository::keep_emails(store::Transaction& tx, const CustomerRecord& source, const CustomerRecord& target,
                             Instant now) {
    tx.run("UPDATE svc_customer_addresses SET customer_id = :to WHERE customer_id = :from",
           {{"from", source.id}, {"to", target.id}});
    tx.run(
        "INSERT INTO svc_customer_addresses (customer_id, email, email_lower, email_key, created_at) VALUES (:to,"
        " :email, :email_lower, :email_key, :now) ON CONFLICT (email_lower) DO UPDATE SET customer_id ="
        " excluded.customer_id, email = excluded.email",
        {{"to", target.id},
         {"email", source.email},
         {"email_lower", text::folded(source.email)},
         {"email_key", keys_of("", "", source.email, "").email},
         {"now", now}});
    drop_former(tx, target.email);
}

void Repository::drop_former(store::Transaction& tx, std::string_view email) {
    tx.run("DELETE FROM svc_customer_addresses WHERE email_lower = :email", {{"email", text::folded(email)}});
}

std::optional<std::string> Repository::account_email(store::Session& session, std::int64_t user_id) {
    return store::value<std::string>(session, "SELECT email FROM svc_users WHERE id = :id", {{"id", user_id}});
}

std::optional<Customer> Repository::find(store::Session& session, std::int64_t id) {
    return store::first_row(session, "SELECT " SVC_CUSTOMER_COLUMNS " FROM svc_customers WHERE id = :id", {{"id", id}},
                            customer_of);
}

std::optional<std::int64_t> Repository::id_of_user(store::Session& session, std::int64_t user_id) {
    return store::value<std::int64_t>(session, "SELECT id FROM svc_customers WHERE user_id = :user_id",
                                      {{"user_id", user_id}});
}

bool Repository::has_account(store::Session& session, std::int64_t user_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_users u JOIN svc_roles r ON r.id = u.role_id WHERE u.id = :id"
               " AND r.slug = 'svc_customer'",
               {{"id", user_id}}) > 0;
}

bool Repository::is_blocked(store::Session& session, std::string_view email, std::optional<std::int64_t> user_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_customers WHERE (email_lower = :email OR user_id = :user_id OR id IN"
               " (SELECT a.customer_id FROM svc_customer_addresses a WHERE a.email_lower = :email))"
               " AND status = 'blocked'",
               {{"email", text::folded(email)}, {"user_id", user_id.value_or(0)}}) > 0;
}

std::optional<Customer> Repository::insert(store::Transaction& tx, const Contact& contact, Instant now) {
    store::Params params{{"email", contact.email},
                         {"email_lower", text::folded(contact.email)},
                         {"first_name", contact.first_name},
                         {"last_name", contact.last_name},
                         {"phone", contact.phone},
                         {"country", contact.country},
                         {"source", contact.source},
                         {"is_own", std::int64_t{contact.is_own ? 1 : 0}},
                         {"newsletter", std::int64_t{contact.wants_newsletter ? 1 : 0}},
                         {"newsletter_at", contact.wants_newsletter ? std::optional(now) : std::nullopt},
                         {"created_at", now},
                         {"updated_at", now}};
    add_keys(params, contact.first_name, contact.last_name, contact.email, contact.phone);
    return store::first_row(
        tx,
        "INSERT INTO svc_customers (email, email_lower, user_id, first_name, last_name, phone, country, source,"
        " full_name, name_order, search, email_key, phone_key, newsletter_optin, newsletter_optin_at, created_at,"
        " updated_at) SELECT :email, :email_lower,"
        " NULL, :first_name, :last_name, :phone, :country, :source, :full_name, :name_order, :search, :email_key,"
        " :phone_key, CAST(:newsletter AS BIGINT), CAST(:newsletter_at AS BIGINT), CAST(:created_at AS BIGINT),"
        " CAST(:updated_at AS BIGINT) WHERE CAST(:is_own AS BIGINT) = 1 OR NOT"
        " EXISTS (SELECT 1 FROM svc_customer_addresses a WHERE a.email_lower = :email_lower)"
        " ON CONFLICT (email_lower) DO NOTHING"
        " RETURNING " SVC_CUSTOMER_COLUMNS,
        params, customer_of);
}

std::optional<std::int64_t> Repository::own(store::Transaction& tx, std::int64_t user_id, std::string_view email,
                                            Instant now) {
    return store::value<std::int64_t>(
        tx,
        "UPDATE svc_customers SET user_id = :user_id, updated_at = :now, row_version = row_version + 1"
        " WHERE email_lower = :email"
        " AND user_id IS NULL AND NOT EXISTS (SELECT 1 FROM svc_customers o WHERE o.user_id = :user_id_is)"
        " RETURNING id",
        {{"user_id", user_id}, {"user_id_is", user_id}, {"now", now}, {"email", text::folded(email)}});
}

void Repository::rewrite(store::Transaction& tx, const Customer& customer, Instant now) {
    store::Params params{{"first_name", customer.first_name},
                         {"last_name", customer.last_name},
                         {"phone", customer.phone},
                         {"country", customer.country},
                         {"newsletter", std::int64_t{customer.newsletter_optin ? 1 : 0}},
                         {"now", now},
                         {"id", customer.id}};
    add_keys(params, customer.first_name, customer.last_name, customer.email, customer.phone);
    tx.run(
        "UPDATE svc_customers SET first_name = :first_name, last_name = :last_name, phone = :phone,"
        " country = :country, full_name = :full_name, name_order = :name_order, search = :search,"
        " email_key = :email_key, phone_key = :phone_key,"
        " newsletter_optin_at = CASE WHEN CAST(:newsletter AS BIGINT) = 1 AND newsletter_optin = 0"
        " THEN CAST(:now AS BIGINT) ELSE newsletter_optin_at END, newsletter_optin = CAST(:newsletter AS BIGINT),"
        " updated_at = CAST(:now AS BIGINT), row_version = row_version + 1 WHERE id = :id",
        params);
}

void Repository::add_totals(store::Session& session, const std::vector<record::Any>& rows, Currency currency) {
    std::map<std::int64_t, Totals*> by_id;
    std::vector<std::int64_t> ids;
    for (const record::Any& row : rows) {
        auto& customer = *static_cast<CustomerRecord*>(row.get());
        customer.totals = {};
        by_id[customer.id] = &customer.totals;
        ids.push_back(customer.id);
    }
    static constexpr auto sums = SVC_BY_IDS(
        "SELECT customer_id, COUNT(*), CAST(SUM(travelers_count) AS BIGINT), CAST(SUM(CASE WHEN currency = :currency"
        " THEN amount_paid_minor ELSE 0 END) AS BIGINT), MAX(created_at), MAX(travel_date) FROM svc_bookings"
        " WHERE status NOT IN ('cancelled', 'failed', 'refunded', 'trash') AND",
        "customer_id", "GROUP BY customer_id");
    store::each_row_of(session, sums, ids,
                       [&](std::int64_t id, std::int64_t bookings, std::int64_t travelers, std::int64_t spent_minor,
                           Instant last_booked_at, Date last_travel_date) {
                           *by_id.at(id) = {bookings, travelers, spent_minor, last_booked_at, last_travel_date};
                       },
                       {{"currency", currency.code()}});
}

void Repository::let_go_of_user(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_customers SET user_id = NULL WHERE id = :id", {{"id", id}});
}

std::optional<Repository::Login> Repository::login_of(store::Session& session, std::string_view email) {
    return store::first_struct<Login, std::int64_t, bool>(
        session,
        "SELECT u.id, CASE WHEN u.email_verified_at IS NULL OR r.slug <> 'svc_customer' THEN 0 ELSE 1 END FROM"
        " svc_users u JOIN svc_roles r ON r.id = u.role_id WHERE u.email_lower = :email",
        {{"email", text::folded(email)}});
}

void Repository::link(store::Transaction& tx, std::int64_t id, std::int64_t user_id) {
    tx.run("UPDATE svc_customers SET user_id = :user_id WHERE id = :id", {{"id", id}, {"user_id", user_id}});
}

std::vector<Repository::Group> Repository::duplicates(store::Session& session, std::int64_t most) {
    std::vector<Group> groups;
    const auto add = [&](std::string_view why, std::string_view sql) {
        std::string last;
        store::each_row(session, sql, {{"most", most}}, [&](const std::string& key, std::int64_t id) {
            if (groups.empty() || groups.back().why != why || key != last)
                groups.push_back({why, {}});
            last = key;
            groups.back().ids.push_back(id);
        });
    };
    add("email",
        "SELECT c.email_key, c.id FROM svc_customers c JOIN (SELECT email_key, MIN(id) AS first_id FROM svc_customers"
        " WHERE email_key <> '' GROUP BY email_key HAVING COUNT(*) > 1 ORDER BY MIN(id) LIMIT :most) d"
        " ON d.email_key = c.email_key WHERE c.email_key <> '' ORDER BY d.first_id, c.id");
    add("email",
        "SELECT a.email_key, a.customer_id FROM svc_customer_addresses a JOIN svc_customers c ON c.email_key ="
        " a.email_key AND c.id <> a.customer_id WHERE a.email_key <> ''"
        " UNION SELECT a.email_key, c.id FROM svc_customer_addresses a JOIN svc_customers c ON c.email_key ="
        " a.email_key AND c.id <> a.customer_id WHERE a.email_key <> '' ORDER BY 1, 2 LIMIT :most");
    add("phone",
        "SELECT c.phone_key, c.id FROM svc_customers c JOIN (SELECT phone_key, MIN(id) AS first_id FROM svc_customers"
        " WHERE phone_key <> '' GROUP BY phone_key HAVING COUNT(*) > 1 ORDER BY MIN(id) LIMIT :most) d"
        " ON d.phone_key = c.phone_key WHERE c.phone_key <> '' ORDER BY d.first_id, c.id");
    add("name_and_birthday",
        "SELECT c.person_key, c.id FROM svc_customers c JOIN (SELECT person_key, MIN(id) AS first_id FROM"
        " svc_customers WHERE person_key <> '' GROUP BY person_key HAVING COUNT(*) > 1 ORDER BY MIN(id) LIMIT :most) d"
        " ON d.person_key = c.person_key WHERE c.person_key <> '' ORDER BY d.first_id, c.id");
    return groups;
}

std::int64_t Repository::fold_next(store::Transaction& tx) {
    const auto rows = store::all_rows(
        tx, "SELECT " SVC_CUSTOMER_COLUMNS " FROM svc_customers WHERE search = '' ORDER BY id LIMIT 500", {},
        customer_of);
    for (const Customer& each : rows) {
        store::Params params{{"id", each.id}};
        add_keys(params, each.first_name, each.last_name, each.email, each.phone);
        tx.run(
            "UPDATE svc_customers SET full_name = :full_name, name_order = :name_order, search = :search,"
            " email_key = :email_key, phone_key = :phone_key WHERE id = :id",
            params);
    }
    return static_cast<std::int64_t>(rows.size());
}

std::int64_t Repository::index_next(store::Transaction& tx) {
    if (tx.dialect() != store::Dialect::sqlite)
        return 0;  // PostgreSQL's index has them
    return tx.run(
        "INSERT INTO svc_customers_grams (rowid, search) SELECT c.id, c.search FROM svc_customers c"
        " WHERE c.id > (SELECT COALESCE(MAX(id), 0) FROM svc_customers_grams_docsize) ORDER BY c.id LIMIT 500",
        {});
}

std::vector<SealedTexts> Repository::sealed_texts(store::Session& session) {
    return store::structs<SealedTexts, std::int64_t, std::string, std::string, std::string, std::string>(
        session,
        "SELECT id, dietary_requirements, medical_conditions, special_needs, extra_fields FROM svc_customers"
        " WHERE dietary_requirements <> '' OR medical_conditions <> '' OR special_needs <> '' OR"
        " extra_fields <> ''");
}

void Repository::put_sealed(store::Transaction& tx, const SealedTexts& texts) {
    tx.run(
        "UPDATE svc_customers SET dietary_requirements = :dietary, medical_conditions = :medical,"
        " special_needs = :special, extra_fields = :fields, row_version = row_version + 1 WHERE id = :id",
        {{"dietary", texts.dietary_requirements},
         {"medical", texts.medical_conditions},
         {"special", texts.special_needs},
         {"fields", texts.extra_fields},
         {"id", texts.id}});
}

}  // namespace svc::customers
