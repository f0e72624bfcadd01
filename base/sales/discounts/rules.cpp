// The rules of a discount's fields.
#include "base/sales/discounts/rules.hpp"

#include <algorithm>

#include "base/sales/discounts/repository.hpp"
#include "shared/core/capitals.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/text.hpp"

namespace svc::discounts {
namespace {

using json::Value;

constexpr std::int64_t whole_ppm = 1'000'000;
constexpr std::size_t longest_moment = 40;

bool is_nothing(const Value& amount) {
    return amount.is_null() || amount.number_text().find_first_not_of("0.") == std::string::npos;
}

// A day, or the site's day of a time: both bounds are stored as days, inclusive.
void take_days(const Discount* before, Value& body, const Zone& zone, Faults& faults) {
    const auto day_of = [&](const std::string& text) -> std::optional<Date> {
        if (const auto day = Date::parse(text))
            return *day;
        if (const auto moment = Instant::parse(text))
            if (const auto day = Date::parse(zone.date_at(*moment).text()))  // the calendar ends with the year 9999
                return *day;
        return std::nullopt;
    };
    for (const auto& [name, member] :
         {std::pair{"valid_from", &Discount::valid_from}, std::pair{"expiry_date", &Discount::expiry_date}}) {
        const Value* given = body.find(name);
        if (!given || given->is_null())
            continue;
        const std::string text = given->text();
        auto day = day_of(text);
        if (!day && !text.empty()) {
            faults.at(
                name,
                "This must be a date of the form YYYY-MM-DD or a moment of the form 2026-06-10T09:00:00Z."_sentence);
            day = before ? before->*member : std::nullopt;
        }
        body.set(name, Value(day));
    }
}

// Amounts of another currency would silently become those of this one.
void take_currency(const Discount* before, Discount& after, const Value& body, Currency site, Faults& faults) {
    const auto is_sent = [&](const char* name) { return body.find(name) != nullptr; };
    const auto amounts = {"amount",
                          "max_discount_amount",
                          "min_amount",
                          "group_discount_amount",
                          "group_discount_ranges",
                          "category_discounts"};
    if (before && std::none_of(amounts.begin(), amounts.end(), is_sent))
        return;
    if (before && before->currency != site &&
        (before->cut.flat || before->most || before->min_amount || before->group_cut.flat))
        faults.at("amount",
                  "This discount's amounts are in {currency}; make a new one for another currency."_sentence.with(
                      "currency", before->currency.code()));
    after.currency = site;
}

class Adjusting {
  public:
    Adjusting(const Discount* before, Discount& after, const Value& body, Faults& faults)
        : is_new_(!before), before_(before ? *before : Discount{}), after_(after), body_(body), faults_(faults) {}

    void run(bool has_groups) {
        after_.code = code_of(after_.code);
        take_mode();
        take_amount();
        take_group();
        if (const std::string field = has_groups ? "" : group_change(); !field.empty())
            faults_.at(field, "Group discounts need the module advanced_discount."_sentence);
        for (std::optional<Money>* amount : {&after_.most, &after_.min_amount})
            if (*amount && (*amount)->is_zero())
                amount->reset();
        if (after_.for_all_trips)
            after_.trip_ids.clear();
    }

  private:
    // The mode by its older name; counts where no mode is sent.
    void take_mode() {
        const auto is_group = body_.maybe_boolean("is_group_discount");
        if (body_.find("discount_mode") || !is_group || *is_group == after_.is_group())
            return;
        after_.mode = !*is_group ? "promo" : is_typed() ? "both" : "group";
    }

    // Whether it has the fields of a coupon. A group discount without them can never be entered as a code.
    bool is_typed() const {
        const Value* amount = body_.find("amount");
        return !after_.code.empty() && (amount ? !is_nothing(*amount) : !after_.cut.is_none());
    }

