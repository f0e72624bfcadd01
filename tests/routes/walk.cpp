// The installation that is walked over.
#include "tests/routes/walk.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/catalog/classifications/kinds.hpp"
#include "base/platform/images/images.hpp"
#include "base/sales/booking/form/files.hpp"
#include "pro/consent/requests.hpp"
#include "shared/plugin/pro_modules.hpp"
#include "tests/support/form.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {
namespace {

std::string replaced(std::string path, const std::function<std::string(const std::string& name)>& value) {
    for (auto at = path.find('{'); at != std::string::npos; at = path.find('{', at + 1)) {
        const auto end = path.find('}', at);
        path.replace(at, end - at + 1, value(path.substr(at + 1, end - at - 1)));
    }
    return path;
}

bool is_id(const std::string& name) { return name == "id" || name.ends_with("_id"); }

}  // namespace

Walk::Walk(const Database& database) : TestBase(database, &svc_plugin_entry), inner_calls(*assembly) {
    if (!assembly->plugins.service.state().starts_with("attached"))
        throw std::runtime_error("the Pro edition is not attached: " + assembly->plugins.service.state());
    given_license("agency");
    // All that this Pro has; those of later releases are unavailable.
    for (const plugin::ProModule& module : plugin::pro_modules)
        if (auto on = assembly->modules.toggle(module.slug, true, admin().user_id);
            !on && on.error().code().name != errc::module_not_available.name)
            throw std::runtime_error("the module is not on: " + on.error().message().english());
    REQUIRE(routes().size() > 600);  // of both editions: a loop over fewer proves less than it says
}

Answered Walk::call(std::string_view method, const std::string& target, const std::string& body,
                    const Visitor& visitor) {
    auto answered = TestBase::call(method, target, body, visitor);
    for (const std::string inside : {"SELECT", "INSERT INTO", "svc_users", "svc_settings", "sqlite", "SQLITE", "libpq",
                                     "/work/", "/tmp/", "std::", "svc::"})
        // The report names the kind of the database on purpose, and only its operator reads it.
        if (answered.text.find(inside) != std::string::npos &&
            !(inside == "sqlite" && target.starts_with("/usage-tracking/preview"))) {
            CAPTURE(method);
            CAPTURE(target);
            CAPTURE(inside);
            FAIL_CHECK("an answer tells of the inside");
        }
    return answered;
}

Visitor Walk::admin_of(const api::RouteSpec& route) { return route.limit.burst > 0 ? fresh("administrator") : admin(); }

