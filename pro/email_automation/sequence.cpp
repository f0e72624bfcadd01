// Declares the record of sequences, its steps and its rules.
#include "pro/email_automation/sequence.hpp"

#include <algorithm>
#include <set>

#include "pro/email_automation/conditions.hpp"
#include "pro/email_automation/events.hpp"
#include "shared/api/named.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

constexpr std::int64_t most_days = 3660;
constexpr std::size_t most_steps = 50;

api::Type raw(std::size_t longest) { return api::raw_text(longest); }

api::Type step_type() {
    return api::object(
        "EmailSequenceStep",
        {{.name = "id", .type = api::id().or_null(), .help = "Of a step that stays; without it a step is new."},
         {.name = "step_order", .type = api::integer(0, 1000), .help = "Steps are numbered anew from 0."},
         {.name = "delay_value", .type = api::integer(0, 100'000), .help = "After the step before it, or the trigger."},
         {.name = "delay_unit", .type = api::choice({"minutes", "hours", "days", "weeks"})},
         {.name = "template_id", .type = api::id().referring_to("email-templates").or_null()},
         {.name = "custom_subject", .type = api::text(255), .help = "Of a step without a template."},
         {.name = "custom_body", .type = raw(60'000)},
         {.name = "conditions",
          .type = api::list(api::object("EmailSequenceCondition", condition_schema()), 20),
          .help = "All must hold, or the step is skipped."},
         {.name = "is_active", .type = api::boolean()}});
}

Value step_json(const Step& step) {
    return Value::object({{"id", step.id},
                          {"step_order", step.step_order},
                          {"delay_value", step.delay_value},
                          {"delay_unit", step.delay_unit},
                          {"template_id", step.template_id},
                          {"custom_subject", step.custom_subject},
                          {"custom_body", step.custom_body},
                          {"conditions", step.conditions},
                          {"is_active", step.is_active}});
}

Value steps_json(const Sequence& sequence) { return json::array_of(sequence.steps, step_json); }

// The list replaces all; a step that is sent with less than it has gets the initial values.
void take_steps(Sequence& sequence, const Value& given, Faults&) {
    const auto before = sequence.steps;
    sequence.steps.clear();
    std::vector<std::pair<std::int64_t, Step>> ordered;
    std::int64_t place = 0;
    for (const Value& each : given.items()) {
        Step step{.id = each.maybe_integer("id").value_or(0),
                  .delay_value = each.maybe_integer("delay_value").value_or(0),
                  .delay_unit = each.text_or("delay_unit", "days"),
                  .template_id = each.maybe_integer("template_id"),
                  .custom_subject = each.text_or("custom_subject"),
                  .custom_body = each.text_or("custom_body"),
                  .conditions = each["conditions"].is_array() ? each["conditions"] : Value::array(),
                  .is_active = each.maybe_boolean("is_active").value_or(true)};
        ordered.emplace_back(each.maybe_integer("step_order").value_or(place), std::move(step));
        ++place;
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [order, step] : ordered) {
        step.step_order = static_cast<std::int64_t>(sequence.steps.size());
        sequence.steps.push_back(std::move(step));
    }
    keep_ids(before, sequence.steps);
}

#define SVC_STEP_COLUMNS                                                                                     \
    "SELECT sequence_id, id, step_order, delay_value, delay_unit, template_id, custom_subject, custom_body," \
    " conditions, is_active FROM svc_email_sequence_steps WHERE"

using StepRow = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string,
                           std::optional<std::int64_t>, std::string, std::string, std::string, bool>;

Step step_in(const StepRow& row) {
    const auto& [sequence, id, order, delay, unit, template_id, subject, body, conditions, is_active] = row;
    auto read = json::parse(conditions);
    return {.id = id,
            .step_order = order,
            .delay_value = delay,
            .delay_unit = unit,
            .template_id = template_id,
            .custom_subject = subject,
            .custom_body = body,
            .conditions = read && read->is_array() ? std::move(*read) : Value::array(),
            .is_active = is_active};
}

void read_steps(store::Session& session, const std::vector<record::Any>& records) {
    static const auto of_sequences = SVC_BY_IDS(SVC_STEP_COLUMNS, "sequence_id", "ORDER BY sequence_id, step_order");
    std::map<std::int64_t, Sequence*> by_id;
    std::vector<std::int64_t> ids;
    for (const record::Any& each : records) {
        auto* sequence = static_cast<Sequence*>(each.get());
        by_id[sequence->id] = sequence;
        ids.push_back(sequence->id);
    }
    if (ids.empty())
        return;
    for (const StepRow& row :
         store::tuples_of<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string,
                          std::optional<std::int64_t>, std::string, std::string, std::string, bool>(session,
                                                                                                    of_sequences, ids))
        by_id[std::get<0>(row)]->steps.push_back(step_in(row));
}

void take_config(Sequence& sequence, const Value& given, Faults&) {
    if (const auto days = given.maybe_integer("days"))
        sequence.trigger_days = *days;
}

Value effect_json(const Sequence& sequence) {
    if (!sequence.edit_effect)
        return {};
    return Value::object({{"active", sequence.edit_effect->active},
                          {"due_now", sequence.edit_effect->due_now},
                          {"finished", sequence.edit_effect->finished}});
}

api::Type effect_type() {
    return api::object("EmailSequenceEdit",
                       {{.name = "active", .type = api::integer(0), .help = "Bookings that are in the sequence."},
                        {.name = "due_now", .type = api::integer(0), .help = "Get their next step at once."},
                        {.name = "finished", .type = api::integer(0), .help = "Have no step left."}});
}

void check_step(const Step& step, const std::string& at, Faults& faults) {
    constexpr auto longest = std::chrono::hours(24 * most_days);
    if (step.delay() > longest)
        faults.at(at + "delay_value", "A delay has at most 3,660 days."_sentence);
    const bool has_text = !step.custom_subject.empty() || !step.custom_body.empty();
    if (!step.template_id && !has_text)
        faults.at(at + "template_id", "Choose a template, or enter custom_subject and custom_body."_sentence);
    else if (!step.template_id && step.custom_subject.empty())
        faults.at(at + "custom_subject", "This field is required."_sentence);
    else if (!step.template_id && step.custom_body.empty())
        faults.at(at + "custom_body", "This field is required."_sentence);
    check_conditions(step.conditions, at + "conditions", faults);
}

}  // namespace

std::chrono::microseconds Step::delay() const {
    using namespace std::chrono;
    if (delay_unit == "minutes")
        return minutes(delay_value);
    if (delay_unit == "hours")
        return hours(delay_value);
    return hours(24 * delay_value * (delay_unit == "weeks" ? 7 : 1));
}

bool Sequence::is_by_day() const { return trigger_type == before_trip || trigger_type == after_trip; }

void check_sequence(const Sequence& given, Faults& faults) {
    if (given.applicable_to == "specific_trips" && given.trip_ids.empty())
        faults.at("trip_ids", "Choose at least one trip, or set applicable_to to all."_sentence);
    if (given.steps.size() > most_steps)
        faults.at("steps", "A sequence has at most 50 steps."_sentence);
    if (given.status == "active" && given.steps.empty())
        faults.at("steps", "Add a step before you activate the sequence."_sentence);
    std::set<std::int64_t> ids;
    for (std::size_t at = 0; at < given.steps.size(); ++at) {
        const std::string path = "steps." + std::to_string(at + 1) + ".";
        check_step(given.steps[at], path, faults);
        if (given.steps[at].id != 0 && !ids.insert(given.steps[at].id).second)
            faults.at(path + "id", "This step is listed twice."_sentence);
    }
}

const record::Record<Sequence>& sequence_record() {
    using namespace record;
    using S = Sequence;
    static const Record<S> declared{
        {.table = "svc_email_sequences",
         .component = "EmailSequence",
         .search_column = "search",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"updated_at", {"r.updated_at"}}},
         .default_sort = "name",
         .conditions = {{"trigger_type", "r.trigger_type = :trigger_type"}},
         .read_more = read_steps},
        {id(&S::id),
         column("name", &S::name, api::text(150, 1), by_client | required | searched | sortable),
         column("description", &S::description, api::text(1000), by_client),
         stored("seed_key", &S::seed_key, by_server_on_create),
         column("trigger_type", &S::trigger_type, api::choice(trigger_types()), by_client | required,
                "The event that enrols its booking, or the days before or after the trip, at 09:00 of the site."),
         stored("trigger_days", &S::trigger_days),
         computed<S>(
             "trigger_config",
             api::object("EmailSequenceTrigger", {{.name = "days", .type = api::integer(0, most_days)}}),
             [](const S& s) {
                 return Value::object({{"days", s.trigger_days}});
             },
             take_config, by_client, "days of schedule.days_before_trip and schedule.days_after_trip."),
         column("status", &S::status, api::choice({"draft", "active", "paused"}),
                by_client | default_value("draft") | sortable,
                "paused: nobody is enrolled, and steps wait; those that are over seven days late are then skipped."),
         column("applicable_to", &S::applicable_to, api::choice({"all", "specific_trips"}),
                by_client | default_value("all")),
         linked("trip_ids", &S::trip_ids,
                {.table = "svc_email_sequence_trips",
                 .owner = "sequence_id",
                 .other = "trip_id",
                 .exists_in = "svc_trip_v1",
                 .noun = "trip"},
                by_client, "Trips of specific_trips."),
         column("stop_on", &S::stop_on, api::list(api::choice(stop_events()), 20), by_client,
                "Events that end it for a booking. A cancelled, expired or refunded booking always ends it."),
         stored("active_since", &S::active_since),
         computed<S>("steps_count", api::integer(0),
                     [](const S& s) { return Value(static_cast<std::int64_t>(s.steps.size())); }),
         computed<S>("steps", api::list(step_type(), 1000), steps_json, take_steps, by_client,
                     "A list replaces all steps."),
         derived("enrolled_active", &S::enrolled_active,
                 "(SELECT COUNT(*) FROM svc_email_enrolments e WHERE e.sequence_id = r.id AND e.status = 'active')",
                 api::integer(0), "Bookings that are in it now."),
         derived("enrolled_finished", &S::enrolled_finished,
                 "(SELECT COUNT(*) FROM svc_email_enrolments e WHERE e.sequence_id = r.id AND e.status = 'finished')",
                 api::integer(0)),
         derived("enrolled_stopped", &S::enrolled_stopped,
                 "(SELECT COUNT(*) FROM svc_email_enrolments e WHERE e.sequence_id = r.id AND e.status = 'stopped')",
                 api::integer(0)),
         derived("sent", &S::sent,
                 "(SELECT COUNT(*) FROM svc_email_step_logs l WHERE l.sequence_id = r.id AND l.reason = '')",
                 api::integer(0), "E-mails that it has queued."),
         computed<S>("edit_effect", effect_type().or_null(), effect_json, {}, {},
                     "In the answer of an update alone: what became of those who are in it."),
         computed<S>(
             "dry_run", api::boolean(), {}, [](S&, const Value&, Faults&) {}, by_client_on_update,
             "true: nothing is stored; edit_effect says what would become of those who are in it."),
         row_version<S>(),
         timestamps<S>(),
         authors<S>(Names::left_out, hidden)}};
    return declared;
}

std::vector<Step> steps_of(store::Session& session, std::int64_t sequence_id) {
    std::vector<Step> steps;
    for (const StepRow& row : store::tuples<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string,
                                            std::optional<std::int64_t>, std::string, std::string, std::string, bool>(
             session, SVC_STEP_COLUMNS " sequence_id = :id ORDER BY step_order", {{"id", sequence_id}}))
        steps.push_back(step_in(row));
    return steps;
}

void write_steps(store::Transaction& tx, std::int64_t sequence_id, const std::vector<Step>& steps) {
    for (const Step& old : steps_of(tx, sequence_id))
        if (std::none_of(steps.begin(), steps.end(), [&](const Step& step) { return step.id == old.id; }))
            tx.run("DELETE FROM svc_email_sequence_steps WHERE id = :id", {{"id", old.id}});
    std::int64_t order = 0;
    for (const Step& step : steps) {
        const store::Params params{{"id", step.id},
                                   {"sequence_id", sequence_id},
                                   {"step_order", order++},
                                   {"delay_value", step.delay_value},
                                   {"delay_unit", step.delay_unit},
                                   {"template_id", step.template_id},
                                   {"custom_subject", step.custom_subject},
                                   {"custom_body", step.custom_body},
                                   {"conditions", step.conditions.dump()},
                                   {"is_active", step.is_active}};
        if (step.id == 0)
            tx.run(
                "INSERT INTO svc_email_sequence_steps (sequence_id, step_order, delay_value, delay_unit, template_id,"
                " custom_subject, custom_body, conditions, is_active) VALUES (:sequence_id, :step_order, :delay_value,"
                " :delay_unit, :template_id, :custom_subject, :custom_body, :conditions, :is_active)",
                params);
        else
            tx.run(
                "UPDATE svc_email_sequence_steps SET step_order = :step_order, delay_value = :delay_value, delay_unit ="
                " :delay_unit, template_id = :template_id, custom_subject = :custom_subject, custom_body ="
                " :custom_body, conditions = :conditions, is_active = :is_active WHERE id = :id AND sequence_id ="
                " :sequence_id",
                params);
    }
}

void keep_ids(const std::vector<Step>& before, std::vector<Step>& after) {
    std::set<std::int64_t> known, taken;
    for (const Step& step : before)
        known.insert(step.id);
    for (Step& step : after) {
        if (!known.contains(step.id))
            step.id = 0;  // of another sequence, or gone
        taken.insert(step.id);
    }
    for (std::size_t at = 0; at < after.size() && at < before.size(); ++at)
        if (after[at].id == 0 && !taken.contains(before[at].id)) {
            after[at].id = before[at].id;
            taken.insert(before[at].id);
        }
}

std::int64_t moved_position(const std::vector<Step>& before, const std::vector<Step>& after, std::int64_t position) {
    const auto place = [&](std::int64_t id) -> std::int64_t {
        const auto found = std::find_if(after.begin(), after.end(), [&](const Step& step) { return step.id == id; });
        return found == after.end() ? -1 : found - after.begin();
    };
    const auto taken = std::min(position, static_cast<std::int64_t>(before.size()));
    for (std::int64_t at = taken - 1; at >= 0; --at)
        if (const auto now = place(before[static_cast<std::size_t>(at)].id); now >= 0)
            return now + 1;
    if (taken == 0)
        return 0;
    // No step that was taken is left: on with the first of those that were to come.
    for (auto at = static_cast<std::size_t>(taken); at < before.size(); ++at)
        if (const auto now = place(before[at].id); now >= 0)
            return now;
    return static_cast<std::int64_t>(after.size());
}

EditEffect move_enrolled(store::Transaction& tx, std::int64_t sequence_id, const std::vector<Step>& before,
                         const std::vector<Step>& after, Instant now) {
    EditEffect effect;
    const auto positions = store::values<std::int64_t>(
        tx, "SELECT DISTINCT position FROM svc_email_enrolments WHERE sequence_id = :id AND status = 'active'",
        {{"id", sequence_id}});
    // Below zero until all are moved, so that nobody moves twice.
    for (const std::int64_t position : positions) {
        const std::int64_t next = moved_position(before, after, position);
        const bool is_over = next >= static_cast<std::int64_t>(after.size());
        const std::int64_t delay = is_over ? 0 : after[static_cast<std::size_t>(next)].delay().count();
        const store::Params params{{"id", sequence_id}, {"position", position},
                                   {"next", -next - 1}, {"delay", delay},
                                   {"now", now},        {"status", is_over ? "finished" : "active"},
                                   {"is_over", is_over}};
        const std::int64_t moved = tx.run(
            "UPDATE svc_email_enrolments SET position = :next, status = :status, updated_at = :now, next_run_at ="
            " CASE WHEN :is_over = 1 THEN NULL ELSE since + :delay END"
            " WHERE sequence_id = :id AND status = 'active' AND position = :position",
            params);
        effect.active += moved;
        if (is_over)
            effect.finished += moved;
    }
    tx.run("UPDATE svc_email_enrolments SET position = -position - 1 WHERE sequence_id = :id AND position < 0",
           {{"id", sequence_id}});
    effect.due_now = tx.number(
        "SELECT COUNT(*) FROM svc_email_enrolments WHERE sequence_id = :id AND status = 'active' AND next_run_at <="
        " :now",
        {{"id", sequence_id}, {"now", now}});
    return effect;
}

}  // namespace svc::pro::email_automation