    // `or_nothing`: it may be 0.
    std::optional<Cut> cut_of(const std::string& type, const std::string& amount, const std::string& field,
                              bool or_nothing = false) {
        if (type == "percentage") {
            const auto rate = Rate::parse_percent(amount);
            if (rate && (or_nothing ? rate->ppm >= 0 : rate->ppm > 0) && rate->ppm <= whole_ppm)
                return Cut{.rate = *rate, .flat = {}};
            faults_.at(field, or_nothing
                                  ? "A percentage is at least 0 and at most 100, with at most 4 decimals."_sentence
                                  : "A percentage is above 0 and at most 100, with at most 4 decimals."_sentence);
            return std::nullopt;
        }
        const auto money = parse_exact(amount, after_.currency);
        if (money && !money->is_negative() && (or_nothing || !money->is_zero()))
            return Cut{.rate = {}, .flat = *money};
        faults_.at(field, or_nothing ? "A fixed discount is an amount of at least 0."_sentence
                                     : "A fixed discount is an amount above 0."_sentence);
        return std::nullopt;
    }

    void take_amount() {
        const Value* amount = body_.find("amount");
        const auto type = body_.maybe_text("type");
        const bool is_share = type ? *type == "percentage" : after_.cut.rate || !after_.cut.flat;
        // A coupon without an amount reduces nothing.
        if (is_new_ && after_.is_coupon() && !amount)
            after_.cut = cut_of(type.value_or("percentage"), "0", "amount", true).value();
        // Forms send 0 for fields that a group discount does not have.
        if (amount && (amount->is_null() || (!after_.is_coupon() && is_nothing(*amount))))
            after_.cut = {};
        else if (amount)
            after_.cut =
                cut_of(is_share ? "percentage" : "fixed", amount->number_text(), "amount", true).value_or(after_.cut);
        else if (type && !is_new_ &&
                 is_share != after_.cut.rate.has_value())  // ten percent must not become ten dollars
            faults_.at("amount", "Another type needs its amount."_sentence);
        if (after_.is_coupon() && after_.cut.is_none() && (!amount || amount->is_null()))
            faults_.at("amount", "This field is required."_sentence);
    }

    void take_group() {
        if (const Value* amount = body_.find("group_discount_amount")) {
            const auto type = body_.maybe_text("group_discount_type");
            const std::string kind = type.value_or(after_.group_cut.flat ? "fixed" : "percentage");
            after_.group_cut = amount->is_null()
                                   ? Cut{}
                                   : cut_of(kind, amount->number_text(), "group_discount_amount").value_or(Cut{});
        }
        if (const Value& ranges = body_["group_discount_ranges"]; ranges.is_array()) {
            std::erase_if(after_.ranges, [](const Range& range) { return !range.category_id; });
            for (const Value& range : ranges.items())
                take_range(range, std::nullopt, "group_discount_ranges");
        }
        if (const Value& categories = body_["category_discounts"]; categories.is_object()) {
            std::erase_if(after_.ranges, [](const Range& range) { return range.category_id.has_value(); });
            for (const auto& [category, ranges] : categories.members()) {
                const auto known =
                    category == "0" ? Result<Value>(Value(0)) : api::id().check(Value(category), category);
                if (!known)
                    faults_.at("category_discounts", "Categories are named by their ids."_sentence);
                for (const Value& range : ranges.items())
                    take_range(range, known ? known->integer() : -1, "category_discounts");
            }
        }
    }

    void take_range(const Value& given, std::optional<std::int64_t> category_id, const std::string& field) {
        Range range{.category_id = category_id};
        range_record().patch(range, given, true, faults_);
        if (range.most && *range.most < range.least)
            faults_.at(field, "A range ends at or after its beginning."_sentence);
        const auto cut = cut_of(given["discount_type"].text(), given["discount_amount"].number_text(), field);
        if (!cut)
            return;
        range.cut = *cut;
        for (const Range& other : after_.ranges)
            if (other.category_id == range.category_id && (!other.most || *other.most >= range.least) &&
                (!range.most || *range.most >= other.least))
                faults_.at(field, "Ranges may not overlap."_sentence);
        after_.ranges.push_back(std::move(range));
    }

    bool same_ranges(bool of_categories) const {
        const auto of_kind = [&](std::vector<Range> ranges) {
            std::erase_if(ranges, [&](const Range& each) { return each.category_id.has_value() != of_categories; });
            return ranges;
        };
        const auto before = of_kind(before_.ranges), after = of_kind(after_.ranges);
        return std::is_permutation(before.begin(), before.end(), after.begin(), after.end());
    }

