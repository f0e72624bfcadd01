// Collects a registration of a plugin: reports the first error and lets no exception out.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "base/plugins/registration.hpp"
#include "shared/plugin/codec.hpp"

namespace svc::plugins {

// Runs one registration: any error is SVC_REFUSED, and its reason goes into the log line of the refusal.
template <class Body>
svc_status collect(void* self, std::string_view what, const Body& body, bool may_be_late = false) noexcept {
    auto& registration = *static_cast<Registration*>(self);
    try {
        if (registration.committed && !may_be_late)
            throw plugin::Malformed("It came after attach.");
        body(registration);
        return SVC_OK;
    } catch (const std::exception& e) {
        try {
            registration.complaint = std::string(what) + ": " + e.what();
        } catch (...) {  // out of memory: the refusal alone must do
        }
        return SVC_REFUSED;
    } catch (...) {
        return SVC_REFUSED;
    }
}

}  // namespace svc::plugins
