// The settings that prices go by.
#pragma once

#include "base/sales/pricing/terms.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::pricing {

void declare_settings(settings::Settings& settings);
// Checks that a new deposit has its currency's decimals; `get` returns what would be stored.
Result<void> check_deposit(const settings::Settings& stored,
                           const std::function<json::Value(std::string_view key)>& get);

// Replaces the value of a setting that payments use; a value that could not be stored is ignored.
using Listened = std::function<json::Value(std::string_view key, const json::Value& stored)>;
// Asks the listeners of the setting's filter; empty without any, so that a price does not call filters in vain.
Listened listened_settings(const hooks::Hooks& hooks);
// A setting of payments as it counts, for whoever reads one alone.
json::Value payment_setting(const settings::Settings& settings, const hooks::Hooks& hooks, std::string_view key);

// The current values. `module_on` returns whether a module is enabled. `listened` empty: as stored.
Terms terms_of(const settings::Settings& settings, const std::function<bool(std::string_view)>& module_on,
               const TermsFor& what, Instant now, const Listened& listened = {});

}  // namespace svc::pricing
