// A list by use and an index into it.
#include "base/sales/availability/dates/remembered.hpp"

namespace svc::availability {
namespace {

std::size_t size_of(const RememberedAnswer& answer) { return answer.found ? answer.found->bytes() : 0; }

}  // namespace

RememberedAnswer RememberedAnswers::find(std::int64_t trip_id, const Dates& dates) {
    if (!tally_.in_use())
        return {};
    const std::lock_guard lock(mutex_);
    const auto found = by_trip_.find(trip_id);
    if (!tally_.note(found != by_trip_.end() && found->second->answer.dates == dates))
        return {};
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return found->second->answer;
}

void RememberedAnswers::keep(std::int64_t trip_id, RememberedAnswer answer) {
    if (!tally_.in_use())
        return;
    const std::size_t size = size_of(answer);
    const std::lock_guard lock(mutex_);
    if (const auto found = by_trip_.find(trip_id); found != by_trip_.end())
        drop(found->second);
    if (size > most_bytes_ / 8)
        return;
    while (bytes_ + size > most_bytes_)
        drop(std::prev(by_use_.end()));
    by_use_.push_front({trip_id, std::move(answer)});
    by_trip_.emplace(trip_id, by_use_.begin());
    bytes_ += size;
}

void RememberedAnswers::drop(ByUse::iterator entry) {
    bytes_ -= size_of(entry->answer);
    by_trip_.erase(entry->trip_id);
    by_use_.erase(entry);
}

caches::Usage RememberedAnswers::usage() const {
    const std::lock_guard lock(mutex_);
    return {.entries = static_cast<std::int64_t>(by_trip_.size()), .bytes = static_cast<std::int64_t>(bytes_)};
}

void RememberedAnswers::each(const std::function<void(std::string_view, std::size_t)>& take) const {
    const std::lock_guard lock(mutex_);
    for (const Kept& entry : by_use_)
        take(std::to_string(entry.trip_id), size_of(entry.answer));
}

std::int64_t RememberedAnswers::forget(const std::function<bool(std::string_view)>& fits) {
    const std::lock_guard lock(mutex_);
    std::int64_t freed = 0;
    for (auto each = by_use_.begin(); each != by_use_.end();) {
        const auto entry = each++;
        if (fits(std::to_string(entry->trip_id))) {
            drop(entry);
            ++freed;
        }
    }
    return freed;
}

std::size_t RememberedAnswers::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

}  // namespace svc::availability
