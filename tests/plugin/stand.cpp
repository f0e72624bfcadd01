// The stand and its scripted plugin.
#include "tests/plugin/stand.hpp"

#include "tests/support/rows.hpp"

namespace svc::tests {
namespace {

const hooks::Action thing_done{"svc_thing_done", "For the test.", {"thing_id", "how"}};
const hooks::Filter thing_price{"svc_thing_price", "For the test.", json::Kind::number, {"thing_id"}};

std::function<void(plugin::Host&)>& present_script() {
    static std::function<void(plugin::Host&)> script;
    return script;
}

void run_script(plugin::Host& host) { present_script()(host); }

svc_plugin fresh_table() {
    return {sizeof(svc_plugin),    SVC_ABI_MAJOR, SVC_ABI_MINOR,
            {"scripted", 8},       {"1.2.3", 5},  &plugin::attach_entry<&run_script>,
            &plugin::detach_plugin};
}

void make_by_hand(store::Store& store) {
    execute(store, {"CREATE TABLE svc_users (id BIGINT NOT NULL PRIMARY KEY)", "INSERT INTO svc_users (id) VALUES (7)",
                    "CREATE TABLE svc_trips (id BIGINT NOT NULL PRIMARY KEY, title TEXT NOT NULL)",
                    "CREATE VIEW svc_trip_v1 AS SELECT id, title FROM svc_trips",
                    "CREATE TABLE svc_bookings (id BIGINT NOT NULL PRIMARY KEY)",
                    "INSERT INTO svc_trips (id, title) VALUES (1, 'Nile cruise')",
                    "INSERT INTO svc_trips (id, title) VALUES (2, 'Desert night')",
                    "INSERT INTO svc_bookings (id) VALUES (50)"});
}

// The booking is of 100.00, of which 25.00 are paid by payment 12, with saved method 3.
void fill_real(store::Store& store) {
    const std::map<std::string, std::string> person{{"email", "'ada@example.org'"},
                                                    {"email_lower", "'ada@example.org'"}};
    const auto with = [](std::map<std::string, std::string> values, const std::map<std::string, std::string>& more) {
        values.insert(more.begin(), more.end());
        return values;
    };
    insert_row(store, "svc_roles", {{"id", "1"}, {"slug", "'administrator'"}});
    insert_row(store, "svc_users",
               with(person, {{"id", "7"}, {"login", "'ada'"}, {"login_lower", "'ada'"}, {"role_id", "1"}}));
    insert_row(store, "svc_customers", with(person, {{"id", "9"}}));
    const std::map<std::string, std::string> trip{{"status", "'publish'"},
                                                  {"trip_type", "'single_day'"},
                                                  {"duration_days", "1"},
                                                  {"pricing_type", "'regular'"},
                                                  {"currency", "'USD'"},
                                                  {"min_travelers", "1"},
                                                  {"version", "1"},
                                                  {"row_version", "1"},
                                                  {"featured_priority", "'none'"}};
    insert_row(store, "svc_trips", with(trip, {{"id", "1"}, {"title", "'Nile cruise'"}, {"slug", "'nile-cruise'"}}));
    insert_row(store, "svc_trips", with(trip, {{"id", "2"}, {"title", "'Desert night'"}, {"slug", "'desert-night'"}}));
    insert_row(store, "svc_bookings",
               {{"id", "50"},
                {"reference", "'SVC-1'"},
                {"trip_id", "1"},
                {"customer_id", "9"},
                {"user_id", "7"},
                {"contact_first_name", "'Ada'"},
                {"contact_last_name", "'Lovelace'"},
                {"contact_email", "'ada@example.org'"},
                {"status", "'pending'"},
                {"currency", "'USD'"},
                {"subtotal_minor", "10000"},
                {"total_minor", "10000"},
                {"amount_paid_minor", "2500"},
                {"travelers_count", "1"},
                {"payment_method", "'deposit'"},
                {"payment_gateway", "'stripe'"},
                {"travel_date", "'2999-01-01'"},
                {"end_date", "'2999-01-01'"}});
    insert_row(store, "svc_saved_payment_methods",
               {{"id", "3"}, {"customer_id", "9"}, {"gateway", "'stripe'"}, {"gateway_method_id", "'pm_1'"}});
    insert_row(store, "svc_payments",
               {{"id", "12"},
                {"booking_id", "50"},
                {"gateway", "'stripe'"},
                {"method", "'card'"},
                {"amount_minor", "2500"},
                {"currency", "'USD'"},
                {"status", "'completed'"},
                {"source", "'gateway'"},
                {"payment_date", "'2026-05-04'"}});
}

}  // namespace

svc_plugin& scripted_table() {
    static svc_plugin table = fresh_table();
    return table;
}

const svc_plugin* scripted_entry() { return &scripted_table(); }

void script(std::function<void(plugin::Host&)> attach) {
    scripted_table() = fresh_table();
    present_script() = std::move(attach);
}

std::string Reply::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (key == name)
            return value;
    return {};
}

