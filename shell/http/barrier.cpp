// The only code that catches the application's exceptions; the cause is never part of an answer.
#include "shell/http/barrier.hpp"

#include <new>
#include <random>
#include <string>
#include <utility>

#include "shell/http/memory.hpp"

namespace svc::http {

Response failure_of(Application& application, int status, const std::vector<Header>& fields) noexcept {
    const MayFail here;
    try {
        auto response = application.failure(status, fields);
        response.status = status;
        return response;
    } catch (...) {
        Response bare;
        bare.status = status;
        return bare;
    }
}

// Releases the connection's memory too.
static Response out_of_memory(Application& application, const Request& request) noexcept {
    auto response = overload_of(application, request.headers);
    response.last = true;
    return response;
}

Response answer_of(Application& application, Request&& request) noexcept {
    const MayFail here;
    try {
        return application.answer(std::move(request));
    } catch (const std::bad_alloc&) {
        return out_of_memory(application, request);
    } catch (...) {
        return failure_of(application, 500, request.headers);
    }
}

std::optional<Response> answer_at_once_of(Application& application, Request& request) noexcept {
    const MayFail here;
    try {
        return application.answer_at_once(request);
    } catch (const std::bad_alloc&) {
        return out_of_memory(application, request);
    } catch (...) {
        return failure_of(application, 500, request.headers);
    }
}

std::optional<Response> refusal_of_head_of(Application& application, const Request& head) noexcept {
    const MayFail here;
    try {
        return application.refusal_of_head(head);
    } catch (const std::bad_alloc&) {
        return out_of_memory(application, head);
    } catch (...) {
        return failure_of(application, 500, head.headers);
    }
}

int plan_of(Application& application, const RequestHead& head, Plan& plan) noexcept {
    const MayFail here;
    try {
        plan = application.plan(head);
        return 0;
    } catch (const std::bad_alloc&) {
        return 503;
    } catch (...) {
        return 500;
    }
}

Response overload_of(Application& application, const std::vector<Header>& fields) noexcept {
    const MayFail here;
    auto response = failure_of(application, 503, fields);
    try {
        thread_local std::minstd_rand random{std::random_device{}()};
        response.headers.emplace_back("Retry-After", std::to_string(1 + random() % 3));
    } catch (...) {
        // Without the hint it is still the right answer.
    }
    return response;
}

}  // namespace svc::http
