// Builds an installation for tests, its users and its first records.
#include "tests/support/test_base.hpp"

#include <algorithm>
#include <stdexcept>

#include <doctest/doctest.h>

#include "base/app/openapi.hpp"
#include "base/platform/crypto/password_cost.hpp"
#include "shared/api/query.hpp"
#include "shared/core/log.hpp"
#include "tests/support/answer_faults.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/invariants.hpp"

namespace svc::tests {
namespace {

BaseOptions options_for(const Database& database, const TempDir& folder) {
    BaseOptions options;
    options.database = database.url();
    options.key_file = folder.file("svc.key");
    options.data_dir = folder.path();
    options.site_url = "https://example.org";
    options.require_durable = false;
    options.run_jobs = false;
    // A test's wait for a lock is another test's build.
    options.lease_time = std::chrono::seconds(30);
    return options;
}

template <class T>
T must(Result<T> result) {
    if (!result)
        throw std::runtime_error("a test's own step was refused: " + result.error().message().english());
    return std::move(*result);
}

json::Value read(const std::string& text) {
    auto parsed = json::parse(text, {.depth = 100, .elements = 1'000'000, .text = 16U << 20U});
    return parsed ? std::move(*parsed) : json::Value();
}

std::function<void(app::Assembly&)> before_start;
std::function<void(BaseOptions&)> change_options;

// Every success that a test meets is one that OpenAPI lists, with the members that it declares.
void check_declared(app::Assembly& assembly, std::string_view method, std::string_view target,
                    const Answered& answered) {
    const auto path = target.substr(assembly.options.base_path.size());
    const auto met = assembly.routes.match(method, path.substr(0, path.find('?')), [&assembly](std::string_view slug) {
        return assembly.modules.enabled(slug);
    });
    if (!met.route || method == "OPTIONS" || answered.status >= 400)
        return;
    const int status = answered.status;
    const auto listed = app::successes_of(*met.route);
    const std::string& path_of_route = met.route->path;
    CAPTURE(path_of_route);
    CAPTURE(status);
    CHECK(std::find(listed.begin(), listed.end(), status) != listed.end());
    if (SpoiledAnswers::are_expected() || !met.route->enveloped || !answered.body["success"].is_boolean())
        return;
    // Listeners may add members.
    for (const std::string& fault : answer_faults(met.route->answer, answered.data(), "data"))
        if (fault.ends_with(" is missing") || fault.ends_with(" is null"))
            FAIL_CHECK(fault);
}

}  // namespace

BeforeStart::BeforeStart(std::function<void(app::Assembly&)> work) { before_start = std::move(work); }
BeforeStart::~BeforeStart() { before_start = nullptr; }

WithOptions::WithOptions(std::function<void(BaseOptions&)> change) { change_options = std::move(change); }
WithOptions::~WithOptions() { change_options = nullptr; }

Visitor Visitor::with(std::string name, std::string value) const {
    Visitor more = *this;
    more.headers.emplace_back(std::move(name), std::move(value));
    return more;
}

Visitor Visitor::from(std::string ip) const {
    Visitor there = *this;
    there.address = std::move(ip);
    return there;
}

std::string Answered::header(std::string_view name) const {
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const auto& each) { return each.first == name; });
    return found == headers.end() ? std::string() : found->second;
}

TestBase::TestBase(const Database& database, svc_plugin_entry_fn* plugin) {
    log::least(log::Level::error);
    // The least that libsodium takes; identity_tests and crypto_tests hash as the server does.
    static const bool cheap = (crypto::set_password_cost({.passes = 1, .memory = 8192}), true);
    static_cast<void>(cheap);
    database.open_migrated().reset();  // before its url is asked for, which would make it empty
    auto options = options_for(database, folder_);
    if (change_options)
        change_options(options);
    assembly = std::make_unique<app::Assembly>(options);
    if (before_start)
        before_start(*assembly);
    assembly->start(plugin);
    // Limits have tests of their own; a walk over every route is far beyond them.
    const auto admin = make_user("a_administrator", "administrator");
    auto made = must(assembly->identity.service.accounts().add_password(admin, "test"));
    users_.emplace("administrator", by_password("a_administrator", admin, made.password));
    static_cast<void>(must(assembly->settings.write(
        json::Value::object(
            {{"api_rate_limit", 0}, {"staff_rate_limit", 0}, {"public_rate_limit", 0}, {"unproven_mails_per_hour", 0}}),
        admin)));
    gate_ = std::make_unique<app::Gate>(app::make_gate(*assembly));
}

TestBase::~TestBase() {
    assembly->stop();
    if (leaves_what_holds)
        check_invariants(*assembly->store);
}

