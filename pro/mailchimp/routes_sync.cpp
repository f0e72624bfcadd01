// POST /mailchimp/sync-all; GET /mailchimp/status, …/log.
#include "pro/mailchimp/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::mailchimp {
namespace {

using api::Method;
using json::Value;

// The latest full run.
api::Schema run_schema() {
    return api::Schema{
        {.name = "running", .type = api::boolean(), .required = true},
        {.name = "total", .type = api::integer(0), .help = "Customers that it looks at.", .required = true},
        {.name = "synced", .type = api::integer(0), .help = "Sent by it so far.", .required = true},
        {.name = "skipped", .type = api::integer(0), .help = "Not sent, for the reasons in the log.", .required = true},
        {.name = "failed", .type = api::integer(0), .required = true},
        {.name = "started_at", .type = api::instant().or_null(), .required = true},
        {.name = "ended_at", .type = api::instant().or_null(), .required = true}};
}

Value run_json(const State& state) {
    return Value::object({{"running", state.is_running()},
                          {"total", state.run_total},
                          {"synced", state.run_synced},
                          {"skipped", state.run_skipped},
                          {"failed", state.run_failed},
                          {"started_at", state.run_started_at},
                          {"ended_at", state.run_ended_at}});
}

api::RouteSpec sync_all_route(const Parts& parts) {
    auto spec = route(Method::post, "/sync-all",
                      "Begin to send all customers who agreed to the newsletter, in the background; nobody else is"
                      " subscribed. A run that is under way begins anew.");
    spec.answer = api::object("MailchimpRun", run_schema());
    spec.errors = {&errc::conflict};
    spec.stores_reply = true;
    spec.handle = [parts](const api::Request& request) {
        return api::respond_once(
            request, [&] { return parts.sync.begin_run(request.now); },
            [](store::Transaction& tx, std::int64_t) { return api::ok(run_json(Repository::state(tx))); });
    };
    return spec;
}

api::Type status_type() {
    const auto count = [](const char* name, const char* help) {
        return api::Field{.name = name, .type = api::integer(0), .help = help, .required = true};
    };
    return api::object(
        "MailchimpStatus",
        {count("customers", "All customers."),
         count("opted_in", "Customers with a recorded consent to the newsletter."),
         count("subscribed", "Subscribed there, as far as is known here."),
         count("pending", "Asked by Mailchimp to confirm."),
         count("transactional", "Contacts by their purchases, who get no newsletter."),
         count("unsubscribed_there", "Left or were removed at Mailchimp: they are not sent again."),
         count("refused", "Refused by Mailchimp: it takes them back by its own form, or not at all."),
         count("waiting", "Still to be sent."),
         {.name = "problem",
          .type = api::choice({"key", "list", "throttled", "unavailable", "garbled"}).or_null(),
          .help = "Why sending rests. key: refused. list: there is no such audience any more.",
          .required = true},
         {.name = "problem_detail", .type = api::text(500), .help = "In the words of Mailchimp.", .required = true},
         {.name = "problem_at", .type = api::instant().or_null(), .help = "Since when.", .required = true},
         {.name = "resume_at", .type = api::instant().or_null(), .help = "When it is tried again.", .required = true},
         {.name = "last_sync_at", .type = api::instant().or_null(), .required = true},
         {.name = "run", .type = api::object("MailchimpRun", run_schema()), .required = true}});
}

api::RouteSpec status_route(const Parts& parts) {
    auto spec = route(Method::get, "/status", "Count contacts, and tell how the sending goes.");
    spec.answer = status_type();
    spec.handle = [parts](const api::Request&) -> api::Reply {
        const std::string list_id = configuration_of(parts.site).list_id;
        Counts counts;
        State state;
        parts.site.store.read([&](store::Session& session) {
            counts = Repository::counts(session, list_id);
            state = Repository::state(session);
        });
        return api::ok(Value::object({{"customers", counts.customers},
                                      {"opted_in", counts.opted_in},
                                      {"subscribed", counts.subscribed},
                                      {"pending", counts.pending},
                                      {"transactional", counts.transactional},
                                      {"unsubscribed_there", counts.left},
                                      {"refused", counts.refused},
                                      {"waiting", counts.waiting},
                                      {"problem", state.problem.empty() ? Value() : Value(state.problem)},
                                      {"problem_detail", state.problem_detail},
                                      {"problem_at", state.problem_at},
                                      {"resume_at", state.resume_at},
                                      {"last_sync_at", state.last_sync_at},
                                      {"run", run_json(state)}}));
    };
    return spec;
}

api::RouteSpec log_route(const Site& site) {
    const auto may = api::Permission::can(std::string(capability));
    const resource::Resource<LogEntry> log{log_record(),
                                           resource::Options{.store = site.store,
                                                             .path = "/mailchimp/log",
                                                             .one = "log entry",
                                                             .many = "log entries",
                                                             .reads = may,
                                                             .writes = may,
                                                             .removes = may,
                                                             .module = module_slug,
                                                             .filters = {{.name = "customer_id", .type = api::id()},
                                                                         {.name = "reason", .type = api::text(40)}},
                                                             .zone = [&site] { return site.zone(); }},
                                           resource::Rules<LogEntry>{}};
    auto spec = log.list_route();
    spec.summary = "List what was sent to Mailchimp and what was not, with the reason; kept for 90 days.";
    return spec;
}

}  // namespace

void add_sync_routes(const Parts& parts) {
    parts.site.routes.add(sync_all_route(parts));
    parts.site.routes.add(status_route(parts));
    parts.site.routes.add(log_route(parts.site), resource::Routes::headers());
}

void add_routes(const Parts& parts) {
    add_settings_routes(parts);
    add_sync_routes(parts);
}

}  // namespace svc::pro::mailchimp