Stand::Stand(std::unique_ptr<Database> on, Schema schema)
    : database(std::move(on)), store(schema == Schema::real ? database->open_migrated() : database->open()) {
    log::redirect(&log);
    caller = {.kind = api::Caller::Kind::user,
              .user_id = 7,
              .login = "ada",
              .email = "ada@example.org",
              .capabilities = {"manage_options"},
              .through = api::Caller::Through::application_password,
              .session_key = "app:1"};
    schema == Schema::real ? fill_real(*store) : make_by_hand(*store);
    execute(*store, {"CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY, name TEXT UNIQUE, note TEXT)"});
    hooks.declare(thing_done);
    hooks.declare(thing_price);
    for (const char* told : {"svc_payment_completed", "svc_booking_updated", "svc_scheduled_payment_success",
                             "svc_scheduled_payment_failed", "svc_scheduled_payment_reminder_due"})
        hooks.declare(hooks::Action{told, "For the test.", {}});
    settings.declare({.key = "timezone", .type = api::text(64), .initial = "UTC", .help = "For the test."});
    settings.declare({.key = "currency", .type = api::text(3), .initial = "USD", .help = "For the test."});
    own_ = registered();
}

Stand::~Stand() {
    plugins_.reset();
    log::redirect(nullptr);
}

std::size_t Stand::registered() const {
    return routes.all().size() + hooks.declared_actions.size() + hooks.declared_filters.size() +
           hooks.listeners.size() + hooks.filter_listeners.size() + settings.declared.size() + modules.declared.size() +
           gateways.all().size() + jobs.added.size() - own_;
}

plugins::Services Stand::services() {
    return {.routes = routes,
            .hooks = hooks,
            .store = *store,
            .settings = settings,
            .modules = modules,
            .jobs = jobs,
            .gateways = gateways,
            .keyring = *keyring,
            .clock = clock,
            .knows_capability =
                [](std::string_view name) {
                    return name == "manage_options" || name == "svc_view_trips" || name == "svc_edit_trips" ||
                           name == "svc_view_bookings" || name == "svc_edit_bookings" ||
                           name == "svc_view_financial_reports" || name == "svc_manage_webhooks" ||
                           name == "manage_svc";
                },
            .fetch = fetch,
            .confirms = confirms,
            .charges = charges,
            .pages = pages,
            .call = calls,
            .bookings = bookings,
            .changes = changes,
            .take_limit = take_limit,
            .add_old_rows = add_old_rows,
            .print = print,
            .mails = mails};
}

plugins::Plugins& Stand::plugins() {
    if (!plugins_)
        plugins_ = std::make_unique<plugins::Plugins>(services());
    return *plugins_;
}

Result<std::string> Stand::attach(std::function<void(plugin::Host&)> attach_script) {
    script(std::move(attach_script));
    return attach(&scripted_entry);
}

app::Gate Stand::gate() {
    return app::Gate{
        {.routes = routes,
         .clock = clock,
         .base_path = "/svc/v1",
         .cors_origins = {},
         .session_cookies = {"svc_session", "__Host-svc_session"},
         .reads_at_once = true,
         .module_enabled = [this](std::string_view module) { return modules.enabled(module); },
         .client_address = [](std::string_view peer, const auto&) { return std::string(peer); },
         .is_trusted_proxy = [](std::string_view) { return false; },
         .authenticate = [this](const auto&, const auto&) -> Result<api::Caller> { return caller; },
         .limited = [](const auto&, const auto&, const auto&, bool) { return app::Allowance{}; },
         .perform = [this](api::Request& request, const api::RouteSpec& route) { return perform(request, route); },
         .observe = [](const api::RouteSpec*, int, std::int64_t) {}}};
}

Reply Stand::call(std::string_view method, const std::string& target, const json::Value& body) {
    auto sent = headers;
    const auto text = body.is_null() ? std::string() : body.dump();
    if (!text.empty())
        sent.emplace_back("Content-Type", "application/json");
    const auto full_target = "/svc/v1" + target;
    const auto answer =
        gate().answer({.method = method, .target = full_target, .headers = sent, .body = text, .peer = "203.0.113.9"});
    Reply reply{
        .status = answer.status, .body = {}, .text = answer.body ? *answer.body : "", .headers = answer.headers};
    if (auto parsed = json::parse(reply.text))
        reply.body = std::move(*parsed);
    return reply;
}

api::Reply Stand::perform(api::Request& request, const api::RouteSpec& route) {
    if (keeps_replies)
        request.keep_reply = [this](store::Transaction&, const api::Reply& reply) {
            if (answered_first)
                throw AnsweredFirst{};
            kept.push_back(reply.data.dump());
        };
    try {
        return route.handle(request);
    } catch (const AnsweredFirst&) {
        return api::ok("what the first was answered");
    }
}

std::size_t Stand::log_lines(std::string_view event) const {
    const auto mark = "\"event\":\"" + std::string(event) + "\"";
    std::size_t count = 0;
    for (auto at = log.find(mark); at != std::string::npos; at = log.find(mark, at + 1))
        ++count;
    return count;
}

std::int64_t Stand::number(std::string_view sql) {
    return store->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, {}); });
}

}  // namespace svc::tests
