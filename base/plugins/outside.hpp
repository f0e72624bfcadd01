// Services that wait, and so are refused where a transaction or a lent session would wait with them.
#pragma once

#include "base/plugins/registration.hpp"
#include "shared/core/no_wait.hpp"
#include "shared/plugin/codec.hpp"
#include "shared/plugin/crossing.hpp"

namespace svc::plugins {

inline Registration& attached(void* self) {
    auto& registration = *static_cast<Registration*>(self);
    registration.guest->must_be_present();
    return registration;
}

// Runs `body` of an entry that may wait; SVC_FAILURE_DETACHED inside a transaction or a session's callback. What the
// plugin sent malformed is refused as svc_validation_error.
template <class Body>
svc_status outside(void* self, svc_answer* answer, std::string_view what, const Body& body) noexcept {
    return plugin::barrier(answer, [&] {
        auto& registration = attached(self);
        NoWait::refuse();
        if (plugin::is_lent_here() || registration.services.is_in_transaction())
            return plugin::answer_failure(answer, SVC_FAILURE_DETACHED,
                                          std::string(what) + " inside a transaction or a session's callback.");
        try {
            return body(registration);
        } catch (const plugin::Malformed& fault) {
            return plugin::answer_error(answer, Error{errc::validation_error, Sentence::verbatim(fault.what())});
        }
    });
}

// A name of the plugin's own: a-z, 0-9 and _, at most 40; Malformed otherwise.
inline std::string own_word(std::string_view text) {
    if (text.empty() || text.size() > 40 ||
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string_view::npos)
        throw plugin::Malformed("\"" + std::string(text) + "\" is no word of a-z, 0-9 and _, at most 40.");
    return std::string(text);
}

}  // namespace svc::plugins
