// The rows of a record's declaration: one per field, with its place in the C++ struct, the table and the JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "shared/api/schema.hpp"
#include "shared/core/date.hpp"
#include "shared/core/faults.hpp"
#include "shared/core/money.hpp"
#include "shared/store/store.hpp"

namespace svc::record {

struct Column;

// Stores and renders values of one C++ type. One instance per type, in codec.cpp. `record` points to the struct; the
// column knows the member's offset.
struct Codec {
    char cell;  // as in store::Columns: 'i' integer, 't' text
    void (*read)(const Column& column, void* record, const store::Row& row, std::size_t at);
    store::Cell (*cell_of)(const Column& column, const void* record);
    json::Value (*json_of)(const Column& column, const void* record);
    // `given` has passed the column's type. Returns the sentence of a fault; empty: the value was taken.
    Sentence (*take)(const Column& column, void* record, const json::Value& given);
};

// Supported members: the types below and std::optional of those marked with *. Money needs its currency in the same
// struct (money()). A json::Value, the lists and the map are stored as JSON text; corrupt text is read as the empty
// value.
template <class M>
const Codec& codec_for();
template <>
const Codec& codec_for<std::int64_t>();  // *
template <>
const Codec& codec_for<int>();  // * of a type with bounds
template <>
const Codec& codec_for<bool>();  // * stored as 0 or 1
template <>
const Codec& codec_for<std::string>();  // *
template <>
const Codec& codec_for<Instant>();  // * stored as microseconds
template <>
const Codec& codec_for<Date>();  // * stored as YYYY-MM-DD
template <>
const Codec& codec_for<ClockTime>();  // * stored as HH:MM
template <>
const Codec& codec_for<Rate>();  // * stored in parts per million, a percent number on the wire
template <>
const Codec& codec_for<Money>();  // * stored in minor units
template <>
const Codec& codec_for<Currency>();
template <>
const Codec& codec_for<json::Value>();
template <>
const Codec& codec_for<std::vector<std::int64_t>>();
template <>
const Codec& codec_for<std::vector<std::string>>();
template <>
const Codec& codec_for<std::map<std::int64_t, std::int64_t>>();  // numbers by id: {"7": 2}
template <>
const Codec& codec_for<std::optional<std::int64_t>>();
template <>
const Codec& codec_for<std::optional<int>>();
template <>
const Codec& codec_for<std::optional<bool>>();
template <>
const Codec& codec_for<std::optional<std::string>>();
template <>
const Codec& codec_for<std::optional<Instant>>();
template <>
const Codec& codec_for<std::optional<Date>>();
template <>
const Codec& codec_for<std::optional<ClockTime>>();
template <>
const Codec& codec_for<std::optional<Rate>>();
template <>
const Codec& codec_for<std::optional<Money>>();
const Codec& choice_codec();           // enums of one byte, by Column::names
const Codec& amount_currency_codec();  // the currency that a Money carries itself

template <class M>
inline constexpr bool is_optional = false;
template <class M>
inline constexpr bool is_optional<std::optional<M>> = true;

// Who writes a field, and when. A record on the wire (Record) is declared with one for each field, so that no field is
// open to clients because somebody forgot it; rows without a wire (Rows) need one only where it is not by_server.
enum class Writes : std::uint8_t {
    unsaid,
    by_client,            // clients on create and on update; our code too
    by_client_on_create,  // clients on create; afterwards our code alone
    by_client_on_update,  // clients on update; before that our code alone
    by_server,            // our code, by insert() and update()
    by_server_on_create,  // our code, by insert() alone
    by_other              // other statements: neither insert() nor update() names it
};

// Properties of a field besides its type, combined by `|`.
struct Mark {
    enum Bit : std::uint32_t {
        none = 0,
        required = 1,        // on create
        searched = 2,        // part of the search text
        sortable = 4,        // `orderby` may name it
        hidden = 8,          // stored, never on the wire; by_server unless it says otherwise
        sealed = 16,         // stored encrypted (texts)
        null_if_empty = 32,  // an empty text is NULL in the table and null on the wire
        in_lists = 64        // among the columns that a table of the list shows first
    };
    std::uint32_t bits = none;
    Writes writes = Writes::unsaid;
    std::optional<json::Value> otherwise = {};  // taken on create when the field is absent
    std::vector<std::string> also = {};         // other names on input
    std::string stored = {};                    // the column's name in the table, where it is not the field's

