// The answers of the reports' routes.
#include "base/admin/reports/answers.hpp"

#include <map>

#include "base/admin/reports/report.hpp"
#include "base/admin/reports/rows.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::reports {
namespace {

// The types that figures have; a change is null where there was nothing before.
struct MemberTypes {
    api::Type count = api::integer(0), amount = api::decimal(), rate = api::decimal(),
              change = api::decimal().or_null(), word = api::text(310);
};
constexpr std::size_t most_listed = 100'000;

using Members = std::vector<std::pair<const char*, api::Type>>;

// Amounts are left out for who may not see them, comparisons unless the request asks for them.
bool is_always_sent(std::string_view name, const api::Type& type) {
    return type.shape != api::Shape::decimal && !name.starts_with("previous");
}

// `component`: its name in OpenAPI, where several sections have it; empty: none.
api::Type figures_of(const Members& members, const std::string& component = {}) {
    std::vector<api::Field> fields;
    for (const auto& [name, type] : members)
        fields.push_back(is_always_sent(name, type) ? api::Field{.name = name, .type = type}
                                                    : api::sometimes_sent({.name = name, .type = type}));
    const api::Schema schema(std::move(fields));
    return api::object(component.empty() ? schema : schema.named(component));
}

api::Type list_of(const Members& members, const std::string& component = {}) {
    return api::list(figures_of(members, component), most_listed);
}

std::map<std::string_view, api::Type> section_types() {
    const auto [count, amount, rate, change, word] = MemberTypes();
    const api::Type shares = list_of({{"name", word}, {"bookings", count}, {"total", amount}}, "ReportShare");
    const api::Type methods = list_of({{"method", word}, {"count", count}, {"amount", amount}}, "ReportMethod");
    return {
        {"revenue_stats", figures_of({{"total", amount},
                                      {"payments", amount},
                                      {"payments_count", count},
                                      {"refunds", amount},
                                      {"bookings", count},
                                      {"booked_value", amount},
                                      {"average", amount},
                                      {"previous", amount},
                                      {"change", change},
                                      {"previous_booked_value", amount}})},
        {"booking_stats", figures_of({{"total", count},
                                      {"booked", count},
                                      {"confirmed", count},
                                      {"pending", count},
                                      {"cancelled", count},
                                      {"completed", count},
                                      {"travelers", count},
                                      {"averageGroupSize", rate},
                                      {"cancellationRate", rate},
                                      {"sessions", count},
                                      {"conversionRate", change},
                                      {"averageBookingValue", amount},
                                      {"previous", count},
                                      {"change", change},
                                      {"previousCancelled", count}})},
        {"operational_stats", figures_of({{"departures", count},
                                          {"upcomingDepartures", count},
                                          {"totalCapacity", count},
                                          {"bookedCapacity", count},
                                          {"occupancyRate", rate},
                                          {"averageGroupSize", rate.or_null()},
                                          {"previousOccupancyRate", rate}})},
        {"customer_analytics", figures_of({{"customers", count},
                                           {"new", count},
                                           {"returning", count},
                                           {"returningRate", rate},
                                           {"previous", count}})},
        {"lead_time", figures_of({{"averageDays", rate}, {"buckets", list_of({{"days", word}, {"bookings", count}})}})},
        {"outstanding",
         figures_of({{"bookings", count}, {"amount", amount}, {"deposits", count}, {"deposits_amount", amount}})},
        {"refunds", figures_of({{"count", count},
                                {"total", amount},
                                {"refundRate", rate},
                                {"avgRefund", amount},
                                {"byMethod", methods}})},
        {"booking_trend", list_of({{"date", api::date()},
                                   {"bookings", count},
                                   {"booked", count},
                                   {"cancelled", count},
                                   {"travelers", count},
                                   {"booked_value", amount}})},
        {"status_trend", list_of({{"status", word}, {"bookings", count}, {"total", amount}})},
        {"revenue_trend", list_of({{"date", api::date()},
                                   {"payments_count", count},
                                   {"payments", amount},
                                   {"refunds_count", count},
                                   {"refunds", amount},
                                   {"revenue", amount}})},
        {"occupancy_trend", list_of({{"date", api::date()},
                                     {"departures", count},
                                     {"capacity", count},
                                     {"seats", count},
                                     {"occupancyRate", rate}})},
        {"seat_utilization",
         list_of({{"percent", word}, {"departures", count}, {"capacity", count}, {"seats", count}})},
        {"departures_table", list_of({{"id", count},
                                      {"date", api::date()},
                                      {"trip_id", count},
                                      {"title", word},
                                      {"status", word},
                                      {"capacity", count},
                                      {"seats", count},
                                      {"occupancyRate", rate}})},
        {"bookings_table", list_of({{"id", count},
                                    {"reference", word},
                                    {"created_at", api::instant()},
                                    {"travel_date", api::date()},
                                    {"trip_id", count},
                                    {"title", word},
                                    {"customer", word},
                                    {"status", word},
                                    {"travelers", count},
                                    {"total", amount}})},
        {"traveler_segments",
         figures_of({{"solo", count},
                     {"couples", count},
                     {"small_groups", count},
                     {"large_groups", count},
                     {"travelers", count},
                     {"categories", list_of({{"category_id", count}, {"name", word}, {"travelers", count}})}})},
        {"trip_performance", list_of({{"trip_id", count},
                                      {"title", word},
                                      {"bookings", count},
                                      {"booked", count},
                                      {"cancelled", count},
                                      {"travelers", count},
                                      {"capacity", count},
                                      {"seats", count},
                                      {"occupancyRate", rate},
                                      {"booked_value", amount}})},
        {"revenue_by_trip", list_of({{"trip_id", count},
                                     {"title", word},
                                     {"bookings", count},
                                     {"booked_value", amount},
                                     {"payments", amount},
                                     {"refunds", amount},
                                     {"revenue", amount}})},
        {"payment_status", list_of({{"status", word}, {"bookings", count}, {"total", amount}, {"due", amount}})},
        {"payment_methods", methods},
        {"refund_methods", methods},
        {"tax_rates", list_of({{"label", word}, {"bookings", count}, {"amount", amount}})},
        {"cancellations", list_of({{"via", word}, {"bookings", count}})},
        {"party_sizes", list_of({{"travelers", count}, {"bookings", count}})},
        {"sources", shares},
        {"countries", shares},
        {"top_destinations", shares},
        {"top_customers",
         list_of({{"customer_id", count}, {"name", word}, {"email", word}, {"bookings", count}, {"total", amount}})}};
}

}  // namespace

