// The floor of `make bench`: our own transport answering one constant body, so that what the application adds shows.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "shell/http/server.hpp"

namespace {

class Constant final : public svc::http::Application {
  public:
    explicit Constant(std::size_t bytes) : body_(std::make_shared<const std::string>(bytes, 'x')) {}

    svc::http::Plan plan(const svc::http::RequestHead&) override { return {.body_limit = 1 << 20, .waits = false}; }
    svc::http::Response answer(svc::http::Request&&) override {
        return {.status = 200, .headers = {{"Content-Type", "application/json; charset=utf-8"}}, .body = body_};
    }
    svc::http::Response failure(int status, const std::vector<svc::http::Header>&) override {
        return {.status = status, .headers = {}, .body = nullptr};
    }

  private:
    std::shared_ptr<const std::string> body_;
};

}  // namespace

int main(int count, char** words) {
    Constant constant{count > 1 ? static_cast<std::size_t>(std::atoll(words[1])) : 100};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);
    svc::http::Options options;
    options.port = 0;
    svc::http::Server server{options, constant};
    std::fprintf(stderr, "floor listening on http://127.0.0.1:%d/\n", server.port());
    std::fflush(stderr);
    int signal = 0;
    sigwait(&ends, &signal);
    server.stop();
}
