// Lists, pages and their bodies, made once and remembered as long as the catalogue stays as it is.
#include "base/catalog/trips/snapshot.hpp"

#include <algorithm>

#include "shared/core/text.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::size_t most_page_bytes = std::size_t{8} << 20;
constexpr std::string_view envelope = R"({"success":true,"data":)";

bool id_before(const Shown& a, const Shown& b) { return a->trip.id < b->trip.id; }
bool slug_before(const Shown& a, const Shown& b) { return a->trip.slug < b->trip.slug; }
bool created_before(const Shown& a, const Shown& b) {
    return std::pair(a->trip.created_at, a->trip.id) < std::pair(b->trip.created_at, b->trip.id);
}

// FNV-1a with two bases: a tag need not withstand an attacker, only tell contents apart.
std::string tag_of(std::string_view text) {
    std::uint64_t low = 14695981039346656037ULL, high = 0x6C62272E07BB0142ULL;
    for (const char c : text) {
        low = (low ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        high = (high ^ (static_cast<unsigned char>(c) + 0x9E37U)) * 1099511628211ULL;
    }
    static constexpr char digits[] = "0123456789abcdef";
    std::string tag = "\"";
    for (const std::uint64_t part : {high, low})
        for (int shift = 60; shift >= 0; shift -= 4)
            tag += digits[(part >> shift) & 15];
    return tag + '"';
}

// The rows of a page out of those in ascending order.
template <class Rows>
std::string list_body(const Rows& rows, const PublicQuery& query) {
    const auto total = static_cast<std::int64_t>(rows.size());
    const std::int64_t first = std::min((query.page - 1) * query.per_page, total);
    const std::int64_t last = std::min(first + query.per_page, total);
    std::string body(envelope);
    body += '[';
    for (std::int64_t i = first; i < last; ++i) {
        if (i > first)
            body += ',';
        body += rows[static_cast<std::size_t>(query.ascending ? i : total - 1 - i)]->row;
    }
    const auto number = [&](const char* name, std::int64_t value) { body += name + std::to_string(value); };
    number(R"(],"meta":{"page":)", query.page);
    number(R"(,"per_page":)", query.per_page);
    number(R"(,"total":)", total);
    number(R"(,"total_pages":)", (total + query.per_page - 1) / query.per_page);
    return body += "}}";
}

// Puts `item` in its place, taking out `old` (equal in order to what it was listed as).
template <class Before>
void replace(std::vector<Shown>& rows, const Shown& old, const Shown& item, Before before) {
    if (old) {
        const auto at = std::lower_bound(rows.begin(), rows.end(), old, before);
        if (at != rows.end() && *at == old)
            rows.erase(at);
    }
    if (item)
        rows.insert(std::upper_bound(rows.begin(), rows.end(), item, before), item);
}

}  // namespace

Body body_of(std::string text) {
    Body body;
    body.etag = tag_of(text);
    body.text = std::make_shared<const std::string>(std::move(text));
    return body;
}

Snapshot::Snapshot(std::vector<Shown> trips) : by_id_(std::move(trips)) {
    std::sort(by_id_.begin(), by_id_.end(), id_before);
    by_slug_ = by_id_;
    std::sort(by_slug_.begin(), by_slug_.end(), slug_before);
    for (const Shown& each : by_id_)
        if (each->trip.is_public())
            by_created_.push_back(each);
    std::sort(by_created_.begin(), by_created_.end(), created_before);
}

std::shared_ptr<const Snapshot> Snapshot::with(const std::vector<Shown>& changed,
                                               const std::vector<std::int64_t>& gone) const {
    const std::shared_ptr<Snapshot> next(new Snapshot);
    next->by_id_ = by_id_;
    next->by_slug_ = by_slug_;
    next->by_created_ = by_created_;
    const auto put = [&](const Shown& old, const Shown& item) {
        replace(next->by_id_, old, item, id_before);
        replace(next->by_slug_, old, item, slug_before);
        const auto listed = [](const Shown& each) { return each && each->trip.is_public() ? each : Shown{}; };
        replace(next->by_created_, listed(old), listed(item), created_before);
    };
    for (const Shown& each : changed)
        put(find(each->trip.id), each);
    for (const std::int64_t id : gone)
        put(find(id), {});
    return next;
}

