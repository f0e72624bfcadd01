// Values in memory, checked and sealed on their way to the database.
#include "base/settings/values/site_settings.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/platform/store/changes.hpp"
#include "base/settings/values/hooks.hpp"
#include "base/settings/values/repository.hpp"
#include "base/settings/values/secret_hosts.hpp"
#include "shared/core/by_text.hpp"
#include "shared/core/log.hpp"
#include "shared/core/text.hpp"

namespace svc::settings {
namespace {

// The error of a field in the words of the check that refused it.
void add(std::vector<FieldError>& faults, const std::string& key, const Error& error) {
    if (error.fields().empty())
        faults.push_back({key, error.message()});
    else
        faults.insert(faults.end(), error.fields().begin(), error.fields().end());
}

Error error_of(std::vector<FieldError> faults) {
    Error error{errc::validation_error, faults.front().sentence};
    for (auto& fault : faults)
        error.at(std::move(fault.field), std::move(fault.sentence));
    return error;
}

}  // namespace

struct SiteSettings::Snapshot {
    ByText<json::Value> values;  // every declared key
    Zone zone = Zone::utc();
    Currency currency = Currency::usd();
};

struct SiteSettings::Change {
    const Setting* setting;
    json::Value value;
    std::string sent_as;  // the key, or an older one of it
};

std::string masked(std::string_view secret) {
    const std::size_t length = text::length(secret);
    if (length == 0)
        return {};
    if (length < 8)
        return "****";  // showing four characters would reveal most of it
    return "****" + std::string(secret.substr(text::first(secret, length - 4).size()));
}

bool is_masked(std::string_view text) { return text.starts_with("****") && text::length(text) <= 8; }

SiteSettings::SiteSettings(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, const Clock& clock,
                           std::function<bool(std::string_view)> module_enabled)
    : store_(store),
      keyring_(std::move(keyring)),
      clock_(clock),
      module_enabled_(std::move(module_enabled)),
      snapshot_(std::make_shared<const Snapshot>()) {}

SiteSettings::~SiteSettings() = default;

void SiteSettings::declare(Setting setting) {
    if (find(setting.key))
        throw std::logic_error("the setting " + setting.key + " is declared twice");
    for (const auto& older : setting.also)
        if (find(older) || !older_.emplace(older, setting.key).second)
            throw std::logic_error("the setting " + older + " is declared twice");
    auto fresh = std::make_shared<Snapshot>(*snapshot());
    fresh->values.emplace(setting.key, setting.initial);
    declared_.emplace(setting.key, std::move(setting));
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(fresh);
}

void SiteSettings::declare_together(Together check) { together_.push_back(std::move(check)); }

std::shared_ptr<const SiteSettings::Snapshot> SiteSettings::snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

const Setting* SiteSettings::find(std::string_view key) const {
    if (const auto older = older_.find(key); older != older_.end())
        key = older->second;
    const auto found = declared_.find(key);
    return found == declared_.end() ? nullptr : &found->second;
}

bool SiteSettings::is_on(const Setting& setting) const {
    return setting.module.empty() || module_enabled_(setting.module);
}

void SiteSettings::reload() {
    const std::lock_guard one_at_a_time(reloading_);  // else an older read could overtake a newer one
    auto fresh = std::make_shared<Snapshot>();
    for (const auto& [key, setting] : declared_)
        fresh->values.emplace(key, setting.initial);
    let_default(fresh->values);
    store_.read([&](store::Session& session) {
        repository::each(session, [&](const std::string& key, const std::string& stored) {
            const auto declared = declared_.find(key);
            if (declared == declared_.end())
                return;  // of a part that is not here now
            if (auto value = unseal(declared->second, stored))
                fresh->values.insert_or_assign(key, std::move(*value));
            else
                log::warning("setting_unreadable", {{"setting", key}});
        });
    });
    if (const auto zone = fresh->values.find("timezone"); zone != fresh->values.end())
        if (auto named = Zone::named(zone->second.text()))
            fresh->zone = *named;
    if (const auto code = fresh->values.find("currency"); code != fresh->values.end())
        if (auto parsed = Currency::parse(code->second.text()))
            fresh->currency = *parsed;
    {
        const std::lock_guard lock(mutex_);
        snapshot_ = std::move(fresh);
    }
    for (const auto& follower : followers_)
        follower();
}

std::vector<Setting> SiteSettings::all() const {
    std::vector<Setting> settings;
    for (const auto& [key, setting] : declared_)
        settings.push_back(setting);
    return settings;
}

bool SiteSettings::knows(std::string_view key) const { return declared_.contains(key); }

json::Value SiteSettings::get(std::string_view key) const {
    const auto values = snapshot();
    const auto found = values->values.find(key);
    if (found == values->values.end())
        throw std::logic_error("the setting " + std::string(key) + " is not declared");
    return found->second;
}

Zone SiteSettings::zone() const { return snapshot()->zone; }
Currency SiteSettings::currency() const { return snapshot()->currency; }

// A check of several settings knows them by their keys alone, and may name one that was not sent: then it is the one
// without which the check passes.
Error SiteSettings::by_names_sent(const Error& error, const std::vector<Change>& changes, const Together& check) const {
    const auto sent = [&](std::string_view key) {
        return std::find_if(changes.begin(), changes.end(),
                            [&](const Change& each) { return each.setting->key == key; });
    };
    const auto culprit = [&] {
        return std::find_if(changes.begin(), changes.end(), [&](const Change& left_out) {
            return static_cast<bool>(check([&](std::string_view key) {
                const auto change = sent(key);
                return change == changes.end() || change->setting == left_out.setting ? get(key) : change->value;
            }));
        });
    };
    Error named{error.code(), error.message()};
    for (const FieldError& fault : error.fields()) {
        auto change = sent(fault.field);
        if (change == changes.end())
            change = culprit();
        named.at(change == changes.end() ? fault.field : change->sent_as, fault.sentence);
    }
    return named;
}

std::optional<json::Value> SiteSettings::passed(const Setting& setting, const json::Value& value) {
    auto clean = setting.type.check(value, setting.key);
    if (!clean || (setting.also_checks && !setting.also_checks(*clean)))
        return std::nullopt;
    return setting.cleans ? setting.cleans(*clean) : std::move(*clean);
}

// Lets listeners change the values before they are stored; secrets are excluded.
void SiteSettings::let_change(store::Transaction& tx, std::vector<Change>& changes) const {
    const auto take = [](Change& change, const json::Value& answer) {
        if (answer == change.value)
            return;  // it has passed and is cleaned: once is enough
        if (auto value = passed(*change.setting, answer))
            change.value = std::move(*value);
        else
            log::warning("setting_answer_refused", {{"setting", change.setting->key}});
    };
    if (hooks_ && hooks_->filtered(sanitize_setting.name))
        for (Change& change : changes)
            if (!change.setting->secret)
                take(change, hooks_->apply(sanitize_setting, change.value, {change.setting->key}, &tx));
    for (const ModuleFilters& of : module_filters) {
        if (!hooks_ || !hooks_->filtered(of.stored.name))
            continue;
        const auto is_theirs = [&](const Change& change) {
            return change.setting->module == of.module && !change.setting->secret;
        };
        auto sent = json::Value::object();
        for (const Change& change : changes)
            if (is_theirs(change))
                sent.set(change.setting->key, change.value);
        if (sent.size() == 0)
            continue;
        const json::Value answer = hooks_->apply(of.stored, sent, {}, &tx);
        std::erase_if(changes,
                      [&](const Change& change) { return is_theirs(change) && !answer.find(change.setting->key); });
        for (Change& change : changes)
            if (is_theirs(change))
                take(change, answer[change.setting->key]);
    }
}

void SiteSettings::let_default(ByText<json::Value>& values) const {
    if (!hooks_ || !hooks_->filtered(default_fields.name))
        return;
    auto ours = json::Value::object();
    for (const auto& [key, setting] : declared_)
        if (!setting.secret)
            ours.set(key, setting.initial);
    const json::Value answer = hooks_->apply(default_fields, ours, {});
    for (const auto& [key, was] : ours.members())
        if (const json::Value* changed = answer.find(key); changed && *changed != was) {
            if (auto value = passed(declared_.find(key)->second, *changed))
                values.insert_or_assign(key, std::move(*value));
            else
                log::warning("setting_answer_refused", {{"setting", key}});
        }
}

void SiteSettings::let_change(std::string_view group, json::Value& settings) const {
    for (const ModuleFilters& of : module_filters) {
        if (!hooks_ || !hooks_->filtered(of.read.name))
            continue;
        auto theirs = json::Value::object();
        for (const auto& [key, setting] : declared_)
            if (const json::Value* value = settings.find(key); value && setting.module == of.module && !setting.secret)
                theirs.set(key, *value);
        const json::Value answer = hooks_->apply(of.read, theirs, {});
        for (const auto& [key, value] : theirs.members())
            if (const json::Value* seen = answer.find(key))
                settings.set(key, *seen);
            else
                settings.erase(key);
    }
    if (hooks_ && hooks_->filtered(rest_settings.name))
        settings = hooks_->apply(rest_settings, settings, {group});
}

// A secret and the setting that names the host it is sent to, or the value with which (else any) it is sent
// unencrypted.
struct SentTo {
    std::string_view secret, setting, value = {};
};
static constexpr SentTo sent_to[] = {{"smtp_password", "smtp_host"},
                                     {"smtp_password", "smtp_encryption", "none"},
                                     {"recaptcha_secret_key", "recaptcha_verify_url"}};

Result<std::vector<SiteSettings::Change>> SiteSettings::accepted(store::Transaction& tx, const json::Value& values,
                                                                 Written& written) const {
    if (!values.is_object())
        return Error{errc::validation_error, "Send settings as an object."_sentence};
    std::vector<Change> changes;
    std::vector<FieldError> faults;
    for (const auto& [name, value] : values.members()) {
        const Setting* setting = find(name);
        if (!setting || !is_on(*setting)) {
            written.rejected_keys.push_back(name);
            continue;
        }
        if (setting->key != name && values.find(setting->key))
            continue;  // the key itself is sent too and wins
        if (setting->secret && value.is_string() && is_masked(value.text()))
            continue;
        auto clean = setting->type.check(value, name);
        if (!clean) {
            add(faults, name, clean.error());
            continue;
        }
        if (const auto checked = setting->also_checks ? setting->also_checks(*clean) : Result<void>{}; !checked) {
            faults.push_back({name, checked.error().message()});
            continue;
        }
        if (const auto naming = naming_.find(setting->key); naming != naming_.end() && *clean != get(setting->key))
            if (const auto known = naming->second(tx, *clean); !known) {
                faults.push_back({name, known.error().message()});
                continue;
            }
        changes.push_back({setting, setting->cleans ? setting->cleans(*clean) : std::move(*clean), name});
    }
    if (faults.empty())
        let_change(tx, changes);
    const Get would_be = [&](std::string_view key) {
        for (const Change& change : changes)
            if (change.setting->key == key)
                return change.value;
        return get(key);
    };
    const auto change_of = [&](std::string_view key) {
        return std::find_if(changes.begin(), changes.end(),
                            [&](const Change& change) { return change.setting->key == key; });
    };
    for (const auto& [secret, setting, to] : sent_to)
        if (const auto moved = change_of(setting);
            moved != changes.end() && moved->value != get(setting) && (to.empty() || moved->value.text() == to) &&
            change_of(secret) == changes.end() && !text(secret).empty() &&
            std::none_of(faults.begin(), faults.end(), [&](const FieldError& one) { return one.field == secret; }))
            faults.push_back({std::string(secret), give_secret_again});
    if (faults.empty())
        for (const auto& check : together_)
            if (const auto checked = check(would_be); !checked)
                add(faults, {}, by_names_sent(checked.error(), changes, check));
    if (!faults.empty())
        return error_of(std::move(faults));
    return changes;
}

Result<Settings::Written> SiteSettings::write(const json::Value& values, std::int64_t user_id) {
    return store_.transact<Written>([&](store::Transaction& tx) { return write(tx, values, user_id); });
}

void SiteSettings::put(store::Transaction& tx, const Setting& setting, const json::Value& value,
                       std::int64_t user_id) const {
    const auto stored = setting.secret ? json::Value(sealed(setting.key, value.text())) : value;
    repository::put(tx, setting.key, stored.dump(), setting.secret, user_id, clock_.now());
}

Result<Settings::Written> SiteSettings::write(store::Transaction& tx, const json::Value& values, std::int64_t user_id) {
    Written written;
    SVC_ASSIGN_OR_RETURN(const auto changes, accepted(tx, values, written));
    for (const auto& [setting, value, sent_as] : changes) {
        put(tx, *setting, value, user_id);
        written.updated.push_back(sent_as);
        if (const auto follows = following_.find(setting->key); follows != following_.end()) {
            const json::Value beside = follows->second(get(setting->key), value, clock_.now());
            for (const auto& [key, its] : beside.members())
                put(tx, declared_.at(key), its, user_id);
        }
    }
    std::set<std::string_view> of_modules;
    for (const Change& change : changes)
        if (!change.setting->module.empty())
            of_modules.insert(change.setting->module);
    for (const std::string_view module : of_modules)
        if (of_module_)
            of_module_(tx, module);
    if (!changes.empty()) {
        store::touch(tx, changes_channel);
        tx.after_commit([this] { reload(); });
    }
    return written;
}

json::Value SiteSettings::shown(std::string_view group) const {
    const auto values = snapshot();
    auto shown = json::Value::object();
    for (const auto& [key, setting] : declared_) {
        if ((!setting.group.starts_with(group) && !key.starts_with(group)) || !is_on(setting))
            continue;
        const json::Value& value = values->values.find(key)->second;
        json::Value seen = setting.secret ? json::Value(masked(value.text())) : value;
        for (const auto& older : setting.also)
            shown.set(older, seen);
        shown.set(key, std::move(seen));
    }
    let_change(group, shown);
    return shown;
}

std::vector<Notice> SiteSettings::notices() const {
    const auto on = [this](std::string_view key) { return knows(key) && flag(key); };
    std::vector<Notice> found;
    if (on("require_login") && on("require_guest_email_verification"))
        found.push_back(
            {"warning", "booking_auth_redundant", "require_guest_email_verification",
             "Guests cannot book while sign-in is required, so e-mail verification has no effect."_sentence});
    if (on("enable_scheduled_payments") && on("allow_guest_checkout"))
        found.push_back({"warning", "scheduled_payments_guest_caveat", "enable_scheduled_payments",
                         "Guests have no saved payment method and cannot be charged by scheduled payments."_sentence});
    return found;
}

}  // namespace svc::settings
