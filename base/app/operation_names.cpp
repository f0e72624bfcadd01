// Names of operations and groups, from a route's method and path.
#include <algorithm>
#include <cctype>

#include "base/app/openapi.hpp"

namespace svc::app {
namespace {

using Words = std::vector<std::string>;

template <std::size_t N>
bool is_among(const std::string_view (&words)[N], std::string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Verbs at the beginning of a last segment: "send-link", "restore".
constexpr std::string_view write_verbs[] = {
    "accept",  "activate", "cancel",     "charge",   "check",   "cleanup",    "clear",    "complete",   "confirm",
    "connect", "create",   "deactivate", "delete",   "disable", "disconnect", "dismiss",  "duplicate",  "enable",
    "export",  "flush",    "forgot",     "generate", "import",  "insert",     "listen",   "login",      "logout",
    "mark",    "merge",    "migrate",    "override", "ping",    "preview",    "register", "regenerate", "reorder",
    "replay",  "resend",   "reset",      "respond",  "restore", "run",        "save",     "send",       "simulate",
    "submit",  "sync",     "test",       "toggle",   "track",   "upload",     "validate", "verify",     "warm"};
constexpr std::string_view read_verbs[] = {"check", "generate", "preview", "search"};
// These form the verb with the word after them: "bulk-toggle".
constexpr std::string_view verb_qualifiers[] = {"bulk", "force", "permanent"};
// Segments that describe the noun before them: "/trips/public".
constexpr std::string_view adjectives[] = {"filterable", "frontend", "generated", "outstanding",
                                           "past",       "pending",  "public",    "upcoming"};
// Nouns that are one and many alike.
constexpr std::string_view collectives[] = {"availability", "media", "recurring-availability"};

Words split(std::string_view text, std::string_view at) {
    Words parts{{}};
    for (const char c : text)
        if (at.find(c) != at.npos)
            parts.emplace_back();
        else
            parts.back() += c;
    std::erase(parts, std::string());
    return parts;
}

std::string capitalised(std::string_view segment) {
    std::string name;
    for (std::string& word : split(segment, "-_.")) {
        word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
        name += word;
    }
    return name;
}

std::string one_of(std::string word) {
    if (word.ends_with("ies"))
        return word.substr(0, word.size() - 3) + "y";
    if (word.ends_with("s") && !word.ends_with("ss") && !word.ends_with("us"))
        word.pop_back();
    return word;
}

std::string default_verb(const api::RouteSpec& route) {
    switch (route.method) {
        case api::Method::get:
            return route.is_list || route.answer.shape == api::Shape::list ? "list" : "get";
        case api::Method::post:
            return "create";
        case api::Method::del:
            return "delete";
        default:
            return "update";
    }
}

// The verb of the last segment; the rest of it becomes `object`.
std::string declared_verb(api::Method method, std::string_view segment, std::string& object) {
    const Words words = split(segment, "-");
    std::string verb;
    if (method != api::Method::get && is_among(verb_qualifiers, words.front()))
        verb = words.size() == 1 ? "bulkUpdate" : words.front() + capitalised(segment.substr(words.front().size()));
    else if (method == api::Method::get ? is_among(read_verbs, words.front()) : is_among(write_verbs, words.front())) {
        verb = words.front();
        object = capitalised(segment.substr(verb.size()));
    }
    return verb;
}

// Routes whose derived names would be unclear or duplicate.
constexpr std::pair<std::string_view, std::string_view> declared_names[] = {
    {"POST /settings/flush-rewrites", "flushRewrites"},
    {"GET /settings/check-shortcode/{page_id}", "checkShortcode"},
    {"POST /settings/insert-shortcode/{page_id}", "insertShortcode"},
    {"POST /auth/password/forgot", "forgotPassword"},
    {"POST /auth/password/reset", "resetPassword"},
    {"POST /attributes/orders", "reorderAttributes"},
    {"GET /attributes/values/{id}", "listAttributeValues"},
    {"GET /downloads/{id}/download-url", "getDownloadUrl"},
    {"GET /itineraries/day-entry-by-day-id/{day_id}", "getItineraryDayEntry"},
    {"PUT /itineraries/day/{day_id}/activities/bulk", "bulkUpdateItineraryDay"},
    {"GET /trips/{id}/available-dates", "listAvailableDates"},
    {"POST /booking/create", "placeBooking"},
    {"POST /booking/summary", "quoteBooking"},
    {"POST /booking/validate", "validateBooking"},
    {"POST /booking/coupons", "applyCoupon"},
    {"DELETE /booking/coupons", "removeCoupon"},
    {"POST /bookings/{id}/email", "sendBookingEmail"},
    {"GET /customers/merge", "previewCustomerMerge"},
    {"POST /customers/merge", "mergeCustomers"},
    {"GET /customers/duplicates", "listDuplicateCustomers"},
    {"GET /customers/me", "getMyProfile"},
    {"PUT /customers/me", "updateMyProfile"},
    {"PUT /customers/me/password", "changeMyPassword"},
    {"POST /customers/me/email", "requestEmailChange"},
    {"DELETE /customers/me/email", "cancelEmailChange"},
    {"POST /customers/me/email/resend", "resendEmailChange"},
    {"GET /customers/me/email/confirm", "showEmailChange"},
    {"POST /customers/me/email/confirm", "confirmEmailChange"},
    {"POST /customers/me/export", "requestDataExport"},
    {"GET /customers/me/export/confirm", "showDataExport"},
    {"POST /customers/me/export/confirm", "downloadMyData"},
    {"POST /customers/me/erasure", "requestErasure"},
    {"GET /customers/me/erasure/confirm", "showErasure"},
    {"POST /customers/me/erasure/confirm", "confirmErasure"},
    {"GET /customers/my-payments", "listMyPayments"},
    {"GET /customers/my-documents", "listMyDocuments"},
    {"GET /customers/my-support-tickets", "listMySupportTickets"},
    {"GET /customers/my-bookings", "listMyBookings"},
    {"GET /customers/my-bookings/{id}", "getMyBooking"},
    {"POST /customers/my-bookings/{id}/cancel", "cancelMyBooking"},
    {"GET /customers/me/payment-methods", "listMyPaymentMethods"},
    {"DELETE /customers/me/payment-methods/{id}", "deleteMyPaymentMethod"},
    {"POST /enquiries/{id}/respond", "respondToEnquiry"},
    {"PUT /reviews/{id}/status", "setReviewStatus"},
    {"POST /trips/{trip_id}/reviews", "writeReview"},
    {"GET /trips/{trip_id}/can-review", "mayReview"},
    {"GET /reviews/write", "showReviewForm"},
    {"POST /reviews/write", "writeReviewByLink"},
    {"GET /my-reviews", "listMyReviews"},
    {"PUT /my-reviews/{id}", "updateMyReview"},
    {"POST /tools/export", "startExport"},
    {"POST /tools/import", "startImport"},
    {"POST /tools/import/mapping", "mapImport"},
    {"GET /tools/jobs", "listJobs"},
    {"GET /tools/jobs/{job_id}", "getJob"},
    {"GET /tools/jobs/{job_id}/download", "downloadJobFile"},
    {"POST /tools/jobs/{job_id}/undo", "undoImport"},
    {"DELETE /tools/jobs/{job_id}", "deleteJob"},
    {"GET /tools/logs", "listLogs"},
    {"DELETE /tools/logs", "clearLogs"},
    {"GET /tools/cron-jobs", "listCronJobs"},
    {"POST /tools/cron-run", "runCronJob"},
    {"GET /tools/system-status", "getSystemStatus"},
    {"DELETE /tools/clear-cache", "clearAllCaches"},
    {"POST /cache/enable", "turnOnCache"},
    {"POST /cache/disable", "turnOffCache"},
    {"GET /reports", "getReport"},
    {"GET /reports/rows", "listReportRows"},
    {"GET /reports/export", "exportReport"},
    {"GET /webhooks/endpoints/{id}/mtls", "getWebhookCertificate"},
    {"POST /webhooks/endpoints/{id}/mtls", "setWebhookCertificate"},
    {"DELETE /webhooks/endpoints/{id}/mtls", "deleteWebhookCertificate"},
    {"GET /webhooks/events/{key}/listen", "getWebhookListener"},
    {"POST /webhooks/events/{key}/listen", "startWebhookListener"},
    {"DELETE /webhooks/events/{key}/listen", "stopWebhookListener"},
    {"POST /migration/upload", "stageMigration"},
    {"POST /migration/migrate", "migrateKind"},
    {"POST /migration/migrate-all", "migrateAll"},
    {"GET /admin/new-counts", "getNewCounts"},
    {"POST /admin/mark-seen", "markSeen"},
};

}  // namespace

std::string operation_id(const api::RouteSpec& route) {
    const std::string called = std::string(api::name_of(route.method)) + ' ' + route.path;
    for (const auto& [address, name] : declared_names)
        if (address == called)
            return std::string(name);
    const Words segments = split(route.path, "/");
    const auto is_parameter = [&](std::size_t i) { return i < segments.size() && segments[i].front() == '{'; };
    std::string verb, object, front, by;
    Words nouns;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string& segment = segments[i];
        const bool last = i + 1 == segments.size() || (i + 2 == segments.size() && is_parameter(i + 1));
        const bool one = is_parameter(i + 1) || (last && route.method == api::Method::post);
        if (is_parameter(i))
            continue;
        std::string noun = one ? one_of(segment) : segment;
        const bool described = is_among(adjectives, segment);
        if (is_parameter(i + 1) && noun == segment && !described && !is_among(collectives, segment))
            by += "By" + capitalised(segments[i + 1].substr(1, segments[i + 1].size() - 2));
        if (last && i > 0)
            verb = declared_verb(route.method, segment, object);
        if (!verb.empty())
            break;
        if (!described || nouns.empty()) {
            nouns.push_back(std::move(noun));
            continue;
        }
        front += capitalised(segment);
        if (one)
            nouns.back() = one_of(nouns.back());
    }
    if (nouns.size() == 1 && nouns.front() == "auth" && !verb.empty())
        nouns.clear();
    std::string id = verb.empty() ? default_verb(route) : verb;
    id += front;
    for (const std::string& noun : nouns)
        id += capitalised(noun);
    if (segments.empty())
        id += "Discovery";
    return id + object + by;
}

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
