// How often published trips were read: counted in memory, written down now and then, so that a read writes nothing.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "shared/core/date.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// Any thread. A crash loses the views counted since the last write.
class Views {
  public:
    // `zone` defines the day that a view belongs to.
    Views(store::Store& store, const Clock& clock, std::function<Date(Instant)> day_of);
    ~Views();  // stops
    Views(const Views&) = delete;
    Views& operator=(const Views&) = delete;

    void count(std::int64_t trip_id);
    // Stores the counts and updates the sums of each trip. Deleted trips are skipped.
    void write_down();
    // Calls write_down() every five minutes on its own thread, and again at the end.
    void start();
    void stop();

  private:
    using Counted = std::unordered_map<std::int64_t, std::int64_t>;
    void loop();

    store::Store& store_;
    const Clock& clock_;
    const std::function<Date(Instant)> day_of_;
    std::mutex counting_;
    Counted counted_;
    std::mutex running_;
    std::condition_variable ended_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace svc::catalog::trips
