// Matching a method and a path against the declared routes: a trie over the path's segments.
#include <algorithm>
#include <array>
#include <charconv>
#include <list>
#include <map>
#include <optional>
#include <stdexcept>

#include "shared/api/deprecation.hpp"
#include "shared/api/query.hpp"
#include "shared/api/route.hpp"
#include "shared/api/sharing.hpp"
#include "shared/core/text.hpp"

namespace svc::api {
namespace {

constexpr std::size_t longest_segment = 1024, most_segments = 16;

// The values a parameter matches, in the order of attempts at one place.
enum class Kind : std::uint8_t { id, gateway, key, handle, token, slug };

class Letters {
  public:
    constexpr Letters(std::initializer_list<std::string_view> sets) {
        for (const auto set : sets)
            for (const char c : set)
                is_in_[static_cast<unsigned char>(c)] = true;
    }
    [[nodiscard]] bool make_up(std::string_view text) const {
        return !text.empty() &&
               std::all_of(text.begin(), text.end(), [&](char c) { return is_in_[static_cast<unsigned char>(c)]; });
    }

  private:
    std::array<bool, 256> is_in_{};
};

constexpr std::string_view lower = "abcdefghijklmnopqrstuvwxyz", upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                           digits = "0123456789";
constexpr Letters number{digits}, gateway{lower, "_"}, key{lower, digits, "_.-"}, handle{lower, upper, digits, "_-"},
    token{lower, upper, digits, "._-"};

std::optional<std::int64_t> id_of(std::string_view text) {
    std::int64_t value = 0;
    if (!number.make_up(text) || text.front() == '0')
        return std::nullopt;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool accepts(Kind kind, std::string_view text) {
    switch (kind) {
        case Kind::id:
            return id_of(text).has_value();
        case Kind::gateway:
            return gateway.make_up(text);
        case Kind::key:
            return key.make_up(text);
        case Kind::handle:
            return handle.make_up(text);
        case Kind::token:
            return token.make_up(text);
        case Kind::slug:
            break;
    }
    return text::is_slug(text);
}

Kind kind_of(std::string_view name) {
    static constexpr std::pair<std::string_view, Kind> names[] = {
        {"gateway", Kind::gateway}, {"slug", Kind::slug},        {"token", Kind::token},
        {"job_id", Kind::handle},   {"list_id", Kind::handle},   {"taxonomy", Kind::key},
        {"key", Kind::key},         {"type", Kind::key},         {"size", Kind::key},
        {"field", Kind::key},       {"channel_type", Kind::key}, {"version", Kind::key},
        {"hook", Kind::key},        {"name", Kind::key},         {"id", Kind::id},
    };
    for (const auto& [known, kind] : names)
        if (known == name)
            return kind;
    if (name.size() > 3 && name.substr(name.size() - 3) == "_id")
        return Kind::id;
    throw std::logic_error("no characters are known for the path parameter " + std::string(name));
}

// GET, POST, PUT, DELETE: the rows of a node; a patch route is in the row of put.
constexpr std::size_t slots = 4;
std::size_t slot_of(Method method) {
    switch (method) {
        case Method::get:
            return 0;
        case Method::post:
            return 1;
        case Method::put:
        case Method::patch:
            return 2;
        case Method::del:
            break;
    }
    return 3;
}

std::size_t slot_of(std::string_view method) {
    static constexpr std::pair<std::string_view, std::size_t> names[] = {{"GET", 0}, {"HEAD", 0},  {"POST", 1},
                                                                         {"PUT", 2}, {"PATCH", 2}, {"DELETE", 3}};
    for (const auto& [known, slot] : names)
        if (known == method)
            return slot;
    return slots;
}

using Enabled = std::function<bool(std::string_view)>;

struct Entry {
    const RouteSpec* route = nullptr;
    std::vector<std::string> names;  // of the parameters, in order

    [[nodiscard]] bool exists(const Enabled& enabled) const {
        return route && (route->module.empty() || !enabled || enabled(route->module));
    }
};

struct Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;
    std::map<Kind, std::unique_ptr<Node>> parameters;
    std::array<Entry, slots> entries;
};

struct Found {
    Kind kind;
    std::string_view text;
};

using Segments = std::vector<std::string_view>;

// The segments between the slashes; nothing for a path that cannot be one of ours.
std::optional<Segments> segments_of(std::string_view path) {
    Segments segments;
    if (path.empty() || path == "/")
        return segments;
    if (path.front() != '/')
        return std::nullopt;
    segments.reserve(6);
    while (!path.empty()) {
        path.remove_prefix(1);
        const auto slash = std::min(path.find('/'), path.size());
        if (slash == 0 || segments.size() >= most_segments)
            return std::nullopt;
        segments.push_back(path.substr(0, slash));
        path.remove_prefix(slash);
    }
    return segments;
}

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0 && c < 0x7f && c != '%'; });
}

