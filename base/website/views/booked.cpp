// The actions on a booking's page: pay it, also by a card's fields, or book the same again.
#include "base/website/views/booked.hpp"

#include <algorithm>

#include "base/website/views/checkout.hpp"
#include "base/website/views/extras.hpp"
#include "base/website/views/later_answers.hpp"

namespace svc::pages {
namespace {

using json::Value;

// With the choices of the booking's page: only the next installment, and keeping the card.
Value intent_body(const PageRequest& visit, const Value& booking, const std::string& gateway, const std::string& back) {
    return Value::object({{"gateway", gateway},
                          {"booking_id", booking["id"]},
                          {"return_url", back},
                          {"cancel_url", back},
                          {"next_installment", visit.typed("pays") == "next"},
                          {"save_card", visit.typed("keep_card") == "1"}});
}

View json_view(const Value& value) {
    View view;
    view.raw = value.dump();
    view.content_type = "application/json";
    return view;
}

// The values that the card fields need, for the page's script.
View intent_of(const Views& views, PageRequest& visit, const Value& booking, const std::string& root) {
    const Answered made =
        visit.call("POST", "/payment/create-intent",
                   intent_body(visit, booking, visit.typed("payment_gateway"), views.site.installation.address + root));
    if (!made.is_good())
        return json_view(Value::object({{"fault", made.message()}}));
    return json_view(Value::object({{"payment_id", made.data()["payment_id"]},
                                    {"client_secret", made.data()["client_secret"]},
                                    {"payment_url", made.data()["payment_url"]},
                                    {"return_url", made.data()["return_url"]},
                                    {"gateway_data", made.data()["gateway_data"]}}));
}

// The provider is asked; what the page says is only where to look.
std::optional<View> confirmed(PageRequest& visit, const Value& booking, const std::string& root, std::string& fault) {
    Value body = Value::object({{"gateway", visit.typed("payment_gateway")},
                                {"booking_id", booking["id"]},
                                {"transaction_id", visit.typed("transaction_id")}});
    if (const std::string signature = visit.typed("razorpay_signature"); !signature.empty())
        body.set("gateway_data", Value::object({{"razorpay_signature", signature}}));
    const Answered done = visit.call("POST", "/payment/confirm", body);
    if (done.is_good())
        return go_to(root + "?payment=" + done.data().text_or("status"));
    fault = done.message();
    return std::nullopt;
}

// A session with the date, the party and the answers of a booking that has ended.
std::optional<View> repeated(const Views& views, PageRequest& visit, const Value& booking, std::string& fault) {
    Value typed = Value::object();
    const auto keep = [&](const std::string& name, const Value& value) {
        if (value.is_string() && !value.text().empty())
            typed.set(name, value);
    };
    for (const char* name : {"first_name", "last_name", "email", "phone", "country"})
        keep("contact_" + std::string(name), booking["contact"][name]);
    for (const auto& [group, prefix] : {std::pair{"contact_data", "contact_"}, {"emergency_contact", "emergency_"}})
        for (const auto& [name, value] : booking[group].is_object() ? booking[group].members() : json::Object{})
            keep(prefix + name, value);
    for (const Value& each : list_of(booking["travelers"]))
        for (const auto& [name, value] : each["fields"].is_object() ? each["fields"].members() : json::Object{})
            keep("travelers." + std::to_string(each["traveler_index"].integer()) + "." + name, value);
    keep("special_requests", booking["special_requests"]);
    Value body = Value::object({{"trip_id", booking["trip_id"]},
                                {"travel_date", booking["travel_date"]},
                                {"departure_time", booking["departure_time"]},
                                {"form_data", std::move(typed)}});
    if (booking["traveler_counts"].size() > 0)
        body.set("traveler_counts", booking["traveler_counts"]);
    else
        body.set("travelers", booking["travelers_count"]);
    const Answered opened = visit.call("POST", "/booking/session", body);
    if (!opened.is_good()) {
        fault = opened.message();
        return std::nullopt;
    }
    visit.keep_checkout(opened.data().text_or("session_id"));
    return go_to(step(views, booking.text_or("trip_slug"), opened.data()["quote"].is_null() ? "" : "details"));
}

constexpr std::pair<std::string_view, std::string_view> scripts_of_gateways[] = {{"stripe", "/v3/"},
                                                                                 {"razorpay", "/v1/checkout.js"}};

}  // namespace

bool needs_script(std::string_view gateway) {
    return std::any_of(std::begin(scripts_of_gateways), std::end(scripts_of_gateways),
                       [&](const auto& each) { return each.first == gateway; });
}

std::string script_of_gateway(const Views& views, std::string_view gateway) {
    const Origins declared = views.origins({std::string(gateway)});
    for (const auto& [name, path] : scripts_of_gateways)
        if (name == gateway && !declared.script.empty())
            return declared.script.front() + std::string(path);
    return {};
}

std::optional<std::string> payment_page(PageRequest& visit, const Value& booking, const std::string& gateway,
                                        const std::string& back, std::string& fault) {
    const Answered made = visit.call("POST", "/payment/create-intent", intent_body(visit, booking, gateway, back));
    if (!made.is_good())
        fault = made.message();
    else if (const std::string where = made.data().text_or("payment_url"); !where.empty())
        return where;
    return std::nullopt;
}

void answer_form(View& view, const std::string& fault) {
    const bool shows_cost = fault.empty() && view.model["later"]["cost"].is_object();
    view.status = shows_cost ? 200 : 400;
    view.model.set("payment_fault", fault.empty() ? view.model["later"]["fault"] : Value(fault));
}

std::optional<View> act_on(const Views& views, PageRequest& visit, const Value& booking, const std::string& root,
                           std::string& fault) {
    const std::string action = visit.typed("action");
    if (action == "intent")
        return intent_of(views, visit, booking, root);
    if (action == "confirm")
        return confirmed(visit, booking, root, fault);
    if (action == "again")
        return repeated(views, visit, booking, fault);
    if (action == "add-extras") {
        if (order_later_extras(visit, booking, fault))
            return go_to(root + "?extras=added#pay");
        return std::nullopt;
    }
    if (action == "answers") {
        if (save_later_answers(visit, booking, fault))
            return go_to(root + "?answers=saved#answers");
        return std::nullopt;
    }
    if (action == "pay") {
        if (const auto where = payment_page(visit, booking, visit.typed("payment_gateway"),
                                            views.site.installation.address + root, fault))
            return go_to(*where);
        if (fault.empty())
            fault = visit.words.say_text("This way of paying needs JavaScript. Choose another one.");
    }
    return std::nullopt;
}

}  // namespace svc::pages
