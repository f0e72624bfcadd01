// A plugin's registrations during attach, checked so that nothing is rejected later.
#include <algorithm>
#include <deque>

#include "base/plugins/collect.hpp"
#include "base/plugins/gateway.hpp"
#include "shared/plugin/codec.hpp"
#include "shared/plugin/codec_gateway.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;
using plugin::read_json;
using plugin::text_of;
using plugin::texts_of;
using plugin::view;

bool is_slug(std::string_view text) {
    return !text.empty() && text.size() <= 64 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == text.npos;
}

template <class List, class Same>
bool any(const List& list, const Same& same) {
    return std::any_of(list.begin(), list.end(), same);
}

// Declarations hold views, like the base's own constants; their texts live as long as the process.
std::deque<std::string>& registered_texts() {
    static std::deque<std::string> texts;
    return texts;
}

bool knows_action(const Registration& r, std::string_view name) {
    return any(r.known_actions, [&](const hooks::Action& action) { return action.name == name; });
}

bool knows_filter(const Registration& r, std::string_view name) {
    return any(r.known_filters, [&](const hooks::Filter& filter) { return filter.name == name; });
}

void check_hook_name(const Registration& r, std::string_view name) {
    if (name.empty() || knows_action(r, name) || knows_filter(r, name))
        throw Malformed("The hook " + std::string(name) + " is taken.");
}

// A plugin's own permission is known once the plugin has declared its filter of permissions.
bool knows_right(const Registration& r, std::string_view capability) {
    if (r.services.knows_capability(capability))
        return true;
    return any(r.listening, [&](const Registration::Listening& listens) {
        if (listens.hook != r.services.capabilities_filter)
            return false;
        const json::Value answer = listens.filter(nullptr, {json::Value::array()});
        return answer.is_array() && any(answer.items(), [&](const json::Value& name) {
                   return name.is_string() && name.text() == capability;
               });
    });
}

void take_route(Registration& r, svc_text spec, const svc_route_1& functions) {
    if (!functions.handle)
        throw Malformed("A route without a function.");
    const auto value = read_json(spec);
    const auto headers = texts_of(value, "headers");
    const auto context = functions.context;
    auto check = functions.check ? plugin::checker(r.guest, context, functions.check, headers) : nullptr;
    auto read = plugin::route_from(
        value, std::move(check), [&r](std::string_view capability) { return knows_right(r, capability); },
        registered_texts());
    read.spec.handle = plugin::handler(r.guest, context, functions.handle, headers);
    if (functions.rules)
        read.spec.rules = plugin::rules_caller(r.guest, context, functions.rules, headers);
    if (!read.spec.module.empty() &&
        !any(r.modules, [&](const modules::Module& module) { return module.slug == read.spec.module; }))
        throw Malformed("Its module " + read.spec.module + " is not declared.");
    r.rehearsal.add(read.spec);
    r.routes.push_back(std::move(read.spec));
}

svc_status route_add(void* self, svc_text spec, void* context,
                     svc_status (*handle)(void*, svc_text, svc_answer*)) noexcept {
    return collect(self, "route", [&](Registration& r) {
        take_route(r, spec, {sizeof(svc_route_1), context, handle, nullptr, nullptr});
    });
}

svc_status route_add_decided(void* self, svc_text spec, void* context,
                             svc_status (*check)(void*, svc_text, svc_answer*),
                             svc_status (*handle)(void*, svc_text, svc_answer*)) noexcept {
    return collect(self, "route", [&](Registration& r) {
        if (!check)
            throw Malformed("A route without a function.");
        take_route(r, spec, {sizeof(svc_route_1), context, handle, check, nullptr});
    });
}

svc_status route_add_whole(void* self, svc_text spec, const svc_route_1* functions) noexcept {
    return collect(self, "route", [&](Registration& r) {
        if (!SVC_HAS(svc_route_1, functions, handle))
            throw Malformed("A route without a function.");
        // An older plugin's table ends earlier, a newer one's has more than we know.
        svc_route_1 known{sizeof(svc_route_1), functions->context, functions->handle, nullptr, nullptr};
        if (SVC_HAS(svc_route_1, functions, check))
            known.check = functions->check;
        if (SVC_HAS(svc_route_1, functions, rules))
            known.rules = functions->rules;
        take_route(r, spec, known);
    });
}

svc_status declare_action(void* self, svc_text declaration) noexcept {
    return collect(self, "action", [&](Registration& r) {
        const auto action = plugin::action_from(read_json(declaration), registered_texts());
        check_hook_name(r, action.name);
        r.actions.push_back(action);
        r.known_actions.push_back(action);
    });
}

