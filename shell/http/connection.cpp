// Reading: from bytes to requests, and where each is answered.
#include "shell/http/connection.hpp"

#include <algorithm>
#include <unistd.h>
#include <utility>

#include "shell/http/barrier.hpp"
#include "shell/http/hub.hpp"

namespace svc::http {
namespace {

// A declared length reserves at most this ahead; more is only allocated as bytes arrive (R12).
constexpr std::size_t most_reserved = 64 * 1024;
// Bytes that may wait for room in the pipeline, in heads.
constexpr std::size_t waiting_heads = 4;

// The approximate memory of a waiting request.
std::size_t bytes_of(const Request& request) {
    constexpr std::size_t around = 1024;
    std::size_t bytes = around + request.body.capacity() + request.target.capacity();
    for (const auto& [name, value] : request.headers)
        bytes += sizeof(Header) + name.capacity() + value.capacity();
    return bytes;
}

}  // namespace

Connection::Connection(Hub& hub, std::uint64_t id, Source& source, int transport_socket, int socket, std::string peer)
    : hub_(hub),
      id_(id),
      source_(source),
      transport_socket_(transport_socket),
      socket_(socket),
      peer_(std::move(peer)),
      account_(hub.bytes.account(hub.application.network(peer_))),
      request_share_(hub.bytes, account_),
      gate_(hub.options.limits),
      output_(hub.bytes, account_) {
    deadline_ = Clock::now() + (hub_.draining ? hub_.options.limits.grace : hub_.options.limits.idle_time);
}

Connection::~Connection() {
    ::close(socket_);
    hub_.forget(*this);
}

void Connection::input(std::string_view bytes) {
    {
        const std::lock_guard lock(mutex_);
        if (stopped_)
            return;
        if (reading_ || full_ || checking_) {
            inbox_.append(bytes);
            if (full_ && (inbox_.size() > waiting_heads * hub_.options.limits.head ||
                          (!reading_ && !request_share_.resize(unread_.capacity() + inbox_.capacity())))) {
                overflowed_ = stopped_ = true;
                inbox_.clear();
            }
            return;
        }
        reading_ = true;
    }
    read(bytes);
}

void Connection::read(std::string_view fresh) {
    std::string more;
    for (;;) {
        if (unread_.empty()) {
            const auto used = parse(fresh);
            unread_.assign(fresh.substr(used));
        } else {
            unread_.append(fresh);
            unread_.erase(0, parse(unread_));
        }
        if (!count_request()) {
            refuse(503);
            unread_ = {};
        }
        const std::lock_guard lock(mutex_);
        const bool goes_on_with_body = checked_;
        if (checked_)
            end_check();
        emit_ready();
        flush(Clock::now());
        full_ = blocked_ && crowded();
        const bool goes_on = !stopped_ && !full_ && !checking_ && (blocked_ || goes_on_with_body || !inbox_.empty());
        if (!goes_on) {
            reading_ = false;
            return settle(Clock::now());
        }
        more.clear();
        more.swap(inbox_);
        fresh = more;
    }
}

// Returns how much is done with; all of it once no more requests are taken.
std::size_t Connection::parse(std::string_view bytes) {
    std::size_t at = 0;
    blocked_ = false;
    while (!stopped_ && !checking_)
        if (!(in_body_ ? parse_body(bytes, at) : parse_head(bytes, at)))
            break;
    return stopped_ ? bytes.size() : at;
}

bool Connection::parse_body(std::string_view bytes, std::size_t& at) {
    if (at == bytes.size())
        return false;
    const auto step = parser_.body(bytes.substr(at), request_.body, plan_.body_limit);
    at += step.used;
    body_heard_ = Clock::now();
    if (step.refusal != 0) {
        refuse(step.refusal);
        return false;
    }
    if (parser_.expects_continue() && step.used > 0)
        owe_continue(false);
    if (!parser_.done())
        return false;
    serve();
    return true;
}

bool Connection::parse_head(std::string_view bytes, std::size_t& at) {
    auto rest = bytes.substr(at);
    if (!blank_skipped_ && rest.starts_with("\r\n")) {
        blank_skipped_ = true;
        at += 2;
        rest.remove_prefix(2);
    }
    if (rest.empty())
        return false;
    if (crowded_.load(std::memory_order_relaxed)) {
        blocked_ = true;
        return false;
    }
    const bool half_blank = !blank_skipped_ && rest == "\r";
    const auto verdict = half_blank ? Gate::Verdict{} : gate_.scan(rest);
    if (verdict.refusal != 0) {
        request_.method.clear();
        refuse(verdict.refusal);
        return false;
    }
    if (verdict.head == 0) {
        if (head_began_ == Clock::time_point{})
            head_began_ = Clock::now();
        return false;
    }
    gate_.reset();
    blank_skipped_ = false;
    head_began_ = {};
    at += verdict.head;
    begin(rest.substr(0, verdict.head), rest.size() > verdict.head);
    return true;
}

void Connection::begin(std::string_view head, bool body_follows) {
    request_.received = Clock::now();
    request_.peer = peer_;
    request_.body.clear();
    request_.headers.clear();
    request_.headers.reserve(16);
    if (const int status = parser_.begin(head, request_))
        return refuse(status);
    plan_ = Plan{};
    if (const int status = plan_of(hub_.application, request_, plan_))
        return refuse(status);
    const bool may_grow = plan_.proven_body_limit > plan_.body_limit;
    if (parser_.length() > (may_grow ? plan_.proven_body_limit : plan_.body_limit))
        return refuse(413);
    if (parser_.done())
        return serve();
    // The length of a chunked body is unknown.
    const bool is_large = may_grow && (parser_.length() == 0 || parser_.length() > plan_.body_limit);
    if (parser_.length() > ByteBudget::small_share &&
        !(is_large ? hub_.upload_bytes.has_room_for(parser_.length())
                   : hub_.bytes.has_room_for(parser_.length(), account_.get())))
        return refuse(503);
    in_body_ = true;
    body_began_ = body_heard_ = request_.received;
    if (is_large)
        return check_caller();
    request_.body.reserve(std::min(parser_.length(), most_reserved));
    if (parser_.expects_continue() && !body_follows)
        owe_continue(true);
}

// Before a large body is read its sender's credential is looked up, which waits for the database.
void Connection::check_caller() {
    Job job{shared_from_this(), 0, plan_.lane, Job::Kind::check, request_, {}};
    job.request.queued = Clock::now();
    checking_ = true;
    if (hub_.pool.submit(job))
        return;
    checking_ = false;
    refuse(503);
}

// With the reading role too.
void Connection::end_check() {
    checked_ = checking_ = false;
    if (stopped_)
        return;
    if (check_refusal_) {
        stopped_ = true;
        in_body_ = false;
        Due due;
        due.response = std::move(*check_refusal_);
        due.persist = Persist::close;
        due.ready = true;
        due.head_only = request_.method == "HEAD";
        return push(std::move(due));
    }
    plan_.body_limit = plan_.proven_body_limit;
    request_share_ = ByteBudget::Share(hub_.upload_bytes);
    body_heard_ = Clock::now();
    continue_due_ = parser_.expects_continue();
}

// Counts the unread bytes. False when they exceed the limit.
bool Connection::count_request() {
    if (stopped_ || (unread_.empty() && !in_body_)) {
        request_share_ = ByteBudget::Share(hub_.bytes, account_);
        return true;
    }
    return request_share_.resize(unread_.capacity() + (in_body_ ? request_.body.capacity() : 0));
}

Connection::Due Connection::due_for_request() const {
    Due due;
    due.head_only = request_.method == "HEAD";
    if (!parser_.keep_alive())
        due.persist = Persist::close;
    else if (parser_.http10())
        due.persist = Persist::explicit_;
    return due;
}

void Connection::serve() {
    in_body_ = false;
    LiveCounters::add(hub_.counters.requests);
    auto due = due_for_request();
    if (due.persist == Persist::close)
        stopped_ = true;
    request_.tried = false;
    if (plan_.waits || !serve_here(due))
        serve_in_pool(std::move(due));
}

// False, with nothing done, when the answer would have to wait.
bool Connection::serve_here(Due& due) {
    if (hub_.bytes.is_full_for(account_.get()))
        return false;  // refused where it would wait
    LiveCounters::add(hub_.counters.in_flight);
    auto response = answer_at_once_of(hub_.application, request_);
    LiveCounters::remove(hub_.counters.in_flight);
    if (!response) {
        request_.tried = true;
        return false;
    }
    if (response->last)
        due.persist = Persist::close;
    due.response = std::move(*response);
    due.ready = true;
    const std::lock_guard lock(mutex_);
    if (due_.empty())
        emit(due, due.persist == Persist::close || hub_.draining);
    else
        push(std::move(due));
    return true;
}

void Connection::serve_in_pool(Due&& due) {
    Job job{shared_from_this(), 0, plan_.lane, Job::Kind::answer, std::move(request_), std::move(request_share_)};
    request_share_ = ByteBudget::Share(hub_.bytes, account_);
    const bool has_memory = job.share.resize(bytes_of(job.request)) && !hub_.bytes.is_full_for(account_.get());
    {
        const std::lock_guard lock(mutex_);
        if (last_emitted_ || ended_)
            return;
        job.ticket = first_ticket_ + due_.size();
        push(std::move(due));
    }
    LiveCounters::add(hub_.counters.in_flight);
    job.request.queued = Clock::now();
    if (has_memory && hub_.pool.submit(job))
        return;
    hub_.counters.refused(503);
    answer(job.ticket, overload_of(hub_.application, job.request.headers));
}

void Connection::refuse(int status) {
    hub_.counters.refused(status);
    stopped_ = true;
    in_body_ = false;
    Due due;
    // Before its head is read the fields are those of the request before.
    static const std::vector<Header> none;
    const auto& fields = request_.method.empty() ? none : request_.headers;
    due.response = status == 503 ? overload_of(hub_.application, fields) : failure_of(hub_.application, status, fields);
    due.persist = Persist::close;
    due.ready = true;
    due.head_only = request_.method == "HEAD";
    request_.body = {};
    request_share_.set(0);
    const std::lock_guard lock(mutex_);
    push(std::move(due));
}

void Connection::owe_continue(bool owed) {
    const std::lock_guard lock(mutex_);
    continue_due_ = owed;
}

// The client has closed the connection, or the request has waited too long.
bool Connection::is_over(const Job& job) {
    auto longest = hub_.options.limits.queue_time;
    if (job.lane == Lane::checkout)  // which admits requests that wait longer
        longest = std::max(longest, hub_.options.longest_checkout_wait);
    if (Clock::now() - job.request.queued > longest)
        return true;
    const std::lock_guard lock(mutex_);
    return ended_;
}

void Connection::work(Job&& job) {
    try {
        if (job.kind == Job::Kind::check)
            return check(job);
        if (postpone(job))
            return;
        if (is_over(job) || hub_.bytes.is_full_for(account_.get())) {
            hub_.counters.refused(503);
            return answer(job.ticket, overload_of(hub_.application, job.request.headers));
        }
        answer(job.ticket, answer_of(hub_.application, std::move(job.request)));
    } catch (...) {
        abort();  // out of memory: a connection that misses an answer must not go on
    }
}

void Connection::check(const Job& job) {
    const Request& head = job.request;
    std::optional<Response> refusal;
    if (is_over(job)) {
        hub_.counters.refused(503);
        refusal = overload_of(hub_.application, head.headers);
    } else {
        refusal = refusal_of_head_of(hub_.application, head);
    }
    std::string more;
    bool reads = false;
    {
        const std::lock_guard lock(mutex_);
        check_refusal_ = std::move(refusal);
        checked_ = true;
        if (!reading_) {
            reads = reading_ = true;
            more.swap(inbox_);
        }
    }
    if (reads)
        read(more);
    source_.read_on(transport_socket_);
}

void Connection::answer(std::uint64_t ticket, Response&& response) {
    std::string more;  // waited for room in the pipeline
    {
        const std::lock_guard lock(mutex_);
        const auto place = ticket - first_ticket_;
        if (place >= due_.size() || due_[place].ready)
            return LiveCounters::add(hub_.counters.second_answers);
        LiveCounters::remove(hub_.counters.in_flight);
        if (response.last)
            due_[place].persist = Persist::close;
        due_[place].response = std::move(response);
        due_[place].ready = true;
        settle(Clock::now());
        if (!may_read_on(more))
            return;
    }
    read(more);
}

}  // namespace svc::http
