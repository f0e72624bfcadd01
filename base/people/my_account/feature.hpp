// The feature of one's own account: profile, password, address, payments, documents, enquiries (spec 4.9).
#pragma once

#include "base/catalog/downloads/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/people/customers/feature.hpp"
#include "base/people/identity/own_account.hpp"
#include "base/people/my_account/repository.hpp"

namespace svc::my_account {

// Built at start; afterwards any thread. An account whose address is not proven owns nothing and sees nothing.
class Feature final : public svc::Feature {
  public:
    struct Needs {
        identity::Feature& identity;
        customers::Feature& customers;
        catalog::downloads::Feature& downloads;
    };
    Feature(const Site& site, const Needs& lower);

    void declare() override;
    void add_routes() override;

    identity::OwnAccount own;

  private:
    [[nodiscard]] api::RouteSpec profile_route() const;
    [[nodiscard]] api::RouteSpec change_route() const;
    [[nodiscard]] api::RouteSpec payments_route() const;
    [[nodiscard]] api::RouteSpec documents_route() const;
    [[nodiscard]] api::RouteSpec tickets_route() const;
    void add_credential_routes();  // credentials.cpp
    [[nodiscard]] api::Schema profile_answer() const;
    [[nodiscard]] api::Schema profile_fields() const;
    [[nodiscard]] json::Value profile_json(store::Session& session, const customers::CustomerRecord& customer,
                                           const api::Caller& caller) const;
    // The caller's own record; nothing while there is none, or for an account that is not proven.
    [[nodiscard]] std::optional<customers::CustomerRecord> own_record(store::Session& session,
                                                                      const api::Caller& caller) const;
    // Checks a profile: holders of accounts need fields that other customers may omit.
    [[nodiscard]] Result<void> check(const json::Value& body) const;
    static Result<void> check_names(const std::optional<customers::CustomerRecord>& stored, const json::Value& body);
    Result<customers::CustomerRecord> write(store::Transaction& tx, const api::Request& request) const;

    // A payment as its customer sees it, with total, amount_paid and amount_due of its booking; null: it is gone.
    [[nodiscard]] static json::Value own_payment(store::Session& session, const OwnPayment& which);
    // A link that opens it for the caller; nothing if the caller may not open it.
    [[nodiscard]] std::optional<std::string> link_to(const api::Request& request, const OwnDocument& document) const;

    const Needs lower_;
    const customers::Feature& customers_;
};

}  // namespace svc::my_account
