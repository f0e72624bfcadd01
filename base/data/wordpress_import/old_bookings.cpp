// Bookings by the published names of metas.
#include <algorithm>

#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/people.hpp"
#include "base/data/wordpress_import/php_values.hpp"
#include "base/data/wordpress_import/trip_fields.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::first_meta, old::set_if, old::text_at, old::text_of;

Value read_meta(const Item& item, std::string_view key) { return meta_value(item.meta_of(key)); }

// One entry of a cart: a list, or by its number in the cart.
const Value& first_entry(const Value& entries) {
    static const Value none;
    if (entries.is_array() && entries.size() > 0)
        return entries[std::size_t{0}];
    if (entries.is_object() && entries.size() > 0)
        return entries.members().front().second;
    return none;
}

void set_amount(Value& fields, const char* name, const std::string& stored) {
    set_if(fields, name, old::decimal_of(stored));
}

void booking_of_yatra(const Item& item, const References& references, Value& fields) {
    const Value tours = read_meta(item, "yatra_booking_meta"), params = read_meta(item, "yatra_booking_meta_params");
    const Value& tour = first_entry(tours);
    set_if(fields, "trip", references.trip_of(text_at(tour, {"yatra_tour_id", "tour_id"})));
    set_if(fields, "trip_title", text_at(tour, {"yatra_tour_name", "tour_name"}));
    set_if(fields, "travel_date", old::date_of(text_at(tour, {"yatra_selected_date", "selected_date"})));
    fields.set("travelers", std::max<std::int64_t>(1, old::sum_of(tour["number_of_person"])));
    Value contact = params["yatra_tour_customer_info"];
    if (contact.is_string())
        contact = meta_value(contact.text());
    set_contact(fields, contact);
    set_amount(fields, "total", text_at(params, {"total_booking_net_price", "total_booking_price"}));
    set_amount(fields, "discount", text_at(params["coupon"], {"calculated_value", "discount_amount"}));
    set_amount(fields, "tax", text_at(params, {"tax_amount"}));
    set_if(fields, "coupon", text_at(params["coupon"], {"code"}));
    set_if(fields, "currency", text_at(params, {"yatra_currency", "currency"}));
    fields.set("old_status", item.status.starts_with("yatra-") ? item.status.substr(6) : item.status);
    if (tours.size() > 1) {
        const std::string more =
            "The former booking had " + std::to_string(tours.size()) + " trips; this is the first.";
        fields.set("notes", more);
        add_remark(fields, more + " The amounts are of all.");
    }
    // Payments are posts of a type that WordPress does not export, unless a plugin helps.
    if (!references.has_payments)
        fields.set("payments_unknown", true);
    const auto paid = references.paid.find(item.id);
    auto amounts = Value::array();
    if (paid != references.paid.end())
        for (const std::string& amount : paid->second)
            if (!amount.empty())
                amounts.push(amount);
    fields.set("paid", std::move(amounts));
}

void booking_of_travel(const Item& item, const References& references, Value& fields) {
    set_if(fields, "trip", references.trip_of(first_meta(item, {"wp_travel_post_id"})));
    set_if(fields, "travel_date", old::date_of(first_meta(item, {"wp_travel_arrival_date"})));
    fields.set("travelers", std::max<std::int64_t>(1, old::sum_of(read_meta(item, "wp_travel_pax"))));
    Value contact = read_meta(item, "order_data");
    if (!contact.is_object())
        contact = Value::object();
    for (const char* key :
         {"wp_travel_fname", "wp_travel_lname", "wp_travel_email", "wp_travel_phone", "wp_travel_country"})
        if (const std::string stored = first_meta(item, {key}); !stored.empty() && text_at(contact, {key}).empty())
            contact.set(key, stored);
    set_contact(fields, contact);
    const Value totals = read_meta(item, "order_totals");
    set_amount(fields, "total", text_at(totals, {"total", "cart_total"}));
    set_amount(fields, "discount", text_at(totals, {"discount"}));
    set_amount(fields, "tax", text_at(totals, {"tax"}));
    set_if(fields, "notes", first_meta(item, {"wp_travel_note"}));
    set_if(fields, "old_status", text::folded(first_meta(item, {"wp_travel_booking_status"})));
    auto amounts = Value::array();
    const Value payments = read_meta(item, "wp_travel_payment_id");
    const auto add = [&](const std::string& id) {
        const auto amount = references.payments.find(id);
        if (amount != references.payments.end() && !amount->second.empty())
            amounts.push(amount->second);
        else if (amount == references.payments.end() && !id.empty())
            fields.set("payments_unknown", true);
    };
    if (payments.is_array())
        for (const Value& id : payments.items())
            add(text_of(id));
    else
        add(text_of(payments));
    fields.set("paid", std::move(amounts));
}

