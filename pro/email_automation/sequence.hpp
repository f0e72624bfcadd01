// A sequence of e-mails about a booking, its steps, and what an edit does to those who are in it.
#pragma once

#include <map>

#include "shared/record/record.hpp"

namespace svc::pro::email_automation {

struct Step {
    std::int64_t id = 0;  // 0: not stored yet
    std::int64_t step_order = 0;
    std::int64_t delay_value = 0;
    std::string delay_unit{"days"};  // minutes, hours, days, weeks
    std::optional<std::int64_t> template_id;
    std::string custom_subject, custom_body;  // of a step without a template
    json::Value conditions = json::Value::array();
    bool is_active = true;

    [[nodiscard]] std::chrono::microseconds delay() const;
    friend bool operator==(const Step&, const Step&) = default;
};

// What became of those in a sequence when its steps were changed.
struct EditEffect {
    std::int64_t active = 0;    // in the sequence
    std::int64_t due_now = 0;   // get their next step at once
    std::int64_t finished = 0;  // have no step left
};

struct Sequence : record::Audit {
    std::int64_t id = 0;
    std::string name, description;
    std::optional<std::string> seed_key;  // one that comes with the module
    std::string trigger_type;             // an event, or schedule.days_before_trip, schedule.days_after_trip
    std::int64_t trigger_days = 0;        // of the latter
    std::string status{"draft"};          // draft, active, paused
    std::string applicable_to{"all"};     // all, specific_trips
    std::vector<std::int64_t> trip_ids;
    std::vector<std::string> stop_on;     // events that end it for a booking
    std::optional<Instant> active_since;  // what happened before enrols nobody
    std::vector<Step> steps;              // by step_order, which counts from 0
    std::int64_t enrolled_active = 0, enrolled_finished = 0, enrolled_stopped = 0, sent = 0;
    std::optional<EditEffect> edit_effect = {};  // of an update alone

    [[nodiscard]] bool is_by_day() const;  // enrols by days of travel
};
const record::Record<Sequence>& sequence_record();

// Reports every fault that the sequence itself has.
void check_sequence(const Sequence& given, Faults& faults);

std::vector<Step> steps_of(store::Session& session, std::int64_t sequence_id);
// Stores the steps in the order of the list, in place of those that are stored; each keeps its id where it has one.
void write_steps(store::Transaction& tx, std::int64_t sequence_id, const std::vector<Step>& steps);
// Gives steps without an id that of the step that stood at their place, unless another one has it.
void keep_ids(const std::vector<Step>& before, std::vector<Step>& after);

// The place in `after` that follows on `position` in `before`: past the last step that was taken, where that is still
// there, so that a step that is new before it is sent to nobody who is past it.
std::int64_t moved_position(const std::vector<Step>& before, const std::vector<Step>& after, std::int64_t position);
// Moves everybody who is in the sequence to the steps as they are now; the next one is due by its own delay.
EditEffect move_enrolled(store::Transaction& tx, std::int64_t sequence_id, const std::vector<Step>& before,
                         const std::vector<Step>& after, Instant now);

}  // namespace svc::pro::email_automation
