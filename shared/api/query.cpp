// Reading queries.
#include "shared/api/query.hpp"

#include <algorithm>
#include <vector>

#include "shared/core/text.hpp"
#include "shared/core/uri.hpp"

namespace svc::api {
namespace {

constexpr std::size_t most_pairs = 500, most_keys = 2;

int hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "b" and "c" of "a[b][c]", and the name before them; empty when the brackets are malformed.
std::vector<std::string> keys_of(std::string& name) {
    std::vector<std::string> keys;
    const auto first = name.find('[');
    if (first == 0 || first == std::string::npos)
        return keys;
    for (auto at = first; at < name.size();) {
        const auto end = name.find(']', at);
        if (name[at] != '[' || end == std::string::npos || end == at + 1 || keys.size() == most_keys)
            return {};
        keys.push_back(name.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    name.resize(first);
    return keys;
}

void add(json::Object& query, std::string name, std::string value) {
    const bool list = name.size() > 2 && name.compare(name.size() - 2, 2, "[]") == 0;
    if (list)
        name.resize(name.size() - 2);
    if (auto keys = keys_of(name); !keys.empty()) {
        const auto known =
            std::find_if(query.begin(), query.end(), [&](const auto& each) { return each.first == name; });
        if (known != query.end() && !known->second.is_object())
            return;  // it is a value already
        json::Value& below =
            known != query.end() ? known->second : query.emplace_back(std::move(name), json::Value::object()).second;
        std::string rest = std::move(keys.front());
        for (std::size_t at = 1; at < keys.size(); ++at)
            ((rest += '[') += keys[at]) += ']';
        return add(below.members(), rest + (list ? "[]" : ""), std::move(value));
    }
    for (auto& [known, held] : query) {
        if (known != name)
            continue;
        if (!held.is_array())
            held = json::Array{std::move(held)};
        held.push(std::move(value));
        return;
    }
    query.emplace_back(std::move(name),
                       list ? json::Value{json::Array{std::move(value)}} : json::Value{std::move(value)});
}

void append_text(std::string& out, const std::string& name, const json::Value& value) {
    if (value.is_array()) {
        for (const json::Value& each : value.items())
            append_text(out, name + "[]", each);
        return;
    }
    if (value.is_object()) {
        for (const auto& [key, below] : value.members())
            append_text(out, name + "[" + key + "]", below);
        return;
    }
    out += out.empty() ? "" : "&";
    ((out += text::uri_component(name)) += '=') += text::uri_component(value.is_string() ? value.text() : value.dump());
}

}  // namespace

void add_parameter(json::Value& query, std::string name, std::string value) {
    if (!name.empty())
        add(query.members(), std::move(name), std::move(value));
}

std::string query_text(const json::Value& query) {
    std::string out;
    for (const auto& [name, value] : query.members())
        append_text(out, name, value);
    return out;
}

std::optional<std::string> percent_decoded(std::string_view raw, bool plus_is_blank) {
    std::string out;
    out.reserve(raw.size());
    for (std::size_t at = 0; at < raw.size(); ++at) {
        char byte = raw[at];
        if (byte == '+' && plus_is_blank)
            byte = ' ';
        if (byte == '%') {
            if (at + 2 >= raw.size() || hex(raw[at + 1]) < 0 || hex(raw[at + 2]) < 0)
                return std::nullopt;
            byte = static_cast<char>(hex(raw[at + 1]) * 16 + hex(raw[at + 2]));
            at += 2;
        }
        if (byte == '\0')
            return std::nullopt;
        out += byte;
    }
    if (!text::is_utf8(out))
        return std::nullopt;
    return out;
}

Result<json::Value> parse_query(std::string_view raw) {
    json::Object query;
    std::size_t pairs = 0;
    while (!raw.empty()) {
        const auto end = raw.find('&');
        const auto pair = raw.substr(0, end);
        raw = end == std::string_view::npos ? std::string_view{} : raw.substr(end + 1);
        if (pair.empty())
            continue;
        if (++pairs > most_pairs)
            return Error{errc::bad_request, "The query has too many parameters."_sentence};
        const auto equals = pair.find('=');
        auto name = percent_decoded(pair.substr(0, equals), true);
        auto value = equals == std::string_view::npos ? std::optional<std::string>{std::in_place}
                                                      : percent_decoded(pair.substr(equals + 1), true);
        if (!name || !value)
            return Error{errc::bad_request, "The query is not correctly percent-encoded."_sentence};
        if (!name->empty())
            add(query, std::move(*name), std::move(*value));
    }
    return json::Value{std::move(query)};
}

}  // namespace svc::api
