// One client's connection: bytes in, requests to the application, answers out in the order of the requests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "shell/http/gate.hpp"
#include "shell/http/output.hpp"
#include "shell/http/parser.hpp"
#include "shell/http/server.hpp"
#include "shell/http/writer.hpp"

namespace svc::http {

class Hub;

// Reading is done by one thread at a time, the one that holds the reading role: its I/O thread, or the thread whose
// answer made room for more. Everything else is under the mutex, which is never held while the application answers.
class Connection : public std::enable_shared_from_this<Connection> {
    using Clock = std::chrono::steady_clock;

  public:
    // Owns `socket`, a duplicate of the transport's: writing stays safe whenever the transport closes its own.
    Connection(Hub& hub, std::uint64_t id, int socket, std::string peer);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] std::uint64_t id() const { return id_; }
    [[nodiscard]] int socket() const { return socket_; }
    [[nodiscard]] const std::string& peer() const { return peer_; }

    // Bytes from the client. [its I/O thread]
    void input(std::string_view bytes);
    // The client sends no more, but may still read: what it has asked is answered. [its I/O thread]
    void input_ended();

    // Runs the application for an accepted request. [worker]
    void work(std::uint64_t ticket, Request&& request);
    bool is_over(const Request& request);
    // The answer to an accepted request; a second one is counted and dropped. [any thread]
    void answer(std::uint64_t ticket, Response&& response);

    // Goes on writing; tells `keep_watching` whether more is left, which returns whether it can. [drain]
    void resume(const std::function<bool(bool more)>& keep_watching);
    // Acts on a deadline that has passed. [drain]
    void look(Clock::time_point now);

    // Closes when nothing is in flight. [any thread]
    void close_if_idle();
    // Closes whatever is in flight. [any thread]
    void abort();

  private:
    // An answer that is due, in the order of the requests.
    struct Due {
        Response response;
        Persist persist = Persist::implied;
        bool ready = false;
        bool head_only = false;
    };
    enum class Waits : std::uint8_t { nothing, request, head, body, close };

    // With the reading role.
    void read(std::string_view fresh);
    std::size_t parse(std::string_view bytes);
    [[nodiscard]] bool parse_body(std::string_view bytes, std::size_t& at);
    [[nodiscard]] bool parse_head(std::string_view bytes, std::size_t& at);
    void begin(std::string_view head, bool body_follows);
    void serve();
    [[nodiscard]] bool serve_here(Due& due);
    void serve_in_pool(Due&& due);
    void refuse(int status);
    [[nodiscard]] Due due_for_request() const;
    void owe_continue(bool owed);

    // Under the mutex.
    void push(Due&& due);
    [[nodiscard]] bool crowded() const;
    void count_in_flight();
    // Takes the reading role when bytes have waited for room and there is some now.
    [[nodiscard]] bool may_read_on(std::string& waited);
    void settle(Clock::time_point now);
    void emit_ready();
    void emit(Due& due, bool last);
    void flush(Clock::time_point now);
    void set_deadline(Clock::time_point now);
    void end_after_last(Clock::time_point now);
    void end();
    [[nodiscard]] bool idle() const;
    [[nodiscard]] bool bytes_wait() const;

    Hub& hub_;
    const std::uint64_t id_;
    const int socket_;
    const std::string peer_;

    // With the reading role.
    Gate gate_;
    Parser parser_;
    Request request_;
    Plan plan_;
    std::string unread_;  // what is left of the bytes so far; also read under the mutex while nobody reads
    bool in_body_ = false;
    bool blocked_ = false;        // the pipeline was full before the bytes were used up
    bool blank_skipped_ = false;  // one empty line before a request is forgiven (RFC 9112 2.2)
    Clock::time_point head_began_, body_began_;

    std::mutex mutex_;
    std::string inbox_;  // came while somebody else read, or while the pipeline was full
    Output output_;
    std::vector<Due> due_;
    std::size_t unsent_ = 0;          // answers emitted since the socket last took everything
    std::uint64_t first_ticket_ = 0;  // of due_.front()
    bool reading_ = false;
    bool full_ = false;           // reading stopped since the pipeline is full
    bool overflowed_ = false;     // and the client did not
    bool continue_owed_ = false;  // 100, once every answer before it is written
    bool watched_ = false;        // by the drain
    bool input_ended_ = false;    // the client sends no more
    bool last_emitted_ = false;   // the answer that says close
    bool ended_ = false;          // nothing is written any more
    Waits waits_ = Waits::request;
    Clock::time_point deadline_, write_deadline_;

    // No more requests are taken: one was refused, the client or the drain wants to close.
    std::atomic<bool> stopped_{false};
    // What the pipeline's limit counts: due and unsent answers, so that a client that never reads is not served for
    // ever into our memory.
    std::atomic<std::size_t> in_flight_{0};
};

}  // namespace svc::http
