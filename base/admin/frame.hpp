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

struct FramedSite {
    std::string api_root;  // where the interface is mounted
    std::string url;       // pictures may come from there, too, also when the admin is opened at another address
    std::string language;  // for users who have chosen none
};

// Answers from memory with a policy that allows only our scripts. Without the web build it explains how to get one,
// with 503. [any thread]
api::Reply frame(const assets::Assets& assets, const FramedSite& site, const std::string& version,
                 const std::function<std::string_view(std::string_view name)>& header);

}  // namespace svc::admin
