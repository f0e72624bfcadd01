// Registrations of one plugin while it attaches: collected and checked here, applied by commit().
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/plugins/plugins.hpp"
#include "shared/plugin/guest.hpp"

namespace svc::plugins {

// A storage step as the plugin gave it, copied.
struct Step {
    std::string name, sql;
};
// Brings one edition's storage up to date; a step that fails or was changed is svc_unavailable with its cause.
Result<void> run_steps(store::Store& store, const std::string& edition, const std::vector<Step>& steps, Instant now);

// A piece of svc.housekeeping/1.
struct OldRows {
    std::string name, sql;
    std::int64_t days = 0;     // how long rows stay; 0: the setting says it
    std::string days_setting;  // 0 or less: for ever
    std::string module;        // nothing is deleted while it is off
};

// Owns the tables the plugin holds, so it lives from attach until the plugin is detached. The members are for the
// functions of those tables.
struct Registration {
    Registration(Services& services, std::shared_ptr<plugin::Guest> guest);
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

    // Schema steps first, then everything else. On error nothing is applied. Throws only when a checked registration is
    // rejected after all, which is our bug.
    Result<void> commit();
    const void* service(std::string_view id) const;
    // Ids that the plugin asked for and this base does not offer. [any thread]
    [[nodiscard]] std::set<std::string> missing() const;

    Services& services;
    std::shared_ptr<plugin::Guest> guest;
    bool committed = false;
    mutable std::mutex missing_mutex;
    mutable std::set<std::string, std::less<>> missing_ids;  // bounded: a plugin that makes up ids fills no memory
    std::string complaint;                                   // why something was refused, for the refusal's log line

    // Collected.
    struct Listening {
        std::string hook;
        hooks::Listener listener;
        hooks::ActionCall action;  // one of the two
        hooks::FilterCall filter;
    };
    api::RouteTable rehearsal;  // every route of base and plugin: accepts exactly what the real table accepts
    std::vector<api::RouteSpec> routes;
    std::vector<hooks::Action> actions;
    std::vector<hooks::Filter> filters;
    std::vector<Listening> listening;
    std::vector<settings::Setting> settings;
    std::vector<modules::Module> modules;
    std::vector<Step> storage;                               // of the plugin itself
    std::vector<std::pair<std::string, Step>> module_steps;  // by slug
    std::vector<std::string> step_names;                     // of its modules too
    std::vector<std::shared_ptr<payment::Gateway>> gateways;
    std::vector<jobs::Job> jobs;
    std::vector<pages::OfferedPage> offered_pages;
    std::vector<pages::OfferedAsset> page_assets;
    std::vector<pages::OfferedTag> offered_tags;
    std::vector<std::pair<std::string, pages::Origins>> origins;
    std::vector<mails::OfferedTemplate> mail_templates;
    Followed followed;
    std::vector<OldRows> old_rows;

    // Declared before or by this plugin.
    std::vector<hooks::Action> known_actions;
    std::vector<hooks::Filter> known_filters;

    // Handed out. `offered` is the list of abilities: a row each.
    plugin::StoreTable store_table;
    svc_routes_1 routes_table;
    svc_hooks_1 hooks_table;
    svc_settings_1 settings_table;
    svc_modules_1 modules_table;
    svc_gateways_1 gateways_table;
    svc_gateways_2 charging_gateways_table;
    svc_jobs_1 jobs_table;
    svc_log_1 log_table;
    svc_secrets_1 secrets_table;
    svc_fetch_1 fetch_table;
    svc_confirm_modes_1 confirm_modes_table;
    svc_booking_charges_1 charges_table;
    svc_pages_1 pages_table;
    svc_calls_1 calls_table;
    svc_mails_1 mails_table;
    svc_bookings_1 bookings_table;
    svc_changes_1 changes_table;
    svc_limits_1 limits_table;
    svc_fetch_2 fetch_2_table;
    svc_housekeeping_1 housekeeping_table;
    svc_documents_1 documents_table;
    std::vector<std::pair<std::string_view, const void*>> offered;
    svc_host host;
};

// The tables over a registration. collecting.cpp, serving.cpp and a file of each service hold their functions.
svc_routes_1 routes_table_of(Registration& registration);
svc_hooks_1 hooks_table_of(Registration& registration);
svc_settings_1 settings_table_of(Registration& registration);
svc_modules_1 modules_table_of(Registration& registration);
svc_gateways_1 gateways_table_of(Registration& registration);
svc_gateways_2 charging_gateways_table_of(Registration& registration);
svc_jobs_1 jobs_table_of(Registration& registration);
svc_log_1 log_table_of(Registration& registration);
svc_secrets_1 secrets_table_of(Registration& registration);
svc_fetch_1 fetch_table_of(Registration& registration);
svc_confirm_modes_1 confirm_modes_table_of(Registration& registration);
svc_booking_charges_1 charges_table_of(Registration& registration);
svc_pages_1 pages_table_of(Registration& registration);
svc_calls_1 calls_table_of(Registration& registration);
svc_mails_1 mails_table_of(Registration& registration);
svc_bookings_1 bookings_table_of(Registration& registration);
svc_changes_1 changes_table_of(Registration& registration);
svc_limits_1 limits_table_of(Registration& registration);
svc_fetch_2 fetch_2_table_of(Registration& registration);
svc_housekeeping_1 housekeeping_table_of(Registration& registration);
svc_documents_1 documents_table_of(Registration& registration);
// What both versions of fetch read.
FetchRequest fetch_request_from(const json::Value& value);
// Put in place by commit().
void follow_changes(Registration& registration);
void keep_house(Registration& registration);

// Functions of the tables that answer while the plugin runs.
namespace serving {
svc_status keep_reply(void* self, svc_session* transaction, std::int64_t reply_key, svc_text reply,
                      svc_answer* answer) noexcept;
std::int32_t knows(void* self, svc_text name) noexcept;
svc_status fire(void* self, svc_session* transaction, svc_text action, svc_text arguments, svc_answer* answer) noexcept;
svc_status apply(void* self, svc_session* transaction, svc_text filter, svc_text value, svc_text arguments,
                 svc_answer* answer) noexcept;
svc_status get_setting(void* self, svc_text key, svc_answer* answer) noexcept;
svc_status write_settings(void* self, svc_session* transaction, svc_text values, std::int64_t user_id,
                          svc_answer* answer) noexcept;
std::int32_t module_enabled(void* self, svc_text slug) noexcept;
svc_status module_settings(void* self, svc_text slug, svc_answer* answer) noexcept;
void wake_job(void* self, svc_text name) noexcept;
}  // namespace serving

}  // namespace svc::plugins
