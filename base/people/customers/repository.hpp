// Customer rows as bookings and accounts need them, and what refers to them. Staff's lists go by the record.
#pragma once

#include "base/people/customers/customer.hpp"
#include "base/people/customers/customer_record.hpp"

namespace svc::customers {

// A row's sealed texts as they are at rest.
struct SealedTexts {
    std::int64_t id = 0;
    std::string dietary_requirements, medical_conditions, special_needs, extra_fields;
};

class Repository {
  public:
    static std::optional<Customer> find(store::Session& session, std::string_view email);
    static std::optional<Customer> find(store::Session& session, std::int64_t id);
    // The record into which the one of that address was merged. Finds records only: it proves nothing to an account.
    static std::optional<Customer> find_former(store::Session& session, std::string_view email);
    static std::vector<std::string> former_emails(store::Session& session, std::int64_t id);
    // The target has the addresses of the source besides its own.
    static void keep_emails(store::Transaction& tx, const CustomerRecord& source, const CustomerRecord& target,
                            Instant now);
    static void drop_former(store::Transaction& tx, std::string_view email);  // it is a record's own now
    static std::optional<std::string> account_email(store::Session& session, std::int64_t user_id);
    static std::optional<std::int64_t> id_of_user(store::Session& session, std::int64_t user_id);
    static bool has_account(store::Session& session, std::int64_t user_id);
    static bool is_blocked(store::Session& session, std::string_view email, std::optional<std::int64_t> user_id);
    // The record made; nothing happens when the address has one, or had one that was merged, unless it is `is_own`.
    static std::optional<Customer> insert(store::Transaction& tx, const Contact& contact, Instant now);
    // Gives the record of that address to the user, if neither is assigned yet; returns its id.
    static std::optional<std::int64_t> own(store::Transaction& tx, std::int64_t user_id, std::string_view email,
                                           Instant now);
    // Writes these members, as they are by now.
    static void rewrite(store::Transaction& tx, const Customer& customer, Instant now);

    // Fills in CustomerRecord::totals.
    static void add_totals(store::Session& session, const std::vector<record::Any>& rows, Currency currency);
    static void let_go_of_user(store::Transaction& tx, std::int64_t id);
    // The account of that address. Verified: a customer's whose address is proven, so that a record may be linked.
    struct Login {
        std::int64_t user_id = 0;
        bool verified = false;
    };
    static std::optional<Login> login_of(store::Session& session, std::string_view email);
    static void link(store::Transaction& tx, std::int64_t id, std::int64_t user_id);
    // Customers that have a key in common with another one: groups in the order of their first ids.
    struct Group {
        std::string_view why;  // email, phone, name_and_birthday
        std::vector<std::int64_t> ids;
    };
    static std::vector<Group> duplicates(store::Session& session, std::int64_t most);

    // Fills the search of rows that an earlier version wrote, at most 500; returns how many.
    static std::int64_t fold_next(store::Transaction& tx);
    // Puts new rows into the index of letters that searches use, at most 500; returns how many.
    static std::int64_t index_next(store::Transaction& tx);
    static std::vector<SealedTexts> sealed_texts(store::Session& session);
    static void put_sealed(store::Transaction& tx, const SealedTexts& texts);
};

}  // namespace svc::customers