    // Throws std::logic_error if both say who writes the field, and differ.
    friend Mark operator|(Mark a, const Mark& b);
};
inline const Mark required{Mark::required}, searched{Mark::searched}, sortable{Mark::sortable}, hidden{Mark::hidden},
    sealed{Mark::sealed}, null_if_empty{Mark::null_if_empty}, in_lists{Mark::in_lists},
    by_client{.writes = Writes::by_client}, by_client_on_create{.writes = Writes::by_client_on_create},
    by_client_on_update{.writes = Writes::by_client_on_update}, by_server{.writes = Writes::by_server},
    by_server_on_create{.writes = Writes::by_server_on_create}, by_other{.writes = Writes::by_other};
inline Mark default_value(json::Value value) { return {.otherwise = std::move(value)}; }
inline Mark also(std::vector<std::string> names) { return {.also = std::move(names)}; }
inline Mark stored_as(std::string column) { return {.stored = std::move(column)}; }

// The ids of a list that has its own table: one row per owner and id.
struct Links {
    std::string table, owner, other;  // "svc_service_trips", "service_id", "trip_id"
    std::string exists_in = {};       // the table whose ids these must be; empty: any id is taken
    std::string noun = "record";      // the noun for one record in errors
};

struct Column {
    std::string name;             // on the wire
    std::string stored = {};      // in the table; empty: not stored there
    std::string expression = {};  // of a derived column: SQL over `r`, the record's own row
    api::Type type = {};
    Mark mark = {};
    std::string help = {};
    const Codec* codec = nullptr;  // null: the two functions at the end
    std::size_t offset = 0;
    std::size_t currency = 0;                      // money: the offset of its currency,
    bool currency_in_amount = false;               // which is a Currency, or the Money that carries it
    std::span<const std::string_view> names = {};  // choices, by the enum's value
    std::optional<Links> links = {};
    // For converted columns, instead of the codec, which then works on its own value.
    std::function<void(const Column& column, void* record, const store::Row& row, std::size_t at)> read = {};
    std::function<store::Cell(const Column& column, const void* record)> cell = {};
    std::function<json::Value(const void* record)> show = {};                               // empty: not in answers
    std::function<void(void* record, const json::Value& given, Faults& faults)> take = {};  // empty: by the codec

    [[nodiscard]] bool is_currency() const {
        return codec == &codec_for<Currency>() || codec == &amount_currency_codec();
    }
    [[nodiscard]] bool is(Mark::Bit bit) const { return (mark.bits & bit) != 0; }
    [[nodiscard]] bool is_selected() const { return codec && !links; }
    [[nodiscard]] bool is_inserted() const {
        return !stored.empty() && mark.writes != Writes::by_other && name != "id";
    }
    [[nodiscard]] bool is_updated() const { return is_inserted() && mark.writes != Writes::by_server_on_create; }
    [[nodiscard]] bool is_shown() const { return !is(Mark::hidden) && (codec || show); }
    // Whether clients write it, on create or on update.
    [[nodiscard]] bool is_of_clients(bool on_create) const {
        return mark.writes == Writes::by_client ||
               mark.writes == (on_create ? Writes::by_client_on_create : Writes::by_client_on_update);
    }
};

// Where a member is in T. Made of a member pointer, or of two by within().
template <class T, class M>
struct Member {
    std::size_t offset = 0;

    Member(M T::*member) : offset(distance(member)) {}  // NOLINT: a member pointer is a member
    explicit Member(std::size_t at) : offset(at) {}

