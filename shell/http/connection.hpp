// One client's connection: bytes in, requests to the application, answers out in the order of the requests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/http/budget.hpp"
#include "shell/http/gate.hpp"
#include "shell/http/output.hpp"
#include "shell/http/parser.hpp"
#include "shell/http/pool.hpp"
#include "shell/http/server.hpp"
#include "shell/http/writer.hpp"

namespace svc::http {

class Hub;

// The I/O thread that reads a connection's socket.
class Source {
  public:
    virtual ~Source() = default;
    // Reads input that arrived while the connection was paused. [any thread]
    virtual void read_on(int socket) noexcept = 0;
};

// Reading is done by one thread at a time, the one that holds the reading role: its I/O thread, or the thread whose
// answer made room for more. Everything else is under the mutex, which is never held while the application answers.
class Connection : public std::enable_shared_from_this<Connection> {
    using Clock = std::chrono::steady_clock;

  public:
    // Owns `socket`, a duplicate of `transport_socket`: writing stays safe whenever the transport closes its own.
    Connection(Hub& hub, std::uint64_t id, Source& source, int transport_socket, int socket, std::string peer);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] std::uint64_t id() const { return id_; }
    [[nodiscard]] int socket() const { return socket_; }
    [[nodiscard]] const std::string& peer() const { return peer_; }

    // Bytes from the client. [its I/O thread]
    void input(std::string_view bytes);
    // Reads nothing until Source::read_on(): the caller is checked before a large body is read.
    [[nodiscard]] bool is_paused() const { return checking_ && !stopped_; }
    // The client has closed its direction, but may still read: outstanding answers are sent. [its I/O thread]
    void input_ended();

    // Runs the application for an accepted request, or checks its caller. [worker]
    void work(Job&& job);
    bool is_over(const Job& job);
    void check(const Job& job);
    // The answer to an accepted request; a second one is counted and dropped. [any thread]
    void answer(std::uint64_t ticket, Response&& response);

    // Continues writing; calls `keep_watching` with whether more is left, which returns whether it can watch. [drain]
    void resume(const std::function<bool(bool more)>& keep_watching);
    // Acts on a deadline that has passed. [drain]
    void look(Clock::time_point now);

    // Closes when nothing is in flight. [any thread]
    void close_if_idle();
    // Closes everything in progress. [any thread]
    void abort();

  private:
    // An answer that is due, in the order of the requests.
    struct Due {
        Response response;
        Persist persist = Persist::implied;
        bool ready = false;
        bool head_only = false;
        ByteBudget::BodyHold hold = {};  // of a body behind answers that are not ready
    };
    enum class Waits : std::uint8_t { nothing, request, head, body, close };

    // With the reading role.
    void read(std::string_view fresh);
    std::size_t parse(std::string_view bytes);
    [[nodiscard]] bool parse_body(std::string_view bytes, std::size_t& at);
    [[nodiscard]] bool parse_head(std::string_view bytes, std::size_t& at);
    void begin(std::string_view head, bool body_follows);
    void check_caller();
    void end_check();
    [[nodiscard]] bool count_request();
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
    // Bytes of answers that are ready and behind others that are not.
    [[nodiscard]] std::size_t waiting_bytes() const;
    void count_what_waits();
    // Whether the client has taken so much of its answers that the request of this ticket may be answered.
    [[nodiscard]] bool has_room_for(std::uint64_t ticket) const;
    [[nodiscard]] bool postpone(Job& job);
    void run_postponed();
    [[nodiscard]] Clock::time_point pressed_deadline() const;
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
    Source& source_;
    const int transport_socket_;
    const int socket_;
    const std::string peer_;
    const std::shared_ptr<ByteBudget::Account> account_;  // of the client's network, in the hub's bytes

    // With the reading role.
    ByteBudget::Share request_share_;
    Gate gate_;
    Parser parser_;
    Request request_;
    Plan plan_;
    std::string unread_;  // unread bytes; also read under the mutex while nobody reads
    bool in_body_ = false;
    bool blocked_ = false;        // the pipeline was full before the bytes were used up
    bool blank_skipped_ = false;  // one empty line before a request is forgiven (RFC 9112 2.2)
    Clock::time_point head_began_, body_began_, body_heard_;

    std::mutex mutex_;
    std::string inbox_;  // arrived during another read, or while the pipeline was full
    Output output_;
    std::vector<Due> due_;
    std::vector<Job> put_off_;        // until the client has taken some of its answers
    std::size_t unsent_ = 0;          // answers emitted since the socket last took everything
    std::uint64_t first_ticket_ = 0;  // of due_.front()
    bool reading_ = false;
    bool full_ = false;          // reading stopped since the pipeline is full
    bool overflowed_ = false;    // and the client did not
    bool continue_due_ = false;  // 100, once every answer before it is written
    bool watched_ = false;       // by the drain
    bool input_ended_ = false;   // the client sends no more
    bool last_emitted_ = false;  // the answer with Connection: close
    bool ended_ = false;         // nothing is written any more
    Waits waits_ = Waits::request;
    Clock::time_point deadline_, write_deadline_;
    Clock::time_point behind_since_;  // the socket did not take everything
    std::size_t behind_bytes_ = 0;    // that it has had to take since
    bool checked_ = false;            // of the caller; the holder of the reading role continues
    std::optional<Response> check_refusal_;

    // Accepts no more requests: one was rejected, or the client or the drain wants to close.
    std::atomic<bool> stopped_{false};
    std::atomic<bool> checking_{false};  // changed with the reading role
    // crowded(), for the reader. The pipeline's limit counts due and unsent answers, so that a client that never reads
    // cannot fill our memory.
    std::atomic<bool> crowded_{false};
};

}  // namespace svc::http
