// Views go into rows by trip and day, which the trip's own count is the sum of.
#include "base/catalog/trips/editor/views.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/catalog/trips/editor/service.hpp"
#include "base/catalog/trips/record/repository.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/log.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::chrono::minutes written_every{5};
constexpr std::size_t views_at_once = 500;

}  // namespace

Views::Views(store::Store& store, const Clock& clock, std::function<Date(Instant)> day_of)
    : store_(store), clock_(clock), day_of_(std::move(day_of)) {}
Views::~Views() { stop(); }

void Views::count(std::int64_t trip_id) {
    const std::lock_guard lock(counting_);
    ++counted_[trip_id];
}

void Views::write_down() {
    Counted counted;
    {
        const std::lock_guard lock(counting_);
        counted.swap(counted_);
    }
    // In one order, so that two processes never wait for each other.
    std::vector<std::pair<std::int64_t, std::int64_t>> sorted(counted.begin(), counted.end());
    std::sort(sorted.begin(), sorted.end());
    const Instant now = clock_.now();
    const Date day = day_of_(now);
    std::size_t done = 0;
    try {
        while (done < sorted.size()) {
            const std::size_t end = std::min(sorted.size(), done + views_at_once);
            static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
                for (std::size_t i = done; i < end; ++i)
                    rows::add_views(tx, sorted[i].first, day, sorted[i].second, now);
                store::touch(tx, channel);
                return {};
            }));
            done = end;
        }
    } catch (const std::exception& failure) {  // the database is away: they are written later
        log::warning("views of trips could not be written down", {{"because", failure.what()}});
        const std::lock_guard lock(counting_);
        for (; done < sorted.size(); ++done)
            counted_[sorted[done].first] += sorted[done].second;
    }
}

void Views::start() {
    const std::lock_guard lock(running_);
    ending_ = false;
    thread_ = std::thread([this] { loop(); });
}

void Views::loop() {
    std::unique_lock lock(running_);
    while (!ending_) {
        ended_.wait_for(lock, written_every, [this] { return ending_; });
        lock.unlock();
        write_down();
        lock.lock();
    }
}

void Views::stop() {
    {
        const std::lock_guard lock(running_);
        ending_ = true;
    }
    ended_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

}  // namespace svc::catalog::trips
