// Which settings callers of the interface may write (hooks.hpp: svc_pro_writable_settings_schema).
#include <algorithm>
#include <cctype>

#include "base/settings/values/hooks.hpp"
#include "base/settings/values/site_settings.hpp"
#include "shared/core/log.hpp"

namespace svc::settings {
namespace {

bool is_of_plugin(const Setting& setting) { return setting.from_plugin || !setting.module.empty(); }

std::string type_name(const Setting& setting) {
    const json::Value type = setting.type.json_schema()["type"];
    if (type.is_string())
        return type.text();
    return type.is_array() && type.size() > 0 ? type[0].text() : "any";
}

std::string without_controls(std::string_view text) {
    std::string clean;
    for (const char one : text)
        if (static_cast<unsigned char>(one) >= 0x20 && one != 0x7f)
            clean += one;
    const auto first = clean.find_first_not_of(' ');
    return first == std::string::npos ? "" : clean.substr(first, clean.find_last_not_of(' ') - first + 1);
}

std::string as_key(std::string_view text) {
    std::string clean;
    for (const char one : text) {
        const auto letter = static_cast<char>(std::tolower(static_cast<unsigned char>(one)));
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-')
            clean += letter;
    }
    return clean;
}

json::Value without_sign(const json::Value& value) {
    if (!value.is_number() || !value.number_text().starts_with('-'))
        return value;
    return json::parse(value.number_text().substr(1)).value();
}

json::Value sanitized(const Setting& setting, std::string_view by, const json::Value& value) {
    if (by == "text" && value.is_string())
        return without_controls(value.text());
    if (by == "key" && value.is_string())
        return as_key(value.text());
    if (by == "absint")
        return without_sign(value);
    if (by != "text" && by != "key" && by != type_name(setting))
        log::warning("setting_sanitizer_unknown", {{"setting", setting.key}, {"sanitizer", by}});
    return value;
}

}  // namespace

json::Value SiteSettings::writable_of_plugins() const {
    auto ours = json::Value::object();
    for (const auto& [key, setting] : declared_)
        if (is_of_plugin(setting) && setting.group != "internal")
            ours.set(key, type_name(setting));
    return hooks_ && hooks_->filtered(writable_schema.name) ? hooks_->apply(writable_schema, ours, {}) : ours;
}

json::Value SiteSettings::writable(const json::Value& sent, std::vector<std::string>& refused) const {
    if (!sent.is_object())
        return sent;
    const json::Value allowed = writable_of_plugins();
    auto rest = json::Value::object();
    for (const auto& [name, value] : sent.members()) {
        const Setting* setting = find(name);
        if (!setting || (setting->group != "internal" && !is_of_plugin(*setting))) {
            rest.set(name, value);  // a setting of the base, or unknown, which the write itself rejects
            continue;
        }
        const json::Value* by = setting->group == "internal" ? nullptr : allowed.find(setting->key);
        if (by && by->is_string())
            rest.set(name, sanitized(*setting, by->text(), value));
        else
            refused.push_back(name);
    }
    return rest;
}

}  // namespace svc::settings
