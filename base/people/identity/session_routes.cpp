// A user's own sessions: list and end them.
#include "base/people/identity/repository.hpp"
#include "base/people/identity/routes.hpp"
#include "base/people/identity/service.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::identity {
namespace {

using json::Value;

// The hash of the token that the caller's own session is known by; empty for a caller without a session.
std::string own_token_hash(const api::Caller& caller) {
    const std::string prefix = session_key_of("");
    const bool is_session = caller.through == api::Caller::Through::cookie && caller.session_key.starts_with(prefix);
    return is_session ? caller.session_key.substr(prefix.size()) : std::string();
}

Value session_json(const OwnSession& session) {
    return Value::object({{"id", session.id},
                          {"created_at", session.created_at},
                          {"seen_at", session.seen_at},
                          {"expires_at", session.expires_at},
                          {"address", session.address},
                          {"user_agent", session.user_agent},
                          {"is_current", session.is_current}});
}

}  // namespace

void add_own_session_routes(api::RouteTable& routes, store::Store& store, const Clock& clock) {
    const api::Schema listed{
        {.name = "id", .type = api::id(), .required = true},
        {.name = "created_at", .type = api::instant(), .help = "When the session started.", .required = true},
        {.name = "seen_at",
         .type = api::instant(),
         .help = "When the session was last used, to a few minutes.",
         .required = true},
        {.name = "expires_at",
         .type = api::instant(),
         .help = "When the session ends at the latest.",
         .required = true},
        {.name = "address", .type = api::text(64), .help = "The address of the sign-in.", .required = true},
        {.name = "user_agent", .type = api::text(500), .help = "The browser's user agent.", .required = true},
        {.name = "is_current",
         .type = api::boolean(),
         .help = "Whether this request uses the session.",
         .required = true}};
    routes.add({.method = api::Method::get,
                .path = "/auth/sessions",
                .who = api::Permission::signed_in(),
                .summary = "List the caller's sessions, the latest used first.",
                .answer = api::list(api::object("OwnSession", listed), 100),
                .handle = [&store, &clock](const api::Request& request) {
                    auto list = Value::array();
                    store.read([&](store::Session& session) {
                        list = Value::array();
                        for (const OwnSession& each : repository::list_sessions(
                                 session, request.caller.user_id, own_token_hash(request.caller), clock.now()))
                            list.push(session_json(each));
                    });
                    return api::ok(std::move(list));
                }});
    routes.add({.method = api::Method::del,
                .path = "/auth/sessions/{id}",
                .who = api::Permission::signed_in(),
                .summary = "End one of the caller's sessions at once.",
                .answer = api::deleted(),
                .errors = {&errc::not_found},
                .stores_reply = true,
                .handle = [&store](const api::Request& request) {
                    const auto id = request.path_id();
                    return api::respond_once(
                        request,
                        [&] {
                            return store.write([&](store::Transaction& tx) -> Result<void> {
                                if (!repository::end_session(tx, request.caller.user_id, id))
                                    return errc::not_found;
                                return {};
                            });
                        },
                        api::deleted(id));
                }});
    routes.add(
        {.method = api::Method::del,
         .path = "/auth/sessions",
         .who = api::Permission::signed_in(),
         .summary = "End all sessions of the caller but the one that asks.",
         .answer = api::object(
             {{.name = "ended", .type = api::integer(0), .help = "The number of ended sessions.", .required = true}}),
         .errors = {&errc::bad_request},
         .repeats_safely = true,
         .handle = [&store](const api::Request& request) -> api::Reply {
             // A program's password does not sign people out.
             if (own_token_hash(request.caller).empty())
                 return api::failed(Error{errc::bad_request,
                                          "Ending other sessions requires a session cookie. Sign in first."_sentence});
             const auto ended = store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                 return repository::end_other_sessions(tx, request.caller.user_id, own_token_hash(request.caller));
             });
             return api::respond(ended, [](std::int64_t count) { return api::ok(Value::object({{"ended", count}})); });
         }});
}

}  // namespace svc::identity
