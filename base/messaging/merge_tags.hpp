// The merge tags of e-mails about a booking, and where their values come from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messaging/render.hpp"
#include "base/messaging/words.hpp"
#include "base/settings/look.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::messaging {

// What e-mails about bookings ask of the parts around them; each may be empty, and so is then what it tells.
struct BookingSources {
    // How to pay with an offline gateway; empty for the others.
    std::function<std::string(const std::string& gateway, const json::Value& booking)> instructions = {};
    // What customers know a gateway by.
    std::function<std::string(const std::string& gateway)> gateway_title = {};
    // Where the page of a booking's trip is; empty: at the site's own address.
    std::function<std::string(const json::Value& booking)> trip_url = {};
    // special_requests, contact_data and emergency_contact of a booking: read for the texts that show them.
    std::function<json::Value(std::int64_t booking_id)> answers = {};
    // A trip's id, title, slug, trip_type and categories (those above its own too), or null: asked for listeners that
    // choose a text by the trip.
    std::function<json::Value(std::int64_t trip_id)> trip = {};
    // The language of an account; empty: it has chosen none.
    std::function<std::string(std::int64_t user_id)> account_locale = {};
};

// A booking as an e-mail tells of it.
struct Told {
    std::int64_t id = 0;
    const json::Value& booking;  // as on the wire
    const json::Value& answers;  // of BookingSources, or null
    std::string site_url = {}, booking_base = {}, gateway_title = {}, trip_url = {};
    settings::Look look = {};
    Words words = {};
};

struct MergeTag {
    std::string_view name;
    std::string (*value)(const Told&);
    bool of_answers = false;
};
// Those that every e-mail about a booking has, besides the answers to the form.
const std::vector<MergeTag>& booking_tags();

// A name that texts of e-mails may use.
struct KnownTag {
    std::string key;                       // "customer_name"; "contact_*" is whatever begins with "contact_"
    std::vector<std::string> events = {};  // event keys of the e-mails that have it; empty: all
    std::string label = {}, description = {}, category = {}, sample = {};  // for whoever writes templates (spec 2.9)
};
// Those of the base.
std::vector<KnownTag> base_tags();
// The tags that e-mails of an event have, after the filters svc_email_merge_tag_definitions and
// svc_email_event_variables; each once.
std::vector<KnownTag> tags_of(const hooks::Hooks& hooks, std::string_view event_key);
std::vector<KnownTag> defined_tags(const hooks::Hooks& hooks);  // of all events, after the first of the two
// {category: [tag, …], …}, after svc_email_template_variables_catalog.
json::Value grouped(const hooks::Hooks& hooks, const std::vector<KnownTag>& tags);
// As svc_email_merge_tag_definitions passes them: [{"key", "label", "events", …}, …]. What is no tag is left out.
json::Value to_json(const std::vector<KnownTag>& tags);
std::vector<KnownTag> tags_from(const json::Value& definitions);
// The first tag of a template's text that an e-mail of that event does not have, in one sentence that suggests the
// nearest one that it has; nothing when all are known.
std::optional<std::string> unknown_tag(std::string_view text, std::string_view event_key,
                                       const std::vector<KnownTag>& tags);

// The values of all these, and contact_{field} and emergency_{field} of what was answered; without the answers what
// can be told without them.
Variables values_of(const Told& told);
// What of the whole price is not paid yet, as it is written; empty when nothing is.
std::string still_to_pay(const Told& told);
// Whether a text shows something of BookingSources::answers.
bool shows_answers(std::string_view text);
// A text of several lines, escaped.
std::string html_lines(std::string_view text);

}  // namespace svc::messaging
