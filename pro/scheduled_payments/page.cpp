// Makes the model of pro/pages/account-payments.html.
#include "pro/scheduled_payments/page.hpp"

#include <span>

#include "shared/core/embedded.hpp"
#include "shared/json/sentence.hpp"

namespace svc::embedded {
std::span<const Embedded> pro_pages();
}

namespace svc::pro::scheduled_payments {
namespace {

constexpr std::int64_t most_coming = 100, most_past = 50;

std::string template_named(std::string_view name) {
    for (const Embedded& each : embedded::pro_pages())
        if (each.name == name)
            return std::string(each.text);
    throw plugin::Refused("The template " + std::string(name) + " is missing.");
}

// As the site writes days and amounts: the base puts them into words.
json::Value row_of(const ScheduledPayment& payment, const std::string& bookings) {
    return json::Value::object(
        {{"day", json::Value::object({{"date", payment.date}})},
         {"amount", json::Value::object({{"amount", payment.amount}, {"currency", payment.amount.currency().code()}})},
         {"reference", payment.booking_reference},
         {"booking_url", bookings + std::to_string(payment.booking_id)},
         {"is_planned", payment.status == status::scheduled && payment.attempts == 0},
         {"is_tried", payment.status == status::scheduled && payment.attempts > 0},
         {"is_processing", payment.status == status::processing},
         {"is_paid", payment.status == status::paid},
         {"is_failed", payment.status == status::failed},
         {"is_cancelled", payment.status == status::cancelled}});
}

Result<json::Value> shown_to(Service& service, const json::Value& request) {
    const std::int64_t holder = request.maybe_integer("user_id").value_or(0);
    if (holder <= 0)  // 0 would be everybody's
        return errc::unauthorized;
    const std::string path = request.text_or("path"), bookings = path.substr(0, path.rfind('/')) + "/bookings/";
    auto coming = json::Value::array(), past = json::Value::array();
    bool has_failed = false;
    const auto add = [&](const Query& query, bool is_coming) {
        for (const ScheduledPayment& payment : service.list(query).payments) {
            const bool is_open = payment.status == status::scheduled || payment.status == status::processing;
            if (payment.kind != kind::charge || is_open != is_coming)
                continue;
            has_failed = has_failed || payment.status == status::failed;
            (is_coming ? coming : past).push(row_of(payment, bookings));
        }
    };
    for (const std::string_view open : {status::processing, status::scheduled})
        add({.status = std::string(open), .order_by = "scheduled_date", .holder_id = holder, .limit = most_coming},
            true);
    add({.order_by = "scheduled_date", .holder_id = holder, .ascending = false, .limit = most_past}, false);
    const bool has_coming = coming.size() > 0, has_past = past.size() > 0;
    return json::Value::object({{"title", json::to_json("Planned payments"_sentence)},
                                {"model", json::Value::object({{"has_coming", has_coming},
                                                               {"coming", std::move(coming)},
                                                               {"has_past", has_past},
                                                               {"has_failed", has_failed},
                                                               {"past", std::move(past)}})}});
}

}  // namespace

pages::OfferedPage account_page(Service& service) {
    return {.path = "payments",
            .type = "account-payments",
            .template_source = template_named("account-payments.html"),
            .module = std::string(module_slug),
            .show = [&service](const json::Value& request) { return shown_to(service, request); },
            .account_label = default_text("Payments")};
}

}  // namespace svc::pro::scheduled_payments
