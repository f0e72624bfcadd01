// Recurring rules as staff keep them, in full and in the short view of one trip.
#include "base/availability/routes.hpp"
#include "base/availability/rule_view.hpp"
#include "base/availability/rule_wire.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/period.hpp"

namespace svc::availability {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const api::Field of_trip{.name = "trip_id", .type = api::id(), .says = "The trip.", .required = true};
const api::Schema versioned{{.name = "row_version",
                             .type = api::integer(1).or_null(),
                             .says = "The version that was read; svc_conflict when it is another by now."}};
const api::Schema span_fields{
    {.name = "from_date", .type = api::date(), .says = "From this day; today when left out."},
    {.name = "to_date", .type = api::date(), .says = "To this day, at most 3660 days ahead."}};

api::Type deleted_answer() { return api::object({{"id", api::id(), "", true}, {"deleted", api::boolean(), "", true}}); }

Permission may_read() { return Permission::any_of({"svc_view_trips", "svc_edit_trips"}); }
Permission may_write() { return Permission::can("svc_edit_trips"); }

// One of the two views of a rule.
struct View {
    Value (*shown)(const Rule&);
    Result<Rule> (*changed)(Rule, const Value&);
    std::vector<PricedCategory> (*priced)(const Value&);
    std::string (*path)(const Rule&);
};
const View whole{[](const Rule& rule) { return to_json(rule); }, changed, priced_categories,
                 [](const Rule& rule) { return "/recurring-availability/" + std::to_string(rule.id); }};
const View brief{view::to_json, view::changed, view::priced_categories, [](const Rule& rule) {
                     return "/trips/" + std::to_string(rule.trip_id) + "/recurring-rules/" + std::to_string(rule.id);
                 }};

std::optional<std::int64_t> trip_in_path(const Request& request) { return request.path.maybe_integer("trip_id"); }

Reply answer(const View& as, const Rule& rule, int status = 200) {
    Reply reply = api::ok(as.shown(rule));
    reply.status = status;
    if (status == 201)
        reply.headers.emplace_back("Location", as.path(rule));
    reply.headers.emplace_back("ETag", '"' + std::to_string(rule.row_version) + '"');
    return reply;
}

RuleBook::Writer writer_of(const Request& request, const View& as, int status) {
    RuleBook::Writer writer{request.caller.user_id, {}};
    if (request.keep_reply)
        writer.kept = [&request, &as, status](store::Transaction& tx, const Rule& rule) {
            request.keep_reply(tx, answer(as, rule, status));
        };
    return writer;
}

RuleBook::Change change_of(const Request& request, const View& as) {
    return [&request, &as](store::Session& session, Rule rule) -> Result<Rule> {
        if (const auto trip = request.body.maybe_integer("trip_id"); trip && rule.id != 0 && *trip != rule.trip_id)
            return invalid("trip_id", "A rule stays with its trip.");
        return with_known(session, as.changed(std::move(rule), request.body), as.priced(request.body));
    };
}

Reply list(const RuleBook& rules, const Request& request, const View& as, std::int64_t trip_id) {
    const auto page = api::page_of(*request.route, request.query);
    if (!page)
        return api::failed(page.error());
    RuleQuery query{.trip_id = trip_id,
                    .status = request.query.text_or("status"),
                    .rule_type = request.query.text_or("rule_type"),
                    .search = request.query.text_or("search"),
                    .order_by = page->order_by,
                    .ascending = page->ascending,
                    .limit = page->per_page,
                    .offset = page->offset()};
    if (auto read = take_period(request.query, rules.moment().zone, query.from, query.to); !read)
        return api::failed(read.error());
    if (request.query.maybe_boolean("active_only").value_or(false))
        query.status = "active";
    const auto listed = rules.list(query);
    if (!listed)
        return api::failed(listed.error());
    Value items = Value::array();
    for (const Rule& rule : listed->rules)
        items.push(as.shown(rule));
    return api::listed(std::move(items), *page, listed->total);
}

Reply create(RuleBook& rules, const Request& request, const View& as, std::int64_t trip_id) {
    return api::respond(rules.create(trip_id, change_of(request, as), writer_of(request, as, 201)),
                        [&](const Rule& rule) { return answer(as, rule, 201); });
}

Reply read(const RuleBook& rules, const Request& request, const View& as) {
    return api::respond(rules.find(trip_in_path(request), request.path_id()),
                        [&](const Rule& rule) { return answer(as, rule); });
}

// With what it produces from now on.
Reply read_whole(const RuleBook& rules, const Request& request) {
    const auto rule = rules.find(std::nullopt, request.path_id());
    if (!rule)
        return api::failed(rule.error());
    const auto produced = rules.preview(*rule, 20);
    if (!produced)
        return api::failed(produced.error());
    Reply reply = answer(whole, *rule);
    reply.data.set("preview", rule_preview_json(*produced, rule->trip_id));
    return reply;
}

Reply update(RuleBook& rules, const Request& request, const View& as) {
    const auto version = api::version_meant(request, [&]() -> std::optional<std::int64_t> {
        const auto rule = rules.find(trip_in_path(request), request.path_id());
        return rule ? std::optional(rule->row_version) : std::nullopt;
    });
    if (!version)
        return api::failed(version.error());
    return api::respond(rules.update(trip_in_path(request), request.path_id(), *version, change_of(request, as),
                                     writer_of(request, as, 200)),
                        [&](const Rule& rule) { return answer(as, rule); });
}

Reply remove(RuleBook& rules, const Request& request) {
    const auto gone = rules.remove(trip_in_path(request), request.path_id(), {request.caller.user_id});
    if (!gone)
        return api::failed(gone.error());
    return api::ok(Value::object({{"id", request.path_id()}, {"deleted", true}}));
}

Reply duplicate(RuleBook& rules, const Request& request) {
    return api::respond(
        rules.duplicate(request.path_id(), request.body.maybe_text("name"), writer_of(request, whole, 201)),
        [](const Rule& rule) { return answer(whole, rule, 201); });
}

Reply preview(const RuleBook& rules, const Request& request) {
    const auto trip_id = request.body.maybe_integer("trip_id");
    const auto most = static_cast<std::size_t>(request.body.maybe_integer("preview_limit").value_or(20));
    auto produced = rules.preview(trip_id, change_of(request, whole), most);
    if (!produced && &produced.error().code() == &errc::trip_not_found)
        return api::failed(invalid("trip_id", "There is no such trip."));
    return api::respond(std::move(produced),
                        [&](const Produced& found) { return api::ok(rule_preview_json(found, trip_id)); });
}

struct DateSpan {
    Date first, last;
};
Result<DateSpan> span_in(const Value& query, const char* from, const char* to, Date today, Date otherwise) {
    const auto read = [&](const char* name) {
        const auto text = query.maybe_text(name);
        return text ? Date::parse(*text) : std::nullopt;
    };
    const Date first = read(from).value_or(today);
    const Date last = read(to).value_or(std::max(otherwise, first));
    if (first > last)
        return invalid(from, "This must not be after " + std::string(to) + ".");
    return DateSpan{first, last};
}

Reply produced(const RuleBook& rules, std::int64_t trip_id, const Result<DateSpan>& span, bool says_span) {
    if (!span)
        return api::failed(span.error());
    const auto found = rules.produce(trip_id, span->first, span->last);
    if (!found)
        return api::failed(found.error());
    Reply reply = api::ok(produced_json(found->dates, trip_id));
    if (says_span)
        reply.more_meta = Value::object({{"from_date", span->first}, {"to_date", span->last}});
    return reply;
}

// The dates alone, each once.
Reply preview_dates(const RuleBook& rules, const Request& request) {
    const auto rule = rules.find(trip_in_path(request), request.path_id());
    if (!rule)
        return api::failed(rule.error());
    const Date today = rules.moment().today();
    const auto span = span_in(request.query, "from", "to", today, Date::from(9999, 12, 31));
    if (!span)
        return api::failed(span.error());
    const auto most = static_cast<std::size_t>(request.query.maybe_integer("count").value_or(10));
    const auto found = rules.preview(*rule, most_dates);
    if (!found)
        return api::failed(found.error());
    Value dates = Value::array();
    std::optional<Date> before;
    for (const Bookable& each : found->dates)
        if (each.date != before && each.date >= span->first && each.date <= span->last && dates.size() < most) {
            dates.push(each.date);
            before = each.date;
        }
    return api::ok(std::move(dates));
}

// Of a trip that the query or the body names, not the path.
Reply of_named_trip(Reply reply) {
    return reply.error && &reply.error->code() == &errc::trip_not_found
               ? api::failed(invalid("trip_id", "There is no such trip."))
               : reply;
}

api::RouteSpec rule_list(std::string path, Permission who, const api::Type& row) {
    return {.method = Method::get,
            .path = std::move(path),
            .who = std::move(who),
            .summary = "The recurring rules of a trip.",
            .is_list = true,
            .sortable = {"id", "name", "rule_type", "start_date", "priority"},
            .answer = api::list(row),
            .errors = {&errc::trip_not_found}};
}

void add_whole(api::RouteTable& routes, RuleBook& rules) {
    const std::string path = "/recurring-availability", one = path + "/{id}";
    auto all = rule_list(path, may_read(), rule_answer());
    all.query =
        api::Schema{
            of_trip,
            {.name = "per_page",
             .type = api::page_sum(),
             .says = "Items a page; more than 100 is answered as 100.",
             .otherwise = Value(50)},
            {.name = "rule_type", .type = api::choice({"weekly", "monthly", "interval"}), .says = "Only these."}}
            .plus(api::period_fields());
    all.errors = {};
    all.statuses = {"active", "inactive", "paused"};
    all.handle = [&rules](const Request& request) {
        return of_named_trip(list(rules, request, whole, request.query["trip_id"].integer()));
    };
    routes.add(std::move(all));
    routes.add({.method = Method::post,
                .path = path,
                .who = may_write(),
                .summary = "Add a recurring rule to a trip.",
                .body = api::Schema{of_trip}.plus(rule_fields()),
                .answer = rule_answer(),
                .success = 201,
                .errors = {&errc::conflict},
                .keeps_own_reply = true,
                .handle = [&rules](const Request& request) {
                    return of_named_trip(create(rules, request, whole, request.body["trip_id"].integer()));
                }});
    api::Schema with_preview = *rule_answer().members;
    routes.add({.method = Method::get,
                .path = one,
                .who = may_read(),
                .summary = "A recurring rule with the dates it produces from today on.",
                .answer = api::object(with_preview.plus({{.name = "preview", .type = rule_preview_answer()}})),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return read_whole(rules, request); }});
    routes.add({.method = Method::put,
                .path = one,
                .who = may_write(),
                .summary = "Change a recurring rule; what comes of it is checked as a whole.",
                .body = rule_fields().partial().plus(versioned).plus(
                    {{.name = "trip_id", .type = api::id(), .says = "As it is: a rule stays with its trip."}}),
                .answer = rule_answer(),
                .errors = {&errc::not_found, &errc::conflict},
                .keeps_own_reply = true,
                .handle = [&rules](const Request& request) { return update(rules, request, whole); }});
    routes.add({.method = Method::del,
                .path = one,
                .who = may_write(),
                .summary = "Delete a recurring rule; its dates that are booked stay.",
                .answer = deleted_answer(),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return remove(rules, request); }});
    routes.add({.method = Method::post,
                .path = one + "/duplicate",
                .who = may_write(),
                .summary = "Copy a recurring rule; the copy is inactive.",
                .body = {{.name = "name", .type = api::text(150).or_null(), .says = "Of the copy."}},
                .answer = rule_answer(),
                .success = 201,
                .errors = {&errc::not_found, &errc::conflict},
                .keeps_own_reply = true,
                .handle = [&rules](const Request& request) { return duplicate(rules, request); }});
}