// {subtotal, discounts: {code: {name, type, value}}, tax_amount: percent, totals: {total_tax}}. Shares of the subtotal
// are left to who knows the currency.
void set_discount_and_tax(Value& fields, const Value& cart) {
    set_amount(fields, "_subtotal", text_at(cart, {"subtotal"}));
    if (const Value& discount = first_entry(cart["discounts"]); discount.is_object()) {
        const std::string value = old::decimal_of(text_at(discount, {"value"}));
        set_if(fields, text_at(discount, {"type"}) == "percentage" ? "_discount_percent" : "discount", value);
        set_if(fields, "coupon", text_at(discount, {"name"}));
    }
    if (const std::string tax = text_at(cart["totals"], {"total_tax"}); !tax.empty())
        set_amount(fields, "tax", tax);
    else
        set_amount(fields, "_tax_percent", text_at(cart, {"tax_amount"}));
}

void booking_of_engine(const Item& item, const References& references, Value& fields) {
    const Value orders = read_meta(item, "order_trips"), order = read_meta(item, "wp_travel_engine_booking_setting");
    const Value& trip = first_entry(orders);
    const Value& placed = order["place_order"];
    const std::string id = text_at(trip, {"ID"});
    set_if(fields, "trip", references.trip_of(id.empty() ? text_at(placed, {"tid", "trip_id"}) : id));
    set_if(fields, "trip_title", text_at(trip, {"title"}));
    std::string moment = text_at(trip, {"datetime"});
    if (moment.empty())
        moment = text_at(placed, {"datetime"});
    set_if(fields, "travel_date", old::date_of(moment));
    set_if(fields, "time", old::time_of(moment));
    const std::int64_t people = old::sum_of(trip["pax"]);
    fields.set("travelers", std::max<std::int64_t>(1, people > 0 ? people : old::sum_of(placed["traveler"])));
    const Value billing = read_meta(item, "billing_info");
    set_contact(fields, billing.is_object() ? billing : placed["booking"]);
    const Value cart = read_meta(item, "cart_info");
    std::string total = text_at(cart, {"total"});
    set_amount(fields, "total", total.empty() ? text_at(placed, {"cost"}) : total);
    set_discount_and_tax(fields, cart);
    set_if(fields, "currency", text_at(cart, {"currency"}));
    set_if(fields, "old_status", text::folded(first_meta(item, {"wp_travel_engine_booking_status"})));
    auto amounts = Value::array();
    if (std::string paid = old::decimal_of(first_meta(item, {"paid_amount"})); !paid.empty())
        amounts.push(paid);
    fields.set("paid", std::move(amounts));
}

}  // namespace

std::string booking_reference(const Item& item) {
    if (item.post_type == "yatra-booking") {
        std::string code = text_at(read_meta(item, "yatra_booking_meta_params"), {"booking_code"});
        code.erase(0, std::min(code.find_first_not_of('#'), code.size()));
        if (!code.empty())
            return code;
    }
    return (item.post_type == "itinerary-booking" ? "WPT-" : item.post_type == "booking" ? "WTE-" : "YTR-") + item.id;
}

Value booking_fields(const Item& item, const References& references) {
    auto fields = Value::object();
    if (item.post_type == "yatra-booking")
        booking_of_yatra(item, references, fields);
    else if (item.post_type == "itinerary-booking")
        booking_of_travel(item, references, fields);
    else
        booking_of_engine(item, references, fields);
    fields.set("reference", booking_reference(item));
    set_if(fields, "made_at", moment_of(item.date));
    return fields;
}

}  // namespace svc::wordpress_import
