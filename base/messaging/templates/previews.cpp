// Renders with sample data, or for one booking.
#include "base/messaging/templates/previews.hpp"

#include "base/messaging/templates/frame.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/html/html.hpp"
#include "shared/mails/offered.hpp"

namespace svc::messaging {
namespace {

// A text must be a valid template without tags that its e-mails lack.
Result<void> check_text(const hooks::Hooks& hooks, std::string_view event_key, const char* field,
                        const std::optional<std::string>& text) {
    if (!text)
        return {};
    if (const auto read = as_template(*text); !read)
        return invalid(field, read.error().message());
    if (auto fault = unknown_tag(*text, event_key, tags_of(hooks, event_key)))
        return invalid(field, std::move(*fault));
    return {};
}

// Samples that are sentences are translated.
std::string sample_of(const KnownTag& tag, const Words& words) {
    constexpr std::string_view begin = "<p>", end = "</p>";
    const std::string_view sample = tag.sample;
    if (!sample.starts_with(begin) || !sample.ends_with(end))
        return words.say_text(sample);
    return paragraph_html(words.say_text(sample.substr(begin.size(), sample.size() - begin.size() - end.size())));
}

}  // namespace

// The values that an event adds to those of every booking, from the booking itself.
Variables Previews::of_event(const Template& which, const json::Value& booking,
                             const std::optional<json::Value>& payment, const Words& words) const {
    const std::string event(which.event_key);
    if (event == "booking.created")
        return Values::of_receipt(which.key == "waitlist_joined" ? "waitlist" : booking.text_or("status"), words);
    if (event == "booking.waitlist_promoted")
        return {{"intro_paragraph", words.say_text("Seats have become free, and they are yours.")},
                {"footer_note", words.say_text("You have left the waiting list.")}};
    if (event == "booking.cancelled")
        return {{"cancellation_reason", booking.text_or("cancellation_reason")}};
    if (event == "booking.completed")
        return {{"completion_date", values_.day(booking.text_or("end_date"), words)}};
    if (event == "reminder.trip") {
        const auto day = Date::parse(booking.text_or("travel_date"));
        return values_.of_reminder(booking, day ? day->days() - values_.today().days() : 0);
    }
    if (event.starts_with("account."))
        return Values::of_account(which.key, words);
    return event.starts_with("payment.") && payment ? values_.of_payment(*payment, words) : Variables{};
}

// The values of a booking made now for a trip in three days; the tags' own samples supply the others.
Variables Previews::samples(const Template& which, const Words& words) const {
    Variables variables = values_.of_site();
    const Date today = values_.today();
    const auto booking = json::Value::object({{"status", "pending"},
                                              {"locale", words.locale},
                                              {"travel_date", today.plus_days(3)},
                                              {"end_date", today.plus_days(9)}});
    for (auto& [name, value] : of_event(which, booking, std::nullopt, words))
        if (!value.empty())
            variables.emplace(name, std::move(value));
    return variables;
}

Result<Preview> Previews::preview(const Draft& draft) const {
    const Template& which = *draft.which;
    for (const auto& [field, text] : {std::pair{"subject", draft.subject}, {"body", draft.body}})
        SVC_RETURN_IF_ERROR(check_text(parts_.hooks, which.event_key, field, text));
    json::Value booking = draft.booking ? *draft.booking : json::Value();
    if (draft.booking && !draft.locale.empty())
        booking.set("locale", draft.locale);
    const Words words = !draft.locale.empty()                       ? Words{draft.locale}
                        : draft.booking && !is_for_staff(which.key) ? values_.words_of(booking)
                                                                    : values_.words_of_site();
    Wording wording = composer_.wording_of(
        which, booking, draft.trip["id"].is_number() ? draft.trip.maybe_integer("id") : std::nullopt, words.locale);
    if (draft.subject)
        wording.subject = *draft.subject;
    if (draft.body)
        wording.body = *draft.body;

    Variables variables;
    if (draft.booking)
        variables = without_secrets(values_.of_booking(which, wording,
                                                       {.template_key = which.key,
                                                        .booking_id = booking["id"].integer(),
                                                        .booking = booking,
                                                        .more = of_event(which, booking, draft.payment, words),
                                                        .dedupe_key = {},
                                                        .is_preview = true},
                                                       words),
                                    parts_.hooks);
    else
        variables = samples(which, words);
    if (which.offered)
        for (const mails::OfferedTag& tag : which.offered->tags)
            variables.emplace(tag.key, mails::text_for(tag.sample, words.locale));
    for (const KnownTag& tag : tags_of(parts_.hooks, which.event_key))
        if (!tag.key.ends_with('*'))
            variables.emplace(tag.key, sample_of(tag, words));
    if (!draft.booking && draft.trip.is_object()) {
        variables["trip_id"] = draft.trip["id"].dump();
        variables["trip_name"] = draft.trip.text_or("title");
        variables["trip_url"] = parts_.bookings.trip_page(
            json::Value::object({{"trip_id", draft.trip["id"]}, {"trip_slug", draft.trip["slug"]}}));
    }
    if (parts_.hooks.filtered(preview_variables.name)) {
        for (auto& [name, value] :
             variables_from(parts_.hooks.apply(preview_variables, to_json(variables), {which.key, booking})))
            variables[name] = std::move(value);
    }
    NewEmail email;
    email.locale = words.locale;
    composer_.write(which, wording, variables, email);
    if (const auto* filter = html_filter_of(which); filter && draft.booking)
        composer_.filter_html(*filter, {which.key, booking}, email);
    return Preview{.subject = email.subject, .html = email.body_html, .text = email.body_text, .locale = email.locale};
}

outbound::Mail Previews::mail_of(const Template& which, const Preview& preview, const std::string& to) const {
    NewEmail email;
    email.to = to;
    composer_.address(which, {}, email);
    outbound::Mail mail;
    mail.from_address = email.from_email;
    mail.from_name = email.from_name;
    mail.to = {to};
    mail.subject = preview.subject;
    mail.html = preview.html;
    mail.text = preview.text;
    mail.message_id = crypto::random_token() + "@" + email.from_email.substr(email.from_email.find('@') + 1);
    mail.date = parts_.clock.now();
    return mail;
}

outbound::Mail Previews::test_mail(const std::string& to) const {
    const Words words = values_.words_of_site();
    const std::string site = parts_.settings.text("company_name");
    const std::string subject = words.say_text("Test e-mail from {site_name}", {{"site_name", site}});
    const std::string sentence = words.say_text("The mail server has taken this e-mail. Nothing is left to do.");
    const Frame frame = frame_of(parts_.settings, parts_.site_url, false, words.locale);
    return mail_of(
        template_of("booking_confirmed"),
        {.subject = subject,
         .html = in_frame(composer_.files(), frame,
                          "<h1>" + html::escaped(subject) + "</h1>" + paragraph_html(sentence), subject, words.locale),
         .text = sentence + "\n" + signature_of(frame),
         .locale = words.locale},
        to);
}

}  // namespace svc::messaging
