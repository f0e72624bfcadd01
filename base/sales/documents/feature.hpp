// The feature of documents: invoices, credit notes, vouchers and itineraries as pages.
#pragma once

#include "base/feature/feature.hpp"
#include "base/sales/documents/partner_documents.hpp"
#include "base/sales/documents/service.hpp"
#include "base/sales/payment/feature.hpp"

namespace svc::documents {

// The features that documents read.
struct Needs {
    const catalog::media::Feature& media;
    catalog::trips::Feature& trips;
    availability::Feature& availability;
    booking::Feature& bookings;
    payment::Feature& payments;
};

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, const Needs& below);

    void declare() override;
    void add_routes() override;

    Logos logos;
    Service service;
    PartnerDocuments partners;

  private:
    booking::Feature& bookings_;
};

}  // namespace svc::documents
