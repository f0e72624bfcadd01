// The keys follow the names of the e-mail; a listener may replace each of them.
#include "base/messaging/templates/template_keys.hpp"

#include <algorithm>

#include "base/messaging/templates/hooks.hpp"
#include "shared/core/log.hpp"

namespace svc::messaging {
namespace {

struct Member {
    const char* name;
    std::string TemplateKeys::*key;
    bool is_switch = false;
};
constexpr Member members[] = {{"switch_setting", &TemplateKeys::switched_by, true},
                              {"subject_setting", &TemplateKeys::subject},
                              {"body_setting", &TemplateKeys::body},
                              {"cc_setting", &TemplateKeys::cc},
                              {"bcc_setting", &TemplateKeys::bcc}};

// The value goes into an e-mail: a password must never come there.
bool fits(const settings::Settings& settings, const std::string& key, bool is_switch) {
    const auto all = settings.all();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const settings::Setting& each) { return each.key == key; });
    return found != all.end() && !found->secret &&
           (is_switch ? found->type.shape == api::Shape::boolean : found->type.shape == api::Shape::text);
}

}  // namespace

TemplateKeys own_keys_of(const Template& which) {
    const auto text = "email_tpl_" + std::string(which.base);
    TemplateKeys keys{.switched_by = "email_template_" + std::string(which.flag),
                      .subject = text + "_subject",
                      .body = text + "_body"};
    if (!is_for_one(which)) {
        keys.cc = text + "_cc";
        keys.bcc = text + "_bcc";
    }
    return keys;
}

TemplateKeys keys_of(const Template& which, const hooks::Hooks& hooks, const settings::Settings& settings) {
    TemplateKeys keys = own_keys_of(which);
    if (!hooks.filtered(type_to_keys.name))
        return keys;
    auto by_type = json::Value::object();
    for (const Template& each : templates())
        by_type.set(std::string(each.key), to_json(own_keys_of(each)));
    if (which.offered)
        by_type.set(std::string(which.key), to_json(keys));
    const json::Value mapped = hooks.apply(type_to_keys, std::move(by_type), {})[which.key];
    for (const Member& member : members) {
        std::string& key = keys.*member.key;
        const auto wanted = mapped.is_object() ? mapped.maybe_text(member.name) : std::nullopt;
        // E-mails for one recipient never have copies.
        if (!wanted || *wanted == key || key.empty())
            continue;
        if (fits(settings, *wanted, member.is_switch))
            key = *wanted;
        else
            log::warning("email_setting_unusable", {{"template", which.key}, {member.name, *wanted}});
    }
    return keys;
}

json::Value to_json(const TemplateKeys& keys) {
    auto named = json::Value::object();
    for (const Member& member : members)
        named.set(member.name, (keys.*member.key).empty() ? json::Value() : json::Value(keys.*member.key));
    return named;
}

}  // namespace svc::messaging