Answered TestBase::call(std::string_view method, const std::string& target, const std::string& body,
                        const Visitor& visitor) {
    // Where a Location leads begins at the host already.
    const std::string& root = assembly->options.base_path;
    const std::string whole = target.starts_with(root + "/") ? target : root + target;
    std::vector<HttpHeader> headers = visitor.headers;
    const bool says_type = std::any_of(headers.begin(), headers.end(),
                                       [](const HttpHeader& each) { return each.first == "Content-Type"; });
    if (!body.empty() && !says_type)
        headers.emplace_back("Content-Type", "application/json");
    ++calls_;
    // Networks are counted, not hosts, and a network of version 4 is an address.
    const std::string own = "10." + std::to_string(calls_ >> 16U & 255U) + "." + std::to_string(calls_ >> 8U & 255U) +
                            "." + std::to_string(calls_ & 255U);
    const std::string& peer = visitor.address.empty() ? own : visitor.address;
    const HttpRequest request{.method = method, .target = whole, .headers = headers, .body = body, .peer = peer};
    const HttpPlan plan = gate_->plan(method, whole, headers);
    std::optional<HttpAnswer> refusal;
    if (body.size() > plan.body_limit)
        refusal = body.size() > plan.proven_body_limit ? gate_->failure(413, headers) : gate_->refusal_of_head(request);
    const HttpAnswer answer = refusal ? std::move(*refusal) : gate_->answer(request);
    Answered answered{answer.status, answer.headers, answer.body ? *answer.body : std::string(), {}};
    if (answer.file) {
        answered.text.resize(answer.file_size.value_or(answer.file->size() - answer.file_from));
        answered.text.resize(answer.file->read(answer.file_from, answered.text.data(), answered.text.size()));
    }
    answered.body = read(answered.text);
    check_declared(*assembly, method, whole, answered);
    return answered;
}

Answered TestBase::call_by_value(std::string_view method, const std::string& target, const json::Value& body,
                                 const Visitor& visitor, bool takes_held) {
    std::vector<HttpHeader> headers = visitor.headers;
    if (!body.is_null())
        headers.emplace_back("Content-Type", "application/json");
    ++calls_;
    const std::string own = "10.1" + std::to_string(calls_ >> 16U & 255U) + "." + std::to_string(calls_ >> 8U & 255U) +
                            "." + std::to_string(calls_ & 255U);
    const auto mark = target.find('?');
    api::InnerReply reply =
        gate_->ask({.method = method,
                    .path = std::string_view(target).substr(0, mark),
                    .query = must(api::parse_query(mark == std::string::npos ? "" : target.substr(mark + 1))),
                    .body = body,
                    .headers = headers,
                    .peer = visitor.address.empty() ? own : visitor.address,
                    .takes_held = takes_held,
                    .of_page = true});
    if (reply.held)
        reply.body.set("data", reply.held->data());
    Answered answered{reply.status, reply.headers, reply.body.is_null() ? std::string() : reply.body.dump(),
                      reply.body};
    if (reply.bytes || reply.file) {
        answered.text = must(api::content_of(reply, std::size_t{64} << 20));
        answered.body = read(answered.text);
    }
    check_declared(*assembly, method, assembly->options.base_path + target, answered);
    return answered;
}

std::int64_t TestBase::make_user(const std::string& login, const std::string& role) {
    return must(assembly->identity.service.accounts().add_user(login, login + "@example.org", role, password));
}

Visitor TestBase::by_password(const std::string& login, std::int64_t user_id, const std::string& secret) const {
    return {{{"Authorization", "Basic " + crypto::base64(login + ":" + secret)}}, user_id};
}

const Visitor& TestBase::user(const std::string& role) {
    const auto known = users_.find(role);
    if (known != users_.end())
        return known->second;
    const auto id = make_user("a_" + role, role);
    auto made = must(assembly->identity.service.accounts().add_password(id, "test"));
    return users_.emplace(role, by_password("a_" + role, id, made.password)).first->second;
}

const Visitor& TestBase::holding(const std::vector<std::string>& capabilities) {
    if (!holder_) {
        const auto id = make_user("holder", "svc_customer");
        auto made = must(assembly->identity.service.accounts().add_password(id, "test"));
        holder_ = std::make_unique<Visitor>(by_password("holder", id, made.password));
    }
    const auto done = assembly->store->write([&](store::Transaction& tx) -> Result<void> {
        tx.run("DELETE FROM svc_user_capabilities WHERE user_id = :user", {{"user", holder_->user_id}});
        for (const auto& capability : capabilities)
            tx.run(
                "INSERT INTO svc_user_capabilities (user_id, capability, effect, created_at, updated_at)"
                " VALUES (:user, :capability, 'grant', 0, 0)",
                {{"user", holder_->user_id}, {"capability", capability}});
        return {};
    });
    if (!done)
        throw std::runtime_error("a test's rights were not stored");
    return *holder_;
}

Visitor TestBase::cookie(const std::string& role, bool with_nonce) {
    const auto id = user(role).user_id;
    const auto in = must(assembly->identity.service.sign_in({.username = "a_" + role, .password = password}));
    Visitor visitor{{{"Cookie", "svc_session=" + in.token}}, id};
    return with_nonce ? visitor.with("X-Host-Nonce", in.nonce.text) : visitor;
}

