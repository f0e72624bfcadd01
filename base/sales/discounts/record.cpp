// Declares discounts and their ranges: tables, JSON and schemas.
#include <map>

#include "base/sales/discounts/discount.hpp"

namespace svc::discounts {
namespace {

using json::Value;

api::Type kinds() { return api::choice({"percentage", "fixed"}); }
Value kind_of(const Cut& cut) { return cut.is_none() ? Value() : Value(cut.type()); }
Value amount_of(const Cut& cut) { return cut.rate ? Value(*cut.rate) : Value(cut.flat); }

// For fields that rules.cpp takes: it knows the other fields and the site's currency.
template <class T>
void leave(T&, const Value&, Faults&) {}

Value ranges_of_party(const Discount& discount) {
    Value ranges = Value::array();
    for (const Range& range : discount.ranges)
        if (!range.category_id)
            ranges.push(range_record().to_json(range));
    return ranges;
}

Value ranges_by_category(const Discount& discount) {
    Value categories = Value::object();
    for (const Range& range : discount.ranges)
        if (range.category_id) {
            const std::string category = std::to_string(*range.category_id);
            Value ranges = categories[category].is_array() ? categories[category] : Value::array();
            ranges.push(range_record().to_json(range));
            categories.set(category, std::move(ranges));
        }
    return categories;
}

void read_ranges(store::Session& session, const std::vector<record::Any>& records) {
    static const auto of_discounts = range_record().select_of("r.discount_id", "ORDER BY r.discount_id, r.id");
    std::map<std::int64_t, Discount*> by_id;
    std::vector<std::int64_t> ids;
    for (const record::Any& each : records) {
        auto* discount = static_cast<Discount*>(each.get());
        by_id[discount->id] = discount;
        ids.push_back(discount->id);
    }
    for (Range& range : range_record().all_of(session, of_discounts, ids))
        by_id[range.discount_id]->ranges.push_back(std::move(range));
}

record::Layout discount_layout() {
    return {.table = "svc_discounts",
            .component = "Discount",
            .search_column = "search",
            .sorts = {{"created_at", {"r.created_at"}},
                      {"id", {"r.id"}},
                      {"code", {"COALESCE(r.code, '')"}},
                      {"amount", {"COALESCE(r.rate_ppm, r.flat_minor)"}},
                      {"status", {"r.status"}},
                      {"usage_count",
                       {"(SELECT COUNT(*) FROM svc_discount_redemptions u WHERE u.discount_id = r.id"
                        " AND u.status = 'active')"}},
                      {"valid_from", {"COALESCE(r.valid_from, '')"}},
                      {"expiry_date", {"COALESCE(r.expiry_date, '')"}}},
            .conditions = {{"type",
                            "((:type = 'percentage' AND r.rate_ppm IS NOT NULL)"
                            " OR (:type = 'fixed' AND r.flat_minor IS NOT NULL))"}},
            .read_more = read_ranges};
}

}  // namespace

const record::Record<Range>& range_record() {
    using namespace record;
    static const record::Record<Range> range{
        {.table = "svc_discount_ranges",
         .component = "DiscountRange",
         .joins = "JOIN svc_discounts d ON d.id = r.discount_id"},
        {column("id", &Range::id, api::id(), hidden), column("discount_id", &Range::discount_id, api::id(), hidden),
         column("category_id", &Range::category_id, api::id(), hidden),
         derived("currency", &Range::currency, "d.currency", api::text(3), {}, hidden),
         column("min_size", &Range::least, api::integer(1, 10'000),
                by_client | required | also({"min", "min_group_size"}) | stored_as("least"), "The smallest party."),
         column("max_size", &Range::most, api::integer(1, 10'000),
                by_client | also({"max", "max_group_size"}) | stored_as("most"), "The largest party."),
         column("rate_ppm", within(&Range::cut, &Cut::rate), api::percent(), hidden),
         money("flat_minor", within(&Range::cut, &Cut::flat), Member<Range, Currency>(&Range::currency), api::money(),
               hidden | stored_as("flat_minor")),
         computed<Range>("type", kinds(), [](const Range& r) { return kind_of(r.cut); }),
         computed<Range>("amount", api::decimal(0), [](const Range& r) { return amount_of(r.cut); }),
         computed<Range>(
             "discount_type", kinds(), [](const Range& r) { return kind_of(r.cut); }, leave<Range>,
             by_client | required | also({"type"}), "The same as type."),
         computed<Range>(
             "discount_amount", api::decimal(0), [](const Range& r) { return amount_of(r.cut); }, leave<Range>,
             by_client | required | also({"amount"}), "The same as amount.")}};
    return range;
}

const record::Record<Discount>& discount_record() {
    using namespace record;
    using D = Discount;
    const auto ranges = api::list(api::object(range_record().answer_schema()), 50);
    static const record::Record<D> discount{
        discount_layout(),
        {id(&D::id),
         column("code", &D::code, api::text(longest_code), by_client | searched | null_if_empty,
                "The code that customers enter; only a group discount may be without one."),
         column("name", &D::name, api::text(190), by_client | searched),
         column("description", &D::description, api::raw_text(2000), by_client | searched, "Notes for staff."),
         column("discount_mode", &D::mode, api::choice({"promo", "group", "both"}), by_client | stored_as("mode"),
                "promo: by code; group: by party size; both: either."),
         computed<D>(
             "is_group_discount", api::boolean(), [](const D& d) { return Value(d.is_group()); }, leave<D>, by_client,
             "Same as discount_mode group or both; ignored when discount_mode is sent."),
         computed<D>(
             "type", kinds().or_null(), [](const D& d) { return kind_of(d.cut); }, leave<D>,
             by_client | also({"discount_type"}) | default_value("percentage"), "Of the amount."),
         computed<D>(
             "amount", api::decimal(0).or_null(), [](const D& d) { return amount_of(d.cut); }, leave<D>,
             by_client | also({"discount_amount"}),
             "A percentage, or an amount of the site's currency; 0 for a coupon without one."),
         column("rate_ppm", within(&D::cut, &Cut::rate), api::percent(), hidden),
         money("flat_minor", within(&D::cut, &Cut::flat), Member<D, Currency>(&D::currency), api::money(),
               hidden | stored_as("flat_minor")),
         column("currency", &D::currency, api::text(3), by_server, "Of its amounts."),
         money("max_discount_amount", &D::most, &D::currency, api::money(), by_client | stored_as("most_minor"),
               "The largest discount that a percentage gives."),
         money("min_amount", &D::min_amount, &D::currency, api::money(), by_client,
               "The smallest price, after the group discount, for which the code is valid."),
         column("usage_limit", &D::usage_limit, api::integer(0, 1'000'000'000), by_client,
                "The maximum number of bookings; 0: unlimited."),
         column("usage_limit_per_customer", &D::usage_limit_per_customer, api::integer(0, 1'000'000), by_client,
                "The maximum number of bookings per customer; 0: unlimited."),
         derived("usage_count", &D::usage_count,
                 "(SELECT COUNT(*) FROM svc_discount_redemptions u WHERE u.discount_id = r.id AND u.status = 'active')",
                 api::integer(0), "The number of bookings that use it now."),
         column("valid_from", &D::valid_from, api::date(), by_client,
                "The first valid day; an instant is converted to the site's day."),
         column("expiry_date", &D::expiry_date, api::date(), by_client,
                "The last valid day; an instant is converted to the site's day."),
         column("first_time_customer_only", &D::first_time_customer_only, api::boolean(), by_client,
                "Only for customers without an earlier booking."),
         computed<D>(
             "applicable_to", api::choice({"all", "specific_trips"}),
             [](const D& d) { return Value(d.for_all_trips ? "all" : "specific_trips"); },
             [](D& d, const Value& given, Faults&) { d.for_all_trips = given.text() == "all"; }, by_client,
             "Which trips."),
         column("for_all_trips", &D::for_all_trips, api::boolean(), hidden),
         linked("trip_ids", &D::trip_ids,
                {.table = "svc_discount_trips",
                 .owner = "discount_id",
                 .other = "trip_id",
                 .exists_in = "svc_trips",
                 .noun = "trip"},
                by_client, "The trips for specific_trips; empty: no trip.", 1000),
         column("status", &D::status, api::choice({"publish", "draft", "trash", "expired"}), by_client,
                "Only published discounts are valid."),
         status_before_trash<D>(),
         computed<D>(
             "group_discount_mode", api::choice({"total", "category_based"}),
             [](const D& d) { return Value(d.by_category ? "category_based" : "total"); },
             [](D& d, const Value& given, Faults&) { d.by_category = given.text() == "category_based"; }, by_client,
             "Whether the whole party counts, or each traveler category alone."),
         column("by_category", &D::by_category, api::boolean(), hidden),
         column("min_group_size", &D::min_group_size, api::integer(1, 10'000), by_client,
                "2 when left out; without ranges."),
         column("max_group_size", &D::max_group_size, api::integer(1, 10'000), by_client),
         computed<D>(
             "group_discount_type", kinds().or_null(), [](const D& d) { return kind_of(d.group_cut); }, leave<D>,
             by_client),
         computed<D>(
             "group_discount_amount", api::decimal(0).or_null(), [](const D& d) { return amount_of(d.group_cut); },
             leave<D>, by_client, "The discount of a group without ranges."),
         column("group_rate_ppm", within(&D::group_cut, &Cut::rate), api::percent(), hidden),
         money("group_flat_minor", within(&D::group_cut, &Cut::flat), Member<D, Currency>(&D::currency), api::money(),
               hidden | stored_as("group_flat_minor")),
         computed<D>("group_discount_ranges", ranges, ranges_of_party, leave<D>, by_client,
                     "Discounts by party size; the first matching range applies."),
         computed<D>("category_discounts", api::map(ranges), ranges_by_category, leave<D>, by_client,
                     "Discounts by traveler category id; key 0 without categories."),
         row_version<D>(),
         timestamps<D>(),
         authors<D>()}};
    return discount;
}

}  // namespace svc::discounts
