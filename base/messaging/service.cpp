// From an event to a row in the outbox.
#include "base/messaging/service.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/messaging/hooks.hpp"
#include "base/messaging/repository.hpp"
#include "base/platform/outbound/header.hpp"
#include "base/pricing/wire.hpp"
#include "shared/core/log.hpp"

namespace svc::messaging {
namespace {

std::string number_or_text(const json::Value& value) {
    if (value.is_number())
        return value.number_text();
    return value.is_string() ? value.text() : std::string();
}

std::string amount(const json::Value& booking, std::string_view member) {
    const auto currency = Currency::parse(booking.text_or("currency"));
    const auto text = number_or_text(booking[member]);
    if (!currency || text.empty())
        return text;
    const auto money = Money::parse(text, *currency);
    return money ? formatted(*money) : text;
}

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

std::string joined(const std::vector<std::string>& addresses) {
    std::string all;
    for (const auto& each : addresses)
        all += (all.empty() ? "" : ",") + each;
    return all;
}

}  // namespace

std::vector<std::string> addresses_of(std::string_view list) {
    std::vector<std::string> all;
    while (!list.empty()) {
        const auto end = std::min(list.find_first_of(",;"), list.size());
        auto one = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        const auto from = one.find_first_not_of(" \t");
        if (from == std::string_view::npos)
            continue;
        one = one.substr(from, one.find_last_not_of(" \t") - from + 1);
        if (outbound::is_address(one) && std::find(all.begin(), all.end(), one) == all.end())
            all.emplace_back(one);
    }
    return all;
}

std::string formatted(Money amount) { return pricing::formatted(amount); }

Service::Service(const settings::Settings& settings, events::Events& hooks, const Clock& clock, std::string site_url,
                 std::function<void()> wake)
    : settings_(settings), hooks_(hooks), clock_(clock), site_url_(std::move(site_url)), wake_(std::move(wake)) {}

// Confirmed at once, the customer hears just that; unproven, there is nothing yet to tell. Of an expired one they hear
// that it has expired.
static bool tells_customer(std::string_view template_key, const json::Value& booking) {
    const auto status = booking.text_or("status");
    if (template_key == "booking_confirmation")
        return status == "pending" || status == "processing" || status == "on-hold" || status == "waitlist";
    return template_key != "booking_cancelled" || booking.text_or("cancelled_via") != "expiry";
}

Variables Service::received(std::string_view status) {
    if (status == "waitlist")
        return {{"intro_paragraph",
                 "All seats are taken. You are on the waiting list: as soon as seats for all of you are"
                 " free, they are yours and we write to you. There is nothing to pay until then."},
                {"footer_note", "Your place is kept in the order in which people asked."}};
    return {
        {"intro_paragraph", "Thank you for your booking. We have received it and will confirm it as soon as we can."},
        {"footer_note", "You will hear from us again once it is confirmed."}};
}

void Service::listen() {
    on("svc_booking_created", "booking_confirmation");
    on("svc_booking_confirmed", "booking_confirmed");
    on("svc_booking_cancelled", "booking_cancelled");
}

std::string Service::dedupe_key(std::string_view template_key, std::int64_t id) const {
    return std::string(template_key) + ":" + std::to_string(id) + ":" + std::to_string(hooks_.event_id());
}

void Service::on(std::string_view action, std::string_view template_key) {
    const auto tell = [this, template_key](const json::Array& arguments) {
        const auto id = arguments.at(0).integer();
        const auto& booking = arguments.at(1);
        if (!tells_customer(template_key, booking))
            return;
        auto more = template_key == "booking_confirmation" ? received(booking.text_or("status")) : Variables();
        more.emplace("cancellation_reason", booking.text_or("cancellation_reason"));
        tell_customer({.template_key = template_key,
                       .booking_id = id,
                       .booking = booking,
                       .more = std::move(more),
                       .dedupe_key = dedupe_key(template_key, id)});
    };
    const auto done = hooks_.on(action, {.name = "messaging." + std::string(template_key), .takes = 2}, tell);
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

bool Service::tell_customer(const BookingNews& news) {
    const auto& which = template_of(news.template_key);
    NewEmail email;
    email.template_key = which.key;
    email.event_key = news.event_key.empty() ? which.event_key : news.event_key;
    email.to = news.booking.text_or("customer_email");
    email.booking_id = news.booking_id;
    if (!news.dedupe_key.empty())
        email.dedupe_key = news.dedupe_key;
    if (!outbound::is_address(email.to)) {
        log::warning("email_without_recipient", {{"template", which.key}, {"booking", news.booking_id}});
        return false;
    }
    email.suppressed = switched_off(which);

    auto variables = general();
    variables.merge(of_booking(news.booking_id, news.booking));
    for (const auto& [name, value] : news.more)
        variables[name] = value;
    variables = filtered(std::move(variables), news.booking);
    if (!email.suppressed && is_sent_by_another(which, email.to, variables))
        return false;
    write_text(which, variables, email);
    address(which, email);

    const bool goes = !email.suppressed;
    queue(std::move(email));
    return goes;
}

bool Service::is_sent_by_another(const Template& which, const std::string& to, const Variables& variables) const {
    if (!hooks_.filtered(send_transactional_email.name))
        return false;
    auto shown = json::Value::object();
    for (const auto& [name, value] : variables)
        shown.set(name, value);
    return !hooks_.apply(send_transactional_email, {}, {which.key, to, std::move(shown)}).is_null();
}

void Service::queue(NewEmail email) {
    const bool goes = !email.suppressed && settings_.flag("smtp_enabled");
    hooks_.write([this, goes, email = std::move(email), now = clock_.now()](store::Transaction& tx) -> Result<void> {
        if (outbox::queue(tx, email, now) && goes)
            tx.after_commit([this] { wake_(); });
        return {};
    });
}

bool Service::switched_off(const Template& which) const {
    if (!settings_.flag("enable_customer_notifications"))
        return true;
    if (settings_.flag("email_template_" + std::string(which.flag)))
        return false;
    return !hooks_.apply(automation_owns_type, false, {which.key}).boolean();
}

Variables Service::general() const {
    const auto today = settings_.zone().date_at(clock_.now());
    const auto admins = addresses_of(settings_.text("admin_email"));
    return {{"site_name", settings_.text("company_name")},
            {"site_url", site_url_},
            {"admin_email", admins.empty() ? std::string() : admins.front()},
            {"admin_url", site_url_ + "/admin"},
            {"current_date", today.text()},
            {"current_year", std::to_string(today.year())}};
}

Variables Service::of_booking(std::int64_t id, const json::Value& booking) const {
    const auto name = booking.text_or("customer_name");
    const auto slug = booking.text_or("trip_slug");
    const auto trip_id = number_or_text(booking["trip_id"]);
    return {{"customer_name", name},
            {"customer_first_name", booking.text_or("customer_first_name", first_word(name))},
            {"customer_last_name", booking.text_or("customer_last_name")},
            {"customer_email", booking.text_or("customer_email")},
            {"customer_phone", booking.text_or("customer_phone")},
            {"booking_reference", booking.text_or("reference")},
            {"booking_id", std::to_string(id)},
            {"booking_status", booking.text_or("status")},
            {"payment_status", booking.text_or("payment_status")},
            {"trip_id", trip_id.empty() ? "0" : trip_id},
            {"trip_name", booking.text_or("trip_title")},
            {"trip_url", booking.text_or("trip_url", slug.empty() ? site_url_ : site_url_ + "/trip/" + slug)},
            {"travel_date", booking.text_or("travel_date")},
            {"travelers_count", number_or_text(booking["traveler_count"])},
            {"total_amount", number_or_text(booking["total"])},
            {"total_amount_formatted", amount(booking, "total")},
            {"amount_paid_formatted", amount(booking, "amount_paid")},
            {"amount_due", number_or_text(booking["amount_due"])},
            {"amount_due_formatted", amount(booking, "amount_due")},
            {"currency", booking.text_or("currency")}};
}

Variables Service::filtered(Variables variables, const json::Value& booking) const {
    if (!hooks_.filtered(booking_email_variables.name))
        return variables;
    auto value = json::Value::object();
    for (const auto& [name, text] : variables)
        value.set(name, text);
    const auto answer = hooks_.apply(booking_email_variables, std::move(value), {booking});
    Variables all;
    for (const auto& [name, one] : answer.members())
        all[name] = number_or_text(one);
    return all;
}

// What the operator wrote, unless it cannot be read.
void Service::write_text(const Template& which, const Variables& variables, NewEmail& email) const {
    const auto key = "email_tpl_" + std::string(which.base);
    const auto subject = settings_.text(key + "_subject"), body = settings_.text(key + "_body");
    if (subject.empty() || !render_subject(subject, variables, email.subject))
        render_subject(which.subject, variables, email.subject);
    if (body.empty() || !render_html(body, variables, email.body_html))
        render_html(which.body, variables, email.body_html);
    email.body_text = plain_text(email.body_html);
}

void Service::address(const Template& which, NewEmail& email) const {
    const auto key = "email_tpl_" + std::string(which.base);
    const auto admins = addresses_of(settings_.text("admin_email"));
    email.from_email = settings_.text("from_email");
    if (!outbound::is_address(email.from_email))
        email.from_email = admins.empty() ? std::string() : admins.front();
    email.from_name = settings_.text("from_name");
    if (email.from_name.empty())
        email.from_name = settings_.text("company_name");
    const auto cc = addresses_of(settings_.text(key + "_cc"));
    const auto always = hooks_.apply(always_bcc, settings_.text("email_always_bcc"), {which.key});
    auto bcc = addresses_of(settings_.text(key + "_bcc") + "," + always.text());
    std::erase_if(bcc, [&](const auto& one) { return std::find(cc.begin(), cc.end(), one) != cc.end(); });
    email.cc = joined(cc);
    email.bcc = joined(bcc);
}

}  // namespace svc::messaging
