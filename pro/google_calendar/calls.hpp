// The log of calls of Google: the latest 200, without what was sent and without secrets.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "pro/common/site.hpp"
#include "pro/google_calendar/google_calendar.hpp"
#include "shared/record/record.hpp"

namespace svc::pro::google_calendar {

inline constexpr std::int64_t kept_calls = 200;

struct Call {
    std::string method, path;
    int status = 0;  // 0: no answer
    std::chrono::milliseconds duration{0};
    std::string error = {};
    Subject about = {};
};

// In a transaction of its own, which also deletes the oldest.
void keep_call(const Site& site, const Call& call);

// As GET /google-calendar/log lists it.
struct LoggedCall {
    std::int64_t id = 0;
    std::string method, path;
    std::optional<std::int64_t> status;
    std::int64_t duration_ms = 0;
    std::string error, kind;
    std::optional<std::int64_t> subject_id;
    Instant created_at{};
};
const record::Record<LoggedCall>& call_record();

}  // namespace svc::pro::google_calendar
