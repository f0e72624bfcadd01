// The columns of amounts: money in the currency of another member, or of the amount itself.
#pragma once

#include "shared/record/column.hpp"

namespace svc::record {

// An amount in the currency of the same struct's member `currency`; stored in `<name>_minor` unless stored_as()
// overrides it. M: Money or std::optional<Money>.
template <class T, class M>
Entry<T> money(std::string name, Member<T, M> member, Member<T, Currency> currency, api::Type type = api::money(),
               Mark mark = {}, std::string help = {}) {
    if (mark.stored.empty())
        mark.stored = name + "_minor";
    auto entry = column(std::move(name), member, std::move(type), std::move(mark), std::move(help));
    entry.columns.front().currency = currency.offset;
    return entry;
}
template <class T, class M>
Entry<T> money(std::string name, M T::*member, Currency T::*currency, api::Type type = api::money(), Mark mark = {},
               std::string help = {}) {
    return money(std::move(name), Member<T, M>(member), Member<T, Currency>(currency), std::move(type), std::move(mark),
                 std::move(help));
}

// The currency that an amount of the struct carries itself, where the struct has no member for it. A column of it is
// declared once; all amounts are read in it:
//     column("currency", currency_of(&Payment::amount), api::text(3)),
//     money("amount", &Payment::amount, currency_of(&Payment::amount)),
template <class T>
struct CurrencyOf {
    std::size_t offset = 0;  // of the amount
};
template <class T>
CurrencyOf<T> currency_of(Member<T, Money> amount) {
    return {amount.offset};
}
template <class T>
CurrencyOf<T> currency_of(Money T::*amount) {
    return {Member<T, Money>(amount).offset};
}
template <class T>
Entry<T> column(std::string name, CurrencyOf<T> amount, api::Type type, Mark mark = {}, std::string help = {}) {
    return {{column_of(std::move(name), amount_currency_codec(), amount.offset, std::move(type), std::move(mark),
                       std::move(help))}};
}
template <class T, class M>
Entry<T> money(std::string name, Member<T, M> member, CurrencyOf<T> currency, api::Type type = api::money(),
               Mark mark = {}, std::string help = {}) {
    auto entry = money(std::move(name), member, Member<T, Currency>(currency.offset), std::move(type), std::move(mark),
                       std::move(help));
    entry.columns.front().currency_in_amount = true;
    return entry;
}
template <class T, class M>
Entry<T> money(std::string name, M T::*member, CurrencyOf<T> currency, api::Type type = api::money(), Mark mark = {},
               std::string help = {}) {
    return money(std::move(name), Member<T, M>(member), currency, std::move(type), std::move(mark), std::move(help));
}

// Read from an SQL expression as derived() is.
template <class T>
Entry<T> derived_money(std::string name, Money T::*member, Currency T::*currency, std::string expression,
                       std::string help = {}) {
    auto entry = derived(std::move(name), member, std::move(expression), api::money(), std::move(help));
    entry.columns.front().currency = Member<T, Currency>(currency).offset;
    return entry;
}

}  // namespace svc::record
