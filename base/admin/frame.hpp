// The page that every address of the admin opens; the rest is the browser's work over the public interface.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/platform/assets/assets.hpp"
#include "shared/api/route.hpp"

namespace svc::admin {

// Whether a path is one of the admin's: "/admin" and all below it. [any thread]
bool is_address(std::string_view path);

// Answers from memory with a policy that lets in no script but ours. Without the web build it says how to get one, with
// 503. `api_root` is where the interface is mounted. [any thread]
api::Reply frame(const assets::Assets& assets, const std::string& api_root, const std::string& version,
                 const std::function<std::string_view(std::string_view name)>& header);

}  // namespace svc::admin
