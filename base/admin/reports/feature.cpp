// Routes of reports.
#include "base/admin/reports/feature.hpp"

#include <algorithm>
#include <span>

#include "base/admin/reports/answers.hpp"
#include "base/admin/reports/files.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/store/snapshot.hpp"

namespace svc::reports {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr const char* for_money = "svc_view_financial_reports";
constexpr const char* for_operations = "svc_view_operational_reports";
constexpr const char* for_customers = "svc_view_customers";
constexpr int usual_days = 30, most_days = 3'660;

template <class E>
E chosen_of(const Value& query, std::string_view name, std::span<const std::string_view> names) {
    const auto found = std::find(names.begin(), names.end(), query.text_or(name));
    return static_cast<E>(found == names.end() ? 0 : found - names.begin());
}

Result<ReportFilter> filter_of(const Site& site, const Request& request) {
    const Zone zone = site.settings.zone();
    SVC_ASSIGN_OR_RETURN(const auto days, api::days_of(request.query, zone));
    ReportFilter filter{.basis = chosen_of<Basis>(request.query, "basis", basis_names),
                        .currency = site.settings.currency(),
                        .zone = zone};
    filter.span.to =
        days.to.value_or(days.from ? std::max(*days.from, zone.date_at(request.now)) : zone.date_at(request.now));
    filter.span.from = days.from.value_or(filter.span.to.plus_days(1 - usual_days));
    if (filter.span.days() > most_days)
        return invalid("from", "A report spans at most ten years."_sentence);
    if (const auto code = request.query.maybe_text("currency")) {
        const auto currency = Currency::parse(*code);
        if (!currency)
            return invalid("currency", "This must be the code of a currency, such as EUR."_sentence);
        filter.currency = *currency;
    }
    return filter;
}

bool may_see_money(const Request& request) { return request.caller.can(for_money); }
bool may_see_persons(const Request& request) { return request.caller.can(for_customers); }
// Whose departures' rows alone are shown; 0: all. Financial reports are about all bookings.
std::int64_t guide_of(const Request& request) {
    return may_see_money(request) ? 0 : api::guided_by(request.caller).value_or(0);
}

Result<ReportQuery> query_of(const Site& site, const Request& request) {
    SVC_ASSIGN_OR_RETURN(auto filter, filter_of(site, request));
    ReportQuery query{.filter = filter,
                      .type = chosen_of<Type>(request.query, "type", type_names),
                      .by = chosen_of<GroupBy>(request.query, "group_by", group_names),
                      .compare = chosen_of<Compare>(request.query, "compare", compare_names),
                      .money = may_see_money(request),
                      .persons = may_see_persons(request),
                      .guide_id = guide_of(request),
                      .today = filter.zone.date_at(request.now)};
    query.filter.guide_id = query.guide_id;
    const bool is_guided = query.guide_id != 0;
    if ((is_money_type(query.type) && !query.money) || (is_guided && !is_guided_type(query.type)))
        return errc::forbidden;
    if (const Value* sections = request.query.find("sections"); sections && sections->is_array())
        for (const Value& section : sections->items()) {
            if ((is_money_section(section.text()) && !query.money) ||
                (is_person_section(section.text()) && !query.persons) ||
                (is_guided && !is_guided_section(section.text())))
                return errc::forbidden;
            query.sections.push_back(section.text());
        }
    return query;
}

std::string file_name(std::string_view type, const Span& span) {
    return "report-" + std::string(type) + "-" + span.from.text() + "-" + span.to.text();
}

Reply report_reply(const Site& site, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto query, query_of(site, request));
    Report report;
    std::vector<Share> elsewhere;
    site.store.read([&](store::Session& session) {
        store::hold_snapshot(session);  // sections are of several statements
        report = report_of(session, query);
        if (query.guide_id == 0)
            elsewhere = other_currencies(session, query.filter);
    });
    const std::string_view type = type_names[static_cast<std::size_t>(query.type)];
    if (const std::string format = request.query.text_or("format", "json"); format != "json")
        return file_of(sheet_of(report, type), format, file_name(type, query.filter.span));
    const Span before = compared(query.filter.span, query.compare);
    const bool compares = query.compare != Compare::none;
    auto range = Value::object({{"from", query.filter.span.from},
                                {"to", query.filter.span.to},
                                {"prev_from", compares ? Value(before.from) : Value()},
                                {"prev_to", compares ? Value(before.to) : Value()}});
    auto data = Value::object({{"type", type},
                               {"date_range", std::move(range)},
                               {"group_by", group_names[static_cast<std::size_t>(query.by)]},
                               {"basis", basis_names[static_cast<std::size_t>(query.filter.basis)]},
                               {"currency", query.filter.currency.code()}});
    const Value sections = report.to_json();
    for (const auto& [name, value] : sections.members())
        data.set(name, value);
    auto others = Value::array();
    for (const Share& share : elsewhere)
        others.push(Value::object({{"currency", share.name}, {"bookings", share.bookings}}));
    data.set("other_currencies", std::move(others));
    return api::ok(std::move(data));
}

