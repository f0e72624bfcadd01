// The feature of customers: staff's list and records, duplicates, merging (spec 4.9).
#pragma once

#include "base/feature/feature.hpp"
#include "base/people/customers/account_records.hpp"
#include "base/people/customers/bookings.hpp"
#include "base/people/customers/customer_record.hpp"
#include "base/people/identity/feature.hpp"
#include "shared/resource/resource.hpp"

namespace svc::customers {

// An account that a merge would let see another address's data and bookings.
struct ShownToAccount {
    std::int64_t user_id = 0, bookings = 0;
    std::string email = {}, other_email = {};
};

// The outcome of merging two customers.
struct Merged {
    CustomerRecord source, target, result;
    json::Value moved;  // how many bookings, payments, … change their customer
    std::optional<ShownToAccount> shows;
};

// Built at start; afterwards any thread. It has nothing in memory that another process could change.
class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, identity::Feature& identity);

    void connect() override { identity_.record_with(account_records_); }
    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    Result<std::int64_t> renew_sealed() override;

    // Outlives the feature; set before the routes are added. [start-up]
    void booked_by(const Bookings& bookings) { bookings_ = &bookings; }
    [[nodiscard]] const record::Record<CustomerRecord>& record() const { return record_; }
    [[nodiscard]] const resource::Resource<CustomerRecord>& customers() const { return customers_; }
    // Moves everything of `from` to `to`, fills in blank members of `to` and deletes `from`. An account moves
    // along. `account` is the address of the account that will then see the other's data and be given its bookings:
    // without it 409 account_link_confirmation_required where there is such an account. not_found; svc_conflict when
    // both have an account; 400 naming `target_id` for one and the same.
    Result<Merged> merge(store::Transaction& tx, std::int64_t from, std::int64_t to, const record::Writer& writer,
                         const std::optional<std::string>& account = std::nullopt) const;
    // Gives the account's record its new, proven address, and merges the record that has this address unless that one
    // belongs to another account.
    void follow_account(store::Transaction& tx, std::int64_t user_id, const std::string& email, Instant now) const;

  private:
    [[nodiscard]] resource::Options options() const;
    [[nodiscard]] resource::Rules<CustomerRecord> rules() const;
    [[nodiscard]] api::RouteSpec list_route() const;
    [[nodiscard]] api::RouteSpec read_route() const;
    [[nodiscard]] api::RouteSpec create_route() const;
    [[nodiscard]] api::RouteSpec update_route() const;
    [[nodiscard]] api::RouteSpec bookings_route() const;
    [[nodiscard]] api::RouteSpec duplicates_route() const;
    [[nodiscard]] api::RouteSpec merge_route() const;
    [[nodiscard]] api::RouteSpec preview_route() const;
    struct CreatedCustomer {
        CustomerRecord customer;
        bool account_created = false, account_linked = false;
    };
    using MakeAccount = std::function<Result<std::int64_t>(store::Transaction&)>;
    Result<CreatedCustomer> create(store::Transaction& tx, const api::Request& request,
                                   const MakeAccount& account) const;
    [[nodiscard]] std::optional<ShownToAccount> shown_to_account(store::Session& session, const CustomerRecord& source,
                                                                 const CustomerRecord& target,
                                                                 const CustomerRecord& result) const;
    [[nodiscard]] Result<Merged> plan(store::Session& session, std::int64_t from, std::int64_t to) const;
    // As this caller may see it.
    [[nodiscard]] json::Value customer_json(const CustomerRecord& customer, const api::Caller& caller) const;

    identity::Feature& identity_;
    AccountRecords account_records_;
    const Bookings* bookings_ = nullptr;
    const record::Record<CustomerRecord> record_;
    const resource::Resource<CustomerRecord> customers_;
};

// A row of a list of customers: no health data, no notes.
json::Value row_of(const json::Value& detail);
api::Schema row_answer(const record::Record<CustomerRecord>& record);

}  // namespace svc::customers
