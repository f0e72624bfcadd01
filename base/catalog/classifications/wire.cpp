// A classification's members on the wire.
#include "base/catalog/classifications/wire.hpp"

#include <map>

#include "shared/api/bulk.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::classifications {
namespace {

using json::Value;

const std::vector<std::string> item_colors{"blue", "green", "purple", "orange", "red", "yellow", "gray"};

constexpr std::size_t most_pictures = 50;

Value or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

api::Schema metadata_members() {
    return {{.name = "seo_title", .type = api::text(255)},
            {.name = "seo_description", .type = api::text(1000)},
            {.name = "seo_keywords", .type = api::text(1000)}};
}

api::Type icon_type() {
    using namespace api;
    using api::text;
    return object("Icon", {{.name = "type", .type = choice({"icon", "image", "emoji"}), .required = true},
                           {.name = "provider", .type = text(50).or_null()},
                           {.name = "value", .type = text(500), .required = true}})
        .or_null();
}

// The name of its schema: "TripCategory".
std::string component_of(const Kind& kind) {
    std::string name;
    bool starts = true;
    for (const char c : kind.one) {
        if (c != ' ')
            name += starts ? static_cast<char>(c & ~32) : c;
        starts = c == ' ';
    }
    return name;
}

api::Type color_type(const Kind& kind) {
    return kind.type == Type::item_type ? api::choice(item_colors) : api::text(7).or_null();
}

void add_place(const Record& record, Value& value) {
    if (record.type == Type::item) {
        value.set("type_id", record.item_type_id);
        value.set("type_name", record.parent_name);
        value.set("type_icon", record.parent_icon);
        value.set("currency", record.details.maybe_text("currency"));
    }
    if (kind_of(record.type).tree) {
        value.set("parent_id", record.parent_id);
        value.set("parent_name", or_null(record.parent_name));
        value.set("level", record.level);
    }
}

std::optional<std::string> sent_text(const Value& body, std::string_view name) {
    const Value* value = body.find(name);
    if (!value)
        return std::nullopt;
    return value->is_null() ? std::string() : value->text();
}

using Children = std::map<std::int64_t, std::vector<const Record*>>;

Value branch(const Record& record, const Children& children) {
    Value value = to_json(record);
    Value below = Value::array();
    if (const auto found = children.find(record.id); found != children.end())
        for (const Record* child : found->second)
            below.push(branch(*child, children));
    value.set("subcategories", std::move(below));
    return value;
}

}  // namespace

Value to_json(const Record& record) {
    const Kind& kind = kind_of(record.type);
    Value value = Value::object({{"id", record.id}, {"name", record.name}});
    if (record.type == Type::traveler_type)
        value.set("label", record.name);
    value.set("slug", record.slug);
    value.set("description", record.description);
    value.set("icon", record.icon);
    value.set("color", record.type == Type::item_type && record.color.empty() ? Value("blue") : or_null(record.color));
    value.set(kind.order_member, record.sort_order);
    value.set("status", name_of(record.status));
    value.set("featured_image", record.featured_image_id);
    value.set("featured_image_url", record.featured_image_url);
    if (kind.has_page) {
        value.set("permalink", record.permalink);
        value.set("listing_url", record.listing_url);
    }
    auto gallery = Value::array();
    for (const std::int64_t picture : record.gallery)
        gallery.push(picture);
    value.set("gallery", std::move(gallery));
    if (!kind.plain) {
        value.set("is_featured", record.is_featured);
        value.set("metadata", Value::object({{"seo_title", record.seo_title},
                                             {"seo_description", record.seo_description},
                                             {"seo_keywords", record.seo_keywords}}));
    }
    add_place(record, value);
    for (const api::Field& field : kind.own.fields()) {
        const Value* kept = record.details.find(field.name);
        value.set(field.name, kept ? *kept : field.otherwise.value_or(Value()));
    }
    value.set(kind.uses_member, record.uses);
    value.set("row_version", record.row_version);
    value.set("created_at", record.created_at);
    value.set("created_by", record.created_by);
    value.set("created_by_name", record.created_by_name);
    value.set("updated_at", record.updated_at);
    value.set("updated_by", record.updated_by);
    value.set("updated_by_name", record.updated_by_name);
    return value;
}

Value tree_json(const Record& top, const std::vector<Record>& all_below) {
    Children children;
    for (const Record& record : all_below)
        children[record.parent_id.value_or(0)].push_back(&record);
    return branch(top, children);
}

Value to_json(const Counts& counts) {
    return Value::object(
        {{"all", counts.all}, {"publish", counts.publish}, {"draft", counts.draft}, {"trash", counts.trash}});
}

