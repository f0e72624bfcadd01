// Wording by settings, files and filters; frame, sender and copies.
#include "base/messaging/templates/composer.hpp"

#include <algorithm>

#include "base/messaging/outbox/addresses.hpp"
#include "base/messaging/templates/frame.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/template_keys.hpp"
#include "base/messaging/templates/words.hpp"
#include "base/platform/html/html.hpp"
#include "base/platform/outbound/header.hpp"
#include "shared/mails/offered.hpp"

namespace svc::messaging {
namespace {

// Every mail about a booking to its contact has its link: one whose text lacks it, such as the operator's own, gets it
// below its text.
std::string with_booking_link(std::string body, const Variables& variables, const NewEmail& email) {
    const auto found = variables.find("booking_url");
    if (found == variables.end() || found->second.find("booking_token=") == std::string::npos ||
        body.find(html::escaped(found->second)) != std::string::npos)
        return body;
    const std::string link = "<p class=\"quiet\"><a href=\"" + html::escaped(found->second) + "\">" +
                             html::escaped(Words{email.locale}.say_text("View the booking")) + "</a></p>\n";
    const auto end = body.rfind("</body>");  // of a text that is a whole document
    return body.insert(end == std::string::npos ? body.size() : end, link);
}

}  // namespace

void Composer::add_files(const Template& of_plugin) const {
    files_->add(std::string(of_plugin.key) + ".subject", std::string(of_plugin.subject));
    files_->add(std::string(of_plugin.key) + ".html", std::string(of_plugin.body));
}

Wording Composer::wording_of(const Template& which, const json::Value& booking, std::optional<std::int64_t> trip_id,
                             std::string_view locale, const Variables* values) const {
    const TemplateKeys keys = keys_of(which, parts_.hooks, parts_.settings);
    Wording wording{parts_.settings.text(keys.subject), parts_.settings.text(keys.body)};
    const auto fill_in = [&](std::string& text, std::string_view ending, const hooks::Filter& filter) {
        if (!text.empty())
            return;
        files_->follow_files();
        text = files_->source(std::string(which.key) + std::string(ending));
        const bool is_subject = ending == ".subject";
        if (which.offered && text == (is_subject ? which.subject : which.body))
            text = mails::text_for(is_subject ? which.offered->subject : which.offered->body, locale);
        if (is_subject)
            text.resize(std::min(text.find('\n'), text.size()));
        if (parts_.hooks.filtered(filter.name))
            text = parts_.hooks.apply(filter, text, {which.key}).text();
    };
    fill_in(wording.subject, ".subject", default_subject);
    fill_in(wording.body, ".html", default_body);
    if (!parts_.hooks.filtered(effective_subject.name) && !parts_.hooks.filtered(effective_body.name) &&
        !parts_.hooks.filtered(message.name))
        return wording;
    if (!trip_id && booking.is_object())
        trip_id = booking.maybe_integer("trip_id");
    const json::Value trip = trip_id ? parts_.bookings.trip(*trip_id) : json::Value();
    wording.subject = parts_.hooks.apply(effective_subject, wording.subject, {which.key, booking, trip}).text();
    wording.body = parts_.hooks.apply(effective_body, wording.body, {which.key, booking, trip}).text();
    if (!parts_.hooks.filtered(message.name))
        return wording;
    wording.addresses = parts_.hooks.apply(
        message, json::Value::object({{"subject", wording.subject}, {"body", wording.body}}),
        {json::Value(which.key), booking, trip, values ? messaging::to_json(*values) : json::Value()});
    wording.subject = wording.addresses.text_or("subject", wording.subject);
    wording.body = wording.addresses.text_or("body", wording.body);
    return wording;
}

namespace {

bool holds_any(const NewEmail& email, const std::vector<std::string>& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) {
        return email.body_html.find(token) != std::string::npos || email.body_text.find(token) != std::string::npos ||
               email.subject.find(token) != std::string::npos;
    });
}

// What a listener of the HTML has written into it again.
void cut_out(std::string& text, const std::vector<std::string>& tokens) {
    for (const std::string& token : tokens)
        for (auto at = text.find(token); at != std::string::npos; at = text.find(token, at))
            text.erase(at, token.size());
}

// Without its token the link ends nothing, so the sender must not make a header of it.
void unmark_unsubscribe(std::string& html) {
    constexpr std::string_view mark = "rel=\"unsubscribe\" ";
    for (auto at = html.find(mark); at != std::string::npos; at = html.find(mark, at))
        html.erase(at, mark.size());
}

}  // namespace

