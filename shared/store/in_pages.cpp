// A transaction that is run again begins its page again.
#include "shared/store/in_pages.hpp"

namespace svc::store {

Result<std::int64_t> in_pages(Store& store,
                              const std::function<std::int64_t(Transaction& tx, std::int64_t& last)>& page) {
    std::int64_t count = 0, last = 0;
    for (bool more = true; more;) {
        std::int64_t seen = last;
        const auto some = store.transact<std::int64_t>([&](Transaction& tx) -> Result<std::int64_t> {
            seen = last;
            return page(tx, seen);
        });
        if (!some)
            return some.error();
        count += *some;
        more = seen != last;
        last = seen;
    }
    return count;
}

}  // namespace svc::store