Visitor TestBase::revoked(const std::string& role) {
    const auto id = user(role).user_id;
    auto made = must(assembly->identity.service.accounts().add_password(id, "lost"));
    if (!assembly->identity.service.accounts().revoke_password(id, made.id))
        throw std::runtime_error("a test's password was not revoked");
    return by_password("a_" + role, id, made.password);
}

Visitor TestBase::fresh(const std::string& role) {
    auto& accounts = assembly->identity.service.accounts();
    if (fresh_.second > 0)
        static_cast<void>(accounts.revoke_password(fresh_.first, fresh_.second));
    const auto id = user(role).user_id;
    const auto made = must(accounts.add_password(id, "fresh"));
    fresh_ = {id, made.id};
    return by_password("a_" + role, id, made.password);
}

std::string TestBase::day(int days_ahead) const {
    const auto moment = assembly->availability.services.dates.moment();
    return moment.zone.date_at(moment.now).plus_days(days_ahead).text();
}

void TestBase::given_license(const std::string& tier, const std::string& status) {
    static_cast<void>(must(assembly->store->transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        tx.run("DELETE FROM svc_license", {});
        tx.run(
            "INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
            " VALUES (1, 'test', '', :status, :tier, 0, 0)",
            {{"status", status}, {"tier", tier}});
        return true;
    })));
}

std::int64_t TestBase::given_trip(const std::string& title) {
    catalog::trips::TripChange trip;
    trip.title = title;
    trip.summary = "Seven days on the river.";
    trip.duration = 7;
    trip.regular_price = "100.00";
    trip.max_travelers = 20;
    trip.status = "publish";
    return must(assembly->trips.service.editor().create(trip, std::nullopt)).id;
}

std::int64_t TestBase::given_departure(std::int64_t trip_id, int days_ahead, int seats) {
    availability::DepartureChange departure;
    departure.start_date = Date::parse(day(days_ahead));
    departure.capacity = seats;
    return must(assembly->availability.services.departures.create(trip_id, departure,
                                                                  {.user_id = std::nullopt, .any_date = true}))
        .id;
}

json::Value filled_in(json::Value body) {
    const json::Value traveler = json::Value::object({{"first_name", "Ada"},
                                                      {"last_name", body.text_or("contact_last_name", "Lovelace")},
                                                      {"date_of_birth", "1990-12-10"},
                                                      {"gender", "female"},
                                                      {"nationality", "British"}});
    for (const auto& [name, value] : {std::pair<const char*, json::Value>("contact_first_name", "Ada"),
                                      {"contact_last_name", "Lovelace"},
                                      {"contact_email", "ada@example.org"},
                                      {"contact_phone", "+44 20 7946 0001"},
                                      {"contact_country", "GB"},
                                      {"emergency_name", "Annabella"},
                                      {"emergency_phone", "+44 20 7946 0002"},
                                      {"travelers", json::Value::array({traveler})}})
        if (!body.find(name))
            body.set(name, value);
    return body;
}

Answered TestBase::book(std::int64_t trip_id, int days_ahead, json::Value fields, const Visitor& visitor) {
    const auto session = post(
        "/booking/session",
        json::Value::object({{"trip_id", trip_id}, {"travel_date", day(days_ahead)}, {"travelers_count", 1}}), visitor);
    if (session.status != 201)
        return session;
    fields.set("session_id", session.data()["session_id"]);
    return post("/booking/create", filled_in(std::move(fields)), visitor);
}

GivenBooking TestBase::given_booking(std::int64_t trip_id, int days_ahead, const std::string& last_name) {
    const auto made = book(trip_id, days_ahead, json::Value::object({{"contact_last_name", last_name}}));
    if (made.status != 201)
        throw std::runtime_error("a test's booking was refused: " + made.text);
    return {made.data()["booking_id"].integer(), made.data()["reference"].text(), made.data().text_or("booking_token")};
}

std::int64_t TestBase::number(const char* sql) {
    return assembly->store->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, {}); });
}

std::map<std::string, std::int64_t> TestBase::row_counts() {
    // Waits for the writes of listeners after a commit.
    if (!assembly->hooks.drain())
        throw std::runtime_error("events are still open");
    std::map<std::string, std::int64_t> counts;
    assembly->store->read([&](store::Session& session) {
        const auto tables = session.all<std::string>(
            session.dialect() == store::Dialect::sqlite
                ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'svc%' ORDER BY name"
                : "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
            "t", {}, [](const store::Row& row) { return row.text(0); });
        for (const auto& table : tables)
            if (table != "svc_logs")  // what the program logs, written by a thread of its own
                counts[table] = session.number("SELECT COUNT(*) FROM " + table, {});
    });
    return counts;
}

}  // namespace svc::tests
