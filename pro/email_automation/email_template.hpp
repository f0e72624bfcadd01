// A template of e-mails: one for everybody, or an override for some trips. Module e-mail automation.
#pragma once

#include "shared/record/record.hpp"

namespace svc::pro::email_automation {

inline constexpr std::string_view module_slug = "email_automation";
inline constexpr std::string_view marketing = "marketing";

struct EmailTemplate : record::Audit {
    std::int64_t id = 0;
    std::string template_key;
    std::string overrides;  // the key of the template that it replaces; empty: it is for everybody
    std::string name, description;
    std::string category{"booking"};
    std::string event_key;  // empty: no event sends it; of overrides always
    std::string recipient_type{"customer"};
    std::string subject, body;
    std::string from_name, from_email, to_email, reply_to, cc, bcc;  // empty: the settings'
    bool is_active = true, is_system = false;
    bool is_customized = true;  // false: the texts are those of the release, in the recipient's language
    std::vector<std::int64_t> trips, categories;
    std::vector<std::string> trip_types;
    std::int64_t priority = 10;

    [[nodiscard]] bool is_override() const { return !overrides.empty(); }
    [[nodiscard]] bool is_marketing() const { return category == marketing; }
};
const record::Record<EmailTemplate>& template_record();

// Reports every fault that the row itself has.
void check_template(const EmailTemplate& given, Faults& faults);

}  // namespace svc::pro::email_automation
