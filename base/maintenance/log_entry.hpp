// A line of the log as staff read it (data-model: logs).
#pragma once

#include "shared/record/record.hpp"

namespace svc::maintenance {

struct LogEntry {
    std::int64_t id = 0;
    std::string type{"system"};  // the subject: payment, booking, system
    std::string level{"info"};   // info, warning, error
    std::string event, message;
    json::Value context;  // the line's other fields
    Instant created_at;
};

const record::Record<LogEntry>& log_record();

// The subject of an event, by its name.
std::string_view log_type_of(std::string_view event);
// The entry of a line that log::write made; nothing for one that staff need not read: requests, debug lines.
std::optional<LogEntry> log_entry_of(std::string_view line);

}  // namespace svc::maintenance
