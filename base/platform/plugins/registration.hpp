// What one plugin registers while it attaches: collected and checked here, put in place only by commit().
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/platform/plugins/plugins.hpp"
#include "shared/plugin/guest.hpp"

namespace svc::plugins {

// Owns the tables the plugin holds, so it lives from attach until the plugin is detached.
class Registration {
  public:
    Registration(Services& services, std::shared_ptr<plugin::Guest> guest);
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

    [[nodiscard]] const svc_host* host() const { return &host_; }
    // Storage steps first, then everything else. An error: nothing is in place. Throws only when what was checked
    // at registration is refused after all, which is a defect of ours.
    Result<void> commit();
    // Why something was refused, for the refusal's log line; empty when nothing was.
    [[nodiscard]] const std::string& complaint() const { return complaint_; }

  private:
    friend struct Tables;

    const void* service(std::string_view id) const;
    void must_be_open() const;  // throws once committed
    void listen(hooks::Listener listener, std::string_view hook, bool is_filter);
    template <class Body>
    svc_status collect(const char* what, const Body& body) noexcept;

    Services& services_;
    std::shared_ptr<plugin::Guest> guest_;
    std::string complaint_;
    bool committed_ = false;

    // Collected.
    std::deque<std::string> kept_;  // what hook declarations point into
    std::vector<api::RouteSpec> routes_;
    std::unique_ptr<api::RouteTable> rehearsal_;  // every route of base and plugin: what it takes, the real one takes
    std::vector<hooks::Action> actions_;
    std::vector<hooks::Filter> filters_;
    struct Listening {
        std::string hook;
        hooks::Listener listener;
        hooks::ActionCall action;
        hooks::FilterCall filter;
    };
    std::vector<Listening> listening_;
    std::vector<settings::Setting> settings_;
    std::vector<modules::Module> modules_;
    std::vector<Step> steps_;       // of the plugin's own storage
    std::vector<Step> all_steps_;   // of its modules too, for unique names
    std::vector<std::shared_ptr<payment::Gateway>> gateways_;
    std::vector<jobs::Job> jobs_;

    // Declared by the base before or by the plugin; looked up while it runs.
    std::vector<hooks::Action> known_actions_;
    std::vector<hooks::Filter> known_filters_;

    // Handed out.
    plugin::StoreTable store_table_;
    svc_routes_1 routes_table_;
    svc_hooks_1 hooks_table_;
    svc_settings_1 settings_table_;
    svc_modules_1 modules_table_;
    svc_gateways_1 gateways_table_;
    svc_jobs_1 jobs_table_;
    svc_log_1 log_table_;
    svc_secrets_1 secrets_table_;
    svc_fetch_1 fetch_table_;
    svc_confirm_modes_1 confirm_modes_table_;
    std::vector<std::pair<std::string_view, const void*>> services_offered_;
    svc_host host_;
};

}  // namespace svc::plugins
