// RouteSpecs of the dates that recurring rules produce.
#include "base/sales/availability/record/requests.hpp"
#include "base/sales/availability/rules/routes.hpp"
#include "base/sales/availability/rules/wire.hpp"
#include "shared/api/list_meta.hpp"

namespace svc::availability {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const api::Field previewed_trip{.name = "trip_id", .type = api::id(), .help = "Id of the trip.", .required = true};
const api::Schema span_fields{
    {.name = "from_date", .type = api::date(), .help = "From this day; default today."},
    {.name = "to_date", .type = api::date(), .help = "To this day, at most 3660 days ahead."}};

Reply preview(const RuleBook& rules, const Request& request) {
    const auto trip_id = request.body.maybe_integer("trip_id");
    const auto most = static_cast<std::size_t>(request.body.maybe_integer("preview_limit").value_or(20));
    const RuleBook::Change change = [&request](store::Session& session, Rule rule) {
        return with_known(session, changed(std::move(rule), request.body), priced_categories(request.body));
    };
    return of_named_trip(api::respond(rules.preview(trip_id, change, most), [&](const Produced& found) {
        return api::ok(rule_preview_json(found, trip_id));
    }));
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
        return invalid(from, "This must not be after {to}."_sentence.with("to", to));
    return DateSpan{first, last};
}

Reply produced(const RuleBook& rules, std::int64_t trip_id, const Result<DateSpan>& span, bool says_span) {
    if (!span)
        return api::failed(span.error());
    SVC_ASSIGN_OR_RETURN(const auto found, rules.produce(trip_id, span->first, span->last));
    Reply reply = api::ok(produced_json(found.dates, trip_id));
    if (says_span)
        reply.more_meta = Value::object({{"from_date", span->first}, {"to_date", span->last}});
    return reply;
}

// The dates alone, each once.
Reply preview_dates(const RuleBook& rules, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto rule, rules.find(request.path.maybe_integer("trip_id"), request.path_id()));
    const Date today = rules.moment().today();
    SVC_ASSIGN_OR_RETURN(const auto span, span_in(request.query, "from", "to", today, Date::from(9999, 12, 31)));
    const auto most = static_cast<std::size_t>(request.query.maybe_integer("count").value_or(10));
    SVC_ASSIGN_OR_RETURN(const auto found, rules.preview(rule, most_dates));
    Value dates = Value::array();
    std::optional<Date> before;
    for (const Bookable& each : found.dates)
        if (each.date != before && each.date >= span.first && each.date <= span.last && dates.size() < most) {
            dates.push(each.date);
            before = each.date;
        }
    return api::ok(std::move(dates));
}

Permission may_preview() { return Permission::any_of({"svc_view_trips", "svc_edit_trips"}); }
Permission may_preview_changes() { return Permission::can("svc_edit_trips"); }

void add_previews(api::RouteTable& routes, RuleBook& rules, const std::function<Date(const RuleBook&)>& horizon) {
    const std::string path = "/recurring-availability";
    routes.add({.method = Method::get,
                .path = path + "/counts",
                .who = may_preview(),
                .summary = "Count a trip's availability rules by status.",
                .query = {previewed_trip},
                .answer = rule_counts_answer(),
                .handle = [&rules](const Request& request) {
                    return of_named_trip(
                        api::respond(rules.counts(request.query["trip_id"].integer()),
                                     [](const RuleCounts& counts) { return api::ok(to_json(counts)); }));
                }});
    routes.add({.method = Method::post,
                .path = path + "/preview",
                .who = may_preview_changes(),
                .summary = "Preview the dates of a rule from today on, 365 days for open-ended rules; stores nothing.",
                .body = api::Schema{{.name = "trip_id", .type = api::id().or_null(), .help = "Trip to inherit from."},
                                    {.name = "preview_limit",
                                     .type = api::integer(1, 500),
                                     .help = "Number of dates returned.",
                                     .otherwise = Value(20)}}
                            .plus(rule_fields()),
                .answer = rule_preview_answer(),
                .errors = {&errc::trip_not_found},
                .keeps_replay = false,
                .handle = [&rules](const Request& request) { return preview(rules, request); }});
    routes.add({.method = Method::get,
                .path = path + "/generate/{trip_id}",
                .who = may_preview_changes(),
                .summary = "List the dates generated by a trip's active rules, by default for 90 days.",
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
                .who = may_preview(),
                .summary = "List the dates generated by a trip's active rules, by default to the booking horizon.",
                .query = api::Schema{previewed_trip}.plus(span_fields),
                .answer = api::list(produced_answer(), most_dates + 10'000),
                .handle = [&rules, horizon](const Request& request) {
                    return of_named_trip(produced(
                        rules, request.query["trip_id"].integer(),
                        span_in(request.query, "from_date", "to_date", rules.moment().today(), horizon(rules)), false));
                }});
}

void add_days(api::RouteTable& routes, RuleBook& rules) {
    routes.add({.method = Method::get,
                .path = "/trips/{trip_id}/recurring-rules/{id}/preview",
                .who = Permission::can("svc_view_departures"),
                .summary = "List the days generated by an availability rule from today on.",
                .query = {{.name = "count",
                           .type = api::integer(1, 100),
                           .help = "Number of days returned.",
                           .otherwise = Value(10)},
                          {.name = "from", .type = api::date(), .help = "From this day.", .also = {"from_date"}},
                          {.name = "to", .type = api::date(), .help = "To this day.", .also = {"to_date"}}},
                .answer = api::list(api::date(), 100),
                .errors = {&errc::not_found},
                .handle = [&rules](const Request& request) { return preview_dates(rules, request); }});
}

}  // namespace

void add_preview_routes(api::RouteTable& routes, RuleBook& rules, const OfferedDates& dates) {
    add_previews(routes, rules,
                 [&dates](const RuleBook& each) { return each.moment().today().plus_months(dates.horizon()); });
    add_days(routes, rules);
}

}  // namespace svc::availability