void add_previews(api::RouteTable& routes, RuleBook& rules, const std::function<Date(const RuleBook&)>& horizon) {
    const std::string path = "/recurring-availability";
    routes.add({.method = Method::get,
                .path = path + "/counts",
                .who = may_read(),
                .summary = "How many recurring rules a trip has, by status.",
                .query = {of_trip},
                .answer = rule_counts_answer(),
                .handle = [&rules](const Request& request) {
                    return of_named_trip(
                        api::respond(rules.counts(request.query["trip_id"].integer()),
                                     [](const RuleCounts& counts) { return api::ok(to_json(counts)); }));
                }});
    routes.add({.method = Method::post,
                .path = path + "/preview",
                .who = may_write(),
                .summary = "What a rule would produce from today on, open-ended ones for 365 days; nothing is stored.",
                .body = api::Schema{{.name = "trip_id", .type = api::id().or_null(), .says = "To inherit from."},
                                    {.name = "preview_limit",
                                     .type = api::integer(1, 500),
                                     .says = "Dates shown.",
                                     .otherwise = Value(20)}}
                            .plus(rule_fields()),
                .answer = rule_preview_answer(),
                .errors = {&errc::trip_not_found},
                .keeps_replay = false,
                .handle = [&rules](const Request& request) { return preview(rules, request); }});
    routes.add({.method = Method::get,
                .path = path + "/generate/{trip_id}",
                .who = may_write(),
                .summary = "The dates that a trip's active rules produce, 90 days unless asked for more.",
                .query = span_fields,
                .answer = api::with_meta(api::list(produced_answer(), most_dates + 10'000), span_fields),
                .errors = {&errc::trip_not_found},
                .handle = [&rules](const Request& request) {
                    const Date today = rules.moment().today();
                    return produced(rules, request.path_id("trip_id"),
                                    span_in(request.query, "from_date", "to_date", today, today.plus_days(90)), true);
                }});
    routes.add({.method = Method::get,
                .path = "/availability/generated",
                .who = may_read(),
                .summary = "The dates that a trip's active rules produce, to the horizon unless asked for more.",
                .query = api::Schema{of_trip}.plus(span_fields),
                .answer = api::list(produced_answer(), most_dates + 10'000),
                .handle = [&rules, horizon](const Request& request) {
                    return of_named_trip(produced(
                        rules, request.query["trip_id"].integer(),
                        span_in(request.query, "from_date", "to_date", rules.moment().today(), horizon(rules)), false));
                }});
}

void add_brief(api::RouteTable& routes, RuleBook& rules) {
    const std::string path = "/trips/{trip_id}/recurring-rules", one = path + "/{id}";
    const auto may_see = Permission::can("svc_view_departures");
    auto all = rule_list(path, may_see, view::answer());
    all.query = {{.name = "active_only", .type = api::boolean(), .says = "Without those that are off."}};
    all.handle = [&rules](const Request& request) { return list(rules, request, brief, request.path_id("trip_id")); };
    routes.add(std::move(all));
    routes.add({.method = Method::post,
                .path = path,
                .who = may_write(),
                .summary = "Add a recurring rule in few words.",
                .body = view::fields(),
                .answer = view::answer(),
                .success = 201,
                .errors = {&errc::trip_not_found, &errc::conflict},
                .keeps_own_reply = true,
                .handle = [&rules](const Request& request) {
                    return create(rules, request, brief, request.path_id("trip_id"));
                }});
    routes.add({.method = Method::get,
                .path = one,
                .who = may_see,
                .summary = "A recurring rule in few words.",
                .answer = view::answer(),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return read(rules, request, brief); }});
    routes.add({.method = Method::put,
                .path = one,
                .who = may_write(),
                .summary = "Change a recurring rule in few words; what they do not name stays.",
                .body = view::fields().partial().plus(versioned),
                .answer = view::answer(),
                .errors = {&errc::not_found, &errc::conflict},
                .keeps_own_reply = true,
                .handle = [&rules](const Request& request) { return update(rules, request, brief); }});
    routes.add({.method = Method::del,
                .path = one,
                .who = may_write(),
                .summary = "Delete a recurring rule; its dates that are booked stay.",
                .answer = deleted_answer(),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return remove(rules, request); }});
    routes.add({.method = Method::get,
                .path = one + "/preview",
                .who = may_see,
                .summary = "The days a recurring rule produces from today on.",
                .query = {{.name = "count", .type = api::integer(1, 100), .says = "How many.", .otherwise = Value(10)},
                          {.name = "from", .type = api::date(), .says = "From this day.", .also = {"from_date"}},
                          {.name = "to", .type = api::date(), .says = "To this day.", .also = {"to_date"}}},
                .answer = api::list(api::date(), 100),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return preview_dates(rules, request); }});
}

}  // namespace

void add_rule_routes(api::RouteTable& routes, Service& service) {
    add_whole(routes, service.rules());
    add_previews(routes, service.rules(),
                 [&service](const RuleBook& rules) { return rules.moment().today().plus_months(service.horizon()); });
    add_brief(routes, service.rules());
}

}  // namespace svc::availability
