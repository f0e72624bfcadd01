// Recurring rules for staff, in full and in the short view of one trip.
#include "base/sales/availability/rules/routes.hpp"

#include "base/sales/availability/record/requests.hpp"
#include "base/sales/availability/rules/view.hpp"
#include "base/sales/availability/rules/wire.hpp"
#include "shared/api/author.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"

namespace svc::availability {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const api::Field of_trip{.name = "trip_id", .type = api::id(), .help = "Id of the trip.", .required = true};
const api::Schema versioned{{.name = "row_version",
                             .type = api::integer(1).or_null(),
                             .help = "The version that was read; svc_conflict if the record changed since."}};
// Other fields that the rules compare a field with, in both views.
const std::vector<std::pair<std::string_view, std::string_view>> compared_rules{
    {"end_date", "start_date"},          {"interval_start_date", "start_date"}, {"days_of_week", "rule_type"},
    {"week_of_month", "rule_type"},      {"day_of_week", "rule_type"},          {"day_of_month", "rule_type"},
    {"interval_days", "rule_type"},      {"interval_start_date", "rule_type"},  {"week_of_month", "day_of_month"},
    {"week_of_month", "day_of_week"},    {"day_of_week", "week_of_month"},      {"day_of_month", "week_of_month"},
    {"sale_price", "original_price"},    {"weekdays", "recurrence_type"},       {"week_of_month", "recurrence_type"},
    {"day_of_month", "recurrence_type"}, {"interval_days", "recurrence_type"}};

Permission may_read() { return Permission::any_of({"svc_view_trips", "svc_edit_trips"}); }
Permission may_write() { return Permission::can("svc_edit_trips"); }

// One of the two views of a rule.
struct View {
    Value (*shown)(const Rule&);
    Result<Rule> (*changed)(Rule, const Value&);
    std::vector<PricedCategory> (*priced)(const Value&);
    std::string (*path)(const Rule&);
};
const View whole_view{[](const Rule& rule) { return to_json(rule); }, changed, priced_categories,
                      [](const Rule& rule) { return "/recurring-availability/" + std::to_string(rule.id); }};
const View brief_view{view::to_json, view::changed, view::priced_categories, [](const Rule& rule) {
                          return "/trips/" + std::to_string(rule.trip_id) + "/recurring-rules/" +
                                 std::to_string(rule.id);
                      }};

std::optional<std::int64_t> trip_in_path(const Request& request) { return request.path.maybe_integer("trip_id"); }

Reply answer(const View& as, const Rule& rule, int status = 200) {
    Reply reply = api::ok(as.shown(rule));
    if (!rule.keeps_more.empty())
        reply.data.set("keeps_more_seats", extra_seats_json(rule.keeps_more));
    reply.status = status;
    if (status == 201)
        reply.headers.emplace_back("Location", as.path(rule));
    reply.headers.emplace_back("ETag", '"' + std::to_string(rule.row_version) + '"');
    return reply;
}

RuleBook::Change change_of(const Request& request, const View& as) {
    return [&request, &as](store::Session& session, Rule rule) -> Result<Rule> {
        if (const auto trip = request.body.maybe_integer("trip_id"); trip && rule.id != 0 && *trip != rule.trip_id)
            return invalid("trip_id", "A rule cannot be moved to another trip."_sentence);
        return with_known(session, as.changed(std::move(rule), request.body), as.priced(request.body));
    };
}

Reply list(const RuleBook& rules, const Request& request, const View& as, std::int64_t trip_id) {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    RuleQuery query{.trip_id = trip_id,
                    .status = request.query.text_or("status"),
                    .rule_type = request.query.text_or("rule_type"),
                    .search = request.query.text_or("search"),
                    .order_by = page.order_by,
                    .ascending = page.ascending,
                    .limit = page.per_page,
                    .offset = page.offset()};
    SVC_RETURN_IF_ERROR(take_period(request.query, rules.moment().zone, query.from, query.to, query.updated_since));
    if (request.query.maybe_boolean("active_only").value_or(false))
        query.status = "active";
    SVC_ASSIGN_OR_RETURN(const auto listed, rules.list(query));
    Value items = json::array_of(listed.rules, [&](const Rule& rule) { return as.shown(rule); });
    return api::list_reply(std::move(items), page, listed.total);
}

Reply create(RuleBook& rules, const Request& request, const View& as, std::int64_t trip_id) {
    return api::respond_once(
        request, [&] { return rules.create(trip_id, change_of(request, as), api::author(request.caller)); },
        [&](const Rule& rule) { return answer(as, rule, 201); });
}

std::vector<FieldError> faults_of_new(const RuleBook& rules, const Request& request, const View& as,
                                      std::optional<std::int64_t> trip_id) {
    auto faults = rules.faults_of_new(trip_id, change_of(request, as));
    if (request.body.find("trip_id") && !(trip_id && rules.counts(*trip_id)))
        faults.push_back({"trip_id", "There is no such trip."_sentence});
    return faults;
}

Reply read(const RuleBook& rules, const Request& request, const View& as) {
    return api::respond(rules.find(trip_in_path(request), request.path_id()),
                        [&](const Rule& rule) { return answer(as, rule); });
}

// With the dates it produces from now on.
Reply read_whole(const RuleBook& rules, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto rule, rules.find(std::nullopt, request.path_id()));
    SVC_ASSIGN_OR_RETURN(const auto produced, rules.preview(rule, 20));
    Reply reply = answer(whole_view, rule);
    reply.data.set("preview", rule_preview_json(produced, rule.trip_id));
    return reply;
}

