// The schema of a query, a body or an answer: enforced by the validator, documented in OpenAPI.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/json/value.hpp"

namespace svc::api {

class Schema;

enum class Shape : std::uint8_t {
    boolean,  // also 0/1, "true"/"false", "yes"/"no", "0"/"1"
    integer,  // also numeric strings; no fraction
    decimal,  // a number stored as text: money, rates, coordinates; also numeric strings
    text,
    email,
    date,     // YYYY-MM-DD
    time,     // HH:MM
    instant,  // RFC 3339
    choice,   // one of `values`
    list,     // JSON array of `item`; in a query also comma-separated
    object,   // with `members`
    map,      // object with free names, values of `item`
    anything,
};

// What a value means where its shape does not say it: forms and lists choose their controls by it. `x-kind` in OpenAPI;
// its names are in meaning.cpp.
enum class FieldKind : std::uint8_t {
    none,
    html,   // what is not allowed in it is removed
    lines,  // several lines
    secret,
    url,
    phone,
    color,  // #rrggbb
    icon,
    slug,  // a part of an address
    country,
    currency,
    language,
    zone,        // of time, as IANA names it
    day,         // a date as text
    picture,     // the id of a file of /media that is one, or its address
    money,       // in the record's currency
    time,        // HH:MM
    percentage,  // 12.5 is 12.5 %
};

// The statuses that a caller may set, by the present one, in the order of declaration.
using NextStatuses = std::vector<std::pair<std::string, std::vector<std::string>>>;

// A field's type. Made by the functions below; the modifiers return changed copies.
struct Type {
    Shape shape = Shape::anything;
    bool nullable = false;                             // null allowed and passed on; "" counts as null for all but text
    std::int64_t least = INT64_MIN, most = INT64_MAX;  // integer; for decimal whole numbers bounding the value
    int decimals = -1;                                 // decimal: most digits after the point accepted, -1 any
    std::size_t shortest = 0, longest = 64 * 1024;     // text in code points; list in items
    std::vector<std::string> values;                   // choice, as on the wire
    std::shared_ptr<const Type> item;                  // list, map
    std::shared_ptr<const Schema> members;             // object
    bool raw = false;                                  // text: passed on as sent
    bool any_case = false;                             // choice: matched without regard to ASCII case
    bool saturates = false;                            // integer: one that is too long to be held is INT64_MAX
    FieldKind kind = FieldKind::none;
    // An id or a list of ids: of the records of that list ("trips", "consent/forms"). Names that mean the same in the
    // whole interface need no statement, see meaning.hpp.
    std::string refers = {};
    std::shared_ptr<const NextStatuses> next = {};  // a status; empty: each may follow each

    [[nodiscard]] Type or_null() const;
    [[nodiscard]] Type at_least(std::int64_t bound) const;
    [[nodiscard]] Type of_kind(FieldKind kind) const;
    [[nodiscard]] Type referring_to(std::string list) const;
    [[nodiscard]] Type followed_by(std::shared_ptr<const NextStatuses> next) const;

    // The validated value in canonical form (numbers without quotes, instants in UTC, texts composed). The error names
    // `field` or a field below it: "travelers.1.email", items numbered from 1. `from_query`: values are texts, lists
    // comma-separated or repeated.
    [[nodiscard]] Result<json::Value> check(const json::Value& given, const std::string& field,
                                            bool from_query = false) const;
    // JSON Schema (2020-12), as OpenAPI 3.1 takes it.
    [[nodiscard]] json::Value json_schema() const;
    // A value that check accepts and returns as it is.
    [[nodiscard]] json::Value sample() const;