std::vector<NewEmail> Composer::compose(const Template& which, const Content& content, NewEmail& email) const {
    const auto fill_in = [&](const Content& from) {
        write(which, from.wording, from.variables, email);
        if (from.html_filter)
            filter_html(*from.html_filter, from.filter_arguments, email);
    };
    std::vector<std::string> tokens;
    Content open = content;
    open.variables = without_secrets(content.variables, parts_.hooks, &tokens);
    fill_in(is_for_staff(which.key) ? open : content);
    address(which, content.wording.addresses, email);
    std::vector<NewEmail> copies;
    if (is_for_staff(which.key) || !holds_any(email, tokens))
        return copies;
    std::vector<std::string> recipients = addresses_of(email.bcc);
    if (!email.cc.empty())
        recipients.insert(recipients.begin(), email.cc);
    email.cc.clear();
    email.bcc.clear();
    if (recipients.empty())
        return copies;
    const NewEmail copy = copy_of(which, open, email, tokens);
    for (const std::string& recipient : recipients) {
        NewEmail& one = copies.emplace_back(copy);
        one.to = recipient;
        if (email.dedupe_key)
            one.dedupe_key = *email.dedupe_key + ":copy" + std::to_string(copies.size());
    }
    return copies;
}

void Composer::compose_subject(const Template& which, const Content& content, NewEmail& email) const {
    std::vector<std::string> tokens;
    email.subject = render_subject(content.wording.subject, without_secrets(content.variables, parts_.hooks, &tokens),
                                   email.locale);
    address(which, content.wording.addresses, email);
}

// Its last paragraph names the recipient, since the copy's own header does not.
NewEmail Composer::copy_of(const Template& which, const Content& open, const NewEmail& email,
                           const std::vector<std::string>& tokens) const {
    NewEmail copy = email;
    Wording wording = open.wording;
    Variables variables = open.variables;
    variables["copy_notice_html"] = paragraph_html(Words{parts_.settings.text("site_language")}.say_text(
        "This is a copy of the e-mail to {address}. Its links open nothing that only the recipient may see.",
        {{"address", email.to}}));
    wording.body += "{{ copy_notice_html }}";
    write(which, wording, variables, copy);
    if (open.html_filter)
        filter_html(*open.html_filter, open.filter_arguments, copy);
    for (std::string* text : {&copy.subject, &copy.body_html, &copy.body_text})
        cut_out(*text, tokens);
    unmark_unsubscribe(copy.body_html);
    return copy;
}

void Composer::write(const Template& which, const Wording& wording, const Variables& variables, NewEmail& email) const {
    email.subject = render_subject(wording.subject, variables, email.locale);
    const std::string body = with_booking_link(render_html(wording.body, variables, email.locale), variables, email);
    const Frame frame = frame_of(parts_.settings, parts_.site_url, is_for_staff(which.key), email.locale);
    email.body_html = in_frame(*files_, frame, body, email.subject, email.locale);
    email.body_text = plain_text(body) + signature_of(frame);
}

const hooks::Filter* html_filter_of(const Template& which) {
    return which.key.starts_with("booking_") ? &status_email_html : nullptr;
}

void Composer::filter_html(const hooks::Filter& filter, const json::Array& arguments, NewEmail& email) const {
    if (!parts_.hooks.filtered(filter.name))
        return;
    const auto html = parts_.hooks.apply(filter, email.body_html, arguments);
    if (html.text().empty())
        return;
    email.body_html = html.text();
    email.body_text = plain_text(email.body_html);
}

void Composer::address(const Template& which, const json::Value& addresses, NewEmail& email) const {
    const auto own = [&](const char* member) {
        return addresses.is_object() ? addresses.text_or(member) : std::string();
    };
    const auto admins = addresses_of(parts_.settings.text("admin_email"));
    email.from_email = own("from_email");
    if (email.from_email.empty())
        email.from_email = parts_.settings.text("from_email");
    if (!outbound::is_address(email.from_email))
        email.from_email = admins.empty() ? std::string() : admins.front();
    email.from_name = own("from_name");
    if (email.from_name.empty())
        email.from_name = parts_.settings.text("from_name");
    if (email.from_name.empty())
        email.from_name = parts_.settings.text("company_name");
    if (const std::string reply_to = own("reply_to"); outbound::is_address(reply_to))
        email.reply_to = reply_to;
    if (is_for_one(which))
        return;
    if (const auto recipients = addresses_of(own("to")); is_for_staff(which.key) && !recipients.empty())
        email.to = joined_addresses(recipients);
    const TemplateKeys keys = keys_of(which, parts_.hooks, parts_.settings);
    // Each address receives it once.
    const auto to = addresses_of(email.to);
    auto cc = addresses_of(own("cc").empty() ? parts_.settings.text(keys.cc) : own("cc"));
    std::erase_if(cc, [&](const auto& one) { return contains_address(to, one); });
    // The archive copies e-mails to customers only.
    const auto archive = is_for_staff(which.key)
                             ? json::Value("")
                             : parts_.hooks.apply(always_bcc, parts_.settings.text("email_always_bcc"), {which.key});
    auto bcc = addresses_of((own("bcc").empty() ? parts_.settings.text(keys.bcc) : own("bcc")) + "," + archive.text());
    std::erase_if(bcc, [&](const auto& one) { return contains_address(to, one) || contains_address(cc, one); });
    email.cc = joined_addresses(cc);
    email.bcc = joined_addresses(bcc);
}

std::string Composer::staff_addresses() const {
    return joined_addresses(addresses_of(parts_.settings.text("admin_email")));
}

}  // namespace svc::messaging
