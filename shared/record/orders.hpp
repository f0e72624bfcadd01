// The orders of a list, one for each value of `orderby`, assembled once at start from constants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::record {

// A value of `orderby` and its columns or SQL expressions, without a direction.
struct Sort {
    std::string key;
    std::vector<std::string> by;
    // An index has this order. In a list whose conditions belong to it (Head), PostgreSQL caches one plan.
    bool one_plan = false;
};

// A list's statement up to its last condition, a constant or made by Table::select at start.
struct Head {
    std::string sql;
    bool one_plan = false;  // its conditions always have the same right plan (shared/store/one_plan.hpp)
};

// Immutable after the start: any thread. A request chooses a key and never adds a text to a statement.
//
//     const record::Orders orders{"p.id", {{"created_at", {"p.created_at"}}, {"amount", {"p.amount_minor"}}}};
//     session.each(orders.page(head, page.order_by, page.ascending), …)  // binds :limit and :offset
class Orders {
  public:
    // `tie` is a unique column, the last of each order. The first of `sorts` is the default. Throws std::logic_error
    // for a duplicate or invalid key, and for an expression that is invalid after ORDER BY.
    Orders(std::string tie, std::vector<Sort> sorts);

    [[nodiscard]] std::vector<std::string> keys() const;  // the default first
    // " ORDER BY p.created_at DESC, p.id DESC"; an unknown key sorts as the default.
    [[nodiscard]] const std::string& clause(std::string_view key, bool ascending) const;
    // The whole statement of one page, with the parameters `:limit` and `:offset`.
    [[nodiscard]] std::string page(const Head& head, std::string_view key, bool ascending) const;

  private:
    struct Order {
        std::string key, ascending, descending;
        bool one_plan = false;
    };
    [[nodiscard]] const Order& find(std::string_view key) const;

    std::vector<Order> orders_;
};

}  // namespace svc::record
