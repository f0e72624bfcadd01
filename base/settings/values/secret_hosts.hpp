// Secrets and the hosts they are sent to. A person who may write a host but not read its secret must not have the
// secret sent to a host of theirs: with another host it must be given again. Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::settings {

inline constexpr SentenceId give_secret_again =
    "Enter this secret again, because the host that receives it has changed."_sentence;

// Whether the name of a field of a gateway or a module means the target of requests: base_url, api_host, endpoint, …
bool names_host(std::string_view field);

// Of a gateway's or a module's configuration: 400 naming each secret that `before` has and that `changes` gives masked
// or not at all, while a host of `after` is another one.
Result<void> check_secret_hosts(const std::vector<std::string>& secrets, const json::Value& before,
                                const json::Value& changes, const json::Value& after);

}  // namespace svc::settings
