// Which merge tags the texts of each e-mail may use, and which one a misspelt tag means.
#include <algorithm>
#include <numeric>

#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/mailed_links.hpp"
#include "base/messaging/templates/merge_tags.hpp"
#include "base/messaging/templates/tag_descriptions.hpp"

namespace svc::messaging {
namespace {

using Names = std::vector<std::string>;

// "booking.*" matches every event that begins with "booking.".
const Names of_bookings{"booking.*", "payment.*", "reminder.*", "marketing.*"};

bool fits(std::string_view pattern, std::string_view text) {
    return pattern.ends_with('*') ? text.starts_with(pattern.substr(0, pattern.size() - 1)) : text == pattern;
}

bool has_event(const KnownTag& tag, std::string_view event_key) {
    return tag.events.empty() || std::any_of(tag.events.begin(), tag.events.end(),
                                             [&](const std::string& event) { return fits(event, event_key); });
}

// How many letters are added, taken away or changed between two words.
std::size_t letters_apart(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

std::string nearest(std::string_view name, const Names& known) {
    constexpr std::size_t longest = 64;
    std::string best;
    std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
    if (name.size() > longest)
        return best;
    for (const std::string& each : known) {
        if (each.ends_with('*'))
            continue;
        if (const std::size_t apart = letters_apart(name, each); apart < least) {
            least = apart;
            best = each;
        }
    }
    return best;
}

// One tag as it is listed below.
struct TagRow {
    std::string_view key, label, sample, description = {};
    bool is_secret = false;
};

// Of a tag whose value holds a link that grants access: see base/messaging/templates/secrets.hpp.
constexpr TagRow secret(TagRow row) {
    row.is_secret = true;
    return row;
}

void add_tags(std::vector<KnownTag>& tags, const Names& events, std::string_view category,
              std::initializer_list<TagRow> rows) {
    for (const TagRow& row : rows)
        tags.push_back(
            {.key = std::string(row.key),
             .events = events,
             .label = std::string(row.label),
             .description = std::string(row.description.empty() ? description_of_tag(row.key) : row.description),
             .category = std::string(category),
             .sample = std::string(row.sample),
             .is_secret = row.is_secret || carries_secret(row.key)});
}

void add_general(std::vector<KnownTag>& tags) {
    add_tags(tags, {}, "general",
             {{"site_name", "Site name", "Blue Mountain Tours"},
              {"site_url", "Site address", "https://example.com"},
              {"admin_email", "Operator's address", "office@example.com"},
              {"admin_url", "Admin's address", "https://example.com/admin"},
              {"current_date", "Today", "2027-03-14"},
              {"current_year", "This year", "2027"}});
}

void add_cancelling(std::vector<KnownTag>& tags, const Names& bookings) {
    add_tags(tags, bookings, "cancelling",
             {{"cancellation_terms", "What cancelling costs, as sentences",
               "Cancelling is free until Mon, 19 April 2027. After that, the full price of USD 2,400.00 is due."},
              {"cancellation_terms_html", "What cancelling costs, as a list",
               "<ul><li>Cancelling is free until Mon, 19 April 2027.</li><li>After that, the full price of USD 2,400.00"
               " is due.</li></ul>"},
              {"free_cancellation_until", "Last day on which cancelling is free", "Mon, 19 April 2027"},
              {"cancellation_fee", "What the cancellation costs", "USD 120.00"},
              {"cancellation_returned", "What was paid beyond it", "USD 280.00"}});
}

void add_booking(std::vector<KnownTag>& tags, const Names& bookings) {
    add_tags(tags, bookings, "customer",
             {{"customer_name", "Customer's name", "Ada Lovelace"},
              {"customer_first_name", "Customer's first name", "Ada"},
              {"customer_last_name", "Customer's last name", "Lovelace"},
              {"customer_email", "Customer's address", "ada@example.com"},
              {"customer_phone", "Customer's phone", "+44 20 7946 0000"},
              {"contact_*", "Answer to a contact field", "Answer", "contact_ and the id of the form's field."},
              {"emergency_*", "Answer to an emergency field", "Answer", "emergency_ and the id of the form's field."}});
    add_tags(tags, bookings, "booking",
             {{"booking_reference", "Booking reference", "SVC-7K3M9Q2P"},
              {"booking_id", "Booking's number", "1042"},
              {"booking_url", "Page of the booking", "https://example.com/book/confirmation/SVC-7K3M9Q2P"},
              {"admin_booking_url", "The booking in the admin", "https://example.com/admin/bookings/1042"},
              {"booking_status_label", "Status of the booking, in words", "Confirmed"},
              {"booking_status", "Status of the booking", "confirmed"},
              {"payment_status", "Status of the payment", "partial"},
              {"trip_id", "Trip's number", "17", "0 when there is none."},
              {"trip_name", "Trip", "Annapurna Circuit"},
              {"trip_url", "Page of the trip", "https://example.com/trip/annapurna-circuit"},
              {"travel_date", "Day of travel", "2027-05-03"},
              {"return_date", "Last day", "2027-05-14"},
              {"travel_period", "First and last day, with the time", "Mon, 3 May 2027 – Fri, 14 May 2027"},
              {"departure_time", "Time of departure", "09:00"},
              {"meeting_point", "Where the trip begins", "Hotel Annapurna, Lakeside 6"},
              {"map_url", "A map of it", "https://www.openstreetmap.org/"},
              {"company_phone", "Your telephone number", "+44 20 7946 0000"},
              {"travelers_count", "Number of travelers", "2"},
              {"travelers_list", "Travelers' names", "Ada Lovelace, Charles Babbage"},
              {"travelers_list_html", "Travelers' names as a list",
               "<ul><li>Ada Lovelace</li><li>Charles Babbage</li></ul>"},
              {"traveler_custom_fields_html", "What the travelers answered",
               "<p>Ada Lovelace</p><ul><li>Diet: vegetarian</li></ul>"},
              {"booking_custom_fields_html", "What the contact answered", "<ul><li>Hotel: Lakeside</li></ul>"},
              {"special_requests", "Special requests", "A quiet room, please."},
              {"special_requests_html", "Special requests, with line breaks", "A quiet room, please."}});
    add_cancelling(tags, bookings);
    add_tags(tags, bookings, "payment",
             {{"money_rows_html", "What is paid, what is due and when, as rows of a table",
               "<tr><th>Total</th><td>USD 2,400.00</td></tr>"},
              {"total_amount", "Total, digits alone", "2400.00"},
              {"total_amount_formatted", "Total", "USD 2,400.00"},
              {"amount_paid", "Paid so far, digits alone", "480.00"},
              {"amount_paid_formatted", "Paid so far", "USD 480.00"},
              {"amount_due", "Still to pay", "USD 1,920.00"},
              {"amount_due_formatted", "Still to pay", "USD 1,920.00"},
              {"balance_due", "Still to pay", "USD 1,920.00"},
              {"pay_now_amount_formatted", "To be paid now", "USD 480.00"},
              {"currency", "Currency", "USD"},
              {"payment_gateway", "Way of paying, its key", "bank_transfer"},
              {"payment_gateway_label", "Way of paying", "Bank transfer"},
              {"payment_schedule", "Payment option, its key", "deposit", "full, deposit or partial."},
              {"payment_schedule_label", "Payment option", "Deposit"}});
}

void add_narrow(std::vector<KnownTag>& tags) {
    add_tags(tags, {"booking.created", "booking.waitlist_promoted"}, "booking",
             {{"intro_paragraph", "What has happened",
               "Thank you for your booking. We have received it and will confirm it as soon as we can."},
              secret({"details_html", "How to pay",
                      "<p>Please transfer the amount to IBAN DE02 1203 0000 0000 2020 51.</p>"}),
              {"footer_note", "What happens next", "You will hear from us again once it is confirmed."}});
    add_tags(tags, {"booking.cancelled", "booking.expired"}, "booking",
             {{"cancellation_reason", "Why it was cancelled", "The customer asked for it."}});
    add_tags(tags, {"booking.completed", "marketing.review_request"}, "booking",
             {{"completion_date", "Day of completion", "2027-05-14"}});
    add_tags(tags, {"booking.expired"}, "booking",
             {{"expiry_policy_note", "Why it has ended", "No payment reached us within 24 hours."}});
    add_tags(tags, {"booking.rescheduled"}, "booking",
             {{"old_travel_date", "Former day", "2027-04-26"}, {"departure_time", "Time of departure", "09:00"}});
    add_tags(tags, {"staff.digest"}, "staff",
             {{"mails_count", "Number of e-mails held back", "12"},
              {"mails_list_html", "Their subjects as a list", "<ul><li>New booking SVC-7K3M9Q2P</li></ul>"}});
    add_tags(tags, {"departure.seats_low"}, "departure",
             {{"trip_name", "Trip", "Annapurna Circuit"},
              {"travel_date", "Day of travel", "2027-05-03"},
              {"departure_time", "Time of departure", "09:00"},
              {"seats_left", "Seats left", "2"},
              {"seats_total", "Seats", "12"}});
    add_tags(tags, {"payment.received", "payment.partial_received", "payment.in_review"}, "payment",
             {{"payment_amount_formatted", "Amount of this payment", "USD 480.00"},
              {"payment_method", "Paid by", "Card"},
              {"transaction_id", "The provider's number", "ch_3Nf82kL"}});
    add_tags(tags, {"payment.in_review"}, "payment",
             {{"reason", "Why it needs a look", "The amount differs from what was asked."}});
    add_tags(tags, {"payment.refunded"}, "payment",
             {{"refund_amount_formatted", "Amount sent back", "USD 480.00"},
              {"refund_reason", "Reason of the refund", "Cancelled in time."},
              {"credit_note_number", "Number of the credit note", "CN-2027-0004"},
              {"credit_note_url", "The credit note", "https://example.com/svc/v1/payment/1/credit-note"}});
    add_tags(tags, {"payment.reminder"}, "payment", {{"due_date", "To be paid by", "2027-03-20"}});
    add_tags(tags, {"reminder.trip"}, "reminder",
             {{"days_until_trip", "Days until the trip", "3"},
              {"reminder_days", "Days until the trip", "3"},
              {"begins_when", "When it begins, in words", "in 3 days"},
              {"reminder_extra_html", "What is still to be paid, and what to think of",
               "<p>Still to pay: USD 640.00</p><ul><li>A valid passport or identity card</li></ul>"}});
    add_tags(tags, {"reminder.trip", "booking.confirmed"}, "reminder",
             {{"reminder_checklist_html", "What to think of", "<ul><li>A valid passport or identity card</li></ul>"}});
    add_tags(tags, {std::string(about_bookings_of_plugins)}, "payment",
             {{"balance_payment_url", "Page that pays the rest", "https://example.com/book/pay"}});
    add_tags(tags, {"marketing.review_request"}, "reminder",
             {{"review_url", "Page for the review", "https://example.com/review"}});
}

void add_others(std::vector<KnownTag>& tags) {
    // Anybody can enter anybody's address into the form.
    constexpr const char* not_echoed = "Empty in enquiry_received, whose recipient may not be the sender.";
    add_tags(tags, {"enquiry.*"}, "enquiry",
             {{"customer_name", "Sender's name", "Ada Lovelace", not_echoed},
              {"customer_email", "Sender's address", "ada@example.com"},
              {"customer_phone", "Sender's phone", "+44 20 7946 0000", not_echoed},
              {"trip_name", "Trip", "Annapurna Circuit"},
              {"trip_url", "Page of the trip", "https://example.com/trip/annapurna-circuit"},
              {"enquiry_id", "Enquiry's number", "311"},
              {"enquiry_date", "Day of the enquiry", "2027-03-12"},
              {"subject", "Subject", "", "Always empty: the form has no subject."},
              {"message", "Message", "Is the trip suitable for children of ten?", not_echoed},
              {"original_message", "Message", "Is the trip suitable for children of ten?", not_echoed}});
    add_tags(tags, {"enquiry.responded"}, "enquiry",
             {{"response", "Answer", "Yes, with some experience in hiking."},
              {"response_message", "Answer", "Yes, with some experience in hiking."},
              {"response_date", "Day of the answer", "2027-03-14"}});
    add_tags(tags, {"consent.requested"}, "consent",
             {{"booking_reference", "Booking reference", "SVC-7K3M9Q2P"},
              {"trip_name", "Trip", "Annapurna Circuit"},
              {"travel_date", "Day of travel", "2027-05-03"},
              {"recipient_name", "Recipient's name", "Ada Lovelace"},
              {"form_name", "Name of the form", "Waiver"},
              {"consent_link", "Page to sign on", "https://example.com/consent/token"},
              {"consent_test_notice_html", "Notice of a test", ""},
              {"expiry_notice_html", "How long the link is valid", "<p>The link is valid until 2027-05-01.</p>"}});
    add_tags(tags, {"account.*"}, "account",
             {{"customer_name", "Holder's name", "Ada Lovelace"},
              {"customer_first_name", "Holder's first name", "Ada"},
              {"customer_email", "Holder's address", "ada@example.com"},
              {"verification_link", "The link to follow", "https://example.com/verify?token=token"},
              {"expiry_notice_html", "How long the link is valid", "<p>The link is valid for a day.</p>"},
              {"details_html", "Further details", ""},
              {"account_email", "The account, its address shortened", "a***@example.com"},
              {"new_email", "New address", "ada@example.org"}});
    constexpr const char *about = "What this is about", *otherwise = "If it was somebody else";
    add_tags(tags, {"account.email_verification"}, "account",
             {{"intro_paragraph", about,
               "Thank you for registering. Please confirm that this address is yours and choose your password."},
              {"footer_note", otherwise, "If you have not registered, there is nothing to do."}});
    add_tags(tags, {"account.password_reset"}, "account",
             {{"intro_paragraph", about, "Somebody, perhaps you, asked for a new password."},
              {"footer_note", otherwise, "If it was not you, there is nothing to do: your password stays as it is."}});
    add_tags(
        tags,
        {"account.privacy_link", "account.email_change_request", "account.email_changed", "account.registered_again"},
        "account",
        {{"intro_paragraph", about, "Somebody, perhaps you, wants to use this address for the account named below."},
         {"footer_note", otherwise, "If it was not you, there is nothing to do: nothing is changed."}});
    add_tags(tags, {"booking.abandoned_recovery"}, "recovery",
             {{"recovery_link", "Page that goes on with the booking", "https://example.com/recover/token"},
              {"recovery_reminder_label", "Which reminder it is", "First reminder"},
              {"recovery_intro_html", "What this is about", "<p>Your choices are kept for you.</p>"},
              {"recovery_rows_html", "Date, travelers and price as rows of a table",
               "<tr><th>Date</th><td>Tue, 4 May 2027</td></tr>"},
              {"recovery_coupon_html", "The coupon of this reminder, where it has one",
               "<p>With the code <strong>BACK-7H2K9M</strong> you pay 10 % less until 11 May 2027.</p>"},
              {"recovery_stop_link", "Page that ends the reminders", "https://example.com/no-reminders/token"}});
}

}  // namespace

std::vector<KnownTag> base_tags() {
    std::vector<KnownTag> tags;
    add_general(tags);
    // E-mails that prove a guest's address are about a booking as well.
    Names bookings = of_bookings;
    bookings.emplace_back("account.email_verification");
    add_booking(tags, bookings);
    add_narrow(tags);
    add_others(tags);
    return tags;
}

std::vector<KnownTag> defined_tags(const hooks::Hooks& hooks) {
    std::vector<KnownTag> defined = base_tags();
    return hooks.filtered(merge_tag_definitions.name)
               ? tags_from(hooks.apply(merge_tag_definitions, to_json(defined), {}))
               : defined;
}

std::vector<KnownTag> tags_of(const hooks::Hooks& hooks, std::string_view event_key) {
    std::vector<KnownTag> defined = defined_tags(hooks);
    std::vector<KnownTag> tags;
    for (KnownTag& tag : defined) {
        const auto same = [&](const KnownTag& other) { return other.key == tag.key; };
        if (has_event(tag, event_key) && std::none_of(tags.begin(), tags.end(), same))
            tags.push_back(std::move(tag));
    }
    if (!hooks.filtered(event_variables.name))
        return tags;
    json::Value keys = json::array_of(tags, [&](const KnownTag& tag) { return tag.key; });
    std::vector<KnownTag> kept;
    for (const json::Value& key : hooks.apply(event_variables, std::move(keys), {event_key}).items()) {
        if (!key.is_string())
            continue;
        const auto known =
            std::find_if(tags.begin(), tags.end(), [&](const KnownTag& tag) { return tag.key == key.text(); });
        kept.push_back(known != tags.end() ? *known : KnownTag{.key = key.text(), .events = {std::string(event_key)}});
    }
    return kept;
}

json::Value grouped(const hooks::Hooks& hooks, const std::vector<KnownTag>& tags) {
    json::Value groups = json::Value::object();
    for (const KnownTag& tag : tags) {
        json::Value group = groups[tag.category.empty() ? "general" : tag.category];
        group.push(to_json({tag})[std::size_t{0}]);
        groups.set(tag.category.empty() ? "general" : tag.category, std::move(group));
    }
    return hooks.filtered(variables_catalog.name) ? hooks.apply(variables_catalog, std::move(groups), {}) : groups;
}

json::Value to_json(const std::vector<KnownTag>& tags) {
    json::Value list = json::Value::array();
    for (const KnownTag& tag : tags) {
        json::Value events = json::Value::array();
        for (const std::string& event : tag.events)
            events.push(event);
        list.push(json::Value::object({{"key", tag.key},
                                       {"label", tag.label},
                                       {"description", tag.description},
                                       {"category", tag.category},
                                       {"sample", tag.sample},
                                       {"is_secret", tag.is_secret},
                                       {"events", std::move(events)}}));
    }
    return list;
}

std::vector<KnownTag> tags_from(const json::Value& definitions) {
    std::vector<KnownTag> tags;
    for (const json::Value& each : definitions.items()) {
        KnownTag tag{.key = each.text_or("key"),
                     .label = each.text_or("label"),
                     .description = each.text_or("description"),
                     .category = each.text_or("category"),
                     .sample = each.text_or("sample"),
                     .is_secret = each.maybe_boolean("is_secret").value_or(false)};
        if (each["events"].is_array())
            for (const json::Value& event : each["events"].items())
                if (event.is_string())
                    tag.events.push_back(event.text());
        if (!tag.key.empty())
            tags.push_back(std::move(tag));
    }
    return tags;
}

std::optional<Sentence> unknown_tag(std::string_view text, std::string_view event_key,
                                    const std::vector<KnownTag>& tags) {
    const auto read = as_template(text);
    if (!read || read->tags().empty())
        return std::nullopt;
    Names known;
    for (const KnownTag& tag : tags)
        if (has_event(tag, event_key))
            known.push_back(tag.key);
    for (const std::string& name : read->tags()) {
        if (name == ".")
            continue;
        if (std::any_of(known.begin(), known.end(), [&](const std::string& each) { return fits(each, name); }))
            continue;
        constexpr std::size_t most_shown = 60;
        const auto braced = [](std::string_view tag) { return "{{ " + std::string(tag) + " }}"; };
        const std::string shown = braced(std::string_view(name).substr(0, most_shown));
        if (const std::string meant = nearest(name, known); !meant.empty())
            return "Unknown tag in this e-mail: {tag}. Did you mean {meant}?"_sentence.with("tag", shown)
                .with("meant", braced(meant));
        return "Unknown tag in this e-mail: {tag}."_sentence.with("tag", shown);
    }
    return std::nullopt;
}

}  // namespace svc::messaging
