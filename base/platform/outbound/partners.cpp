// Counts partners that did not answer, under one lock.
#include "base/platform/outbound/partners.hpp"

#include <algorithm>
#include <utility>

namespace svc::outbound {
namespace {

// Targets come from the operator and from providers; an endless number of dead ones must not exhaust memory.
constexpr std::size_t most_known = 1000;

}  // namespace

Partners::Turn::Turn(Partners& partners, std::string target)
    : partners_(partners), target_(std::move(target)), may_ask_(partners_.enter(target_)) {}

Partners::Turn::~Turn() {
    if (may_ask_)
        partners_.leave(target_);
}

void Partners::Turn::set_answered() { partners_.set_unanswered(target_, false); }

void Partners::Turn::unanswered() { partners_.set_unanswered(target_, true); }

bool Partners::enter(const std::string& target) {
    const std::lock_guard lock(mutex_);
    Known& known = known_[target];
    if (known.unanswered >= silent_after && known.waiting >= most_waiting)
        return false;
    ++known.waiting;
    return true;
}

void Partners::leave(const std::string& target) {
    const std::lock_guard lock(mutex_);
    Known& known = known_[target];
    --known.waiting;
    if (known.waiting == 0 && (known.unanswered == 0 || known_.size() > most_known))
        known_.erase(target);
}

void Partners::set_unanswered(const std::string& target, bool more) {
    const std::lock_guard lock(mutex_);
    int& unanswered = known_[target].unanswered;
    unanswered = more ? std::min(unanswered + 1, silent_after) : 0;
}

}  // namespace svc::outbound
