// The rules between a trip's own fields, applied on every save.
#include "base/catalog/trips/trip.hpp"

#include <algorithm>

#include "shared/core/text.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::array<std::string_view, 8> status_names{"draft",   "review",   "approved",  "publish",
                                                       "private", "archived", "suspended", "trash"};
constexpr std::size_t longest_slug = 200;

// Collects every field at fault, so that a form shows them all at once.
class Faults {
  public:
    void at(const char* field, std::string sentence) { all_.push_back({field, std::move(sentence)}); }
    [[nodiscard]] bool none() const { return all_.empty(); }
    [[nodiscard]] Error error() {
        Error error{errc::validation_error, all_.front().sentence};
        for (FieldError& each : all_)
            error.at(std::move(each.field), std::move(each.sentence));
        return error;
    }

  private:
    std::vector<FieldError> all_;
};

template <class T>
void take(T& field, const std::optional<T>& sent) {
    if (sent)
        field = *sent;
}
template <class T>
void take(std::optional<T>& field, const Sent<T>& sent) {
    if (sent)
        field = *sent;
}
void take(int& field, const Sent<int>& sent, int otherwise) {
    if (sent)
        field = sent->value_or(otherwise);
}

void take_money(std::optional<Money>& field, const Sent<std::string>& sent, Currency currency, const char* name,
                Faults& faults) {
    if (!sent)
        return;
    field.reset();
    if (!*sent)
        return;
    auto amount = Money::parse(**sent, currency);
    if (!amount)
        faults.at(name, amount.error().message());
    else if (amount->is_negative())
        faults.at(name, "This must not be negative.");
    else
        field = *amount;
}

void take_prices(Trip& trip, const TripChange& change, Faults& faults) {
    std::optional<Money> regular = trip.regular_price;
    take_money(regular, change.regular_price, trip.currency, "regular_price", faults);
    trip.regular_price = regular.value_or(Money::zero(trip.currency));
    take_money(trip.discounted_price, change.discounted_price, trip.currency, "discounted_price", faults);
    take_money(trip.sale_price, change.sale_price, trip.currency, "sale_price", faults);
    const auto lower = [&](const std::optional<Money>& price, const char* name) {
        if (price && !price->is_zero() && *price >= trip.regular_price)
            faults.at(name, "This must be lower than the regular price.");
    };
    lower(trip.discounted_price, "discounted_price");
    lower(trip.sale_price, "sale_price");

    take_money(trip.deposit_amount, change.deposit_amount, trip.currency, "deposit_amount", faults);
    if (change.deposit_percentage) {
        trip.deposit_percentage.reset();
        if (*change.deposit_percentage) {
            auto rate = Rate::parse_percent(**change.deposit_percentage);
            if (!rate || rate->ppm < 0 || rate->ppm > 1'000'000)
                faults.at("deposit_percentage", "This must be a percentage from 0 to 100.");
            else
                trip.deposit_percentage = *rate;
        }
    }
}

// The rows of the duration's table, in its order.
void take_duration(Trip& trip, const TripChange& change, bool fresh, Faults& faults) {
    const int asked = change.duration ? change.duration->value_or(0) : trip.duration_days;
    if (change.trip_type)
        trip.type = *change.trip_type == "single_day" ? TripType::single_day : TripType::multi_day;
    else if (fresh)
        trip.type = asked >= 2 ? TripType::multi_day : TripType::single_day;

    if (trip.type == TripType::single_day) {
        trip.duration_days = 1;
        trip.duration_nights = 0;
        take(trip.duration_hours, change.duration_hours);
        if (trip.duration_hours && *trip.duration_hours > 24)
            faults.at("duration_hours", "A day has at most 24 hours.");
        if ((trip.duration_hours && *trip.duration_hours <= 0) || (change.duration && asked > 1))
            trip.duration_hours.reset();
        return;
    }
    trip.duration_hours.reset();
    const bool same_length = asked == trip.duration_days && !fresh;
    trip.duration_days = asked;
    const int usual = std::max(asked - 1, 0);
    if (change.duration_nights)
        trip.duration_nights = change.duration_nights->value_or(usual);
    else if (!same_length)
        trip.duration_nights = usual;
    if (asked >= 2 && (trip.duration_nights < 0 || trip.duration_nights >= asked))
        faults.at("duration_nights", "There are fewer nights than days.");
    if (asked < 2)
        trip.duration_nights = usual;
}

