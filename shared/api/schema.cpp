// Making types and schemas.
#include "shared/api/schema.hpp"

#include <algorithm>

namespace svc::api {
namespace {

Type of(Shape shape) {
    Type type;
    type.shape = shape;
    return type;
}

Type bounded(Shape shape, std::int64_t least, std::int64_t most) {
    Type type = of(shape);
    type.least = least;
    type.most = most;
    return type;
}

}  // namespace

Type Type::or_null() const {
    Type changed = *this;
    changed.nullable = true;
    return changed;
}

Type Type::at_least(std::int64_t bound) const {
    Type changed = *this;
    changed.least = bound;
    return changed;
}

Type Type::of_kind(FieldKind other) const {
    Type changed = *this;
    changed.kind = other;
    return changed;
}

Type Type::referring_to(std::string list) const {
    Type changed = *this;
    changed.refers = std::move(list);
    return changed;
}

Type Type::followed_by(std::shared_ptr<const NextStatuses> statuses) const {
    Type changed = *this;
    changed.next = std::move(statuses);
    return changed;
}

Type boolean() { return of(Shape::boolean); }
Type integer(std::int64_t least, std::int64_t most) { return bounded(Shape::integer, least, most); }
Type id() { return integer(1); }

Type page_sum() {
    Type type = integer(1);
    type.saturates = true;
    return type;
}

Type decimal(std::int64_t least, std::int64_t most) { return bounded(Shape::decimal, least, most); }
Type money() { return decimal(0).of_kind(FieldKind::money); }

Type percent() {
    Type type = decimal(0, 100).of_kind(FieldKind::percentage);
    type.decimals = 4;
    return type;
}

Type text(std::size_t longest, std::size_t shortest) {
    Type type = of(Shape::text);
    type.longest = longest;
    type.shortest = shortest;
    return type;
}

Type raw_text(std::size_t longest) {
    Type type = text(longest);
    type.raw = true;
    return type;
}

Type html(std::size_t longest) { return raw_text(longest).of_kind(FieldKind::html); }

Type email() { return of(Shape::email); }
Type date() { return of(Shape::date); }
Type time() { return of(Shape::time); }
Type instant() { return of(Shape::instant); }

Type choice(std::vector<std::string> values) {
    Type type = of(Shape::choice);
    type.values = std::move(values);
    return type;
}

Type list(Type item, std::size_t most, std::size_t least) {
    Type type = of(Shape::list);
    type.item = std::make_shared<const Type>(std::move(item));
    type.longest = most;
    type.shortest = least;
    return type;
}

Type object(Schema members) {
    Type type = of(Shape::object);
    type.members = std::make_shared<const Schema>(std::move(members));
    return type;
}

Type map(Type item, std::size_t most) {
    Type type = of(Shape::map);
    type.item = std::make_shared<const Type>(std::move(item));
    type.longest = most;
    return type;
}

Type anything() { return of(Shape::anything); }

Schema::Schema(std::initializer_list<Field> fields) : Schema(std::vector<Field>(fields)) {}

Schema::Schema(std::vector<Field> fields) {
    fields_.reserve(fields.size());
    for (Field& field : fields)
        fields_.push_back(std::make_shared<const Field>(std::move(field)));
}

Schema Schema::named(std::string name) const {
    Schema same = *this;
    same.name_ = std::move(name);
    return same;
}

const Field* Schema::find(std::string_view name) const {
    const auto place =
        std::find_if(fields_.begin(), fields_.end(), [&](const auto& field) { return field->name == name; });
    return place == fields_.end() ? nullptr : place->get();
}

Schema Schema::plus(const Schema& more) const {
    Schema both = named({});
    for (const auto& field : more.fields_)
        if (!find(field->name))
            both.fields_.push_back(field);
    return both;
}

Schema Schema::without(const std::vector<std::string_view>& names) const {
    Schema fewer = named({});
    std::erase_if(fewer.fields_,
                  [&](const auto& field) { return std::find(names.begin(), names.end(), field->name) != names.end(); });
    return fewer;
}

Schema Schema::changed(const std::function<void(Field&)>& change) const {
    Schema other = named({});
    for (auto& shared : other.fields_) {
        Field field = *shared;
        change(field);
        shared = std::make_shared<const Field>(std::move(field));
    }
    return other;
}

Schema Schema::partial() const {
    return changed([](Field& field) {
        field.required = false;
        field.otherwise.reset();
    });
}

}  // namespace svc::api
