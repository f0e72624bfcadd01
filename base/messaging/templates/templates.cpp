// The templates; their built-in texts are the files of base/messaging/templates/default.
#include "base/messaging/templates/templates.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/messaging/templates/merge_tags.hpp"
#include "base/messaging/templates/plugin_templates.hpp"
#include "base/messaging/templates/render.hpp"
#include "base/platform/templates/tag_lines.hpp"

namespace svc::embedded {
std::span<const Embedded> mail_templates();  // base/messaging/templates/default
}

namespace svc::messaging {
namespace {

std::string_view text_of_file(const std::string& name) {
    for (const Embedded& each : embedded::mail_templates())
        if (each.name == name)
            return each.text;
    throw std::logic_error("there is no file " + name);
}

// Without a server it is not known which tags plugins add.
std::string with_line(std::string_view text, const std::string& fault) {
    const auto begin = fault.find("{{ "), end = fault.find(" }}");
    const auto line = begin == std::string::npos || end == std::string::npos
                          ? 0
                          : templates::line_of_tag(text, std::string_view(fault).substr(begin + 3, end - begin - 3));
    return "line " + std::to_string(line) + ": " + fault + " A plugin may add it.";
}

std::vector<Template> bundled_templates() {
    std::vector<Template> all{
        Template{"booking_confirmation", "booking", "booking", "booking.created"},
        Template{"waitlist_joined", "waitlist_joined", "waitlist_joined", "booking.created"},
        Template{"waitlist_offer", "waitlist_offer", "waitlist_offer", "booking.waitlist_promoted"},
        Template{"booking_confirmed", "booking_confirmed", "booking_confirmed", "booking.confirmed"},
        Template{"booking_link", "booking_link", "booking_link", "booking.link_wanted"},
        Template{"booking_cancelled", "cancellation", "cancellation", "booking.cancelled"},
        Template{"booking_rescheduled", "booking_rescheduled", "booking_rescheduled", "booking.rescheduled"},
        Template{"admin_seats_low", "admin_seats_low", "admin_seats_low", "departure.seats_low"},
        Template{"payment_received", "confirmation", "payment", "payment.received"},
        Template{"partial_payment_received", "partial_payment", "partial_payment", "payment.partial_received", false},
        Template{"booking_refunded", "booking_refunded", "booking_refunded", "payment.refunded"},
        Template{"trip_reminder", "reminder", "reminder", "reminder.trip"},
        Template{"payment_reminder", "payment_reminder", "payment_reminder", "payment.reminder"},
        Template{"admin_new_booking", "admin_new_booking", "admin_booking", "booking.created"},
        Template{"admin_payment_received", "admin_payment", "admin_payment", "payment.received"},
        Template{"admin_refund_due", "admin_refund_due", "admin_refund_due", "payment.received"},
        Template{"admin_payment_review", "admin_payment_review", "admin_payment_review", "payment.in_review"},
        Template{"admin_booking_cancelled", "admin_cancellation", "admin_cancellation", "booking.cancelled"},
        Template{"admin_digest", "admin_digest", "admin_digest", "staff.digest"},
        Template{"trip_consent_request", "trip_consent", "trip_consent", "consent.requested"},
        Template{"customer_email_verification", "customer_verification", "customer_verification",
                 "account.email_verification"},
        Template{"account_password_reset", "account_password_reset", "account_password_reset",
                 "account.password_reset"},
        Template{"account_privacy_link", "account_privacy_link", "account_privacy_link", "account.privacy_link"},
        Template{"account_registered_again", "account_registered_again", "account_registered_again",
                 "account.registered_again"},
        Template{"guest_email_verification", "guest_verification", "guest_verification", "account.email_verification"},
        Template{"account_email_change_request", "account_email_change", "account_email_change",
                 "account.email_change_request"},
        Template{"account_email_changed", "account_email_changed", "account_email_changed", "account.email_changed"},
        Template{"booking_completed", "booking_completed", "booking_completed", "booking.completed"},
        Template{"booking_expired_customer", "booking_expired_customer", "booking_expired_customer", "booking.expired"},
        Template{"admin_booking_expired", "admin_booking_expired", "admin_booking_expired", "booking.expired"},
        Template{"enquiry_admin", "enquiry_admin", "enquiry_admin", "enquiry.created"},
        Template{"enquiry_received", "enquiry_received", "enquiry_received", "enquiry.created"},
        Template{"enquiry_response", "enquiry_response", "enquiry_response", "enquiry.responded"},
        Template{"review_request", "review_request", "review_request", "marketing.review_request"},
        Template{"abandoned_booking_recovery_first", "abandoned_booking_recovery_first",
                 "abandoned_booking_recovery_first", "booking.abandoned_recovery"},
        Template{"abandoned_booking_recovery_second", "abandoned_booking_recovery_second",
                 "abandoned_booking_recovery_second", "booking.abandoned_recovery"},
        Template{"abandoned_booking_recovery_final", "abandoned_booking_recovery_final",
                 "abandoned_booking_recovery_final", "booking.abandoned_recovery"},
    };
    for (Template& each : all) {
        each.subject = text_of_file(std::string(each.key) + ".subject");
        each.subject = each.subject.substr(0, each.subject.find('\n'));
        each.body = text_of_file(std::string(each.key) + ".html");
    }
    return all;
}

}  // namespace

std::span<const Template> templates() {
    static const std::vector<Template> all = bundled_templates();
    return all;
}

std::unique_ptr<templates::Library> make_mail_files(std::vector<std::filesystem::path> folders,
                                                    const hooks::Hooks* hooks, const PluginTemplates* of_plugins) {
    const auto accepts = [hooks, of_plugins](std::string_view name, std::string_view text) -> Result<void> {
        if (name == "layout.html")
            return text.find("body_html") != std::string_view::npos
                       ? Result<void>{}
                       : Error{errc::validation_error,
                               "layout.html shows no {tag}, the text of the e-mail."_sentence.with("tag",
                                                                                                   "{{ body_html }}")};
        SVC_RETURN_IF_ERROR(as_template(text));
        const auto key = name.substr(0, name.rfind('.'));
        const auto event = (of_plugins ? of_plugins->any(key) : template_of(key)).event_key;
        if (auto fault = unknown_tag(text, event, hooks ? tags_of(*hooks, event) : base_tags()))
            return Error{errc::validation_error,
                         hooks ? std::move(*fault) : Sentence::verbatim(with_line(text, fault->english()))};
        return {};
    };
    return std::make_unique<templates::Library>(templates::Library::Options{
        .domain = "mail", .bundled = embedded::mail_templates(), .folders = std::move(folders), .accepts = accepts});
}

const Template& template_of(std::string_view key) {
    for (const auto& each : templates())
        if (each.key == key)
            return each;
    throw std::logic_error("there is no such template: " + std::string(key));
}

// Their keys contain it.
bool is_for_staff(std::string_view key) { return key.starts_with("admin_") || key == "enquiry_admin"; }

bool is_for_one(const Template& which) { return which.event_key.starts_with("account."); }

}  // namespace svc::messaging