  private:
    static std::size_t distance(M T::*member) {
        static const T sample{};
        return static_cast<std::size_t>(reinterpret_cast<const char*>(&(sample.*member)) -
                                        reinterpret_cast<const char*>(&sample));
    }
};
template <class T, class O, class M>
Member<T, M> within(O T::*outer, M O::*inner) {
    return Member<T, M>(Member<T, O>(outer).offset + Member<O, M>(inner).offset);
}

// One row of the declaration of Record<T>, or several that belong together (timestamps).
template <class T>
struct Entry {
    std::vector<Column> columns;
};

Column column_of(std::string name, const Codec& codec, std::size_t offset, api::Type type, Mark mark, std::string help);

template <class T, class M>
Entry<T> column(std::string name, Member<T, M> member, api::Type type, Mark mark = {}, std::string help = {}) {
    type.nullable = type.nullable || is_optional<M>;
    return {
        {column_of(std::move(name), codec_for<M>(), member.offset, std::move(type), std::move(mark), std::move(help))}};
}
template <class T, class M>
Entry<T> column(std::string name, M T::*member, api::Type type, Mark mark = {}, std::string help = {}) {
    return column(std::move(name), Member<T, M>(member), std::move(type), std::move(mark), std::move(help));
}

// A field that is stored and never on the wire.
template <class T, class M>
Entry<T> stored(std::string name, Member<T, M> member, Mark mark = {}) {
    return column(std::move(name), member, api::anything(), std::move(mark) | hidden);
}
template <class T, class M>
Entry<T> stored(std::string name, M T::*member, Mark mark = {}) {
    return stored(std::move(name), Member<T, M>(member), std::move(mark));
}

// An enum of one byte whose values are 0, 1, 2, … in the order of `names`, which live as long as the record.
template <class T, class E>
requires std::is_enum_v<E> Entry<T> choice(std::string name, E T::*member, std::span<const std::string_view> names,
                                           Mark mark = {}, std::string help = {}) {
    static_assert(sizeof(E) == 1);
    Column result = column_of(std::move(name), choice_codec(), Member<T, E>(member).offset,
                              api::choice({names.begin(), names.end()}), std::move(mark), std::move(help));
    result.names = names;
    return {{std::move(result)}};
}

// A field that is read from an SQL expression and never written.
template <class T>
Entry<T> from(std::string expression, Entry<T> entry) {
    Column& column = entry.columns.front();
    column.mark.writes = Writes::by_other;
    column.stored.clear();
    column.expression = std::move(expression);
    return entry;
}

// Read from an SQL expression over `r`, the record's own row, and the record's joins; never written.
template <class T, class M>
Entry<T> derived(std::string name, Member<T, M> member, std::string expression, api::Type type, std::string help = {},
                 Mark mark = {}) {
    return from(std::move(expression),
                column(std::move(name), member, std::move(type), std::move(mark), std::move(help)));
}
template <class T, class M>
Entry<T> derived(std::string name, M T::*member, std::string expression, api::Type type, std::string help = {},
                 Mark mark = {}) {
    return derived(std::move(name), Member<T, M>(member), std::move(expression), std::move(type), std::move(help),
                   std::move(mark));
}
// A field whose member is of another type than its column, which is a std::string, an optional integer or a
// json::Value (M). `get` and `set` translate.
template <class T, class M>
Entry<T> converted(std::string name, M (*get)(const T&), void (*set)(T&, M), api::Type type, Mark mark = {},
                   std::string help = {}) {
    type.nullable = type.nullable || is_optional<M>;
    Column result = column_of(std::move(name), codec_for<M>(), 0, std::move(type), std::move(mark), std::move(help));
    result.read = [set](const Column& column, void* record, const store::Row& row, std::size_t at) {
        M value{};
        column.codec->read(column, &value, row, at);
        set(*static_cast<T*>(record), std::move(value));
    };
    result.cell = [get](const Column& column, const void* record) {
        const M value = get(*static_cast<const T*>(record));
        return column.codec->cell_of(column, &value);
    };
    result.show = [get](const void* record) { return json::Value(get(*static_cast<const T*>(record))); };
    result.take = [set, name = result.name](void* record, const json::Value& given, Faults& faults) {
        M value{};
        if (auto fault = codec_for<M>().take(Column{}, &value, given); !fault.empty())
            faults.at(name, std::move(fault));
        else
            set(*static_cast<T*>(record), std::move(value));
    };
    return {{std::move(result)}};
}
// Ids in a table of their own, ascending, each once.
template <class T>
Entry<T> linked(std::string name, std::vector<std::int64_t> T::*member, Links links, Mark mark = {},
                std::string help = {}, std::size_t most = 500) {
    auto entry = column(std::move(name), member, api::list(api::id(), most), std::move(mark), std::move(help));
    entry.columns.front().stored.clear();
    entry.columns.front().links = std::move(links);
    return entry;
}

// A computed field: `show` renders it; `take` reads it from a body, if clients may send it. Without `take` nobody
// writes it.
template <class T>
Entry<T> computed(std::string name, api::Type type, std::function<json::Value(const T&)> show,
                  std::function<void(T&, const json::Value&, Faults&)> take = {}, Mark mark = {},
                  std::string help = {}) {
    Column result{.name = std::move(name), .type = std::move(type), .mark = std::move(mark), .help = std::move(help)};
    if (show)
        result.show = [show = std::move(show)](const void* record) { return show(*static_cast<const T*>(record)); };
    if (take)
        result.take = [take = std::move(take)](void* record, const json::Value& given, Faults& faults) {
            take(*static_cast<T*>(record), given, faults);
        };
    else
        result.mark = result.mark | by_other;
    return {{std::move(result)}};
}
// A stored column that is computed from the record and never read back, such as a folded name to sort by.
template <class T>
Entry<T> stored_text(std::string column, std::function<std::string(const T&)> text) {
    Column result{.name = column, .stored = column, .mark = hidden};
    result.show = [text = std::move(text)](const void* record) {
        return json::Value(text(*static_cast<const T*>(record)));
    };
    return {{std::move(result)}};
}

// Common members of records. A record's struct derives from those it has.
struct Audit {
    std::int64_t row_version = 1;
    Instant created_at{}, updated_at{};
    std::optional<std::int64_t> created_by{}, updated_by{};
    std::optional<std::string> created_by_name{}, updated_by_name{};  // while the users have accounts
};
struct Trash {
    std::optional<Instant> deleted_at{};
    std::optional<std::string> status_before_trash{};
};

template <class T>
Entry<T> id(std::int64_t T::*member) {
    return column("id", member, api::id(), by_other);
}
template <class T>
Entry<T> row_version() {
    return column("row_version", static_cast<std::int64_t T::*>(&T::row_version), api::integer(1), by_server,
                  "Version of the record; send it with an update to detect concurrent changes.");
}
template <class T>
Entry<T> timestamps() {
    auto result = column("created_at", static_cast<Instant T::*>(&T::created_at), api::instant(), by_server_on_create);
    auto changed = column("updated_at", static_cast<Instant T::*>(&T::updated_at), api::instant(), by_server);
    result.columns.push_back(std::move(changed.columns.front()));
    return result;
}
enum class Names : std::uint8_t { shown, left_out };
std::string user_name_expression(std::string_view column);
// The users who created and last changed it; `Names::shown`: with their names, which reads svc_users.
template <class T>
Entry<T> authors(Names names = Names::shown, Mark mark = {}) {
    using Id = std::optional<std::int64_t> T::*;
    using Name = std::optional<std::string> T::*;
    Entry<T> all;
    const auto add = [&all](Entry<T> entry) { all.columns.push_back(std::move(entry.columns.front())); };
    add(column("created_by", static_cast<Id>(&T::created_by), api::id(), by_server_on_create | mark));
    add(column("updated_by", static_cast<Id>(&T::updated_by), api::id(), by_server | mark));
    if (names == Names::left_out)
        return all;
    add(derived("created_by_name", static_cast<Name>(&T::created_by_name), user_name_expression("created_by"),
                api::text(255), {}, mark));
    add(derived("updated_by_name", static_cast<Name>(&T::updated_by_name), user_name_expression("updated_by"),
                api::text(255), {}, mark));
    return all;
}
// When it was put into the trash; a resource writes it.
template <class T>
Entry<T> trashed_at() {
    return column("deleted_at", static_cast<std::optional<Instant> T::*>(&T::deleted_at), api::instant(), hidden);
}
// The status that restoring brings back; a resource writes it.
template <class T>
Entry<T> status_before_trash() {
    return column("status_before_trash", static_cast<std::optional<std::string> T::*>(&T::status_before_trash),
                  api::text(40), hidden);
}

}  // namespace svc::record
