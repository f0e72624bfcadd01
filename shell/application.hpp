// The applications of the two listeners: the base edition, and health and metrics for the operator.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/app/base.hpp"
#include "shell/http/server.hpp"

namespace svc::shell {

// The base as the transport sees it. `/`, `/docs` and `/openapi.json` redirect into the namespace, so that visitors
// find it by host and port alone.
class BaseApplication final : public http::Application {
  public:
    BaseApplication(Base& base, std::string base_path);
    http::Plan plan(const http::RequestHead& head) override;
    http::Response answer(http::Request&& request) override;
    std::optional<http::Response> answer_at_once(http::Request& request) override;
    std::optional<http::Response> refusal_of_head(const http::Request& head) override;
    http::Response failure(int status, const std::vector<http::Header>& fields) override;
    std::string network(std::string_view peer) override { return base_.network(peer); }

  private:
    [[nodiscard]] std::string redirect_of(const http::RequestHead& head) const;  // empty: none
    Base& base_;
    std::string base_path_;
};

// /healthz always succeeds, /readyz asks the base, /metrics is the base's text and the transport's counters.
class AdminApplication final : public http::Application {
  public:
    AdminApplication(Base& base, std::function<http::Counters()> counters);
    http::Plan plan(const http::RequestHead& head) override;
    http::Response answer(http::Request&& request) override;
    http::Response failure(int status, const std::vector<http::Header>& fields) override;

  private:
    [[nodiscard]] http::Response readiness();
    Base& base_;
    std::function<http::Counters()> counters_;
};

}  // namespace svc::shell
