// POST /google-calendar/connect, …/disconnect; GET …/callback; GET, PUT …/settings; GET, POST …/calendars.
#include "pro/google_calendar/routes.hpp"

#include "shared/api/named.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::google_calendar {
namespace {

using api::Method;
using json::Value;

// Holds the secret of the browser that began the visit to Google: Lax, as Google's page leads back by a link.
constexpr std::string_view cookie_name = "svc_google_calendar";
constexpr const char* screen = "/admin/google-calendar";

std::string cookie(const std::string& value, const std::string& path, bool is_secure, std::chrono::seconds lasts) {
    return std::string(cookie_name) + "=" + value + "; Path=" + path + "; Max-Age=" + std::to_string(lasts.count()) +
           "; HttpOnly; SameSite=Lax" + (is_secure ? "; Secure" : "");
}

// Empty where there is none.
std::string cookie_in(std::string_view header) {
    const std::string wanted = std::string(cookie_name) + "=";
    while (!header.empty()) {
        const auto end = std::min(header.find(';'), header.size());
        std::string_view one = header.substr(0, end);
        header.remove_prefix(std::min(end + 1, header.size()));
        while (one.starts_with(' '))
            one.remove_prefix(1);
        if (one.starts_with(wanted))
            return std::string(one.substr(wanted.size()));
    }
    return {};
}

constexpr std::size_t longest_name = 300, longest_sent_name = 4000;

std::string shown_name(const std::string& name) { return std::string(text::first(name, longest_name)); }

// What may be written: the settings, and which calendar gets the events.
api::Schema body_schema() {
    return settings_schema().plus({{.name = "calendar_id",
                                    .type = api::text(300),
                                    .help = "The calendar that gets the events; empty until one is chosen."},
                                   {.name = "calendar_name",
                                    .type = api::raw_text(longest_sent_name),
                                    .help = "Its name, of which 300 characters are kept; else its id is shown."}});
}

api::Type settings_answer() {
    return api::object(
        "GoogleCalendarSettings",
        body_schema().plus(
            {{.name = "connected", .type = api::boolean()},
             {.name = "state",
              .type = api::choice({"off", "connected", "reconnect", "leaving"}),
              .help = "reconnect: Google wants a new consent, and changes wait. leaving: events are being deleted."},
             {.name = "problem",
              .type = api::choice({"revoked", "client", "calendar_gone", ""}),
              .help = "Empty: none. revoked: Google refuses our access. client: it refuses the client ID or secret."
                      " calendar_gone: the calendar was deleted."},
             {.name = "calendar_kind",
              .type = api::choice({"own", "existing"}),
              .help = "own: a calendar that we made."},
             {.name = "redirect_uri", .type = api::text(2000), .help = "To be entered in the Google Cloud console."},
             {.name = "changed_at", .type = api::instant().or_null(), .help = "When the state became so."},
             {.name = "rests_until", .type = api::instant().or_null(), .help = "Nothing is sent before."},
             {.name = "last_sync", .type = api::instant().or_null()},
             {.name = "queued", .type = api::integer(0), .help = "Changes that are not yet in the calendar."},
             {.name = "failing", .type = api::integer(0), .help = "Those among them that failed and are tried again."},
             {.name = "events", .type = api::integer(0), .help = "Events that the calendar has of ours."}}));
}

Result<Value> settings_now(const Site& site, Connection& connection) {
    SVC_ASSIGN_OR_RETURN(const auto redirect, connection.redirect_uri());
    Value shown = settings_json(site);
    return site.store.reading<Value>([&](store::Session& session) {
        const Connected now = connected_now(session);
        const Progress progress = Items::progress(session, now.run_number);
        shown.set("connected", now.is_connected());
        shown.set("state", now.state);
        shown.set("problem", now.problem);
        shown.set("calendar_kind", now.calendar_kind);
        shown.set("calendar_id", now.calendar_id);
        shown.set("calendar_name", now.calendar_name);
        shown.set("redirect_uri", redirect);
        shown.set("changed_at", now.changed_at);
        shown.set("rests_until", now.rests_until);
        shown.set("last_sync", now.last_sync_at);
        shown.set("queued", progress.queued);
        shown.set("failing", progress.failing);
        shown.set("events", progress.events);
        return shown;
    });
}

api::RouteSpec connect_route(Connection& connection) {
    auto spec =
        route(Method::post, "/google-calendar/connect",
              "Begin to connect: the address of Google's consent page, and a cookie that ties its answer to this"
              " browser.");
    spec.body = {{.name = "calendar",
                  .type = api::choice({"own", "existing"}),
                  .help = "own: we make a calendar and may see no other. existing: one of the account is chosen.",
                  .otherwise = Value("own")}};
    spec.answer = api::object("GoogleCalendarConnect", {{.name = "auth_url", .type = api::text(4000)}});
    spec.keeps_replay = false;  // an address is good for one visit
    spec.handle = [&connection](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto visit,
                             connection.begin(request.body["calendar"].text(), request.caller.user_id));
        api::Reply reply = api::ok(Value::object({{"auth_url", visit.auth_url}}));
        reply.headers.emplace_back("Set-Cookie",
                                   cookie(visit.browser, visit.cookie_path, visit.is_secure, visit.lasts));
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    };
    return spec;
}

