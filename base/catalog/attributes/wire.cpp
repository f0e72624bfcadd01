// The members of attributes and of values.
#include "base/catalog/attributes/wire.hpp"

#include "base/catalog/attributes/service.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::attributes {
namespace {

// For staff only, or outdated when cached.
const std::vector<std::string_view> not_public{"status",     "trip_count",      "row_version",
                                               "created_at", "created_by",      "updated_at",
                                               "updated_by", "created_by_name", "updated_by_name"};

const classifications::Kind& kind() { return classifications::kind_of(classifications::Type::attribute); }

}  // namespace

json::Value public_json(const classifications::Classification& attribute) {
    json::Value value = classifications::to_json(attribute);
    for (const std::string_view name : not_public)
        value.erase(name);
    return value;
}

api::Type public_answer() {
    return api::list(api::object("PublicAttribute", classifications::answer_of(kind()).members->without(not_public)),
                     1000);
}

json::Value to_json(const std::vector<AttributeValue>& values) {
    return json::array_of(values, [&](const AttributeValue& stored_value) {
        return json::Value::object({{"id", stored_value.attribute.id},
                                    {"attribute_id", stored_value.attribute.id},
                                    {"name", stored_value.attribute.name},
                                    {"field_type", stored_value.attribute.field_type()},
                                    {"field_options", stored_value.attribute.details.find("field_options")
                                                          ? stored_value.attribute.details["field_options"]
                                                          : json::Value::array()},
                                    {"value", stored_value.value},
                                    {"created_at", stored_value.created_at},
                                    {"updated_at", stored_value.updated_at}});
    });
}

api::Type values_answer() {
    using namespace api;
    using api::text;
    return list(
        object("TripAttribute",
               {{.name = "id", .type = id(), .help = "Id of the attribute; a trip has one value per attribute."},
                {.name = "attribute_id", .type = id(), .required = true},
                {.name = "name", .type = text(255)},
                {.name = "field_type", .type = text(20)},
                {.name = "field_options", .type = kind().own.find("field_options")->type},
                {.name = "value", .type = anything(), .help = "A text, a number or a list of options."},
                {.name = "created_at", .type = instant().or_null(), .help = "When the value was first set."},
                {.name = "updated_at", .type = instant().or_null(), .help = "When the value last changed."}}),
        1000);
}

}  // namespace svc::catalog::attributes
