// Reads the metas by their published names.
#include "base/data/wordpress_import/people.hpp"

#include <algorithm>
#include <cctype>

#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/php_values.hpp"
#include "base/data/wordpress_import/trip_fields.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::first_meta, old::set_if, old::text_at, old::text_of;

Value value_of(const Item& item, std::string_view key) { return meta_value(item.meta_of(key)); }

std::string lower(std::string text) { return text::folded(text); }

}  // namespace

// WordPress writes moments in UTC without a time zone.
std::string moment_of(const std::string& text) {
    const std::string day = old::date_of(text);
    return day.empty() || text.size() < 19 ? std::string() : day + "T" + text.substr(11, 8) + "Z";
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

Value customer_fields(const Item& item) {
    auto fields = Value::object();
    const std::string email = first_meta(item, {"email", "wp_travel_engine_customer_email", "customer_email"});
    set_if(fields, "email", email.empty() && item.title.find('@') != std::string::npos ? item.title : email);
    // WP Travel Engine stores the fields of its checkout.
    const Value placed = value_of(item, "wp_travel_engine_booking_setting")["place_order"]["booking"];
    const std::string first = first_meta(item, {"first_name", "fname"});
    if (!first.empty()) {
        fields.set("first_name", first);
        set_if(fields, "last_name", first_meta(item, {"last_name", "lname"}));
    } else if (placed.is_object()) {
        set_contact(fields, placed);
    } else {
        old::set_names(fields, first_meta(item, {"fullname", "customer_name"}));
    }
    set_if(fields, "phone", first_meta(item, {"phone", "phone_number"}));
    set_if(fields, "country", first_meta(item, {"country"}));
    return fields;
}

// A use whose booking is not migrated as one that holds the coupon takes from the limit.
void set_uses(Value& fields, const Item& item, std::string limit, const References& references, LeftOut& left) {
    const Value bookings = value_of(item, "yatra_coupon_usages_bookings");
    std::int64_t elsewhere = 0;
    const auto count = [&](const Value& id) { elsewhere += references.coupon_uses.contains(text_of(id)) ? 0 : 1; };
    if (bookings.is_array())
        for (const Value& id : bookings.items())
            count(id);
    else if (bookings.is_object())
        for (const auto& [key, id] : bookings.members())
            count(id);
    if (limit.empty() || limit == "0" || limit.size() > 9)
        return;
    const std::int64_t rest = std::stoll(limit) - elsewhere;
    fields.set("usage_limit", std::max<std::int64_t>(1, rest));
    if (rest > 0)
        return;
    fields.set("status", "draft");
    left.add("Coupons that were used up, which are drafts");
    add_remark(fields, "It was used as often as it may be. It is a draft here.");
}

Value coupon_fields(const Item& item, const References& references, LeftOut& left) {
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
    // Yatra takes a coupon that says nothing for a percentage.
    const bool is_percentage =
        type.find("perc") != std::string::npos || (type.empty() && item.post_type == "yatra-coupons");
    fields.set("type", is_percentage ? "percentage" : "fixed");
    set_if(fields, "amount",
           old::decimal_of(either({"yatra_coupon_value", "coupon_value", "wp_travel_coupon_value"}, {"coupon_value"})));
    set_if(fields, "valid_from", old::date_of(either({}, {"coupon_start_date"})));
    const std::string end = either({"yatra_coupon_expiry_date"}, {"coupon_expiry_date"});
    set_if(fields, "expiry_date", old::date_of(end));
    if (const std::string time = old::time_of(end); !time.empty() && time != "23:59") {
        left.add("Coupons that ended at a time of day, which end with their day");
        add_remark(fields, "It ended at " + time + " of its last day. Here it ends with the day.");
    }
    std::string uses = old::whole_of(first_meta(item, {"yatra_coupon_using_limit"}));
    if (uses.empty())
        uses = old::whole_of(text_at(limits, {"coupon_limit_number"}));
    set_uses(fields, item, std::move(uses), references, left);
    return fields;
}

namespace {

// Members of an enquiry that have a field here, and those that only the former form needed.
constexpr std::string_view read_of_enquiries[] = {
    "name",         "email",        "contact",     "phone",         "message",      "query",           "adult",
    "adults",       "children",     "subject",     "package_id",    "package_name", "package_label",   "trip_id",
    "post_id",      "id",           "pid",         "pname",         "action",       "nonce",           "_nonce",
    "redirect-url", "confirmation", "IP Address:", "submit_button", "submit_name",  "_wp_http_referer"};

// "Arrival day: 2027-05-01" for each further field, a line each.
std::string further_lines(const Value& stored) {
    std::string lines;
    if (!stored.is_object())
        return lines;
    for (const auto& [key, value] : stored.members()) {
        std::string name(key);
        for (const std::string_view prefix : {"wp_travel_engine_", "wp_travel_", "enquiry_"})
            if (name.starts_with(prefix))
                name.erase(0, prefix.size());
        if (std::find(std::begin(read_of_enquiries), std::end(read_of_enquiries), name) != std::end(read_of_enquiries))
            continue;
        std::string text;
        for (const Value& each : value.is_array() ? value.items() : json::Array{value})
            if (const std::string one = text_of(each); !one.empty())
                text += (text.empty() ? "" : ", ") + one;
        if (text.empty())
            continue;
        std::replace(name.begin(), name.end(), '_', ' ');
        name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
        lines.append("\n").append(name).append(": ").append(text);
    }
    return lines;
}

}  // namespace

Value enquiry_fields(const Item& item, const References& references) {
    auto fields = Value::object();
    const Value of_setting = value_of(item, "wp_travel_engine_setting")["enquiry"];
    Value stored = value_of(item, "wp_travel_trip_enquiry_data");
    for (const Value& of_engine : {value_of(item, "wp_travel_engine_enquiry_formdata"), of_setting})
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
    std::string message =
        either({"wp_travel_enquiry_query", "enquiry_message", "wp_travel_engine_setting_enquiry_message"},
               {"wp_travel_enquiry_query", "enquiry_message", "message"});
    if (message.empty())
        message = item.content;
    if (const std::string subject = text_at(stored, {"enquiry_subject", "subject"}); !subject.empty())
        message = message.empty() ? subject : subject + "\n\n" + message;
    // What has no field here is added to the message.
    if (!message.empty())
        message += further_lines(stored);
    set_if(fields, "message", message);
    std::string trip =
        either({"wp_travel_post_id", "trip_id"}, {"post_id", "id", "pid", "trip_id", "package_id", "pname"});
    if (trip.empty())  // WP Travel Engine leaves it out of the form's data
        trip = text_at(of_setting, {"pname"});
    set_if(fields, "trip", references.trip_of(trip));
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

}  // namespace svc::wordpress_import
