// A date's members on the wire.
#include "base/sales/availability/dates/wire.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "shared/api/named.hpp"
#include "shared/json/value.hpp"

namespace svc::availability {
namespace {

// Caches the text of recent days and amounts. `most` exceeds the number of alternating ones.
template <class Key, std::size_t most>
class Remembered {
  public:
    template <class Make>
    std::string_view of(Key key, Make make) {
        for (const auto& [known, text] : known_)
            if (known == key && !text.empty())
                return text;
        auto& place = known_[next_++ % known_.size()];
        place = {key, make()};
        return place.second;
    }

  private:
    std::array<std::pair<Key, std::string>, most> known_{};
    std::size_t next_ = 0;
};

// The prices of a date; all in the trip's currency.
struct Prices {
    std::int64_t effective = 0, regular = 0;
    bool own = false, traveler_based = false;
    friend bool operator==(const Prices&, const Prices&) = default;
};

// Times of a day that each of its rows repeats; more of them are in its first row alone, since the answer would grow
// with their square.
constexpr std::size_t most_repeated_times = 12;

json::Value by_category(const CategoryPrices& prices) {
    auto value = json::Value::object();
    for (const CategoryPrice& each : prices) {
        const PricePair pair{each.regular, each.lowered};
        value.set(std::to_string(each.category_id),
                  json::Value::object({{"price", pair.effective()}, {"original_price", each.regular}}));
    }
    return value;
}

class Writer {
  public:
    Writer(std::string& out, bool waitlist) : out_(out), waitlist_(waitlist) {}

    // `times` is the JSON of all times of the day.
    void row(const Bookable& date, std::string_view times, const MoreMembers& more) {
        at_ = row_.data();
        text(R"({"id":)");
        number(date.departure_id);
        text(R"(,"date":")");
        day(date.date);
        text(R"(","time":)");
        time(date.time);
        text(R"(,"end_date":")");
        day(date.end_date);
        text(R"(","max_capacity":)");
        number(date.capacity);
        text(R"(,"booked_count":)");
        number(date.booked);
        text(R"(,"available_capacity":)");
        number(date.available());
        text(R"(,"status":")");
        text(seats_status(date.capacity, date.available()));
        text(date.available() <= 0 ? R"(","is_full":true,"source":")" : R"(","is_full":false,"source":")");
        text(date_source_of(date.origin));
        text(R"(","rule_id":)");
        number(date.rule_id);
        prices(date);
        text(R"(","waitlist":)");
        text(waitlist_ && date.available() <= 0 && !date.waitlist_full ? "true" : "false");
        text(R"(,"cutoff_at":")");
        instant(date.cutoff_at);
        text(R"(","departure_times":)");
        flush();
        out_ += times;
        if (more)
            more(out_, date);
        out_ += '}';
    }

    void time_row(std::string& times, const Bookable& date) {
        if (!date.time)
            return;
        at_ = row_.data();
        text(times.size() > 1 ? R"(,{"time":)" : R"({"time":)");
        time(date.time);
        text(R"(,"available_capacity":)");
        number(date.available());
        text(R"(,"price":)");
        amount(date.price.effective());
        text("}");
        times.append(row_.data(), at_);
    }

  private:
    // Most dates have the price of one of the previous ones.
    void prices(const Bookable& date) {
        const Prices key{date.price.effective().minor(), date.price.regular.minor(), date.own_price,
                         date.traveler_based};
        text(prices_.of(key, [&] {
            const std::string list = date.price.regular.decimal();
            return std::string(date.traveler_based ? R"(,"pricing_type":"traveler_based")"
                                                   : R"(,"pricing_type":"regular")") +
                   R"(,"price":)" + date.price.effective().decimal() + R"(,"original_price":)" + list +
                   R"(,"price_override":)" + (date.own_price ? list : "null") + R"(,"price_by_traveler_type":)";
        }));
        if (date.by_category.empty()) {
            text("null");
        } else {
            flush();
            categories(date.by_category);
        }
        text(R"(,"currency":")");
        text(date.price.regular.currency().code());
    }

    void categories(const CategoryPrices& prices) { by_category(prices).dump_to(out_); }

    void flush() {
        out_.append(row_.data(), at_);
        at_ = row_.data();
    }