void Walk::fill() {
    trip = given_trip("Nile cruise");
    const auto other = given_trip("Highlands by rail");
    given_trip("Kyoto by bicycle");
    departure = given_departure(trip, 30);
    given_departure(trip, 37);
    given_departure(trip, -40);
    const auto full = given_departure(other, 44);
    const auto waiting = given_booking(other, 44, "Hamilton");
    booking = given_booking(trip, 30, "Lovelace");
    fill_form_file();
    const auto own = given_booking(trip, 37, "Babbage");
    const auto paid = post("/payments",
                           json::Value::object({{"booking_id", booking.id},
                                                {"amount", 10},
                                                {"gateway", "cash"},
                                                {"transaction_id", "T-1"},
                                                {"status", "completed"}}),
                           admin());
    const auto awaited = post(
        "/payments", json::Value::object({{"booking_id", booking.id}, {"amount", 5}, {"gateway", "cheque"}}), admin());
    const auto of_own =
        post("/payments", json::Value::object({{"booking_id", own.id}, {"amount", 5}, {"gateway", "cash"}}), admin());
    // Only of a booking that stands its guest reads voucher and itinerary.
    const auto confirmed =
        call("PUT", "/bookings/" + std::to_string(booking.id) + "/status", R"({"status":"confirmed"})", admin());
    const auto added =
        post("/additional-services",
             json::Value::object({{"name", "Airport transfer"}, {"price", 25}, {"status", "publish"}}), admin());
    post("/additional-services", json::Value::object({{"name", "Picnic"}, {"price", 5}}), admin());
    // Not active: the prices of the walk are those of its trips.
    const auto seasonal = post("/dynamic-pricing/rules",
                               json::Value::object({{"name", "High season"},
                                                    {"rule_type", "seasonal"},
                                                    {"adjustment_value", 20},
                                                    {"start_date", day(1)},
                                                    {"conditions", json::Value()}}),
                               admin());
    const auto written =
        post("/email-templates",
             json::Value::object({{"name", "Thanks"}, {"subject", "Thanks"}, {"body", "<p>You</p>"}}), admin());
    const auto sequenced =
        post("/email-sequences",
             json::Value::object({{"name", "Walk"},
                                  {"trigger_type", "booking.created"},
                                  {"steps", json::Value::array({json::Value::object(
                                                {{"custom_subject", "Hello"}, {"custom_body", "<p>You</p>"}})})}}),
             admin());
    const auto unwilling =
        post("/email-suppressions", json::Value::object({{"email", "unwilling@example.org"}}), admin());
    const auto cheaper =
        post("/discounts", json::Value::object({{"code", "WALK"}, {"amount", 5}, {"status", "publish"}}), admin());
    const auto made = post("/auth/application-passwords", json::Value::object({{"name", "walk"}}), admin());
    const auto page = call("PUT", "/settings/pages", R"({"pages":[{"id":1,"title":"Reserve"}]})", admin());
    const auto saved = post("/saved-trips", json::Value::object({{"trip_id", trip}}), admin());
    const auto landing = post("/landing-pages", json::Value::object({{"title", "Walk"}}), admin());
    for (const auto& each : {landing, paid, awaited, of_own, added, seasonal, written, sequenced, unwilling, cheaper,
                             made, confirmed, page, saved})
        if (each.status != 201 && each.status != 200)
            throw std::runtime_error("a record of the walk was refused: " + each.text);
    mail_template = written.data()["id"].integer();
    mail_sequence = sequenced.data()["id"].integer();
    run("INSERT INTO svc_email_step_logs (enrolment_id, sequence_id, step_id, booking_id, recipient_email, subject, "
        "body,"
        " is_marketing, reason, dedupe_key, created_at) VALUES (1, 1, 1, 1, 'ada@example.org', 'Hello', '<p>You</p>', "
        "0,"
        " 'The template is off.', 'walk', 1767225600000000)");
    run("INSERT INTO svc_mailchimp_log (customer_id, email, action, status, reason, search, created_at) VALUES (1,"
        " 'ada@example.org', 'upsert', 'skipped', 'no_opt_in', 'ada@example.org', 1767225600000000)");
    const auto mailchimp = get("/mailchimp/settings", admin());
    const std::string receiver = mailchimp.data().text_or("webhook_url");
    if (receiver.empty())
        throw std::runtime_error("the receiver of Mailchimp has no address: " + mailchimp.text);
    reporting = receiver.substr(receiver.rfind('/') + 1);
    unsubscribing = assembly->site.keyring->seal("ada@example.org", "plugin:svc-pro:svc_email_suppressions.mailbox");
    std::replace(unsubscribing.begin(), unsubscribing.end(), '+', '-');
    std::replace(unsubscribing.begin(), unsubscribing.end(), '/', '_');
    unsubscribing.erase(unsubscribing.find_last_not_of('=') + 1);
    // One that is the administrator's own, and a guest's address that was proven.
    run(("UPDATE svc_bookings SET user_id = " + std::to_string(admin().user_id) + " WHERE id <> " +
         std::to_string(booking.id))
            .c_str());
    // One that waits: its seats are released first.
    const auto released =
        call("PUT", "/bookings/" + std::to_string(waiting.id) + "/status", R"({"status":"cancelled"})", admin());
    if (released.status != 200)
        throw std::runtime_error("a booking of the walk was not cancelled: " + released.text);
    run(("UPDATE svc_bookings SET status = 'waitlist' WHERE id = " + std::to_string(waiting.id)).c_str());
    run(("INSERT INTO svc_waitlist (booking_id, departure_id, seats, joined_at) SELECT id, " + std::to_string(full) +
         ", 1, created_at FROM svc_bookings WHERE id = " + std::to_string(waiting.id))
            .c_str());
    run(("UPDATE svc_departures SET waiting_seats = 1 WHERE id = " + std::to_string(full)).c_str());
    run(("UPDATE svc_bookings SET verified_at = 1 WHERE id = " + std::to_string(booking.id)).c_str());
    run(("INSERT INTO svc_saved_payment_methods (user_id, customer_id, gateway, gateway_method_id, created_at) "
         "SELECT " +
         std::to_string(admin().user_id) +
         ", customer_id, 'pay_later', 'pm_walk', 0 FROM svc_bookings WHERE id = " + std::to_string(booking.id))
            .c_str());
    run(("INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type, amount_minor, "
         "currency,"
         " planned_total_minor, scheduled_date, status, max_attempts, created_at, updated_at) VALUES (" +
         std::to_string(booking.id) + ", 1, 1, 'charge', 'balance', 500, 'USD', 1000, '" + day(20) +
         "', 'scheduled', 3, 1767225600000000, 1767225600000000)")
            .c_str());
    const auto hooked =
        post("/webhooks/endpoints",
             json::Value::object(
                 {{"name", "Accounting"}, {"url", "https://hooks.example.org/walk"}, {"event", "booking.expired"}}),
             admin());
    if (hooked.status != 201)
        throw std::runtime_error("an endpoint of webhooks was refused: " + hooked.text);
    run("INSERT INTO svc_webhook_deliveries (endpoint_id, delivery_id, event_uid, event_key, subject_type, subject_id,"
        " lane, payload, status, created_at) VALUES (1, 'walk', 'evt_walk', 'booking.expired', 'booking', 1, 1, '{}',"
        " 'delivered', 1767225600000000)");
    for (const char* partner : {"meta", "google"})
        run(("INSERT INTO svc_tracking_events (partner, event, event_id, booking_id, value_minor, currency, status,"
             " occurred_at, created_at) VALUES ('" +
             std::string(partner) + "', 'purchase', 'SVC-WALK', " + std::to_string(booking.id) +
             ", 19999, 'USD', 'skipped', 1767225600000000, 1767225600000000)")
                .c_str());
    run(("INSERT INTO svc_abandoned_bookings (uid, email, email_lower, customer_name, country, locale, trip_id, "
         "travelers,"
         " traveler_counts, services, coupon_code, currency, step, fault, consent, consent_at, abandoned_at,"
         " last_activity_at, expires_at, search, created_at, updated_at) VALUES ('walk', 'ada@example.org',"
         " 'ada@example.org', 'Ada Lovelace', '', 'en', " +
         std::to_string(trip) +
         ", 2, '{}', '{}', '', 'USD', 'details', '', 'opt_in', 1767225600000000, 1767225600000000, 1767225600000000,"
         " 1769904000000000, '', 1767225600000000, 1767225600000000)")
            .c_str());
    run("INSERT INTO svc_google_calendar_calls (method, path, status, duration_ms, created_at) VALUES ('POST', "
        "'/token',"
        " 200, 80, 1767225600000000)");
    if (post("/abandoned-bookings/campaigns",
             json::Value::object(
                 {{"name", "Summer"}, {"subject", "Your trip"}, {"email_body", "<p>{{ recovery_link }}</p>"}}),
             admin())
            .status != 201)
        throw std::runtime_error("a campaign of abandoned bookings was refused");
    fill_consent();
    traveler =
        number(("SELECT MIN(id) FROM svc_booking_travelers WHERE booking_id = " + std::to_string(booking.id)).c_str());
    const auto repeated = post("/recurring-availability",
                               json::Value::object({{"trip_id", trip},
                                                    {"rule_type", "weekly"},
                                                    {"days_of_week", json::Value::array({1, 4})},
                                                    {"start_date", day(1)}}),
                               admin());
    if (repeated.status != 201)
        throw std::runtime_error("the rule of the walk was refused: " + repeated.text);
    rule = repeated.data()["id"].integer();
    // Of another trip than the one walked over, so that no walk ends it.
    const auto feed = post("/trips/" + std::to_string(other) + "/departures/feed", json::Value::object(), admin());
    if (feed.status != 200)
        throw std::runtime_error("the calendar of the walk was refused: " + feed.text);
    calendar = feed.data()["url"].text();
    calendar.erase(0, calendar.rfind('/') + 1);
    auto& accounts = assembly->identity.service.accounts();
    REQUIRE(accounts.add_user("moving", "moving@example.org", "svc_customer", TestBase::password));
    run("UPDATE svc_users SET pending_email = 'moved@example.org' WHERE login = 'moving'");
    moving = assembly->my_account.own.token(accounts.find("moving").value().id,
                                            json::Value::object({{"email", "moved@example.org"}}));
    payment = paid.data()["id"].integer();
    service = added.data()["id"].integer();
    discount = cheaper.data()["id"].integer();
    revised = given_trip("Nile by rail");  // its own: a restored trip's days are new rows
    call("PUT", "/trips/" + std::to_string(revised), R"({"payment_terms":"On arrival."})", admin());
    const auto kept = get("/trips/" + std::to_string(revised) + "/revisions", admin());
    revision = kept.data()[std::size_t{0}]["id"].integer();
    const auto picture =
        upload(*this, Form{}.file("dot.jpg", images::to_jpeg(images::Picture::blank(400, 300))), admin());
    media = picture.data()["id"].integer();
    if (assembly->media.service.make_sizes() != 1)
        throw std::runtime_error("the picture of the walk has no sizes");
    const auto day = post("/itineraries", json::Value::object({{"trip_id", trip}, {"day", 1}}), admin());
    itinerary_day = day.data()["id"].integer();
    const auto swim =
        post("/itineraries",
             json::Value::object({{"trip_id", trip}, {"day", 1}, {"mode", "activity"}, {"title", "Swim"}}), admin());
    itinerary_entry = swim.data()["id"].integer();
    const auto files =
        post("/trips/" + std::to_string(trip) + "/downloads",
             json::Value::object({{"items", json::Value::array({json::Value::object(
                                                {{"attachment_id", media}, {"visibility", "public"}})})}}),
             admin());
    download = files.data()[0]["id"].integer();
    password = made.data()["id"].integer();
    cookie("administrator", false);  // signs in
    session = number("SELECT MAX(id) FROM svc_sessions");
    const auto asked = post("/enquiries", json::Value::object({{"customer_name", "Ada Lovelace"},
                                                               {"customer_email", "ada@example.org"},
                                                               {"message", "Is there a cabin for three?"}}));
    if (asked.status != 201)
        throw std::runtime_error("the enquiry of the walk was refused: " + asked.text);
    enquiry = asked.data()["enquiry_id"].integer();
    for (auto* const id : {&review, &own_review}) {
        const auto said = post("/reviews",
                               json::Value::object({{"trip_id", trip},
                                                    {"rating", 4},
                                                    {"author_name", "Ada"},
                                                    {"content", "A good boat."},
                                                    {"status", id == &review ? "approved" : "pending"}}),
                               admin());
        if (said.status != 201)
            throw std::runtime_error("the review of the walk was refused: " + said.text);
        *id = said.data()["id"].integer();
    }
    run(("UPDATE svc_reviews SET author_key = 'u:walk', user_id = " + std::to_string(admin().user_id) +
         " WHERE id = " + std::to_string(own_review))
            .c_str());
    const auto exported =
        post("/tools/export", json::Value::object({{"data_types", json::Value::array({"settings"})}}), admin());
    if (exported.status != 202)
        throw std::runtime_error("the job of the walk was refused: " + exported.text);
    job = exported.data()["job_id"].text();
    const auto imported =
        call("POST", "/tools/import",
             Form{}.field("data_types", "customers").file("customers.csv", "name,email\nAda,none\n").whole(),
             admin().with("Content-Type", "multipart/form-data; boundary=edge"));
    if (imported.status != 202)
        throw std::runtime_error("the import of the walk was refused: " + imported.text);
    failed_job = imported.data()["job_id"].text();
    assembly->jobs.prepare();
    if (const auto ran = assembly->jobs.run_now("tasks"); !ran)
        throw std::runtime_error("the job of the walk did not run: " + ran.error().message().english());
    run("INSERT INTO svc_logs (type, level, event, message, context, search, created_at) VALUES ('booking', 'warning',"
        " 'booking_walked', 'A booking was walked over.', '{}', 'booking_walked', 1700000000000000)");
    customer = number(("SELECT customer_id FROM svc_bookings WHERE id = " + std::to_string(booking.id)).c_str());
    const auto cato =
        post("/customers", json::Value::object({{"first_name", "Cato"}, {"email", "cato@example.org"}}), admin());
    other_customer = cato.data()["id"].integer();
    for (const auto& kind : catalog::classifications::kinds()) {
        auto fields = json::Value::object({{"name", "Walked"}, {"status", "publish"}});
        if (kind.path == "/items")
            fields.set("type_id", classes.at("/item-types"));
        const auto one = post(kind.path, fields, admin());
        if (one.status != 201)
            throw std::runtime_error("a record of the walk was refused: " + one.text);
        classes[kind.path] = one.data()["id"].integer();
    }
}

