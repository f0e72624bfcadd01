// Declarations and listeners of the licence.
#include "pro/license/feature.hpp"

#include "pro/common/sealed_rows.hpp"
#include "pro/common/steps.hpp"
#include "pro/license/hooks.hpp"
#include "pro/license/notice.hpp"
#include "pro/license/routes.hpp"
#include "pro/license/settings.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::pro::license {
namespace {

constexpr std::string_view modules_end = "svc_pro_modules_end";

hooks::Listener listener() { return {.name = "svc_license", .module = {}}; }

}  // namespace

Feature::Feature(const Site& site)
    : pro::Feature(site),
      service(site.store, site.hooks, Repository(site.secrets), Evaluations(site.secrets), Server(site.host),
              [&site] { return site.hooks.knows(modules_end); }) {}

Instant Feature::moment_of(const json::Array& given, std::size_t place) const {
    const auto moment =
        given.size() > place && given[place].is_string() ? Instant::parse(given[place].text()) : std::nullopt;
    return moment.value_or(site_.clock.now());
}

void Feature::declare() {
    site_.modules.storage({step("0002_license.sql"), step("0160_license_origin.sql"), step("0198_evaluation.sql"),
                           step("0251_license_states.sql")});
    declare_settings(site_.settings);
    declare_hooks(site_.hooks);
    limit_modules();
    name_evaluation();
    renews_sealed(site_, "svc_license", sealed_columns());
    // An older base has no list of notices.
    site_.filter_if_known("svc_notices", listener(), [this](store::Transaction*, const json::Array& given) {
        const Instant now = site_.clock.now();
        return with_notice(state_now(now), given.front(), now);
    });
}

State Feature::state_now(Instant now) {
    const License license = service.current();
    return state_of(license, service.evaluation(),
                    beyond_plan(
                        license, [this](std::string_view slug) { return site_.modules.enabled(slug); }, now),
                    now);
}

void Feature::limit_modules() {
    // A base that is older than plans offers every module.
    site_.filter_if_known("svc_pro_available_modules", listener(),
                          [this](store::Transaction*, const json::Array& given) {
                              const Instant now = moment_of(given, 1);
                              return covered(service.in_effect(now), given.front(), now);
                          });
    site_.filter_if_known(modules_end, listener(), [this](store::Transaction*, const json::Array& given) {
        const auto end = service.modules_end(moment_of(given, 1));
        return end ? json::Value(*end) : given.front();
    });
}

// On the admin's pages and on documents.
void Feature::name_evaluation() {
    site_.filter_if_known(
        "svc_admin_localized_data", listener(), [this](store::Transaction*, const json::Array& given) {
            json::Value data = given.front();
            const Instant now = moment_of(given, 2);
            if (const auto running = service.running_evaluation(now); running && data.is_object())
                data.set("evaluation", json::Value::object(
                                           {{"ends_at", running->ends_at()}, {"days_left", running->days_left(now)}}));
            return data;
        });
    site_.filter_if_known("svc_document_mark", listener(), [this](store::Transaction*, const json::Array& given) {
        return service.running_evaluation(moment_of(given, 2)) ? json::Value("Evaluation") : given.front();
    });
}

void Feature::add_routes() {
    license::add_routes(
        site_.routes, service, site_.settings, [this](Instant now) { return state_now(now); },
        [this] {
            json::Value on = json::Value::array();
            for (const plugin::ProModule& module : plugin::pro_modules)
                if (site_.modules.enabled(module.slug))
                    on.push(module.slug);
            return on;
        });
}

void Feature::add_jobs() {
    if (!site_.jobs)
        return;  // an administrator checks by hand
    site_.jobs->add(
        {.name = "license_check",
         .help = "Asks the licence server for the current terms of the licence, and notes that the evaluation lasts.",
         .every = std::chrono::hours(24),
         .run = [this](Instant now) -> Result<json::Value> {
             SVC_RETURN_IF_ERROR(service.see_evaluation(now));
             if (service.current().key.empty())
                 return json::Value::object({{"checked", 0}});
             SVC_RETURN_IF_ERROR(service.check(now));
             return json::Value::object({{"checked", 1}});
         }});
}

}  // namespace svc::pro::license
