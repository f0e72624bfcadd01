// The merge tags of e-mails about a booking, and where their values come from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messaging/templates/render.hpp"
#include "base/messaging/templates/words.hpp"
#include "base/sales/booking/cancellation/agreed.hpp"
#include "base/sales/booking/record/meeting.hpp"
#include "base/sales/booking/record/payment_plan.hpp"
#include "base/settings/values/look.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::messaging {

// The source of the values of a booking's tags.
struct TagContext {
    std::int64_t id = 0;
    const json::Value& booking;  // as on the wire
    const json::Value& answers;  // of Bookings::answers, or null
    std::string site_url = {}, booking_base = {}, gateway_title = {}, trip_url = {};
    settings::Look look = {};
    Words words = {};
    std::optional<booking::PlannedMoney> money = {};  // nothing: it has no amounts
    booking::Meeting meeting = {};
    std::optional<booking::ShownCancellation> cancellation = {};  // nothing: nothing is agreed
    std::string company_phone = {};
};

struct MergeTag {
    std::string_view name;
    std::string (*value)(const TagContext&);
    bool of_answers = false;
};
// Those that every e-mail about a booking has, besides the answers to the form.
const std::vector<MergeTag>& booking_tags();

// Those about cancelling, in cancellation_tags.cpp.
const std::vector<MergeTag>& cancellation_tags();

// A name that texts of e-mails may use.
struct KnownTag {
    std::string key;                       // "customer_name"; "contact_*" is whatever begins with "contact_"
    std::vector<std::string> events = {};  // event keys of the e-mails that have it; empty: all
    std::string label = {}, description = {}, category = {}, sample = {};  // for those who write templates (spec 2.9)
    bool is_secret = false;  // its value holds a link that grants access (base/messaging/templates/secrets.hpp)
};
// No e-mail of the base has this event: its tags belong to e-mails of plugins about a booking.
inline constexpr std::string_view about_bookings_of_plugins = "plugin.about_booking";

// Those of the base.
std::vector<KnownTag> base_tags();
// The tags that e-mails of an event have, after the filters svc_email_merge_tag_definitions and
// svc_email_event_variables; each once.
std::vector<KnownTag> tags_of(const hooks::Hooks& hooks, std::string_view event_key);
std::vector<KnownTag> defined_tags(const hooks::Hooks& hooks);  // of all events, after the first of the two
// {category: [tag, …], …}, after svc_email_template_variables_catalog.
json::Value grouped(const hooks::Hooks& hooks, const std::vector<KnownTag>& tags);
// As svc_email_merge_tag_definitions passes them: [{"key", "label", "events", …}, …]. Drops entries that are no tag.
json::Value to_json(const std::vector<KnownTag>& tags);
std::vector<KnownTag> tags_from(const json::Value& definitions);
// The first tag of a template's text that an e-mail of that event does not have, in one sentence that suggests the
// nearest one that it has; nothing when all are known.
std::optional<Sentence> unknown_tag(std::string_view text, std::string_view event_key,
                                    const std::vector<KnownTag>& tags);

// The values of booking_tags() that are asked for, contact_{field} and emergency_{field}; without the answers those
// that need none.
Variables values_of(const TagContext& context, const std::function<bool(std::string_view tag)>& is_asked);
// The formatted balance; empty if it is zero.
std::string still_to_pay(const TagContext& context);
// Whether a text shows answers to the booking form.
bool shows_answers(std::string_view text);
// A text of several lines, escaped.
std::string html_lines(std::string_view text);
// "date_of_birth" as "Date of birth".
std::string label_of(std::string key);
// A number as it is written, or a text; empty for any other value.
std::string number_or_text(const json::Value& value);

}  // namespace svc::messaging
