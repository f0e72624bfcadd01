// A site that sends e-mails: hooks, settings, outbox, and bookings that a test defines.
#pragma once

#include "base/messaging/mails/listeners.hpp"
#include "base/messaging/outbox/repository.hpp"
#include "base/messaging/outbox/sender.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/settings.hpp"
#include "base/platform/events/events.hpp"
#include "base/platform/store/migrate.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/plain_settings.hpp"
#include "tests/support/set_clock.hpp"

namespace svc::tests {

inline const hooks::Action booking_created{"svc_booking_created", "", {"booking_id", "booking"}};
inline const hooks::Action booking_confirmed{"svc_booking_confirmed", "", {"booking_id", "booking"}};
inline const hooks::Action booking_cancelled{"svc_booking_cancelled", "", {"booking_id", "booking"}};

inline constexpr const char* booking_link = "https://peaks.example/book/confirmation/SVC-1?booking_token=b1.1.secret";

// The data of bookings that e-mails read; a test replaces the functions it is about.
struct StubBookings final : messaging::Bookings {
    std::function<std::string(const std::string& gateway)> payment_text = [](const std::string&) { return ""; };
    std::function<std::string(const std::string& gateway)> title = [](const std::string& gateway) { return gateway; };
    std::function<json::Value()> form = [] { return json::Value(); };
    std::function<json::Array(std::int64_t)> party = [](std::int64_t) { return json::Array(); };
    std::function<json::Value(std::int64_t)> find_trip = [](std::int64_t) { return json::Value(); };
    booking::Meeting place = {};
    std::function<std::string(std::int64_t)> language = [](std::int64_t) { return ""; };

    [[nodiscard]] std::optional<json::Value> find(std::int64_t) const override { return std::nullopt; }
    [[nodiscard]] std::optional<json::Value> seen(std::int64_t, const api::Caller&) const override {
        return std::nullopt;
    }
    [[nodiscard]] json::Value answers(std::int64_t) const override { return form(); }
    [[nodiscard]] json::Array travelers(std::int64_t booking_id) const override { return party(booking_id); }
    [[nodiscard]] std::optional<json::Value> last_payment(std::int64_t) const override { return std::nullopt; }
    [[nodiscard]] json::Value trip(std::int64_t trip_id) const override { return find_trip(trip_id); }
    [[nodiscard]] OwnPage booking_page(std::int64_t id, const json::Value&) const override {
        return {.url = booking_link, .money = money(id)};
    }
    [[nodiscard]] std::string verification_page(const json::Value&) const override { return "/verify"; }
    [[nodiscard]] std::string pay_page(const json::Value&) const override { return "/pay"; }
    [[nodiscard]] std::string trip_page(const json::Value& booking) const override {
        return "https://peaks.example/tours/" + booking["trip_slug"].text();
    }
    [[nodiscard]] std::string instructions(const std::string& gateway, const json::Value&,
                                           std::string_view) const override {
        return payment_text(gateway);
    }
    [[nodiscard]] std::string gateway_title(const std::string& gateway, std::string_view) const override {
        return title(gateway);
    }
    [[nodiscard]] std::optional<booking::PlannedMoney> money(std::int64_t) const override { return std::nullopt; }
    [[nodiscard]] booking::Meeting meeting(std::int64_t) const override { return place; }
    [[nodiscard]] std::string account_language(std::int64_t user_id) const override { return language(user_id); }
    [[nodiscard]] CreditNote credit_note(const json::Value&) const override { return {}; }
};

struct MessagingSite {
    explicit MessagingSite(Database& database) : store(database.open_migrated()) {
        messaging::declare_settings(settings, events);
        settings.declare({.key = "company_name", .type = api::text(200), .initial = "Peaks", .help = ""});
        settings.declare({.key = "currency_decimals", .type = api::integer(0, 4), .initial = 2, .help = ""});
        for (const auto& [key, fresh] : {std::pair{"booking_base", "booking"},
                                         {"date_format", ""},
                                         {"currency_position", "left"},
                                         {"decimal_separator", "."},
                                         {"thousand_separator", ","},
                                         {"company_logo", ""},
                                         {"company_email", ""},
                                         {"company_phone", "+44 20 7946 0100"},
                                         {"time_format", "H:i"},
                                         {"company_address", ""},
                                         {"company_zip", ""},
                                         {"company_city", ""},
                                         {"company_country", ""},
                                         {"frontend_primary_color", "#3b82f6"},
                                         {"site_language", "en"}})
            settings.declare({.key = key, .type = api::text(200), .initial = fresh, .help = ""});
        settings.set("from_email", "office@example.org");
        settings.set("smtp_enabled", true);
        settings.set("smtp_host", "smtp.example.org");
        messaging::declare_hooks(events);
        for (const auto& action : {booking_created, booking_confirmed, booking_cancelled})
            events.declare(action);
        messaging::listen_to_statuses(service);
    }

