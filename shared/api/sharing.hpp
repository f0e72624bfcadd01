// Stores equal declarations once: the routes repeat the same fields about ten times.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>

#include "shared/api/schema.hpp"

namespace svc::api {

// One thread, while routes are declared. Shared contents remain valid without it.
class Sharing {
  public:
    // The same schema or type, its parts those of equal ones that were seen before.
    Schema shared(const Schema& schema);
    Type shared(Type type);

  private:
    // By a hash of some of their members; equality decides.
    template <class T>
    using Known = std::unordered_multimap<std::size_t, std::shared_ptr<const T>>;
    template <class T>
    static std::shared_ptr<const T> once(Known<T>& known, std::size_t hash, const T& value);

    Known<Field> fields_;
    Known<Type> types_;
    Known<Schema> schemas_;
};

}  // namespace svc::api
