// Stores equal declarations once: the routes repeat the same fields about ten times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "shared/api/schema.hpp"

namespace svc::api {

// One thread, while routes are declared. Shared contents remain valid without it.
class Sharing {
  public:
    // The same schema, its parts those of equal ones that were seen before.
    Schema query(const Schema& schema);
    // The same of an answer: every member is required, but for sometimes_sent ones. Doing it again changes nothing.
    Type answer(Type type);
    // The same of a body: an object below it whose members may be left out is another component than the answer's,
    // "IconInput".
    Schema body(const Schema& schema);

  private:
    enum class Of : std::uint8_t { query, body, answer };
    Schema shared(const Schema& schema, Of of);
    Type shared(Type type, Of of);

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
