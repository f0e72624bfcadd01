// A use of a limit behind the plugin interface.
#include "shared/plugin/host_limits.hpp"

namespace svc::plugin {

Result<Limits::Left> Limits::take(const Use& use) const {
    constexpr const char* names[] = {"address", "mailbox", "key"};
    const auto text = json::Value::object({{"action", use.action},
                                           {"by", names[static_cast<std::size_t>(use.by)]},
                                           {"subject", use.subject},
                                           {"burst", use.burst},
                                           {"seconds", static_cast<std::int64_t>(use.per.count())},
                                           {"strict", use.strict}})
                          .dump();
    Answer answer;
    SVC_ASSIGN_OR_RETURN(const auto value, answer.value(table_->take(table_->self, borrow(text), answer.table())));
    const auto number = [&](std::string_view name) { return static_cast<int>(value.maybe_integer(name).value_or(0)); };
    return Left{.limit = number("limit"), .rest = number("rest"), .reset = number("reset")};
}

}  // namespace svc::plugin