void take_limits(Trip& trip, const TripChange& change, Faults& faults) {
    take(trip.min_travelers, change.min_travelers, 1);
    take(trip.max_travelers, change.max_travelers);
    take(trip.booking_deadline_hours, change.booking_deadline_hours, 24);
    take(trip.available_from, change.available_from);
    take(trip.available_to, change.available_to);
    take(trip.departure_time, change.departure_time);
    if (trip.max_travelers && *trip.max_travelers < trip.min_travelers)
        faults.at("max_travelers", "This must not be below min_travelers.");
    if (trip.available_from && trip.available_to && *trip.available_to < *trip.available_from)
        faults.at("available_to", "This must not be before available_from.");
}

void take_status(Trip& trip, const TripChange& change) {
    if (!change.status)
        return;
    trip.status = trip_status(*change.status).value();
    trip.status_before_trash.reset();
    trip.deleted_at.reset();
}

void take_texts(Trip& trip, const TripChange& change, bool fresh, Faults& faults) {
    take(trip.title, change.title);
    if (trip.title.empty())
        faults.at("title", "This field is required.");
    take(trip.summary, change.summary);
    if (change.description)
        trip.description = text::clean_lines(*change.description);
    if (change.payment_terms)
        trip.payment_terms = text::clean_lines(*change.payment_terms);
    if (change.slug && !change.slug->empty()) {
        trip.slug = text::slug_of(*change.slug, longest_slug);
        if (trip.slug.empty())
            faults.at("slug", "A slug needs letters or digits.");
    } else if (fresh || change.slug) {
        trip.slug = text::slug_of(trip.title, longest_slug);
        if (trip.slug.empty())
            trip.slug = "trip";
    }
}

void check_published(const Trip& trip, Faults& faults) {
    if (trip.status != TripStatus::publish)
        return;
    if (trip.regular_price.is_zero())
        faults.at("regular_price", "A published trip needs a price above 0.");
    if (trip.type == TripType::multi_day && trip.duration_days < 2)
        faults.at("duration", "A published trip of several days needs at least 2.");
}

}  // namespace

std::string_view name_of(TripStatus status) { return status_names.at(static_cast<std::size_t>(status)); }

std::optional<TripStatus> trip_status(std::string_view name) {
    const auto* found = std::find(status_names.begin(), status_names.end(), name);
    if (found == status_names.end())
        return std::nullopt;
    return static_cast<TripStatus>(found - status_names.begin());
}

std::string_view name_of(TripType type) { return type == TripType::single_day ? "single_day" : "multi_day"; }

Money PricePair::effective() const {
    return lowered && !lowered->is_zero() && !lowered->is_negative() ? *lowered : regular;
}

int PricePair::discount_percent() const {
    const Money saved = regular - effective();
    if (regular.is_zero() || saved.is_zero() || saved.is_negative())
        return 0;
    return static_cast<int>(Money{100, regular.currency()}.share(saved.minor(), regular.minor()).minor());
}

PricePair price_of(const Trip& trip) {
    const bool discounted = trip.discounted_price && !trip.discounted_price->is_zero();
    return {trip.regular_price, discounted ? trip.discounted_price : trip.sale_price};
}

bool TripChange::changes_fields() const {
    return title || slug || summary || description || payment_terms || trip_type || duration || duration_nights ||
           duration_hours || min_travelers || max_travelers || booking_deadline_hours || regular_price ||
           discounted_price || sale_price || deposit_amount || deposit_percentage || available_from || available_to ||
           departure_time;
}

Result<Trip> changed(Trip trip, const TripChange& change, bool fresh) {
    Faults faults;
    take_texts(trip, change, fresh, faults);
    take_status(trip, change);
    take_prices(trip, change, faults);
    take_duration(trip, change, fresh, faults);
    take_limits(trip, change, faults);
    check_published(trip, faults);
    if (!faults.none())
        return faults.error();
    return trip;
}

std::string search_text_of(const Trip& trip) {
    return text::folded(trip.title + '\n' + trip.slug + '\n' + trip.summary + '\n' + trip.description);
}

}  // namespace svc::catalog::trips