std::string Walk::missing(const api::RouteSpec& route) {
    return replaced(route.path, [](const std::string& name) -> std::string {
        return is_id(name) ? "999999999" : name == "gateway" ? "no_such" : "no-such";
    });
}

std::string Walk::naming(const api::RouteSpec& route, std::int64_t booking_id) {
    json::Value body = json::Value::object();
    for (const api::Field& field : route.body.fields())
        if (field.required)
            body.set(field.name, field.name == "booking_id" ? json::Value(booking_id) : json::Value("x"));
    return body.dump();
}

// Forms with a request each, open or signed, of a booking that no other part of a walk changes. Those of the links,
// whose secrets are known here, are not those that a walk revokes.
void Walk::fill_consent() {
    const auto booked = given_booking(trip, 30, "Signer");
    const auto asked = [&](const std::string& token) {
        const auto form = post("/consent/forms",
                               json::parse(R"({"name":"Waiver","status":"publish","content_blocks":[{"type":"terms",
                                           "content":"At my own risk."}]})")
                                   .value(),
                               admin());
        consent_form = form.data()["id"].integer();
        const auto made = post(
            "/consent/requests",
            json::Value::object(
                {{"form_id", consent_form}, {"booking_id", booked.id}, {"traveler_indexes", json::Value::array({1})}}),
            admin());
        if (made.status != 201)
            throw std::runtime_error("a consent of the walk was refused: " + made.text);
        const auto id = made.data()["requests"][std::size_t{0}]["id"].integer();
        run(("INSERT INTO svc_consent_links (token_hash, request_id, created_at) VALUES ('" +
             pro::consent::hash_of_token(token) + "', " + std::to_string(id) + ", 1767225600000000)")
                .c_str());
        return id;
    };
    const auto sign = [&](const std::string& token) {
        asked(token);
        const auto done = post("/consent/submit", json::Value::object({{"token", token},
                                                                       {"form_data", json::Value::object()},
                                                                       {"signer_name", "Ada Lovelace"},
                                                                       {"signature_typed", "Ada Lovelace"},
                                                                       {"agree", true}}));
        if (done.status != 201)
            throw std::runtime_error("the consent of the walk was not signed: " + done.text);
        return done.data()["id"].integer();
    };
    sign(signed_token);
    consent_signed = sign(std::string(64, 'e'));
    asked(consent_token);
    consent_request = asked(std::string(64, 'f'));
}

