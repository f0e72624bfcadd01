// Threads and ring queues of the pool.
#include "shell/http/pool.hpp"

#include <algorithm>
#include <utility>

#include "shell/http/connection.hpp"

namespace svc::http {

Pool::Pool(unsigned general_threads, std::size_t queue) {
    const std::array<std::size_t, 5> threads{std::max(1U, general_threads), 2, 1, 4, 2};
    for (std::size_t lane = 0; lane < queues_.size(); ++lane)
        queues_[lane].jobs.resize(queue != 0 ? std::min(queue, 4 * threads[lane]) : 4 * threads[lane]);
    for (std::size_t lane = 0; lane < queues_.size(); ++lane)
        for (std::size_t i = 0; i < threads[lane]; ++i)
            threads_.emplace_back(
                [this, &queue = queues_[lane], &self = queues_[lane].workers.emplace_back()] { work(queue, self); });
}

Pool::~Pool() { stop(); }

bool Pool::submit(Lane lane, Job& job) {
    auto& queue = queues_[static_cast<std::size_t>(lane)];
    Worker* woken = nullptr;
    {
        const std::lock_guard lock(queue.mutex);
        if (queue.stopped || queue.count == queue.jobs.size())
            return false;
        queue.jobs[(queue.first + queue.count) % queue.jobs.size()] = std::move(job);
        ++queue.count;
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
    for (;;) {
        Job job;
        {
            std::unique_lock lock(queue.mutex);
            while (!queue.stopped && queue.count == 0) {
                queue.asleep.push_back(&self);
                self.asleep = true;
                self.woken.wait(lock, [&] { return !self.asleep; });
            }
            if (queue.stopped)
                return;
            job = std::move(queue.jobs[queue.first]);
            queue.jobs[queue.first] = Job{};
            queue.first = (queue.first + 1) % queue.jobs.size();
            --queue.count;
        }
        job.connection->work(job.ticket, std::move(job.request));
    }
}

void Pool::stop() {
    for (auto& queue : queues_) {
        std::vector<Job> forgotten;
        {
            const std::lock_guard lock(queue.mutex);
            queue.stopped = true;
            queue.count = 0;
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
