// Keeps the snapshot of published trips in step with the database.
#include "base/catalog/trips/public/read_model.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <thread>
#include <unordered_set>

#include "base/catalog/trips/public/snapshot.hpp"
#include "base/catalog/trips/record/children.hpp"
#include "base/catalog/trips/record/fields.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/catalog/trips/record/renamed.hpp"
#include "base/catalog/trips/record/repository.hpp"
#include "shared/core/words.hpp"

namespace svc::catalog::trips {
namespace {

bool is_shown(const Trip& trip) { return trip.status == TripStatus::publish || trip.status == TripStatus::archived; }

// Drops long texts, most of a trip's bytes; the prepared answer contains them.
void drop_long_texts(Trip& trip) {
    for (const TextField& field : text_fields)
        std::string().swap(trip.*field.stored);
    for (const JsonField& field : json_fields)
        trip.*field.stored = {};
    for (PricedSeason& season : trip.seasons)
        std::string().swap(season.note);
}

// The names as they are when the trips given were added to them; the same object when nothing was new.
std::shared_ptr<const ClassNames> names_after(const Snapshot& before, ClassNames names) {
    return names == *before.names() ? before.names() : std::make_shared<const ClassNames>(std::move(names));
}

// The names of a trip's classifications and the texts of its parts, for the search index.
std::string said_elsewhere(const Facts& facts, const ClassNames& names, const json::Value& row, const Parts& parts) {
    std::string fact_text;
    for (const ClassKey& each : facts.classes)
        (fact_text += names.at(each).name) += '\n';
    for (const auto& part : parts)
        if (const json::Value* answered = row.find(part->name()))
            part->add_words(*answered, fact_text);
    return fact_text;
}

bool is_current(const Snapshot& known, const TripVersion& version) {
    const Shown trip = known.find(version.id);
    if (!trip || !version.shown)
        return !trip && !version.shown;
    return trip->stamp == version.stamp;
}

bool is_same_row(const ShownTrip& known, const TripVersion& version) {
    return known.trip.row_version == version.row_version && known.trip.counts_version == version.counts_version;
}

using Ids = std::span<const std::int64_t>;

// An unchanged trip in memory that shows something changed, with the stamp of that change.
struct Again {
    Shown trip;
    std::int64_t stamp;
};

// Updates trips in memory on all processors; adds those that need the database to `to_read`.
std::vector<Draft> all_renamed(const std::vector<Again>& trips, const Renames& renames, const ClassNames& before,
                               std::vector<std::int64_t>& to_read) {
    const ClassNames after = with_renames(before, renames);
    std::vector<Draft> drafts(trips.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        constexpr std::size_t at_once = 50;
        for (std::size_t from = next.fetch_add(at_once); from < trips.size(); from = next.fetch_add(at_once))
            for (std::size_t i = from; i < std::min(from + at_once, trips.size()); ++i) {
                try {
                    drafts[i] = renamed(*trips[i].trip, renames, before, after);
                    if (drafts[i])
                        drafts[i]->stamp = trips[i].stamp;
                } catch (const std::exception&) {
                    drafts[i].reset();  // the database has it
                }
            }
    };
    {
        const std::jthread helper(work);
        work();
    }
    for (std::size_t i = 0; i < trips.size(); ++i)
        if (!drafts[i])
            to_read.push_back(trips[i].trip->trip.id);
    std::erase(drafts, nullptr);
    std::sort(to_read.begin(), to_read.end());
    return drafts;
}

// Reads trips piece by piece on all processors, in the order of their ids; most of the work is making their JSON.
template <class Read>
std::vector<Draft> side_by_side(store::Store& store, Ids ids, ClassNames& names, Read read) {
    const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4);
    // Ever smaller, so that all end together, but not small: that costs PostgreSQL more in statements than in rows.
    std::vector<Ids> pieces;
    for (Ids left = ids; !left.empty(); left = left.subspan(pieces.back().size()))
        pieces.push_back(
            left.first(std::min(left.size(), std::clamp<std::size_t>(left.size() / (2 * most), 100, 250))));
    std::vector<std::vector<Draft>> found(pieces.size());
    std::atomic<std::size_t> next{0};
    std::mutex merging;
    std::exception_ptr failure;
    const auto work = [&] {
        ClassNames own;
        try {
            for (std::size_t i = next++; i < pieces.size(); i = next++)
                found[i] = store.reading<std::vector<Draft>>(
                    [&](store::Session& session) { return read(session, pieces[i], own); });
        } catch (...) {
            const std::lock_guard lock(merging);
            failure = std::current_exception();
            next = pieces.size();
        }
        const std::lock_guard lock(merging);
        for (auto& [key, name] : own)
            names[key] = std::move(name);
    };
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < std::min(most, pieces.size()); ++i)
        helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers)
        helper.join();
    if (failure)
        std::rethrow_exception(failure);
    std::vector<Draft> all;
    all.reserve(ids.size());
    for (auto& piece : found)
        std::move(piece.begin(), piece.end(), std::back_inserter(all));
    return all;
}

}  // namespace

