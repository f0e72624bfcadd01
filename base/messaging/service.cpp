// From an event to a row in the outbox.
#include "base/messaging/service.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/booking/record/hooks.hpp"
#include "base/messaging/bodies.hpp"
#include "base/messaging/frame.hpp"
#include "base/messaging/hooks.hpp"
#include "base/messaging/repository.hpp"
#include "base/platform/outbound/header.hpp"
#include "shared/core/log.hpp"

namespace svc::messaging {
namespace {

std::string as_text(const json::Value& value) {
    if (value.is_number())
        return value.number_text();
    return value.is_string() ? value.text() : std::string();
}

std::string joined(const std::vector<std::string>& addresses) {
    std::string all;
    for (const auto& each : addresses)
        all += (all.empty() ? "" : ",") + each;
    return all;
}

// One mailbox, however its letters are written: no server tells them apart.
bool holds(const std::vector<std::string>& addresses, std::string_view one) {
    return std::any_of(addresses.begin(), addresses.end(), [&](const std::string& other) {
        return std::equal(other.begin(), other.end(), one.begin(), one.end(),
                          [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    });
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
        if (outbound::is_address(one) && !holds(all, one))
            all.emplace_back(one);
    }
    return all;
}

Service::Service(const settings::Settings& settings, events::Events& hooks, const crypto::Keyring& keyring,
                 const Clock& clock, std::string site_url, std::function<void()> wake,
                 std::vector<std::filesystem::path> mail_folders)
    : files_(make_mail_files(std::move(mail_folders), &hooks)),
      settings_(settings),
      hooks_(hooks),
      keyring_(keyring),
      clock_(clock),
      site_url_(std::move(site_url)),
      wake_(std::move(wake)) {}

// Confirmed at once, the customer hears just that; unproven, there is nothing yet to tell. Of an expired one they hear
// that it has expired.
static bool tells_customer(std::string_view template_key, const json::Value& booking) {
    const auto status = booking.text_or("status");
    if (template_key == "booking_confirmation")
        return status == "pending" || status == "processing" || status == "on-hold" || status == "waitlist";
    return template_key != "booking_cancelled" || booking.text_or("cancelled_via") != "expiry";
}

Variables Service::received(std::string_view status, const Words& words) {
    if (status == "waitlist")
        return {{"intro_paragraph",
                 words.say_text("All seats are taken. You are on the waiting list: as soon as seats for all of you are"
                                " free, they are yours and we write to you. There is nothing to pay until then.")},
                {"footer_note", words.say_text("Your place is kept in the order in which people asked.")}};
    return {{"intro_paragraph", words.say_text("Thank you for your booking. We have received it and will confirm it as"
                                               " soon as we can.")},
            {"footer_note", words.say_text("You will hear from us again once it is confirmed.")}};
}

Words Service::words_of(const json::Value& booking) const {
    std::string locale = booking.text_or("locale");
    if (locale.empty() && sources_.account_locale)
        if (const auto user = booking.maybe_integer("user_id"))
            locale = sources_.account_locale(*user);
    return locale.empty() ? words_of_site() : Words{std::move(locale)};
}

Words Service::words_of_site() const { return {settings_.text("site_language")}; }

void Service::listen() {
    on(booking::booking_created.name, "booking_confirmation");
    on(booking::booking_confirmed.name, "booking_confirmed");
    on(booking::booking_cancelled.name, "booking_cancelled");
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
        auto more = template_key == "booking_confirmation" ? received(booking.text_or("status"), words_of(booking))
                                                           : Variables();
        more.emplace("cancellation_reason", booking.text_or("cancellation_reason"));
        const bool waits = template_key == "booking_confirmation" && booking.text_or("status") == "waitlist";
        tell_customer({.template_key = waits ? "waitlist_joined" : template_key,
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

    const Wording wording = wording_of(which, news.booking);
    const Words words = words_of(news.booking);
    email.locale = words.locale;
    const Variables variables = variables_of(which, wording, news, words);
    if (!email.suppressed)
        if (const auto by_another = sent_by_another(which, email.to, variables))
            return *by_another;
    write_text(which, wording, variables, email);
    replace_html(which, news.booking, email);
    address(which, email);

    const bool goes = !email.suppressed;
    queue(std::move(email), !news.by_hand);
    return goes;
}

Variables Service::variables_of(const Template& which, const Wording& wording, const BookingNews& news,
                                const Words& words) const {
    auto variables = general();
    variables.merge(of_booking(news.booking_id, news.booking, words));
    variables.merge(of_travelers(wording, news.booking_id, news.booking));
    for (const auto& [name, value] : news.more)
        variables[name] = value;
    add_details(which, wording, news.booking_id, news.booking, words, variables);
    return filtered(std::move(variables), news.booking);
}

void Service::replace_html(const Template& which, const json::Value& booking, NewEmail& email) const {
    if (!which.key.starts_with("booking_") || !hooks_.filtered(status_email_html.name))
        return;
    const auto html = hooks_.apply(status_email_html, email.body_html, {which.key, booking});
    if (html.text().empty())
        return;
    email.body_html = html.text();
    email.body_text = plain_text(email.body_html);
}

std::optional<bool> Service::sent_by_another(const Template& which, const std::string& to,
                                             const Variables& variables) const {
    if (!hooks_.filtered(send_transactional_email.name))
        return std::nullopt;
    auto shown = json::Value::object();
    for (const auto& [name, value] : variables)
        shown.set(name, value);
    const auto answer = hooks_.apply(send_transactional_email, {}, {which.key, to, std::move(shown)});
    return answer.is_boolean() && !answer.boolean() ? std::optional(false) : std::nullopt;
}

// When an e-mail that somebody who has proven nothing may have caused goes; nothing: it does not.
static std::optional<Instant> turn_of(store::Session& session, const NewEmail& email, std::int64_t most, Instant now) {
    if (most <= 0 || !outbox::is_of_stranger(session, email))
        return now;
    // Others must not use up what the owner of the address waits for: a link is late, not lost.
    if (email.template_key == "guest_email_verification") {
        const Instant turn = outbox::turn_of_link(session, email, most, now);
        return turn <= now.plus(outbox::longest_turn) ? std::optional(turn) : std::nullopt;
    }
    const bool is_one_more = outbox::mailed_since(session, email.to, now.minus(std::chrono::hours(1))) < most;
    return is_one_more ? std::optional(now) : std::nullopt;
}

void Service::queue(NewEmail email, bool is_bounded) {
    const bool goes = !email.suppressed && settings_.flag("smtp_enabled");
    const auto now = clock_.now();
    auto body = sealed_body(keyring_, email, now);
    hooks_.write(
        [this, goes, email = std::move(email), body = std::move(body), now,
         most = is_bounded ? settings_.integer("unproven_mails_per_hour") : 0](store::Transaction& tx) -> Result<void> {
            const auto turn = turn_of(tx, email, most, now);
            NewEmail kept = email;
            kept.suppressed = email.suppressed || !turn;
            const bool queued = outbox::queue(tx, kept, body, now, turn);
            if (queued && turn != now)
                log::warning("email_limited", {{"template", email.template_key}, {"cause", "unproven_mails_per_hour"}});
            if (queued && goes && turn == now)
                tx.after_commit([this] { wake_(); });
            return {};
        });
}

bool Service::switched_off(const Template& which) const {
    if (!settings_.flag(is_for_staff(which.key) ? "enable_admin_notifications" : "enable_customer_notifications"))
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
            {"current_date", settings::look_of(settings_).day(today)},
            {"current_year", std::to_string(today.year())}};
}

Told Service::told(std::int64_t id, const json::Value& booking, const json::Value& answers, const Words& words) const {
    return {
        .id = id,
        .booking = booking,
        .answers = answers,
        .site_url = site_url_,
        .booking_base = settings_.text("booking_base"),
        .gateway_title = gateway_title(booking.text_or("payment_gateway")),
        .trip_url = sources_.trip_url && !booking.text_or("trip_slug").empty() ? sources_.trip_url(booking) : site_url_,
        .look = settings::look_of(settings_),
        .words = words};
}

std::string Service::shown_day(const std::string& day, const Words& words) const {
    return words.day(settings::look_of(settings_), day);
}

std::string Service::gateway_title(const std::string& gateway) const {
    return sources_.gateway_title && !gateway.empty() ? sources_.gateway_title(gateway) : gateway;
}

Variables Service::of_booking(std::int64_t id, const json::Value& booking, const Words& words) const {
    const json::Value unread;
    return values_of(told(id, booking, unread, words));
}

// How to pay what is open, where the customer pays by themselves.
std::string Service::how_to_pay(const json::Value& booking) const {
    const auto status = booking.text_or("status"), gateway = booking.text_or("payment_gateway");
    const auto due = Currency::parse(booking.text_or("currency"));
    if (!sources_.instructions || (status != "pending" && status != "processing" && status != "on-hold") || !due)
        return {};
    const auto amount = Money::parse(as_text(booking["amount_due"]), *due);
    if (!amount || amount->is_zero())
        return {};
    const std::string text = sources_.instructions(gateway, booking);
    return text.empty() ? text : "<p>" + html_lines(text) + "</p>";
}

void Service::add_details(const Template& which, const Wording& wording, std::int64_t id, const json::Value& booking,
                          const Words& words, Variables& variables) const {
    if (which.key == "booking_confirmation")
        variables.emplace("details_html", how_to_pay(booking));
    if (!sources_.answers ||
        !(shows_answers(wording.subject + wording.body) || hooks_.filtered(booking_email_variables.name)))
        return;
    const auto answers = sources_.answers(id);
    for (auto& [name, value] : values_of(told(id, booking, answers, words)))
        variables.emplace(name, std::move(value));
}

Variables Service::filtered(Variables variables, const json::Value& booking) const {
    const auto ask = [&](const hooks::Filter& filter, const Variables& known) {
        auto value = json::Value::object();
        for (const auto& [name, text] : known)
            value.set(name, text);
        Variables all;
        for (const auto& [name, one] : hooks_.apply(filter, std::move(value), {booking}).members())
            all[name] = as_text(one);
        return all;
    };
    if (hooks_.filtered(trip_variables.name)) {
        Variables of_trip;
        for (const char* name : {"trip_id", "trip_name", "trip_url"})
            of_trip[name] = variables[name];
        for (auto& [name, text] : ask(trip_variables, of_trip))
            variables[name] = std::move(text);
    }
    return hooks_.filtered(booking_email_variables.name) ? ask(booking_email_variables, variables) : variables;
}

Wording Service::wording_of(const Template& which, const json::Value& booking,
                            std::optional<std::int64_t> trip_id) const {
    const auto key = "email_tpl_" + std::string(which.base);
    Wording wording{settings_.text(key + "_subject"), settings_.text(key + "_body")};
    const auto fill_in = [&](std::string& text, std::string_view ending, const hooks::Filter& filter) {
        if (!text.empty())
            return;
        files_->follow_files();
        text = files_->source(std::string(which.key) + std::string(ending));
        if (ending == ".subject")
            text.resize(std::min(text.find('\n'), text.size()));
        if (hooks_.filtered(filter.name))
            text = hooks_.apply(filter, text, {which.key}).text();
    };
    fill_in(wording.subject, ".subject", default_subject);
    fill_in(wording.body, ".html", default_body);
    if (!hooks_.filtered(effective_subject.name) && !hooks_.filtered(effective_body.name))
        return wording;
    if (!trip_id && booking.is_object())
        trip_id = booking.maybe_integer("trip_id");
    const json::Value trip = trip_id && sources_.trip ? sources_.trip(*trip_id) : json::Value();
    wording.subject = hooks_.apply(effective_subject, wording.subject, {which.key, booking, trip}).text();
    wording.body = hooks_.apply(effective_body, wording.body, {which.key, booking, trip}).text();
    return wording;
}

void Service::write_text(const Template& which, const Wording& wording, const Variables& variables,
                         NewEmail& email) const {
    email.subject = render_subject(wording.subject, variables, email.locale);
    const std::string body = render_html(wording.body, variables, email.locale);
    const Frame frame = frame_of(settings_, site_url_, is_for_staff(which.key));
    email.body_html = in_frame(*files_, frame, body, email.subject, email.locale);
    email.body_text = plain_text(body) + signature_of(frame);
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
    // Nobody gets it twice.
    const auto to = addresses_of(email.to);
    auto cc = addresses_of(settings_.text(key + "_cc"));
    std::erase_if(cc, [&](const auto& one) { return holds(to, one); });
    // Staff need no copy of what staff get.
    const auto always = is_for_staff(which.key)
                            ? json::Value("")
                            : hooks_.apply(always_bcc, settings_.text("email_always_bcc"), {which.key});
    auto bcc = addresses_of(settings_.text(key + "_bcc") + "," + always.text());
    std::erase_if(bcc, [&](const auto& one) { return holds(to, one) || holds(cc, one); });
    email.cc = joined(cc);
    email.bcc = joined(bcc);
}

}  // namespace svc::messaging
