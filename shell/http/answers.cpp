// Writing: answers in the order of the requests, deadlines, and the ways a connection ends.
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

void Connection::count_in_flight() { in_flight_.store(due_.size() + unsent_, std::memory_order_relaxed); }

bool Connection::crowded() const { return due_.size() + unsent_ >= hub_.options.limits.pipeline; }

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
    if (continue_owed_ && due_.empty() && !last_emitted_ && !ended_) {
        output_.text().append("HTTP/1.1 100 Continue\r\n\r\n");
        continue_owed_ = false;
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

void Connection::look(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (ended_)
        return;
    if (watched_ && now >= write_deadline_) {
        // Or the kernel kept what it was given until the client went away.
        const linger none{1, 0};
        static_cast<void>(setsockopt(socket_, SOL_SOCKET, SO_LINGER, &none, sizeof none));
        return end();
    }
    if (reading_ || now < deadline_)
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

// The last answer is with the kernel. Closing at once could destroy it on its way if the client is still sending, so
// only our direction is closed and what comes is thrown away for a while.
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
    ::shutdown(socket_, SHUT_RDWR);
}

}  // namespace svc::http
