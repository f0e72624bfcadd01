// The settings of Mailchimp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pro/common/site.hpp"

namespace svc::pro::mailchimp {

inline constexpr std::size_t longest_tag = 100;  // as Mailchimp says

inline constexpr const char* module_slug = "mailchimp";
inline constexpr std::string_view sync_job = "mailchimp_sync";

void declare_settings(plugin::Settings& settings);

// As they are now; any thread.
struct Configuration {
    std::string api_key, list_id;
    bool on_booking = true, on_payment = false, double_optin = false, transactional = false, adds_tags = true;
    std::vector<std::string> default_tags;
    std::map<std::string, std::string> fields;  // what of ours each merge field shows, by its tag

    [[nodiscard]] bool is_complete() const { return !api_key.empty() && !list_id.empty(); }
};
Configuration configuration_of(const Site& site);

// What of ours a merge field can show.
const std::vector<std::string>& field_sources();

// The data centre that a key ends with ("us19"); empty for a text that is no key.
std::string data_centre_of(std::string_view api_key);
// The id of an audience, as it may be part of an address.
bool is_list_id(std::string_view id);

// As GET and PUT /mailchimp/settings have them: without the receiver's address, the key masked.
api::Schema settings_schema();
json::Value settings_json(const Site& site);
// Each fault at its field. The name of the list follows from Mailchimp and is written by the caller.
Result<void> check_settings(const json::Value& body);
Result<void> write_settings(const Site& site, const json::Value& body, store::Transaction& tx, std::int64_t user_id);
// The key that a body means: a masked one is the stored one.
std::string key_meant(const Site& site, const std::string& given);

}  // namespace svc::pro::mailchimp