Value row_json(const ReportRow& row, const RowQuery& query, bool money) {
    return Value::object(
        {{"id", row.id},
         {"booking_id", row.booking_id == 0 ? Value() : Value(row.booking_id)},
         {"reference", row.reference},
         {"at", row.at},
         {"date", row.day},
         {"travel_date", row.travel_date},
         {"trip_id", row.trip_id},
         {"trip_title", row.trip_title},
         {"customer", row.customer},
         {"word", row.word},
         {"amount",
          money && query.figure != Figure::departures ? Value(Money{row.amount, query.filter.currency}) : Value()},
         {"quantity", row.quantity},
         {"capacity", query.figure == Figure::departures ? Value(row.capacity) : Value()}});
}

Result<RowQuery> rows_wanted(const Site& site, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto filter, filter_of(site, request));
    RowQuery query{.filter = filter,
                   .figure = chosen_of<Figure>(request.query, "figure", figure_names),
                   .trip_id = request.query.maybe_integer("trip_id").value_or(0),
                   .word = request.query.text_or("word"),
                   .guide_id = guide_of(request)};
    if (is_money_figure(query.figure) && !may_see_money(request))
        return errc::forbidden;
    return query;
}

Reply rows_reply(const Site& site, const Request& request) {
    SVC_ASSIGN_OR_RETURN(auto query, rows_wanted(site, request));
    const auto page = request.query["page"].integer(), per_page = request.query["per_page"].integer();
    query.limit = per_page;
    query.offset = (page - 1) * per_page;
    const bool money = may_see_money(request);
    auto rows = Value::array();
    RowSums sums;
    site.store.read([&](store::Session& session) {
        store::hold_snapshot(session);
        rows = Value::array();
        for (const ReportRow& row : rows_of(session, query))
            rows.push(row_json(row, query, money));
        sums = sums_of(session, query);
    });
    Reply reply = api::ok(Value::object(
        {{"figure", figure_names[static_cast<std::size_t>(query.figure)]},
         {"rows", std::move(rows)},
         {"count", sums.rows},
         {"amount",
          money && query.figure != Figure::departures ? Value(Money{sums.amount, query.filter.currency}) : Value()},
         {"quantity", sums.quantity},
         {"capacity", sums.capacity}}));
    reply.page = api::PageMeta{page, per_page, sums.rows};
    return reply;
}

struct Exported {
    std::string_view type;
    Figure figure;
};
constexpr Exported exports[] = {{"bookings", Figure::bookings},
                                {"revenue", Figure::payments},
                                {"payments", Figure::payments},
                                {"departures", Figure::departures}};

