// Shows trips at the prices at which their dates begin, in a snapshot that is made and in the present one.
#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <thread>

#include "base/catalog/trips/public/read_model.hpp"
#include "base/catalog/trips/public/snapshot.hpp"

namespace svc::catalog::trips {
namespace {

// Calls work(i) for each i below `count`, in pieces on two threads; rethrows the first failure.
template <class Work>
void on_two_threads(std::size_t count, const Work& work) {
    constexpr std::size_t at_once = 20;
    std::atomic<std::size_t> next{0};
    std::exception_ptr failures[2];
    const auto run = [&](std::exception_ptr& failure) {
        try {
            for (std::size_t from = next.fetch_add(at_once); from < count; from = next.fetch_add(at_once))
                for (std::size_t i = from; i < std::min(from + at_once, count); ++i)
                    work(i);
        } catch (...) {
            failure = std::current_exception();
            next = count;
        }
    };
    {
        std::optional<std::jthread> helper;
        if (count > at_once)
            helper.emplace(run, std::ref(failures[1]));
        run(failures[0]);
    }
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

}  // namespace

void PublicTrips::price_by_dates(std::span<const Draft> trips) const {
    if (!dates_.from_price)
        return;
    on_two_threads(trips.size(), [&](std::size_t i) {
        if (!trips[i]->trip.is_public())
            return;
        if (const auto from = dates_.from_price(*trips[i]))
            show_from(*trips[i], *from);
    });
}

void PublicTrips::follow_prices() {
    if (!dates_.from_price)
        return;
    std::vector<Shown> known;
    snapshot()->each([&](const Shown& each) {
        if (each->trip.is_public())
            known.push_back(each);
    });
    std::vector<char> moved(known.size(), 0);
    on_two_threads(known.size(), [&](std::size_t i) {
        const auto from = dates_.from_price(*known[i]);
        moved[i] = from ? !known[i]->from || *known[i]->from != *from : known[i]->from != nullptr;
    });
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < known.size(); ++i)
        if (moved[i])
            ids.push_back(known[i]->trip.id);
    constexpr std::size_t under_one_lock = 1000;  // so that other writers need not wait for all of them
    for (std::span<const std::int64_t> left = ids; !left.empty();
         left = left.subspan(std::min(left.size(), under_one_lock))) {
        const std::lock_guard lock(writing_);
        take_over_many(left.first(std::min(left.size(), under_one_lock)));
    }
}

}  // namespace svc::catalog::trips
