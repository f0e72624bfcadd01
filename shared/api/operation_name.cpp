// Names of operations: what a route states, else its method and path in words.
#include <algorithm>
#include <cctype>

#include "shared/api/route.hpp"

namespace svc::api {
namespace {

using Words = std::vector<std::string>;

template <std::size_t N>
bool is_among(const std::string_view (&words)[N], std::string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Verbs at the beginning of a last segment: "send-link", "restore".
constexpr std::string_view write_verbs[] = {
    "accept",  "activate", "cancel",     "charge",   "check",   "cleanup",    "clear",    "complete",   "confirm",
    "connect", "create",   "deactivate", "delete",   "disable", "disconnect", "dismiss",  "duplicate",  "enable",
    "export",  "flush",    "forgot",     "generate", "import",  "insert",     "listen",   "login",      "logout",
    "mark",    "merge",    "migrate",    "override", "ping",    "preview",    "register", "regenerate", "reorder",
    "replay",  "resend",   "reset",      "respond",  "restore", "run",        "save",     "send",       "simulate",
    "submit",  "sync",     "test",       "toggle",   "track",   "upload",     "validate", "verify",     "warm"};
constexpr std::string_view read_verbs[] = {"check", "generate", "preview", "search"};
// These form the verb with the word after them: "bulk-toggle".
constexpr std::string_view verb_qualifiers[] = {"bulk", "force", "permanent"};
// Segments that describe the noun before them: "/trips/public".
constexpr std::string_view adjectives[] = {"filterable", "frontend", "generated", "outstanding",
                                           "past",       "pending",  "public",    "upcoming"};
// Nouns that are one and many alike.
constexpr std::string_view collectives[] = {"availability", "media", "recurring-availability"};

Words split(std::string_view text, std::string_view at) {
    Words parts{{}};
    for (const char c : text)
        if (at.find(c) != at.npos)
            parts.emplace_back();
        else
            parts.back() += c;
    std::erase(parts, std::string());
    return parts;
}

std::string capitalised(std::string_view segment) {
    std::string name;
    for (std::string& word : split(segment, "-_.")) {
        word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
        name += word;
    }
    return name;
}

std::string one_of(std::string word) {
    if (word.ends_with("ies"))
        return word.substr(0, word.size() - 3) + "y";
    if (word.ends_with("s") && !word.ends_with("ss") && !word.ends_with("us"))
        word.pop_back();
    return word;
}

std::string default_verb(const RouteSpec& route) {
    switch (route.method) {
        case Method::get:
            return route.is_list || route.answer.shape == Shape::list ? "list" : "get";
        case Method::post:
            return "create";
        case Method::del:
            return "delete";
        default:
            return "update";
    }
}

// The verb of the last segment; the rest of it becomes `object`.
std::string declared_verb(Method method, std::string_view segment, std::string& object) {
    const Words words = split(segment, "-");
    std::string verb;
    if (method != Method::get && is_among(verb_qualifiers, words.front()))
        verb = words.size() == 1 ? "bulkUpdate" : words.front() + capitalised(segment.substr(words.front().size()));
    else if (method == Method::get ? is_among(read_verbs, words.front()) : is_among(write_verbs, words.front())) {
        verb = words.front();
        object = capitalised(segment.substr(verb.size()));
    }
    return verb;
}

}  // namespace

std::string operation_name(const RouteSpec& route) {
    if (!route.name.empty())
        return route.name;
    const Words segments = split(route.path, "/");
    const auto is_parameter = [&](std::size_t i) { return i < segments.size() && segments[i].front() == '{'; };
    std::string verb, object, front, by;
    Words nouns;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string& segment = segments[i];
        const bool last = i + 1 == segments.size() || (i + 2 == segments.size() && is_parameter(i + 1));
        const bool one = is_parameter(i + 1) || (last && route.method == Method::post);
        if (is_parameter(i))
            continue;
        std::string noun = one ? one_of(segment) : segment;
        const bool described = is_among(adjectives, segment);
        if (is_parameter(i + 1) && noun == segment && !described && !is_among(collectives, segment))
            by += "By" + capitalised(segments[i + 1].substr(1, segments[i + 1].size() - 2));
        if (last && i > 0)
            verb = declared_verb(route.method, segment, object);
        if (!verb.empty())
            break;
        if (!described || nouns.empty()) {
            nouns.push_back(std::move(noun));
            continue;
        }
        front += capitalised(segment);
        if (one)
            nouns.back() = one_of(nouns.back());
    }
    if (nouns.size() == 1 && nouns.front() == "auth" && !verb.empty())
        nouns.clear();
    std::string id = verb.empty() ? default_verb(route) : verb;
    id += front;
    for (const std::string& noun : nouns)
        id += capitalised(noun);
    if (segments.empty())
        id += "Discovery";
    return id + object + by;
}

}  // namespace svc::api
