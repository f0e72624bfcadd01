// A route, declared once: the router, the gate, the validator, discovery, OpenAPI and the walking tests read it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/api/permission.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/open_file.hpp"
#include "shared/store/store.hpp"

namespace svc::api {

enum class Method : std::uint8_t { get, post, put, patch, del };
std::string_view name_of(Method method);  // "GET", …

struct RouteSpec;
struct Reply;

// A request that has passed gate and validation. Lives during the handler's call.
struct Request {
    const RouteSpec* route = nullptr;
    Caller caller;
    json::Value path;   // {"id": 12, "slug": "nile-cruise"}
    json::Value query;  // clean, with defaults
    json::Value body;   // clean; an empty object when the route has no body schema
    std::string_view raw_body;
    std::string id;       // X-Request-Id
    std::string address;  // the client's, after trusted proxies
    Instant now;
    // The first value of that name. Absent it is empty and points nowhere (data() is null), unlike one sent empty.
    std::function<std::string_view(std::string_view name)> header;
    // Set when an Idempotency-Key is in force: the write that decides the answer keeps it in its own transaction, so
    // that a repeat finds it exactly when the effect is there (promise R3).
    std::function<void(store::Transaction&, const Reply&)> keep_reply;

    [[nodiscard]] std::int64_t path_id(std::string_view name = "id") const { return path[name].integer(); }
};

// A page of a list: what the common parameters asked for (spec 4.1).
struct Page {
    std::int64_t page = 1, per_page = 20;
    bool ascending = false;
    std::string order_by;
    [[nodiscard]] std::int64_t offset() const { return (page - 1) * per_page; }  // at most 10^17
};

struct PageMeta {
    std::int64_t page = 1, per_page = 20, total = 0;
    [[nodiscard]] std::int64_t pages() const { return per_page ? (total + per_page - 1) / per_page : 0; }
};

struct Reply {
    int status = 200;
    json::Value data;                        // put into the envelope
    json::Value more_meta;                   // further members of `meta` (lists)
    std::optional<PageMeta> page;            // lists: meta, X-Host-Total, X-Host-TotalPages
    std::string message;                     // envelope's message, empty: none
    std::shared_ptr<const std::string> raw;  // whole body instead of the envelope (prebuilt, file, document)
    std::shared_ptr<const OpenFile> file;    // the same, sent from the disk
    std::string content_type = "application/json; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers;
    std::optional<Error> error;  // answered as the error body
};

Reply ok(json::Value data);
Reply created(json::Value data, std::string location = {});
Reply listed(json::Value items, const Page& page, std::int64_t total);
Reply prebuilt(std::shared_ptr<const std::string> body);
Reply failed(Error error);
template <class T, class Then>
Reply respond(Result<T> result, Then then) {
    return result ? then(std::move(*result)) : failed(std::move(result.error()));
}

// Which threads serve it. `provider`: for routes that wait for somebody else's server, threads that nothing else needs.
enum class Lane : std::uint8_t { general, webhook, admin, provider };

// Token bucket of a route (S20): `burst` calls at once, refilled evenly over `seconds`.
struct RateLimit {
    int burst = 0;  // 0: only the general limits
    int seconds = 60;
    enum class Per : std::uint8_t { address, credential } per = Per::address;
};

struct RouteSpec {
    Method method;
    std::string path;  // relative to the namespace: "/trips/{id}/departures"; {id}-like names are digits
    Permission who;
    std::string module = {};  // the route exists while it is enabled; empty: always
    std::string summary = {};
    Schema query = {};
    Schema body = {};
    bool is_list = false;  // takes page, per_page, order, orderby, search, status; see list_parameters
    std::vector<std::string> sortable = {};  // lists: allowed orderby, first is the default
    bool ascending = false;                  // lists: default order
    bool ranked = false;                     // lists: a search without orderby is ordered by `relevance`
    std::vector<std::string> statuses = {};  // lists: allowed status values besides "all"; empty: no such parameter
    bool pages_on_request = false;           // lists: without per_page in the query every row is answered, on one page
    Type answer = anything();                // of `data`
    bool enveloped = true;                   // false: no success is an envelope, so `answer` says nothing
    bool has_etag = false;                   // the answer has an ETag; a GET answers 304 when If-None-Match names it
    std::vector<std::string> files = {};     // media types of successes that are none: documents, sheets, pictures
    int success = 200;
    std::vector<const ErrorCode*> errors = {};  // besides those the gate gives
    std::string since = "3.0.0";
    // Deprecated (spec 9.3): the day from which it is, "2026-11-01"; empty: it is not. See deprecation.hpp.
    std::string deprecated_since = {};
    std::string instead = {};  // `path` of the route that replaces it; empty: none does
    bool waits = true;         // false: answers from memory on the I/O thread
    // Waits, but for no more than a few reads: where the database is a file of ours they are made on the I/O thread.
    bool brief = false;
    Lane lane = Lane::general;
    std::size_t body_limit = 1 << 20;
    bool free_body = false;      // body is an object of names the schema cannot know: passed on as parsed
    bool raw_body_only = false;  // body is bytes for the handler (webhooks, uploads): no JSON reading
    std::string raw_media = "application/octet-stream";  // what those bytes are
    RateLimit limit = {};
    bool keeps_replay = true;  // writes: an Idempotency-Key is honoured (R3)
    // The handler hands its reply to Request::keep_reply inside its own transaction: no commit more for a key, and the
    // key is kept exactly when the effect is. Other writes are claimed before and kept after, two commits more.
    bool keeps_own_reply = false;
    // Writes that are claimed: done again under the same key this one brings about what it did, by itself or as
    // api::Steps tell what is done, so a request whose process died is run again rather than answered as interrupted.
    bool repeats_safely = false;
    std::function<Reply(const Request&)> handle = {};
    // What the handler would find at fault in request.body, which holds what of a body fits the schema when some does
    // not: so all faults are told at once. An error of another code than validation_error is answered in place of
    // them: a better body would not help. Changes nothing. Empty: then the schema's faults are told alone.
    std::function<Result<std::vector<FieldError>>(const Request&)> rules = {};
    // A field and one that its rules look at too: nothing is said about the first while the second does not fit.
    std::vector<std::pair<std::string_view, std::string_view>> beside = {};
};

// Whether an Idempotency-Key counts there.
inline bool takes_key(const RouteSpec& route) { return route.method != Method::get && route.keeps_replay; }

// The order of a ranked list's search: best fitting first, or last with order=asc.
inline constexpr std::string_view relevance = "relevance";

// What a list route's query said, raw or already clean: page, per_page (over 100 is 100), order, orderby. Errors name
// every field at fault, search and status included. A page is at most 2^31 - 1.
Result<Page> page_of(const RouteSpec& route, const json::Value& query);
// The common parameters of a list route as a schema, for the validator and OpenAPI.
Schema list_parameters(const RouteSpec& route);

// The routes of this process. Filled at start-up; afterwards it only answers, any thread, while modules toggle.
class RouteTable {
  public:
    RouteTable();
    ~RouteTable();
    RouteTable(const RouteTable&) = delete;
    RouteTable& operator=(const RouteTable&) = delete;

    // Throws std::logic_error for a second route of the same method and path, a malformed path or a parameter whose
    // name says nothing about its characters (see the table in route_table.cpp). A `patch` route is a `put` route.
    void add(RouteSpec route);

    struct Match {
        const RouteSpec* route = nullptr;  // null: see `allow`
        json::Value path;
        std::string allow;  // methods the path has when this one is not among them; empty: no such path
    };
    // `enabled` tells whether a module is on; routes of the others do not exist. HEAD matches GET, PATCH is PUT. Path
    // without query, not yet decoded: each segment is decoded once. "/" and "" are the root; otherwise neither an
    // empty segment nor a slash at the end matches. Literals win over parameters, ids over other parameters.
    [[nodiscard]] Match match(std::string_view method, std::string_view path,
                              const std::function<bool(std::string_view module)>& enabled) const;
    [[nodiscard]] const std::vector<std::unique_ptr<RouteSpec>>& all() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::api
