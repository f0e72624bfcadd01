// POST, GET /google-calendar/sync-all; GET …/log.
#include "pro/google_calendar/calls.hpp"
#include "pro/google_calendar/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::google_calendar {
namespace {

using api::Method;
using json::Value;

constexpr std::int64_t most_failing = 20;

api::Type change_type() {
    return api::object("GoogleCalendarChange",
                       {{.name = "kind", .type = api::choice({"departure", "booking"})},
                        {.name = "id", .type = api::id(), .help = "Of the departure or booking."},
                        {.name = "title", .type = api::text(500)},
                        {.name = "day", .type = api::text(20), .help = "When it begins, with its time if it has one."},
                        {.name = "change", .type = api::choice({"create", "update", "remove"})}});
}

api::Type sync_answer() {
    return api::object(
        "GoogleCalendarSync",
        {{.name = "state",
          .type = api::choice({"never", "running", "done", "planned"}),
          .help = "planned: the answer to a dry run. running: also while Google is not reached."},
         {.name = "total", .type = api::integer(0)},
         {.name = "synced", .type = api::integer(0)},
         {.name = "failed", .type = api::integer(0), .help = "They are tried again by themselves."},
         {.name = "waiting", .type = api::integer(0)},
         {.name = "started_at", .type = api::instant().or_null()},
         {.name = "finished_at", .type = api::instant().or_null()},
         {.name = "last_sync", .type = api::instant().or_null()},
         {.name = "failures",
          .type = api::list(
              api::object("GoogleCalendarFailure", {{.name = "kind", .type = api::choice({"departure", "booking"})},
                                                    {.name = "id", .type = api::id()},
                                                    {.name = "error", .type = api::text(200)},
                                                    {.name = "attempts", .type = api::integer(0)},
                                                    {.name = "next_attempt_at", .type = api::instant().or_null()}}),
              most_failing)},
         {.name = "plan",
          .type =
              api::object("GoogleCalendarPlan",
                          {{.name = "created", .type = api::integer(0)},
                           {.name = "updated", .type = api::integer(0)},
                           {.name = "removed", .type = api::integer(0)},
                           {.name = "unchanged", .type = api::integer(0)},
                           {.name = "changes", .type = api::list(change_type(), 100), .help = "The first of them."}})
                  .or_null(),
          .help = "Of a dry run: what would change, by what we have sent before."}});
}

Value progress_now(const Site& site, const Value& plan = {}) {
    return site.store.reading<Value>([&](store::Session& session) {
        const Connected now = connected_now(session);
        const Progress progress = Items::progress(session, now.run_number);
        const char* state = !plan.is_null()       ? "planned"
                            : !now.run_started_at ? "never"
                            : now.run_finished_at ? "done"
                                                  : "running";
        return Value::object({{"state", state},
                              {"total", now.run_total},
                              {"synced", progress.done},
                              {"failed", progress.failed},
                              {"waiting", progress.waiting},
                              {"started_at", now.run_started_at},
                              {"finished_at", now.run_finished_at},
                              {"last_sync", now.last_sync_at},
                              {"failures", json::array_of(Items::failing(session, most_failing),
                                                          [](const Failing& each) {
                                                              return Value::object({{"kind", each.subject.kind},
                                                                                    {"id", each.subject.id},
                                                                                    {"error", each.error},
                                                                                    {"attempts", each.attempts},
                                                                                    {"next_attempt_at", each.due_at}});
                                                          })},
                              {"plan", plan}});
    });
}

Value forecast_json(const Forecast& forecast) {
    return Value::object({{"created", forecast.created},
                          {"updated", forecast.updated},
                          {"removed", forecast.removed},
                          {"unchanged", forecast.unchanged},
                          {"changes", json::array_of(forecast.changes, [](const Forecast::Change& each) {
                               return Value::object({{"kind", each.subject.kind},
                                                     {"id", each.subject.id},
                                                     {"title", each.title},
                                                     {"day", each.day},
                                                     {"change", each.change}});
                           })}});
}

api::RouteSpec sync_route(const Site& site, const Sync& sync) {
    auto spec = route(Method::post, "/google-calendar/sync-all",
                      "Send all that is to come anew, in the background, or say what that would change (`dry_run`).");
    spec.body = {{.name = "dry_run", .type = api::boolean(), .otherwise = Value(false)}};
    spec.answer = sync_answer();
    spec.errors = {&not_connected};
    spec.repeats_safely = true;
    spec.handle = [&](const api::Request& request) -> api::Reply {
        if (!request.body["dry_run"].boolean()) {
            SVC_RETURN_IF_ERROR(sync.begin_all());
            return api::ok(progress_now(site));
        }
        if (!site.store.reading<Connected>([](store::Session& session) { return connected_now(session); })
                 .is_connected())
            return api::failed(not_connected);
        return api::ok(progress_now(site, forecast_json(sync.forecast())));
    };
    return spec;
}

api::RouteSpec progress_route(const Site& site) {
    auto spec =
        route(Method::get, "/google-calendar/sync-all", "Return how far the latest copy of everything has come.");
    spec.answer = sync_answer();
    spec.handle = [&site](const api::Request&) { return api::ok(progress_now(site)); };
    return spec;
}

api::RouteSpec log_route(const Site& site) {
    const auto may = api::Permission::can(std::string(capability));
    const resource::Resource<LoggedCall> calls{call_record(),
                                               resource::Options{.store = site.store,
                                                                 .path = "/google-calendar/log",
                                                                 .one = "call of Google",
                                                                 .many = "calls of Google",
                                                                 .reads = may,
                                                                 .writes = may,
                                                                 .removes = may,
                                                                 .module = std::string(module_slug),
                                                                 .zone = [&site] { return site.zone(); }},
                                               resource::Rules<LoggedCall>{}};
    auto spec = calls.list_route();
    spec.summary = "List the latest 200 calls of Google, without what was sent.";
    return spec;
}

}  // namespace

void add_sync_routes(const Site& site, const Sync& sync) {
    site.routes.add(sync_route(site, sync));
    site.routes.add(progress_route(site));
    site.routes.add(log_route(site), resource::Routes::headers());
}

}  // namespace svc::pro::google_calendar
