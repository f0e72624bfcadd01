// Keeps parts by their names, bounded in bytes.
#include "base/website/pages/part_cache.hpp"

namespace svc::pages {
namespace {

std::size_t bytes_of(const json::Value& value) {
    std::size_t bytes = sizeof value;
    if (value.is_string())
        bytes += value.text().capacity();
    if (value.is_array())
        for (const json::Value& each : value.items())
            bytes += bytes_of(each);
    if (value.is_object())
        for (const auto& [name, member] : value.members())
            bytes += sizeof name + name.capacity() + bytes_of(member);
    return bytes;
}

}  // namespace

std::shared_ptr<CachedPart> PartCache::find(std::string_view name, std::string_view version,
                                            std::string_view made_with) {
    if (version.empty())
        return nullptr;
    const std::lock_guard lock(mutex_);
    const auto found = by_name_.find(name);
    const bool is_same = found != by_name_.end() && found->second->part->version == version &&
                         found->second->part->made_with == made_with;
    if (!tally_.in_use() || !tally_.note(is_same))
        return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    trim();  // texts are added to parts that are there
    return found->second->part;
}

std::shared_ptr<CachedPart> PartCache::put(std::string_view name, std::string_view version, std::string_view made_with,
                                           json::Value brief) {
    auto part = std::make_shared<CachedPart>(std::string(version), std::string(made_with), std::move(brief), total_);
    const std::size_t own_bytes =
        sizeof *part + 200 + version.size() + made_with.size() + 2 * name.size() + bytes_of(part->brief);
    if (!tally_.in_use() || version.empty() || own_bytes > most_bytes_ / 8)  // one alone would push out all others
        return part;
    const std::lock_guard lock(mutex_);
    if (const auto before = by_name_.find(name); before != by_name_.end())
        take_out(before->second);
    order_.push_front({std::string(name), part, own_bytes});
    by_name_.emplace(order_.front().name, order_.begin());
    *total_ += own_bytes;
    trim();
    return part;
}

void PartCache::trim() {
    while (*total_ > most_bytes_ && order_.size() > 1)
        take_out(std::prev(order_.end()));
}

void PartCache::take_out(Order::iterator which) {
    *total_ -= which->own_bytes;
    by_name_.erase(which->name);
    order_.erase(which);  // its texts go with the last page that shows them
}

std::int64_t PartCache::forget(const std::function<bool(std::string_view name)>& fits) {
    const std::lock_guard lock(mutex_);
    std::int64_t forgotten = 0;
    for (auto each = order_.begin(); each != order_.end();) {
        const auto next = std::next(each);
        if (fits(each->name)) {
            take_out(each);
            ++forgotten;
        }
        each = next;
    }
    return forgotten;
}

void PartCache::each(const std::function<void(std::string_view name, std::size_t bytes)>& take) const {
    const std::lock_guard lock(mutex_);
    for (const Named& one : order_)
        take(one.name, one.own_bytes);
}

caches::Usage PartCache::usage() const {
    const std::lock_guard lock(mutex_);
    return {.entries = static_cast<std::int64_t>(order_.size()),
            .bytes = static_cast<std::int64_t>(total_->load()),
            .hits = tally_.hits(),
            .misses = tally_.misses()};
}

}  // namespace svc::pages
