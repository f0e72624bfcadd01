// Toggling modules and keeping their settings.
#include "base/modules/service.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/modules/repository.hpp"
#include "base/platform/store/changes.hpp"
#include "base/settings/settings.hpp"
#include "shared/core/log.hpp"

namespace svc::modules {
namespace {

std::string bound_to(std::string_view slug, std::string_view field) {
    return "modules/" + std::string(slug) + "/" + std::string(field);
}

bool is_secret(const Module& module, std::string_view field) {
    return std::find(module.secret_settings.begin(), module.secret_settings.end(), field) !=
           module.secret_settings.end();
}

bool holds_secret(const json::Value& value) { return value.is_string() && !value.text().empty(); }

}  // namespace

Service::Service(store::Store& store, hooks::Hooks& hooks, const crypto::Keyring& keyring, const Clock& clock)
    : store_(store), hooks_(hooks), keyring_(keyring), clock_(clock), snapshot_(std::make_shared<const Snapshot>()) {
    for (const hooks::Action& action : {module_active, module_deactive, module_settings_updated})
        hooks_.declare(action);
}

void Service::declare(Module module) {
    if (find(module.slug))
        throw std::logic_error("module " + module.slug + " is declared twice");
    declared_.push_back(std::move(module));
}

const Module* Service::find(std::string_view slug) const {
    for (const Module& module : declared_)
        if (module.slug == slug)
            return &module;
    return nullptr;
}

bool Service::enabled(std::string_view slug) const {
    const auto snapshot = snapshot_.load();
    const auto state = snapshot->find(slug);
    return state != snapshot->end() && state->second.enabled && find(slug) != nullptr &&
           std::find(unprepared_.begin(), unprepared_.end(), slug) == unprepared_.end();
}

Result<void> Service::prepare(const Module& module) {
    const std::lock_guard one_at_a_time(preparing_);
    return module.prepare ? module.prepare() : Result<void>{};
}

void Service::start() {
    reload();
    for (const Module& module : declared_) {
        if (!enabled(module.slug))
            continue;
        if (auto prepared = prepare(module); !prepared) {
            log::error("module_not_prepared", {{"module", module.slug}, {"cause", prepared.error().cause()}});
            unprepared_.push_back(module.slug);
        }
    }
}

void Service::reload() {
    const std::lock_guard one_at_a_time(reloading_);
    auto snapshot = std::make_shared<Snapshot>();
    store_.read([&](store::Session& session) {
        snapshot->clear();
        Repository::each(session, [&](const std::string& slug, bool enabled, const std::string& text) {
            auto settings = json::parse(text);
            snapshot->emplace(slug, State{enabled, settings ? std::move(*settings) : json::Value::object()});
        });
    });
    snapshot_.store(std::move(snapshot));
}

Result<void> Service::toggle(std::string_view slug, bool on, std::int64_t) {
    const Module* module = find(slug);
    if (!module)
        return errc::not_found;
    if (on) {
        for (const std::string& needed : module->depends_on)
            if (!enabled(needed))
                return Error{errc::module_not_available, "The module " + needed + " must be enabled first."};
        if (auto prepared = prepare(*module); !prepared)
            return prepared.error();
    }
    return store_.write([&](store::Transaction& tx) -> Result<void> {
        const Instant now = clock_.now();
        if (Repository::set_enabled(tx, slug, on, now))
            hooks_.emit(tx, on ? module_active : module_deactive, {slug});
        if (!on)  // what stands on it goes with it
            for (const Module& other : declared_)
                if (std::find(other.depends_on.begin(), other.depends_on.end(), slug) != other.depends_on.end() &&
                    Repository::set_enabled(tx, other.slug, false, now))
                    hooks_.emit(tx, module_deactive, {other.slug});
        store::touch(tx, "modules");
        tx.after_commit([this] { reload(); });
        return {};
    });
}

Result<json::Value> Service::opened(const Module& module, const State& state) const {
    json::Value values = json::Value::object();
    for (const api::Field& field : module.settings.fields()) {
        const json::Value* stored = state.settings.find(field.name);
        if (!stored) {
            values.set(field.name, field.otherwise.value_or(json::Value()));
            continue;
        }
        if (!is_secret(module, field.name) || !holds_secret(*stored)) {
            values.set(field.name, *stored);
            continue;
        }
        auto secret = keyring_.open(stored->text(), bound_to(module.slug, field.name));
        if (!secret)
            return secret.error();
        values.set(field.name, std::move(*secret));
    }
    return values;
}

Result<json::Value> Service::settings(std::string_view slug) const {
    const Module* module = find(slug);
    if (!module)
        return errc::not_found;
    const auto snapshot = snapshot_.load();
    const auto state = snapshot->find(slug);
    return opened(*module, state == snapshot->end() ? State{} : state->second);
}

Result<json::Value> Service::shown_settings(std::string_view slug) const {
    auto values = settings(slug);
    if (values)
        for (const std::string& name : find(slug)->secret_settings)
            if ((*values)[name].is_string())
                values->set(name, settings::masked((*values)[name].text()));
    return values;
}

Result<Service::Written> Service::write_settings(std::string_view slug, const json::Value& values, std::int64_t) {
    const Module* module = find(slug);
    if (!module)
        return errc::not_found;
    Written written;
    json::Value given = values;
    const auto visible = shown_settings(slug);
    for (const auto& [name, value] : values.members()) {
        if (!module->settings.find(name)) {
            written.rejected_keys.push_back(name);
            given.erase(name);
        } else if (visible && is_secret(*module, name) && holds_secret(value) && value == (*visible)[name]) {
            given.erase(name);  // the mask came back: the secret stays
        }
    }
    auto clean = module->settings.partial().check(given);
    if (!clean)
        return clean.error();
    auto saved = store_.write([&](store::Transaction& tx) -> Result<void> {
        json::Value kept = json::Value::object();
        Repository::each(tx, [&](const std::string& row, bool, const std::string& text) {
            if (row == slug)
                if (auto stored = json::parse(text))
                    kept = std::move(*stored);
        });
        for (const auto& [name, value] : clean->members())
            kept.set(name, is_secret(*module, name) && holds_secret(value)
                               ? json::Value(keyring_.seal(value.text(), bound_to(slug, name)))
                               : value);
        Repository::save_settings(tx, slug, kept.dump(), clock_.now());
        hooks_.emit(tx, module_settings_updated, {slug});
        store::touch(tx, "modules");
        tx.after_commit([this] { reload(); });
        return {};
    });
    if (!saved)
        return saved.error();
    auto shown = shown_settings(slug);
    if (!shown)
        return shown.error();
    written.settings = std::move(*shown);
    return written;
}

}  // namespace svc::modules
