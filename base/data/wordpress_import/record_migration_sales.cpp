// Prices by traveler category and departures.
#include "base/data/import_export/row_faults.hpp"
#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/stored.hpp"
#include "shared/core/text.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::wordpress_import {
namespace {

using catalog::classifications::Type;
using catalog::trips::PriceType;
using json::Value;

constexpr int most_namesakes = 50;

// Whether a category counts people as the staged price does.
bool is_like(store::Session& session, std::int64_t category, const std::string& group_size, bool per_block) {
    const auto details = store::value<std::string>(session, "SELECT details FROM svc_classifications WHERE id = :id",
                                                   {{"id", category}});
    const auto rules = json::parse(details.value_or("{}"));
    const bool by_group = rules && rules->text_or("pricing_mode") == "per_group";
    if (by_group == group_size.empty())
        return false;
    if (!by_group)
        return true;
    const auto most = rules->maybe_integer("max_pax");
    return (most ? std::to_string(*most) : "0") == group_size &&
           (rules->text_or("group_overflow") == "per_block") == per_block;
}

std::string category_name(const std::string& name, const std::string& group_size) {
    if (group_size.empty())
        return name;
    return group_size == "0" ? name + " (group)" : name + " (group of " + group_size + ")";
}

const PriceType* type_named(const catalog::trips::Trip& trip, const std::string& name) {
    for (const PriceType& type : trip.price_types)
        if (text::folded(type.category.label).starts_with(text::folded(name)))
            return &type;
    return nullptr;
}

// The prices of one day, where they are not the trip's. Adds a remark for one that the trip has no place for.
void set_day_prices(availability::DepartureChange& change, const catalog::trips::Trip& trip, const Value& fields,
                    RecordMigration::Remarks& remarks) {
    const Value* prices = fields.find("_prices");
    if (!prices || !prices->is_array())
        return;
    const bool by_category = fields.maybe_boolean("_by_category").value_or(false);
    std::vector<availability::CategoryPriceChange> changes;
    for (const Value& price : prices->items()) {
        const std::string regular = price.text_or("regular_price"), sale = price.text_or("sale_price");
        const auto minor = Money::parse(regular, trip.currency), lowered = Money::parse(sale, trip.currency);
        if (!minor || minor->is_zero())
            continue;
        const auto sale_money = sale.empty() || !lowered ? std::optional<Money>() : std::optional(*lowered);
        const PriceType* type = !trip.traveler_based           ? nullptr
                                : by_category                  ? type_named(trip, price.text_or("name"))
                                : trip.price_types.size() == 1 ? &trip.price_types.front()
                                                               : nullptr;
        if (trip.traveler_based == (type == nullptr) || (!trip.traveler_based && by_category)) {
            remarks.push_back("The day's own price " + regular + " was left out: the trip is priced otherwise.");
            continue;
        }
        if (!type && (*minor != trip.regular_price || sale_money != trip.sale_price)) {
            change.regular_price = regular;
            if (sale_money)
                change.sale_price = sale;
        }
        if (type && (*minor != type->regular || sale_money != type->sale))
            changes.push_back({.category_id = type->category_id,
                               .regular = regular,
                               .lowered = sale_money ? std::optional(sale) : std::nullopt});
    }
    if (!changes.empty())
        change.prices = std::move(changes);
}

}  // namespace

Result<std::int64_t> RecordMigration::category_of(store::Transaction& tx, const Value& fields) const {
    const std::string group_size = old::text_at(fields, {"group_size"});
    const bool per_block = fields.maybe_boolean("per_block").value_or(false);
    const std::string name = category_name(fields.text_or("name"), group_size);
    for (int number = 1; number <= most_namesakes; ++number) {
        const std::string one = number == 1 ? name : name + " " + std::to_string(number);
        const std::string slug = text::slug_of(one, 100);
        if (const auto id = stored::class_of(tx, Type::traveler_type, slug); id > 0) {
            if (is_like(tx, id, group_size, per_block))
                return id;
            continue;  // of that name, but with other rules
        }
        auto body = Value::object({{"name", one}, {"slug", slug}, {"status", "publish"}});
        if (!group_size.empty())
            body.set("pricing_mode", "per_group");
        if (!group_size.empty() && group_size != "0") {
            body.set("max_pax", static_cast<std::int64_t>(std::stoll(group_size)));
            body.set("group_overflow", per_block ? "per_block" : "block");
        }
        SVC_ASSIGN_OR_RETURN(const auto made, lower_.classifications.service.create(tx, Type::traveler_type, body));
        return made.id;
    }
    return invalid("name", "There are too many traveler categories of this name."_sentence);
}

