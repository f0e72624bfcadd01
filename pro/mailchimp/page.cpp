// A part of the last step of a booking; the base keeps the tick with the booking and the customer.
#include "pro/mailchimp/page.hpp"

#include "pro/common/page_files.hpp"
#include "pro/mailchimp/configuration.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;

constexpr std::string_view parts_filter = "svc_booking_page_parts", page_type = "newsletter";

}  // namespace

void add_newsletter_tick(const Site& site) {
    site.pages->add({.path = "/newsletter",
                     .type = std::string(page_type),
                     .template_source = page_template("newsletter.html"),
                     .module = module_slug,
                     .show = [](const Value&) -> Result<Value> {
                         return Value::object({{"title", "News by e-mail"}, {"model", Value::object()}});
                     }});
    site.filter_if_known(
        parts_filter, {.name = "svc_mailchimp", .module = module_slug},
        [&site](store::Transaction*, const json::Array& given) {
            Value parts = given.at(0);
            // Nobody is asked for a consent that nothing uses.
            if (given.at(1).text() == "booking-pay" && configuration_of(site).is_complete())
                parts.push(Value::object({{"page", page_type}, {"model", Value::object({{"is_part", true}})}}));
            return parts;
        });
}

}  // namespace svc::pro::mailchimp
