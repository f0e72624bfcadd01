// Reads and writes each supported member type as cell and as JSON.
#include <charconv>

#include "shared/core/exact_money.hpp"
#include "shared/core/log.hpp"
#include "shared/record/column.hpp"

namespace svc::record {
namespace {

template <class M>
M& member_of(const Column& column, void* record) {
    return *reinterpret_cast<M*>(static_cast<char*>(record) + column.offset);
}
template <class M>
const M& member_of(const Column& column, const void* record) {
    return *reinterpret_cast<const M*>(static_cast<const char*>(record) + column.offset);
}
Currency currency_of(const Column& column, const void* record) {
    const char* const at = static_cast<const char*>(record) + column.currency;
    return column.currency_in_amount ? reinterpret_cast<const Money*>(at)->currency()
                                     : *reinterpret_cast<const Currency*>(at);
}

json::Value json_in(const Column& column, const std::string& text, const json::Value& empty) {
    if (text.empty())
        return empty;
    auto parsed = json::parse(text, {.elements = 100'000, .text = 1 << 20});
    if (parsed)
        return std::move(*parsed);
    log::warning("corrupt_json_column", {{"column", column.stored}});
    return empty;
}

// read, cell_of, json_of and take of one type.
template <class M>
struct As;

template <>
struct As<std::int64_t> {
    static constexpr char cell = 'i';
    static std::int64_t read(const Column&, const void*, const store::Row& row, std::size_t at) {
        return row.integer(at);
    }
    static store::Cell cell_of(std::int64_t value) { return value; }
    static json::Value json_of(std::int64_t value) { return value; }
    static Result<std::int64_t> take(const Column&, const void*, const json::Value& given) { return given.integer(); }
};
template <>
struct As<int> {
    static constexpr char cell = 'i';
    static int read(const Column&, const void*, const store::Row& row, std::size_t at) {
        return static_cast<int>(row.integer(at));
    }
    static store::Cell cell_of(int value) { return std::int64_t{value}; }
    static json::Value json_of(int value) { return value; }
    static Result<int> take(const Column&, const void*, const json::Value& given) {
        return static_cast<int>(given.integer());
    }
};
template <>
struct As<bool> {
    static constexpr char cell = 'i';
    static bool read(const Column&, const void*, const store::Row& row, std::size_t at) { return row.flag(at); }
    static store::Cell cell_of(bool value) { return std::int64_t{value ? 1 : 0}; }
    static json::Value json_of(bool value) { return value; }
    static Result<bool> take(const Column&, const void*, const json::Value& given) { return given.boolean(); }
};
template <>
struct As<std::string> {
    static constexpr char cell = 't';
    static std::string read(const Column& column, const void*, const store::Row& row, std::size_t at) {
        return column.is(Mark::null_if_empty) && row.is_null(at) ? std::string() : row.text(at);
    }
    static store::Cell cell_of(const std::string& value) { return value; }
    static json::Value json_of(const std::string& value) { return value; }
    static Result<std::string> take(const Column&, const void*, const json::Value& given) { return given.text(); }
};
template <>
struct As<Instant> {
    static constexpr char cell = 'i';
    static Instant read(const Column&, const void*, const store::Row& row, std::size_t at) { return row.instant(at); }
    static store::Cell cell_of(Instant value) { return value.micros(); }
    static json::Value json_of(Instant value) { return value; }
    static Result<Instant> take(const Column&, const void*, const json::Value& given) {
        if (const auto instant = Instant::parse(given.text()))
            return *instant;
        return Error{errc::validation_error, "This must be a moment of the form 2026-06-10T09:00:00Z."_sentence};
    }
};
template <>
struct As<Date> {
    static constexpr char cell = 't';
    static Date read(const Column&, const void*, const store::Row& row, std::size_t at) { return row.date(at); }
    static store::Cell cell_of(Date value) { return value.text(); }
    static json::Value json_of(Date value) { return value; }
    static Result<Date> take(const Column&, const void*, const json::Value& given) {
        if (const auto date = Date::parse(given.text()))
            return *date;
        return Error{errc::validation_error, "This must be a date of the form YYYY-MM-DD."_sentence};
    }
};
template <>
struct As<ClockTime> {
    static constexpr char cell = 't';
    static ClockTime read(const Column&, const void*, const store::Row& row, std::size_t at) {
        return ClockTime::parse(row.text(at)).value();
    }
    static store::Cell cell_of(ClockTime value) { return value.text(); }
    static json::Value json_of(ClockTime value) { return value; }
    static Result<ClockTime> take(const Column&, const void*, const json::Value& given) {
        if (const auto time = ClockTime::parse(given.text()))
            return *time;
        return Error{errc::validation_error, "This must be a time of the form HH:MM."_sentence};
    }
};
template <>
struct As<Rate> {
    static constexpr char cell = 'i';
    static Rate read(const Column&, const void*, const store::Row& row, std::size_t at) { return {row.integer(at)}; }
    static store::Cell cell_of(Rate value) { return value.ppm; }
    static json::Value json_of(Rate value) { return value; }
    static Result<Rate> take(const Column&, const void*, const json::Value& given) {
        if (const auto rate = Rate::parse_percent(given.number_text()))
            return *rate;
        return Error{errc::validation_error, "Enter a percentage with at most 4 decimals."_sentence};
    }
};
template <>
struct As<Money> {
    static constexpr char cell = 'i';
    static Money read(const Column& column, const void* record, const store::Row& row, std::size_t at) {
        return {row.integer(at), currency_of(column, record)};
    }
    static store::Cell cell_of(Money value) { return value.minor(); }
    static json::Value json_of(Money value) { return value; }
    static Result<Money> take(const Column& column, const void* record, const json::Value& given) {
        const Currency currency = currency_of(column, record);
        if (const auto amount = parse_exact(given.number_text(), currency))
            return *amount;
        return Error{errc::validation_error,
                     "This must be an amount in {currency} with at most {exponent} decimals."_sentence
                         .with("currency", currency.code())
                         .with("exponent", currency.exponent())};
    }
};
template <>
struct As<Currency> {
    static constexpr char cell = 't';
    static Currency read(const Column&, const void*, const store::Row& row, std::size_t at) {
        return Currency::parse(row.text(at)).value();
    }
    static store::Cell cell_of(Currency value) { return std::string(value.code()); }
    static json::Value json_of(Currency value) { return value.code(); }
    static Result<Currency> take(const Column&, const void*, const json::Value& given) {
        if (const auto currency = Currency::parse(given.text()))
            return *currency;
        return Error{errc::validation_error, "Enter a currency code of ISO 4217."_sentence};
    }
};
template <>
struct As<json::Value> {
    static constexpr char cell = 't';
    static json::Value read(const Column& column, const void*, const store::Row& row, std::size_t at) {
        const auto shape = column.type.shape;
        const bool object = shape == api::Shape::object || shape == api::Shape::map;
        const json::Value empty = shape == api::Shape::list ? json::Value::array()
                                  : object                  ? json::Value::object()
                                                            : json::Value();
        return row.is_null(at) ? json::Value() : json_in(column, row.text(at), empty);
    }
    static store::Cell cell_of(const json::Value& value) {
        return value.is_null() ? store::Cell{} : store::Cell{value.dump()};
    }
    static json::Value json_of(const json::Value& value) { return value; }
    static Result<json::Value> take(const Column&, const void*, const json::Value& given) { return given; }
};
template <class Item>
struct As<std::vector<Item>> {
    static constexpr char cell = 't';
    static std::vector<Item> read(const Column& column, const void*, const store::Row& row, std::size_t at) {
        std::vector<Item> items;
        const json::Value list = json_in(column, row.text(at), json::Value::array());
        if (list.is_array())
            for (const json::Value& item : list.items()) {
                if constexpr (std::is_same_v<Item, std::string>)
                    items.push_back(item.text());
                else
                    items.push_back(item.integer());
            }
        return items;
    }
    static store::Cell cell_of(const std::vector<Item>& items) { return json_of(items).dump(); }
    static json::Value json_of(const std::vector<Item>& items) { return json::array_of(items); }
    static Result<std::vector<Item>> take(const Column&, const void*, const json::Value& given) {
        std::vector<Item> items;
        for (const json::Value& item : given.items()) {
            if constexpr (std::is_same_v<Item, std::string>)
                items.push_back(item.text());
            else
                items.push_back(item.integer());
        }
        return items;
    }
};
template <>
struct As<std::map<std::int64_t, std::int64_t>> {
    using Map = std::map<std::int64_t, std::int64_t>;
    static constexpr char cell = 't';
    static Map read(const Column& column, const void*, const store::Row& row, std::size_t at) {
        return of(json_in(column, row.text(at), json::Value::object()));
    }
    static store::Cell cell_of(const Map& numbers) { return json_of(numbers).dump(); }
    static json::Value json_of(const Map& numbers) {
        auto object = json::Value::object();
        for (const auto& [id, number] : numbers)
            object.set(std::to_string(id), number);
        return object;
    }
    static Result<Map> take(const Column&, const void*, const json::Value& given) { return of(given); }

  private:
    // Skips members whose name or value is no number.
    static Map of(const json::Value& object) {
        Map numbers;
        if (!object.is_object())
            return numbers;
        for (const auto& [name, number] : object.members()) {
            std::int64_t id = 0;
            const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), id);
            if (fault == std::errc() && end == name.data() + name.size() && number.is_number())
                numbers.emplace(id, number.integer());
        }
        return numbers;
    }
};

template <class M>
constexpr Codec plain_codec{
    As<M>::cell,
    [](const Column& column, void* record, const store::Row& row, std::size_t at) {
        member_of<M>(column, record) = As<M>::read(column, record, row, at);
    },
    [](const Column& column, const void* record) { return As<M>::cell_of(member_of<M>(column, record)); },
    [](const Column& column, const void* record) { return As<M>::json_of(member_of<M>(column, record)); },
    [](const Column& column, void* record, const json::Value& given) -> Sentence {
        if (given.is_null() && !std::is_same_v<M, json::Value>) {  // a nullable type over a member that is not
            if constexpr (std::is_default_constructible_v<M>)
                member_of<M>(column, record) = M{};
            return {};
        }
        auto taken = As<M>::take(column, record, given);
        if (!taken)
            return taken.error().message();
        member_of<M>(column, record) = std::move(*taken);
        return {};
    }};

template <class M>
constexpr Codec optional_codec{As<M>::cell,
                               [](const Column& column, void* record, const store::Row& row, std::size_t at) {
                                   auto& member = member_of<std::optional<M>>(column, record);
                                   if (row.is_null(at))
                                       member.reset();
                                   else
                                       member = As<M>::read(column, record, row, at);
                               },
                               [](const Column& column, const void* record) {
                                   const auto& member = member_of<std::optional<M>>(column, record);
                                   return member ? As<M>::cell_of(*member) : store::Cell{};
                               },
                               [](const Column& column, const void* record) {
                                   const auto& member = member_of<std::optional<M>>(column, record);
                                   return member ? As<M>::json_of(*member) : json::Value();
                               },
                               [](const Column& column, void* record, const json::Value& given) -> Sentence {
                                   auto& member = member_of<std::optional<M>>(column, record);
                                   if (given.is_null()) {
                                       member.reset();
                                       return {};
                                   }
                                   auto taken = As<M>::take(column, record, given);
                                   if (!taken)
                                       return taken.error().message();
                                   member = std::move(*taken);
                                   return {};
                               }};

std::uint8_t place_in(std::span<const std::string_view> names, std::string_view name) {
    for (std::size_t at = 0; at < names.size(); ++at)
        if (names[at] == name)
            return static_cast<std::uint8_t>(at);
    throw std::logic_error("A choice that the record does not list: " + std::string(name));
}

}  // namespace

using NumbersById = std::map<std::int64_t, std::int64_t>;  // no comma in a macro's argument
#define SVC_RECORD_CODEC(type)       \
    template <>                      \
    const Codec& codec_for<type>() { \
        return plain_codec<type>;    \
    }
#define SVC_RECORD_OPTIONAL(type)                   \
    template <>                                     \
    const Codec& codec_for<std::optional<type>>() { \
        return optional_codec<type>;                \
    }
SVC_RECORD_CODEC(std::int64_t)
SVC_RECORD_CODEC(int)
SVC_RECORD_CODEC(bool)
SVC_RECORD_CODEC(std::string)
SVC_RECORD_CODEC(Instant)
SVC_RECORD_CODEC(Date)
SVC_RECORD_CODEC(ClockTime)
SVC_RECORD_CODEC(Rate)
SVC_RECORD_CODEC(Money)
SVC_RECORD_CODEC(Currency)
SVC_RECORD_CODEC(json::Value)
SVC_RECORD_CODEC(std::vector<std::int64_t>)
SVC_RECORD_CODEC(std::vector<std::string>)
SVC_RECORD_CODEC(NumbersById)
SVC_RECORD_OPTIONAL(std::int64_t)
SVC_RECORD_OPTIONAL(int)
SVC_RECORD_OPTIONAL(bool)
SVC_RECORD_OPTIONAL(std::string)
SVC_RECORD_OPTIONAL(Instant)
SVC_RECORD_OPTIONAL(Date)
SVC_RECORD_OPTIONAL(ClockTime)
SVC_RECORD_OPTIONAL(Rate)
SVC_RECORD_OPTIONAL(Money)
#undef SVC_RECORD_CODEC
#undef SVC_RECORD_OPTIONAL

const Codec& choice_codec() {
    static const Codec codec{'t',
                             [](const Column& column, void* record, const store::Row& row, std::size_t at) {
                                 member_of<std::uint8_t>(column, record) = place_in(column.names, row.text(at));
                             },
                             [](const Column& column, const void* record) {
                                 return store::Cell{std::string(column.names[member_of<std::uint8_t>(column, record)])};
                             },
                             [](const Column& column, const void* record) {
                                 return json::Value(column.names[member_of<std::uint8_t>(column, record)]);
                             },
                             [](const Column& column, void* record, const json::Value& given) -> Sentence {
                                 member_of<std::uint8_t>(column, record) = place_in(column.names, given.text());
                                 return {};
                             }};
    return codec;
}

const Codec& amount_currency_codec() {
    static const Codec codec{As<Currency>::cell,
                             [](const Column& column, void* record, const store::Row& row, std::size_t at) {
                                 member_of<Money>(column, record) =
                                     Money::zero(As<Currency>::read(column, record, row, at));
                             },
                             [](const Column& column, const void* record) {
                                 return As<Currency>::cell_of(member_of<Money>(column, record).currency());
                             },
                             [](const Column& column, const void* record) {
                                 return As<Currency>::json_of(member_of<Money>(column, record).currency());
                             },
                             [](const Column& column, void* record, const json::Value& given) -> Sentence {
                                 const auto currency = As<Currency>::take(column, record, given);
                                 if (!currency)
                                     return currency.error().message();
                                 Money& amount = member_of<Money>(column, record);
                                 amount = Money{amount.minor(), *currency};
                                 return {};
                             }};
    return codec;
}

Mark operator|(Mark a, const Mark& b) {
    a.bits |= b.bits;
    if (a.writes != Writes::unsaid && b.writes != Writes::unsaid && a.writes != b.writes)
        throw std::logic_error("A field says twice who writes it.");
    if (b.writes != Writes::unsaid)
        a.writes = b.writes;
    if (b.otherwise)
        a.otherwise = b.otherwise;
    a.also.insert(a.also.end(), b.also.begin(), b.also.end());
    if (!b.stored.empty())
        a.stored = b.stored;
    return a;
}

Column column_of(std::string name, const Codec& codec, std::size_t offset, api::Type type, Mark mark,
                 std::string help) {
    Column column{.name = std::move(name), .type = std::move(type), .mark = std::move(mark), .help = std::move(help)};
    column.stored = column.mark.stored.empty() ? column.name : column.mark.stored;
    column.codec = &codec;
    column.offset = offset;
    column.type.nullable = column.type.nullable || column.is(Mark::null_if_empty);
    return column;
}

}  // namespace svc::record
