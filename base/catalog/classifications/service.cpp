// Writes of classifications.
#include "base/catalog/classifications/service.hpp"

#include "base/catalog/classifications/repository.hpp"
#include "base/catalog/classifications/tree.hpp"
#include "base/platform/html/html.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/slug.hpp"

namespace svc::catalog::classifications {
namespace {

constexpr int most_named = 20;

Error not_there(const Kind& kind) { return {errc::not_found, "This " + kind.one + " does not exist."}; }
Error changed_meanwhile(const Kind& kind) {
    return {errc::conflict, "The " + kind.one + " was changed in the meantime. Reload it and try again."};
}

Error still_used(const Kind& kind, const Users& users) {
    auto named = json::Value::array();
    for (const auto& user : users.first)
        named.push(json::Value::object({{"type", user.type}, {"id", user.id}, {"title", user.title}}));
    Error error{errc::in_use, "The " + kind.one + " is still in use."};
    error.with("used_by", json::Value::object({{"total", users.total}, {"items", std::move(named)}}).dump());
    return error;
}

template <class T>
void take(T& field, const std::optional<T>& sent) {
    if (sent)
        field = *sent;
}

bool is_color(const std::string& text) {
    return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

bool is_address(const std::string& text) {
    return text.starts_with("https://") || text.starts_with("http://") ||
           (text.starts_with("/") && !text.starts_with("//"));
}

// What a page puts into an attribute or an <img>: nothing that runs.
void check_icon(const json::Value& icon, Faults& faults) {
    if (icon.is_null())
        return;
    const std::string value = icon.text_or("value");
    if (icon.text_or("type") == "image" ? !is_address(value) : value.find_first_of("<>\"'&") != value.npos)
        faults.at("icon.value", "Enter the name of an icon or the address of a picture.");
}

void take_slug(Classification& row, const Change& change, bool fresh, bool& wished, Faults& faults) {
    const bool keep = !fresh && change.preserve_slug.value_or(false);
    const bool anew = fresh || (change.preserve_slug && !*change.preserve_slug && change.name);
    wished = !keep && change.slug && !change.slug->empty();
    if (wished) {
        row.slug = text::slug_of(*change.slug, text::longest_slug);
        if (row.slug.empty())
            faults.at("slug", "A slug must contain letters or digits.");
    } else if (!keep && (anew || change.slug)) {
        row.slug = text::slug_of(row.name, text::longest_slug);
        if (row.slug.empty())
            row.slug = std::string(name_of(row.type));
    }
}

void take_pictures(store::Session& session, Classification& row, const Change& change, Faults& faults) {
    if (change.featured_image) {
        row.featured_image_id = *change.featured_image;
        if (row.featured_image_id && !rows::has_picture(session, *row.featured_image_id))
            faults.at("featured_image", "This picture does not exist.");
    }
    if (!change.gallery)
        return;
    row.gallery = *change.gallery;
    for (std::size_t i = 0; i < row.gallery.size(); ++i)
        if (!rows::has_picture(session, row.gallery[i]))
            faults.at("gallery." + std::to_string(i + 1), "This picture does not exist.");
}

void take_own(const Kind& kind, Classification& row, const Change& change, bool fresh, Currency site, Faults& faults) {
    for (const api::Field& field : kind.own.fields()) {
        if (const auto* sent = change.own.find(field.name); sent && !sent->is_null())
            row.details.set(field.name, *sent);
        else if (sent)
            row.details.erase(field.name);
        else if (fresh && field.otherwise)
            row.details.set(field.name, *field.otherwise);
    }
    if (kind.rule)
        kind.rule(row.details, change.own, site, faults);
}

}  // namespace

Result<Classification> Service::applied(store::Session& session, Classification row, const Change& change,
                                        bool fresh) const {
    const Kind& kind = kind_of(row.type);
    Faults faults;
    take(row.name, change.name);
    if (row.name.empty())
        faults.at("name", "This field is required.");
    if (change.description)
        row.description = html::clean_html(*change.description);
    if (change.color) {
        row.color = *change.color;
        if (!row.color.empty() && kind.type != Type::item_type && !is_color(row.color))
            faults.at("color", "This must be a color of the form #rrggbb.");
    }
    if (change.icon) {
        row.icon = *change.icon;
        check_icon(row.icon, faults);
    }
    take(row.seo_title, change.seo_title);
    take(row.seo_description, change.seo_description);
    take(row.seo_keywords, change.seo_keywords);
    take(row.sort_order, change.sort_order);
    take(row.is_featured, change.is_featured);
    if (change.status)
        row.status = status_of(*change.status).value();
    if (change.parent_id)
        row.parent_id = *change.parent_id;
    if (change.item_type_id) {
        row.item_type_id = change.item_type_id;
        if (!rows::find(session, Type::item_type, *change.item_type_id))
            faults.at("type_id", "This item type does not exist.");
    }
    take_pictures(session, row, change, faults);
    bool wished = false;
    take_slug(row, change, fresh, wished, faults);
    take_own(kind, row, change, fresh, settings_.currency(), faults);
    if (!faults.none())
        return faults.error();
    if (wished && rows::slug_taken(session, row.type, row.slug, row.id)) {
        Error taken{errc::conflict, "This slug is already in use."};
        taken.at("slug", "This slug is already in use.");
        return taken;
    }
    if (!wished)
        row.slug = rows::free_slug(session, row.type, row.slug, row.id);
    return row;
}

Result<void> Service::checked(store::Session& session, const Classification* before, const Classification& row) const {
    for (const Check& check : checks_)
        if (auto fine = check(session, before, row); !fine)
            return fine;
    return {};
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

std::vector<Record> Service::whole(store::Session& session, std::vector<Record> records) const {
    rows::read_galleries(session, records);
    for (Record& record : records) {
        if (record.featured_image_id && picture_url_)
            record.featured_image_url = picture_url_(*record.featured_image_id);
        if (kind_of(record.type).has_page && places_) {
            Places places = places_(record.type, record.id, record.slug);
            record.permalink = std::move(places.page);
            record.listing_url = std::move(places.listing);
        }
    }
    return records;
}

std::optional<Record> Service::read(store::Session& session, Type type, std::int64_t id) const {
    auto found = rows::find(session, type, id);
    if (!found)
        return found;
    std::vector<Record> one;
    one.push_back(std::move(*found));
    return std::move(whole(session, std::move(one)).front());
}

Result<Record> Service::find(Type type, std::int64_t id) const {
    return store_.reading<Result<Record>>([&](store::Session& session) -> Result<Record> {
        auto found = read(session, type, id);
        if (!found)
            return not_there(kind_of(type));
        return std::move(*found);
    });
}

Service::Listed Service::list(const Query& query, bool with_below) const {
    return store_.reading<Listed>([&](store::Session& session) {
        return Listed{whole(session, rows::list(session, query)), rows::count(session, query),
                      with_below ? whole(session, rows::below(session, query)) : std::vector<Record>{}};
    });
}

Counts Service::counts(Type type) const {
    return store_.reading<Counts>([&](store::Session& session) { return rows::counts(session, type); });
}

std::vector<std::pair<std::int64_t, std::string>> Service::names(Type type, int most) const {
    return store_.reading<std::vector<std::pair<std::int64_t, std::string>>>(
        [&](store::Session& session) { return rows::names(session, type, most); });
}

std::pair<bool, std::string> Service::look_at_slug(Type type, const std::string& slug, std::int64_t own) const {
    return store_.reading<std::pair<bool, std::string>>([&](store::Session& session) {
        return std::pair(rows::slug_taken(session, type, slug, own), rows::free_slug(session, type, slug, own));
    });
}

// Two writers may choose the same free slug; the one that loses chooses again.
template <class Work>
Result<Record> Service::writing(Work work, const Kept& kept) {
    constexpr int most_tries = 5;
    for (int tries = 1;; ++tries) {
        try {
            auto written = store_.transact<Record>([&](store::Transaction& tx) -> Result<Record> {
                Result<Record> record = work(tx);
                if (record && kept)
                    kept(tx, *record);
                return record;
            });
            if (written)
                changed();
            return written;
        } catch (const store::UniqueViolation&) {
            if (tries == most_tries)
                throw;
        }
    }
}

Result<Record> Service::create(Type type, const Change& change, User user, const Kept& kept) {
    return writing([&](store::Transaction& tx) { return create(tx, type, change, user); }, kept);
}

Result<Record> Service::create(store::Transaction& tx, Type type, const Change& change, User user) {
    const Kind& kind = kind_of(type);
    if (rows::number_of(tx, type) >= kind.most)
        return Error{errc::conflict,
                     "There can be at most " + std::to_string(kind.most) + " " + kind.many + ". Delete some first."};
    Classification empty;
    empty.type = type;
    empty.status = kind.fresh;
    empty.created_at = empty.updated_at = clock_.now();
    empty.created_by = empty.updated_by = user;
    if (type == Type::attribute && !change.sort_order)
        empty.sort_order = rows::highest_order(tx, type) + 1;
    auto row = applied(tx, std::move(empty), change, true);
    if (!row)
        return row.error();
    if (row->parent_id)
        if (auto placed = place(tx, *row); !placed)
            return placed.error();
    if (auto fine = checked(tx, nullptr, *row); !fine)
        return fine.error();
    const auto id = rows::insert(tx, *row);
    written(tx, Written::created, type, std::span(&id, 1));
    store::touch(tx, channel);
    return read(tx, type, id).value();
}

Result<Record> Service::update(Type type, std::int64_t id, const Change& change, User user, const Kept& kept) {
    return writing([&](store::Transaction& tx) { return update(tx, type, id, change, user); }, kept);
}

Result<Record> Service::update(store::Transaction& tx, Type type, std::int64_t id, const Change& change, User user) {
    const Kind& kind = kind_of(type);
    rows::lock(tx, id);
    const auto before = read(tx, type, id);
    if (!before)
        return not_there(kind);
    if (change.row_version && *change.row_version != before->row_version)
        return changed_meanwhile(kind);
    auto row = applied(tx, *before, change, false);
    if (!row)
        return row.error();
    if (row->parent_id != before->parent_id)
        if (auto placed = place(tx, *row); !placed)
            return placed.error();
    if (auto fine = checked(tx, &*before, *row); !fine)
        return fine.error();
    row->updated_at = clock_.now();
    row->updated_by = user;
    changing(tx, branch(tx, id));  // trips show what lies above their categories too
    if (!rows::update(tx, *row))
        return changed_meanwhile(kind);
    if (row->item_type_id && row->item_type_id != before->item_type_id)
        rows::move_entries(tx, id, *row->item_type_id, row->updated_at);
    const bool trashed = row->status == Status::trash && before->status != Status::trash;
    written(tx, trashed ? Written::trashed : Written::updated, type, {&id, 1});
    for (const Follower& follower : followers_)
        if (follower.replaced)
            follower.replaced(tx, *before, *row);
    store::touch(tx, channel);
    return read(tx, type, id).value();
}

Result<void> Service::remove(Type type, std::int64_t id, Seen seen) {
    try {
        auto gone = store_.write([&](store::Transaction& tx) { return remove(tx, type, id, seen); });
        if (gone)
            changed();
        return gone;
    } catch (const store::ConstraintViolation&) {  // somebody has referred to it since we looked
        return Error{errc::in_use, "The " + kind_of(type).one + " is still in use."};
    }
}

Result<void> Service::remove(store::Transaction& tx, Type type, std::int64_t id, Seen seen) {
    const Kind& kind = kind_of(type);
    rows::lock(tx, id);
    const auto row = rows::find(tx, type, id);
    if (!row)
        return not_there(kind);
    if (seen && *seen != row->row_version)
        return changed_meanwhile(kind);
    // What trips say about an attribute has no meaning without it.
    if (const auto users = rows::users_of(tx, *row, most_named); users.total > 0 && type != Type::attribute)
        return still_used(kind, users);
    changing(tx, std::span(&id, 1));
    for (const Follower& follower : followers_)
        if (follower.removing)
            follower.removing(tx, type, id);
    rows::remove(tx, id);
    written(tx, Written::removed, type, std::span(&id, 1));
    store::touch(tx, channel);
    return {};
}

Result<std::vector<Outcome>> Service::bulk(Type type, const std::string& action, const std::vector<std::int64_t>& ids,
                                           User user, const KeptOutcomes& kept) {
    Change change;
    if (action != "delete")
        change.status = action == "restore" ? "publish" : action;
    std::vector<Outcome> outcomes;
    auto written = store_.write([&](store::Transaction& tx) -> Result<void> {
        outcomes.clear();
        for (const std::int64_t id : ids) {
            Outcome outcome{id, {}};
            try {
                const auto done = tx.attempt([&]() -> Result<void> {
                    if (action == "delete")
                        return remove(tx, type, id);
                    auto row = update(tx, type, id, change, user);
                    return row ? Result<void>{} : Result<void>{row.error()};
                });
                if (!done)
                    outcome.error = done.error();
            } catch (const store::ConstraintViolation&) {
                outcome.error = Error{errc::in_use, "The " + kind_of(type).one + " is still in use."};
            }
            outcomes.push_back(std::move(outcome));
        }
        if (kept)
            kept(tx, outcomes);
        return {};
    });
    if (!written)
        return written.error();
    changed();
    return outcomes;
}

std::int64_t Service::reorder(Type type, const std::vector<std::pair<std::int64_t, std::int64_t>>& orders) {
    auto set = store_.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        std::vector<std::int64_t> ids;
        ids.reserve(orders.size());
        for (const auto& [id, order] : orders)
            ids.push_back(id);
        changing(tx, ids);
        ids.clear();
        for (const auto& [id, order] : orders)
            if (rows::set_order(tx, type, id, order, clock_.now()))
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
