// The member `attributes` of a trip: {attribute id: value}, written and read with the trip.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/catalog/attributes/value.hpp"
#include "base/catalog/trips/record/part.hpp"

namespace svc::catalog::attributes {

// The ids of attributes that public trips need, cached in memory. Any thread.
class ShownIds {
  public:
    struct Ids {
        std::vector<std::int64_t> shown;                                // everyone may see them; sorted
        std::vector<std::int64_t> unsearched;                           // excluded from search; sorted
        std::vector<Definition> filters;                                // lists can be cut by them; by their ids
        [[nodiscard]] const Definition* filter(std::int64_t id) const;  // null: not filterable
    };
    void reload(store::Store& store);
    [[nodiscard]] std::shared_ptr<const Ids> now() const;

  private:
    mutable std::mutex swapping_;
    std::shared_ptr<const Ids> ids_ = std::make_shared<const Ids>();
};

// `shown` outlives the part.
std::shared_ptr<const trips::Part> make_part(const ShownIds& shown);

}  // namespace svc::catalog::attributes
