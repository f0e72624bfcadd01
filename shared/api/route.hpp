// A route, declared once: the router, the gate, the validator, discovery, OpenAPI and the walking tests read it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/api/held.hpp"
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
    json::Value sent;   // a JSON body as it was sent, for what the schema cannot name; null: there was none
    // The bytes of a body, for routes with raw_body_only; of others for the fingerprint of a request with a key.
    std::string_view raw_body;
    bool takes_held = false;  // the caller is in this process and reads Reply::held
    std::string id;           // X-Request-Id
    std::string address;      // the client's, after trusted proxies
    Instant now;
    // The first value of that name. Absent it is empty and points nowhere (data() is null), unlike one sent empty.
    std::function<std::string_view(std::string_view name)> header;
    // A sentence in the language that the caller asks for (Accept-Language), for parts of an answer; the gate says the
    // errors of a reply by itself.
    std::function<std::string(const Sentence&)> say = [](const Sentence& sentence) { return sentence.english(); };
    // Set for a request with an Idempotency-Key: the write stores the reply in its own transaction, so that a
    // repetition finds it exactly when the effect exists (promise R3).
    std::function<void(store::Transaction&, const Reply&)> keep_reply;

    [[nodiscard]] std::int64_t path_id(std::string_view name = "id") const { return path[name].integer(); }
};

// A page of a list, from the common parameters (spec 4.1).
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
    Reply() = default;
    Reply(Error failure) : status(failure.code().status), error(std::move(failure)) {}  // NOLINT: an error is a reply

    int status = 200;
    json::Value data;              // put into the envelope
    json::Value more_meta;         // further members of `meta` (lists)
    std::optional<PageMeta> page;  // lists: meta, X-Host-Total, X-Host-TotalPages
    std::string message;           // envelope's message, empty: none
    // Instead of data, for a request that takes it: data in memory. Its message, page and more_meta are given as usual.
    std::shared_ptr<const Held> held;
    std::shared_ptr<const std::string> raw;  // whole body instead of the envelope (prebuilt, file, document)
    std::shared_ptr<const OpenFile> file;    // the same, sent from the disk
    std::string content_type = "application/json; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers;
    std::optional<Error> error;  // answered as the error body
};

Reply ok(json::Value data);
Reply created(json::Value data, std::string location = {});
Reply list_reply(json::Value items, const Page& page, std::int64_t total);
Reply prebuilt(std::shared_ptr<const std::string> body);
Reply failed(Error error);
template <class T, class Then>
Reply respond(Result<T> result, Then then) {
    return result ? then(std::move(*result)) : failed(std::move(result.error()));
}

// The threads that serve it. `provider`: for routes that wait for another server, on threads of their own. `checkout`:
// for the steps of a booking, which wait longer for a worker than others before they are rejected.
enum class Lane : std::uint8_t { general, webhook, admin, provider, checkout };

// Token bucket of a route (S20): `burst` calls at once, refilled evenly over `seconds`.
struct RateLimit {
    int burst = 0;  // 0: only the general limits
    int seconds = 60;
    enum class Per : std::uint8_t { address, credential } per = Per::address;
};

struct RouteSpec {
    Method method;
    std::string path;  // relative to the namespace: "/trips/{id}/departures"; {id}-like names are digits
    // Of its operation in OpenAPI: "placeBooking". Empty: as operation_name() makes it of method and path.
    std::string name = {};
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
    std::vector<std::string> columns = {};   // lists: members of a row that a table shows first; empty: no statement
    bool pages_on_request = false;           // lists: without per_page in the query every row is answered, on one page
    Type answer = anything();                // of `data`
    bool enveloped = true;                   // false: no success is an envelope, and `answer` is unused
    bool has_etag = false;                   // the answer has an ETag; a GET answers 304 when If-None-Match names it
    // media types of successes that are no envelope: documents, sheets, pictures
    std::vector<std::string> files = {};
    int success = 200;
    std::vector<const ErrorCode*> errors = {};  // besides those the gate gives
    std::string since = "3.0.0";
    // Deprecated (spec 9.3): the day from which it is, "2026-11-01"; empty: it is not. See deprecation.hpp.
    std::string deprecated_since = {};
    std::string instead = {};  // `path` of the route that replaces it; empty: none does
    bool waits = true;         // false: answers from memory on the I/O thread
    // Waits, but for no more than a few reads: on SQLite they are made on the I/O thread.
    bool brief = false;
    Lane lane = Lane::general;
    std::size_t body_limit = 1 << 20;
    bool free_body = false;      // body is an object of names the schema cannot know: passed on as parsed
    bool raw_body_only = false;  // body is bytes for the handler (webhooks, uploads): no JSON reading
    std::string raw_media = "application/octet-stream";  // the media type of those bytes
    RateLimit limit = {};
    bool keeps_replay = true;  // writes: an Idempotency-Key is honoured (R3)
    // The handler passes its reply to Request::keep_reply inside its own transaction: no further commit for a key, and
    // the key is stored exactly when the effect is. Other writes claim the key before and store the reply after, two
    // more commits.
    bool stores_reply = false;
    // For writes that claim a key: repeating them with the same key has no further effect, by nature or by api::Steps,
    // so a request whose process died runs again instead of being reported as interrupted.
    bool repeats_safely = false;
    std::function<Reply(const Request&)> handle = {};
    // Returns the faults that the handler would find in request.body, when some fields do not fit the schema; it holds
    // those that do, so that all faults are reported at once. An error with another code than validation_error replaces
    // them: a corrected body would not help. Must not change anything. Empty: only the schema's faults are reported.
    std::function<Result<std::vector<FieldError>>(const Request&)> rules = {};
    // A field and another one that its rules read: the first one's faults are dropped while the second is invalid.
    std::vector<std::pair<std::string_view, std::string_view>> beside = {};
};

// The name of a route's operation, by which generated clients call it: "getTrip", "restoreTrip". No two routes have one
// (test "each operation has a name of its own").
std::string operation_name(const RouteSpec& route);

// Whether an Idempotency-Key counts there.
inline bool takes_key(const RouteSpec& route) { return route.method != Method::get && route.keeps_replay; }

// The order of a ranked list's search: best fitting first, or last with order=asc.
inline constexpr std::string_view relevance = "relevance";

// Reads a list's query, raw or validated: page, per_page (over 100 is 100), order, orderby. Errors name every invalid
// field, search and status included. A page is at most 2^31 - 1.
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

    // Throws std::logic_error for a duplicate method and path, a malformed path or a parameter with an unknown name
    // (see the table in route_table.cpp). A `patch` route is a `put` route.
    void add(RouteSpec route);

    struct Match {
        const RouteSpec* route = nullptr;  // null: see `allow`
        json::Value path;
        std::string allow;  // methods the path has when this one is not among them; empty: no such path
    };
    // `enabled` returns whether a module is enabled; routes of disabled ones do not exist. HEAD matches GET, PATCH is
    // PUT. Path without query, undecoded: each segment is decoded once. "/" and "" are the root; otherwise empty
    // segments and a trailing slash do not match. Literals win over parameters, ids over other parameters.
    [[nodiscard]] Match match(std::string_view method, std::string_view path,
                              const std::function<bool(std::string_view module)>& enabled) const;
    [[nodiscard]] const std::vector<std::unique_ptr<RouteSpec>>& all() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::api