svc_status declare_filter(void* self, svc_text declaration) noexcept {
    return collect(self, "filter", [&](Registration& r) {
        const auto filter = plugin::filter_from(read_json(declaration), registered_texts());
        check_hook_name(r, filter.name);
        r.filters.push_back(filter);
        r.known_filters.push_back(filter);
    });
}

svc_status listen(void* self, svc_text action, svc_text listener, void* context,
                  svc_status (*call)(void*, svc_text)) noexcept {
    return collect(self, "listener", [&](Registration& r) {
        if (!call || !knows_action(r, view(action)))
            throw Malformed("There is no action " + std::string(view(action)) + ".");
        r.listening.push_back({std::string(view(action)), plugin::listener_from(read_json(listener)),
                               plugin::action_call(r.guest, context, call), nullptr});
    });
}

svc_status listen_filter(void* self, svc_text filter, svc_text listener, void* context,
                         svc_status (*call)(void*, svc_session*, svc_text, svc_answer*)) noexcept {
    return collect(self, "filter listener", [&](Registration& r) {
        if (!call || !knows_filter(r, view(filter)))
            throw Malformed("There is no filter " + std::string(view(filter)) + ".");
        r.listening.push_back({std::string(view(filter)), plugin::listener_from(read_json(listener)), nullptr,
                               plugin::filter_call(r.guest, context, call)});
    });
}

svc_status declare_setting(void* self, svc_text text) noexcept {
    return collect(self, "setting", [&](Registration& r) {
        const auto value = read_json(text);
        settings::Setting setting{.key = text_of(value, "key"),
                                  .type = plugin::type_from(value["type"]),
                                  .initial = value["fresh"],
                                  .help = value.text_or("says"),
                                  .group = value.text_or("group", "general"),
                                  .secret = value.maybe_boolean("secret").value_or(false),
                                  .module = value.text_or("module"),
                                  .also = texts_of(value, "also"),
                                  .from_plugin = true};
        const auto takes = [&](const settings::Setting& other) {
            return other.key == setting.key || any(other.also, [&](const auto& key) { return key == setting.key; }) ||
                   any(setting.also, [&](const auto& key) { return key == other.key; });
        };
        if (!is_slug(setting.key) || any(r.settings, takes) || any(r.services.settings.all(), takes))
            throw Malformed("The key " + setting.key + " is taken or no key.");
        if (!setting.type.check(setting.initial, setting.key))
            throw Malformed("The default of " + setting.key + " does not fit its type.");
        r.settings.push_back(std::move(setting));
    });
}

// Names are unique over all of the plugin's steps, as the ledger knows them by the plugin's name alone.
std::vector<Step> steps_from(Registration& r, const svc_step* steps, std::size_t count) {
    std::vector<Step> list;
    for (std::size_t i = 0; i < count; ++i) {
        Step step{std::string(view(steps[i].name)), std::string(view(steps[i].sql))};
        if (step.name.empty() || any(r.step_names, [&](const auto& name) { return name == step.name; }))
            throw Malformed("The step \"" + step.name + "\" is taken or has no name.");
        r.step_names.push_back(step.name);
        list.push_back(std::move(step));
    }
    return list;
}

svc_status declare_module(void* self, svc_text text, const svc_step* steps, std::size_t step_count, void* context,
                          svc_status (*prepare)(void*, svc_answer*)) noexcept {
    return collect(self, "module", [&](Registration& r) {
        const auto value = read_json(text);
        modules::Module module{.slug = text_of(value, "slug"),
                               .name = text_of(value, "name"),
                               .description = value.text_or("description"),
                               .category = value.text_or("category"),
                               .plan = value.text_or("plan", "personal"),
                               .requires_pro = value.maybe_boolean("requires_pro").value_or(true),
                               .depends_on = texts_of(value, "depends_on"),
                               .settings = plugin::schema_from(value["settings"]),
                               .secret_settings = texts_of(value, "secret_settings")};
        const auto taken = [&](const modules::Module& other) { return other.slug == module.slug; };
        if (!is_slug(module.slug) || any(r.modules, taken) || any(r.services.modules.all(), taken))
            throw Malformed("The slug " + module.slug + " is taken or no slug.");
        auto list = steps_from(r, steps, step_count);
        for (const auto& step : list)
            r.module_steps.emplace_back(module.slug, step);
        auto then = prepare ? plugin::preparation(r.guest, context, prepare) : nullptr;
        module.prepare = [&store = r.services.store, &clock = r.services.clock, edition = r.guest->name(),
                          list = std::move(list), then = std::move(then)]() -> Result<void> {
            SVC_RETURN_IF_ERROR(run_steps(store, edition, list, clock.now()));
            return then ? then() : Result<void>{};
        };
        r.modules.push_back(std::move(module));
    });
}

