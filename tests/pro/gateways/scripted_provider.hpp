// A provider that answers as the test says, and remembers what it was asked.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "pro/gateways/provider.hpp"

namespace svc::tests {

struct ScriptedProvider {
    struct Answer {
        int status = 200;
        std::string body = "{}";
    };
    std::deque<Result<Answer>> answers;  // in the order they are given
    std::vector<plugin::FetchRequest> asked;

    void will(std::string body, int status = 200) { answers.emplace_back(Answer{status, std::move(body)}); }
    void will_not() { answers.emplace_back(Error(errc::upstream_error).because("timed out")); }

    pro::gateways::Send send() {
        return [this](const plugin::FetchRequest& request) -> Result<plugin::FetchReply> {
            asked.push_back(request);
            REQUIRE_FALSE(answers.empty());
            auto next = std::move(answers.front());
            answers.pop_front();
            if (!next)
                return next.error();
            return plugin::FetchReply{.status = next->status, .headers = {}, .body = next->body};
        };
    }
    [[nodiscard]] std::string header(std::size_t which, std::string_view name) const {
        for (const auto& [given, value] : asked.at(which).headers)
            if (given == name)
                return value;
        return {};
    }
    [[nodiscard]] std::string line(std::size_t which) const {
        return asked.at(which).method + " " + asked.at(which).url;
    }
};

// Whether the refusal leaves open what became of the money: then the base asks again.
template <class T>
bool is_unknown(const Result<T>& result) {
    return !result && result.error().code().name == errc::gateway_unavailable.name;
}
template <class T>
bool is_refused(const Result<T>& result, const ErrorCode& code = errc::payment_error) {
    return !result && result.error().code().name == code.name;
}

}  // namespace svc::tests
