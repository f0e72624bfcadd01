// Finds deprecated parts of schemas.
#include "shared/api/deprecation.hpp"

#include <set>
#include <stdexcept>

#include "shared/core/date.hpp"

namespace svc::api {
namespace {

// Calls `visit(field, path)` for each field of the type, at any depth; list items and map values have no name.
template <class Visit>
void each_field(const Schema& schema, const std::string& prefix, const Visit& visit);

template <class Visit>
void each_field(const Type& type, const std::string& prefix, const Visit& visit) {
    if (type.members)
        each_field(*type.members, prefix, visit);
    if (type.item)
        each_field(*type.item, prefix, visit);
}

template <class Visit>
void each_field(const Schema& schema, const std::string& prefix, const Visit& visit) {
    for (const Field& field : schema.fields()) {
        visit(field, prefix + field.name);
        each_field(field.type, prefix + field.name + ".", visit);
    }
}

// Collects the deprecated fields that a value has.
class UsedFields {
  public:
    UsedFields(Notice::Of of, std::vector<Notice>& notices) : of_(of), notices_(notices) {}

    // `path` names the place in the value, `place` the field for all items of a list. Both end in a dot or are empty.
    void object(const Schema& schema, const json::Value& sent, const std::string& path, const std::string& place) {
        for (const Field& field : schema.fields()) {
            const json::Value* value = sent_as(field, sent);
            if (!value)
                continue;
            if (!field.deprecated_since.empty() && seen_.insert(place + field.name).second)
                notices_.push_back({of_, path + field.name, field.deprecated_since, field.instead});
            inside(field.type, *value, path + field.name, place + field.name);
        }
    }

  private:
    static const json::Value* sent_as(const Field& field, const json::Value& sent) {
        const json::Value* value = sent.find(field.name);
        for (std::size_t i = 0; !value && i < field.also.size(); ++i)
            value = sent.find(field.also[i]);
        return value;
    }

    void inside(const Type& type, const json::Value& value, const std::string& path, const std::string& place) {
        if (type.members && value.is_object())
            object(*type.members, value, path + ".", place + ".");
        if (!type.item)
            return;
        std::size_t number = 0;
        if (type.shape == Shape::list && value.is_array())
            for (const json::Value& item : value.items())
                inside(*type.item, item, path + "." + std::to_string(number++), place + ".*");
        if (type.shape == Shape::map && value.is_object())
            for (const auto& [name, item] : value.members())
                inside(*type.item, item, path + "." + name, place + ".*");
    }

    Notice::Of of_;
    std::vector<Notice>& notices_;
    std::set<std::string> seen_;
};

std::string_view name_of(Notice::Of of) {
    switch (of) {
        case Notice::Of::route:
            return "route";
        case Notice::Of::query:
            return "query";
        case Notice::Of::body:
            return "body";
        case Notice::Of::answer:
            break;
    }
    return "answer";
}

void check_day(const std::string& of, const std::string& since, const std::string& instead) {
    if (since.empty() ? !instead.empty() : !Date::parse(since))
        throw std::logic_error(of + ": deprecated_since must be a day such as 2026-11-01");
}

}  // namespace

std::string deprecation_sentence(std::string_view since, std::string_view instead) {
    if (since.empty())
        return {};
    std::string sentence = "Deprecated since " + std::string(since) + ".";
    if (!instead.empty())
        sentence += " Use `" + std::string(instead) + "` instead.";
    return sentence;
}

json::Value to_json(const Notice& notice) {
    const std::string subject = notice.of == Notice::Of::route ? "The route " : "The field ";
    std::string message =
        subject + notice.name + " is deprecated since " + notice.since + " and a later release may remove it.";
    if (!notice.instead.empty())
        message += " Use " + notice.instead + " instead.";
    return json::Value::object({{"in", name_of(notice.of)},
                                {"name", notice.name},
                                {"deprecated_since", notice.since},
                                {"instead", notice.instead.empty() ? json::Value() : json::Value(notice.instead)},
                                {"message", std::move(message)}});
}

bool has_deprecated(const Schema& schema) {
    bool found = false;
    each_field(schema, {},
               [&](const Field& field, const std::string&) { found = found || !field.deprecated_since.empty(); });
    return found;
}

void add_used(const Schema& schema, const json::Value& sent, Notice::Of of, std::vector<Notice>& notices) {
    UsedFields{of, notices}.object(schema, sent, {}, {});
}

std::vector<Notice> notices_of(const RouteSpec& route) {
    std::vector<Notice> notices;
    if (!route.deprecated_since.empty())
        notices.push_back({Notice::Of::route, std::string(name_of(route.method)) + " " + route.path,
                           route.deprecated_since, route.instead});
    each_field(route.answer, {}, [&](const Field& field, const std::string& path) {
        if (!field.deprecated_since.empty())
            notices.push_back({Notice::Of::answer, path, field.deprecated_since, field.instead});
    });
    return notices;
}

void check_deprecations(const RouteSpec& route) {
    const std::string name = std::string(name_of(route.method)) + " " + route.path;
    check_day(name, route.deprecated_since, route.instead);
    const auto check = [&](const Field& field, const std::string& path) {
        check_day(name + ", " + path, field.deprecated_since, field.instead);
    };
    each_field(route.query, {}, check);
    each_field(route.body, {}, check);
    each_field(route.answer, {}, check);
}

}  // namespace svc::api
