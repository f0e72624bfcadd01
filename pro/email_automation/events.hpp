// The events that templates are for and that sequences begin and end with.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace svc::pro::email_automation {

struct Event {
    std::string_view key, name, description;
    bool begins_sequences = false;  // automations hear of it, with a booking
    bool is_automation = false;     // automations hear of it
};

// All of them (spec 2.9, 6.3; behaviour.md 15.2), those of automations first.
std::span<const Event> events();
const Event* find_event(std::string_view key);  // null: it is not registered

// Sequences by the days of travel.
inline constexpr std::string_view before_trip = "schedule.days_before_trip", after_trip = "schedule.days_after_trip";
// Ends sequences alone: somebody reviewed the trip or wrote to the site.
inline constexpr std::string_view reviewed = "review.created", wrote = "enquiry.created";

std::vector<std::string> trigger_types();  // of sequences
std::vector<std::string> stop_events();    // that may end them

}  // namespace svc::pro::email_automation
