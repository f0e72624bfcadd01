// The application the transport's tests serve.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "shell/http/server.hpp"

namespace svc::http::test {

inline constexpr std::size_t body_limit = 1000;
inline constexpr std::size_t big_size = 32 << 20;
inline constexpr std::size_t fresh_size = 1 << 20;

// Answers "<method> <target> <body>", so that an answer in the wrong place shows. A target beginning with /pool waits
// in the pool, with /held until release(), as /stalled does on its I/O thread, /webhook and /checkout in their lanes
// (/checkout/held until release()), and /later is put off to there when it is asked at once; /upload takes any size;
// /file is sent from a file, /short from one that is cut off while it is sent; /fresh answers a body of its own.
// /checked takes any size from who sends `Authorization: good`; with `held` the check waits until release().
class Echo : public Application {
  public:
    Plan plan(const RequestHead& head) override;
    Response answer(Request&& request) override;
    std::optional<Response> answer_at_once(Request& request) override;
    std::optional<Response> refusal_of_head(const Request& head) override;
    Response failure(int status, const std::vector<Header>& fields) override;
    // Clients from 127.0.0.1 are of no network.
    std::string network(std::string_view peer) override { return peer == "127.0.0.1" ? "" : std::string(peer); }

    void release();
    // Waits until `count` requests are held at once.
    void wait_for_held(std::size_t count);
    // Fresh bodies made so far.
    [[nodiscard]] std::size_t made();
    [[nodiscard]] bool saw(const std::string& target);

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool released_ = false;
    std::size_t held_ = 0, made_ = 0;
    std::set<std::string> seen_;
    [[nodiscard]] static Response from_file(bool cut);
    std::shared_ptr<const std::string> big_ = std::make_shared<const std::string>(big_size, 'b');
};

// A server on a free port; at its end no request may have had two answers.
class Fixture {
  public:
    Fixture() : Fixture([](Options&) {}) {}
    explicit Fixture(const std::function<void(Options&)>& change);
    ~Fixture();

    Echo application;
    std::unique_ptr<Server> server;
    [[nodiscard]] std::uint16_t port() const { return server->port(); }
};

}  // namespace svc::http::test
