// The settings of modules: one JSON object each, its secrets sealed one by one.
#include <algorithm>

#include "base/modules/hooks.hpp"
#include "base/modules/repository.hpp"
#include "base/modules/site_modules.hpp"
#include "base/platform/store/changes.hpp"
#include "base/settings/values/secret_hosts.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/core/log.hpp"

namespace svc::modules {
namespace {

constexpr json::Limits stored_limits{.depth = 64, .elements = 100'000, .text = 1 << 20};

std::string place_of(const Module& module, std::string_view name) {
    return "svc_modules/settings/" + module.slug + "/" + std::string(name);
}

bool is_secret(const Module& module, std::string_view name) {
    return std::find(module.secret_settings.begin(), module.secret_settings.end(), name) !=
           module.secret_settings.end();
}

}  // namespace

json::Value SiteModules::unseal(const Module& module, const std::string& stored) const {
    auto values = json::parse(stored, stored_limits);
    if (!values || !values->is_object()) {
        log::warning("module_settings_unreadable", {{"module", module.slug}});
        return json::Value::object();
    }
    for (const auto& name : module.secret_settings) {
        const json::Value* sealed = values->find(name);
        if (!sealed)
            continue;
        auto secret = sealed->is_string() ? keyring_->open(sealed->text(), place_of(module, name))
                                          : Result<std::string>(errc::internal_error);
        if (secret) {
            values->set(name, std::move(*secret));
        } else {
            log::warning("module_settings_unreadable", {{"module", module.slug}, {"setting", name}});
            values->erase(name);
        }
    }
    return std::move(*values);
}

std::string SiteModules::sealed(const Module& module, json::Value values) const {
    for (const auto& name : module.secret_settings)
        if (const json::Value* secret = values.find(name); secret && secret->is_string())
            values.set(name, keyring_->seal(secret->text(), place_of(module, name)));
    return values.dump();
}

json::Value SiteModules::with_defaults(const Module& module, const json::Value& stored) const {
    auto values = json::Value::object();
    for (const auto& field : module.settings.fields()) {
        if (const json::Value* value = stored.find(field.name))
            values.set(field.name, *value);
        else
            values.set(field.name, field.otherwise.value_or(json::Value()));
    }
    return values;
}

json::Value SiteModules::masked_settings(const Module& module, json::Value values) const {
    for (const auto& name : module.secret_settings)
        if (const json::Value* secret = values.find(name); secret && secret->is_string())
            values.set(name, settings::masked(secret->text()));
    return values;
}

Result<json::Value> SiteModules::settings(std::string_view slug) const {
    const Module* module = find(slug);
    if (!module)
        return errc::not_found;
    const auto states = snapshot();
    const State* state = states->find(slug);
    return with_defaults(*module, state ? state->settings : json::Value::object());
}

Result<json::Value> SiteModules::shown_settings(std::string_view slug) const {
    auto values = settings(slug);
    if (!values)
        return values;
    return masked_settings(*find(slug), std::move(*values));
}

Result<SiteModules::Written> SiteModules::write_settings(std::string_view slug, const json::Value& values) {
    const Module* module = find(slug);
    if (!module)
        return errc::not_found;
    if (!values.is_object())
        return Error{errc::validation_error, "Send settings as an object."_sentence};

    Written written;
    auto accepted = json::Value::object();
    for (const auto& [name, value] : values.members()) {
        if (!module->settings.find(name))
            written.rejected_keys.push_back(name);
        else if (!(is_secret(*module, name) && value.is_string() && settings::is_masked(value.text())))
            accepted.set(name, value);
    }
    SVC_ASSIGN_OR_RETURN(auto clean, module->settings.partial().check(accepted));
    if (clean.size() == 0) {  // nothing is written, so nothing is reported
        SVC_ASSIGN_OR_RETURN(auto shown, shown_settings(slug));
        written.settings = std::move(shown);
        return written;
    }

    return store_.transact<Written>([&](store::Transaction& tx) -> Result<Written> {
        const Instant now = clock_.now();
        auto stored = unseal(*module, repository::settings_for_update(tx, slug, now));
        SVC_RETURN_IF_ERROR(settings::check_secret_hosts(module->secret_settings, stored, clean, clean));
        for (const auto& [name, value] : clean.members())
            stored.set(name, value);
        repository::put_settings(tx, slug, sealed(*module, stored), now);
        hooks_.emit(tx, pro_module_settings_updated, {module->slug});
        store::touch(tx, changes_channel);
        tx.after_commit([this] { reload(); });
        Written answer = written;
        answer.settings = masked_settings(*module, with_defaults(*module, stored));
        return answer;
    });
}

Result<std::int64_t> SiteModules::renew_sealed() {
    std::int64_t count = 0;
    for (const Module& module : all()) {
        if (module.secret_settings.empty())
            continue;
        const auto done = store_.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            auto values = json::parse(repository::settings_for_update(tx, module.slug, clock_.now()), stored_limits);
            std::int64_t renewed = 0;
            for (const auto& name : module.secret_settings)
                if (const json::Value* sealed = values && values->is_object() ? values->find(name) : nullptr;
                    sealed && sealed->is_string())
                    if (auto text = keyring_->renewed(sealed->text(), place_of(module, name))) {
                        values->set(name, std::move(*text));
                        ++renewed;
                    }
            if (renewed > 0)
                repository::put_settings(tx, module.slug, values->dump(), clock_.now());
            return renewed;
        });
        if (!done)
            return done.error();
        count += *done;
    }
    return count;
}

}  // namespace svc::modules
