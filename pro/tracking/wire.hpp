// How a partner is spoken to: each of the two modules fills this in.
#pragma once

#include <functional>

#include "pro/tracking/repository.hpp"
#include "shared/plugin/host_fetch.hpp"

namespace svc::pro::tracking {

// All that a message is made of.
struct Outgoing {
    TrackedEvent event;
    BookedTrip booking;
    Visitor visitor;
    std::string id, secret;                          // of the settings
    std::string site_url;                            // empty: unknown
    json::Value parameters = json::Value::object();  // of the operator's own, with their values
};

struct Message {
    plugin::FetchTwo::Request request;
    json::Value shown;  // the body without what names the visitor
    // Asked first where the operator tests: an answer that is not `sent` ends it, and nothing is counted.
    std::optional<plugin::FetchTwo::Request> rehearsal = {};
};

// What an answer means for the event.
enum class Outcome : std::uint8_t {
    sent,
    again,  // the partner is overloaded, does not answer, or does not take the credentials as they are
    never   // it will not take this event
};
struct Verdict {
    Outcome outcome = Outcome::again;
    std::string_view reason = {};  // where it was not sent
};

struct Wire {
    // The reason for which the visitor cannot be reported; empty: none.
    std::function<std::string_view(const Visitor& visitor)> lacks;
    std::function<Message(const Outgoing& outgoing)> message;
    std::function<Verdict(const plugin::FetchReply& reply)> judge;
    std::function<Verdict(const plugin::FetchReply& reply)> judge_rehearsal = {};
};

// Calls of a partner in a minute, of the sender and of tests together.
inline constexpr int calls_at_once = 120;
inline constexpr std::chrono::milliseconds patience{5'000};
inline constexpr std::size_t longest_answer = 64 * 1024;

plugin::FetchTwo::Request request_to(std::string url, std::string body);
// Why no answer came, for people and logs.
std::string problem_of(const Error& error);
// 429 and 5xx.
bool is_overloaded(int status);
// The seconds of Retry-After, a day at most.
std::optional<std::chrono::seconds> retry_after(const plugin::FetchReply& reply);

}  // namespace svc::pro::tracking
