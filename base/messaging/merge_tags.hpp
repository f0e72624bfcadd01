// The merge tags of e-mails about a booking, and where their values come from.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messaging/render.hpp"
#include "base/settings/look.hpp"
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
};

// A booking as an e-mail tells of it.
struct Told {
    std::int64_t id = 0;
    const json::Value& booking;  // as on the wire
    const json::Value& answers;  // of BookingSources, or null
    std::string site_url = {}, booking_base = {}, gateway_title = {}, trip_url = {};
    settings::Look look = {};
};

struct MergeTag {
    std::string_view name;
    std::string (*value)(const Told&);
    bool of_answers = false;
};
// Those that every e-mail about a booking has, besides the answers to the form.
const std::vector<MergeTag>& booking_tags();

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