    // The first field of groups that would change; a coupon sent back as it was read changes none.
    std::string group_change() const {
        const auto type = body_.maybe_text("group_discount_type");
        if (after_.mode != before_.mode && after_.is_group())
            return body_.find("discount_mode") ? "discount_mode" : "is_group_discount";
        if (after_.by_category != before_.by_category)
            return "group_discount_mode";
        if (type && *type != before_.group_cut.type())
            return "group_discount_type";
        if (after_.min_group_size != before_.min_group_size)
            return "min_group_size";
        if (after_.max_group_size != before_.max_group_size)
            return "max_group_size";
        if (after_.group_cut != before_.group_cut)
            return "group_discount_amount";
        if (!same_ranges(false))
            return "group_discount_ranges";
        return same_ranges(true) ? "" : "category_discounts";
    }

    const bool is_new_;
    const Discount before_;
    Discount& after_;
    const Value& body_;
    Faults& faults_;
};

void check(const Discount& discount, Faults& faults) {
    if (discount.code.empty() && discount.is_coupon())
        faults.at("code", "This field is required."_sentence);
    else if (!discount.code.empty() && (!text::is_slug(discount.code) || text::length(discount.code) > longest_code))
        faults.at("code", "A code is 1 to 50 letters and digits of any script, hyphens and underscores."_sentence);
    if (discount.valid_from && discount.expiry_date && *discount.expiry_date < *discount.valid_from)
        faults.at("expiry_date", "It ends before it begins."_sentence);
    if (discount.max_group_size && *discount.max_group_size < discount.min_group_size.value_or(1))
        faults.at("max_group_size", "The largest group is not smaller than the smallest."_sentence);
    if (discount.is_group() && discount.group_cut.is_none() && discount.ranges.empty())
        faults.at("group_discount_amount", "A group discount needs an amount."_sentence);
}

}  // namespace

std::string code_of(std::string_view typed) { return text::folded_capitals(text::strip_invisible(typed)); }

const std::vector<std::pair<std::string_view, std::string_view>> compared_fields{
    {"amount", "type"},
    {"code", "discount_mode"},
    {"amount", "discount_mode"},
    {"code", "is_group_discount"},
    {"amount", "is_group_discount"},
    {"group_discount_amount", "is_group_discount"},
    {"expiry_date", "valid_from"},
    {"max_group_size", "min_group_size"},
    {"group_discount_amount", "group_discount_type"},
    {"group_discount_amount", "discount_mode"},
    {"group_discount_amount", "group_discount_ranges"},
    {"group_discount_amount", "category_discounts"}};

api::Schema with_written_forms(const api::Schema& schema) {
    const auto ranges = api::list(api::object(range_record().create_schema()), 50);
    return schema
        .changed([&](api::Field& field) {
            if (field.name == "valid_from" || field.name == "expiry_date")
                field.type = api::text(longest_moment).or_null();
            else if (field.name == "group_discount_ranges")
                field.type = ranges;
            else if (field.name == "category_discounts")
                field.type = api::map(ranges);
        })
        .named(schema.name());
}

resource::Rules<Discount> discount_rules(std::function<Terms()> terms) {
    return {.prepare =
                [terms](const Discount* before, Discount& after, Value& body, Faults& faults) {
                    const Terms site = terms();
                    take_currency(before, after, body, site.currency, faults);
                    take_days(before, body, site.zone, faults);
                },
            .adjust = [terms](const Discount* before, Discount& after, const Value& body,
                              Faults& faults) { Adjusting(before, after, body, faults).run(terms().has_groups); },
            .check = [](const Discount*, const Discount& after, Faults& faults) { check(after, faults); },
            .may_delete = [](store::Session& session, const Discount& discount, bool for_good) -> Result<void> {
                if (for_good && rows::was_used(session, discount.id))
                    return Error{errc::in_use, "Bookings were made with this discount."_sentence};
                return {};
            },
            .after_write =
                [](store::Transaction& tx, const Discount*, const Discount* after, const record::Writer& writer) {
                    if (after)
                        rows::write_ranges(tx, *after, writer);
                }};
}

}  // namespace svc::discounts
