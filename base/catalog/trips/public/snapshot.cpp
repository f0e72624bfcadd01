// Lists, pages and their bodies, made once and remembered as long as the catalogue stays as it is.
#include "base/catalog/trips/public/snapshot.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <numeric>
#include <tuple>

namespace svc::catalog::trips {
namespace {

std::size_t skipped(const PublicQuery& query) { return static_cast<std::size_t>((query.page - 1) * query.per_page); }

template <class Below>
void put(auto& list, const Shown& fresh, Below below) {
    list.insert([&](const auto& each) { return below(*each, *fresh); }, fresh);
}
template <class Below>
void drop(auto& list, const Shown& old, Below below) {
    list.erase([&](const auto& each) { return below(*each, *old); });
}

// In the place of the old one where that is the fresh one's too.
template <class Below>
void replace(auto& list, const Shown& old, const Shown& fresh, Below below) {
    if (!below(*old, *fresh) && !below(*fresh, *old)) {
        list.change([&](const auto& each) { return below(*each, *old); }) = fresh;
        return;
    }
    drop(list, old, below);
    put(list, fresh, below);
}

bool id_before(const ShownTrip& a, const ShownTrip& b) { return a.trip.id < b.trip.id; }
// The id last, since two trips may have one slug for as long as the second of them is taken over.
bool slug_before(const ShownTrip& a, const ShownTrip& b) {
    return std::tie(a.trip.slug, a.trip.id) < std::tie(b.trip.slug, b.trip.id);
}

}  // namespace

PublicPage::PublicPage(const PublicQuery& query, std::vector<Shown> its_rows, std::int64_t its_total,
                       std::optional<json::Value> its_facets)
    : rows(std::move(its_rows)),
      page(query.page),
      per_page(query.per_page),
      total(its_total),
      facets(std::move(its_facets)),
      bytes_(std::accumulate(rows.begin(), rows.end(), facets ? std::size_t{8000} : std::size_t{200},
                             [](std::size_t sum, const Shown& each) { return sum + each->row_size() + 1; })) {}

const Body& PublicPage::body() const {
    std::call_once(made_, [this] {
        std::string text(envelope);
        text.reserve(bytes_);
        text += '[';
        for (const Shown& each : rows) {
            if (text.back() != '[')
                text += ',';
            each->row_to(text);
        }
        const auto number = [&](const char* name, std::int64_t value) { text += name + std::to_string(value); };
        number(R"(],"meta":{"page":)", page);
        number(R"(,"per_page":)", per_page);
        number(R"(,"total":)", total);
        number(R"(,"total_pages":)", (total + per_page - 1) / per_page);
        if (facets) {
            text += R"(,"facets":)";
            facets->dump_to(text);
        }
        body_ = body_of(std::move(text += "}}"));
    });
    return body_;
}

Listing RememberedPages::find(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = pages_.find(key);
    return found == pages_.end() ? nullptr : found->second;
}

void RememberedPages::put(std::string key, Listing page) {
    const std::size_t bytes = size_of(key, page);
    const std::lock_guard lock(mutex_);
    if (bytes_ + bytes > most_bytes_) {
        pages_.clear();
        bytes_ = 0;
    }
    if (pages_.emplace(std::move(key), std::move(page)).second)
        bytes_ += bytes;
}

std::size_t RememberedPages::size_of(std::string_view key, const Listing& page) {
    return page->bytes() + key.size() + 300 + page->rows.size() * sizeof(Shown);
}

void RememberedPages::each(const std::function<void(std::string_view, std::size_t)>& take) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, page] : pages_)
        take(key, size_of(key, page));
}

std::int64_t RememberedPages::forget(const std::function<bool(std::string_view)>& fits) {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(std::erase_if(pages_, [&](const auto& entry) {
        const bool goes = fits(entry.first);
        bytes_ -= goes ? size_of(entry.first, entry.second) : 0;
        return goes;
    }));
}

bool Snapshot::before(Key key, const ShownTrip& a, const ShownTrip& b) {
    const auto by = [&](const auto& left, const auto& right) {
        return std::tie(left, a.trip.id) < std::tie(right, b.trip.id);
    };
    switch (key) {
        case title:
            return by(a.title_folded, b.title_folded);
        case price: {
            const auto left = a.facts.price.minor(), right = b.facts.price.minor();
            return by(left, right);
        }
        case duration:
            return by(a.trip.duration_days, b.trip.duration_days);
        case rating:
            return by(a.facts.rating, b.facts.rating);
        default:
            return by(a.trip.created_at, b.trip.created_at);
    }
}

Snapshot::Key Snapshot::key_of(const std::string& order_by) {
    if (order_by == "title")
        return title;
    if (order_by == "price")
        return price;
    if (order_by == "duration")
        return duration;
    return order_by == "avg_rating" ? rating : created;
}

