// Ages of travelers by their categories.
#include "base/sales/booking/form/ages.hpp"

#include <algorithm>
#include <limits>

#include "shared/core/faults.hpp"

namespace svc::booking::form {
namespace {

using json::Value;

const char* const birth = "date_of_birth";

struct NamedTraveler {
    std::size_t row = 0;
    std::optional<int> age = {};
};

// Assigns the remaining travelers to categories.
class Placing {
  public:
    Placing(std::map<std::int64_t, std::int64_t> left, const std::vector<CategoryAges>& categories, bool required)
        : left_(std::move(left)), categories_(categories), required_(required) {}

    void take_named(const Value& travelers, Date on) {
        for (const Value& each : travelers.items()) {
            ++rows_;
            const auto born = Date::parse(each.text_or(birth));
            const NamedTraveler named{rows_, born ? std::optional(years_between(*born, on)) : std::nullopt};
            const auto category = each.maybe_integer("category_id");
            const CategoryAges* ages = category ? find(*category) : nullptr;
            if (!ages) {
                others_.push_back(named);
                continue;
            }
            --left_[ages->id];
            if (named.age && !ages->holds(*named.age))
                fault(named.row, ages->sentence(), errc::group_size);
            else if (!named.age && ages->any() && required_)
                ask(*ages, named.row);
        }
    }

    // The category with the lowest upper bound takes the youngest that fits it: no other way fills more places.
    void place_others() {
        std::vector<const CategoryAges*> aged;
        for (const CategoryAges& each : categories_)
            if (each.any())
                aged.push_back(&each);
        const auto top = [](const CategoryAges* each) { return each->most.value_or(std::numeric_limits<int>::max()); };
        std::sort(aged.begin(), aged.end(), [&](const auto* a, const auto* b) { return top(a) < top(b); });
        std::stable_sort(others_.begin(), others_.end(), [](const NamedTraveler& a, const NamedTraveler& b) {
            return a.age.value_or(std::numeric_limits<int>::max()) < b.age.value_or(std::numeric_limits<int>::max());
        });
        for (const CategoryAges* ages : aged)
            while (left_[ages->id] > 0) {
                const auto fits = std::find_if(others_.begin(), others_.end(), [&](const NamedTraveler& each) {
                    return each.age && ages->holds(*each.age);
                });
                if (fits == others_.end())
                    break;
                others_.erase(fits);
                --left_[ages->id];
            }
        report(aged);
    }

    [[nodiscard]] Result<void> outcome() const { return faults_.outcome(); }

  private:
    [[nodiscard]] const CategoryAges* find(std::int64_t id) const {
        const auto found = std::find_if(categories_.begin(), categories_.end(),
                                        [&](const CategoryAges& each) { return each.id == id; });
        return found == categories_.end() ? nullptr : &*found;
    }
    void fault(std::size_t row, Sentence sentence, const ErrorCode& code) {
        faults_.at("travelers." + std::to_string(row) + "." + birth, std::move(sentence), code);
    }
    void ask(const CategoryAges& ages, std::size_t row) {
        fault(row, "Enter the date of birth. {ages}"_sentence.with("ages", ages.sentence()), errc::validation_error);
    }
    // Remaining travelers fill categories without ages; the others get none.
    void report(const std::vector<const CategoryAges*>& aged) {
        std::int64_t free = 0, places = 0;
        for (const auto& [id, count] : left_) {
            const CategoryAges* ages = find(id);
            (ages && ages->any() ? places : free) += std::max<std::int64_t>(0, count);
        }
        if (places == 0)
            return;
        std::sort(others_.begin(), others_.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
        const auto spare = std::min(free, static_cast<std::int64_t>(others_.size()));
        auto next = others_.begin() + spare;
        std::size_t unnamed = rows_;
        for (const CategoryAges* ages : aged)
            for (std::int64_t count = left_[ages->id]; count > 0; --count) {
                if (next == others_.end()) {
                    if (!required_)
                        return;
                    ask(*ages, ++unnamed);
                } else {
                    if (next->age)
                        fault(next->row, ages->sentence(), errc::group_size);
                    else if (required_)
                        ask(*ages, next->row);
                    ++next;
                }
            }
    }

    std::map<std::int64_t, std::int64_t> left_;
    const std::vector<CategoryAges>& categories_;
    bool required_;
    std::size_t rows_ = 0;
    std::vector<NamedTraveler> others_;
    Faults faults_;
};

}  // namespace

Sentence CategoryAges::sentence() const {
    if (!most)
        return "{label} is for ages {from} and over on the day of travel."_sentence.with("label", label)
            .with("from", least.value_or(0));
    return "{label} is for ages {from} to {to} on the day of travel."_sentence.with("label", label)
        .with("from", least.value_or(0))
        .with("to", *most);
}

std::vector<CategoryAges> ages_of(const catalog::trips::Trip& trip) {
    std::vector<CategoryAges> categories;
    for (const catalog::trips::PriceType& type : trip.price_types)
        categories.push_back({type.category_id, type.category.label, type.category.age_min, type.category.age_max});
    return categories;
}

int years_between(Date birth_day, Date on) {
    const bool before_birthday = std::pair(on.month(), on.day()) < std::pair(birth_day.month(), birth_day.day());
    return on.year() - birth_day.year() - (before_birthday ? 1 : 0);
}

Value asking_births(const Value& form, const std::vector<CategoryAges>& categories) {
    Value ids = Value::array();
    for (const CategoryAges& each : categories)
        if (each.any())
            ids.push(each.id);
    if (ids.size() == 0)
        return form;
    const Value& section = form["traveler_form"];
    const bool is_on = section["enabled"].is_boolean() && section["enabled"].boolean();
    Value fields = Value::array(), own;
    std::int64_t order = 0;
    if (section["fields"].is_array())
        for (Value each : section["fields"].items()) {
            order = std::max(order, each.maybe_integer("order").value_or(0));
            const bool enabled = is_on && each["enabled"].is_boolean() && each["enabled"].boolean();
            if (each.text_or("id") != birth) {
                each.set("enabled", enabled);
                fields.push(std::move(each));
                continue;
            }
            const bool required = enabled && each["required"].is_boolean() && each["required"].boolean();
            // The ages ask whatever the other answers are: one that is hidden could not be given.
            const bool is_hideable = each.erase("show_if");
            if (required && !is_hideable && each.text_or("applies_to") != "lead")
                return form;
            own = std::move(each);
            own.set("required", required && !is_hideable);
        }
    if (own.is_null())
        own = Value::object({{"id", birth},
                             {"type", "date"},
                             {"label", "Date of birth"},
                             {"placeholder", ""},
                             {"required", false},
                             {"locked", false},
                             {"width", "half"},
                             {"order", order + 1}});
    own.set("type", "date");
    own.set("enabled", true);
    own.set("applies_to", "all");
    own.set("categories", std::move(ids));
    fields.push(std::move(own));
    Value travelers = section.is_object() ? section : Value::object();
    travelers.set("enabled", true);
    travelers.set("fields", std::move(fields));
    Value asking = form;
    asking.set("traveler_form", std::move(travelers));
    return asking;
}

Result<void> check_category_ages(const Value& travelers, const std::map<std::int64_t, std::int64_t>& counts,
                                 const std::vector<CategoryAges>& categories, Date on, bool required) {
    if (std::none_of(categories.begin(), categories.end(), [](const CategoryAges& each) { return each.any(); }))
        return {};
    Placing placing(counts, categories, required);
    placing.take_named(travelers.is_array() ? travelers : Value::array(), on);
    placing.place_others();
    return placing.outcome();
}

}  // namespace svc::booking::form
