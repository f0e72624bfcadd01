// A site that sells: the real parts from trips to payments over a real database, with a clock that a test moves.
#pragma once

#include <set>

#include <doctest/doctest.h>

#include "base/app/settings.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/people/customers/hooks.hpp"
#include "base/platform/events/events.hpp"
#include "base/platform/store/migrate.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/settings.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/services.hpp"
#include "base/sales/booking/settings.hpp"
#include "base/sales/booking/upkeep/departure_bookings.hpp"
#include "base/sales/payment/booking_payments.hpp"
#include "base/sales/payment/capture/service.hpp"
#include "base/sales/payment/gateways/pay_later.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/settings.hpp"
#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/settings.hpp"
#include "base/settings/values/site_settings.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/faulty_store.hpp"
#include "tests/support/invariants.hpp"
#include "tests/support/set_clock.hpp"

namespace svc::tests {

inline const Date travel_day = Date::parse("2027-03-01").value();

// The code of an expected failure, "" for success.
template <class T>
std::string code_of(const Result<T>& result) {
    return result ? std::string() : std::string(result.error().code().name);
}

// Of an account that has proven its address: only such a one owns bookings.
inline api::Caller signed_in(std::int64_t user) {
    api::Caller caller;
    caller.kind = api::Caller::Kind::user;
    caller.user_id = user;
    caller.email = "user" + std::to_string(user) + "@example.org";
    return caller;
}

// Any gateway that is offered may be booked with, whether or not it is in use.
class OfferedGateways final : public booking::Gateways {
  public:
    explicit OfferedGateways(payment::Service& payments) : payments_(payments) {}
    [[nodiscard]] Result<void> allows(std::string_view gateway, const Money& amount) const override {
        auto offered = payments_.gateways.available(gateway, amount);
        return offered ? Result<void>{} : Result<void>{offered.error()};
    }
    [[nodiscard]] bool confirms_new(store::Transaction& tx, const booking::Booking& made) const override {
        return payments_.confirms_new(tx, made);
    }

  private:
    payment::Service& payments_;
};

struct BookingSite {
    explicit BookingSite(Database& database) : BookingSite(database.open_migrated()) {}
    explicit BookingSite(std::unique_ptr<store::Store> migrated) : real(std::move(migrated)) {
        catalog::trips::declare_hooks(hooks);
        availability::declare_hooks(hooks);
        pricing::declare_hooks(hooks);
        customers::declare_hooks(hooks);
        booking::declare_hooks(hooks);
        payment::declare_hooks(hooks);
        settings::declare_settings(settings);
        availability::declare_settings(settings);
        pricing::declare_settings(settings);
        booking::declare_settings(settings, hooks);
        payment::declare_settings(settings);
        availability.followed_by(&bookings.departure_bookings);
        bookings.ports = {.payments = &booking_payments, .gateways = &booking_gateways};
        gateways.add(payment::make_pay_later());
        settings.reload();
        trips.public_trips().load();
        availability.calendar.load();
    }
    ~BookingSite() {
        if (leaves_what_holds)
            check_invariants(*real);
    }
    BookingSite(const BookingSite&) = delete;
    BookingSite& operator=(const BookingSite&) = delete;

