// The HTTP/1.1 transport: sockets, framing, limits, deadlines, worker pool and drain.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/core/open_file.hpp"

namespace svc::http {

// A header field as received or as sent: the name in any case, the value trimmed.
using Header = std::pair<std::string, std::string>;

// The request line and the fields, known before the body is read.
struct RequestHead {
    std::string method;           // a token of RFC 9110; only methods the transport knows get here
    std::string target;           // origin-form, raw: not decoded, no CR, LF, NUL, at most Limits::target bytes
    std::vector<Header> headers;  // in the order received
    std::string peer;             // numeric address of the socket's other end, never taken from a field

    // The first value of the field, empty when absent; the name is compared without case.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};

struct Request : RequestHead {
    std::string body;                                        // decoded from its framing, at most Plan::body_limit bytes
    std::chrono::steady_clock::time_point received, queued;  // its head was read; it was whole and waited for a worker
    bool tried = false;                                      // answer_at_once() had no answer
};

struct Response {
    int status = 200;
    std::vector<Header> headers;                     // without Content-Length, Date, Connection: the transport's own
    std::shared_ptr<const std::string> body;         // shared, so a prebuilt answer is never copied; null is empty
    std::shared_ptr<const OpenFile> file = nullptr;  // instead of a body
    // The part of the file that is sent, within it; without a size all from there on.
    std::size_t file_from = 0;
    std::optional<std::size_t> file_size = {};
    bool last = false;  // the connection closes after it
    [[nodiscard]] std::size_t size() const {
        return file ? file_size.value_or(file->size() - file_from) : body ? body->size() : 0;
    }
};

// Separate queues, so that a flood of one kind leaves the others their threads (R15).
enum class Lane : std::uint8_t { general, webhook, admin, provider, checkout, document };

// The application's decisions about a request once its head is known. [I/O thread, must not wait]
struct Plan {
    std::size_t body_limit = 1 << 20;  // a longer body is 413 and the connection closes
    bool waits = true;                 // false: answer_at_once() is called first, on the I/O thread
    Lane lane = Lane::general;
    // The limit once the application has checked the caller's credential (refusal_of_head); a body that may be longer
    // than body_limit is not read before. 0: no caller may send more.
    std::size_t proven_body_limit = 0;
};

// The served application. Called from many threads at once; must not throw (an exception becomes the fixed 500 of
// `failure`).
class Application {
  public:
    virtual ~Application() = default;
    virtual Plan plan(const RequestHead& head) = 0;
    virtual Response answer(Request&& request) = 0;
    // Empty, with `request` unchanged, when the answer would have to wait: then answer() is called on a worker. [I/O
    // thread, must not wait]
    virtual std::optional<Response> answer_at_once(Request& request) { return answer(std::move(request)); }
    // Empty when the sender of this head may send a body up to Plan::proven_body_limit, else the answer. [worker]
    virtual std::optional<Response> refusal_of_head(const Request&) { return std::nullopt; }
    // The network of a connection's other end, by which bytes in flight are shared out (Limits::bytes); empty: of none,
    // as a proxy's. [I/O thread, must not wait]
    virtual std::string network(std::string_view) { return {}; }
    // An answer of the transport itself: 400, 408, 413, 414, 417, 431, 500, 501, 503, 505. Its status is `status`
    // whatever the Response contains; `fields` are those of the rejected request, empty when its head was not read.
    // [any thread, must not wait, must not throw]
    virtual Response failure(int status, const std::vector<Header>& fields) = 0;
};

struct Limits {
    std::size_t target = 8 * 1024;
    std::size_t head = 16 * 1024;  // request line and fields together; more is 431
    std::size_t fields = 100;
    std::chrono::milliseconds head_time{10'000};   // from the first byte of a request to its last field
    std::chrono::milliseconds body_time{30'000};   // from the last field to the last body byte
    std::chrono::milliseconds idle_time{30'000};   // between requests of a persistent connection
    std::chrono::milliseconds queue_time{10'000};  // for a worker; a request that waits longer gets 503
    std::chrono::milliseconds write_time{30'000};  // without any progress of a pending answer
    std::chrono::milliseconds linger_time{2'000};  // for the client to read a last answer and close
    // Under pressure (more than half of `bytes` in use): without progress, then less than pressed_pace a second on
    // average, of a body that is sent or an answer that is taken.
    std::chrono::milliseconds pressed_time{2'000};
    std::size_t pressed_pace = 64 * 1024;
    // Of requests being read and answers not yet taken, all connections together. Beyond it nothing more is read or
    // answered but 503. While more than half is in use, that holds for a network that has more than an eighth.
    std::size_t bytes = std::size_t{32} << 20;
    std::size_t upload_bytes = std::size_t{160} << 20;  // the same for large bodies of proven callers
    // Of one connection's answers that are not yet taken; beyond it its next requests wait until the client has taken
    // some.
    std::size_t connection_bytes = std::size_t{1} << 20;
    std::size_t connections = 0;  // 0: 80 % of the descriptor limit, a connection taking two
    std::size_t per_address = 0;  // 0: no limit; behind a proxy every peer is the proxy
    // Requests of one connection in progress. Further ones wait as bytes, at most four heads' worth; a client that
    // sends more is closed after its pending answers.
    std::size_t pipeline = 16;
    std::chrono::seconds drain{25};  // how long requests in flight may take after stop()
    // After stop(), for requests already on their way on a persistent connection: within it a proxy uses up its
    // connections, so that none is closed under a request just sent.
    std::chrono::milliseconds grace{2'000};
};

struct Options {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;  // 0: any free one, see Server::port()
    // A listening TCP socket that the process was started with (systemd's socket activation), in place of address and
    // port; it stays open to others, so that connections wait in its queue while no server accepts. -1: none.
    int inherited_socket = -1;
    unsigned io_threads = 2;
    unsigned workers = 4;  // of the general lane and of the checkout lane each; the others have a few of their own
    // For a worker: a request that would have to wait longer, as its lane's recent pace has it, is 503 at once (R15).
    std::chrono::milliseconds longest_wait{2'000};
    // The same for the checkout lane. Why longer: whoever opened a booking has decided to buy, and a popular date
    // brings hundreds of them at one instant, each of whom gets the seats or learns that there are none.
    std::chrono::milliseconds longest_checkout_wait{15'000};
    Limits limits;
};

// Counters since start, for /metrics. Each value is read without a lock.
struct Counters {
    std::uint64_t connections_open = 0, connections_total = 0, requests = 0, in_flight = 0;
    std::uint64_t refused_400 = 0, refused_408 = 0, refused_413 = 0, refused_414 = 0, refused_417 = 0, refused_431 = 0;
    std::uint64_t refused_501 = 0, refused_503 = 0, refused_505 = 0;
    std::uint64_t second_answers = 0;  // a second answer to one request: an assertion in tests, here a count
};

// Listens from construction, which throws std::runtime_error when the address cannot be had.
// The process ignores SIGPIPE from then on.
class Server {
  public:
    Server(const Options& options, Application& application);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] Counters counters() const;

    // Stops accepting, completes requests in progress (at most Limits::drain), flushes, closes; returns when done.
    void stop();
    // Ends a running stop() early. [async-signal-safe is not promised; any thread]
    void stop_now();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::http