    // The line below a text that has no link to its booking.
    // HTML without the style attributes that each e-mail gets.
    static std::string without_looks(std::string html) {
        for (auto at = html.find(" style=\""); at != std::string::npos; at = html.find(" style=\"", at))
            html.erase(at, html.find('"', at + 8) + 1 - at);
        return html;
    }
    static std::string added_link() {
        return "<p class=\"quiet\"><a href=\"" + std::string(booking_link) + "\">View the booking</a></p>\n";
    }
    static json::Value booking(const char* reference = "ABC-1") {
        return json::Value::object(
            {{"reference", reference},
             {"customer_name", "Ada Lovelace"},
             {"customer_email", "ada@example.org"},
             {"contact",
              json::Value::object(
                  {{"first_name", "Ada"}, {"last_name", "Lovelace"}, {"email", "ada@example.org"}, {"country", "GB"}})},
             {"trip_title", "Nile & Cruise"},
             {"trip_slug", "nile"},
             {"travel_date", "2026-11-20"},
             {"traveler_count", 2},
             {"total", json::Number{"1299.5"}},
             {"amount_due", json::Number{"0"}},
             {"currency", "USD"},
             {"status", "pending"}});
    }
    void emit(const hooks::Action& action, std::int64_t id, const json::Value& about) {
        if (!store->write([&](store::Transaction& tx) -> Result<void> {
                events.emit(tx, action, {id, about});
                return {};
            }))
            throw std::runtime_error("not emitted");
    }
    // Emits and lets the listeners run.
    void happen(const hooks::Action& action, std::int64_t id, const json::Value& about = booking()) {
        emit(action, id, about);
        if (!events.drain())
            throw std::runtime_error("not drained");
    }
    void queue(std::int64_t booking, const std::string& subject, const std::string& html = "<p>Hello</p>",
               const std::string& text = "Hello") {
        messaging::NewEmail email{.template_key = "booking_confirmed",
                                  .event_key = "booking.confirmed",
                                  .to = "ada@example.org",
                                  .from_email = "office@example.org",
                                  .subject = subject,
                                  .body_html = html,
                                  .body_text = text,
                                  .booking_id = booking};
        if (!store->write([&](store::Transaction& tx) -> Result<void> {
                messaging::outbox::queue(tx, email, messaging::sealed_body(*keyring, email, clock.now()), clock.now());
                return {};
            }))
            throw std::runtime_error("not queued");
    }
    std::vector<std::string> texts(std::string_view sql) {
        open_mails(*store, *keyring);
        return store->reading<std::vector<std::string>>([&](store::Session& session) {
            return session.all<std::string>(sql, "t", {},
                                            [](const store::Row& row) { return row.maybe_text(0).value_or("-"); });
        });
    }
    std::int64_t number(std::string_view sql) {
        return store->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, {}); });
    }

    SetClock clock{"2026-05-04T10:00:00Z"};
    metrics::Registry metrics;
    PlainSettings settings;
    std::unique_ptr<store::Store> store;
    events::Events events{*store, clock, metrics, {.process = "site"}};
    int woken = 0;
    const std::shared_ptr<const crypto::Keyring> keyring = crypto::Keyring::for_tests();
    StubBookings bookings;
    messaging::Service service{
        {settings, events, clock, bookings, "https://peaks.example"}, *keyring, [this] { ++woken; }};
};

}  // namespace svc::tests
