// Writes trips with their parts.
#include "base/catalog/trips/editor/editor.hpp"

#include <algorithm>

#include "base/catalog/trips/public/search_rows.hpp"
#include "base/catalog/trips/record/children.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/catalog/trips/record/references.hpp"
#include "base/catalog/trips/record/texts.hpp"
#include "base/catalog/trips/record/users.hpp"
#include "base/platform/store/changes.hpp"

namespace svc::catalog::trips {
namespace {

constexpr int most_tries = 5;

// Published, or published before it was archived or trashed: the rules for new public trips do not apply again.
bool was_readable(const Trip& trip) {
    return trip.is_public() || trip.status == TripStatus::archived || trip.status_before_trash == TripStatus::publish;
}

// A part that replaces its rows gives them new ids. Changed references differ in more than an id.
json::Value without_row_ids(const json::Value& value) {
    if (value.is_array()) {
        auto items = json::Value::array();
        for (const json::Value& item : value.items())
            items.push(without_row_ids(item));
        return items;
    }
    if (!value.is_object())
        return value;
    auto members = json::Value::object();
    for (const auto& [name, member] : value.members())
        if (name != "id")
            members.set(name, without_row_ids(member));
    return members;
}

const json::Value* sent_part(const TripChange& change, std::string_view name) {
    const auto found =
        std::find_if(change.parts.begin(), change.parts.end(), [&](const auto& sent) { return sent.first == name; });
    return found == change.parts.end() ? nullptr : &found->second;
}

Error changed_meanwhile() {
    return {errc::conflict, "The trip was changed in the meantime. Reload it and try again."_sentence};
}

}  // namespace

Result<Trip> find_trip(store::Session& session, std::int64_t id) {
    auto trip = rows::find(session, id);
    if (!trip)
        return errc::trip_not_found;
    return std::move(*trip);
}

Result<Trip> Editor::find_locked(store::Transaction& tx, std::int64_t id, Seen seen) {
    rows::lock(tx, id);
    auto trip = find_trip(tx, id);
    if (trip && seen && *seen != trip->row_version)
        return changed_meanwhile();
    return trip;
}

// Two writers may choose the same free slug; the one that loses chooses again.
Result<Trip> Editor::writing(const Work& work) {
    for (int tries = 1;; ++tries) {
        try {
            auto trip = needs_.store.transact<Trip>([&](store::Transaction& tx) -> Result<Trip> {
                Result<Trip> written = work(tx);
                // As it is stored: ids, names and what writers before have done included.
                return written ? find_trip(tx, written->id) : std::move(written);
            });
            if (trip)
                shown_.refresh(trip->id);
            return trip;
        } catch (const store::UniqueViolation&) {
            if (tries == most_tries)
                throw;
        }
    }
}

Result<Trip> Editor::create(const TripChange& change, std::optional<std::int64_t> user_id) {
    return writing([&](store::Transaction& tx) { return create(tx, change, user_id); });
}

Result<Trip> Editor::create(store::Transaction& tx, const TripChange& change, std::optional<std::int64_t> user_id) {
    return insert(tx, change, needs_.settings.currency(), {.user_id = user_id, .now = needs_.clock.now()});
}

Result<Trip> Editor::insert(store::Transaction& tx, const TripChange& change, Currency currency,
                            const Part::Writing& writing) {
    Trip empty = empty_trip(currency, writing);
    auto trip = checked(tx, empty, change, true, writing);
    if (!trip)
        return with_part_faults(tx, std::move(trip.error()), std::move(empty), change, writing);
    trip->slug = rows::free_slug(tx, trip->slug, 0);
    trip->id = rows::insert(tx, *trip);
    rows::remember_slug(tx, trip->id, "", trip->slug);
    needs_.hooks.emit(tx, trip_created, {trip->id});
    SVC_RETURN_IF_ERROR(write_rest(tx, *trip, change, writing, true));
    index(tx, *trip);
    read_mentions(tx, trip->id);
    needs_.hooks.emit(tx, trip_created_with_relations, {trip->id});
    store::touch(tx, channel);
    return trip;
}

Result<Trip> Editor::update(std::int64_t id, const TripChange& change, std::optional<std::int64_t> user_id) {
    return writing([&](store::Transaction& tx) { return update(tx, id, change, user_id); });
}

Result<Trip> Editor::update(store::Transaction& tx, std::int64_t id, const TripChange& change,
                            std::optional<std::int64_t> user_id) {
    auto before = find_locked(tx, id, change.row_version);
    if (!before)
        return before;
    if (before->status == TripStatus::trash && !change.status)
        return Error{errc::conflict, "The trip is in the trash. A status takes it out."_sentence};
    return save(tx, *before, change, {.user_id = user_id, .now = needs_.clock.now()}, nullptr);
}

Result<Trip> Editor::save(store::Transaction& tx, const Trip& before, const TripChange& change,
                          const Part::Writing& writing, const Revision* restored) {
    auto base = restored ? Result<Trip>(before) : priced(tx, before, change);
    const bool moves = base && base->currency != before.currency;
    auto trip = base ? checked(tx, std::move(*base), change, false, writing) : std::move(base);
    if (!trip)
        return with_part_faults(tx, std::move(trip.error()), before, change, writing);
    if (*trip == before && !restored && (change.parts.empty() || leaves_parts(tx, before, change, writing)))
        return before;
    if (trip->is_public() || restored) {
        keep_revision(tx, before, writing, restored);
        ++trip->version;
    }
    if (trip->slug != before.slug)
        trip->slug = rows::free_slug(tx, trip->slug, trip->id);
    if (trip->slug != before.slug)
        rows::remember_slug(tx, trip->id, before.slug, trip->slug);
    trip->updated_at = writing.now;
    if (writing.user_id)
        trip->updated_by = writing.user_id;
    if (!rows::update(tx, *trip))
        return changed_meanwhile();
    ++trip->row_version;
    if (moves) {
        rows::write_price_types(tx, *trip);
        rows::write_time_slots(tx, *trip);
        rows::write_seasons(tx, *trip);
    }
    needs_.hooks.emit(tx, trip_updated, {trip->id});
    SVC_RETURN_IF_ERROR(write_rest(tx, *trip, change, writing, !was_readable(before)));
    index(tx, *trip);
    read_mentions(tx, trip->id);
    needs_.hooks.emit(tx, trip_updated_with_relations, {trip->id});
    store::touch(tx, channel);
    return trip;
}

// Whether its parts are the same after they are written, but for the ids of their rows.
bool Editor::leaves_parts(store::Transaction& tx, const Trip& trip, const TripChange& change,
                          const Part::Writing& writing) const {
    const auto present = [&] {
        std::vector<json::Value> values;
        for (const auto& sent : change.parts)
            for (const auto& part : needs_.parts)
                if (part->name() == sent.first) {
                    values.push_back(part->none());
                    part->read(tx, {&trip.id, 1},
                               [&](std::int64_t, const json::Value& value) { values.back() = without_row_ids(value); });
                }
        return values;
    };
    bool leaves = false;
    static_cast<void>(tx.attempt([&]() -> Result<void> {
        const auto before = present();
        SVC_RETURN_IF_ERROR(write_rest(tx, trip, change, writing, false));
        leaves = present() == before;
        return errc::conflict;  // undone: it stays as it is, or is written with the rest
    }));
    return leaves;
}

Trip Editor::empty_trip(Currency currency, const Part::Writing& writing) {
    Trip empty;
    empty.currency = currency;
    empty.regular_price = empty.revenue_total = Money::zero(currency);
    empty.created_at = empty.updated_at = writing.now;
    empty.created_by = empty.updated_by = writing.user_id;
    return empty;
}

Error Editor::with_part_faults(store::Session& session, Error faults, Trip trip, const TripChange& change,
                               const Part::Writing& writing) const {
    std::optional<Error> all = std::move(faults);
    if (change.status)
        trip.status = trip_status(*change.status).value();
    check_parts(session, trip, change, writing, all);
    return std::move(*all);
}

void Editor::check_parts(store::Session& session, const Trip& trip, const TripChange& change,
                         const Part::Writing& writing, std::optional<Error>& faults) const {
    for (const auto& part : needs_.parts)
        if (const json::Value* value = sent_part(change, part->name()))
            if (auto checked = part->check(session, trip, *value, writing); !checked)
                add_faults(faults, checked.error());
}

std::vector<FieldError> Editor::faults(std::optional<std::int64_t> id, const TripChange& change) const {
    return needs_.store.reading<std::vector<FieldError>>([&](store::Session& session) -> std::vector<FieldError> {
        const Part::Writing writing{.user_id = {}, .now = needs_.clock.now()};
        const auto stored =
            id ? find_trip(session, *id) : Result<Trip>(empty_trip(needs_.settings.currency(), writing));
        if (!stored || (stored->status == TripStatus::trash && !change.status))
            return {};
        auto base = id ? priced(session, *stored, change) : stored;
        const auto trip = base ? checked(session, std::move(*base), change, !id, writing) : std::move(base);
        if (!trip)
            return with_part_faults(session, trip.error(), *stored, change, writing).fields();
        std::optional<Error> faults;
        check_parts(session, *trip, change, writing, faults);
        // Parts that are sent can only be checked after they are written.
        for (const auto& part : needs_.parts)
            if (!faults && trip->is_public() && !sent_part(change, part->name())) {
                if (auto fit = part->fit_to_publish(session, *trip); !fit)
                    return fit.error().fields();
                if (auto fit = was_readable(*stored) ? Result<void>{} : part->fit_to_appear(session, *trip); !fit)
                    return fit.error().fields();
            }
        return faults ? faults->fields() : std::vector<FieldError>{};
    });
}

// A trip's prices are in the site's currency when they are saved, unless something else counts by them already.
Result<Trip> Editor::priced(store::Session& session, const Trip& trip, const TripChange& change) const {
    const Currency site = needs_.settings.currency();
    if (trip.currency == site || !sends_prices(change) || has_amounts_elsewhere(session, trip.id))
        return trip;
    return in_currency(trip, site, change);
}

void Editor::index(store::Transaction& tx, const Trip& trip) const {
    std::string more;
    for (const auto& part : needs_.parts)
        (more += part->words(tx, trip.id)) += '\n';
    rows::index(tx, trip.id, words_of(search_text(trip, more)));
}

void Editor::index_again(store::Transaction& tx, std::span<const std::int64_t> ids) const {
    constexpr std::size_t at_once = 200;
    for (; !ids.empty(); ids = ids.subspan(std::min(at_once, ids.size())))
        for (const Trip& trip : rows::find_all(tx, ids.first(std::min(at_once, ids.size()))))
            index(tx, trip);
}

Result<void> Editor::write_rest(store::Transaction& tx, const Trip& trip, const TripChange& change,
                                const Part::Writing& options, bool appears) const {
    Part::Writing writing = options;
    writing.hooks = &needs_.hooks;
    if (change.price_types)
        rows::write_price_types(tx, trip);
    if (change.default_time_slots)
        rows::write_time_slots(tx, trip);
    if (change.seasons || change.price_types)  // a category that goes takes its prices in seasons with it
        rows::write_seasons(tx, trip);
    std::optional<Error> faults;
    for (const auto& [name, value] : change.parts)
        for (const auto& part : needs_.parts)
            if (part->name() == name)
                if (auto written = part->write(tx, trip, value, writing); !written)
                    add_faults(faults, written.error());
    if (!faults && trip.is_public())
        for (const auto& part : needs_.parts) {
            if (auto fit = part->fit_to_publish(tx, trip); !fit)
                add_faults(faults, fit.error());
            if (auto fit = appears ? part->fit_to_appear(tx, trip) : Result<void>{}; !fit)
                add_faults(faults, fit.error());
        }
    if (faults)
        return std::move(*faults);
    return {};
}

}  // namespace svc::catalog::trips
