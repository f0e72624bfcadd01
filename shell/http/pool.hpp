// The bounded worker pool: what may wait runs here, never on an I/O thread.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "shell/http/server.hpp"

namespace svc::http {

class Connection;

struct Job {
    std::shared_ptr<Connection> connection;
    std::uint64_t ticket = 0;  // which answer of the connection it gives
    Request request;
};

// One queue and its own threads per lane, so a flood of one kind leaves the others theirs (R15).
class Pool {
  public:
    // `queue` 0 is four waiting requests a thread.
    Pool(unsigned general_threads, std::size_t queue);
    ~Pool();

    // False, with `job` untouched, when the lane's queue is full or the pool has stopped. [any thread]
    [[nodiscard]] bool submit(Lane lane, Job& job);
    // Forgets what waits, lets what runs finish.
    void stop();

  private:
    struct Worker {
        std::condition_variable woken;
        bool asleep = false;
    };
    struct Queue {
        std::mutex mutex;
        // Who waits; the last to come is woken first: its caches are warm, and those of the others are left alone.
        std::vector<Worker*> asleep;
        std::deque<Worker> workers;
        std::vector<Job> jobs;  // a ring
        std::size_t first = 0, count = 0;
        bool stopped = false;
    };

    void work(Queue& queue, Worker& self);

    std::array<Queue, 5> queues_;
    std::vector<std::thread> threads_;
};

}  // namespace svc::http
