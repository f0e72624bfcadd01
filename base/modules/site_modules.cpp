// Toggling, dependencies and the state in memory.
#include "base/modules/site_modules.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/modules/hooks.hpp"
#include "base/modules/repository.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/log.hpp"

namespace svc::modules {

SiteModules::SiteModules(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, hooks::Hooks& hooks,
                         const Clock& clock, std::function<bool(const Module&)> available)
    : store_(store),
      keyring_(std::move(keyring)),
      hooks_(hooks),
      clock_(clock),
      available_(std::move(available)),
      snapshot_(std::make_shared<const Snapshot>()) {}

SiteModules::~SiteModules() = default;

void SiteModules::declare(Module module) {
    const std::string slug = module.slug;
    if (!declared_.emplace(slug, std::move(module)).second)
        throw std::logic_error("the module " + slug + " is declared twice");
}

std::shared_ptr<const SiteModules::Snapshot> SiteModules::snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

void SiteModules::reload() {
    const std::lock_guard one_at_a_time(reloading_);  // else an older read could overtake a newer one
    auto fresh = std::make_shared<Snapshot>();
    store_.read([&](store::Session& session) {
        repository::each(session, [&](const repository::Stored& stored) {
            const Module* module = find(stored.slug);
            if (!module || module->is_absent)
                return;  // of an edition that is not here now
            fresh->states[stored.slug] = {.enabled = stored.enabled,
                                          .enabled_at = stored.enabled_at,
                                          .settings = unseal(*module, stored.settings)};
        });
    });
    if (const auto end = end_of_pro())
        for (auto& [slug, state] : fresh->states)
            if (find(slug)->requires_pro)
                state.ends_at = end;
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(fresh);
}

std::optional<Instant> SiteModules::end_of_pro() const {
    if (!hooks_.filtered(pro_modules_end.name))
        return std::nullopt;
    return Instant::parse(hooks_.apply(pro_modules_end, "", {clock_.now()}).text());
}

Result<void> SiteModules::prepare(const Module& module) {
    const std::lock_guard one_at_a_time(preparing_);
    return module.prepare ? module.prepare() : Result<void>{};
}

void SiteModules::prepare_enabled() {
    const auto states = snapshot();
    for (const auto& [slug, module] : declared_) {
        // One that has ended too: a licence turns it on again as it is stored.
        if (const State* state = states->find(slug); !state || !state->enabled)
            continue;
        if (const auto prepared = prepare(module); !prepared) {
            log::error("module_not_prepared", {{"module", slug}, {"cause", prepared.error().cause()}});
            unprepared_.insert(slug);
        }
    }
}

std::vector<Module> SiteModules::all() const {
    std::vector<Module> modules;
    for (const auto& [slug, module] : declared_)
        modules.push_back(module);
    return modules;
}

const Module* SiteModules::find(std::string_view slug) const {
    const auto found = declared_.find(slug);
    return found == declared_.end() ? nullptr : &found->second;
}

std::set<std::string, std::less<>> SiteModules::available() const {
    std::set<std::string, std::less<>> slugs;
    auto of_pro = json::Value::array();
    for (const auto& [slug, module] : declared_) {
        if (module.is_absent || (available_ ? !available_(module) : module.requires_pro))
            continue;
        if (module.requires_pro)
            of_pro.push(json::Value::object({{"slug", slug}, {"plan", module.plan}}));
        else
            slugs.insert(slug);
    }
    if (of_pro.size() == 0)
        return slugs;
    // A listener may remove members and adds none.
    const auto left = hooks_.apply(pro_available_modules, of_pro, {clock_.now()});
    for (const auto& module : left.items())
        if (const auto* known = find(module.text_or("slug")); known && known->requires_pro)
            slugs.insert(known->slug);
    return slugs;
}

bool SiteModules::enabled(std::string_view slug) const {
    if (!is_on(slug) || !hooks_.filtered(module_enabled_status.name))
        return is_on(slug);
    return hooks_.apply(module_enabled_status, true, {slug}).boolean();
}

void SiteModules::turn_on_defaults() {
    if (!hooks_.filtered(default_modules.name))
        return;
    bool is_fresh = true;
    store_.read([&](store::Session& session) {
        repository::each(session, [&](const repository::Stored&) { is_fresh = false; });
    });
    if (!is_fresh)
        return;
    for (const auto& slug : hooks_.apply(default_modules, json::Value::array(), {}).items())
        if (const auto done = toggle(slug.text(), true, 0); !done)
            log::warning("default_module_stays_off",
                         {{"module", slug.text()}, {"why", done.error().message().english()}});
}

bool SiteModules::is_on(std::string_view slug) const {
    const auto states = snapshot();
    const State* state = states->find(slug);
    return state && state->enabled && !unprepared_.contains(slug) &&
           !(state->ends_at && clock_.now() >= *state->ends_at);
}

std::optional<Instant> SiteModules::enabled_at(std::string_view slug) const {
    const auto states = snapshot();
    const State* state = states->find(slug);
    return state ? state->enabled_at : std::nullopt;
}

Error SiteModules::needs(std::string_view slug) const {
    const Module* module = find(slug);
    return {errc::module_not_available,
            "Enable the module {module} first."_sentence.with("module", (module ? module->name : std::string(slug)))};
}

Result<void> SiteModules::may_enable(const Module& module) const {
    if (module.is_absent)
        return Error{
            errc::module_not_available,
            "The installed edition does not include the module {name}. It belongs to the Pro edition, plan {plan} or higher. Install or update Pro first."_sentence
                .with("name", module.name)
                .with("plan", module.plan)}
            .with("plan", json::Value(module.plan).dump());
    if (!available().contains(module.slug))
        return Error{errc::module_not_available}.with("plan", json::Value(module.plan).dump());
    for (const auto& needed : module.depends_on)
        if (!is_on(needed))
            return needs(needed);
    return {};
}

// The modules that are on and cannot be without this one, and those that cannot be without them.
std::vector<std::string> SiteModules::dependents_of(std::string_view slug) const {
    std::vector<std::string> found;
    const auto stands_on = [](const Module& module, std::string_view other) {
        return std::find(module.depends_on.begin(), module.depends_on.end(), other) != module.depends_on.end();
    };
    for (const auto& [name, module] : declared_)
        if (stands_on(module, slug)) {
            found.push_back(name);
            for (auto& further : dependents_of(name))
                found.push_back(std::move(further));
        }
    return found;
}

Result<void> SiteModules::toggle(std::string_view slug, bool on, std::int64_t user_id) {
    const Module* module = find(slug);
    if (!module)
        return errc::not_found;
    std::vector<std::string> changing{module->slug};
    const bool was_on = is_on(slug);
    if (on) {
        // Before the transaction: the schema steps of a module have separate transactions.
        if (!was_on) {
            SVC_RETURN_IF_ERROR(may_enable(*module));
            SVC_RETURN_IF_ERROR(prepare(*module));
        }
    } else {
        for (auto& dependent : dependents_of(slug))
            changing.push_back(std::move(dependent));
        std::reverse(changing.begin(), changing.end());  // dependents are disabled before their requirement
    }
    return store_.write([&](store::Transaction& tx) -> Result<void> {
        if (on)
            for (const auto& needed : module->depends_on)
                if (!repository::holds_enabled(tx, needed))
                    return needs(needed);
        bool any = false;
        for (const auto& name : changing) {
            if (!repository::set_enabled(tx, name, on, user_id, clock_.now()))
                continue;
            any = true;
            hooks_.emit(tx, on ? module_active : module_deactive, {name});
            if (on && module->requires_pro)
                hooks_.emit(tx, pro_module_activated, {name});
        }
        if (any || on != was_on) {  // one that has ended is stored as enabled, and may be on again
            store::touch(tx, changes_channel);
            tx.after_commit([this] { reload(); });
        }
        return {};
    });
}

}  // namespace svc::modules