Reply update(RuleBook& rules, const Request& request, const View& as) {
    const auto version = api::required_version(request, [&]() -> std::optional<std::int64_t> {
        const auto rule = rules.find(trip_in_path(request), request.path_id());
        return rule ? std::optional(rule->row_version) : std::nullopt;
    });
    if (!version)
        return api::failed(version.error());
    return api::respond_once(
        request,
        [&] {
            return rules.update(trip_in_path(request), request.path_id(), *version, change_of(request, as),
                                api::author(request.caller));
        },
        [&](const Rule& rule) { return answer(as, rule); });
}

std::vector<FieldError> faults_of_change(const RuleBook& rules, const Request& request, const View& as) {
    return rules.faults_of_change(trip_in_path(request), request.path_id(), change_of(request, as));
}

Reply remove(RuleBook& rules, const Request& request) {
    return api::respond_once(
        request, [&] { return rules.remove(trip_in_path(request), request.path_id(), api::author(request.caller)); },
        api::deleted(request.path_id()));
}

Reply duplicate(RuleBook& rules, const Request& request) {
    return api::respond_once(
        request,
        [&] {
            return rules.duplicate(request.path_id(), request.body.maybe_text("name"), api::author(request.caller));
        },
        [](const Rule& rule) { return answer(whole_view, rule, 201); });
}

api::RouteSpec rule_list(std::string path, Permission who, const api::Type& row) {
    return {.method = Method::get,
            .path = std::move(path),
            .who = std::move(who),
            .summary = "List a trip's availability rules.",
            .is_list = true,
            .sortable = {"id", "name", "rule_type", "start_date", "priority", "updated_at"},
            .statuses = {"active", "inactive", "paused"},
            .answer = api::list(row),
            .errors = {&errc::trip_not_found}};
}

api::RouteSpec update_route(const std::string& path, RuleBook& rules, const View& view, const api::Schema& fields,
                            const api::Type& answer) {
    return {.method = Method::put,
            .path = path,
            .who = may_write(),
            .body = fields.partial().plus(versioned),
            .answer = api::object(answer.members->plus(extra_seats_fields())),
            .errors = {&errc::not_found, &errc::conflict},
            .stores_reply = true,
            .handle = [&rules, &view](const Request& request) { return update(rules, request, view); },
            .rules = [&rules, &view](const Request& request) { return faults_of_change(rules, request, view); },
            .beside = compared_rules};
}

api::RouteSpec remove_route(const std::string& path, RuleBook& rules) {
    return {.method = Method::del,
            .path = path,
            .who = may_write(),
            .summary = "Delete an availability rule; departures with bookings are kept.",
            .answer = api::deleted(),
            .errors = {&errc::not_found},
            .stores_reply = true,
            .handle = [&rules](const Request& request) { return remove(rules, request); }};
}

