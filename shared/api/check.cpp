// The validator: checks input from outside against its declared type.
#include <algorithm>
#include <charconv>

#include "shared/api/schema.hpp"
#include "shared/core/decimal.hpp"
#include "shared/core/email.hpp"
#include "shared/core/text.hpp"

namespace svc::api {
namespace {

using json::Value;

constexpr std::size_t longest_map_name = 190;

std::string lowered(std::string_view text) {
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + ('a' - 'A'));
    return low;
}

Sentence range_sentence(const Type& type) {
    if (type.least == INT64_MIN && type.most == INT64_MAX)
        return "This number is too large."_sentence;
    if (type.most == INT64_MAX)
        return "This must be a number of at least {least}."_sentence.with("least", type.least);
    if (type.least == INT64_MIN)
        return "This must be a number of at most {most}."_sentence.with("most", type.most);
    return "This must be a number from {least} to {most}."_sentence.with("least", type.least).with("most", type.most);
}

// Numbers and numeric strings; null for the rest.
const std::string* numeric(const Value& given) {
    if (given.is_number())
        return &given.number_text();
    return given.is_string() ? &given.text() : nullptr;
}

std::optional<std::int64_t> whole(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return failure == std::errc{} && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

class Checker {
  public:
    explicit Checker(bool from_query) : from_query_(from_query) {}

    Value value(const Type& type, const Value& given, const std::string& field) {
        const bool empty_text = given.is_string() && given.text().empty();
        // An empty field of a form; for a list or an object it is invalid, since it would clear the field
        // unintentionally.
        const bool is_whole = type.shape == Shape::list || type.shape == Shape::object || type.shape == Shape::map;
        if (type.nullable && (given.is_null() || (empty_text && type.shape != Shape::text && !is_whole)))
            return {};
        if (from_query_ && given.is_array() && type.shape != Shape::list && type.shape != Shape::anything)
            return fault(field, "Send this parameter only once."_sentence);
        switch (type.shape) {
            case Shape::boolean:
                return boolean(given, field);
            case Shape::integer:
                return integer(type, given, field);
            case Shape::decimal:
                return decimal(type, given, field);
            case Shape::text:
                return text(type, given, field);
            case Shape::email:
                return email(given, field);
            case Shape::date:
                return read<Date>(given, field, "This must be a date of the form YYYY-MM-DD."_sentence);
            case Shape::time:
                return read<ClockTime>(given, field, "This must be a time of the form HH:MM."_sentence);
            case Shape::instant:
                return read<Instant>(given, field, "This must be a moment of the form 2026-06-10T09:00:00Z."_sentence);
            case Shape::choice:
                return choice(type, given, field);
            case Shape::list:
                return list(type, given, field);
            case Shape::object:
                return given.is_object() ? object(*type.members, given, field + ".")
                                         : fault(field, "This must be an object."_sentence);
            case Shape::map:
                return map(type, given, field);
            case Shape::anything:
                break;
        }
        return given;
    }

    Value object(const Schema& schema, const Value& given, const std::string& prefix) {
        Value clean = Value::object();
        clean.members().reserve(schema.fields().size());
        for (const Field& field : schema.fields())
            if (!field.ignored)
                member(field, given, prefix, clean);
        return clean;
    }

    [[nodiscard]] bool fine() const { return faults_.empty(); }
    [[nodiscard]] bool is_at_fault(std::string_view field) const {
        return std::any_of(faults_.begin(), faults_.end(), [&](const FieldError& fault) {
            return std::string_view(fault.field).substr(0, fault.field.find('.')) == field;
        });
    }
    [[nodiscard]] Error error() {
        Error error{errc::validation_error, faults_.front().sentence};
        for (FieldError& each : faults_)
            error.at(std::move(each.field), std::move(each.sentence));
        return error;
    }

  private:
    Value fault(const std::string& field, Sentence sentence) {
        faults_.push_back({field, std::move(sentence)});
        return {};
    }

    void member(const Field& field, const Value& given, const std::string& prefix, Value& clean) {
        const Value* sent = given.find(field.name);
        for (std::size_t i = 0; !sent && i < field.also.size(); ++i)
            sent = given.find(field.also[i]);
        if (!sent && !field.required) {
            if (field.otherwise)
                clean.members().emplace_back(field.name, *field.otherwise);
            return;
        }
        const std::string path = prefix + field.name;
        const bool nothing = !sent || (sent->is_null() && !field.type.nullable);
        if (field.required && (nothing || (sent->is_string() && sent->text().empty()))) {
            fault(path, "This field is required."_sentence);
            return;
        }
        Value value = this->value(field.type, *sent, path);
        if (field.required && value.is_string() && value.text().empty())
            fault(path, "This field is required."_sentence);
        clean.members().emplace_back(field.name, std::move(value));
    }

    Value boolean(const Value& given, const std::string& field) {
        if (given.is_boolean())
            return given;
        if (const std::string* word = numeric(given)) {
            const bool is_text = given.is_string();
            if (*word == "1" || (is_text && (*word == "true" || *word == "yes")))
                return true;
            if (*word == "0" || (is_text && (*word == "false" || *word == "no")))
                return false;
        }
        return fault(field, "This must be true or false."_sentence);
    }

    Value integer(const Type& type, const Value& given, const std::string& field) {
        const std::string* digits = numeric(given);
        if (digits && !digits->empty() && digits->front() >= '1' && digits->front() <= '9')
            if (const auto plain = whole(*digits); plain && *plain >= type.least && *plain <= type.most)
                return *plain;  // nearly all of them, and no text is taken apart for it
        const auto parts = digits ? Decimal::parse(*digits) : std::nullopt;
        // JSON has one type of number, so 3.0 is an integer; a text is not.
        const bool is_whole =
            parts && (given.is_string() ? digits->find('.') == std::string::npos
                                        : parts->fraction.find_first_not_of('0') == std::string::npos);
        if (!is_whole)
            return fault(field, "This must be a whole number."_sentence);
        auto number = whole(std::string_view(*digits).substr(0, digits->find('.')));
        if (!number && type.saturates && !parts->negative)
            number = INT64_MAX;
        if (!number || *number < type.least || *number > type.most)
            return fault(field, range_sentence(type));
        return *number;
    }

    Value decimal(const Type& type, const Value& given, const std::string& field) {
        const std::string* digits = numeric(given);
        const auto parts = digits ? Decimal::parse(*digits) : std::nullopt;
        if (!parts)
            return fault(field, "This must be a number."_sentence);
        if (parts->whole.size() > Decimal::most_whole_digits)
            return fault(field, type.most == INT64_MAX && !parts->negative ? "This number is too large."_sentence
                                                                           : range_sentence(type));
        const auto significant = parts->fraction.find_last_not_of('0') + 1;  // npos + 1 is 0
        if (type.decimals >= 0 && significant > static_cast<std::size_t>(type.decimals))
            return fault(field,
                         "This number may have at most {decimals} decimals."_sentence.with("decimals", type.decimals));
        const auto size = whole(parts->whole).value();
        const std::int64_t number = parts->negative ? -size : size;
        const bool beyond = significant > 0;
        const bool below = number < type.least || (number == type.least && parts->negative && beyond);
        const bool above = number > type.most || (number == type.most && !parts->negative && beyond);
        if (below || above)
            return fault(field, range_sentence(type));
        const bool negative_zero = parts->negative && number == 0 && !beyond;
        return json::Number{negative_zero ? digits->substr(1) : *digits};
    }

    bool length(const Type& type, std::string_view given, const std::string& field) {
        const std::size_t length =
            given.size() > type.longest || type.shortest > 0 ? text::length(given) : given.size();
        if (length > type.longest)
            fault(field, "This may have at most {most} characters."_sentence.with("most", type.longest));
        else if (length < type.shortest)
            fault(field, "This needs at least {least} characters."_sentence.with("least", type.shortest));
        else
            return true;
        return false;
    }

    Value text(const Type& type, const Value& given, const std::string& field) {
        if (!given.is_string())
            return fault(field, "This must be a text."_sentence);
        std::string clean = type.raw ? given.text() : text::clean(given.text());
        return length(type, clean, field) ? Value{std::move(clean)} : Value{};
    }

    Value email(const Value& given, const std::string& field) {
        if (!given.is_string())
            return fault(field, "This must be a text."_sentence);
        auto address = email_address(given.text());
        return address ? Value{std::move(*address)} : fault(field, "This is not a valid e-mail address."_sentence);
    }

    template <class Moment>
    Value read(const Value& given, const std::string& field, SentenceId sentence) {
        const auto moment = given.is_string() ? Moment::parse(given.text()) : std::nullopt;
        return moment ? Value{*moment} : fault(field, sentence);
    }

    Value choice(const Type& type, const Value& given, const std::string& field) {
        std::string offered;
        const std::string text = given.is_string()   ? given.text()
                                 : given.is_number() ? given.number_text()  // a choice may be among numbers
                                                     : std::string();
        for (const std::string& each : type.values) {
            if (!text.empty() && (text == each || (type.any_case && lowered(text) == lowered(each))))
                return each;
            offered += (offered.empty() ? "" : ", ") + each;
        }
        return fault(field, "This must be one of: {offered}."_sentence.with("offered", offered));
    }

    Value list(const Type& type, const Value& given, const std::string& field) {
        Value split;
        const Value* items = &given;
        if (from_query_ && given.is_string()) {
            split = Value::array();
            const std::string& text = given.text();
            for (std::size_t at = 0; !text.empty() && at != std::string::npos;) {
                const auto comma = text.find(',', at);
                split.push(text.substr(at, comma - at));
                at = comma == std::string::npos ? comma : comma + 1;
            }
            items = &split;
        }
        if (!items->is_array())
            return fault(field, "This must be a list."_sentence);
        if (items->size() > type.longest)
            return fault(field, "This may have at most {most} items."_sentence.with("most", type.longest));
        if (items->size() < type.shortest)
            return fault(field, "This needs at least {least} items."_sentence.with("least", type.shortest));
        Value clean = Value::array();
        for (const Value& item : items->items())
            clean.push(value(*type.item, item, field + "." + std::to_string(clean.size() + 1)));
        return clean;
    }

    Value map(const Type& type, const Value& given, const std::string& field) {
        if (!given.is_object())
            return fault(field, "This must be an object."_sentence);
        if (given.size() > type.longest)
            return fault(field, "This may have at most {most} members."_sentence.with("most", type.longest));
        Value clean = Value::object();
        for (const auto& [name, item] : given.members()) {
            if (name.empty() || name.size() > longest_map_name || text::clean(name) != name)
                return fault(field, "A member's name is empty, too long or contains control characters."_sentence);
            clean.members().emplace_back(name, value(*type.item, item, field + "." + name));
        }
        return clean;
    }

    bool from_query_;
    std::vector<FieldError> faults_;
};

}  // namespace

Result<Value> Type::check(const Value& given, const std::string& field, bool from_query) const {
    Checker checker{from_query};
    Value clean = checker.value(*this, given, field);
    if (!checker.fine())
        return checker.error();
    return clean;
}

Result<Value> Schema::check(const Value& input, bool from_query) const {
    if (!input.is_object() && !input.is_null())
        return Error{errc::validation_error, "The body must be a JSON object."_sentence};
    Checker checker{from_query};
    Value clean = checker.object(*this, input, {});
    if (!checker.fine())
        return checker.error();
    return clean;
}

Value Schema::fitting(const Value& input) const {
    Checker checker{false};
    Value clean = checker.object(*this, input, {});
    std::erase_if(clean.members(), [&](const auto& member) { return checker.is_at_fault(member.first); });
    return clean;
}

}  // namespace svc::api
