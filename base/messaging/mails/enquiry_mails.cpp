// E-mails about enquiries: to the sender and to staff.
#include "base/messaging/mails/listeners.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/people/enquiries/hooks.hpp"
#include "base/platform/outbound/header.hpp"

namespace svc::messaging {
namespace {

// The differences between the e-mails about enquiries.
struct EnquiryMail {
    std::string_view key;
    const hooks::Filter& may_send;
    const hooks::Filter& html;
    bool to_staff = false;
    bool to_stranger = false;  // to an address that nobody has proven: nothing that its sender typed
};

void notify_of_enquiry(Service& service, const EnquiryMail& kind, const json::Value& enquiry, Variables variables) {
    const Parts& parts = service.parts;
    if (parts.hooks.filtered(kind.may_send.name) && !parts.hooks.apply(kind.may_send, true, {enquiry}).boolean())
        return;
    const std::string customer = enquiry.text_or("customer_email");
    NewEmail email;
    email.enquiry_id = enquiry["id"].integer();
    email.to = kind.to_staff ? service.composer.staff_addresses() : customer;
    email.dedupe_key = service.mailer.dedupe_key(kind.key, *email.enquiry_id);
    if (kind.to_staff ? email.to.empty() : !outbound::is_address(email.to))
        return;
    // Staff who press "reply" write to the sender of the enquiry.
    if (kind.to_staff && outbound::is_address(customer))
        email.reply_to = customer;
    const Words words = kind.to_staff ? service.values.words_of_site() : service.values.words_of_enquiry(enquiry);
    email.locale = words.locale;
    const auto created_at = Instant::parse(enquiry.text_or("created_at")).value_or(parts.clock.now());
    const auto typed = [&](const char* member) { return kind.to_stranger ? std::string() : enquiry.text_or(member); };
    variables.merge(Variables{
        {"customer_name", typed("customer_name")},
        {"customer_email", customer},
        {"customer_phone", typed("phone")},
        {"trip_name", enquiry.text_or("trip_title")},
        {"trip_url", enquiry.text_or("trip_slug").empty() ? parts.site_url : parts.bookings.trip_page(enquiry)},
        {"enquiry_id", enquiry["id"].dump()},
        {"enquiry_date", service.values.day(parts.settings.zone().date_at(created_at).text(), words)},
        {"message", typed("message")},
        {"original_message", typed("message")}});
    variables.merge(service.values.of_site());
    const Template& which = template_of(kind.key);
    service.mailer.send(which, std::move(email),
                        {.wording = service.composer.wording_of(which, {}, enquiry.maybe_integer("trip_id")),
                         .variables = std::move(variables),
                         .html_filter = &kind.html,
                         .filter_arguments = {enquiry}},
                        kind.to_stranger);
}

}  // namespace

void listen_to_enquiries(Service& service) {
    const auto listen_to_new = [&service](const EnquiryMail& kind) {
        listen(service, enquiries::enquiry_created.name, kind.key, [&service, kind](const json::Array& arguments) {
            if (arguments.at(0).text_or("status") != "spam")
                notify_of_enquiry(service, kind, arguments.at(0), {});
        });
    };
    listen_to_new(
        {.key = "enquiry_admin", .may_send = send_enquiry_admin, .html = enquiry_admin_html, .to_staff = true});
    listen_to_new({.key = "enquiry_received",
                   .may_send = send_enquiry_customer,
                   .html = enquiry_received_html,
                   .to_stranger = true});
    listen(service, enquiries::enquiry_responded.name, "enquiry_response", [&service](const json::Array& arguments) {
        const json::Value& enquiry = arguments.at(0);
        const std::string response = arguments.at(1).text();
        const auto at = Instant::parse(enquiry.text_or("responded_at")).value_or(service.parts.clock.now());
        notify_of_enquiry(service,
                          {.key = "enquiry_response", .may_send = send_enquiry_response, .html = enquiry_response_html},
                          enquiry,
                          {{"response", response},
                           {"response_message", response},
                           {"response_date", service.values.day(service.parts.settings.zone().date_at(at).text(),
                                                                service.values.words_of_enquiry(enquiry))}});
    });
}

}  // namespace svc::messaging