Snapshot::Snapshot(std::vector<Draft> trips, std::shared_ptr<const ClassNames> names,
                   std::shared_ptr<caches::Tally> tally)
    : names_(std::move(names)), tally_(std::move(tally)) {
    std::vector<Shown> all, listed;
    std::vector<SearchIndex::Change> words;
    for (Draft& each : trips) {
        each->slot = static_cast<std::uint32_t>(slots_++);
        if (each->trip.is_public()) {
            rows_.set(each->slot, each.get());
            listed.push_back(each);
            words.push_back({each->slot, nullptr, &each->words});
        }
        all.push_back(std::move(each));
    }
    // The words take about as long as all orders.
    auto index = std::async(std::launch::async, [&words] { return SearchIndex(words); });
    const auto sort = [](auto& rows, auto below) {
        std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return below(*a, *b); });
    };
    for (std::size_t key = 0; key < keys; ++key) {
        std::vector<Place> order(listed.begin(), listed.end());
        sort(order, [key](const ShownTrip& a, const ShownTrip& b) { return before(static_cast<Key>(key), a, b); });
        orders_[key] = Order(std::move(order));
    }
    sort(all, id_before);
    by_id_ = Trips(all);
    sort(all, slug_before);
    by_slug_ = Trips(std::move(all));
    index_ = index.get();
}

std::shared_ptr<const Snapshot> Snapshot::with(std::span<const Draft> changed, std::span<const std::int64_t> removed,
                                               std::shared_ptr<const ClassNames> names) const {
    const auto next = std::make_shared<Snapshot>();
    next->by_id_ = by_id_.fork();
    next->by_slug_ = by_slug_.fork();
    for (std::size_t key = 0; key < keys; ++key)
        next->orders_[key] = orders_[key].fork();
    next->rows_ = rows_.fork();
    next->free_slots_ = free_slots_;
    next->slots_ = slots_;
    next->names_ = std::move(names);
    next->classes_ = classes_;
    next->tally_ = tally_;
    std::vector<SearchIndex::Change> words;
    const auto listed = [](const Shown& each) { return each && each->trip.is_public() ? &each->words : nullptr; };
    const auto put_one = [&](std::int64_t id, const Draft& fresh) {
        const Shown old = next->find(id);
        if (old && fresh && old->trip.is_public() == fresh->trip.is_public()) {
            next->replace_one(old, fresh);
            words.push_back({fresh->slot, listed(old), listed(fresh)});
            return;
        }
        if (old) {
            next->take_out(old);
            next->free_slots_.push_back(old->slot);
        }
        if (fresh) {
            if (next->free_slots_.empty())
                next->free_slots_.push_back(static_cast<std::uint32_t>(next->slots_++));
            fresh->slot = next->free_slots_.back();
            next->free_slots_.pop_back();
            next->put_in(fresh);
        }
        if (old || fresh)
            words.push_back({fresh ? fresh->slot : old->slot, listed(old), listed(fresh)});
    };
    for (const std::int64_t id : removed)
        put_one(id, nullptr);
    for (const Draft& each : changed)
        put_one(each->trip.id, each);
    next->index_ = index_.with(words);
    return next;
}

void Snapshot::replace_one(const Shown& old, const Draft& fresh) {
    fresh->slot = old->slot;
    replace(by_id_, old, fresh, id_before);
    replace(by_slug_, old, fresh, slug_before);
    if (!fresh->trip.is_public())
        return;
    rows_.set(fresh->slot, fresh.get());
    for (std::size_t key = 0; key < keys; ++key)
        replace(orders_[key], old, fresh,
                [key](const ShownTrip& a, const ShownTrip& b) { return before(static_cast<Key>(key), a, b); });
}

void Snapshot::take_out(const Shown& old) {
    drop(by_id_, old, id_before);
    drop(by_slug_, old, slug_before);
    if (!old->trip.is_public())
        return;
    rows_.set(old->slot, nullptr);
    for (std::size_t key = 0; key < keys; ++key)
        drop(orders_[key], old,
             [key](const ShownTrip& a, const ShownTrip& b) { return before(static_cast<Key>(key), a, b); });
}

void Snapshot::put_in(const Shown& fresh) {
    put(by_id_, fresh, id_before);
    put(by_slug_, fresh, slug_before);
    if (!fresh->trip.is_public())
        return;
    rows_.set(fresh->slot, fresh.get());
    for (std::size_t key = 0; key < keys; ++key)
        put(orders_[key], fresh,
            [key](const ShownTrip& a, const ShownTrip& b) { return before(static_cast<Key>(key), a, b); });
}

Shown Snapshot::find(std::int64_t id) const {
    const Shown* found = by_id_.find([id](const Shown& each) { return each->trip.id < id; });
    return found && (*found)->trip.id == id ? *found : nullptr;
}

