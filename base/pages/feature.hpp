// The feature of the site's pages for visitors: rendered by the server, usable without scripts.
#pragma once

#include "base/booking/feature.hpp"
#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/identity/feature.hpp"
#include "base/pages/pages.hpp"
#include "base/pages/partners.hpp"
#include "base/pages/views/views.hpp"
#include "base/payment/feature.hpp"
#include "base/site/feature.hpp"

namespace svc::pages {

class Feature final : public svc::Feature {
  public:
    struct Below {
        identity::Feature& identity;
        catalog::classifications::Feature& classes;
        catalog::trips::Feature& trips;
        booking::Feature& bookings;
        payment::Feature& payments;
    };
    // `theme_folder`: where the site's own templates lie, in its sub-folder svc.
    Feature(const Site& site, const Below& below, std::string base_path, std::string theme_folder);
    ~Feature() override;

    void declare() override;
    void add_routes() override;

    Theme theme;
    Router router;
    Partners partners;  // what plugins bring
    Tags tags;
    KeptParts kept{std::size_t{1} << 20};
    Views views;
    Pages pages;

  private:
    [[nodiscard]] Origins origins_of(const std::vector<std::string>& gateways) const;

    payment::Feature& payments_;
};

}  // namespace svc::pages