    struct Wish {
        std::string title = "Nile cruise", price = "199.99";
        std::optional<int> least = {}, most = {}, deadline_hours = {};
    };
    // Published, four days.
    catalog::trips::Trip given_trip() { return given_trip(Wish()); }
    catalog::trips::Trip given_trip(const Wish& wish) {
        catalog::trips::TripChange change;
        change.title = wish.title;
        change.duration = 4;
        change.regular_price = wish.price;
        if (wish.least)
            change.min_travelers = wish.least;
        if (wish.most)
            change.max_travelers = wish.most;
        if (wish.deadline_hours)
            change.booking_deadline_hours = wish.deadline_hours;
        const auto made = trips.editor().create(change, {});
        if (!made)
            throw std::logic_error(made.error().message().english());
        catalog::trips::TripChange publish;
        publish.status = "publish";
        const auto published = trips.editor().update(made->id, publish, {});
        if (!published)
            throw std::logic_error(published.error().message().english());
        return *published;
    }
    std::int64_t given_departure(std::int64_t trip, int capacity) {
        availability::DepartureChange wanted;
        wanted.start_date = travel_day;
        wanted.capacity = capacity;
        auto made = availability.departures.create(trip, wanted, {});
        if (!made)
            throw std::logic_error(made.error().message().english());
        return made->id;
    }
    // A row of users by hand: who they are does not matter here.
    std::int64_t given_user(const std::string& login) {
        return real
            ->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                const std::int64_t role = tx.insert(
                    "INSERT INTO svc_roles (slug, label, created_at, updated_at) VALUES (:slug, 'x', 0, 0) RETURNING"
                    " id",
                    {{"slug", login}});
                return tx.insert(
                    "INSERT INTO svc_users (login, login_lower, email, email_lower, password_hash, role_id,"
                    " created_at, updated_at) VALUES (:login, :login, :login, :login, '', :role, 0, 0) RETURNING id",
                    {{"login", login}, {"role", role}});
            })
            .value();
    }
    void set(const char* key, json::Value value) {
        if (auto written = settings.write(json::Value::object({{key, std::move(value)}}), 0); !written)
            throw std::logic_error(written.error().message().english());
        settings.reload();
    }
    std::string open_session(std::int64_t trip, std::optional<std::int64_t> travelers = {},
                             const api::Caller& caller = {}) {
        auto open =
            bookings.sessions.open({.trip_id = trip, .travel_date = travel_day, .travelers = travelers}, caller);
        if (!open)
            throw std::logic_error(open.error().message().english());
        return open->secret;
    }
    // With all that the standard form requires.
    static json::Value traveler(const char* first_name, const char* last_name) {
        return json::Value::object({{"first_name", first_name},
                                    {"last_name", last_name},
                                    {"date_of_birth", "1990-12-10"},
                                    {"gender", "female"},
                                    {"nationality", "British"}});
    }
    static booking::NewBooking wanted(const std::string& email = "ada@example.org") {
        return {.contact = {.first_name = "Ada",
                            .last_name = "Lovelace",
                            .email = email,
                            .phone = "+44 20 7946 0001",
                            .country = "GB"},
                .travelers = json::Value::array({traveler("Ada", "Lovelace")}),
                .emergency = json::Value::object({{"name", "Annabella"}, {"phone", "+44 20 7946 0002"}})};
    }
    Result<booking::CreatedBooking> try_booking(std::int64_t trip, std::int64_t travelers = 1) {
        return bookings.creator.create(open_session(trip, travelers), wanted(), {}, {});
    }
    booking::Booking given_booking(std::int64_t trip, std::int64_t travelers = 1) {
        auto made = try_booking(trip, travelers);
        if (!made)
            throw std::logic_error(made.error().message().english());
        return made->booking;
    }
    booking::Booking booking_of(std::int64_t id) { return bookings.records.find(id).value(); }
    Result<booking::Booking> to_status(std::int64_t id, std::string_view status) {
        return bookings.records.lifecycle().set_status(id, status, "", staff);
    }
    Result<payment::Payment> pay(std::int64_t booking, const char* amount, const char* status = "completed",
                                 std::optional<std::string> transaction = {}) {
        return payments.record({.booking_id = booking,
                                .amount = amount,
                                .gateway = "cash",
                                .transaction_id = std::move(transaction),
                                .status = status},
                               0);
    }

    std::int64_t number(std::string_view sql, const store::Params& params = {}) {
        return real->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, params); });
    }
    std::int64_t seats_of(std::int64_t departure) {
        return number("SELECT booked_count FROM svc_departures WHERE id = :id", {{"id", departure}});
    }
    std::int64_t emitted(std::string_view name) {
        return number("SELECT COUNT(*) FROM svc_domain_events WHERE name = :name", {{"name", name}});
    }
    // The rows that no half of a booking may leave behind.
    std::vector<std::int64_t> footprint() {
        return {number("SELECT COUNT(*) FROM svc_bookings"),
                number("SELECT COUNT(*) FROM svc_booking_lines"),
                number("SELECT COUNT(*) FROM svc_booking_travelers"),
                number("SELECT COUNT(*) FROM svc_booking_departures"),
                number("SELECT COALESCE(SUM(booked_count), 0) FROM svc_departures"),
                number("SELECT COUNT(*) FROM svc_customers"),
                number("SELECT COUNT(*) FROM svc_access_tokens"),
                number("SELECT COUNT(*) FROM svc_booking_sessions WHERE status <> 'open'"),
                emitted("svc_booking_created")};
    }

    const booking::Actor staff{.kind = "admin"};
    SetClock clock{"2027-01-10T10:00:00Z"};
    std::shared_ptr<const crypto::Keyring> keyring = crypto::Keyring::for_tests();
    bool leaves_what_holds = true;  // at the end; not of a test that breaks it by hand
    std::unique_ptr<store::Store> real;
    FaultyStore store{*real};
    metrics::Registry metrics;
    events::Events hooks{store, clock, metrics, {.process = "site"}};
    settings::SiteSettings settings{*real, keyring, clock, [](std::string_view) { return true; }};
    catalog::trips::Service trips{{.store = store, .hooks = hooks, .settings = settings, .clock = clock}};
    availability::Services availability{
        {.store = store, .hooks = hooks, .settings = settings, .trips = trips, .clock = clock}};
    std::set<std::string, std::less<>> modules_off;
    discounts::Service discounts{{.store = store, .settings = settings, .clock = clock, .module_enabled = module_on()}};
    pricing::Pricing pricing{hooks,
                             {.filtered = {},
                              .terms =
                                  [this](const pricing::TermsFor& what) {
                                      return pricing::terms_of(settings, module_on(), what, clock.now());
                                  },
                              .group_discounts =
                                  [this](const catalog::trips::Trip& trip, store::Session* session) {
                                      return discounts.groups_of(trip.id, trip.currency, session);
                                  }}};
    booking::Services bookings{{.store = store,
                                .hooks = hooks,
                                .settings = settings,
                                .trips = trips,
                                .availability = availability,
                                .pricing = pricing,
                                .discounts = discounts,
                                .clock = clock,
                                .keyring = *keyring}};
    payment::Gateways gateways;
    payment::Service payments{{.store = store,
                               .hooks = hooks,
                               .settings = settings,
                               .gateways = gateways,
                               .keyring = *keyring,
                               .bookings = bookings.records,
                               .clock = clock,
                               .module_enabled = [](std::string_view) { return true; }}};
    payment::BookingPayments booking_payments{payments};
    OfferedGateways booking_gateways{payments};

  private:
    std::function<bool(std::string_view)> module_on() {
        return [this](std::string_view slug) { return !modules_off.contains(slug); };
    }
};

inline void each_booking_site(const std::function<void(BookingSite&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        BookingSite site(database);
        body(site);
    });
}

}  // namespace svc::tests
