// A base that remembers what the shell asked of it; also the whole of what the program needs to link without one.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/app/base.hpp"

namespace svc::testing {

class FakeBase : public Base {
  public:
    HttpPlan plan(std::string_view method, std::string_view target, const std::vector<HttpHeader>& headers) override;
    HttpAnswer answer(const HttpRequest& request) override;
    std::optional<HttpAnswer> answer_at_once(const HttpRequest& request) override;
    std::optional<HttpAnswer> refusal_of_head(const HttpRequest&) override { return std::nullopt; }
    HttpAnswer redirected(const HttpRequest& request, const std::string& location) override;
    HttpAnswer failure(int status, const std::vector<HttpHeader>& headers) override;
    std::string network(std::string_view peer) override { return std::string(peer); }
    Readiness readiness() override;
    std::string metrics() override;
    void draining() override { draining_ = true; }
    void stop() override;
    std::string route_list() override;
    std::string plugin_state() override { return "none"; }

    std::vector<std::string> targets();  // of the requests answered

  private:
    std::mutex mutex_;
    std::vector<std::string> targets_;
    std::atomic<bool> draining_{false};
};

}  // namespace svc::testing
