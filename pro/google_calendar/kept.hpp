// What must be stored before anything else may happen: who goes on without it would send it twice, or lose it.
#pragma once

#include <stdexcept>
#include <string>

#include "shared/core/result.hpp"

namespace svc::pro::google_calendar {

// Throws std::runtime_error where it was not; `what` begins the sentence: "a change of the queue".
inline void must_be_kept(const Result<void>& kept, const char* what) {
    if (!kept)
        throw std::runtime_error(std::string(what) + " was not stored: " + kept.error().message().english());
}

}  // namespace svc::pro::google_calendar
