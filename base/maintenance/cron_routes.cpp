// The routes of scheduled jobs: list them with their last run, run one now.
#include <algorithm>

#include "base/maintenance/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::maintenance {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr std::string_view prefix = "svc_";
constexpr auto late_after = std::chrono::minutes(5);

std::string label_of(const jobs::Job& job) {
    if (job.daily_at)
        return "Daily at " + job.daily_at->text();
    const auto seconds = job.every.count();
    const auto quantity = [](std::int64_t count, const char* unit) {
        return count == 1 ? "Every " + std::string(unit)
                          : "Every " + std::to_string(count) + " " + std::string(unit) + "s";
    };
    if (seconds % 86'400 == 0)
        return quantity(seconds / 86'400, "day");
    if (seconds % 3'600 == 0)
        return quantity(seconds / 3'600, "hour");
    return seconds % 60 == 0 ? quantity(seconds / 60, "minute") : quantity(seconds, "second");
}

std::string schedule_of(const jobs::Job& job) {
    if (job.daily_at)
        return "daily";
    return "every_" + std::to_string(job.every.count()) + "s";
}

std::int64_t interval_of(const jobs::Job& job) { return job.daily_at ? 86'400 : job.every.count(); }

struct JobState {
    Instant next;
    std::optional<Instant> started, finished;
    std::optional<std::string> status, result;
};

std::map<std::string, JobState> states_of(store::Store& store) {
    std::map<std::string, JobState> states;
    store.read([&](store::Session& session) {
        states.clear();
        store::each_row(
            session,
            "SELECT name, next_run_at, last_started_at, last_finished_at, last_status, last_result FROM"
            " svc_jobs",
            {},
            [&](const std::string& name, Instant next, std::optional<Instant> started, std::optional<Instant> finished,
                const std::optional<std::string>& status, const std::optional<std::string>& result) {
                states[name] = {next, started, finished, status, result};
            });
    });
    return states;
}

Value result_of(const JobState& state) {
    if (!state.result)
        return {};
    auto read = json::parse(*state.result);
    return read ? std::move(*read) : Value();
}

Reply list_cron(const Site& site, const Request& request) {
    const auto states = states_of(site.store);
    auto rows = Value::array(), schedules = Value::object();
    for (const jobs::Job& job : site.jobs.all()) {
        const auto found = states.find(job.name);
        const JobState state = found == states.end() ? JobState{} : found->second;
        const bool known = found != states.end();
        rows.push(Value::object({{"hook", std::string(prefix) + job.name},
                                 {"description", job.help},
                                 {"next_run", known ? Value(state.next) : Value()},
                                 {"schedule", schedule_of(job)},
                                 {"schedule_label", label_of(job)},
                                 {"interval", interval_of(job)},
                                 {"is_overdue", known && state.next.plus(late_after) < request.now},
                                 {"args", Value::array()},
                                 {"last_run", state.started},
                                 {"last_finished", state.finished},
                                 {"last_status", state.status},
                                 {"last_result", result_of(state)}}));
        schedules.set(schedule_of(job), Value::object({{"interval", interval_of(job)}, {"display", label_of(job)}}));
    }
    return api::ok(Value::object({{"cron_jobs", std::move(rows)}, {"schedules", std::move(schedules)}}));
}

Reply run_cron(const Site& site, const Request& request) {
    const std::string hook = request.body.text_or("hook");
    const std::string name = hook.starts_with(prefix) ? hook.substr(prefix.size()) : hook;
    const auto all = site.jobs.all();
    if (std::none_of(all.begin(), all.end(), [&](const jobs::Job& job) { return job.name == name; }))
        return api::failed(invalid("hook", "There is no such job. GET /tools/cron-jobs lists them."_sentence));
    const auto began = std::chrono::steady_clock::now();
    SVC_ASSIGN_OR_RETURN(auto outcome, site.jobs.run_now(name));
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
    return api::ok(Value::object({{"hook", std::string(prefix) + name},
                                  {"duration_ms", std::int64_t{took.count()}},
                                  {"result", std::move(outcome)}}));
}

}  // namespace

void add_cron_routes(const Site& site) {
    const auto who = Permission::can("manage_options");
    const api::Schema job{
        {.name = "hook", .type = api::text(100), .help = "The job's name.", .required = true},
        {.name = "description", .type = api::text(500)},
        {.name = "next_run", .type = api::instant().or_null()},
        {.name = "schedule", .type = api::text(60)},
        {.name = "schedule_label", .type = api::text(100)},
        {.name = "interval", .type = api::integer(1), .help = "Seconds between two runs."},
        {.name = "is_overdue", .type = api::boolean(), .help = "More than five minutes late."},
        {.name = "args", .type = api::list(api::anything())},
        {.name = "last_run", .type = api::instant().or_null()},
        {.name = "last_finished", .type = api::instant().or_null()},
        {.name = "last_status", .type = api::choice({"running", "ok", "failed"}).or_null()},
        {.name = "last_result", .type = api::map(api::anything()).or_null(), .help = "Counts, or the error."}};
    site.routes.add(
        {.method = api::Method::get,
         .path = "/tools/cron-jobs",
         .name = "listCronJobs",
         .who = who,
         .summary = "List the periodic jobs with their next and last runs.",
         .answer = api::object("CronJobs", {{.name = "cron_jobs", .type = api::list(api::object("CronJob", job))},
                                            {.name = "schedules", .type = api::map(api::anything())}}),
         .handle = [&site](const Request& request) { return list_cron(site, request); }});
    site.routes.add(
        {.method = api::Method::post,
         .path = "/tools/cron-run",
         .name = "runCronJob",
         .who = who,
         .summary = "Run a periodic job now and return its counts. 409 while it is running.",
         .body =
             {{.name = "hook", .type = api::text(100), .help = "For example svc_booking_expiry.", .required = true}},
         .answer = api::object("CronRun", {{.name = "hook", .type = api::text(100)},
                                           {.name = "duration_ms", .type = api::integer(0)},
                                           {.name = "result", .type = api::map(api::anything())}}),
         .errors = {&errc::conflict},
         .lane = api::Lane::admin,
         .repeats_safely = true,
         .handle = [&site](const Request& request) { return run_cron(site, request); }});
}

}  // namespace svc::maintenance
