// The rules of classifications.
#include "base/catalog/classifications/service.hpp"

#include "base/catalog/classifications/repository.hpp"
#include "base/catalog/classifications/tree.hpp"
#include "base/platform/html/html.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/slug.hpp"

namespace svc::catalog::classifications {
namespace {

using json::Value;

constexpr int most_named = 20;
constexpr int most_tries = 5;  // two writers may choose the same free slug; the one that loses chooses again

Error still_used(const Kind& kind, const facts::Users& users) {
    Error error{errc::in_use, "The {one} is still in use."_sentence.with("one", Sentence::of(kind.one))};
    error.with("used_by", users.to_json().dump());
    return error;
}

bool is_address(const std::string& text) {
    return text.starts_with("https://") || text.starts_with("http://") ||
           (text.starts_with("/") && !text.starts_with("//"));
}

// Rejects icons with active content, since pages put them into an attribute or an <img>.
void check_icon(const Value& icon, Faults& faults) {
    if (icon.is_null())
        return;
    const std::string value = icon.text_or("value");
    if (icon.text_or("type") == "image" ? !is_address(value) : value.find_first_of("<>\"'&") != value.npos)
        faults.at("icon.value", "Enter the name of an icon or the address of a picture."_sentence);
}

void take_slug(const Classification* before, Classification& after, const Value& body, Faults& faults) {
    const auto preserve = body.maybe_boolean("preserve_slug");
    const bool keep = before && preserve.value_or(false);
    const bool anew = !before || (preserve && !*preserve && body.find("name"));
    const std::string sent = body.text_or("slug");
    after.has_slug = !keep && !sent.empty();
    if (keep)
        after.slug = before->slug;
    else if (after.has_slug && (after.slug = text::slug_of(sent, text::longest_slug)).empty())
        faults.at("slug", "A slug needs letters or digits."_sentence);
    else if (!after.has_slug && (anew || body.find("slug")))
        after.slug = text::slug_of(after.name, text::longest_slug);
    if (after.slug.empty())
        after.slug = std::string(name_of(after.type));
}

void adjust(const Kind& kind, const Classification* before, Classification& after, const Value& body, Currency site,
            Faults& faults) {
    if (body.find("description"))
        after.description = html::clean_html(after.description);
    take_slug(before, after, body, faults);
    auto sent = Value::object();
    for (const api::Field& field : kind.own.fields()) {
        if (const Value* own = body.find(field.name))
            sent.set(field.name, *own);
        else if (!before && field.otherwise)
            after.details.set(field.name, *field.otherwise);
    }
    Faults own;
    if (kind.rule)
        kind.rule(after.details, sent, site, own);
    after.rule_faults = own.none() ? std::vector<FieldError>() : own.error().fields();
}

api::Schema filters_of(const Kind& kind) {
    std::vector<api::Field> fields;
    if (kind.tree) {
        fields.push_back({.name = "hierarchical",
                          .type = api::boolean(),
                          .help = "Page over the top level; each item contains its descendants as subcategories."});
        fields.push_back({.name = "parent_id",
                          .type = api::integer(0).referring_to("."),
                          .help = "Only direct children of this one; 0: only top-level ones."});
    }
    if (kind.type == Type::item)
        fields.push_back({.name = "type_id", .type = api::text(20), .help = "Only items of this type; all: any type."});
    if (kind.type == Type::attribute) {
        fields.push_back(*kind.own.find("field_type"));
        fields.back().otherwise.reset();
        for (const char* flag : {"show_on_frontend", "show_in_filters"})
            fields.push_back(
                {.name = flag, .type = api::boolean(), .help = "true: only those; false: only the others."});
    }
    return api::Schema(std::move(fields));
}

void check(const Kind& kind, const Classification& one, Faults& faults) {
    if (one.name.empty())
        faults.at("name", "This field is required."_sentence);
    if (!one.color.empty() && kind.type != Type::item_type && !ascii::is_color(one.color))
        faults.at("color", "This must be a color of the form #rrggbb."_sentence);
    check_icon(one.icon, faults);
}

}  // namespace

Service::OfKind::OfKind(const Service& service, const Kind& kind)
    : record(make_record(kind,
                         [&service](store::Session& session, const std::vector<record::Any>& records) {
                             service.read_more(session, records);
                         })),
      resource(*record, service.options(kind), service.rules(kind)) {}

Service::Service(const Parts& parts)
    : store_(parts.store),
      settings_(parts.settings),
      clock_(parts.clock),
      picture_url_(parts.picture_url),
      places_(parts.places) {
    for (const Kind& kind : kinds())
        kinds_.push_back(std::make_unique<const OfKind>(*this, kind));
}

resource::Options Service::options(const Kind& kind) const {
    using Does = resource::BulkAction::Does;
    const auto may_write = api::Permission::any_of(kind.writers);
    return {.store = store_,
            .path = kind.path,
            .one = kind.one,
            .many = kind.many,
            .reads = api::Permission::any_of({"svc_view_trips", "svc_edit_trips", "svc_manage_trip_taxonomies"}),
            .writes = may_write,
            .removes = may_write,
            .filters = filters_of(kind),
            .ascending = kind.ascending,
            .bulk = {{.name = "trash", .status = "trash"},
                     {.name = "publish", .status = "publish"},
                     {.name = "draft", .status = "draft"},
                     {.name = "restore", .status = "publish"},
                     {.name = "delete", .does = Does::remove}},
            .deletes_at_once = true,
            .zone = [this] { return settings_.zone(); },
            .note_change = [](store::Transaction& tx) { store::touch(tx, channel); },
            .written = [this] { changed(); },
            .tries = most_tries};
}

resource::Rules<Classification> Service::rules(const Kind& kind) const {
    return {
        .prepare =
            [&kind](const Classification* before, Classification& after, Value&, Faults&) {
                after.type = kind.type;
                if (!before)
                    after.status = kind.initial;
            },
        .adjust = [this, &kind](const Classification* before, Classification& after, const Value& body,
                                Faults& faults) { adjust(kind, before, after, body, settings_.currency(), faults); },
        .check = [&kind](const Classification*, const Classification& after,
                         Faults& faults) { classifications::check(kind, after, faults); },
        .settle = [this, &kind](store::Transaction& tx, const Classification* before, Classification* after,
                                const Value& body) { return settle(tx, kind, before, after, body); },
        .check_stored = [this](store::Session& session, const Classification* before, const Classification& after,
                               Faults& faults) { check_stored(session, before, after, faults); },
        .may_delete = [this, &kind](store::Session& session, const Classification& one,
                                    bool) { return may_delete(session, kind, one); },
        .after_write = [this, &kind](
                           store::Transaction& tx, const Classification* before, const Classification* after,
                           const record::Writer& writer) { after_write(tx, kind.type, before, after, writer.now); }};
}

void Service::read_more(store::Session& session, const std::vector<record::Any>& records) const {
    rows::read_galleries(session, records);
    for (const record::Any& each : records) {
        auto& one = *static_cast<Classification*>(each.get());
        if (one.featured_image_id && picture_url_)
            one.featured_image_url = picture_url_(*one.featured_image_id);
        if (kind_of(one.type).has_page && places_) {
            Places places = places_(one.type, one.id, one.slug);
            one.permalink = std::move(places.page);
            one.listing_url = std::move(places.listing);
        }
    }
}

void Service::check_stored(store::Session& session, const Classification* before, const Classification& after,
                           Faults& faults) const {
    if (after.item_type_id && (!before || before->item_type_id != after.item_type_id) &&
        !has(session, Type::item_type, *after.item_type_id))
        faults.at("type_id", "There is no such item type."_sentence);
    if (after.featured_image_id && (!before || before->featured_image_id != after.featured_image_id) &&
        !rows::has_picture(session, *after.featured_image_id))
        faults.at("featured_image", "There is no such picture."_sentence);
    for (std::size_t i = 0; i < after.gallery.size() && (!before || before->gallery != after.gallery); ++i)
        if (!rows::has_picture(session, after.gallery[i]))
            faults.at("gallery." + std::to_string(i + 1), "There is no such picture."_sentence);
    for (const FieldError& fault : after.rule_faults)
        faults.at(fault.field, fault.sentence);
    for (const Check& check : checks_)
        if (auto fine = check(session, before, after); !fine && fine.error().code().name == errc::validation_error.name)
            for (const FieldError& fault : fine.error().fields())
                faults.at(fault.field, fault.sentence);
}

Result<void> Service::settle(store::Transaction& tx, const Kind& kind, const Classification* before,
                             Classification* after, const Value& body) const {
    if (!after) {
        changing(tx, std::span(&before->id, 1));
        for (const Follower& follower : followers_)
            if (follower.removing)
                follower.removing(tx, kind.type, before->id);
        return {};
    }
    if (!before && rows::number_of(tx, kind.type) >= kind.most)
        return Error{errc::conflict,
                     "There are {most} {many} already, and no more can be kept."_sentence.with("most", kind.most)
                         .with("many", Sentence::of(kind.many))};
    if (!before && kind.type == Type::attribute && !body.find(kind.order_member))
        after->sort_order = rows::highest_order(tx, kind.type) + 1;
    if (after->has_slug && rows::slug_exists(tx, kind.type, after->slug, after->id))
        return Error{errc::conflict, "This slug is taken."_sentence}.at("slug", "This slug is taken."_sentence);
    if (!after->has_slug && (!before || before->slug != after->slug))
        after->slug = rows::free_slug(tx, kind.type, after->slug, after->id);
    if (after->parent_id != (before ? before->parent_id : std::nullopt))
        SVC_RETURN_IF_ERROR(place(tx, *after));
    for (const Check& check : checks_)
        SVC_RETURN_IF_ERROR(check(tx, before, *after));
    if (before)
        changing(tx, branch(tx, before->id));  // trips also show the ancestors of their categories
    return {};
}

// An attribute cannot be deleted while trips have values for it.
Result<void> Service::may_delete(store::Session& session, const Kind& kind, const Classification& one) const {
    if (kind.type == Type::attribute)
        return {};
    const auto users = rows::users_of(session, one, most_named);
    return users.total > 0 ? Result<void>{still_used(kind, users)} : Result<void>{};
}

void Service::after_write(store::Transaction& tx, Type type, const Classification* before, const Classification* after,
                          Instant now) const {
    if (!after)
        return written(tx, Written::removed, type, std::span(&before->id, 1));
    if (!before || before->gallery != after->gallery)
        rows::write_gallery(tx, *after);
    const bool trashed = before && after->status == Status::trash && before->status != Status::trash;
    if (before && after->item_type_id && after->item_type_id != before->item_type_id)
        rows::move_entries(tx, after->id, *after->item_type_id, now);
    written(tx, !before ? Written::created : trashed ? Written::trashed : Written::updated, type, {&after->id, 1});
    for (const Follower& follower : followers_)
        if (follower.replaced && before)
            follower.replaced(tx, *before, *after);
}

void Service::changing(store::Transaction& tx, std::span<const std::int64_t> ids) const {
    for (const Follower& follower : followers_)
        if (follower.changing)
            follower.changing(tx, ids);
}

void Service::written(store::Transaction& tx, Written what, Type type, std::span<const std::int64_t> ids) const {
    for (const Follower& follower : followers_)
        if (follower.written)
            follower.written(tx, what, type, ids);
}

void Service::changed() const {
    for (const Follower& follower : followers_)
        if (follower.changed)
            follower.changed();
}

std::optional<Classification> Service::read(store::Session& session, Type type, std::int64_t id) const {
    return of(type).record->find(session, id);
}

bool Service::has(store::Session& session, Type type, std::int64_t id) {
    return rows::place_of(session, type, id).has_value();
}

std::vector<Classification> Service::list(Type type, const record::Query& query) const {
    return store_.reading<std::vector<Classification>>(
        [&](store::Session& session) { return of(type).record->list(session, query); });
}

std::vector<std::pair<std::int64_t, std::string>> Service::names(Type type, int most) const {
    return store_.reading<std::vector<std::pair<std::int64_t, std::string>>>(
        [&](store::Session& session) { return rows::names(session, type, most); });
}

std::pair<bool, std::string> Service::look_at_slug(Type type, const std::string& slug, std::int64_t own) const {
    return store_.reading<std::pair<bool, std::string>>([&](store::Session& session) {
        return std::pair(rows::slug_exists(session, type, slug, own), rows::free_slug(session, type, slug, own));
    });
}

Result<Classification> Service::create(store::Transaction& tx, Type type, const Value& body) const {
    return resource(type).create(tx, {}, body, {.now = clock_.now()});
}

Result<void> Service::remove(Type type, std::int64_t id) const {
    auto deleted = store_.write(
        [&](store::Transaction& tx) { return resource(type).engine().remove(tx, id, {}, {.now = clock_.now()}); });
    if (deleted)
        changed();
    return deleted;
}

std::int64_t Service::reorder(Type type, const std::vector<std::pair<std::int64_t, std::int64_t>>& orders) const {
    auto set = store_.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        std::vector<std::int64_t> ids;
        ids.reserve(orders.size());
        for (const auto& [id, order] : orders)
            ids.push_back(id);
        changing(tx, ids);
        ids.clear();
        for (const auto& [id, order] : orders)
            if (of(type).record->set_place(tx, id, order, clock_.now()))
                ids.push_back(id);
        if (!ids.empty())
            written(tx, Written::reordered, type, ids);
        store::touch(tx, channel);
        return static_cast<std::int64_t>(ids.size());
    });
    changed();
    return set.value();
}

}  // namespace svc::catalog::classifications
