// Threads and queues of the pool.
#include "shell/http/pool.hpp"

#include <algorithm>
#include <utility>

#include "shell/http/connection.hpp"

namespace svc::http {

Pool::Pool(const Size& size) {
    const std::size_t most = std::max(1U, size.threads);
    // In the order of Lane.
    const std::array<std::size_t, 6> threads{most, 2, 1, 4, most, 2};
    for (const std::size_t count : threads) {
        const bool buys = queues_.size() == static_cast<std::size_t>(Lane::checkout);
        auto& queue = queues_.emplace_back(buys ? size.longest_checkout_wait : size.longest_wait);
        for (std::size_t i = 0; i < count; ++i)
            threads_.emplace_back([this, &queue, &self = queue.workers.emplace_back()] { work(queue, self); });
    }
}

Pool::~Pool() { stop(); }

bool Pool::submit(Job& job, Admission admission) {
    auto& queue = queues_[static_cast<std::size_t>(job.lane)];
    Worker* woken = nullptr;
    {
        const auto now = Pace::Clock::now();
        const std::lock_guard lock(queue.mutex);
        if (queue.stopped)
            return false;
        if (queue.asleep.empty()) {
            const auto first = queue.jobs.empty() ? now : queue.jobs.front().request.queued;
            if (admission == Admission::by_wait && queue.pace.is_too_long(queue.jobs.size(), first, now))
                return false;
            queue.pace.waits(now);
        }
        queue.jobs.push_back(std::move(job));
        if (!queue.asleep.empty()) {
            woken = queue.asleep.back();
            queue.asleep.pop_back();
            woken->asleep = false;
        }
    }
    if (woken)
        woken->woken.notify_one();
    return true;
}

void Pool::work(Queue& queue, Worker& self) {
    for (bool worked = false;; worked = true) {
        Job job;
        {
            std::unique_lock lock(queue.mutex);
            if (worked)
                queue.pace.free_worker(Pace::Clock::now(), queue.jobs.size());
            while (!queue.stopped && queue.jobs.empty()) {
                queue.asleep.push_back(&self);
                self.asleep = true;
                self.woken.wait(lock, [&] { return !self.asleep; });
            }
            if (queue.stopped)
                return;
            job = std::move(queue.jobs.front());
            queue.jobs.pop_front();
        }
        auto connection = std::move(job.connection);
        connection->work(std::move(job));
    }
}

void Pool::stop() {
    for (auto& queue : queues_) {
        std::deque<Job> forgotten;
        {
            const std::lock_guard lock(queue.mutex);
            queue.stopped = true;
            // Released outside the lock, since a job may hold the last reference to its connection.
            forgotten.swap(queue.jobs);
            for (Worker* worker : queue.asleep) {
                worker->asleep = false;
                worker->woken.notify_one();
            }
            queue.asleep.clear();
        }
    }
    for (auto& thread : threads_)
        thread.join();
    threads_.clear();
}

}  // namespace svc::http
