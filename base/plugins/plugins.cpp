// The meeting of base and plugin.
#include "base/plugins/plugins.hpp"

#include <algorithm>

#include "base/plugins/registration.hpp"
#include "shared/core/log.hpp"

namespace svc::plugins {
namespace {

Error refusal(std::string cause) {
    return Error(errc::unavailable, "The plugin was refused."_sentence).because(std::move(cause));
}

Error refused(std::string_view field, std::size_t expected, std::size_t got) {
    return refusal(std::string(field) + ": expected " + std::to_string(expected) + ", got " + std::to_string(got));
}

constexpr std::string_view pro_name = "svc-pro";

}  // namespace

struct Plugins::Attached {
    const svc_plugin* plugin = nullptr;
    void* self = nullptr;
    std::shared_ptr<plugin::Guest> guest;
    std::unique_ptr<Registration> registration;
};

Plugins::Plugins(Services services) : services_(std::move(services)) {}

Plugins::~Plugins() { detach(); }

Result<std::string> Plugins::attach(svc_plugin_entry_fn* entry) noexcept {
    auto met = meet_and_log(entry, false);
    state_ = met ? "attached " + *met : "refused: " + met.error().cause();
    return met;
}

Result<std::string> Plugins::attach_beside_pro(svc_plugin_entry_fn* entry) noexcept {
    auto met = meet_and_log(entry, true);
    if (met)
        beside_pro_.push_back(*met);
    return met;
}

Result<std::string> Plugins::meet_and_log(svc_plugin_entry_fn* entry, bool beside_pro) noexcept {
    Result<std::string> met = refusal("");
    try {
        met = meet(entry, beside_pro);
    } catch (const std::exception& e) {
        met = refusal(e.what());
    } catch (...) {
        met = refusal("Something that is no std::exception was thrown.");
    }
    if (met)
        log::info("plugin_attached", {{"plugin", *met}});
    else
        log::error("plugin_refused", {{"cause", met.error().cause()}});
    return met;
}

Result<std::string> Plugins::meet(svc_plugin_entry_fn* entry, bool beside_pro) {
    const svc_plugin* plugin = entry ? entry() : nullptr;
    // Size and ABI numbers have the same offset in every major version, so they are read first and in this order.
    if (!plugin || plugin->size < offsetof(svc_plugin, abi_minor) + sizeof(plugin->abi_minor))
        return refused("size", sizeof(svc_plugin), plugin ? plugin->size : 0);
    if (plugin->abi_major != SVC_ABI_MAJOR)
        return refused("abi_major", SVC_ABI_MAJOR, plugin->abi_major);
    if (plugin->abi_minor > SVC_ABI_MINOR)
        return refused("abi_minor", SVC_ABI_MINOR, plugin->abi_minor);
    if (!SVC_HAS(svc_plugin, plugin, attach) || !SVC_HAS(svc_plugin, plugin, detach))
        return refused("size", sizeof(svc_plugin), plugin->size);
    // Steps of the schema, settings and log lines are recorded under the name.
    const std::string_view name = plugin::view(plugin->name);
    if ((beside_pro && name == pro_name) || std::any_of(attached_.begin(), attached_.end(), [&](const auto& other) {
            return other->guest->name() == name;
        }))
        return refusal("name: expected one that is not taken, got " + std::string(name));

    auto attached = std::make_unique<Attached>();
    attached->plugin = plugin;
    attached->guest = std::make_shared<plugin::Guest>(std::string(plugin::view(plugin->name)),
                                                      std::string(plugin::view(plugin->version)));
    attached->registration = std::make_unique<Registration>(services_, attached->guest);

    plugin::Answer why_not;
    const auto status = plugin::barrier(why_not.table(), [&] {
        return plugin->attach(&attached->registration->host, &attached->self, why_not.table());
    });
    if (status != SVC_OK) {
        attached->guest->detached();
        std::string cause = "attach: expected 1, got " + std::to_string(static_cast<int>(status));
        for (const auto& words : {why_not.complaint(), attached->registration->complaint})
            if (!words.empty())
                cause += "; " + words;
        return refusal(std::move(cause));
    }
    if (auto committed = attached->registration->commit(); !committed) {
        attached->guest->detached();
        (void)plugin::barrier(nullptr, [&] { return plugin->detach(attached->self), SVC_OK; });
        return refusal("storage: " + committed.error().message().english() + " " + committed.error().cause());
    }
    const auto who = attached->guest->name() + " " + attached->guest->version();
    attached_.push_back(std::move(attached));
    return who;
}

std::vector<PluginStep> Plugins::steps() const {
    std::vector<PluginStep> all;
    for (const auto& attached : attached_) {
        for (const auto& step : attached->registration->storage)
            all.push_back({attached->guest->name(), {}, step.name, step.sql});
        for (const auto& [module, step] : attached->registration->module_steps)
            all.push_back({attached->guest->name(), module, step.name, step.sql});
    }
    return all;
}

std::vector<std::pair<std::string, std::string>> Plugins::missing() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& attached : attached_)
        for (const std::string& id : attached->registration->missing())
            all.emplace_back(attached->guest->name() + " " + attached->guest->version(), id);
    return all;
}

void Plugins::changes_noted() const {
    for (const auto& attached : attached_)
        for (const auto& [name, channel] : attached->registration->followed.channels)
            channel->report();
}

void Plugins::detach() noexcept {
    while (!attached_.empty()) {
        auto& last = *attached_.back();
        // detach first: the plugin's own end may still log.
        const auto status = plugin::barrier(nullptr, [&] { return last.plugin->detach(last.self), SVC_OK; });
        if (status != SVC_OK)
            log::error("plugin_detach_failed", {{"plugin", last.guest->name()}});
        last.guest->detached();
        attached_.pop_back();
    }
}

}  // namespace svc::plugins
