// How a registration of a plugin is collected: what is wrong with it refuses it, and nothing leaves as an exception.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "base/plugins/registration.hpp"
#include "shared/plugin/codec.hpp"

namespace svc::plugins {

// Runs one registration: anything wrong is SVC_REFUSED, and the reason is kept for the refusal's log line.
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
