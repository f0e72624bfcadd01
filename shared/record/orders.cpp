// Assembles the orders of a list. All parts are constants of the program.
#include "shared/record/orders.hpp"

#include <algorithm>
#include <stdexcept>

#include "shared/store/one_plan.hpp"

namespace svc::record {
namespace {

bool is_key(std::string_view key) {
    return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

// An expression that is one item of ORDER BY: its parentheses match, commas are inside them, it ends no statement,
// binds no value and has no direction.
bool is_sort_expression(std::string_view expression) {
    int depth = 0;
    bool quoted = false;
    for (const char c : expression) {
        if (c == '\'')
            quoted = !quoted;
        if (quoted)
            continue;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth < 0 || c == ';' || c == '"' || (c == ',' && depth == 0))
            return false;
    }
    return !expression.empty() && depth == 0 && !quoted && expression.find("--") == std::string_view::npos &&
           !expression.ends_with(" ASC") && !expression.ends_with(" DESC");
}

std::string order_clause(const std::vector<std::string>& by, const std::string& tie, std::string_view direction) {
    std::string clause = " ORDER BY ";
    for (const std::string& expression : by)
        clause.append(expression).append(direction).append(", ");
    if (std::find(by.begin(), by.end(), tie) == by.end())
        return clause.append(tie).append(direction);
    clause.resize(clause.size() - 2);
    return clause;
}

}  // namespace

Orders::Orders(std::string tie, std::vector<Sort> sorts) {
    if (sorts.empty())
        throw std::logic_error("A list needs at least one order.");
    for (const Sort& sort : sorts) {
        if (!is_key(sort.key))
            throw std::logic_error("A sort key has lower-case letters, digits and _ only: '" + sort.key + "'.");
        for (const Order& other : orders_)
            if (other.key == sort.key)
                throw std::logic_error("Two orders have the key '" + sort.key + "'.");
        std::vector<std::string> expressions = sort.by;
        expressions.push_back(tie);
        for (const std::string& expression : expressions)
            if (!is_sort_expression(expression))
                throw std::logic_error("The order '" + sort.key + "' cannot sort by '" + expression +
                                       "': name one column or expression, without a direction.");
        orders_.push_back({.key = sort.key,
                           .ascending = order_clause(sort.by, tie, " ASC"),
                           .descending = order_clause(sort.by, tie, " DESC"),
                           .one_plan = sort.one_plan});
    }
}

std::vector<std::string> Orders::keys() const {
    std::vector<std::string> keys;
    for (const Order& order : orders_)
        keys.push_back(order.key);
    return keys;
}

const Orders::Order& Orders::find(std::string_view key) const {
    const auto found = std::find_if(orders_.begin(), orders_.end(), [&](const Order& each) { return each.key == key; });
    return found == orders_.end() ? orders_.front() : *found;
}

const std::string& Orders::clause(std::string_view key, bool ascending) const {
    const Order& order = find(key);
    return ascending ? order.ascending : order.descending;
}

std::string Orders::page(const Head& head, std::string_view key, bool ascending) const {
    constexpr std::string_view limits = " LIMIT :limit OFFSET :offset";
    const Order& order = find(key);
    const std::string& by = ascending ? order.ascending : order.descending;
    const std::string_view mark = head.one_plan && order.one_plan ? store::one_plan : "";
    std::string statement;
    statement.reserve(mark.size() + head.sql.size() + by.size() + limits.size());
    return statement.append(mark).append(head.sql).append(by).append(limits);
}

}  // namespace svc::record
