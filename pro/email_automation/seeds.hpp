// Sequences that come with the module, as drafts, each with its template in the four languages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shared/mails/offered.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::email_automation {

struct Seed {
    std::string key, name, description;  // of the sequence
    std::string trigger_type;
    std::int64_t trigger_days = 0;
    std::int64_t delay_days = 0;
    std::vector<std::string> stop_on = {};
    std::string template_key, template_name;
    bool is_marketing = false;
    mails::LanguageText subject = {}, body = {};
};

const std::vector<Seed>& seeds();
const Seed* seed_of_template(std::string_view template_key);  // null: none has it
inline bool is_of_sequences(std::string_view template_key) { return seed_of_template(template_key) != nullptr; }

// Stores the templates and, where a sequence was never there, the sequence. In the caller's transaction.
void store_seeds(store::Transaction& tx, Instant now);

}  // namespace svc::pro::email_automation
