// The feature of plugins: the services of the base for them, and their registrations.
#pragma once

#include "base/feature/feature.hpp"
#include "base/messaging/feature.hpp"
#include "base/modules/site_modules.hpp"
#include "base/plugins/plugins.hpp"
#include "base/sales/booking/desk/partner_bookings.hpp"
#include "base/sales/documents/feature.hpp"
#include "base/sales/payment/feature.hpp"
#include "base/website/feature.hpp"

namespace svc::plugins {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, modules::SiteModules& modules, booking::Services& bookings, payment::Feature& payments,
            pages::Feature& pages, messaging::Feature& messaging, documents::Feature& documents);

    void connect() override;
    void follow_changes() override;

    // Attaches Pro (null: none), then the other plugins in their order. A refusal is logged, state() reports Pro's, and
    // the base serves on. Modules of Pro that no plugin brought are listed as unavailable. [start-up]
    void attach(svc_plugin_entry_fn* pro, const std::vector<svc_plugin_entry_fn*>& others = {});
    [[nodiscard]] bool is_pro() const { return service.state().starts_with("attached"); }
    // Of the attached plugin, as its library states it; empty: none.
    [[nodiscard]] std::string pro_version() const {
        const std::string state = service.state();
        return is_pro() ? state.substr(state.rfind(' ') + 1) : std::string();
    }

    // What plugins answer to filters may have changed. `here`: a plugin of this process has said so, and this process
    // shows it once it returns; called after the commit. Else of another process, on the feed's thread: it waits for
    // nothing. [start-up]
    void when_changed(std::function<void(bool here)> work) { when_changed_.push_back(std::move(work)); }

  private:
    booking::PartnerBookings bookings_;
    ChangeHub hub_;
    std::vector<std::function<void(bool here)>> when_changed_;

  public:
    CallDoor calls;
    Plugins service;

  private:
    void follow_license();
    void report_change(bool here) const;
    modules::SiteModules& modules_;
};

}  // namespace svc::plugins
