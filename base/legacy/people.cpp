// Reads the metas by their published names.
#include "base/legacy/people.hpp"

#include <algorithm>

#include "base/legacy/old_values.hpp"
#include "base/legacy/php_values.hpp"
#include "shared/core/text.hpp"

namespace svc::legacy {
namespace {

using json::Value;
using old::first_meta, old::set_if, old::text_at, old::text_of;

Value value_of(const Item& item, std::string_view key) { return meta_value(item.meta_of(key)); }

// WordPress writes moments in UTC without a time zone.
std::string moment_of(const std::string& text) {
    const std::string day = old::date_of(text);
    return day.empty() || text.size() < 19 ? std::string() : day + "T" + text.substr(11, 8) + "Z";
}

std::string lower(std::string text) { return text::folded(text); }

// One entry of a cart: a list, or by its number in the cart.
const Value& first_entry(const Value& entries) {
    static const Value none;
    if (entries.is_array() && entries.size() > 0)
        return entries[std::size_t{0}];
    if (entries.is_object() && entries.size() > 0)
        return entries.members().front().second;
    return none;
}

void set_contact(Value& fields, const Value& stored) {
    const std::string whole = text_at(stored, {"fullname", "full_name", "name"});
    const std::string first = text_at(stored, {"fname", "first_name", "wp_travel_fname", "wp_travel_fname_traveller"});
    if (first.empty()) {
        old::set_names(fields, whole);
    } else {
        fields.set("first_name", first);
        set_if(fields, "last_name",
               text_at(stored, {"lname", "last_name", "wp_travel_lname", "wp_travel_lname_traveller"}));
    }
    set_if(fields, "email", text_at(stored, {"email", "wp_travel_email", "wp_travel_email_traveller"}));
    set_if(fields, "phone", text_at(stored, {"phone_number", "phone", "wp_travel_phone", "wp_travel_phone_traveller"}));
    set_if(fields, "country", text_at(stored, {"country", "wp_travel_country", "wp_travel_country_traveller"}));
}

void set_amount(Value& fields, const char* name, const std::string& stored) {
    set_if(fields, name, old::decimal_of(stored));
}

void booking_of_yatra(const Item& item, const References& references, Value& fields) {
    const Value tours = value_of(item, "yatra_booking_meta"), params = value_of(item, "yatra_booking_meta_params");
    const Value& tour = first_entry(tours);
    std::string code = text_at(params, {"booking_code"});
    code.erase(0, code.find_first_not_of('#') == std::string::npos ? code.size() : code.find_first_not_of('#'));
    set_if(fields, "reference", code);
    set_if(fields, "trip", references.trip_of(text_at(tour, {"yatra_tour_id", "tour_id"})));
    set_if(fields, "trip_title", text_at(tour, {"yatra_tour_name", "tour_name"}));
    set_if(fields, "travel_date", old::date_of(text_at(tour, {"yatra_selected_date", "selected_date"})));
    fields.set("travelers", std::max<std::int64_t>(1, old::sum_of(tour["number_of_person"])));
    Value contact = params["yatra_tour_customer_info"];
    if (contact.is_string())
        contact = meta_value(contact.text());
    set_contact(fields, contact);
    set_amount(fields, "total", text_at(params, {"total_booking_net_price", "total_booking_price"}));
    set_amount(fields, "discount", text_at(params["coupon"], {"discount_amount"}));
    set_amount(fields, "tax", text_at(params, {"tax_amount"}));
    set_if(fields, "coupon", text_at(params["coupon"], {"code"}));
    set_if(fields, "currency", text_at(params, {"yatra_currency", "currency"}));
    fields.set("old_status", item.status.starts_with("yatra-") ? item.status.substr(6) : item.status);
    if (tours.size() > 1)
        fields.set("notes", "The former booking had " + std::to_string(tours.size()) + " trips; this is the first.");
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
    fields.set("travelers", std::max<std::int64_t>(1, old::sum_of(value_of(item, "wp_travel_pax"))));
    Value contact = value_of(item, "order_data");
    if (!contact.is_object())
        contact = Value::object();
    for (const char* key :
         {"wp_travel_fname", "wp_travel_lname", "wp_travel_email", "wp_travel_phone", "wp_travel_country"})
        if (const std::string stored = first_meta(item, {key}); !stored.empty() && text_at(contact, {key}).empty())
            contact.set(key, stored);
    set_contact(fields, contact);
    const Value totals = value_of(item, "order_totals");
    set_amount(fields, "total", text_at(totals, {"total", "cart_total"}));
    set_amount(fields, "discount", text_at(totals, {"discount"}));
    set_amount(fields, "tax", text_at(totals, {"tax"}));
    set_if(fields, "notes", first_meta(item, {"wp_travel_note"}));
    set_if(fields, "old_status", lower(first_meta(item, {"wp_travel_booking_status"})));
    auto amounts = Value::array();
    const Value payments = value_of(item, "wp_travel_payment_id");
    const auto add = [&](const std::string& id) {
        const auto amount = references.payments.find(id);
        if (amount != references.payments.end() && !amount->second.empty())
            amounts.push(amount->second);
    };
    if (payments.is_array())
        for (const Value& id : payments.items())
            add(text_of(id));
    else
        add(text_of(payments));
    fields.set("paid", std::move(amounts));
}

void booking_of_engine(const Item& item, const References& references, Value& fields) {
    const Value orders = value_of(item, "order_trips"), order = value_of(item, "wp_travel_engine_booking_setting");
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
    const Value billing = value_of(item, "billing_info");
    set_contact(fields, billing.is_object() ? billing : placed["booking"]);
    const Value cart = value_of(item, "cart_info");
    std::string total = text_at(cart, {"total"});
    set_amount(fields, "total", total.empty() ? text_at(placed, {"cost"}) : total);
    set_if(fields, "currency", text_at(cart, {"currency"}));
    set_if(fields, "old_status", lower(first_meta(item, {"wp_travel_engine_booking_status"})));
    auto amounts = Value::array();
    if (std::string paid = old::decimal_of(first_meta(item, {"paid_amount"})); !paid.empty())
        amounts.push(paid);
    fields.set("paid", std::move(amounts));
}

}  // namespace

Value customer_fields(const Item& item) {
    auto fields = Value::object();
    const std::string email =
        first_meta(item, {"email", "yatra_customer_email", "wp_travel_engine_customer_email", "customer_email"});
    set_if(fields, "email", email.empty() && item.title.find('@') != std::string::npos ? item.title : email);
    // WP Travel Engine stores the fields of its checkout.
    const Value placed = value_of(item, "wp_travel_engine_booking_setting")["place_order"]["booking"];
    const std::string first = first_meta(item, {"first_name", "yatra_customer_first_name", "fname"});
    if (!first.empty()) {
        fields.set("first_name", first);
        set_if(fields, "last_name", first_meta(item, {"last_name", "lname"}));
    } else if (placed.is_object()) {
        set_contact(fields, placed);
    } else {
        old::set_names(fields, first_meta(item, {"fullname", "yatra_customer_fullname", "customer_name"}));
    }
    set_if(fields, "phone", first_meta(item, {"phone", "phone_number", "yatra_customer_phone_number"}));
    set_if(fields, "country", first_meta(item, {"country", "yatra_customer_country"}));
    return fields;
}

Value coupon_fields(const Item& item) {
    auto fields = Value::object({{"status", item.status == "publish" ? "publish" : "draft"}});
    const Value of_travel = value_of(item, "wp_travel_coupon_metas"),
                of_engine = value_of(item, "wp_travel_engine_coupon_metas");
    const Value& general = of_travel.is_object() ? of_travel["general"] : of_engine["general"];
    const Value& limits = of_travel.is_object() ? of_travel["restriction"] : of_engine["restriction"];
    const auto either = [&](std::initializer_list<std::string_view> metas,
                            std::initializer_list<std::string_view> members) {
        std::string stored = first_meta(item, metas);
        return stored.empty() ? text_at(general, members) : stored;
    };
    const std::string code = either(
        {"yatra_coupon_code", "wp_travel_coupon_code", "wp_travel_engine_coupon_code", "coupon_code"}, {"coupon_code"});
    set_if(fields, "code", code.empty() ? item.title : code);
    const std::string type =
        lower(either({"yatra_coupon_type", "coupon_type", "wp_travel_coupon_type"}, {"coupon_type"}));
    fields.set("type", type.find("perc") != std::string::npos ? "percentage" : "fixed");
    set_if(fields, "amount",
           old::decimal_of(either({"yatra_coupon_value", "coupon_value", "wp_travel_coupon_value"}, {"coupon_value"})));
    set_if(fields, "valid_from", old::date_of(either({"yatra_coupon_start_date"}, {"coupon_start_date"})));
    set_if(fields, "expiry_date", old::date_of(either({"yatra_coupon_expiry_date"}, {"coupon_expiry_date"})));
    std::string uses = old::whole_of(first_meta(item, {"yatra_coupon_using_limit"}));
    if (uses.empty())
        uses = old::whole_of(text_at(limits, {"coupon_limit_number"}));
    set_if(fields, "usage_limit", std::move(uses));
    return fields;
}

Value enquiry_fields(const Item& item, const References& references) {
    auto fields = Value::object();
    Value stored = value_of(item, "wp_travel_trip_enquiry_data");
    for (const Value& of_engine : {value_of(item, "wp_travel_engine_enquiry_formdata"),
                                   Value(value_of(item, "wp_travel_engine_setting")["enquiry"])})
        if (!stored.is_object())
            stored = of_engine;
    const auto either = [&](std::initializer_list<std::string_view> metas,
                            std::initializer_list<std::string_view> members) {
        std::string text = first_meta(item, metas);
        return text.empty() ? text_at(stored, members) : text;
    };
    set_if(fields, "customer_name",
           either({"wp_travel_enquiry_name", "enquiry_name", "wp_travel_engine_setting_enquiry_name", "name"},
                  {"wp_travel_enquiry_name", "enquiry_name", "name"}));
    set_if(fields, "customer_email",
           either({"wp_travel_enquiry_email", "enquiry_email", "wp_travel_engine_setting_enquiry_email", "email"},
                  {"wp_travel_enquiry_email", "enquiry_email", "email"}));
    set_if(fields, "phone", either({"enquiry_contact", "phone"}, {"enquiry_contact", "contact", "phone"}));
    const std::string message =
        either({"wp_travel_enquiry_query", "enquiry_message", "wp_travel_engine_setting_enquiry_message"},
               {"wp_travel_enquiry_query", "enquiry_message", "message"});
    set_if(fields, "message", message.empty() ? item.content : message);
    set_if(fields, "trip",
           references.trip_of(
               either({"wp_travel_post_id", "trip_id"}, {"post_id", "id", "pid", "trip_id", "package_id", "pname"})));
    const std::int64_t people = old::sum_of(stored["enquiry_adult"]) + old::sum_of(stored["enquiry_children"]);
    if (people > 0)
        fields.set("travelers_count", people);
    set_if(fields, "made_at", moment_of(item.date));
    return fields;
}

std::optional<Value> review_fields(const CommentOfItem& comment, const std::string& trip) {
    std::string stars;
    for (const char* key : {"_wp_travel_rating", "stars", "rating", "yatra_rating", "review_rating"})
        if (stars.empty())
            stars = old::whole_of(meta_in(comment.meta, key));
    if (stars.empty() || comment.approved == "trash" || comment.approved == "spam")
        return std::nullopt;
    auto fields = Value::object({{"trip", trip},
                                 {"rating", stars},
                                 {"content", text::first(comment.content, 5'000)},
                                 {"author_name", text::first(comment.author, 150)},
                                 {"status", comment.approved == "1" ? "approved" : "pending"}});
    set_if(fields, "author_email", comment.email);
    set_if(fields, "title", std::string(text::first(meta_in(comment.meta, "title"), 255)));
    set_if(fields, "made_at", moment_of(comment.date));
    return fields;
}

Value booking_fields(const Item& item, const References& references) {
    auto fields = Value::object();
    if (item.post_type == "yatra-booking")
        booking_of_yatra(item, references, fields);
    else if (item.post_type == "itinerary-booking")
        booking_of_travel(item, references, fields);
    else
        booking_of_engine(item, references, fields);
    if (!fields.find("reference"))
        fields.set("reference", (item.post_type == "itinerary-booking" ? "WPT-"
                                 : item.post_type == "booking"         ? "WTE-"
                                                                       : "YTR-") +
                                    item.id);
    set_if(fields, "made_at", moment_of(item.date));
    return fields;
}

// Rows of tables: Yatra's dates and enquiries, WP Travel's dates and prices, and anything with the names that the
// interface uses.
Value fields_of_row(std::string_view kind, const Value& row, const References& references) {
    Value fields = row;
    const auto rename = [&](const char* to, std::initializer_list<std::string_view> names) {
        if (!fields.find(to))
            set_if(fields, to, text_at(row, names));
    };
    const std::string trip = references.trip_of(text_at(row, {"tour_id", "trip_id", "trip"}));
    if (kind == "tour_dates") {
        set_if(fields, "trip_slug", trip);
        rename("trip_slug", {"tour_id", "trip_id"});  // names the trip in the file of errors
        for (const char* name : {"start_date", "end_date"})
            if (std::string day = old::date_of(text_at(row, {name})); !day.empty())
                fields.set(name, std::move(day));
        const std::string seats = old::whole_of(text_at(row, {"seats", "max_travellers", "max_pax"}));
        fields.erase("seats");
        if (!seats.empty() && seats != "0")
            fields.set("seats", seats);
        rename("time", {"trip_time", "start_time"});
        rename("notes", {"note_to_customer"});
    } else if (kind == "enquiries") {
        set_if(fields, "trip", trip);
        rename("customer_name", {"fullname", "name"});
        rename("customer_email", {"email"});
        rename("phone", {"phone_number"});
        rename("message", {"subject"});
        const std::int64_t people = old::sum_of(row["number_of_adults"]) + old::sum_of(row["number_of_childs"]);
        if (people > 0)
            fields.set("travelers_count", people);
        set_if(fields, "made_at", moment_of(text_at(row, {"created_at"})));
        fields.erase("status");
    } else if (kind == "traveler_categories") {
        set_if(fields, "trip", trip);
        rename("name", {"category", "title", "pricing_label"});
        rename("sale_price", {"sales_price"});
    } else if (!trip.empty()) {
        fields.set("trip", trip);
    }
    return fields;
}

}  // namespace svc::legacy