    // A row's parts that are not flushed come to less than half of the buffer.
    void text(std::string_view part) {
        std::memcpy(at_, part.data(), part.size());
        at_ += part.size();
    }
    void number(std::int64_t value) { at_ = std::to_chars(at_, row_.data() + row_.size(), value).ptr; }
    void number(const std::optional<std::int64_t>& value) {
        if (value)
            number(*value);
        else
            text("null");
    }
    void two(int value) {
        *at_++ = static_cast<char>('0' + value / 10);
        *at_++ = static_cast<char>('0' + value % 10);
    }
    void day(Date date) {
        text(days_.of(date.days(), [&] { return date.text(); }));
    }
    void time(const std::optional<ClockTime>& value) {
        if (!value)
            return text("null");
        *at_++ = '"';
        two(value->minutes() / 60);
        *at_++ = ':';
        two(value->minutes() % 60);
        *at_++ = '"';
    }
    void instant(Instant value) {
        if (value.micros() % 1'000'000 != 0 || value.micros() < 0)
            return text(value.text());
        const std::int64_t seconds = value.seconds();
        day(Date::from_days(static_cast<std::int32_t>(seconds / 86'400)));
        const int rest = static_cast<int>(seconds % 86'400);
        *at_++ = 'T';
        two(rest / 3600);
        *at_++ = ':';
        two(rest / 60 % 60);
        *at_++ = ':';
        two(rest % 60);
        *at_++ = 'Z';
    }
    void amount(const Money& money) {
        text(amounts_.of(money.minor(), [&] { return money.decimal(); }));
    }

    std::string& out_;
    bool waitlist_;
    std::array<char, 1024> row_{};
    char* at_ = row_.data();
    Remembered<std::int32_t, 4> days_;
    Remembered<std::int64_t, 16> amounts_;
    Remembered<Prices, 16> prices_;
};

}  // namespace

std::string dates_json(const std::vector<Bookable>& dates, bool waitlist, const MoreMembers& more) {
    std::string out;
    add_dates(out, dates, waitlist, more);
    return out;
}

void add_dates(std::string& out, const std::vector<Bookable>& dates, bool waitlist, const MoreMembers& more) {
    std::string times;
    out.reserve(out.size() + dates.size() * 700 + 10);
    out += '[';
    Writer writer(out, waitlist);
    for (std::size_t first = 0; first < dates.size();) {
        times = "[";
        std::size_t end = first;
        for (; end < dates.size() && dates[end].date == dates[first].date; ++end)
            writer.time_row(times, dates[end]);
        times += ']';
        const bool many = end - first > most_repeated_times;
        for (; first < end; ++first) {
            if (out.back() != '[')
                out += ',';
            writer.row(dates[first], times, more);
            if (many)
                times = "[]";
        }
    }
    out += ']';
}

namespace {

constexpr std::array<std::string_view, 20> member_names{"id",
                                                        "date",
                                                        "time",
                                                        "end_date",
                                                        "max_capacity",
                                                        "booked_count",
                                                        "available_capacity",
                                                        "status",
                                                        "is_full",
                                                        "source",
                                                        "rule_id",
                                                        "pricing_type",
                                                        "price",
                                                        "original_price",
                                                        "price_override",
                                                        "price_by_traveler_type",
                                                        "currency",
                                                        "waitlist",
                                                        "cutoff_at",
                                                        "departure_times"};

}  // namespace

DateValues::DateValues(const std::vector<Bookable>& dates, bool waitlist, api::Members members)
    : dates_(dates), waitlist_(waitlist) {
    for (std::size_t i = 0; i < member_names.size(); ++i)
        if (members.empty() || std::find(members.begin(), members.end(), member_names[i]) != members.end())
            wanted_ |= std::uint32_t{1} << i;
}

// The times of the day of that date, as its row has them.
json::Value DateValues::times_beside(std::size_t index) const {
    const Date day = dates_[index].date;
    std::size_t first = index, end = index;
    while (first > 0 && dates_[first - 1].date == day)
        --first;
    while (end < dates_.size() && dates_[end].date == day)
        ++end;
    json::Array times;
    if (end - first <= most_repeated_times || index == first)
        for (std::size_t i = first; i < end; ++i)
            if (dates_[i].time)
                times.push_back(json::Value::object({{"time", *dates_[i].time},
                                                     {"available_capacity", dates_[i].available()},
                                                     {"price", dates_[i].price.effective()}}));
    return json::Value(std::move(times));
}

json::Value DateValues::at(std::size_t index) const {
    const Bookable& date = dates_[index];
    const bool is_full = date.available() <= 0;
    json::Object row;
    row.reserve(static_cast<std::size_t>(std::popcount(wanted_)));
    std::size_t place = 0;  // in member_names
    const auto add = [&](auto make) {
        if (wanted_ >> place & 1U)
            row.emplace_back(member_names[place], json::Value(make()));
        ++place;
    };
    add([&] { return date.departure_id; });
    add([&] { return date.date; });
    add([&] { return date.time; });
    add([&] { return date.end_date; });
    add([&] { return date.capacity; });
    add([&] { return date.booked; });
    add([&] { return date.available(); });
    add([&] { return seats_status(date.capacity, date.available()); });
    add([&] { return is_full; });
    add([&] { return date_source_of(date.origin); });
    add([&] { return date.rule_id; });
    add([&] { return date.traveler_based ? "traveler_based" : "regular"; });
    add([&] { return date.price.effective(); });
    add([&] { return date.price.regular; });
    add([&] { return date.own_price ? json::Value(date.price.regular) : json::Value(); });
    add([&] { return date.by_category.empty() ? json::Value() : by_category(date.by_category); });
    add([&] { return date.price.regular.currency().code(); });
    add([&] { return waitlist_ && is_full && !date.waitlist_full; });
    add([&] { return date.cutoff_at; });
    add([&] { return times_beside(index); });
    return json::Value(std::move(row));
}

api::Schema date_members() {
    using namespace api;
    using api::text;
    const Schema at{{.name = "time", .type = time(), .required = true},
                    {.name = "available_capacity", .type = integer(0), .help = "Available seats.", .required = true},
                    {.name = "price", .type = money(), .help = "Price per traveler.", .required = true}};
    const Schema of_category{{.name = "price", .type = money(), .help = "The price paid."},
                             {.name = "original_price", .type = money(), .help = "The list price."}};
    return {
        {.name = "id",
         .type = id().or_null(),
         .help = "Id of the departure; null until the first booking creates it.",
         .required = true},
        {.name = "date", .type = date(), .required = true},
        {.name = "time", .type = time().or_null(), .required = true},
        {.name = "end_date", .type = date(), .required = true},
        {.name = "max_capacity", .type = integer(1), .help = "Seats."},
        {.name = "booked_count", .type = integer(0), .help = "Booked seats."},
        {.name = "available_capacity", .type = integer(0), .help = "Available seats.", .required = true},
        {.name = "status",
         .type = choice({"available", "limited", "sold_out"}),
         .help = "Derived from the available seats.",
         .required = true},
        {.name = "is_full", .type = boolean(), .help = "Whether no seat is left."},
        {.name = "source",
         .type = choice({"fixed", "recurring", "trip_default"}),
         .help = "fixed: planned; recurring: from a rule; trip_default: open every day."},
        {.name = "rule_id", .type = id().or_null(), .help = "Id of the rule that offers it."},
        {.name = "pricing_type",
         .type = choice({"regular", "traveler_based"}),
         .help = "traveler_based: enter the number of travelers by category."},
        {.name = "price", .type = money(), .help = "Price per traveler.", .required = true},
        {.name = "original_price", .type = money(), .help = "List price per traveler."},
        {.name = "price_override",
         .type = money().or_null(),
         .help = "The date's list price; null inherits from the trip."},
        {.name = "price_by_traveler_type",
         .type = map(object("DatePrice", of_category)).or_null(),
         .help = "Prices by traveler category id."},
        {.name = "currency", .type = text(3), .required = true},
        {.name = "waitlist", .type = boolean(), .help = "Whether the waitlist is open."},
        {.name = "cutoff_at", .type = instant(), .help = "When booking closes."},
        {.name = "departure_times",
         .type = list(object("DatePriceAtTime", at), 24 * 60),
         .help = "All departure times of that day. With more than 12, listed only at the first time."},
    };
}

api::Type date_answer() { return api::object("AvailableDate", date_members()); }

}  // namespace svc::availability
