// Which merge tags the texts of each e-mail may use, and which one a misspelt tag means.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/messaging/merge_tags.hpp"

namespace svc::messaging {
namespace {

using Names = std::vector<std::string>;

// "booking.*" stands for every event that begins with "booking.".
const Names of_bookings{"booking.*", "payment.*", "reminder.*", "marketing.*", "scheduled.*"};

bool fits(std::string_view pattern, std::string_view text) {
    return pattern.ends_with('*') ? text.starts_with(pattern.substr(0, pattern.size() - 1)) : text == pattern;
}

bool has_event(const KnownTag& tag, std::string_view event_key) {
    return tag.events.empty() || std::any_of(tag.events.begin(), tag.events.end(),
                                             [&](const std::string& event) { return fits(event, event_key); });
}

// The names that a text asks for; sections and inverted ones too.
std::set<std::string> names_in_template(std::string_view text) {
    std::set<std::string> names;
    for (auto open = text.find("{{"); open != std::string_view::npos; open = text.find("{{", open)) {
        const auto close = text.find("}}", open);
        if (close == std::string_view::npos)
            break;
        std::string_view inside = text.substr(open + 2, close - open - 2);
        open = close + 2;
        if (inside.starts_with('='))
            break;  // other delimiters from here on
        if (inside.starts_with('!'))
            continue;
        const auto from = inside.find_first_not_of(" \t\r\n{&#^/>");
        if (from == std::string_view::npos)
            continue;
        inside.remove_prefix(from);
        inside = inside.substr(0, inside.find_last_not_of(" \t\r\n}") + 1);
        if (inside != ".")
            names.emplace(inside);
    }
    return names;
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

void add_tags(std::vector<KnownTag>& tags, const Names& events, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        tags.push_back({std::string(key), events});
}

}  // namespace

std::vector<KnownTag> base_tags() {
    std::vector<KnownTag> tags;
    add_tags(tags, {}, {"site_name", "site_url", "admin_email", "admin_url", "current_date", "current_year"});
    // E-mails that prove a guest's address are about a booking as well.
    Names bookings = of_bookings;
    bookings.emplace_back("account.email_verification");
    for (const MergeTag& tag : booking_tags())
        tags.push_back({std::string(tag.name), bookings});
    add_tags(tags, bookings,
             {"travelers_list", "travelers_list_html", "traveler_custom_fields_html", "contact_*", "emergency_*"});

    add_tags(tags, {"booking.created", "booking.waitlist_promoted"},
             {"intro_paragraph", "details_html", "footer_note"});
    add_tags(tags, {"booking.cancelled", "booking.expired"}, {"cancellation_reason"});
    add_tags(tags, {"booking.completed", "marketing.review_request"}, {"completion_date"});
    add_tags(tags, {"booking.expired"}, {"expiry_policy_note"});
    add_tags(tags, {"booking.rescheduled"}, {"old_travel_date", "departure_time"});
    add_tags(tags, {"departure.seats_low"},
             {"trip_name", "travel_date", "departure_time", "seats_left", "seats_total"});
    add_tags(tags, {"payment.received", "payment.partial_received", "payment.in_review"},
             {"payment_amount_formatted", "payment_method", "transaction_id"});
    add_tags(tags, {"payment.in_review"}, {"reason"});
    add_tags(tags, {"payment.refunded"},
             {"refund_amount_formatted", "refund_reason", "credit_note_number", "credit_note_url"});
    add_tags(tags, {"payment.reminder"}, {"due_date"});
    add_tags(tags, {"reminder.trip"}, {"days_until_trip", "reminder_days", "reminder_extra_html", "begins_when"});
    add_tags(tags, {"scheduled.*"},
             {"scheduled_amount_formatted", "scheduled_date_formatted", "payment_type_label", "scheduled_payment_id",
              "balance_payment_url", "balance_after_formatted", "failure_reason", "failure_intro_html",
              "failure_followup_html"});
    add_tags(tags, {"marketing.review_request"}, {"review_url"});
    add_tags(
        tags, {"enquiry.*"},
        {"customer_name", "customer_email", "customer_phone", "trip_name", "trip_url", "enquiry_id", "enquiry_date",
         "subject", "message", "original_message", "response", "response_message", "response_date"});
    add_tags(tags, {"consent.requested"},
             {"booking_reference", "trip_name", "travel_date", "recipient_name", "form_name", "consent_link",
              "consent_test_notice_html", "expiry_notice_html"});
    add_tags(tags, {"account.*"},
             {"customer_name", "customer_first_name", "customer_email", "verification_link", "intro_paragraph",
              "footer_note", "expiry_notice_html", "details_html", "new_email"});
    add_tags(tags, {"booking.abandoned_recovery"}, {"recovery_link", "recovery_reminder_label", "recovery_intro_html"});
    return tags;
}

json::Value to_json(const std::vector<KnownTag>& tags) {
    json::Value list = json::Value::array();
    for (const KnownTag& tag : tags) {
        json::Value events = json::Value::array();
        for (const std::string& event : tag.events)
            events.push(event);
        list.push(json::Value::object({{"key", tag.key}, {"events", std::move(events)}}));
    }
    return list;
}

std::vector<KnownTag> tags_from(const json::Value& definitions) {
    std::vector<KnownTag> tags;
    for (const json::Value& each : definitions.items()) {
        KnownTag tag{.key = each.text_or("key")};
        if (each["events"].is_array())
            for (const json::Value& event : each["events"].items())
                if (event.is_string())
                    tag.events.push_back(event.text());
        if (!tag.key.empty())
            tags.push_back(std::move(tag));
    }
    return tags;
}

std::optional<std::string> unknown_tag(std::string_view text, std::string_view event_key,
                                       const std::vector<KnownTag>& tags) {
    const auto asked = names_in_template(text);
    if (asked.empty())
        return std::nullopt;
    Names known;
    for (const KnownTag& tag : tags)
        if (has_event(tag, event_key))
            known.push_back(tag.key);
    for (const std::string& name : asked) {
        if (std::any_of(known.begin(), known.end(), [&](const std::string& each) { return fits(each, name); }))
            continue;
        constexpr std::size_t most_shown = 60;
        std::string sentence = "Unknown tag in this e-mail: {{ " + name.substr(0, most_shown) + " }}.";
        if (const std::string meant = nearest(name, known); !meant.empty())
            sentence += " Did you mean {{ " + meant + " }}?";
        return sentence;
    }
    return std::nullopt;
}

}  // namespace svc::messaging
