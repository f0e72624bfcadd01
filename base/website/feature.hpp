// The feature of the site's pages for visitors: rendered by the server, usable without scripts.
#pragma once

#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/people/identity/feature.hpp"
#include "base/sales/booking/feature.hpp"
#include "base/sales/payment/feature.hpp"
#include "base/website/pages/pages.hpp"
#include "base/website/pages/plugin_pages.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {

class Feature final : public svc::Feature {
  public:
    struct Needs {
        identity::Feature& identity;
        catalog::classifications::Feature& classes;
        catalog::trips::Feature& trips;
        booking::Feature& bookings;
        payment::Feature& payments;
    };
    // `theme_folder`: where the site's own templates lie, in its sub-folder svc.
    Feature(const Site& site, const Needs& below, std::string base_path, std::string theme_folder);
    ~Feature() override;

    void declare() override;
    void add_routes() override;

    Theme theme;
    Router router;
    Partners partners;  // what plugins bring
    Tags tags;
    PartCache kept{std::size_t{1} << 20};
    Views views;
    Pages pages;

  private:
    [[nodiscard]] Origins origins_of(const std::vector<std::string>& gateways) const;

    payment::Feature& payments_;
};

}  // namespace svc::pages