Shown Snapshot::find(std::int64_t id) const {
    const auto at = std::lower_bound(by_id_.begin(), by_id_.end(), id,
                                     [](const Shown& each, std::int64_t wanted) { return each->trip.id < wanted; });
    return at != by_id_.end() && (*at)->trip.id == id ? *at : nullptr;
}

Shown Snapshot::by_slug(std::string_view slug) const {
    const auto at =
        std::lower_bound(by_slug_.begin(), by_slug_.end(), slug,
                         [](const Shown& each, std::string_view wanted) { return each->trip.slug < wanted; });
    return at != by_slug_.end() && (*at)->trip.slug == slug ? *at : nullptr;
}

const Snapshot::Order& Snapshot::order(const std::string& key) const {
    if (key == "created_at")
        return by_created_;
    const std::lock_guard lock(remembering_);
    const auto [found, fresh] = orders_.try_emplace(key);
    if (!fresh)
        return found->second;
    Order& rows = found->second = by_created_;
    const auto sort_by = [&](auto value) {
        std::sort(rows.begin(), rows.end(), [&](const Shown& a, const Shown& b) {
            const auto left = value(*a), right = value(*b);
            return left == right ? a->trip.id < b->trip.id : left < right;
        });
    };
    if (key == "title")
        sort_by([](const ShownTrip& each) { return std::string_view(each.search); });  // begins with the title
    else if (key == "price")
        sort_by([](const ShownTrip& each) { return each.price.minor(); });
    else
        sort_by([](const ShownTrip& each) { return each.trip.duration_days; });
    return rows;
}

PublicPage Snapshot::page(const PublicQuery& query) const {
    return query.filters() ? filtered(query) : unfiltered(query);
}

PublicPage Snapshot::unfiltered(const PublicQuery& query) const {
    const Order& rows = order(query.order_by);
    const auto total = static_cast<std::int64_t>(rows.size());
    const std::string key = query.order_by + (query.ascending ? " asc " : " desc ") + std::to_string(query.per_page) +
                            " " + std::to_string(query.page);
    {
        const std::lock_guard lock(remembering_);
        if (const auto found = pages_.find(key); found != pages_.end())
            return {found->second, total};
    }
    Body body = body_of(list_body(rows, query));
    const std::lock_guard lock(remembering_);
    if (page_bytes_ + body.text->size() + key.size() > most_page_bytes) {
        pages_.clear();
        page_bytes_ = 0;
    }
    if (pages_.emplace(key, body).second)
        page_bytes_ += body.text->size() + key.size();
    return {std::move(body), total};
}

PublicPage Snapshot::filtered(const PublicQuery& query) const {
    const std::string wanted = text::folded(query.search);
    std::vector<const ShownTrip*> rows;
    for (const Shown& each : order(query.order_by)) {
        const auto bound = [&](const std::optional<std::string>& decimal, auto fits) {
            if (!decimal)
                return true;
            const auto price = Money::parse(*decimal, each->trip.currency);
            return price && fits(each->price, *price);
        };
        if ((query.trip_type.empty() || query.trip_type == name_of(each->trip.type)) &&
            bound(query.min_price, [](Money price, Money least) { return price >= least; }) &&
            bound(query.max_price, [](Money price, Money most) { return price <= most; }) &&
            (wanted.empty() || each->search.find(wanted) != std::string::npos))
            rows.push_back(each.get());
    }
    return {body_of(list_body(rows, query)), static_cast<std::int64_t>(rows.size())};
}

}  // namespace svc::catalog::trips
