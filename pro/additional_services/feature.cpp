// Declarations and listeners of additional services.
#include "pro/additional_services/feature.hpp"

#include "pro/additional_services/limits.hpp"
#include "pro/additional_services/mails.hpp"
#include "pro/additional_services/resource.hpp"
#include "pro/additional_services/routes.hpp"
#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"

namespace svc::pro::additional_services {

void Feature::declare() {
    site_.modules.declare(
        module_named(module_slug, {step("0001_additional_services.sql"), step("0004_booked_service_prices.sql"),
                                   step("0107_service_versions.sql"), step("0125_service_limits.sql")}));
    const hooks::Listener listener{.name = "svc_additional_services", .module = std::string(module_slug)};
    const bool is_sold = site_.filter_if_known(
        "svc_booking_additional_services", listener, [this](store::Transaction* tx, const json::Array& given) {
            return given.size() > 1 ? pricing.services(tx, given[0], given[1]) : given.front();
        });
    if (!is_sold)
        return;  // the base sells no services with its bookings
    // An older base that does not store services has neither of these.
    site_.filter_if_known("svc_booking_services_kept", listener,
                          [this](store::Transaction* tx, const json::Array& given) {
                              return given.size() > 1 ? pricing.keep(tx, given[0], given[1].integer()) : given.front();
                          });
    site_.filter_if_known(
        "svc_booking_services_short", listener, [this](store::Transaction* tx, const json::Array& given) {
            return given.size() > 2 ? pricing.short_of(tx, given[0], given[1].integer(), given[2]) : given.front();
        });
    site_.filter_if_known(
        "svc_booking_get_services", listener, [this](store::Transaction* tx, const json::Array& given) {
            return given.size() > 1 ? pricing.of_booking(tx, given[0], given[1].integer()) : given.front();
        });
    site_.filter_if_known("svc_booking_services_added", listener,
                          [this](store::Transaction* tx, const json::Array& given) {
                              if (tx && given.size() > 1)
                                  mail_added(site_, *tx, given[1].integer(), given[0]);
                              return given.front();
                          });
}

void Feature::connect() { declare_mails(site_); }

void Feature::add_routes() {
    constexpr std::string_view channel = "additional_services";
    std::function<void(store::Transaction&)> note_change;
    if (site_.changes) {
        site_.changes->follow(std::string(channel), [this] { pricing.forget(); });
        note_change = [this](store::Transaction& tx) { site_.changes->touch(tx, channel); };
    }
    const auto services = service_resource(
        site_.store, [this] { return site_.currency(); }, [this] { return site_.zone(); }, [this] { pricing.forget(); },
        note_change);
    for (auto& spec : service_routes(services))
        site_.routes.add(std::move(spec), resource::Routes::headers());
    add_trip_routes(
        site_, [this] { pricing.forget(); }, note_change);
    add_report_routes(site_);
}

void Feature::add_jobs() {
    if (!site_.jobs)
        return;  // services of before are found without folded accents
    site_.jobs->add(
        {.name = "additional_services_search",
         .help =
             "Updates the search text of additional services written by an earlier version, and removes the locks of"
             " past departures' stocks.",
         .every = std::chrono::hours(24),
         .run = [this](Instant now) -> Result<json::Value> {
             if (!site_.modules.enabled(module_slug))
                 return json::Value::object({{"folded", 0}});  // it may have no tables yet
             const Date today = site_.today(now);
             const auto folded =
                 site_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                     remove_old_days(tx, today.plus_days(-1));
                     return service_record().fold_search(tx);
                 });
             return folded ? Result<json::Value>(json::Value::object({{"folded", *folded}})) : folded.error();
         }});
}

}  // namespace svc::pro::additional_services
