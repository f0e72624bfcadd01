// The JSON texts that cross the waist: route declarations, requests, replies and hook declarations, both ways.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/route.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::plugin {

// An invalid text of the other side; what() names the member. It rejects the registration.
struct Malformed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

json::Value to_json(const api::Type& type);
json::Value to_json(const api::Schema& schema);
json::Value to_json(const api::RouteSpec& spec, const std::vector<std::string>& headers);
json::Value to_json(const api::Request& request, const std::vector<std::string>& headers);
json::Value to_json(const api::Reply& reply);  // not its error
json::Value to_json(const hooks::Action& action);
json::Value to_json(const hooks::Filter& filter);
json::Value to_json(const hooks::Listener& listener);

api::Type type_from(const json::Value& value);
api::Schema schema_from(const json::Value& value);

// A declared route without its handler. A decided_by rule calls `check`; when that is empty, such a rule is Malformed.
// A capability for which `knows_capability` returns false is Malformed too. The texts of the spec's views are in
// `keep`.
struct ReadRoute {
    api::RouteSpec spec;
    std::vector<std::string> headers;
};
ReadRoute route_from(const json::Value& value, std::function<Result<void>(const api::Request&)> check,
                     const std::function<bool(std::string_view)>& knows_capability, std::deque<std::string>& keep);

// A request rebuilt on the plugin's side, with the texts its views point to. Not movable.
struct HeldRequest {
    HeldRequest(const json::Value& value, const api::RouteSpec& spec);
    HeldRequest(const HeldRequest&) = delete;
    HeldRequest& operator=(const HeldRequest&) = delete;

    api::Request request;
    std::optional<std::int64_t> reply_key;  // set: the reply can be stored for a repetition
    bool takes_sentences = false;           // the other side reads faults with their sentences
    std::string raw_body;
    std::map<std::string, std::string, std::less<>> headers;
};

api::Reply reply_from(const json::Value& value);
// Around a sentence that the handler of a plugin left to the base (Request::say there) in its reply's data: no text
// that is cleaned has this character.
inline const std::string said_mark = "\x02";

// Faults as [[field, English sentence], …]; for a side that says so in its requests, with the sentence itself
// (shared/json/sentence.hpp) as a third member.
json::Value to_json(const std::vector<FieldError>& faults, bool with_sentences);
std::vector<FieldError> faults_from(const json::Value& value);

hooks::Listener listener_from(const json::Value& value);

// Hook declarations hold views; their texts are in `keep`.
hooks::Action action_from(const json::Value& value, std::deque<std::string>& keep);
hooks::Filter filter_from(const json::Value& value, std::deque<std::string>& keep);

// Members that must be there, of that kind; Malformed otherwise.
std::string text_of(const json::Value& object, std::string_view name);
std::vector<std::string> texts_of(const json::Value& object, std::string_view name);  // absent: none
json::Value texts(const std::vector<std::string>& list);

// Headers of HTTP as [[name, value], …], in the member "headers".
using Headers = std::vector<std::pair<std::string, std::string>>;
json::Value headers_json(const Headers& headers);
Headers headers_from(const json::Value& object);
// The bytes that hexadecimal text stands for; Malformed names the member.
std::string unhex(std::string_view text, std::string_view member);

}  // namespace svc::plugin
