// The shop's making and its calls.
#include "tests/support/shop.hpp"

#include "base/sales/availability/dates/trip_filter.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/routes.hpp"
#include "base/sales/availability/settings.hpp"
#include "shared/core/log.hpp"
#include "tests/support/each_on.hpp"

namespace svc::tests {
namespace {

std::int64_t user_of(store::Store& store) {
    return store
        .transact<std::int64_t>([](store::Transaction& tx) -> Result<std::int64_t> {
            const auto known = tx.number("SELECT id FROM svc_users WHERE login_lower = 'staff'", {});
            if (known > 0)
                return known;
            const auto role = tx.insert(
                "INSERT INTO svc_roles (slug, label, created_at, updated_at) VALUES ('tester', 'Tester', 0, 0)"
                " RETURNING id",
                {});
            return tx.insert(
                "INSERT INTO svc_users (login, login_lower, email, email_lower, password_hash, role_id, created_at,"
                " updated_at) VALUES ('staff', 'staff', 'staff@example.org', 'staff@example.org', 'x', :role, 0, 0)"
                " RETURNING id",
                {{"role", role}});
        })
        .value();
}

}  // namespace

std::string Answered::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (key == name)
            return value;
    return {};
}

std::string Answered::column(std::string_view name) const {
    std::string values;
    for (const json::Value& row : data().items())
        values += (values.empty() ? "" : " ") + (row[name].is_string() ? row[name].text() : row[name].dump());
    return values;
}

Shop::Shop(Database& database)
    : base_(database.open_migrated()),
      availability({.store = base_.store, .hooks = hooks, .settings = settings, .trips = trips, .clock = clock}) {
    log::least(log::Level::error);
    availability::declare_hooks(hooks);
    availability::declare_settings(settings);
    trips.editor().copies({.copy = [this](store::Transaction& tx, std::int64_t from, std::int64_t to,
                                          auto user) { availability.rules.copy(tx, from, to, user); },
                           .copied = [this](std::int64_t trip_id) { availability.calendar.refresh(trip_id); }});
    trips_.when_removed(availability::Departures::remove_all);
    trips.public_trips().set_dates(availability::trip_filter(availability.dates));
    base_.begin();
    availability::add_routes(routes, availability);
    availability.calendar.load();
    staff_id = user_of(*store);
    as({"manage_options"});
}

void Shop::as(std::vector<std::string> capabilities) {
    caller = {};
    if (capabilities.empty())
        return;
    std::sort(capabilities.begin(), capabilities.end());
    caller.kind = api::Caller::Kind::user;
    caller.user_id = staff_id;
    caller.login = "staff";
    caller.capabilities = std::move(capabilities);
}

Answered Shop::get(const std::string& target, std::vector<HttpHeader> headers) {
    return send("GET", target, {}, std::move(headers));
}

Answered Shop::send(const std::string& method, const std::string& target, const json::Value& body,
                    std::vector<HttpHeader> headers) {
    if (!gate_)
        gate_ = std::make_unique<app::Gate>(app::GateParts{
            .routes = routes,
            .clock = clock,
            .base_path = "/svc/v1",
            .cors_origins = {},
            .session_cookies = {"svc_session", "__Host-svc_session"},
            .module_enabled = [](std::string_view) { return true; },
            .client_address = [](std::string_view peer, const auto&) { return std::string(peer); },
            .is_trusted_proxy = [](std::string_view) { return true; },
            .authenticate = [this](const auto&, auto) -> Result<api::Caller> { return caller; },
            .limited = [](const auto&, const auto&, const auto&, bool) { return app::Allowance{}; },
            .perform = [](api::Request& request, const api::RouteSpec& route) { return route.handle(request); },
            .observe = [](const auto*, int, std::int64_t) {}});
    const std::string sent = body.is_null() ? std::string() : body.dump();
    if (!sent.empty())
        headers.emplace_back("Content-Type", "application/json");
    // Where a Location leads begins at the host already.
    const std::string path = target.starts_with("/svc/v1/") ? target : "/svc/v1" + target;
    HttpAnswer answer =
        gate_->answer({.method = method, .target = path, .headers = headers, .body = sent, .peer = "127.0.0.1"});
    Answered answered{answer.status, std::move(answer.headers), answer.body ? *answer.body : std::string(), {}};
    if (!answered.text.empty() && answered.header("Content-Encoding").empty())
        answered.body = json::parse(answered.text, {.depth = 32, .elements = 10'000'000, .text = 1 << 20}).value();
    return answered;
}

catalog::trips::Trip Shop::given_trip(catalog::trips::TripChange change) {
    if (!change.title)
        change.title = "Nile cruise";
    if (!change.regular_price)
        change.regular_price = "200.00";
    if (!change.duration)
        change.duration = 4;
    if (!change.status)
        change.status = "publish";
    return trips.editor().create(change, staff_id).value();
}

availability::Departure Shop::given_departure(std::int64_t trip_id, const char* date, int capacity,
                                              availability::DepartureChange change) {
    change.start_date = Date::parse(date).value();
    change.capacity = capacity;
    return availability.departures.create(trip_id, change, {staff_id, true}).value();
}

std::vector<std::string> Shop::fired() const {
    return store->reading<std::vector<std::string>>([](store::Session& session) {
        return session.all<std::string>("SELECT name FROM svc_domain_events ORDER BY id", "t", {},
                                        [](const store::Row& row) { return row.text(0); });
    });
}

Result<std::int64_t> Shop::take(const catalog::trips::Trip& trip, const char* date, std::int64_t booking_id,
                                std::int64_t seats, const char* time) {
    return store->transact<std::int64_t>([&](store::Transaction& tx) {
        return availability.seats.take(tx, trip, Date::parse(date).value(), ClockTime::parse(time), booking_id, seats,
                                       clock.now());
    });
}

bool Shop::release(std::int64_t booking_id, std::string_view reason) {
    return store
        ->transact<bool>([&](store::Transaction& tx) -> Result<bool> {
            return availability.seats.release(tx, booking_id, reason, clock.now()).has_value();
        })
        .value();
}

void each_shop(const std::function<void(Shop&)>& body) { each_on<Shop>(body); }

}  // namespace svc::tests
