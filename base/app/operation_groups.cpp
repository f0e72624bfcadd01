// Groups of operations: the first segment of a path, in words.
#include "base/app/openapi.hpp"

namespace svc::app {

std::string tag_of(const std::string& path) {
    const std::string first = path.substr(1, path.find('/', 1) - 1);
    return first.empty() ? "discovery" : first;
}

std::string description_of_tag(const std::string& tag) {
    constexpr std::pair<std::string_view, std::string_view> descriptions[] = {
        {"activities", "Activities that trips offer; they can have subcategories."},
        {"admin", "Counts of new records since a user of the admin last opened each list."},
        {"attributes", "Attributes of trips: their definitions, values and filters."},
        {"auth", "Sign-in, sign-out, registration, passwords and application passwords."},
        {"availability", "Single departures of trips: dates, seats and prices."},
        {"block-editor", "Classifications for the pickers of an editor."},
        {"booking", "The checkout: sessions, quotes, coupons and new bookings of customers and guests."},
        {"bookings", "Bookings, for staff."},
        {"cache", "Caches: their contents, turning them on and off, clearing and filling."},
        {"customers", "Customers, for staff; profile, bookings and documents of the signed-in customer."},
        {"departures", "Departures of all trips with their bookings, and calendar feeds."},
        {"destinations", "Destinations that trips visit; they can have subcategories."},
        {"difficulty-levels", "Difficulty levels of trips."},
        {"discounts", "Coupon codes and group discounts."},
        {"discovery", "The list of routes."},
        {"docs", "This interface as a readable page."},
        {"downloads", "Files that customers download."},
        {"events", "Events of the site in their order, for receivers of webhooks that were away."},
        {"enquiries", "Enquiries from visitors, and the staff's replies."},
        {"item-types", "Types of itinerary items."},
        {"items", "Reusable items of itineraries."},
        {"itineraries", "Itineraries: days and their entries."},
        {"migration", "Migration of records from a former WordPress installation."},
        {"notices", "Notices that need the attention of staff."},
        {"reports", "Reports, with the rows behind each figure."},
        {"tools", "Exports, imports, logs, scheduled jobs and the system's status."},
        {"usage-tracking", "Reports on how the program is used, which are off until they are turned on."},
        {"media", "Uploaded files and pictures."},
        {"modules", "Modules that can be enabled and disabled, and their settings."},
        {"my-reviews", "Reviews by the signed-in caller."},
        {"openapi.json", "This interface as an OpenAPI document."},
        {"payment", "Payment gateways, charges, and the providers' events."},
        {"payments", "Payments and refunds, for staff."},
        {"recurring-availability", "Availability rules, which generate departures."},
        {"reviews", "Reviews of trips, and their moderation."},
        {"sample-data", "The sample catalogue."},
        {"settings", "Settings of the site, its pages and its booking form."},
        {"test", "A test of the connection."},
        {"travelers", "Travelers of all bookings."},
        {"traveler-categories", "Traveler categories, such as adults and children."},
        {"trip-categories", "Categories of trips; they can have subcategories."},
        {"trips", "Trips, their revisions, and the public catalogue."},
        {"webhooks", "Endpoints that receive events of the site, and what was delivered to them."}};
    for (const auto& [name, description] : descriptions)
        if (name == tag)
            return std::string(description);
    return "Routes below `/" + tag + "`.";
}

}  // namespace svc::app