Shown Snapshot::by_slug(std::string_view slug) const {
    const Shown* found = by_slug_.find([slug](const Shown& each) { return each->trip.slug < slug; });
    return found && (*found)->trip.slug == slug ? *found : nullptr;
}

void Snapshot::each(const std::function<void(const Shown&)>& take) const {
    by_id_.walk(true, 0, [&](const Shown& shown) {
        take(shown);
        return true;
    });
}

Listing Snapshot::page(const PublicQuery& query, const TripDates& dates) const {
    const bool by_days = query.from || query.to, by_price = (query.min_price || query.max_price) && dates.each_price;
    RememberedPages& known = query.filters() ? filtered_pages_ : pages_;
    std::string key = query.key();
    // The available dates change without the catalogue.
    if ((by_days || by_price) && dates.edition)
        key += '\n' + std::to_string(dates.edition(!by_days));
    if ((by_price || query.facets) && dates.today)  // seasons end
        key += '\n' + dates.today().text();
    if (by_days)  // dates close by themselves: such a page is good for a second
        key += '\n' + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(
                                         std::chrono::steady_clock::now().time_since_epoch())
                                         .count());
    if (tally_->in_use()) {
        auto page = known.find(key);
        if (tally_->note(page != nullptr))
            return page;
    }
    Listing page = query.filters() ? filtered(query, dates) : unfiltered(query);
    if (tally_->in_use())
        known.put(std::move(key), page);
    return page;
}

caches::Usage Snapshot::usage() const {
    caches::Usage usage;
    each([&](std::string_view, std::size_t bytes) {
        ++usage.entries;
        usage.bytes += static_cast<std::int64_t>(bytes);
    });
    return usage;
}

void Snapshot::each(const std::function<void(std::string_view, std::size_t)>& take) const {
    pages_.each(take);
    filtered_pages_.each(take);
}

std::int64_t Snapshot::forget(const std::function<bool(std::string_view)>& fits) const {
    return pages_.forget(fits) + filtered_pages_.forget(fits);
}

Listing Snapshot::unfiltered(const PublicQuery& query) const {
    const Order& order = orders_[key_of(query.order_by)];
    std::vector<Shown> rows;
    std::int64_t left = query.per_page;
    order.walk(query.ascending, skipped(query), [&](const Place& each) {
        rows.push_back(find((*each).trip.id));
        return --left > 0;
    });
    return std::make_shared<const PublicPage>(query, std::move(rows), static_cast<std::int64_t>(order.size()));
}

std::vector<Shown> Snapshot::in_order(const PublicQuery& query, const SlotSet& fitting) const {
    std::vector<Shown> rows;
    std::size_t skip = skipped(query);
    std::int64_t left = query.per_page;
    orders_[key_of(query.order_by)].walk(query.ascending, 0, [&](const Place& each) {
        if (!fitting.has(each.slot) || (skip > 0 && skip-- > 0))
            return true;
        rows.push_back(find((*each).trip.id));
        return --left > 0;
    });
    return rows;
}

// The best first; of equal ones the newest, unless the order is turned round.
std::vector<Shown> Snapshot::ranked(const PublicQuery& query, const SlotSet& fitting,
                                    const std::vector<std::uint16_t>& scores) const {
    std::vector<std::uint32_t> found;
    fitting.each([&](std::size_t slot) { found.push_back(static_cast<std::uint32_t>(slot)); });
    const auto ahead = [&](std::uint32_t a, std::uint32_t b) {
        if (!query.ascending)
            std::swap(a, b);
        if (scores[a] != scores[b])
            return scores[a] < scores[b];
        const FactRow &left = rows_[a], &right = rows_[b];
        return std::tie(left.created_at, left.id) < std::tie(right.created_at, right.id);
    };
    const auto first = std::min(found.size(), skipped(query));
    const auto reach = std::min(found.size(), first + static_cast<std::size_t>(query.per_page));
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(reach), found.end(), ahead);
    std::vector<Shown> rows;
    for (std::size_t i = first; i < reach; ++i)
        rows.push_back(find(rows_[found[i]].id));
    return rows;
}

Listing Snapshot::filtered(const PublicQuery& query, const TripDates& dates) const {
    const Filter filter(query, dates, rows_, *names_);
    const bool searched = !query.search.empty();
    const auto scores =
        searched ? index_.find(search_query(query.search), rows_.slots()) : std::vector<std::uint16_t>{};
    const SlotSet fitting = searched ? filter.fitting(scores) : filter.fitting();
    auto rows = searched && query.order_by == "relevance" ? ranked(query, fitting, scores) : in_order(query, fitting);
    auto facets = query.facets ? std::optional(facets_of(fitting, rows_, *names_, dates.today ? dates.today() : Date{}))
                               : std::nullopt;
    return std::make_shared<const PublicPage>(query, std::move(rows), static_cast<std::int64_t>(fitting.size()),
                                              std::move(facets));
}

}  // namespace svc::catalog::trips
