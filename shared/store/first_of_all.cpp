// Prepends the work of FirstOfAll.
#include "shared/store/first_of_all.hpp"

namespace svc::store {

std::function<Result<void>(Transaction&)> FirstOfAll::before(const std::function<Result<void>(Transaction&)>& work) {
    const FirstOfAll* const first = current();
    if (!first)
        return [&work](Transaction& tx) { return work(tx); };
    return [first, &work](Transaction& tx) {
        first->work_(tx);
        return work(tx);
    };
}

}  // namespace svc::store
