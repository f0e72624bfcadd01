// The module custom_landing_pages: pages that staff build of blocks, for campaigns or in place of a record's page.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/landing_pages/landing_pages.hpp"

namespace svc::pro::landing_pages {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site) : pro::Feature(site), pages(site, site.host.need<plugin::Calls>()) {}

    // It needs pages, and calls of routes: the base lists the trips and knows the pictures.
    static bool fits(const Site& site) { return site.pages && site.host.find<plugin::Calls>() != nullptr; }

    void declare() override;
    void connect() override;
    void add_routes() override;

    LandingPages pages;

  private:
    [[nodiscard]] json::Value permalink(const json::Array& given, std::string_view owner_type) const;
    [[nodiscard]] Result<json::Value> show(const json::Value& request) const;
};

}  // namespace svc::pro::landing_pages
