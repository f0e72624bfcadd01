// Discounts of tests, written as staff's routes write them.
#pragma once

#include "base/sales/discounts/service.hpp"

namespace svc::tests {

// `id` 0: a new one. The body is clean.
inline Result<discounts::Discount> written(store::Store& store, const discounts::Service& discounts,
                                           const json::Value& body, std::int64_t id = 0) {
    return store.transact<discounts::Discount>([&](store::Transaction& tx) {
        return id == 0 ? discounts.resource().create(tx, {}, body, {}) : discounts.resource().update(tx, id, body, {});
    });
}

inline std::optional<discounts::Discount> stored(store::Store& store, std::int64_t id) {
    return store.reading<std::optional<discounts::Discount>>(
        [&](store::Session& session) { return discounts::discount_record().find(session, id); });
}

}  // namespace svc::tests
