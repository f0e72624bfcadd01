// Writing: answers in the order of the requests, deadlines, and the ways a connection ends.
#include <algorithm>
#include <sys/socket.h>
#include <utility>

#include "shell/http/barrier.hpp"
#include "shell/http/connection.hpp"
#include "shell/http/hub.hpp"

namespace svc::http {

void Connection::push(Due&& due) {
    due_.push_back(std::move(due));
    count_in_flight();
}

void Connection::count_in_flight() { crowded_.store(crowded(), std::memory_order_relaxed); }

bool Connection::crowded() const {
    const auto& limits = hub_.options.limits;
    return due_.size() + unsent_ >= limits.pipeline || output_.bytes() + waiting_bytes() >= limits.connection_bytes;
}

std::size_t Connection::waiting_bytes() const {
    std::size_t bytes = 0;
    for (const auto& due : due_)
        if (due.ready && due.response.body)
            bytes += due.response.body->size();
    return bytes;
}

void Connection::count_what_waits() {
    for (auto& due : due_)
        if (due.ready && due.response.body && !due.hold.holds())
            due.hold = ByteBudget::BodyHold(hub_.bytes, due.response.body, account_);
}

// All others wait for the first one, so their bytes do not count against it.
bool Connection::has_room_for(std::uint64_t ticket) const {
    const auto most = hub_.options.limits.connection_bytes;
    return output_.bytes() + (ticket == first_ticket_ ? 0 : waiting_bytes()) < most;
}

// A request of a client that does not take its answers waits here rather than on a worker.
bool Connection::postpone(Job& job) {
    const std::lock_guard lock(mutex_);
    if (ended_ || has_room_for(job.ticket))
        return false;
    put_off_.push_back(std::move(job));
    return true;
}

void Connection::run_postponed() {
    for (auto each = put_off_.begin(); each != put_off_.end();) {
        if (!ended_ && !has_room_for(each->ticket)) {
            ++each;
            continue;
        }
        Job job = std::move(*each);
        each = put_off_.erase(each);
        job.connection = shared_from_this();
        job.request.queued = Clock::now();
        if (!hub_.pool.submit(job, Pool::Admission::always))
            LiveCounters::remove(hub_.counters.in_flight);  // the pool has stopped, and the connection ends
    }
}

bool Connection::may_read_on(std::string& waited) {
    if (reading_ || !full_ || stopped_ || crowded())
        return false;
    full_ = false;
    reading_ = true;
    waited.swap(inbox_);
    return true;
}

// Brings everything to where it can get without waiting.
void Connection::settle(Clock::time_point now) {
    emit_ready();
    flush(now);
    count_what_waits();
    run_postponed();
    if ((last_emitted_ || (overflowed_ && due_.empty())) && output_.empty())
        end_after_last(now);
    else if (input_ended_ && idle())
        end();
    if (!reading_)
        set_deadline(now);
}

void Connection::emit_ready() {
    while (!due_.empty() && due_.front().ready) {
        auto& due = due_.front();
        const bool only = due_.size() == 1;
        emit(due, due.persist == Persist::close || (only && (hub_.draining || overflowed_)));
        due_.erase(due_.begin());
        ++first_ticket_;
    }
    count_in_flight();
    if (continue_due_ && due_.empty() && !last_emitted_ && !ended_) {
        output_.text().append("HTTP/1.1 100 Continue\r\n\r\n");
        continue_due_ = false;
    }
}

void Connection::emit(Due& due, bool last) {
    if (last_emitted_ || ended_)
        return;
    const auto persist = last ? Persist::close : due.persist;
    if (!append_head(output_.text(), due.response, persist)) {
        due.response = failure_of(hub_.application, 500);
        if (!append_head(output_.text(), due.response, persist)) {
            due.response = Response{500, {}, nullptr};
            static_cast<void>(append_head(output_.text(), due.response, persist));
        }
    }
    if (!due.head_only && has_body(due.response.status)) {
        if (due.response.file)
            output_.body(std::move(due.response.file), due.response.file_from, due.response.size());
        else
            output_.body(std::move(due.response.body));
    }
    if (watched_)
        behind_bytes_ += due.response.size();
    ++unsent_;
    count_in_flight();
    if (last)
        last_emitted_ = stopped_ = true;
}

void Connection::flush(Clock::time_point now) {
    if (watched_ || ended_ || output_.empty())
        return;
    bool progress = false;
    const auto sent = output_.send(socket_, progress);
    if (sent == Output::Sent::all) {
        unsent_ = 0;
        return count_in_flight();
    }
    behind_since_ = now;
    behind_bytes_ = output_.bytes();
    count_in_flight();
    write_deadline_ = now + hub_.options.limits.write_time;
    watched_ = sent == Output::Sent::some && hub_.drain.watch(shared_from_this());
    if (!watched_)
        end();
}

void Connection::resume(const std::function<bool(bool more)>& keep_watching) {
    std::string waited;
    {
        const std::lock_guard lock(mutex_);
        bool progress = false;
        const auto now = Clock::now();
        const auto sent = output_.send(socket_, progress);
        if (progress)
            write_deadline_ = now + hub_.options.limits.write_time;
        watched_ = keep_watching(sent == Output::Sent::some);
        if (sent == Output::Sent::all)
            unsent_ = 0;
        else if (!watched_)
            end();
        settle(now);
        if (!may_read_on(waited))
            return;
    }
    read(waited);
}

bool Connection::idle() const { return !reading_ && !full_ && due_.empty() && output_.empty(); }

void Connection::set_deadline(Clock::time_point now) {
    const auto& limits = hub_.options.limits;
    if (ended_ || waits_ == Waits::close)
        return;
    if (last_emitted_) {
        waits_ = Waits::nothing;
    } else if (in_body_) {
        waits_ = Waits::body;
        deadline_ = body_began_ + limits.body_time;
    } else if (!unread_.empty() && !full_) {
        waits_ = Waits::head;
        deadline_ = head_began_ + limits.head_time;
    } else if (idle()) {
        waits_ = Waits::request;
        deadline_ = now + (hub_.draining ? limits.grace : limits.idle_time);
    } else {
        waits_ = Waits::nothing;
    }
}

// How long a client may take over its body or its answers while others need the memory.
Connection::Clock::time_point Connection::pressed_deadline() const {
    const auto& limits = hub_.options.limits;
    const auto at_pace = [&](std::size_t bytes) {
        return limits.pressed_time +
               std::chrono::milliseconds(bytes * 1000 / std::max<std::size_t>(1, limits.pressed_pace));
    };
    if (watched_)
        return std::min(write_deadline_ - limits.write_time + limits.pressed_time,
                        behind_since_ + at_pace(behind_bytes_));
    if (!in_body_ || checking_)
        return Clock::time_point::max();
    return std::min(body_heard_ + limits.pressed_time, body_began_ + at_pace(request_.body.size()));
}

void Connection::look(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (ended_)
        return;
    const bool is_pressed =
        !reading_ && (hub_.bytes.is_pressed_for(account_.get()) || (in_body_ && hub_.upload_bytes.is_pressed()));
    const auto pressed = is_pressed ? pressed_deadline() : Clock::time_point::max();
    if (watched_ && now >= std::min(write_deadline_, pressed)) {
        // Otherwise the kernel keeps unsent data until the client leaves.
        const linger none{1, 0};
        static_cast<void>(setsockopt(socket_, SOL_SOCKET, SO_LINGER, &none, sizeof none));
        return end();
    }
    if (reading_ || now < (waits_ == Waits::body ? std::min(deadline_, pressed) : deadline_))
        return;
    switch (waits_) {
        case Waits::nothing:
            return;
        case Waits::request:
            if (!bytes_wait())
                end();
            return;
        case Waits::close:
            return end();
        case Waits::head:
        case Waits::body:
            break;
    }
    hub_.counters.refused(408);
    stopped_ = true;
    in_body_ = false;
    unread_.clear();
    request_.body = {};
    request_share_.set(0);
    Due due;
    due.response =
        waits_ == Waits::body ? failure_of(hub_.application, 408, request_.headers) : failure_of(hub_.application, 408);
    due.persist = Persist::close;
    due.ready = true;
    push(std::move(due));
    settle(now);
}

void Connection::input_ended() {
    const std::lock_guard lock(mutex_);
    input_ended_ = true;
    settle(Clock::now());
}

void Connection::close_if_idle() {
    const std::lock_guard lock(mutex_);
    if (idle() && !in_body_ && unread_.empty() && !bytes_wait())
        end();
}

// Whether the kernel holds a request, or its beginning, that our I/O thread has not come to.
bool Connection::bytes_wait() const {
    char byte = 0;
    return !input_ended_ && ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void Connection::abort() {
    const std::lock_guard lock(mutex_);
    end();
}

// The kernel has the last answer. Closing at once could destroy it if the client is still sending, so only our
// direction is closed, and input is discarded for a while.
void Connection::end_after_last(Clock::time_point now) {
    if (input_ended_)
        return end();
    if (ended_ || waits_ == Waits::close)
        return;
    ::shutdown(socket_, SHUT_WR);
    waits_ = Waits::close;
    deadline_ = now + hub_.options.limits.linger_time;
}

// The transport sees the end of input and lets go of the connection on its own thread.
void Connection::end() {
    if (ended_)
        return;
    ended_ = stopped_ = true;
    output_.clear();
    for (auto& due : due_)
        due.hold = {};
    for ([[maybe_unused]] const auto& job : put_off_)
        LiveCounters::remove(hub_.counters.in_flight);
    put_off_.clear();
    ::shutdown(socket_, SHUT_RDWR);
}

}  // namespace svc::http
