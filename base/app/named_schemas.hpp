// Moves schemas that have a name (their `title`) into the components of an OpenAPI document, each once. Owns the
// schemas; one thread.
#pragma once

#include "shared/json/value.hpp"

namespace svc::app {

class NamedSchemas {
  public:
    // `taken`: components that the document has already; a schema of such a name stays in its place.
    explicit NamedSchemas(json::Value taken) : taken_(std::move(taken)) {}

    // The value with a reference in place of each named schema that is in it, at any depth.
    [[nodiscard]] json::Value move_to_components(json::Value value);
    // The schemas by name, in the order in which they were met.
    [[nodiscard]] const json::Value& all() const { return all_; }
    // The same; a schema that has all properties of another one refers to it (`allOf`) and adds the rest. The common
    // fields of a body that creates and one that updates become a schema that both refer to.
    [[nodiscard]] json::Value composed() const;

  private:
    json::Value referred(json::Value schema);

    json::Value taken_, all_ = json::Value::object();
};

}  // namespace svc::app
