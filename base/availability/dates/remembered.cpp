// A list by use and an index into it.
#include "base/availability/dates/remembered.hpp"

namespace svc::availability {
namespace {

std::size_t size_of(const RememberedAnswer& answer) { return answer.body ? answer.body->capacity() : 0; }

}  // namespace

RememberedAnswer RememberedAnswers::find(std::int64_t trip_id, const Dates& dates) {
    const std::lock_guard lock(mutex_);
    const auto found = by_trip_.find(trip_id);
    if (found == by_trip_.end() || found->second->answer.dates != dates)
        return {};
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return found->second->answer;
}

void RememberedAnswers::keep(std::int64_t trip_id, RememberedAnswer answer) {
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

void RememberedAnswers::drop(ByUse::iterator kept) {
    bytes_ -= size_of(kept->answer);
    by_trip_.erase(kept->trip_id);
    by_use_.erase(kept);
}

std::size_t RememberedAnswers::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

}  // namespace svc::availability
