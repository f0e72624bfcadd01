// The feature of plugins: the services of the base for them, and their registrations.
#pragma once

#include "base/booking/desk/partner_bookings.hpp"
#include "base/messaging/feature.hpp"
#include "base/modules/site_modules.hpp"
#include "base/pages/feature.hpp"
#include "base/payment/feature.hpp"
#include "base/plugins/plugins.hpp"
#include "base/site/feature.hpp"

namespace svc::plugins {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, modules::SiteModules& modules, booking::Services& bookings, payment::Feature& payments,
            pages::Feature& pages, messaging::Feature& messaging);

    void connect() override;
    void follow_changes() override;

    // Attaches a plugin; null: none. A refusal is logged, state() reports it, and the base serves on. Modules of Pro
    // that no plugin brought are listed as unavailable. [start-up]
    void attach(svc_plugin_entry_fn* entry);
    [[nodiscard]] bool is_pro() const { return service.state().starts_with("attached"); }

  private:
    booking::PartnerBookings bookings_;
    ChangeHub hub_;

  public:
    CallDoor calls;
    Plugins service;

  private:
    void follow_license();
    modules::SiteModules& modules_;
};

}  // namespace svc::plugins
