// The features of Pro, in their order.
#include "pro/app/pro.hpp"

#include "pro/abandoned_bookings/feature.hpp"
#include "pro/additional_services/feature.hpp"
#include "pro/common/module.hpp"
#include "pro/consent/feature.hpp"
#include "pro/dynamic_pricing/feature.hpp"
#include "pro/email_automation/feature.hpp"
#include "pro/facebook_pixel/feature.hpp"
#include "pro/gateways/feature.hpp"
#include "pro/google_analytics/feature.hpp"
#include "pro/google_calendar/feature.hpp"
#include "pro/landing_pages/feature.hpp"
#include "pro/license/feature.hpp"
#include "pro/mailchimp/feature.hpp"
#include "pro/saved_trips/feature.hpp"
#include "pro/scheduled_payments/feature.hpp"
#include "pro/webhooks/feature.hpp"

namespace svc::pro {
namespace {

// Rules of the base that are sold with Pro: its prices and its form check whether they are enabled.
class RulesOfBase final : public Feature {
  public:
    using Feature::Feature;

    void declare() override {
        for (const char* slug : {"flexible_payments", "advanced_discount", "dynamic_form_field"})
            site_.modules.declare(module_named(slug));
    }
};

template <class... List>
void build(plugin::Host& host, const Site& site) {
    ((List::fits(site) ? static_cast<void>(host.make<List>(site)) : void()), ...);
}

void attach_by_system_clock(plugin::Host& host) { attach(host, host.make<SystemClock>()); }

}  // namespace

void attach(plugin::Host& host, const Clock& clock) {
    const auto& site = host.make<Site>(host, clock);
    build<license::Feature,              //
          RulesOfBase,                   //
          additional_services::Feature,  //
          dynamic_pricing::Feature,      //
          scheduled_payments::Feature,   //
          gateways::Feature,             //
          webhooks::Feature,             //
          saved_trips::Feature,          //
          email_automation::Feature,     //
          abandoned_bookings::Feature,   //
          landing_pages::Feature,        //
          consent::Feature,              //
          google_calendar::Feature,      //
          facebook_pixel::Feature,       //
          google_analytics::Feature,     //
          mailchimp::Feature             //
          >(host, site);
    site.features.run_steps();
    if (site.log)
        site.log->write(log::Level::info, "pro_attached", {{"base", host.version()}});
}

}  // namespace svc::pro

SVC_PLUGIN("svc-pro", SVC_PRO_VERSION, 0, svc::pro::attach_by_system_clock);