Value bulk_json(const std::string& action, const std::vector<Outcome>& outcomes) {
    Value results = Value::array();
    std::int64_t failed = 0;
    for (const Outcome& outcome : outcomes) {
        Value result = Value::object({{"id", outcome.id}, {"ok", !outcome.error}});
        if (outcome.error) {
            ++failed;
            result.set("code", outcome.error->code().name);
            result.set("error", outcome.error->message());
        }
        results.push(std::move(result));
    }
    return Value::object({{"action", action},
                          {"affected", static_cast<std::int64_t>(outcomes.size()) - failed},
                          {"failed", failed},
                          {"results", std::move(results)}});
}

api::Schema fields_of(const Kind& kind) {
    using namespace api;
    using api::text;
    std::vector<Field> fields{
        {.name = "name",
         .type = text(255, kind.plain ? 0 : 2),
         .says = "Name.",
         .required = true,
         .also = kind.also_called},
        {.name = "slug",
         .type = text(200),
         .says = "Part of addresses; generated from the name when absent. A slug in use returns svc_conflict."},
        {.name = "description", .type = raw_text(5000).or_null(), .says = "HTML; disallowed markup is removed."},
        {.name = "icon", .type = icon_type()},
        {.name = "color",
         .type = color_type(kind),
         .says = kind.type == Type::item_type ? "Defaults to blue." : "#rrggbb."},
        {.name = kind.order_member,
         .type = integer(0, 1'000'000'000),
         .says = "Position among the others.",
         .also = kind.order_member == "sorting" ? std::vector<std::string>{"sort_order"}
                                                : std::vector<std::string>{"sorting", "sort_order"}},
        {.name = "status", .type = choice({"draft", "publish", "trash"})},
        {.name = "featured_image",
         .type = id().or_null(),
         .says = "Id of a picture of /media.",
         .also = {"featured_image_id", "image_id", "image"}},
        {.name = "gallery", .type = list(id(), most_pictures).or_null(), .says = "Ids of more pictures, in order."}};
    if (!kind.plain) {
        fields.push_back({.name = "is_featured", .type = boolean()});
        fields.push_back({.name = "metadata",
                          .type = object("SeoMetadata", metadata_members()).or_null(),
                          .says = "Texts for search engines."});
    }
    if (kind.tree)
        fields.push_back({.name = "parent_id",
                          .type = integer(0).or_null(),
                          .says = "Id of the parent, at most five levels deep; 0 or empty for top level."});
    if (kind.type == Type::item)
        fields.push_back({.name = "type_id", .type = id(), .says = "Id of the item type.", .required = true});
    for (Field field : kind.own.fields()) {
        field.otherwise.reset();
        fields.push_back(std::move(field));
    }
    return Schema(std::move(fields));
}

Change change_of(const Kind& kind, const Value& body) {
    Change change;
    change.name = sent_text(body, "name");
    change.slug = sent_text(body, "slug");
    change.description = sent_text(body, "description");
    change.color = sent_text(body, "color");
    change.status = body.maybe_text("status");
    if (const Value* metadata = body.find("metadata")) {
        change.seo_title = metadata->text_or("seo_title");
        change.seo_description = metadata->text_or("seo_description");
        change.seo_keywords = metadata->text_or("seo_keywords");
    }
    if (const Value* icon = body.find("icon"))
        change.icon = *icon;
    if (const Value* parent = body.find("parent_id")) {
        const std::int64_t id = parent->is_null() ? 0 : parent->integer();
        change.parent_id = id > 0 ? std::optional(id) : std::nullopt;
    }
    if (const Value* image = body.find("featured_image"))
        change.featured_image = image->is_null() ? std::nullopt : std::optional(image->integer());
    if (const Value* gallery = body.find("gallery")) {
        change.gallery.emplace();
        for (std::size_t i = 0; i < gallery->size(); ++i)
            change.gallery->push_back((*gallery)[i].integer());
    }
    change.item_type_id = body.maybe_integer("type_id");
    change.sort_order = body.maybe_integer(kind.order_member);
    change.is_featured = body.maybe_boolean("is_featured");
    for (const api::Field& field : kind.own.fields())
        if (const Value* sent = body.find(field.name))
            change.own.set(field.name, *sent);
    change.preserve_slug = body.maybe_boolean("preserve_slug");
    change.row_version = body.maybe_integer("row_version");
    return change;
}

api::Type answer_of(const Kind& kind) {
    using namespace api;
    using api::text;
    const auto who = [](const char* name) { return Field{.name = name, .type = text(255).or_null()}; };
    std::vector<Field> fields{{.name = "id", .type = id(), .required = true},
                              {.name = "name", .type = text(255), .required = true},
                              {.name = "slug", .type = text(220), .required = true},
                              {.name = "description", .type = raw_text(64 * 1024)},
                              {.name = "icon", .type = icon_type()},
                              {.name = "color", .type = text(7).or_null()},
                              {.name = kind.order_member, .type = integer(0)},
                              {.name = "status", .type = choice({"draft", "publish", "trash"})},
                              {.name = "featured_image", .type = id().or_null()},
                              {.name = "featured_image_url", .type = text(2000).or_null()},
                              {.name = "gallery", .type = list(id(), most_pictures)}};
    if (kind.has_page) {
        fields.push_back({.name = "permalink", .type = text(2000), .says = "Address of its page."});
        fields.push_back({.name = "listing_url", .type = text(2000), .says = "Address of the listing of its trips."});
    }
    if (kind.type == Type::traveler_type)
        fields.push_back({.name = "label", .type = text(255), .says = "Same as name."});
    if (!kind.plain) {
        fields.push_back({.name = "is_featured", .type = boolean()});
        fields.push_back({.name = "metadata", .type = object("SeoMetadata", metadata_members())});
    }
    if (kind.tree) {
        fields.push_back({.name = "parent_id", .type = id().or_null()});
        fields.push_back({.name = "parent_name", .type = text(255).or_null()});
        fields.push_back({.name = "level", .type = integer(0, deepest_level), .says = "0 for top level."});
    }
    if (kind.type == Type::item) {
        fields.push_back({.name = "type_id", .type = id()});
        fields.push_back({.name = "type_name", .type = text(255)});
        fields.push_back({.name = "type_icon", .type = icon_type()});
        fields.push_back({.name = "currency", .type = text(3).or_null(), .says = "Currency of default_cost."});
    }
    for (Field field : kind.own.fields()) {
        field.otherwise.reset();
        field.type = field.type.or_null();
        fields.push_back(std::move(field));
    }
    fields.push_back({.name = kind.uses_member,
                      .type = integer(0),
                      .says = kind.uses_member == "trip_count" ? "Number of published trips." : ""});
    fields.push_back({.name = "row_version", .type = integer(1)});
    fields.push_back({.name = "created_at", .type = instant()});
    fields.push_back({.name = "created_by", .type = id().or_null()});
    fields.push_back(who("created_by_name"));
    fields.push_back({.name = "updated_at", .type = instant()});
    fields.push_back({.name = "updated_by", .type = id().or_null()});
    fields.push_back(who("updated_by_name"));
    return object(component_of(kind), Schema(std::move(fields)));
}

api::Type tree_answer_of(const Kind& kind) {
    api::Type type = answer_of(kind);
    for (auto level = std::int64_t{0}; level <= deepest_level; ++level) {
        const auto below = level == 0 ? api::object({{.name = "id", .type = api::id()}}) : type;
        type = api::object(
            component_of(kind) + "Tree" + (level < deepest_level ? std::to_string(level) : std::string()),
            answer_of(kind).members->plus(
                {{.name = "subcategories", .type = api::list(below, 100'000), .says = "Only if requested."}}));
    }
    return type;
}

api::Type deleted_answer() { return api::deleted(); }

api::Type counts_answer() {
    using namespace api;
    using api::text;
    return object("StatusCounts", {{.name = "all", .type = integer(0), .says = "Excludes the trash."},
                                   {.name = "publish", .type = integer(0)},
                                   {.name = "draft", .type = integer(0)},
                                   {.name = "trash", .type = integer(0)}});
}

api::Schema bulk_fields() {
    using namespace api;
    using api::text;
    return {{.name = "action",
             .type = choice({"trash", "publish", "draft", "restore", "delete"}),
             .says = "restore publishes.",
             .required = true},
            bulk_ids_field()};
}

api::Type bulk_answer() {
    using namespace api;
    using api::text;
    return object("ClassificationBulk",
                  {{.name = "action", .type = text(20)},
                   {.name = "affected", .type = integer(0)},
                   {.name = "failed", .type = integer(0)},
                   {.name = "results",
                    .type = list(object("ClassificationBulkResult", {{.name = "id", .type = id()},
                                                                     {.name = "ok", .type = boolean()},
                                                                     {.name = "code", .type = text(100)},
                                                                     {.name = "error", .type = text(500)}}))}});
}

}  // namespace svc::catalog::classifications