Reply export_reply(const Site& site, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto filter, filter_of(site, request));
    const std::string type = request.query.text_or("type");
    const bool money = may_see_money(request);
    if (type == "customers" && !may_see_persons(request))
        return api::failed(Error{errc::forbidden, "This export requires the permission svc_view_customers."_sentence});
    RowQuery query{.filter = filter, .limit = most_file_rows + 1, .guide_id = guide_of(request)};
    for (const Exported& each : exports)
        if (each.type == type)
            query.figure = each.figure;
    if (is_money_figure(query.figure) && !money)
        return api::failed(errc::forbidden);
    sheets::Table table;
    site.store.read([&](store::Session& session) {
        store::hold_snapshot(session);  // payments and refunds are of two statements
        if (type == "customers") {
            table = customers_table(session, filter, money);
        } else if (type == "revenue") {
            RowQuery refunds = query;
            refunds.figure = Figure::refunds;
            table = revenue_table(rows_of(session, query), rows_of(session, refunds), query);
        } else {
            table = table_of(rows_of(session, query), query, money);
        }
    });
    if (table.rows.size() > static_cast<std::size_t>(most_file_rows))
        return api::failed(invalid("from", "The period has more than 50,000 rows. Choose a shorter period."_sentence));
    const std::string format = request.query.text_or("format", "csv");
    if (format != "json")
        return file_of(table, format, file_name(type, filter.span));
    const auto count = static_cast<std::int64_t>(table.rows.size());
    api::Page page;
    page.per_page = std::max<std::int64_t>(count, 1);
    return api::list_reply(json_of(table), page, count);
}

api::Schema span_fields() {
    return api::period_fields().plus(
        {{.name = "basis",
          .type = api::choice(words(basis_names)),
          .help =
              "`booking`: bookings by their day, payments by their date, refunds by the day of processing, taxes by the"
              " day of the invoice or credit note; `travel`: all by the travel date.",
          .otherwise = Value("booking")},
         {.name = "currency",
          .type = api::text(3, 3),
          .help =
              "Only amounts of this currency; default: the site's. Bookings in other currencies are only counted."}});
}

}  // namespace

void Feature::add_routes() {
    const auto who = Permission::any_of({for_money, for_operations});
    std::vector<std::string> sections;
    for (const std::string_view name : all_sections())
        sections.emplace_back(name);
    site_.routes.add(
        {.method = api::Method::get,
         .path = "/reports",
         .name = "getReport",
         .who = who,
         .summary =
             "Report on a period. Sections with amounts require svc_view_financial_reports and are omitted without it.",
         .query = span_fields().plus(
             {{.name = "type", .type = api::choice(words(type_names)), .otherwise = Value("overview")},
              {.name = "group_by", .type = api::choice(words(group_names)), .otherwise = Value("day")},
              {.name = "compare",
               .type = api::choice(words(compare_names)),
               .help = "Compare with the preceding period of the same length, or with the same days a year before.",
               .otherwise = Value("previous")},
              {.name = "sections", .type = api::list(api::choice(sections), 40), .help = "Only these sections."},
              {.name = "format", .type = api::choice({"json", "csv", "xlsx"}), .otherwise = Value("json")}}),
         .answer = report_answer(),
         .files = {"text/csv", xlsx_type},
         .handle = [this](const Request& request) { return report_reply(site_, request); }});
    site_.routes.add(
        {.method = api::Method::get,
         .path = "/reports/rows",
         .name = "listReportRows",
         .who = who,
         .summary = "List the rows behind a figure of a report, with their sums; to guides those of their departures.",
         .query = span_fields().plus(
             {{.name = "figure", .type = api::choice(words(figure_names)), .required = true},
              {.name = "trip_id", .type = api::id()},
              {.name = "word",
               .type = api::text(200),
               .help = "Only this status of bookings and departures, method of payments and refunds, or tax."},
              {.name = "page", .type = api::integer(1, 100'000), .otherwise = Value(1)},
              {.name = "per_page", .type = api::integer(1, 100), .otherwise = Value(20)}}),
         .answer = rows_answer(),
         .handle = [this](const Request& request) { return rows_reply(site_, request); }});
    site_.routes.add(
        {.method = api::Method::get,
         .path = "/reports/export",
         .name = "exportReport",
         .who = who,
         .summary =
             "Return the rows of a period as a file; rejects more than 50,000. `revenue`: payments, and refunds with"
             " negative amounts. `customers` requires svc_view_customers; guides get the rows of their departures.",
         .query = span_fields().plus(
             {{.name = "type",
               .type = api::choice({"revenue", "bookings", "customers", "departures", "payments"}),
               .required = true},
              {.name = "format", .type = api::choice({"csv", "json", "xlsx"}), .otherwise = Value("csv")}}),
         .answer = api::list(export_answer(), most_file_rows),
         .files = {"text/csv", xlsx_type},
         .handle = [this](const Request& request) { return export_reply(site_, request); }});
}

}  // namespace svc::reports