PublicTrips::PublicTrips(store::Store& store, const hooks::Hooks& hooks, const Showing& showing)
    : store_(store),
      hooks_(hooks),
      showing_(showing),
      current_(std::make_shared<const Snapshot>()),
      old_slugs_(std::make_shared<const OldSlugs>()) {}
PublicTrips::~PublicTrips() = default;

std::shared_ptr<const Snapshot> PublicTrips::snapshot() const {
    const std::lock_guard lock(swapping_);
    return current_;
}

void PublicTrips::swap_in(std::shared_ptr<const Snapshot> next) {
    const std::lock_guard lock(swapping_);
    current_.swap(next);  // the old one is freed by its last reader, outside the lock
}

Draft PublicTrips::show(Whole whole, const Tree& tree, ClassNames& names) const {
    Trip& trip = whole.trip;
    const Display display = display_of(trip, hooks_, showing_.asks);
    json::Value row = public_json(whole, display, showing_), more = public_more(whole, showing_);
    if (!showing_.asks || showing_.asks(trip_loaded_with_relations.name))
        take_loaded(row, more, trip, hooks_);
    auto shown = std::make_shared<ShownTrip>();
    set_body(*shown, row, more);
    if (!showing_.asks || showing_.asks(resolve_card_pricing.name)) {
        const json::Value card = to_json(card_of(trip, display, hooks_, showing_.asks));
        if (!(card == to_json(display))) {
            json::Value other = row;
            for (const auto& [name, value] : card.members())
                other.set(name, value);
            shown->card = std::make_shared<const Body>(body_of(other.dump()));
        }
    }
    add_price_facts(trip, row);
    add_price_facts(trip, more);
    shown->facts = facts_of(trip, display.price, row, tree, names);
    for (const auto& part : showing_.parts)
        for (const auto& [name, member] : whole.members)
            if (name == part->name())
                part->add_facts(member, shown->facts.of_parts);
    std::sort(shown->facts.of_parts.begin(), shown->facts.of_parts.end());
    shown->facts.of_parts.shrink_to_fit();
    shown->title_folded = text::title_order(trip.title);
    shown->words = words_of(search_text(trip, said_elsewhere(shown->facts, names, row, showing_.parts)));
    drop_long_texts(trip);
    shown->trip = std::move(trip);
    return shown;
}

std::vector<Draft> PublicTrips::show(store::Session& session, std::vector<Trip> trips, ClassNames& names) const {
    std::vector<Draft> shown;
    const Tree tree = trips.empty() ? Tree{} : rows::tree(session);
    for (Whole& whole : with_members(session, std::move(trips), showing_.parts, Members::of_content))
        shown.push_back(show(std::move(whole), tree, names));
    return shown;
}

std::vector<Draft> PublicTrips::read(store::Session& session, std::span<const std::int64_t> ids,
                                     ClassNames& names) const {
    const auto stamps = rows::stamps(session, ids);
    auto trips = rows::find_all(session, ids);
    std::erase_if(trips, [](const Trip& trip) { return !is_shown(trip); });
    auto shown = show(session, std::move(trips), names);
    for (const Draft& each : shown) {
        const auto known = std::lower_bound(stamps.begin(), stamps.end(), std::pair(each->trip.id, std::int64_t{0}));
        each->stamp = known != stamps.end() && known->first == each->trip.id ? known->second : 0;
    }
    return shown;
}

void PublicTrips::load_old_slugs() {
    auto known = std::make_shared<OldSlugs>();
    store_.read([&](store::Session& session) {
        known->clear();
        for (auto& each : rows::old_slugs(session))
            known->emplace(std::move(each.slug), each.trip_id);
    });
    const std::lock_guard lock(swapping_);
    old_slugs_ = std::move(known);
}

void PublicTrips::follow_slugs(const Snapshot& before, std::span<const Draft> changed) {
    const bool moved = std::any_of(changed.begin(), changed.end(), [&](const Draft& each) {
        const Shown known = before.find(each->trip.id);
        return !known || known->trip.slug != each->trip.slug;
    });
    if (moved)
        load_old_slugs();
}

void PublicTrips::load() {
    const std::scoped_lock lock(looking_, writing_);
    loaded_address_ = showing_.trip_address();
    std::int64_t moment = 0;
    std::vector<std::int64_t> ids;
    ClassRows classes;
    store_.read([&](store::Session& session) {
        moment = rows::moment(session);
        classes = rows::class_rows(session);
        ids = rows::public_ids(session);
    });
    ClassNames names;
    auto trips = side_by_side(store_, ids, names, [this](store::Session& session, Ids some, ClassNames& own) {
        return read(session, some, own);
    });
    price_by_dates(trips);
    load_old_slugs();
    const auto all = std::make_shared<const Snapshot>(
        std::move(trips), std::make_shared<const ClassNames>(std::move(names)), snapshot()->tally());
    all->classes() = std::move(classes);
    swap_in(all);
    looked_at_ = moment;
}

