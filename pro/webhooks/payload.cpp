// Builds messages.
#include "pro/webhooks/payload.hpp"

#include <algorithm>
#include <array>

#include "shared/core/redact.hpp"

namespace svc::pro::webhooks {
namespace {

using json::Value;

constexpr std::array members{"id", "type", "timestamp", "api_version", "occurred_at", "data"};
constexpr std::size_t most_paths = 300;

Value without_secrets(const Value& value) {
    if (value.is_array())
        return json::array_of(value.items(), without_secrets);
    if (!value.is_object())
        return value;
    Value clean = Value::object();
    for (const auto& [name, member] : value.members())
        if (!log::is_secret_name(name))
            clean.set(name, without_secrets(member));
    return clean;
}

// Lists are copied whole.
void copy_path(const Value& from, Value& to, std::string_view path) {
    const auto dot = path.find('.');
    const std::string head(path.substr(0, dot));
    const Value* member = from.find(head);
    if (!member)
        return;
    if (dot == std::string_view::npos || !member->is_object()) {
        to.set(head, *member);
        return;
    }
    Value inner = to[head].is_object() ? to[head] : Value::object();
    copy_path(*member, inner, path.substr(dot + 1));
    if (inner.size() > 0)
        to.set(head, std::move(inner));
}

Value ids_of(const Value& data) {
    Value ids = Value::object({{"truncated", true}});
    for (const auto& [name, member] : data.members())
        if (const Value* id = member.find("id"))
            ids.set(name, Value::object({{"id", *id}}));
    return ids;
}

void add_paths(const Value& value, const std::string& path, Value& paths) {
    if (paths.size() >= most_paths)
        return;
    if (!value.is_object()) {
        // A list of records, such as the answers of travelers, is chosen whole: its sample is their text.
        const bool has_records = value.is_array() && value.size() > 0 && value.items().front().is_object();
        paths.push(Value::object({{"path", path}, {"sample", has_records ? Value(value.dump()) : value}}));
        return;
    }
    for (const auto& [name, member] : value.members())
        add_paths(member, path.empty() ? name : path + "." + name, paths);
}

}  // namespace

Value envelope(std::string_view uid, std::string_view event_key, Instant at, Value data) {
    return Value::object({{"id", uid},
                          {"type", event_key},
                          {"timestamp", at},
                          {"api_version", api_version},
                          {"occurred_at", at},
                          {"data", std::move(data)}});
}

bool is_of_envelope(std::string_view name) { return std::find(members.begin(), members.end(), name) != members.end(); }

Value data_of(const Value& payload) {
    Value data = without_secrets(payload);
    data.erase("key");
    data.erase("occurred_at");
    return data;
}

std::string message_of(const Value& envelope, const std::vector<std::string>& selected_fields,
                       const Value& additional) {
    Value message = envelope;
    if (!selected_fields.empty()) {
        Value chosen = Value::object({{"data", Value::object()}});
        for (const std::string& path : selected_fields)
            copy_path(envelope, chosen, path.starts_with("data.") ? path : "data." + path);
        message.set("data", chosen["data"]);
    }
    for (const auto& [name, value] : additional.members())
        message.set(name, value);
    std::string text = message.dump();
    if (text.size() <= most_bytes)
        return text;
    return message.set("data", ids_of(envelope["data"])).dump();
}

Value paths_of(const Value& envelope) {
    Value paths = Value::array();
    add_paths(envelope, {}, paths);
    return paths;
}

}  // namespace svc::pro::webhooks
