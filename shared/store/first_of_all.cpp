// Keeps, for each thread, what comes first.
#include "shared/store/first_of_all.hpp"

#include <stdexcept>
#include <utility>

namespace svc::store {
namespace {

thread_local FirstOfAll* at_hand = nullptr;

}  // namespace

FirstOfAll::FirstOfAll(Work work) : work_(std::move(work)) {
    if (at_hand)
        throw std::logic_error("two things were to be first");
    at_hand = this;
}
FirstOfAll::~FirstOfAll() { at_hand = nullptr; }

FirstOfAll::Not::Not() noexcept : kept_(std::exchange(at_hand, nullptr)) {}
FirstOfAll::Not::~Not() { at_hand = kept_; }

std::function<Result<void>(Transaction&)> FirstOfAll::before(const std::function<Result<void>(Transaction&)>& work) {
    if (!at_hand)
        return [&work](Transaction& tx) { return work(tx); };
    return [&first = at_hand->work_, &work](Transaction& tx) {
        first(tx);
        return work(tx);
    };
}

}  // namespace svc::store