void PublicTrips::follow_address() {
    const std::string address = showing_.trip_address();
    const bool moved = [&] {
        const std::scoped_lock lock(looking_, writing_);
        return address != loaded_address_;
    }();
    if (moved)
        load();
}

template <class Read>
void PublicTrips::take_over(std::span<const std::int64_t> ids, Read read) {
    const auto began = std::chrono::steady_clock::now();
    const auto before = snapshot();
    ClassNames names = *before->names();
    const std::vector<Draft> trips = read(names);
    price_by_dates(trips);
    std::vector<std::int64_t> missing(ids.begin(), ids.end());
    std::unordered_set<std::int64_t> found;
    for (const Draft& each : trips)
        found.insert(each->trip.id);
    std::erase_if(missing, [&](std::int64_t id) { return found.contains(id); });
    follow_slugs(*before, trips);
    swap_in(before->with(trips, missing, names_after(*before, std::move(names))));
    if (rebuilt_)
        rebuilt_(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

void PublicTrips::refresh(std::span<const std::int64_t> ids) {
    const std::lock_guard lock(writing_);
    take_over(ids, [&](ClassNames& names) {
        return store_.reading<std::vector<Draft>>([&](store::Session& session) { return read(session, ids, names); });
    });
}

void PublicTrips::take_over_many(std::span<const std::int64_t> ids) {
    take_over(ids, [&](ClassNames& names) {
        return side_by_side(store_, ids, names, [this](store::Session& session, Ids some, ClassNames& own) {
            return read(session, some, own);
        });
    });
}

// Many are taken over some at a time, so that other writers need not wait for all of them.
void PublicTrips::reload_changed() {
    constexpr std::size_t under_one_lock = 1000, few = 64;
    const std::lock_guard looking(looking_);
    std::int64_t moment = 0;
    std::vector<TripVersion> changed;
    std::optional<ClassRows> classes;
    store_.read([&](store::Session& session) {
        moment = rows::moment(session);
        changed = rows::changed_since(session, looked_at_);
        classes.reset();
        if (changed.empty() || changed.size() >= few)
            classes = rows::class_rows(session);
    });
    const auto at_first = snapshot();
    Renames renames;
    if (classes && !changed.empty() && showing_.asks && !showing_.asks(trip_loaded_with_relations.name))
        renames = renames_between(at_first->classes(), *classes);
    for (std::size_t done = 0; done < changed.size();) {
        const std::lock_guard lock(writing_);
        const auto known = snapshot();
        std::vector<std::int64_t> ids;
        std::vector<Again> again;
        // This process has made most of the changes itself.
        for (; done < changed.size() && ids.size() + again.size() < under_one_lock; ++done) {
            const TripVersion& version = changed[done];
            if (is_current(*known, version))
                continue;
            const Shown trip = known->find(version.id);
            if (renames.names_alone && trip && version.shown && is_same_row(*trip, version))
                again.push_back({trip, version.stamp});
            else
                ids.push_back(version.id);
        }
        const auto drafts = again.empty() ? std::vector<Draft>{} : all_renamed(again, renames, *at_first->names(), ids);
        if (!drafts.empty())
            swap_in(known->with(drafts, {}, names_after(*known, with_renames(*known->names(), renames))));
        if (!ids.empty())
            take_over_many(ids);
    }
    if (classes)
        at_first->classes() = std::move(*classes);
    looked_at_ = moment;
}

Shown PublicTrips::published(std::int64_t id) const {
    auto found = snapshot()->find(id);
    return found && found->trip.is_public() ? found : nullptr;
}
Shown PublicTrips::by_slug(std::string_view slug) const { return snapshot()->by_slug(slug); }
Shown PublicTrips::by_old_slug(std::string_view slug) const {
    std::shared_ptr<const OldSlugs> known;
    {
        const std::lock_guard lock(swapping_);
        known = old_slugs_;
    }
    const auto found = known->find(slug);
    return found == known->end() ? nullptr : snapshot()->find(found->second);
}
std::shared_ptr<const PublicPage> PublicTrips::page(const PublicQuery& query) const {
    return snapshot()->page(query, dates_);
}
caches::Usage Listings::usage() const { return at->usage(); }
void Listings::each(const std::function<void(std::string_view, std::size_t)>& take) const { at->each(take); }
std::int64_t Listings::forget(const std::function<bool(std::string_view)>& fits) const { return at->forget(fits); }
caches::Tally& Listings::tally() const { return *at->tally(); }

Listings PublicTrips::listings() const { return {snapshot()}; }

void PublicTrips::each_id(const std::function<void(std::int64_t)>& take) const {
    snapshot()->each([&](const Shown& shown) { take(shown->trip.id); });
}

std::size_t PublicTrips::size() const { return snapshot()->size(); }

}  // namespace svc::catalog::trips
