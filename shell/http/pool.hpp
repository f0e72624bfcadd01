// The worker pool: runs blocking work, never on an I/O thread.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "shell/http/budget.hpp"
#include "shell/http/pace.hpp"
#include "shell/http/server.hpp"

namespace svc::http {

class Connection;

struct Job {
    enum class Kind : std::uint8_t { answer, check };

    std::shared_ptr<Connection> connection;
    std::uint64_t ticket = 0;  // which answer of the connection it gives
    Lane lane = Lane::general;
    Kind kind = Kind::answer;  // or whether the caller may send a large body
    Request request;
    ByteBudget::Share share;  // of the request
};

// One queue and its own threads per lane, so that a flood in one leaves the others unaffected (R15). The number of
// waiting requests is not limited: their bytes are counted when they are read.
class Pool {
  public:
    // Of the general and of the checkout lane; the others have a few threads and the general lane's longest wait.
    struct Size {
        unsigned threads = 1;
        std::chrono::milliseconds longest_wait, longest_checkout_wait;
    };
    explicit Pool(const Size& size);
    ~Pool();

    enum class Admission : std::uint8_t { by_wait, always };
    // False, with `job` untouched, when it would wait too long or the pool has stopped. [any thread]
    [[nodiscard]] bool submit(Job& job, Admission admission = Admission::by_wait);
    // Forgets what waits, lets what runs finish.
    void stop();

  private:
    struct Worker {
        std::condition_variable woken;
        bool asleep = false;
    };
    struct Queue {
        explicit Queue(std::chrono::milliseconds longest_wait) : pace(longest_wait) {}
        std::mutex mutex;
        // Waiting threads; the last to come is woken first: its caches are warm, and the others stay asleep.
        std::vector<Worker*> asleep;
        std::deque<Worker> workers;
        std::deque<Job> jobs;
        Pace pace;
        bool stopped = false;
    };

    void work(Queue& queue, Worker& self);

    std::deque<Queue> queues_;  // by lane
    std::vector<std::thread> threads_;
};

}  // namespace svc::http
