// Wraps every call into the application, so that none of its exceptions escapes.
#pragma once

#include "shell/http/server.hpp"

namespace svc::http {

// The fixed answer of the transport to a request with these fields; `status` alone when even that throws.
[[nodiscard]] Response failure_of(Application& application, int status,
                                  const std::vector<Header>& fields = {}) noexcept;

// The application's answer, or the 500 in its place. Out of memory is 503: it may work later.
[[nodiscard]] Response answer_of(Application& application, Request&& request) noexcept;

// The same of answer_at_once().
[[nodiscard]] std::optional<Response> answer_at_once_of(Application& application, Request& request) noexcept;

// The same of refusal_of_head().
[[nodiscard]] std::optional<Response> refusal_of_head_of(Application& application, const Request& head) noexcept;

// 0, or the status to refuse the request with when the application threw; `plan` is then unchanged.
[[nodiscard]] int plan_of(Application& application, const RequestHead& head, Plan& plan) noexcept;

// A 503 with Retry-After of one to three seconds, spread so that the refused do not return at once (R15).
[[nodiscard]] Response overload_of(Application& application, const std::vector<Header>& fields = {}) noexcept;

}  // namespace svc::http
