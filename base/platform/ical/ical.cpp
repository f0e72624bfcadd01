// Builds the components and lets libical write them.
#include "base/platform/ical/ical.hpp"

#include <algorithm>
#include <cstdlib>
#include <libical/ical.h>
#include <memory>
#include <new>

#include "shared/core/uri.hpp"

namespace svc::ical {
namespace {

struct Free {
    void operator()(icalcomponent* component) const { icalcomponent_free(component); }
    void operator()(icalproperty* property) const { icalproperty_free(property); }
    void operator()(char* text) const { std::free(text); }
};

template <class T>
T* made(T* thing) {
    if (!thing)
        throw std::bad_alloc();
    return thing;
}

icaltimetype day(Date date) {
    icaltimetype time = icaltime_null_date();
    time.year = date.year();
    time.month = static_cast<int>(date.month());
    time.day = static_cast<int>(date.day());
    return time;
}

icaltimetype moment(Instant instant) {
    return icaltime_from_timet_with_zone(static_cast<time_t>(instant.seconds()), 0, icaltimezone_get_utc_timezone());
}

void add(icalcomponent* component, icalproperty* property) { icalcomponent_add_property(component, made(property)); }

void add_named(icalcomponent* component, const char* name, const std::string& value) {
    icalproperty* property = made(icalproperty_new_x(value.c_str()));
    icalproperty_set_x_name(property, name);
    icalcomponent_add_property(component, property);
}

// Lines of at most 75 bytes, broken between characters, as RFC 5545 (3.1) has them.
std::string folded_line(std::string_view line) {
    constexpr std::size_t longest = 75;
    std::string out;
    std::size_t length = 0;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at + 1;
        while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U)
            ++end;
        if (length + (end - at) > longest) {
            out += "\r\n ";
            length = 1;
        }
        out += line.substr(at, end - at);
        length += end - at;
        at = end;
    }
    return out + "\r\n";
}

// The name for clients without RFC 7986. libical does not escape commas in unknown properties, so the line is derived
// from the known one.
std::string old_name_line(const std::string& name) {
    const std::unique_ptr<icalproperty, Free> known(made(icalproperty_new_name(name.c_str())));
    const std::unique_ptr<char, Free> written(made(icalproperty_as_ical_string_r(known.get())));
    std::string line = "X-WR-CAL" + std::string(written.get());
    for (auto at = line.find("\r\n "); at != std::string::npos; at = line.find("\r\n ", at))
        line.erase(at, 3);
    while (line.ends_with("\r\n"))
        line.resize(line.size() - 2);
    return folded_line(line);
}

icalcomponent* component_of(const Event& event) {
    std::unique_ptr<icalcomponent, Free> component(made(icalcomponent_new_vevent()));
    icalcomponent* to = component.get();
    add(to, icalproperty_new_uid(event.uid.c_str()));
    add(to, icalproperty_new_dtstamp(moment(event.changed)));
    add(to, icalproperty_new_lastmodified(moment(event.changed)));
    add(to, icalproperty_new_sequence(static_cast<int>(event.sequence)));
    // An end is the first moment after, for days too.
    add(to, icalproperty_new_dtstart(event.starts ? moment(*event.starts) : day(event.first)));
    add(to, icalproperty_new_dtend(event.starts ? moment(event.ends.value_or(*event.starts))
                                                : day(event.last.plus_days(1))));
    add(to, icalproperty_new_summary(event.summary.c_str()));
    if (!event.description.empty())
        add(to, icalproperty_new_description(event.description.c_str()));
    if (!event.location.empty())
        add(to, icalproperty_new_location(event.location.c_str()));
    if (!event.url.empty())
        add(to, icalproperty_new_url(text::uri_of(event.url).c_str()));
    add(to, icalproperty_new_status(event.cancelled ? ICAL_STATUS_CANCELLED : ICAL_STATUS_CONFIRMED));
    return component.release();
}

}  // namespace

std::string text_of(const Calendar& calendar) {
    std::unique_ptr<icalcomponent, Free> root(made(icalcomponent_new_vcalendar()));
    add(root.get(), icalproperty_new_version("2.0"));
    add(root.get(), icalproperty_new_prodid("-//svc//departures//EN"));
    add(root.get(), icalproperty_new_calscale("GREGORIAN"));
    add(root.get(), icalproperty_new_method(ICAL_METHOD_PUBLISH));
    if (!calendar.name.empty())
        add(root.get(), icalproperty_new_name(calendar.name.c_str()));  // RFC 7986
    if (calendar.read_again) {
        const auto span = icaldurationtype_from_int(static_cast<int>(calendar.read_again->count() * 60));
        add(root.get(), icalproperty_new_refreshinterval(span));
        add_named(root.get(), "X-PUBLISHED-TTL", icaldurationtype_as_ical_string(span));
    }
    for (const Event& event : calendar.events)
        icalcomponent_add_component(root.get(), component_of(event));
    const std::unique_ptr<char, Free> text(made(icalcomponent_as_ical_string_r(root.get())));
    std::string all = text.get();
    if (calendar.name.empty())
        return all;
    const std::string_view before[] = {"\r\nBEGIN:VEVENT", "\r\nEND:VCALENDAR"};
    const auto at = std::min(all.find(before[0]), all.find(before[1]));
    return all.insert(at + 2, old_name_line(calendar.name));
}

}  // namespace svc::ical