std::vector<std::string> words(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

api::Type report_answer() {
    api::Schema fields{
        {.name = "type", .type = api::choice(words(type_names)), .required = true},
        {.name = "date_range",
         .type = api::object("ReportRange", {{.name = "from", .type = api::date()},
                                             {.name = "to", .type = api::date()},
                                             {.name = "prev_from", .type = api::date().or_null()},
                                             {.name = "prev_to", .type = api::date().or_null()}}),
         .required = true},
        {.name = "group_by", .type = api::choice(words(group_names))},
        {.name = "basis", .type = api::choice(words(basis_names))},
        {.name = "currency", .type = api::text(3)},
        {.name = "other_currencies", .type = list_of({{"currency", api::text(3)}, {"bookings", api::integer(0)}})}};
    const auto types = section_types();
    std::vector<api::Field> sections;
    for (const std::string_view name : all_sections())
        sections.push_back(api::sometimes_sent(
            {.name = std::string(name), .type = types.at(name), .help = "A section; see `sections`."}));
    return api::object("Report", fields.plus(api::Schema(std::move(sections))));
}

api::Type rows_answer() {
    const api::Schema row{
        {.name = "id", .type = api::id(), .help = "Of the booking, payment, refund, document or departure."},
        {.name = "booking_id", .type = api::id().or_null()},
        {.name = "reference", .type = api::text(40)},
        {.name = "at", .type = api::instant().or_null(), .help = "When it was booked, processed or issued."},
        {.name = "date",
         .type = api::date(),
         .help = "The day on which it counts: of a payment its date, of a tax that of its document."},
        {.name = "travel_date", .type = api::date()},
        {.name = "trip_id", .type = api::id()},
        {.name = "trip_title", .type = api::text(255)},
        {.name = "customer", .type = api::text(310)},
        {.name = "word", .type = api::text(200), .help = "Status, payment method or tax."},
        {.name = "amount", .type = api::decimal().or_null()},
        {.name = "quantity", .type = api::integer(0), .help = "Travelers or seats."},
        {.name = "capacity", .type = api::integer(0).or_null()}};
    return api::object("ReportRows", {{.name = "figure", .type = api::choice(words(figure_names))},
                                      {.name = "rows", .type = api::list(api::object("ReportRow", row), 100)},
                                      {.name = "count", .type = api::integer(0), .help = "All rows."},
                                      {.name = "amount", .type = api::decimal().or_null(), .help = "Of all rows."},
                                      {.name = "quantity", .type = api::integer(0)},
                                      {.name = "capacity", .type = api::integer(0)}});
}

// Which of these a row has is up to the type of the export and to whether the caller may see amounts.
api::Type export_answer() {
    std::vector<api::Field> fields;
    for (const char* name : {"id",   "reference", "date",     "booked_at", "processed_at", "travel_date", "trip_id",
                             "trip", "customer",  "status",   "method",    "travelers",    "seats",       "capacity",
                             "name", "email",     "bookings", "amount",    "total",        "currency",    "kind"})
        fields.push_back(api::sometimes_sent({.name = name, .type = MemberTypes().word}));
    return api::object("ReportExportRow", api::Schema(std::move(fields)));
}

}  // namespace svc::reports
