// The member `attributes` of a trip: {attribute id: value}, written and read with the trip.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/catalog/trips/part.hpp"

namespace svc::catalog::attributes {

// Which attributes everyone may see; kept in memory, because each published trip asks. Any thread.
class ShownIds {
  public:
    void reload(store::Store& store);
    [[nodiscard]] std::shared_ptr<const std::vector<std::int64_t>> now() const;  // sorted

  private:
    mutable std::mutex swapping_;
    std::shared_ptr<const std::vector<std::int64_t>> ids_ = std::make_shared<const std::vector<std::int64_t>>();
};

// `shown` outlives the part.
std::shared_ptr<const trips::Part> make_part(const ShownIds& shown);

}  // namespace svc::catalog::attributes