svc_status add_storage(void* self, const svc_step* steps, std::size_t step_count) noexcept {
    return collect(self, "storage", [&](Registration& r) {
        for (auto& step : steps_from(r, steps, step_count))
            r.storage.push_back(std::move(step));
    });
}

void take_gateway(Registration& r, std::shared_ptr<payment::Gateway> gateway) {
    const auto& id = gateway->info().id;
    if (!payment::Gateways::is_id(id) || r.services.gateways.find(id) ||
        any(r.gateways, [&](const auto& other) { return other->info().id == id; }))
        throw Malformed("The id " + id + " is taken or no id.");
    if (!r.committed)
        r.gateways.push_back(std::move(gateway));
    else if (r.services.gateways.is_open())
        r.services.gateways.add(std::move(gateway));
    else
        throw Malformed("It came after svc_register_payment_gateways.");
}

constexpr bool until_all_are_registered = true;  // a listener of svc_register_payment_gateways may add gateways too

svc_status add_gateway(void* self, svc_text info, const svc_gateway_1* gateway) noexcept {
    return collect(
        self, "gateway",
        [&](Registration& r) {
            if (!SVC_HAS(svc_gateway_1, gateway, available))
                throw Malformed("Its table is too short.");
            auto read = plugin::gateway_info_from(read_json(info));
            read.supports.clear();  // this table can only be offered
            take_gateway(r, std::make_shared<PluginGateway>(r.guest, std::move(read), gateway));
        },
        until_all_are_registered);
}

svc_status add_charging_gateway(void* self, svc_text info, const svc_gateway_2* gateway) noexcept {
    return collect(
        self, "gateway",
        [&](Registration& r) {
            if (!SVC_HAS(svc_gateway_2, gateway, available))
                throw Malformed("Its table is too short.");
            auto read = plugin::gateway_info_from(read_json(info));
            for (const auto& name : PluginGateway::lacking(read, gateway))
                throw Malformed("It says " + name + " and has no function for it.");
            take_gateway(r, std::make_shared<PluginGateway>(r.guest, std::move(read), gateway));
        },
        until_all_are_registered);
}

svc_status add_job(void* self, svc_text text, void* context,
                   svc_status (*run)(void*, std::int64_t, svc_answer*)) noexcept {
    return collect(self, "job", [&](Registration& r) {
        const auto value = read_json(text);
        jobs::Job job{.name = text_of(value, "name"), .help = value.text_or("says"), .run = {}};
        const auto taken = [&](const jobs::Job& other) { return other.name == job.name; };
        if (!run || !is_slug(job.name) || any(r.jobs, taken) || any(r.services.jobs.all(), taken))
            throw Malformed("The name " + job.name + " is taken or no name.");
        const auto every = value.maybe_integer("every").value_or(3600);
        if (every < 1 || every > 31 * 86'400)
            throw Malformed("\"every\" is out of range.");
        job.every = std::chrono::seconds(every);
        if (value.find("daily_at")) {
            job.daily_at = ClockTime::parse(text_of(value, "daily_at"));
            if (!job.daily_at)
                throw Malformed("\"daily_at\" is no clock time.");
        }
        job.run = plugin::job_run(r.guest, context, run);
        r.jobs.push_back(std::move(job));
    });
}

}  // namespace

svc_routes_1 routes_table_of(Registration& r) {
    return {sizeof(svc_routes_1), &r, &route_add, &route_add_decided, &serving::keep_reply, &route_add_whole};
}
svc_hooks_1 hooks_table_of(Registration& r) {
    return {sizeof(svc_hooks_1),
            &r,
            &declare_action,
            &declare_filter,
            &listen,
            &listen_filter,
            &serving::knows,
            &serving::fire,
            &serving::apply};
}
svc_settings_1 settings_table_of(Registration& r) {
    return {sizeof(svc_settings_1), &r, &declare_setting, &serving::get_setting, &serving::write_settings};
}
svc_modules_1 modules_table_of(Registration& r) {
    return {sizeof(svc_modules_1),    &r, &declare_module, &add_storage, &serving::module_enabled,
            &serving::module_settings};
}
svc_gateways_1 gateways_table_of(Registration& r) { return {sizeof(svc_gateways_1), &r, &add_gateway}; }
svc_gateways_2 charging_gateways_table_of(Registration& r) {
    return {sizeof(svc_gateways_2), &r, &add_charging_gateway};
}
svc_jobs_1 jobs_table_of(Registration& r) { return {sizeof(svc_jobs_1), &r, &add_job, &serving::wake_job}; }

}  // namespace svc::plugins