Result<Value> RecordMigration::category_price(store::Transaction& tx, const Value& fields) const {
    const std::string price = old::decimal_of(old::text_at(fields, {"regular_price"}));
    if (text::slug_of(fields.text_or("name"), 100).empty() || price.empty())
        return invalid("regular_price", "A price needs the name of a traveler category and an amount."_sentence);
    SVC_ASSIGN_OR_RETURN(const std::int64_t category, category_of(tx, fields));
    auto type = Value::object({{"category_id", category}, {"regular_price", price}});
    if (std::string sale = old::decimal_of(old::text_at(fields, {"sale_price"})); !sale.empty())
        type.set("sale_price", sale);
    const std::string least = old::whole_of(old::text_at(fields, {"min"})),
                      most = old::whole_of(old::text_at(fields, {"max"}));
    if (!least.empty())
        type.set("min_quantity", least);
    if (!most.empty() && (least.empty() || std::stoll(least) <= std::stoll(most)))
        type.set("max_quantity", most);
    return type;
}

// One price by traveler category: from then on the trip is sold by categories.
Result<Outcome> RecordMigration::migrate_category_price(store::Transaction& tx, const Value& fields, bool force) const {
    const auto trip = stored::trip_of(tx, fields.text_or("trip"));
    if (trip == 0)
        return stored::no_trip();
    SVC_ASSIGN_OR_RETURN(auto fresh, category_price(tx, fields));
    const std::int64_t category = fresh["category_id"].integer();
    SVC_ASSIGN_OR_RETURN(const auto whole, catalog::trips::Service::find(tx, trip));
    auto prices = Value::array();
    bool is_there = false;
    for (const PriceType& type : whole.price_types) {
        is_there = is_there || type.category_id == category;
        if (type.category_id == category)
            continue;
        auto one = Value::object({{"category_id", type.category_id}, {"regular_price", type.regular}});
        if (type.sale)
            one.set("sale_price", *type.sale);
        if (type.min_quantity)
            one.set("min_quantity", *type.min_quantity);
        if (type.max_quantity)
            one.set("max_quantity", *type.max_quantity);
        prices.push(std::move(one));
    }
    if (is_there && !force)
        return Outcome::skipped;
    prices.push(std::move(fresh));
    return change_trip(tx, trip,
                       Value::object({{"pricing_type", "traveler_based"}, {"price_types", std::move(prices)}}));
}

Result<Outcome> RecordMigration::migrate_date(store::Transaction& tx, const Value& fields, bool force,
                                              Remarks& remarks) const {
    const auto& dates = *lower_.csv.named("departures");
    SVC_ASSIGN_OR_RETURN(const auto body, dates.whole.check(stored::fit_to_schema(dates.whole, fields, remarks), true));
    const auto trip = catalog::trips::Service::find(tx, stored::trip_of(tx, body.text_or("trip_slug")));
    if (!trip)
        return invalid("trip_slug", "There is no trip with this slug."_sentence);
    if (const auto id = dates.find(tx, body)) {
        if (!force)
            return Outcome::skipped;
        auto done = dates.update(tx, *id, body);
        return done ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(done.error());
    }
    availability::DepartureChange change;
    change.start_date = Date::parse(body.text_or("start_date"));
    if (const auto end = Date::parse(body.text_or("end_date")))
        change.end_date = end;
    if (const auto time = ClockTime::parse(body.text_or("time")))
        change.time = time;
    if (const auto seats = body.maybe_integer("seats"))
        change.capacity = static_cast<int>(*seats);
    if (const Value* price = body.find("price"); price && price->is_number())
        change.regular_price = price->number_text();
    if (const auto notes = body.maybe_text("notes"))
        change.notes = *notes;
    if (const std::string state = fields.text_or("_state"); !state.empty())
        change.sale_state = state;
    set_day_prices(change, *trip, fields, remarks);
    // A day of a tour that starts on every day must not close the others.
    const auto origin = fields.maybe_boolean("_is_open_day").value_or(false) ? availability::Origin::open
                                                                             : availability::Origin::manual;
    auto made = lower_.csv.availability().departures.create(tx, *trip, change, origin,
                                                            {.user_id = std::nullopt, .any_date = true});
    return made ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(made.error());
}

}  // namespace svc::wordpress_import