    // Compares the declarations; shared contents by identity (sharing.hpp).
    friend bool operator==(const Type&, const Type&) = default;
};

Type boolean();
Type integer(std::int64_t least = INT64_MIN, std::int64_t most = INT64_MAX);
Type id();        // integer 1 .. 2^63-1
Type page_sum();  // integer from 1, of any length: a page past every end, or more items than a page has
Type decimal(std::int64_t least = INT64_MIN, std::int64_t most = INT64_MAX);
Type money();                                              // decimal >= 0; the currency decides the decimals
Type percent();                                            // decimal 0..100, at most 4 decimals
Type text(std::size_t longest, std::size_t shortest = 0);  // trimmed, NFC, control characters removed
Type raw_text(std::size_t longest);                        // unchanged text (passwords, tokens, multi-line messages)
Type html(std::size_t longest);                            // the same of kind html; the handler cleans it
Type email();
Type date();
Type time();
Type instant();
Type choice(std::vector<std::string> values);
Type list(Type item, std::size_t most = 500, std::size_t least = 0);
Type object(Schema members);
Type map(Type item, std::size_t most = 100);
Type anything();

struct Field {
    std::string name;  // as on the wire
    Type type;
    std::string help = {};  // one sentence for OpenAPI
    bool required = false;
    std::vector<std::string> also = {};         // other names accepted on input
    std::optional<json::Value> otherwise = {};  // taken when absent
    bool ignored = false;                       // accepted for older clients, never passed on
    // Deprecated (spec 9.3): the day from which it is, "2026-11-01"; empty: it is not. See deprecation.hpp.
    std::string deprecated_since = {};
    std::string instead = {};  // name of the field that replaces it; empty: none does

    friend bool operator==(const Field&, const Field&) = default;
};

// A schema's fields in order, each as `const Field&`. Valid as long as the schema or one made from it.
class Fields {
  public:
    using Shared = std::vector<std::shared_ptr<const Field>>;
    class Iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Field;
        using difference_type = std::ptrdiff_t;
        using pointer = const Field*;
        using reference = const Field&;
        Iterator() = default;
        explicit Iterator(Shared::const_iterator at) : at_(at) {}
        reference operator*() const { return **at_; }
        pointer operator->() const { return at_->get(); }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) { return Iterator(at_++); }
        friend bool operator==(const Iterator&, const Iterator&) = default;

      private:
        Shared::const_iterator at_;
    };

    explicit Fields(const Shared& fields) : fields_(&fields) {}
    [[nodiscard]] Iterator begin() const { return Iterator(fields_->begin()); }
    [[nodiscard]] Iterator end() const { return Iterator(fields_->end()); }
    [[nodiscard]] std::size_t size() const { return fields_->size(); }

  private:
    const Shared* fields_;
};

class Schema {
  public:
    Schema() = default;
    Schema(std::initializer_list<Field> fields);
    explicit Schema(std::vector<Field> fields);

    // The same fields as a component of the OpenAPI document, which refers to it by this name ("Enquiry"). A schema
    // made from a named one has no name.
    [[nodiscard]] Schema named(std::string name) const;
    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] Fields fields() const { return Fields(fields_); }
    [[nodiscard]] bool empty() const { return fields_.empty(); }
    [[nodiscard]] const Field* find(std::string_view name) const;
    // This schema followed by the fields of the other that it does not have itself.
    [[nodiscard]] Schema plus(const Schema& more) const;
    // The same fields but those of these names.
    [[nodiscard]] Schema without(const std::vector<std::string_view>& names) const;
    // The same fields, each as `change` leaves it.
    [[nodiscard]] Schema changed(const std::function<void(Field&)>& change) const;
    // The same fields, none required and none with a default: for partial updates.
    [[nodiscard]] Schema partial() const;

    // The clean object: declared fields only, canonical names and kinds, defaults filled in. Every field at fault
    // is in the error, the first one first. Null is taken for the empty object; a field's own name wins over its
    // other ones; a required text may not be empty. `from_query`: as in Type::check.
    [[nodiscard]] Result<json::Value> check(const json::Value& input, bool from_query = false) const;
    // Of an object that check refuses: the clean object of its fields that are not at fault themselves or below.
    [[nodiscard]] json::Value fitting(const json::Value& input) const;

    // JSON Schema (2020-12) of the object for OpenAPI 3.1. Aliases are in `x-also`, its name in `title`.
    [[nodiscard]] json::Value json_schema() const;
    // A valid object with every field (or all but `left_out`): for the walking tests and the docs' examples.
    [[nodiscard]] json::Value sample(std::string_view left_out = {}) const;

    friend bool operator==(const Schema&, const Schema&) = default;

  private:
    friend class Sharing;
    // None is null. Several hundred routes are made of a few dozen fields: schemas made from one another share them.
    Fields::Shared fields_;
    std::string name_;
};

}  // namespace svc::api
