// The module trip_consent: forms that travelers sign before a trip.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/consent/requests.hpp"
#include "pro/consent/signing.hpp"

namespace svc::pro::consent {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    // It needs e-mails, pages, jobs, routes of the base and documents.
    static bool fits(const Site& site);

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    Requests requests;
    Signing signing;

  private:
    void listen();
    json::Value check_in(store::Transaction* tx, const json::Array& given) const;
};

}  // namespace svc::pro::consent
