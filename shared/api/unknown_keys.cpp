// Walks a body along its schema.
#include "shared/api/unknown_keys.hpp"

#include <algorithm>

namespace svc::api {
namespace {

using json::Value;

class Search {
  public:
    explicit Search(std::size_t most) : most_(most) {}

    void object(const Schema& schema, const Value& given, const std::string& prefix) {
        for (const auto& [name, value] : given.members()) {
            if (keys.size() >= most_)
                return;
            const Field* const known = field_of(schema, name);
            if (!known)
                keys.push_back(prefix + name);
            else if (!known->ignored)
                within(known->type, value, prefix + name);
        }
    }

    std::vector<std::string> keys;

  private:
    static const Field* field_of(const Schema& schema, const std::string& name) {
        if (const Field* own = schema.find(name))
            return own;
        for (const Field& field : schema.fields())
            if (std::find(field.also.begin(), field.also.end(), name) != field.also.end())
                return &field;
        return nullptr;
    }

    void within(const Type& type, const Value& given, const std::string& path) {
        if (type.shape == Shape::object && given.is_object())
            object(*type.members, given, path + ".");
        if (type.shape == Shape::list && given.is_array() && type.item->shape == Shape::object)
            for (std::size_t i = 0; i < given.size() && keys.size() < most_; ++i)
                within(*type.item, given[i], path + "." + std::to_string(i));
    }

    std::size_t most_;
};

}  // namespace

std::vector<std::string> unknown_keys(const Schema& schema, const Value& body, std::size_t most) {
    Search search(most);
    if (body.is_object())
        search.object(schema, body, {});
    return std::move(search.keys);
}

}  // namespace svc::api