api::RouteSpec callback_route(Connection& connection) {
    auto spec = route(Method::get, "/google-calendar/callback",
                      "Google's answer to a visit to its consent page; leads (302) to the screen of the admin.");
    spec.who = api::Permission::everyone();
    spec.query = {{.name = "state", .type = api::raw_text(200), .required = true},
                  {.name = "code", .type = api::raw_text(2000), .help = "Required unless there is an error."},
                  {.name = "error", .type = api::text(200), .help = "Google's word for why there is no code."},
                  {.name = "scope", .type = api::text(4000)}};
    spec.enveloped = false;
    spec.success = 302;
    spec.lane = api::Lane::provider;
    spec.limit = {.burst = 20, .seconds = 60};
    spec.handle = [&connection](const api::Request& request) -> api::Reply {
        const Connection::Back back{.state = request.query["state"].text(),
                                    .code = request.query.text_or("code"),
                                    .error = request.query.text_or("error"),
                                    .browser = cookie_in(request.header("Cookie"))};
        if (back.code.empty() && back.error.empty())
            return api::failed(missing("code"));
        SVC_ASSIGN_OR_RETURN(const auto arrival, connection.finish(back));
        SVC_ASSIGN_OR_RETURN(const auto address, connection.site_address());
        api::Reply reply;
        reply.status = 302;
        reply.raw = std::make_shared<const std::string>();
        reply.headers.emplace_back("Location", address + screen +
                                                   (arrival == Connection::Arrival::connected ? "?connected=1"
                                                    : arrival == Connection::Arrival::denied  ? "?problem=denied"
                                                                                              : "?problem=failed"));
        reply.headers.emplace_back("Cache-Control", "no-store");
        reply.headers.emplace_back("Referrer-Policy", "no-referrer");
        return reply;
    };
    return spec;
}

api::RouteSpec disconnect_route(Connection& connection, const Site& site) {
    auto spec =
        route(Method::post, "/google-calendar/disconnect",
              "Disconnect and revoke the access; `delete_events` deletes our events first, in the background. Where"
              " Google refuses our access that is not possible, and the 409 says what is.");
    spec.body = {{.name = "delete_events", .type = api::boolean(), .otherwise = Value(false)}};
    spec.answer =
        api::object("GoogleCalendarDisconnected", {{.name = "connected", .type = api::boolean()},
                                                   {.name = "events_left",
                                                    .type = api::integer(0),
                                                    .help = "Events of ours that are still being deleted, or stay."}});
    spec.errors = {&not_connected};
    spec.lane = api::Lane::provider;
    spec.repeats_safely = true;
    spec.handle = [&connection, &site](const api::Request& request) -> api::Reply {
        if (request.body["delete_events"].boolean()) {
            SVC_RETURN_IF_ERROR(connection.leave_after_events());
            if (site.jobs)
                site.jobs->wake(sync_job);
        } else {
            SVC_RETURN_IF_ERROR(connection.leave());
        }
        const auto left = site.store.reading<std::int64_t>(
            [](store::Session& session) { return Items::progress(session, 0).events; });
        return api::ok(Value::object({{"connected", false}, {"events_left", left}}));
    };
    return spec;
}

void add_settings_routes(const Site& site, Connection& connection, const Sync& sync) {
    auto read = route(Method::get, "/google-calendar/settings",
                      "Return the settings of Google Calendar and the state of its connection; the secret is masked.");
    read.answer = settings_answer();
    read.handle = [&site, &connection](const api::Request&) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(auto shown, settings_now(site, connection));
        return api::ok(std::move(shown));
    };
    site.routes.add(std::move(read));
    for (const Method method : {Method::put, Method::post}) {
        auto write =
            route(method, "/google-calendar/settings",
                  "Change settings of Google Calendar; what they change of events is copied in the background.");
        write.body = body_schema();
        write.answer = settings_answer();
        write.repeats_safely = true;
        write.rules = [&site](const api::Request& request) -> Result<std::vector<FieldError>> {
            const auto checked = check_settings(site, request.body);
            return checked ? std::vector<FieldError>() : checked.error().fields();
        };
        write.handle = [&site, &connection, &sync](const api::Request& request) -> api::Reply {
            SVC_RETURN_IF_ERROR(check_settings(site, request.body));
            const std::string client = client_of(site).id;
            const auto is_shown = site.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
                SVC_ASSIGN_OR_RETURN(const bool is_of_events,
                                     write_settings(site, request.body, tx, request.caller.user_id));
                if (request.body.maybe_text("client_id").value_or(client) != client)
                    connection.client_changed(tx);
                const auto calendar = request.body.maybe_text("calendar_id");
                if (!calendar || *calendar == connected_now(tx).calendar_id)
                    return is_of_events;
                return Connection::choose(
                    tx, {.id = *calendar, .name = shown_name(request.body.text_or("calendar_name", *calendar))});
            });
            if (!is_shown)
                return api::failed(is_shown.error());
            if (*is_shown)
                sync.all_changed();
            SVC_ASSIGN_OR_RETURN(auto shown, settings_now(site, connection));
            return api::ok(std::move(shown));
        };
        site.routes.add(std::move(write));
    }
}