// A file that answers the booking's form.
void Walk::fill_form_file() {
    booking::form::KeptFile file{.code = form_file,
                                 .field = "contact_form.passport",
                                 .mime_type = "application/pdf",
                                 .byte_size = 4,
                                 .created_at = assembly->clock.now()};
    file.name = assembly->keyring->seal("passport.pdf", file.place("name"));
    const std::string content = assembly->keyring->seal("%PDF", file.place("content"));
    const auto written = assembly->store->write([&](store::Transaction& tx) -> Result<void> {
        booking::form::FileRepository::insert(tx, file, content, std::nullopt, booking.id);
        return {};
    });
    if (!written)
        throw std::runtime_error("the file of the walk was not stored: " + written.error().message().english());
}

std::string Walk::existing(const api::RouteSpec& route) const {
    const auto of = [&](const std::string& name) -> std::string {
        if (name == "trip_id")
            return std::to_string(trip);
        if (name == "attribute_id")
            return std::to_string(classes.at("/attributes"));
        if (name == "revision_id")
            return std::to_string(revision);
        if (name == "day_id")
            return std::to_string(itinerary_day);
        if (name == "booking_id")
            return std::to_string(booking.id);
        if (name == "payment_id")
            return std::to_string(payment);
        if (name == "gateway")
            return "pay_later";
        if (name == "job_id")
            return job;
        if (name == "key" && route.path.find("/form-files/") != std::string::npos)
            return form_file;
        if (name == "key")
            return route.path.starts_with("/webhooks") ? "booking.created" : "mail_not_configured";
        if (name == "list_id")
            return "a1b2c3";
        if (name == "token" && route.path.starts_with("/mailchimp"))
            return reporting;
        if (name == "token" && route.path.starts_with("/consent"))
            return route.path.ends_with("/pdf") ? signed_token : consent_token;
        if (name == "token")
            return route.path.starts_with("/email-unsubscribe") ? unsubscribing : calendar;
        if (name == "taxonomy")
            return "destination";
        if (name == "page_id")
            return "1";  // the only one
        if (name == "name")
            return "single-trip";
        if (name == "slug")
            return route.path.starts_with("/modules") ? "additional_services" : "nile-cruise";
        if (name == "size")
            return "320.jpg";
        const std::pair<const char*, std::int64_t> known[] = {{"/trips/{trip_id}/departures", departure},
                                                              {"/trips/{trip_id}/recurring-rules", rule},
                                                              {"/recurring-availability", rule},
                                                              {"/availability", departure},
                                                              {"/trips/{id}/revisions", revised},
                                                              {"/trips", trip},
                                                              {"/booking/trip", trip},
                                                              {"/bookings", booking.id},
                                                              {"/departures", departure},
                                                              {"/travelers", traveler},
                                                              {"/customers/my-bookings", booking.id},
                                                              {"/customers/me/payment-methods", 1},  // the only one
                                                              {"/payments", payment},
                                                              {"/scheduled-payments", 1},  // the only one
                                                              {"/additional-services", service},
                                                              {"/landing-pages", 1},  // the only one
                                                              {"/consent/forms", consent_form},
                                                              {"/consent/requests", consent_request},
                                                              {"/consent/signed", consent_signed},
                                                              {"/consent/departures", departure},
                                                              {"/webhooks", 1},  // the only endpoint, and its delivery
                                                              {"/dynamic-pricing/rules", 1},  // the only one
                                                              {"/abandoned-bookings", 1},     // and its campaign
                                                              {"/email-templates", mail_template},
                                                              {"/email-sequences", mail_sequence},
                                                              {"/email-logs", 3},  // the first step that was not sent
                                                              {"/email-suppressions", 1},  // the only one
                                                              {"/discounts", discount},
                                                              {"/media", media},
                                                              {"/itineraries", itinerary_entry},
                                                              {"/downloads", download},
                                                              {"/enquiries", enquiry},
                                                              {"/reviews", review},
                                                              {"/my-reviews", own_review},
                                                              {"/customers", customer},
                                                              {"/auth/application-passwords", password},
                                                              {"/auth/sessions", session}};
        for (const auto& [prefix, id] : known)
            if (route.path.starts_with(prefix))
                return std::to_string(id);
        for (const auto& [prefix, id] : classes)
            if (route.path.starts_with(prefix + "/"))
                return std::to_string(id);
        throw std::runtime_error("the walk has no record for " + route.path);
    };
    std::string target = replaced(route.path, of) + (route.path.starts_with("/trips/search") ? "?keyword=by" : "");
    if (route.path == "/customers/me/email/confirm" && !writes(route))
        target += "?token=" + moving;
    const std::pair<const char*, std::string> needed[] = {{"trip_id", std::to_string(trip)},
                                                          {"trip_ids", std::to_string(trip)},
                                                          {"date", day(30)},
                                                          {"source_id", std::to_string(other_customer)},
                                                          {"target_id", std::to_string(customer)}};
    for (const auto& [name, value] : needed)
        if (const auto* field = route.query.find(name); field && field->required)
            target += (target.find('?') == std::string::npos ? "?" : "&") + std::string(name) + "=" + value;
    if (route.path == "/email-templates/resolve")
        target += "&template_key=booking_confirmed";
    return target;
}

std::string Walk::name_of(const api::RouteSpec& route) {
    return std::string(api::name_of(route.method)) + " " + route.path;
}

void each_walk(const std::function<void(Walk&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Walk walk(database);
        body(walk);
    });
}

void on_sqlite(const std::function<void(Walk&)>& body) {
    const auto database = Database::sqlite();
    Walk walk(*database);
    body(walk);
}

std::string encoded(std::string_view text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.') {
            out += c;
        } else {
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        }
    }
    return out;
}

}  // namespace svc::tests
