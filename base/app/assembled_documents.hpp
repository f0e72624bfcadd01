// What documents ask of the parts around them.
#pragma once

#include "base/app/base.hpp"
#include "base/documents/service.hpp"

namespace svc::app {

struct Assembly;

// Pictures of other servers, within the bounds of docs/rules.md.
documents::Fetch picture_fetch(const BaseOptions& options);
// What a gateway's customer reads about paying; empty for one that is off or paid online.
std::function<std::string(const std::string& gateway, const json::Value& booking)> offline_instructions(
    Assembly& parts);

documents::Service::Parts documents_parts(Assembly& parts);

}  // namespace svc::app