api::Type calendar_answer() {
    return api::object("GoogleCalendarChoice",
                       {{.name = "id", .type = api::text(300)},
                        {.name = "name", .type = api::text(300)},
                        {.name = "is_primary", .type = api::boolean(), .help = "The account's main calendar."},
                        {.name = "is_chosen", .type = api::boolean()}});
}

std::string text_in(const Value& value, const char* name) {
    return value[name].is_string() ? value[name].text() : std::string();
}

Result<std::string> token_of(Connection& connection) {
    auto access = connection.access();
    if (access.token.empty())
        return access.why == NoAccess::off
                   ? Error{not_connected}
                   : Error{errc::upstream_error, "Google does not answer. Try again in a minute."_sentence};
    return std::move(access.token);
}

api::RouteSpec calendars_route(const Site& site, Connection& connection, const Google& google) {
    auto spec =
        route(Method::get, "/google-calendar/calendars",
              "List the calendars that may get the events: those of the account that it may write to, or our own.");
    spec.answer = api::list(calendar_answer(), 250);
    spec.errors = {&not_connected, &errc::upstream_error};
    spec.lane = api::Lane::provider;
    spec.handle = [&](const api::Request&) -> api::Reply {
        const auto known =
            site.store.reading<Connected>([](store::Session& session) { return connected_now(session); });
        const auto row = [&](const std::string& id, const std::string& name, bool is_primary) {
            return Value::object(
                {{"id", id}, {"name", name}, {"is_primary", is_primary}, {"is_chosen", id == known.calendar_id}});
        };
        if (!known.is_connected())
            return api::failed(not_connected);
        Value rows = Value::array();
        if (known.calendar_kind == calendar_kind::own) {  // the consent shows no other
            if (!known.calendar_id.empty())
                rows.push(row(known.calendar_id, known.calendar_name, false));
            return api::ok(std::move(rows));
        }
        SVC_ASSIGN_OR_RETURN(const auto token, token_of(connection));
        const auto answer = google.calendar("GET", "/users/me/calendarList?minAccessRole=writer&maxResults=250", token);
        if (!answer.is_done())
            return api::failed(
                Error{errc::upstream_error, "Google did not list the calendars. The log says why."_sentence});
        if (answer.body["items"].is_array())
            for (const Value& one : answer.body["items"].items())
                if (const auto id = text_in(one, "id"); !id.empty())
                    rows.push(row(id, shown_name(text_in(one, "summary")),
                                  one["primary"].is_boolean() && one["primary"].boolean()));
        return api::ok(std::move(rows));
    };
    return spec;
}

api::RouteSpec make_calendar_route(const Site& site, Connection& connection, const Sync& sync) {
    auto spec = route(Method::post, "/google-calendar/calendars",
                      "Make a calendar of our own in place of one that was deleted; it gets all events.");
    spec.answer = calendar_answer();
    spec.errors = {&not_connected, &errc::conflict, &errc::upstream_error};
    spec.lane = api::Lane::provider;
    spec.keeps_replay = false;  // a second one is refused while the first is there
    spec.handle = [&](const api::Request&) -> api::Reply {
        const auto known =
            site.store.reading<Connected>([](store::Session& session) { return connected_now(session); });
        if (known.is_connected() && (known.calendar_kind != calendar_kind::own || !known.calendar_id.empty()))
            return api::failed(
                Error{errc::conflict, "There is a calendar, or the consent allows to make none."_sentence});
        SVC_ASSIGN_OR_RETURN(const auto token, token_of(connection));
        if (connection.own_calendar(token, true).empty())
            return api::failed(Error{errc::upstream_error, "Google made no calendar. The log says why."_sentence});
        sync.all_changed();
        const auto made = site.store.reading<Connected>([](store::Session& session) { return connected_now(session); });
        return api::ok(Value::object(
            {{"id", made.calendar_id}, {"name", made.calendar_name}, {"is_primary", false}, {"is_chosen", true}}));
    };
    return spec;
}

}  // namespace

api::RouteSpec route(Method method, std::string path, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = std::move(path), .who = api::Permission::can(std::string(capability)), .handle = {}};
    spec.module = std::string(module_slug);
    spec.summary = std::move(summary);
    return spec;
}

void add_connection_routes(const Site& site, Connection& connection, const Google& google, const Sync& sync) {
    site.routes.add(connect_route(connection));
    site.routes.add(callback_route(connection), {"Cookie"});
    site.routes.add(disconnect_route(connection, site));
    add_settings_routes(site, connection, sync);
    site.routes.add(calendars_route(site, connection, google));
    site.routes.add(make_calendar_route(site, connection, sync));
}

}  // namespace svc::pro::google_calendar
