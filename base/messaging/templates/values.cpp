// Values of the site, of bookings with their travelers, and of payments.
#include "base/messaging/templates/values.hpp"

#include <algorithm>

#include "base/messaging/outbox/addresses.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/platform/html/html.hpp"
#include "base/platform/texts/isolated.hpp"

namespace svc::messaging {
namespace {

Words words_or(std::string locale, const Words& otherwise) {
    return locale.empty() ? otherwise : Words{std::move(locale)};
}

// The tags in an e-mail's texts: testing a tag is cheaper than making its value.
class Asked {
  public:
    Asked(const Wording& wording, const hooks::Hooks& hooks)
        : subject_(known_template(wording.subject, templates::Kind::plain)),
          body_(known_template(wording.body, templates::Kind::html)),
          any_(!subject_ || !body_) {
        for (const hooks::Filter* one :
             {&booking_email_variables, &trip_variables, &preview_variables, &send_transactional_email})
            any_ = any_ || hooks.filtered(one->name);  // whose listeners may ask for all
    }
    bool operator()(std::string_view tag) const {
        return any_ || subject_->tags().contains(tag) || body_->tags().contains(tag);
    }

  private:
    const std::optional<templates::Template> subject_, body_;
    bool any_;
};

std::string list_item(std::string_view text) { return "<li>" + html::escaped(text) + "</li>"; }

// The same for every trip: trips have no field for it.
std::string checklist_html(const Words& words) {
    return "<ul>" + list_item(words.say_text("A valid passport or identity card")) +
           list_item(words.say_text("Your travel insurance")) +
           list_item(words.say_text("The numbers of your emergency contacts")) + "</ul>";
}

}  // namespace

json::Value to_json(const Variables& variables) {
    auto object = json::Value::object();
    for (const auto& [name, value] : variables)
        object.set(name, value);
    return object;
}

Variables variables_from(const json::Value& object) {
    Variables variables;
    for (const auto& [name, value] : object.members())
        variables[name] = number_or_text(value);
    return variables;
}

Words Values::words_of(const json::Value& booking) const {
    std::string locale = booking.text_or("locale");
    if (locale.empty())
        if (const auto user = booking.maybe_integer("user_id"))
            return words_of_account(*user);
    return words_or(std::move(locale), words_of_site());
}

Words Values::words_of_site() const { return {parts_.settings.text("site_language")}; }

Words Values::words_of_enquiry(const json::Value& enquiry) const {
    return words_or(enquiry.text_or("locale"), words_of_site());
}

Words Values::words_of_account(std::int64_t user_id) const {
    return words_or(parts_.bookings.account_language(user_id), words_of_site());
}

Date Values::today() const { return parts_.settings.zone().date_at(parts_.clock.now()); }

std::string Values::day(const std::string& date, const Words& words) const {
    return words.day(settings::look_of(parts_.settings), date);
}

Variables Values::of_site() const {
    const auto admins = addresses_of(parts_.settings.text("admin_email"));
    return {{"site_name", parts_.settings.text("company_name")},
            {"site_url", parts_.site_url},
            {"admin_email", admins.empty() ? std::string() : admins.front()},
            {"admin_url", parts_.site_url + "/admin"},
            {"current_date", settings::look_of(parts_.settings).day(today())},
            {"current_year", std::to_string(today().year())}};
}

TagContext Values::context(std::int64_t id, const json::Value& booking, const json::Value& answers,
                           const Words& words) const {
    const std::string gateway = booking.text_or("payment_gateway");
    return {.id = id,
            .booking = booking,
            .answers = answers,
            .site_url = parts_.site_url,
            .booking_base = parts_.settings.text("booking_base"),
            .gateway_title = gateway.empty() ? gateway : parts_.bookings.gateway_title(gateway, words.locale),
            .trip_url = booking.text_or("trip_slug").empty() ? parts_.site_url : parts_.bookings.trip_page(booking),
            .look = settings::look_of(parts_.settings),
            .words = words,
            .company_phone = parts_.settings.text("company_phone")};
}

namespace {

// Of a booking that is not stored, as in a preview.
std::optional<booking::PlannedMoney> shown_terms(const json::Value& booking) {
    const auto currency = Currency::parse(booking.text_or("currency"));
    if (!currency)
        return std::nullopt;
    const auto money = [&](const char* member) {
        const auto amount = Money::parse(number_or_text(booking[member]), *currency);
        return amount ? *amount : Money::zero(*currency);
    };
    const Money nothing = Money::zero(*currency), total = money("total"), paid = money("amount_paid");
    const Money due = paid.is_zero() ? min(money("amount_due"), total) : nothing;
    return booking::PlannedMoney{
        {.total = total,
         .paid = paid,
         .refunded = nothing,
         .due_now = due,
         .rest = booking["amount_paid"].is_number() ? max(nothing, total - paid - due) : nothing,
         .gateway = booking.text_or("payment_gateway")}};
}

}  // namespace

// Events hold a booking as it was; an e-mail says what holds when it is made, so that none contradicts the one before.
json::Value Values::with_money(json::Value booking, const booking::MoneyTerms& terms) {
    booking.set("total", terms.total);
    booking.set("amount_paid", terms.paid - terms.refunded);
    booking.set("amount_due", terms.due_now.is_zero() ? terms.rest : terms.due_now);
    return booking;
}

Variables Values::of_booking(const Template& which, const Wording& wording, const BookingMail& mail,
                             const Words& words) const {
    const bool needs_answers =
        shows_answers(wording.subject + wording.body) || parts_.hooks.filtered(booking_email_variables.name);
    const json::Value answers = needs_answers ? parts_.bookings.answers(mail.booking_id) : json::Value();
    const Asked is_asked(wording, parts_.hooks);
    Variables variables = mail.more;
    std::optional<booking::PlannedMoney> stored;
    if (!is_for_staff(which.key) && !mail.is_preview) {
        auto page = parts_.bookings.booking_page(mail.booking_id, mail.booking);
        stored = std::move(page.money);
        variables.emplace("booking_url", std::move(page.url));
    } else if (!wording.body.empty()) {  // for a subject alone, the event's amounts do
        stored = parts_.bookings.money(mail.booking_id);
    }
    variables.merge(of_site());
    variables.merge(of_travelers(wording, mail, words));
    const json::Value booking = stored ? with_money(mail.booking, *stored) : mail.booking;
    if (which.key == "booking_confirmation" && is_asked("details_html"))
        variables.emplace("details_html", payment_instructions(booking, words));
    if (which.event_key == "booking.confirmed" && is_asked("reminder_checklist_html"))
        variables.emplace("reminder_checklist_html", checklist_html(words));
    TagContext about = context(mail.booking_id, booking, answers, words);
    about.money = stored ? stored : shown_terms(booking);
    if (is_asked("meeting_point") || is_asked("map_url"))
        about.meeting = parts_.bookings.meeting(mail.booking_id);
    const auto& of_cancelling = cancellation_tags();
    if (std::any_of(of_cancelling.begin(), of_cancelling.end(),
                    [&](const MergeTag& tag) { return is_asked(tag.name); }))
        about.cancellation = parts_.bookings.cancellation(mail.booking_id);
    variables.merge(values_of(about, is_asked));
    return filtered(std::move(variables), mail.booking);
}

// How to pay the open amount with an offline gateway.
std::string Values::payment_instructions(const json::Value& booking, const Words& words) const {
    const auto status = booking.text_or("status");
    const auto currency = Currency::parse(booking.text_or("currency"));
    if ((status != "pending" && status != "processing" && status != "on-hold") || !currency)
        return {};
    const auto amount = Money::parse(number_or_text(booking["amount_due"]), *currency);
    if (!amount || amount->is_zero())
        return {};
    const std::string text = parts_.bookings.instructions(booking.text_or("payment_gateway"), booking, words.locale);
    return text.empty() ? text : "<p>" + html_lines(text) + "</p>";
}

// Names and further answers, if the e-mail or a listener shows them.
Variables Values::of_travelers(const Wording& wording, const BookingMail& mail, const Words& words) const {
    const std::string& body = wording.body;
    const bool is_shown = body.find("travelers_list") != body.npos || body.find("traveler_custom_") != body.npos;
    if (!is_shown && !parts_.hooks.filtered(booking_email_variables.name))
        return {};
    std::vector<std::string> keys;
    for (const json::Value& key :
         parts_.hooks.apply(identity_field_keys, json::Value::array({"first_name", "last_name"}), {mail.booking})
             .items())
        if (key.is_string())
            keys.push_back(key.text());
    std::string list, items, details;
    for (const json::Value& fields : parts_.bookings.travelers(mail.booking_id)) {
        std::string name, rest;
        for (const std::string& key : keys)
            if (const std::string part = fields.text_or(key); !part.empty())
                name += (name.empty() ? "" : " ") + part;
        for (const auto& [key, value] : fields.members())
            if (value.is_string() && !value.text().empty() && std::find(keys.begin(), keys.end(), key) == keys.end())
                rest += list_item(label_of(key) + ": " + value.text());
        if (!name.empty()) {
            const std::string marked = texts::isolated(words.locale, name);
            list += (list.empty() ? "" : ", ") + marked;
            items += list_item(marked);
        }
        if (!rest.empty())
            details += "<p>" + html::escaped(name) + "</p><ul>" + rest + "</ul>";
    }
    return {{"travelers_list", list},
            {"travelers_list_html", items.empty() ? items : "<ul>" + items + "</ul>"},
            {"traveler_custom_fields_html", details}};
}

Variables Values::filtered(Variables variables, const json::Value& booking) const {
    const auto apply = [&](const hooks::Filter& filter, const Variables& values) {
        return variables_from(parts_.hooks.apply(filter, to_json(values), {booking}));
    };
    if (parts_.hooks.filtered(trip_variables.name)) {
        Variables of_trip;
        for (const char* name : {"trip_id", "trip_name", "trip_url"})
            of_trip[name] = variables[name];
        for (auto& [name, text] : apply(trip_variables, of_trip))
            variables[name] = std::move(text);
    }
    return parts_.hooks.filtered(booking_email_variables.name) ? apply(booking_email_variables, variables) : variables;
}

Variables Values::of_payment(const json::Value& payment, const Words& words) const {
    const auto currency = Currency::parse(payment.text_or("currency"));
    const auto amount = currency && payment["amount"].is_number()
                            ? Money::parse(payment["amount"].number_text(), *currency)
                            : Result<Money>(errc::not_found);
    return {{"payment_amount_formatted", amount ? settings::look_of(parts_.settings).amount(*amount) : std::string()},
            {"payment_method",
             parts_.bookings.gateway_title(payment.text_or("method_label", payment.text_or("method")), words.locale)},
            {"transaction_id", payment.text_or("transaction_id")}};
}

Variables Values::of_receipt(std::string_view status, const Words& words) {
    if (status == "waitlist")
        return {{"intro_paragraph",
                 words.say_text("All seats are taken. You are on the waiting list: as soon as seats for all of you are"
                                " free, they are yours and we write to you. There is nothing to pay until then.")},
                {"footer_note", words.say_text("Your place is kept in the order in which people asked.")}};
    return {{"intro_paragraph", words.say_text("Thank you for your booking. We have received it and will confirm it as"
                                               " soon as we can.")},
            {"footer_note", words.say_text("You will hear from us again once it is confirmed.")}};
}

Variables Values::of_reminder(const json::Value& booking, std::int64_t days) const {
    const Words words = words_of(booking);
    const json::Value no_answers;
    const std::string balance = still_to_pay(context(0, booking, no_answers, words));
    const std::string checklist = checklist_html(words);
    std::string note;
    if (!balance.empty())
        note = "<p>" + html::escaped(words.say_text("Still to pay: {amount}", {{"amount", balance}})) + "</p>";
    return {{"begins_when", words.say_text("{days, plural, =0 {today} =1 {tomorrow} other {in # days}}",
                                           {{"days", std::max<std::int64_t>(days, 0)}})},
            {"reminder_days", std::to_string(days)},
            {"days_until_trip", std::to_string(days)},
            {"reminder_checklist_html", checklist},
            {"reminder_extra_html", note + checklist}};
}

}  // namespace svc::messaging