void add_whole(api::RouteTable& routes, RuleBook& rules) {
    const std::string path = "/recurring-availability", one = path + "/{id}";
    auto all = rule_list(path, may_read(), rule_answer());
    all.query = api::Schema{of_trip,
                            {.name = "per_page",
                             .type = api::page_sum(),
                             .help = "Items per page, at most 100.",
                             .otherwise = Value(50)},
                            {.name = "rule_type",
                             .type = api::choice({"weekly", "monthly", "interval"}),
                             .help = "Only rules of this status."}}
                    .plus(api::period_fields().plus(api::updated_since_field()));
    all.errors = {};
    all.columns = {"name", "rule_type", "status", "start_date", "end_date", "seats_total"};
    all.handle = [&rules](const Request& request) {
        return of_named_trip(list(rules, request, whole_view, request.query["trip_id"].integer()));
    };
    routes.add(std::move(all));
    routes.add({.method = Method::post,
                .path = path,
                .who = may_write(),
                .summary = "Create an availability rule.",
                .body = api::Schema{of_trip}.plus(rule_fields()),
                .answer = rule_answer(),
                .success = 201,
                .errors = {&errc::conflict},
                .stores_reply = true,
                .handle =
                    [&rules](const Request& request) {
                        return of_named_trip(create(rules, request, whole_view, request.body["trip_id"].integer()));
                    },
                .rules =
                    [&rules](const Request& request) {
                        return faults_of_new(rules, request, whole_view, request.body.maybe_integer("trip_id"));
                    },
                .beside = compared_rules});
    api::Schema with_preview = *rule_answer().members;
    routes.add({.method = Method::get,
                .path = one,
                .who = may_read(),
                .summary = "Return an availability rule with the dates it generates from today on.",
                .answer = api::object(with_preview.plus({{.name = "preview", .type = rule_preview_answer()}})),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return read_whole(rules, request); }});
    auto update_whole = update_route(one, rules, whole_view, rule_fields(), rule_answer());
    update_whole.summary = "Update an availability rule; the resulting rule is validated as a whole.";
    update_whole.body =
        update_whole.body.plus({{.name = "trip_id", .type = api::id(), .help = "Must be the rule's trip."}});
    routes.add(std::move(update_whole));
    routes.add(remove_route(one, rules));
    routes.add({.method = Method::post,
                .path = one + "/duplicate",
                .who = may_write(),
                .summary = "Duplicate an availability rule; the copy is inactive.",
                .body = {{.name = "name", .type = api::text(150).or_null(), .help = "Label of the copy."}},
                .answer = rule_answer(),
                .success = 201,
                .errors = {&errc::not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&rules](const Request& request) { return duplicate(rules, request); }});
}

void add_brief(api::RouteTable& routes, RuleBook& rules) {
    const std::string path = "/trips/{trip_id}/recurring-rules", one = path + "/{id}";
    const auto may_see = Permission::can("svc_view_departures");
    auto all = rule_list(path, may_see, view::answer());
    all.query = api::Schema{{.name = "active_only", .type = api::boolean(), .help = "Only active rules."}}.plus(
        api::period_fields().plus(api::updated_since_field()));
    all.handle = [&rules](const Request& request) {
        return list(rules, request, brief_view, request.path_id("trip_id"));
    };
    routes.add(std::move(all));
    routes.add({.method = Method::post,
                .path = path,
                .who = may_write(),
                .summary = "Create an availability rule in its short form.",
                .body = view::fields(),
                .answer = view::answer(),
                .success = 201,
                .errors = {&errc::trip_not_found, &errc::conflict},
                .stores_reply = true,
                .handle =
                    [&rules](const Request& request) {
                        return create(rules, request, brief_view, request.path_id("trip_id"));
                    },
                .rules =
                    [&rules](const Request& request) {
                        return faults_of_new(rules, request, brief_view, request.path_id("trip_id"));
                    },
                .beside = compared_rules});
    routes.add({.method = Method::get,
                .path = one,
                .who = may_see,
                .summary = "Return an availability rule in its short form.",
                .answer = view::answer(),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return read(rules, request, brief_view); }});
    auto update_brief = update_route(one, rules, brief_view, view::fields(), view::answer());
    update_brief.summary = "Update an availability rule in its short form; other fields are kept.";
    routes.add(std::move(update_brief));
    routes.add(remove_route(one, rules));
}

}  // namespace

void add_routes(api::RouteTable& routes, RuleBook& rules, const OfferedDates& dates) {
    add_whole(routes, rules);
    add_brief(routes, rules);
    add_preview_routes(routes, rules, dates);
}

}  // namespace svc::availability
