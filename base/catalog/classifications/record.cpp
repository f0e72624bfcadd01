// Declares the record of each kind: the common fields, the fields of its declaration, and fields of single kinds.
#include "base/catalog/classifications/record.hpp"

#include "shared/api/named.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::classifications {
namespace {

using json::Value;
using C = Classification;
using Fields = std::vector<record::Entry<C>>;

constexpr std::size_t most_pictures = 50;

Value or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

api::Schema metadata_members() {
    return {{.name = "seo_title", .type = api::text(255)},
            {.name = "seo_description", .type = api::text(1000)},
            {.name = "seo_keywords", .type = api::text(1000)}};
}

api::Type icon_type() {
    return api::object("Icon", {{.name = "type", .type = api::choice({"icon", "image", "emoji"}), .required = true},
                                {.name = "provider", .type = api::text(50).or_null()},
                                {.name = "value", .type = api::text(500), .required = true}})
        .or_null();
}

// An icon is stored as JSON, none as the empty text.
std::string icon_text(const C& c) { return c.icon.is_null() ? std::string() : c.icon.dump(); }
Value icon_of(const std::string& text) {
    auto icon = text.empty() ? Result<Value>(Value()) : json::parse(text);
    if (icon && icon->is_object() && !icon->find("provider"))
        icon->set("provider", Value());
    return icon ? std::move(*icon) : Value();
}
void set_icon(C& c, std::string text) { c.icon = icon_of(text); }
std::string parent_icon_text(const C&) { return {}; }
void set_parent_icon(C& c, std::string text) { c.parent_icon = icon_of(text); }

// Copies of an attribute's details that lists are narrowed by.
std::string field_type_of(const C& c) {
    return c.type == Type::attribute ? c.details.text_or("field_type", "text_field") : std::string();
}
bool is_shown(const C& c) {
    return c.type == Type::attribute && c.details.maybe_boolean("show_on_frontend").value_or(true);
}
bool is_in_filters(const C& c) {
    return c.type == Type::attribute && c.details.maybe_boolean("show_in_filters").value_or(false);
}
void leave_text(C&, std::string) {}
void leave_flag(C&, bool) {}

// Counts the displayed uses of a classification: trips by link, difficulty or price.
std::string uses_of(Type type) {
    switch (type) {
        case Type::item:
            return "(SELECT COUNT(*) FROM svc_itinerary_entries e WHERE e.item_id = r.id)";
        case Type::difficulty:
            return "(SELECT COUNT(*) FROM svc_trips t WHERE t.difficulty_level_id = r.id AND t.status = 'publish')";
        case Type::item_type:
            return "(SELECT COUNT(*) FROM svc_classifications i WHERE i.item_type_id = r.id AND i.status <> 'trash')";
        case Type::traveler_type:
            return "(SELECT COUNT(*) FROM svc_trip_price_types p JOIN svc_trips t ON t.id = p.trip_id"
                   " WHERE t.status = 'publish' AND p.category_id = r.id)";
        default:
            return "(SELECT COUNT(*) FROM svc_trip_classifications l JOIN svc_trips t ON t.id = l.trip_id"
                   " WHERE t.status = 'publish' AND l.classification_id = r.id AND l.is_active = 1)";
    }
}

void add_names(const Kind& kind, Fields& fields) {
    using namespace record;
    fields.push_back(id(&C::id));
    fields.push_back(column("name", &C::name, api::text(255, kind.plain ? 0 : 2),
                            by_client | required | searched | also(kind.also_called), "The name."));
    fields.push_back(stored_text<C>("name_folded", [](const C& c) { return text::folded(c.name); }));
    fields.push_back(stored_text<C>("type", [](const C& c) { return std::string(name_of(c.type)); }));
    if (kind.type == Type::traveler_type)
        fields.push_back(computed<C>(
            "label", api::text(255), [](const C& c) { return Value(c.name); }, {}, {}, "The name."));
    fields.push_back(column(
        "slug", &C::slug, api::text(220), by_client | searched,
        "The last part of the page's address; generated from the name when absent. A slug in use is svc_conflict."));
    fields.push_back(computed<C>(
        "preserve_slug", api::boolean().or_null(), {}, [](C&, const Value&, Faults&) {}, by_client_on_update,
        "true keeps the slug; false generates one from a new name."));
    fields.push_back(column("description", &C::description, api::html(64 * 1024), by_client | searched,
                            "HTML; markup that is not allowed is removed."));
}

void add_looks(const Kind& kind, Fields& fields) {
    using namespace record;
    const bool words = kind.type == Type::item_type;
    fields.push_back(computed<C>(
        "icon", icon_type(), [](const C& c) { return c.icon; },
        [](C& c, const Value& given, Faults&) { c.icon = given; }, by_client));
    fields.push_back(
        converted<C, std::string>("icon_text", icon_text, set_icon, api::text(1000), hidden | stored_as("icon")));
    fields.push_back(computed<C>(
        "color",
        words ? api::choice({"blue", "green", "purple", "orange", "red", "yellow", "gray"}) : api::text(7).or_null(),
        [words](const C& c) { return words && c.color.empty() ? Value("blue") : or_null(c.color); },
        [](C& c, const Value& given, Faults&) { c.color = given.is_null() ? std::string() : given.text(); }, by_client,
        words ? "blue unless given." : "#rrggbb."));
    fields.push_back(column("color_text", &C::color, api::text(7), hidden | stored_as("color")));
    fields.push_back(
        column(kind.order_member, &C::sort_order, api::integer(0, 1'000'000'000),
               by_client | stored_as("sort_order") |
                   also(kind.order_member == "sorting" ? std::vector<std::string>{"sort_order"}
                                                       : std::vector<std::string>{"sorting", "sort_order"}),
               "The position in lists."));
    fields.push_back(choice("status", &C::status, statuses, by_client));
    fields.push_back(
        column("featured_image", &C::featured_image_id, api::id(),
               by_client | stored_as("featured_image_id") | also({"featured_image_id", "image_id", "image"}),
               "A picture of /media."));
    fields.push_back(computed<C>("featured_image_url", api::text(2000).or_null(),
                                 [](const C& c) { return Value(c.featured_image_url); }));
    if (kind.has_page) {
        fields.push_back(computed<C>(
            "permalink", api::text(2000), [](const C& c) { return Value(c.permalink); }, {}, {},
            "The address of the page."));
        fields.push_back(computed<C>(
            "listing_url", api::text(2000), [](const C& c) { return Value(c.listing_url); }, {}, {},
            "The address of the list of its trips."));
    }
    fields.push_back(computed<C>(
        "gallery", api::list(api::id(), most_pictures),
        [](const C& c) { return Value(json::Array(c.gallery.begin(), c.gallery.end())); },
        [](C& c, const Value& given, Faults&) {
            c.gallery.clear();
            if (given.is_array())
                for (const Value& picture : given.items())
                    c.gallery.push_back(picture.integer());
        },
        by_client, "More pictures, in order."));
}

void add_page_texts(const Kind& kind, Fields& fields) {
    using namespace record;
    fields.push_back(column("is_featured", &C::is_featured, api::boolean(), kind.plain ? hidden : by_client));
    if (!kind.plain)
        fields.push_back(computed<C>(
            "metadata", api::object("SeoTexts", metadata_members()),
            [](const C& c) {
                return Value::object({{"seo_title", c.seo_title},
                                      {"seo_description", c.seo_description},
                                      {"seo_keywords", c.seo_keywords}});
            },
            [](C& c, const Value& given, Faults&) {
                c.seo_title = given.text_or("seo_title");
                c.seo_description = given.text_or("seo_description");
                c.seo_keywords = given.text_or("seo_keywords");
            },
            by_client, "Further data for the page."));
    fields.push_back(column("seo_title", &C::seo_title, api::text(255), hidden));
    fields.push_back(column("seo_description", &C::seo_description, api::text(1000), hidden));
    fields.push_back(column("seo_keywords", &C::seo_keywords, api::text(1000), hidden));
}

// Its parent: another one of its kind, or an item type.
void add_place(const Kind& kind, Fields& fields) {
    using namespace record;
    const bool is_item = kind.type == Type::item;
    if (kind.tree)
        fields.push_back(computed<C>(
            "parent_id", api::id().referring_to(".").or_null(), [](const C& c) { return Value(c.parent_id); },
            [](C& c, const Value& given, Faults&) {
                c.parent_id = given.is_null() || given.integer() == 0 ? std::nullopt : std::optional(given.integer());
            },
            by_client, "The parent's id, at most five levels deep; 0 or empty: none."));
    fields.push_back(column("parent", &C::parent_id, api::id(), hidden | stored_as("parent_id")));
    fields.push_back(
        column("level", &C::level, api::integer(0, deepest_level), kind.tree ? by_server : hidden, "0 is the top."));
    fields.push_back(column("type_id", &C::item_type_id, api::id(),
                            stored_as("item_type_id") | (is_item ? by_client | required : hidden), "The item type."));
    if (kind.tree || is_item)
        fields.push_back(derived(kind.tree ? "parent_name" : "type_name", &C::parent_name, "above.name", api::text(255),
                                 {}, null_if_empty));
    if (!is_item)
        return;
    fields.push_back(computed<C>("type_icon", icon_type(), [](const C& c) { return c.parent_icon; }));
    fields.push_back(from("above.icon", converted<C, std::string>("type_icon_text", parent_icon_text, set_parent_icon,
                                                                  api::text(1000), hidden | null_if_empty)));
    fields.push_back(computed<C>(
        "currency", api::text(3).or_null(), [](const C& c) { return Value(c.details.maybe_text("currency")); }, {}, {},
        "Of default_cost."));
}

// Fields that only this kind has are stored in its details; null removes one.
void add_own(const Kind& kind, Fields& fields) {
    using namespace record;
    for (const api::Field& field : kind.own.fields())
        fields.push_back(computed<C>(
            field.name, field.type.or_null(),
            [name = field.name, otherwise = field.otherwise](const C& c) {
                const Value* stored = c.details.find(name);
                return stored ? *stored : otherwise.value_or(Value());
            },
            [name = field.name](C& c, const Value& given, Faults&) {
                if (given.is_null())
                    c.details.erase(name);
                else
                    c.details.set(name, given);
            },
            by_client | also(field.also) | (field.required ? required : Mark{}), field.help));
    fields.push_back(column("details", &C::details, api::map(api::anything()), hidden));
    fields.push_back(converted<C, std::string>("field_type_column", field_type_of, leave_text, api::text(20),
                                               hidden | stored_as("field_type")));
    fields.push_back(converted<C, bool>("shown_column", is_shown, leave_flag, api::boolean(),
                                        hidden | stored_as("show_on_frontend")));
    fields.push_back(converted<C, bool>("filters_column", is_in_filters, leave_flag, api::boolean(),
                                        hidden | stored_as("show_in_filters")));
    fields.push_back(derived(kind.uses_member, &C::uses, uses_of(kind.type), api::integer(0),
                             kind.uses_member == "trip_count" ? "Published trips." : ""));
}

record::Sort sort_by(const std::string& key, const Kind& kind) {
    if (key == "name")
        return {key, {"r.name_folded"}};
    if (key == "sorting" || key == "display_order")
        return {key, {"r.sort_order"}};
    if (key == kind.uses_member)
        return {key, {uses_of(kind.type)}};
    return {key, {"r." + key}};
}

std::vector<record::Condition> conditions_of(const Kind& kind) {
    if (kind.tree)
        return {{"parent_id", "COALESCE(r.parent_id, 0) = :parent_id"}, {"below", "r.level > :below"}};
    if (kind.type == Type::item)
        return {{"type_id", "r.item_type_id = :type_id"}};
    if (kind.type == Type::attribute)
        return {{"field_type", "r.field_type = :field_type"},
                {"show_on_frontend", "r.show_on_frontend = :show_on_frontend"},
                {"show_in_filters", "r.show_in_filters = :show_in_filters"}};
    return {};
}

}  // namespace

std::string component_of(const Kind& kind) {
    std::string name;
    bool starts = true;
    for (const char c : kind.one) {
        if (c != ' ')
            name += starts && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        starts = c == ' ';
    }
    return name;
}

std::unique_ptr<Record> make_record(const Kind& kind, ReadMore read_more) {
    Fields fields;
    add_names(kind, fields);
    add_looks(kind, fields);
    add_page_texts(kind, fields);
    add_place(kind, fields);
    add_own(kind, fields);
    for (auto& entry : {record::row_version<C>(), record::timestamps<C>(), record::authors<C>()})
        fields.push_back(entry);
    record::Layout layout{.table = "svc_classifications",
                          .component = component_of(kind),
                          .where = "r.type = '" + std::string(name_of(kind.type)) + "'",
                          .search_column = "search_text",
                          .conditions = conditions_of(kind),
                          .read_more = [type = kind.type, read_more = std::move(read_more)](
                                           store::Session& session, const std::vector<record::Any>& records) {
                              for (const record::Any& each : records)
                                  static_cast<C*>(each.get())->type = type;
                              if (read_more)
                                  read_more(session, records);
                          }};
    if (kind.tree || kind.type == Type::item)
        layout.joins = "LEFT JOIN svc_classifications above ON above.id = COALESCE(r.parent_id, r.item_type_id)";
    for (const std::string& key : kind.sortable)
        layout.sorts.push_back(sort_by(key, kind));
    layout.place = kind.order_member;
    return std::make_unique<Record>(std::move(layout), fields);
}

const Record& record_of(Type type) {
    static const auto records = [] {
        std::vector<std::unique_ptr<Record>> all;
        for (const Kind& kind : kinds())
            all.push_back(make_record(kind));
        return all;
    }();
    return *records.at(static_cast<std::size_t>(type));
}

api::Schema with_written_forms(const Kind& kind, const api::Schema& schema) {
    return schema
        .changed([&](api::Field& field) {
            if (const api::Field* own = kind.own.find(field.name))
                field.type = own->type;
            else if (field.name == "slug")
                field.type = api::text(200);
            else if (field.name == "description")
                field.type = api::html(5000).or_null();
            else if (field.name == "parent_id")
                field.type = api::integer(0).referring_to(".").or_null();
            else if (field.name == "type_id")
                field.type = api::id();
            else if (field.name == "gallery" || field.name == "metadata")
                field.type = field.type.or_null();
        })
        .named(schema.name());
}

}  // namespace svc::catalog::classifications
