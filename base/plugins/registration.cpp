// The list of abilities a plugin is offered, and the moment its registrations come into force.
#include "base/plugins/registration.hpp"

#include "base/platform/store/migrate.hpp"

namespace svc::plugins {
namespace {

const void* service_of(void* self, const char* id) noexcept {
    return id ? static_cast<const Registration*>(self)->service(id) : nullptr;
}

}  // namespace

Result<void> run_steps(store::Store& store, const std::string& edition, const std::vector<Step>& steps, Instant now) {
    std::vector<store::Step> list;
    list.reserve(steps.size());
    for (const auto& step : steps)
        list.push_back({step.name, step.sql});
    try {
        (void)store::migrate(store, edition, list, now);
        return {};
    } catch (const std::runtime_error& e) {
        return Error(errc::unavailable).because(e.what());
    }
}

Registration::Registration(Services& offering, std::shared_ptr<plugin::Guest> attaching)
    : services(offering),
      guest(std::move(attaching)),
      known_actions(services.hooks.actions()),
      known_filters(services.hooks.filters()),
      store_table(services.store, guest),
      routes_table(routes_table_of(*this)),
      hooks_table(hooks_table_of(*this)),
      settings_table(settings_table_of(*this)),
      modules_table(modules_table_of(*this)),
      gateways_table(gateways_table_of(*this)),
      charging_gateways_table(charging_gateways_table_of(*this)),
      jobs_table(jobs_table_of(*this)),
      log_table(log_table_of(*this)),
      secrets_table(secrets_table_of(*this)),
      fetch_table(fetch_table_of(*this)),
      confirm_modes_table(confirm_modes_table_of(*this)),
      charges_table(charges_table_of(*this)),
      pages_table(pages_table_of(*this)),
      calls_table(calls_table_of(*this)),
      mails_table(mails_table_of(*this)),
      bookings_table(bookings_table_of(*this)),
      changes_table(changes_table_of(*this)),
      limits_table(limits_table_of(*this)),
      fetch_2_table(fetch_2_table_of(*this)),
      housekeeping_table(housekeeping_table_of(*this)),
      documents_table(documents_table_of(*this)),
      offered{{SVC_ROUTES_1, &routes_table},
              {SVC_STORE_1, store_table.table()},
              {SVC_HOOKS_1, &hooks_table},
              {SVC_SETTINGS_1, &settings_table},
              {SVC_MODULES_1, &modules_table},
              {SVC_GATEWAYS_1, &gateways_table},
              {SVC_GATEWAYS_2, &charging_gateways_table},
              {SVC_JOBS_1, &jobs_table},
              {SVC_LOG_1, &log_table},
              {SVC_SECRETS_1, &secrets_table}},
      host{sizeof(svc_host), SVC_ABI_MAJOR, SVC_ABI_MINOR, plugin::borrow(SVC_VERSION), this, &service_of} {
    if (services.fetch)
        offered.emplace_back(SVC_FETCH_1, &fetch_table);
    if (services.confirms)
        offered.emplace_back(SVC_CONFIRM_MODES_1, &confirm_modes_table);
    if (services.charges.kept && services.charges.charge)
        offered.emplace_back(SVC_BOOKING_CHARGES_1, &charges_table);
    if (services.pages.check && services.pages.add && services.pages.add_asset && services.pages.declare &&
        services.pages.check_tag && services.pages.add_tag)
        offered.emplace_back(SVC_PAGES_1, &pages_table);
    if (services.call)
        offered.emplace_back(SVC_CALLS_1, &calls_table);
    if (services.mails.check && services.mails.add && services.mails.queue && services.mails.log)
        offered.emplace_back(SVC_MAILS_1, &mails_table);
    if (services.bookings.hold)
        offered.emplace_back(SVC_BOOKINGS_1, &bookings_table);
    if (services.changes.follow)
        offered.emplace_back(SVC_CHANGES_1, &changes_table);
    if (services.take_limit)
        offered.emplace_back(SVC_LIMITS_1, &limits_table);
    if (services.fetch && services.take_limit)
        offered.emplace_back(SVC_FETCH_2, &fetch_2_table);
    if (services.add_old_rows)
        offered.emplace_back(SVC_HOUSEKEEPING_1, &housekeeping_table);
    if (services.print)
        offered.emplace_back(SVC_DOCUMENTS_1, &documents_table);
    for (const auto& route : services.routes.all())
        rehearsal.add(*route);
}

const void* Registration::service(std::string_view id) const {
    for (const auto& [name, table] : offered)
        if (name == id)
            return table;
    constexpr std::size_t most_missing = 100;
    const std::lock_guard lock(missing_mutex);
    if (missing_ids.size() < most_missing)
        missing_ids.emplace(id);
    return nullptr;
}

std::set<std::string> Registration::missing() const {
    const std::lock_guard lock(missing_mutex);
    return {missing_ids.begin(), missing_ids.end()};
}

Result<void> Registration::commit() {
    std::vector<store::Step> known;
    for (const auto& step : storage)
        known.push_back({step.name, step.sql});
    for (const auto& [slug, step] : module_steps)
        known.push_back({step.name, step.sql});
    SVC_RETURN_IF_ERROR(store::check_current(services.store, guest->name(), {}, known));
    if (!storage.empty())
        SVC_RETURN_IF_ERROR(run_steps(services.store, guest->name(), storage, services.clock.now()));
    for (const auto& action : actions)
        services.hooks.declare(action);
    for (const auto& filter : filters)
        services.hooks.declare(filter);
    for (auto& setting : settings)
        services.settings.declare(std::move(setting));
    for (auto& module : modules)
        services.modules.declare(std::move(module));
    for (auto& route : routes)
        services.routes.add(std::move(route));
    for (auto& listens : listening) {
        auto subscribed = listens.action
                              ? services.hooks.on(listens.hook, std::move(listens.listener), listens.action)
                              : services.hooks.filter(listens.hook, std::move(listens.listener), listens.filter);
        if (!subscribed)
            throw std::logic_error("The known hook " + listens.hook + " took no listener.");
    }
    for (auto& gateway : gateways)
        services.gateways.add(std::move(gateway));
    for (auto& job : jobs)
        services.jobs.add(std::move(job));
    for (auto& page : offered_pages)
        services.pages.add(std::move(page));
    for (const auto& asset : page_assets)
        services.pages.add_asset(asset);
    for (auto& tag : offered_tags)
        services.pages.add_tag(std::move(tag));
    for (const auto& [of, needed] : origins)
        services.pages.declare(of, needed);
    for (const auto& each : mail_templates)
        services.mails.add(guest->name(), each);
    follow_changes(*this);
    keep_house(*this);
    committed = true;
    return {};
}

}  // namespace svc::plugins
