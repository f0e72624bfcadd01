// E-mails to who asks before booking, to who answers them, and to who is asked for a review.
#include <stdexcept>

#include "base/enquiries/hooks.hpp"
#include "base/messaging/bodies.hpp"
#include "base/messaging/frame.hpp"
#include "base/messaging/hooks.hpp"
#include "base/messaging/service.hpp"
#include "base/platform/outbound/header.hpp"
#include "base/reviews/hooks.hpp"

namespace svc::messaging {
namespace {

void must_hear(const Result<void>& done) {
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

}  // namespace

Words Service::words_of_enquiry(const json::Value& enquiry) const {
    std::string locale = enquiry.text_or("locale");
    return locale.empty() ? words_of_site() : Words{std::move(locale)};
}

void Service::tell_of_enquiry(std::string_view template_key, const json::Value& enquiry, Variables more,
                              const std::string& dedupe_key) {
    const Template& which = template_of(template_key);
    const bool to_staff = template_key == "enquiry_admin";
    NewEmail email;
    email.template_key = which.key;
    email.event_key = which.event_key;
    email.enquiry_id = enquiry["id"].integer();
    email.to = to_staff ? staff_addresses() : enquiry.text_or("customer_email");
    email.dedupe_key = dedupe_key;
    if (to_staff ? email.to.empty() : !outbound::is_address(email.to))
        return;
    // Whoever presses "reply" writes to the person, not to the site.
    if (to_staff && outbound::is_address(enquiry.text_or("customer_email")))
        email.reply_to = enquiry.text_or("customer_email");
    email.suppressed = switched_off(which);
    const Words words = to_staff ? words_of_site() : words_of_enquiry(enquiry);
    email.locale = words.locale;
    const settings::Look look = settings::look_of(settings_);
    const auto asked_at = Instant::parse(enquiry.text_or("created_at")).value_or(clock_.now());
    const std::string slug = enquiry.text_or("trip_slug"), message = enquiry.text_or("message");
    Variables variables = general();
    variables.merge(Variables{{"customer_name", enquiry.text_or("customer_name")},
                              {"customer_email", enquiry.text_or("customer_email")},
                              {"customer_phone", enquiry.text_or("phone")},
                              {"trip_name", enquiry.text_or("trip_title")},
                              {"trip_url", slug.empty() || !sources_.trip_url ? site_url_ : sources_.trip_url(enquiry)},
                              {"enquiry_id", enquiry["id"].dump()},
                              {"enquiry_date", words.day(look, settings_.zone().date_at(asked_at).text())},
                              {"message", message},
                              {"original_message", message}});
    for (auto& [name, value] : more)
        variables[name] = std::move(value);
    if (!email.suppressed && is_sent_by_another(which, email.to, variables))
        return;
    write_text(which, wording_of(which, {}, enquiry.maybe_integer("trip_id")), variables, email);
    const hooks::Filter& filter = template_key == "enquiry_admin"      ? enquiry_admin_html
                                  : template_key == "enquiry_received" ? enquiry_received_html
                                                                       : enquiry_response_html;
    if (hooks_.filtered(filter.name))
        if (const auto html = hooks_.apply(filter, email.body_html, {enquiry}); !html.text().empty()) {
            email.body_html = html.text();
            email.body_text = plain_text(email.body_html);
        }
    address(which, email);
    // Anybody may write somebody else's address into the form.
    queue(std::move(email), template_key == "enquiry_received");
}

void Service::listen_to_enquiries() {
    const auto created = [this](std::string_view key, const hooks::Filter& may) {
        must_hear(hooks_.on(enquiries::enquiry_created.name, {.name = "messaging." + std::string(key)},
                            [this, key, &may](const json::Array& arguments) {
                                const json::Value& enquiry = arguments.at(0);
                                if (enquiry.text_or("status") == "spam" ||
                                    (hooks_.filtered(may.name) && !hooks_.apply(may, true, {enquiry}).boolean()))
                                    return;
                                tell_of_enquiry(key, enquiry, {}, dedupe_key(key, enquiry["id"].integer()));
                            }));
    };
    created("enquiry_admin", send_enquiry_admin);
    created("enquiry_received", send_enquiry_customer);
    must_hear(hooks_.on(enquiries::enquiry_responded.name, {.name = "messaging.enquiry_response"},
                        [this](const json::Array& arguments) {
                            const json::Value& enquiry = arguments.at(0);
                            if (hooks_.filtered(send_enquiry_response.name) &&
                                !hooks_.apply(send_enquiry_response, true, {enquiry}).boolean())
                                return;
                            const std::string response = arguments.at(1).text();
                            const auto at = Instant::parse(enquiry.text_or("responded_at")).value_or(clock_.now());
                            tell_of_enquiry(
                                "enquiry_response", enquiry,
                                {{"response", response},
                                 {"response_message", response},
                                 {"response_date", words_of_enquiry(enquiry).day(settings::look_of(settings_),
                                                                                 settings_.zone().date_at(at).text())}},
                                dedupe_key("enquiry_response", enquiry["id"].integer()));
                        }));
}

void Service::listen_to_reviews(ReviewPage page) {
    must_hear(hooks_.on(
        reviews::review_request_due.name, {.name = "messaging.review_request"},
        [this, page = std::move(page)](const json::Array& arguments) {
            const auto id = arguments.at(0).integer();
            const json::Value& booking = arguments.at(1);
            const auto completed = Instant::parse(booking.text_or("completed_at"));
            const std::string last =
                completed ? settings_.zone().date_at(*completed).text() : booking.text_or("end_date");
            tell_customer({.template_key = "review_request",
                           .booking_id = id,
                           .booking = booking,
                           .more = {{"review_url", page(booking)},
                                    {"completion_date", words_of(booking).day(settings::look_of(settings_), last)}},
                           .dedupe_key = "review_request:" + std::to_string(id)});
        }));
}

}  // namespace svc::messaging
