// Appends the work of LastOfAll.
#include "shared/store/last_of_all.hpp"

namespace svc::store {

LastOfAll::LastOfAll(LastWork work, const std::type_info& wants) : work_(std::move(work)), wants_(wants) {}

void LastOfAll::run(Transaction& tx, const void* value) {
    work_(tx, value);
    tx.after_commit([this] { done_ = true; });
}

std::function<Result<void>(Transaction&)> LastOfAll::behind(std::function<Result<void>(Transaction&)> work) {
    LastOfAll* const last = current();
    if (!last || last->done_ || last->wants_ != typeid(void))
        return work;
    return [last, work = std::move(work)](Transaction& tx) {
        auto outcome = work(tx);
        // A rejected write is not decided by later ones.
        if (!outcome)
            last->done_ = true;
        else if (!last->done_)
            last->run(tx, nullptr);
        return outcome;
    };
}

LastWork last_of(const std::type_info& type) {
    LastOfAll* const last = LastOfAll::current();
    if (!last || last->done_ || last->wants_ != type)
        return {};
    return [last](Transaction& tx, const void* value) { last->run(tx, value); };
}

}  // namespace svc::store
