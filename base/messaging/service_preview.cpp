// E-mails shown before they are sent: with sample data, or as one booking's customer would get them.
#include "base/messaging/frame.hpp"
#include "base/messaging/hooks.hpp"
#include "base/messaging/service.hpp"
#include "base/platform/html/html.hpp"

namespace svc::messaging {
namespace {

// That a text can be read and names no tag that its e-mails lack.
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

// Sentences among the samples are said in the language, too.
std::string sample_of(const KnownTag& tag, const Words& words) {
    constexpr std::string_view begin = "<p>", end = "</p>";
    const std::string_view sample = tag.sample;
    if (!sample.starts_with(begin) || !sample.ends_with(end))
        return words.say_text(sample);
    return paragraph_html(words.say_text(sample.substr(begin.size(), sample.size() - begin.size() - end.size())));
}

}  // namespace

// What an e-mail says beyond what every booking has, where the booking itself tells.
Variables Service::of_event(const Template& which, const json::Value& booking,
                            const std::optional<json::Value>& payment, const Words& words) const {
    const std::string event(which.event_key);
    if (event == "booking.created")
        return received(which.key == "waitlist_joined" ? "waitlist" : booking.text_or("status"), words);
    if (event == "booking.waitlist_promoted")
        return {{"intro_paragraph", words.say_text("Seats have become free, and they are yours.")},
                {"details_html", button_html("https://example.com/book/pay", words.say_text("Pay for your seats"))},
                {"footer_note", words.say_text("You have left the waiting list.")}};
    if (event == "booking.cancelled")
        return {{"cancellation_reason", booking.text_or("cancellation_reason")}};
    if (event == "booking.completed")
        return {{"completion_date", shown_day(booking.text_or("end_date"), words)}};
    if (event == "reminder.trip") {
        const auto day = Date::parse(booking.text_or("travel_date"));
        return reminding(booking, day ? day->days() - settings_.zone().date_at(clock_.now()).days() : 0);
    }
    if (event.starts_with("account."))
        return of_account(which.key, words);
    return event.starts_with("payment.") && payment ? of_payment(*payment) : Variables{};
}

// As a booking made now for a trip in three days would have it; the rest are the tags' own samples.
Variables Service::sampled(const Template& which, const Words& words) const {
    Variables variables = general();
    const Date today = settings_.zone().date_at(clock_.now());
    const auto booking = json::Value::object({{"status", "pending"},
                                              {"locale", words.locale},
                                              {"travel_date", today.plus_days(3)},
                                              {"end_date", today.plus_days(9)}});
    for (auto& [name, value] : of_event(which, booking, std::nullopt, words))
        if (!value.empty())
            variables.emplace(name, std::move(value));
    return variables;
}

Result<Preview> Service::preview(const Draft& draft) const {
    const Template& which = *draft.which;
    for (const auto& [field, text] : {std::pair{"subject", draft.subject}, {"body", draft.body}})
        if (auto fault = check_text(hooks_, which.event_key, field, text); !fault)
            return fault.error();
    json::Value booking = draft.booking ? *draft.booking : json::Value();
    if (draft.booking && !draft.locale.empty())
        booking.set("locale", draft.locale);
    const Words words = !draft.locale.empty()                       ? Words{draft.locale}
                        : draft.booking && !is_for_staff(which.key) ? words_of(booking)
                                                                    : words_of_site();
    Wording wording =
        wording_of(which, booking, draft.trip["id"].is_number() ? draft.trip.maybe_integer("id") : std::nullopt);
    if (draft.subject)
        wording.subject = *draft.subject;
    if (draft.body)
        wording.body = *draft.body;

    Variables variables;
    if (draft.booking)
        variables = variables_of(which, wording,
                                 {.template_key = which.key,
                                  .booking_id = booking["id"].integer(),
                                  .booking = booking,
                                  .more = of_event(which, booking, draft.payment, words),
                                  .dedupe_key = {}},
                                 words);
    else
        variables = sampled(which, words);
    for (const KnownTag& tag : tags_of(hooks_, which.event_key))
        if (!tag.key.ends_with('*'))
            variables.emplace(tag.key, sample_of(tag, words));
    if (!draft.booking && draft.trip.is_object()) {
        variables["trip_id"] = draft.trip["id"].dump();
        variables["trip_name"] = draft.trip.text_or("title");
        if (sources_.trip_url)
            variables["trip_url"] = sources_.trip_url(
                json::Value::object({{"trip_id", draft.trip["id"]}, {"trip_slug", draft.trip["slug"]}}));
    }
    if (hooks_.filtered(preview_variables.name)) {
        auto shown = json::Value::object();
        for (const auto& [name, value] : variables)
            shown.set(name, value);
        for (const auto& [name, value] :
             hooks_.apply(preview_variables, std::move(shown), {which.key, booking}).members())
            if (value.is_string())
                variables[name] = value.text();
    }
    NewEmail email;
    email.locale = words.locale;
    write_text(which, wording, variables, email);
    if (draft.booking)
        replace_html(which, booking, email);
    return Preview{.subject = email.subject, .html = email.body_html, .text = email.body_text, .locale = email.locale};
}

outbound::Mail Service::test_mail(const std::string& to) const {
    const Words words = words_of_site();
    NewEmail email;
    email.to = to;
    address(template_of("booking_confirmed"), email);
    const std::string site = settings_.text("company_name");
    const std::string subject = words.say_text("Test e-mail from {site_name}", {{"site_name", site}});
    const std::string said = words.say_text("The mail server has taken this e-mail. Nothing is left to do.");
    const Frame frame = frame_of(settings_, site_url_, false);
    outbound::Mail mail;
    mail.from_address = email.from_email;
    mail.from_name = email.from_name;
    mail.to = {to};
    mail.subject = subject;
    mail.html = in_frame(*files_, frame, "<h1>" + html::escaped(subject) + "</h1>" + paragraph_html(said), subject,
                         words.locale);
    mail.text = said + "\n" + signature_of(frame);
    mail.message_id = crypto::random_token() + "@" + email.from_email.substr(email.from_email.find('@') + 1);
    mail.date = clock_.now();
    return mail;
}

}  // namespace svc::messaging
