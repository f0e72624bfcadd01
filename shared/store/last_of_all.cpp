// Keeps, for each thread, what comes last.
#include "shared/store/last_of_all.hpp"

#include <stdexcept>

namespace svc::store {
namespace {

thread_local LastOfAll* at_hand = nullptr;

}  // namespace

LastOfAll::LastOfAll(TellLast tell, const std::type_info& wants) : tell_(std::move(tell)), wants_(wants) {
    if (at_hand)
        throw std::logic_error("two things were to be last");
    at_hand = this;
}
LastOfAll::~LastOfAll() { at_hand = nullptr; }

LastOfAll::Not::Not() noexcept : kept_(std::exchange(at_hand, nullptr)) {}
LastOfAll::Not::~Not() { at_hand = kept_; }

void LastOfAll::run(Transaction& tx, const void* value) {
    tell_(tx, value);
    tx.after_commit([this] { done_ = true; });
}

std::function<Result<void>(Transaction&)> LastOfAll::behind(std::function<Result<void>(Transaction&)> work) {
    if (!at_hand || at_hand->done_ || at_hand->wants_ != typeid(void))
        return work;
    return [last = at_hand, work = std::move(work)](Transaction& tx) {
        auto outcome = work(tx);
        // What was refused is not decided by whatever is written after it.
        if (!outcome)
            last->done_ = true;
        else if (!last->done_)
            last->run(tx, nullptr);
        return outcome;
    };
}

TellLast last_of(const std::type_info& type) {
    if (!at_hand || at_hand->done_ || at_hand->wants_ != type)
        return {};
    return [last = at_hand](Transaction& tx, const void* value) { last->run(tx, value); };
}

}  // namespace svc::store