// Decodes percent-encoded segments; `kept` owns them.
bool decode(Segments& segments, std::list<std::string>& texts) {
    for (auto& segment : segments) {
        if (!is_plain(segment)) {
            auto decoded = percent_decoded(segment, false);
            if (!decoded || decoded->empty())
                return false;
            segment = texts.emplace_back(std::move(*decoded));
        }
        if (segment.size() > longest_segment)
            return false;
    }
    return true;
}

const Node* walk(const Node& node, const Segments& segments, std::size_t at, std::vector<Found>& found,
                 const Enabled& enabled) {
    if (at == segments.size()) {
        const bool exists = std::any_of(node.entries.begin(), node.entries.end(),
                                        [&](const Entry& entry) { return entry.exists(enabled); });
        return exists ? &node : nullptr;
    }
    const std::string_view segment = segments[at];
    if (const auto literal = node.literals.find(segment); literal != node.literals.end())
        if (const Node* end = walk(*literal->second, segments, at + 1, found, enabled))
            return end;
    for (const auto& [kind, next] : node.parameters) {
        if (!accepts(kind, segment))
            continue;
        found.push_back({kind, segment});
        if (const Node* end = walk(*next, segments, at + 1, found, enabled))
            return end;
        found.pop_back();
    }
    return nullptr;
}

std::string allowed(const Node& node, const Enabled& enabled) {
    static constexpr std::string_view names[slots] = {"GET, HEAD, ", "POST, ", "PUT, PATCH, ", "DELETE, "};
    std::string allow;
    for (std::size_t slot = 0; slot < slots; ++slot)
        if (node.entries[slot].exists(enabled))
            allow += names[slot];
    return allow + "OPTIONS";
}

json::Value parameters(const Entry& entry, const std::vector<Found>& found) {
    json::Object path;
    path.reserve(found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        path.emplace_back(entry.names[i], found[i].kind == Kind::id ? json::Value{*id_of(found[i].text)}
                                                                    : json::Value{text::composed(found[i].text)});
    return json::Value{std::move(path)};
}

[[noreturn]] void malformed(const RouteSpec& route, const char* why) {
    throw std::logic_error(std::string(name_of(route.method)) + " " + route.path + ": " + why);
}

}  // namespace

struct RouteTable::Impl {
    std::vector<std::unique_ptr<RouteSpec>> routes;
    Sharing sharing;
    Node root;
};

RouteTable::RouteTable() : impl_(std::make_unique<Impl>()) {}
RouteTable::~RouteTable() = default;

void RouteTable::add(RouteSpec given) {
    const auto segments = segments_of(given.path);
    if (given.path.empty() || !segments)
        malformed(given, "the path is not like /trips/{id}");
    Node* node = &impl_->root;
    std::vector<std::string> names;
    for (const std::string_view segment : *segments) {
        if (segment.find_first_of("{}") == std::string_view::npos) {
            auto& next = node->literals[std::string(segment)];
            if (!next)
                next = std::make_unique<Node>();
            node = next.get();
            continue;
        }
        if (segment.size() < 3 || segment.front() != '{' || segment.find_first_of("{}", 1) != segment.size() - 1)
            malformed(given, "a parameter is a whole segment");
        names.emplace_back(segment.substr(1, segment.size() - 2));
        if (std::count(names.begin(), names.end(), names.back()) > 1)
            malformed(given, "a parameter's name occurs twice");
        auto& next = node->parameters[kind_of(names.back())];
        if (!next)
            next = std::make_unique<Node>();
        node = next.get();
    }
    Entry& entry = node->entries[slot_of(given.method)];
    if (entry.route)
        malformed(given, "this route exists already");
    check_deprecations(given);
    given.query = impl_->sharing.query(given.query);
    given.body = impl_->sharing.body(given.body);
    given.answer = impl_->sharing.answer(std::move(given.answer));
    impl_->routes.push_back(std::make_unique<RouteSpec>(std::move(given)));
    entry = {impl_->routes.back().get(), std::move(names)};
}

RouteTable::Match RouteTable::match(std::string_view method, std::string_view path, const Enabled& enabled) const {
    std::list<std::string> decoded;
    auto segments = segments_of(path);
    std::vector<Found> found;
    const Node* node =
        segments && decode(*segments, decoded) ? walk(impl_->root, *segments, 0, found, enabled) : nullptr;
    if (!node)
        return {};
    const std::size_t slot = slot_of(method);
    if (slot == slots || !node->entries[slot].exists(enabled))
        return {nullptr, {}, allowed(*node, enabled)};
    const Entry& entry = node->entries[slot];
    return {entry.route, parameters(entry, found), {}};
}

const std::vector<std::unique_ptr<RouteSpec>>& RouteTable::all() const { return impl_->routes; }

}  // namespace svc::api
