// Statements of reports about days, money and trips.
#include "base/reports/figures.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/reports/statements.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reports {
namespace {

// Runs a statement that groups by the local day of a moment, stretch by stretch.
template <class Take>
void each_stretch(const Asked& asked, std::string_view statement, const Take& take) {
    for (const Stretch& stretch : stretches_of(asked.span, asked.zone))
        take(stretch, statement,
             store::Params{{"from", stretch.from},
                           {"until", stretch.until},
                           {"offset", stretch.offset},
                           {"currency", asked.currency.code()}});
}

// Adds up rows by day, word and trip. SQLite would sort them first, which costs more than reading them, so it returns
// rows of one; PostgreSQL adds up by itself and returns fewer.
class DaySums {
  public:
    struct Sum {
        Date day;
        std::int64_t word = 0, trip_id = 0, count = 0, amount = 0, more = 0;
    };
    void add(Date day, const std::string& word, std::int64_t trip_id, std::int64_t count, std::int64_t amount,
             std::int64_t more = 0) {
        Sum& sum = at(day, place_of(word), trip_id);
        sum.count += count;
        sum.amount += amount;
        sum.more += more;
    }
    // By day, word and trip.
    template <class Make>
    auto sorted(const Make& make) {
        std::sort(sums_.begin(), sums_.end(), [&](const Sum& a, const Sum& b) {
            if (a.day != b.day)
                return a.day < b.day;
            if (a.word != b.word)
                return word_of(a) < word_of(b);
            return a.trip_id < b.trip_id;
        });
        std::vector<decltype(make(sums_.front(), words_.front()))> all;
        all.reserve(sums_.size());
        for (const Sum& sum : sums_)
            all.push_back(make(sum, word_of(sum)));
        return all;
    }

  private:
    struct Hash {
        std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& key) const {
            return static_cast<std::size_t>(static_cast<std::uint64_t>(key.first) * 0x9E3779B97F4A7C15U ^
                                            static_cast<std::uint64_t>(key.second) * 0xC2B2AE3D27D4EB4FU);
        }
    };
    [[nodiscard]] const std::string& word_of(const Sum& sum) const {
        return words_[static_cast<std::size_t>(sum.word)];
    }
    std::int64_t place_of(const std::string& word) {
        const auto found = std::find(words_.begin(), words_.end(), word);  // statuses or gateways: few
        const auto place = found - words_.begin();
        if (found == words_.end())
            words_.push_back(word);
        return place;
    }
    Sum& at(Date day, std::int64_t word, std::int64_t trip_id) {
        const auto [place, is_new] =
            places_.try_emplace({static_cast<std::int64_t>(day.days()) << 20 | word, trip_id}, sums_.size());
        if (is_new)
            sums_.push_back({day, word, trip_id});
        return sums_[place->second];
    }
    std::vector<std::string> words_;
    std::vector<Sum> sums_;
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, std::size_t, Hash> places_;
};

// A statement for each database: rows of one, and groups.
struct PerDatabase {
    std::string_view on_sqlite, on_postgresql;
    [[nodiscard]] std::string_view of(const store::Session& session) const {
        return session.dialect() == store::Dialect::sqlite ? on_sqlite : on_postgresql;
    }
};
// What days are asked by: the moment something was made, or the day of the travel.
struct DayStatements {
    PerDatabase by_moment, by_travel;
};

// Calls `add(day, row…)` through each_row for the rows of the span, whichever way its days are asked by.
template <class OfMoment, class OfTravel>
void each_day(store::Session& session, const Asked& asked, const DayStatements& statements, const OfMoment& of_moment,
              const OfTravel& of_travel) {
    if (asked.basis == Basis::travel)
        return of_travel(statements.by_travel.of(session), span_params(asked));
    each_stretch(asked, statements.by_moment.of(session), of_moment);
}

#define SVC_MOMENT "+ :offset) / 86400000000"
#define SVC_MONEY_DAYS(columns, from, condition, tail)                                                        \
    "SELECT (m.processed_at " SVC_MOMENT ", m.gateway, b.trip_id, " columns " FROM " from " WHERE " condition \
    " AND m.processed_at >= :from AND m.processed_at < :until " tail
#define SVC_MONEY_OF_TRAVELS(columns, table, condition, tail)                                 \
    "SELECT b.travel_date, m.gateway, b.trip_id, " columns " FROM svc_bookings b JOIN " table \
    " m ON m.booking_id = b.id WHERE " condition " AND b.travel_date >= :first AND b.travel_date <= :last " tail
#define SVC_ONE_ROW "1, m.amount_minor"
#define SVC_GROUPED "COUNT(*), CAST(SUM(m.amount_minor) AS BIGINT)"
// The covering index of bookings by their id alone; PostgreSQL finds it by itself.
#define SVC_MONEY_STATEMENTS(table, condition)                                                               \
    DayStatements {                                                                                          \
        {SVC_MONEY_DAYS(SVC_ONE_ROW,                                                                         \
                        table " m JOIN svc_bookings b INDEXED BY svc_bookings_trips ON b.id = m.booking_id", \
                        condition, ""),                                                                      \
         SVC_MONEY_DAYS(SVC_GROUPED, table " m JOIN svc_bookings b ON b.id = m.booking_id", condition,       \
                        "GROUP BY 1, 2, 3")},                                                                \
        {                                                                                                    \
            SVC_MONEY_OF_TRAVELS(SVC_ONE_ROW, table, condition, ""),                                         \
                SVC_MONEY_OF_TRAVELS(SVC_GROUPED, table, condition, "GROUP BY 1, 2, 3")                      \
        }                                                                                                    \
    }

std::vector<DayOfMoney> money_days(store::Session& session, const Asked& asked, const DayStatements& statements) {
    DaySums sums;
    each_day(
        session, asked, statements,
        [&](const Stretch& stretch, std::string_view statement, const store::Params& params) {
            store::each_row(session, statement, params,
                            [&](std::int64_t day, const std::string& gateway, std::int64_t trip, std::int64_t count,
                                std::int64_t amount) { sums.add(stretch.day_of(day), gateway, trip, count, amount); });
        },
        [&](std::string_view statement, const store::Params& params) {
            store::each_row(session, statement, params,
                            [&](Date day, const std::string& gateway, std::int64_t trip, std::int64_t count,
                                std::int64_t amount) { sums.add(day, gateway, trip, count, amount); });
        });
    return sums.sorted([](const DaySums::Sum& sum, const std::string& gateway) {
        return DayOfMoney{sum.day, gateway, sum.trip_id, sum.count, sum.amount};
    });
}

#define SVC_BOOKING_DAYS(columns, tail)                                                                            \
    "SELECT (b.created_at " SVC_MOMENT ", b.status, b.trip_id, " columns " FROM svc_bookings b WHERE " SVC_COUNTED \
    " AND b.created_at >= :from AND b.created_at < :until " tail
#define SVC_BOOKINGS_OF_TRAVELS(columns, tail)                                                      \
    "SELECT b.travel_date, b.status, b.trip_id, " columns " FROM svc_bookings b WHERE " SVC_COUNTED \
    " AND b.travel_date >= :first AND b.travel_date <= :last " tail
#define SVC_ONE_BOOKING "1, b.total_minor, b.travelers_count"
#define SVC_GROUPED_BOOKINGS "COUNT(*), CAST(SUM(b.total_minor) AS BIGINT), CAST(SUM(b.travelers_count) AS BIGINT)"

}  // namespace

bool DayOfBookings::stands() const {
    static constexpr std::string_view standing[] = {"pending", "confirmed", "processing", "on-hold", "completed"};
    return std::find(std::begin(standing), std::end(standing), status) != std::end(standing);
}

std::vector<DayOfBookings> booking_days(store::Session& session, const Asked& asked) {
    static constexpr DayStatements statements{
        {SVC_BOOKING_DAYS(SVC_ONE_BOOKING, ""), SVC_BOOKING_DAYS(SVC_GROUPED_BOOKINGS, "GROUP BY 1, 2, 3")},
        {SVC_BOOKINGS_OF_TRAVELS(SVC_ONE_BOOKING, ""),
         SVC_BOOKINGS_OF_TRAVELS(SVC_GROUPED_BOOKINGS, "GROUP BY 1, 2, 3")}};
    DaySums sums;
    each_day(
        session, asked, statements,
        [&](const Stretch& stretch, std::string_view statement, const store::Params& params) {
            store::each_row(session, statement, params,
                            [&](std::int64_t day, const std::string& status, std::int64_t trip, std::int64_t count,
                                std::int64_t total, std::int64_t travelers) {
                                sums.add(stretch.day_of(day), status, trip, count, total, travelers);
                            });
        },
        [&](std::string_view statement, const store::Params& params) {
            store::each_row(
                session, statement, params,
                [&](Date day, const std::string& status, std::int64_t trip, std::int64_t count, std::int64_t total,
                    std::int64_t travelers) { sums.add(day, status, trip, count, total, travelers); });
        });
    return sums.sorted([](const DaySums::Sum& sum, const std::string& status) {
        return DayOfBookings{sum.day, status, sum.trip_id, sum.count, sum.amount, sum.more};
    });
}

BookingSums booking_sums(store::Session& session, const Asked& asked) {
    static constexpr auto statement =
        SVC_BY_SPAN("SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN " SVC_STANDS
                    " THEN b.total_minor ELSE 0 END), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN " SVC_GONE
                    " THEN 1 ELSE 0 END), 0) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED " AND",
                    "");
    return store::first_row(session, chosen(statement, asked), span_params(asked),
                            [](std::int64_t bookings, std::int64_t value, std::int64_t cancelled) {
                                return BookingSums{bookings, value, cancelled};
                            })
        .value_or(BookingSums{});
}

std::int64_t revenue(store::Session& session, const Asked& asked) {
    static constexpr BySpan paid{
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_payments m"
        " WHERE " SVC_PAID " AND m.processed_at >= :from AND m.processed_at < :until",
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_bookings b JOIN"
        " svc_payments m ON m.booking_id = b.id WHERE " SVC_PAID
        " AND b.travel_date >= :first AND b.travel_date <= :last"};
    static constexpr BySpan refunded{
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_refunds m"
        " WHERE " SVC_PAID_BACK " AND m.processed_at >= :from AND m.processed_at < :until",
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_bookings b JOIN"
        " svc_refunds m ON m.booking_id = b.id WHERE " SVC_PAID_BACK
        " AND b.travel_date >= :first AND b.travel_date <= :last"};
    return session.number(chosen(paid, asked), span_params(asked)) -
           session.number(chosen(refunded, asked), span_params(asked));
}

std::vector<DayOfMoney> payment_days(store::Session& session, const Asked& asked) {
    static constexpr auto statements = SVC_MONEY_STATEMENTS("svc_payments", SVC_PAID);
    return money_days(session, asked, statements);
}

std::vector<DayOfMoney> refund_days(store::Session& session, const Asked& asked) {
    static constexpr auto statements = SVC_MONEY_STATEMENTS("svc_refunds", SVC_PAID_BACK);
    return money_days(session, asked, statements);
}

std::vector<DepartureSeats> departure_seats(store::Session& session, const Asked& asked) {
    return store::all_rows(
        session,
        "SELECT d.start_date, d.trip_id, d.capacity, (SELECT CAST(COALESCE(SUM(l.seats), 0) AS BIGINT) FROM"
        " svc_booking_departures l WHERE l.departure_id = d.id AND l.released_at IS NULL) FROM svc_departures d WHERE"
        " d.start_date >= :first AND d.start_date <= :last AND d.status NOT IN ('cancelled', 'trash') ORDER BY"
        " d.start_date, d.id",
        span_params(asked), [](Date day, std::int64_t trip, std::int64_t capacity, std::int64_t seats) {
            return DepartureSeats{day, trip, capacity, seats};
        });
}

std::map<std::int64_t, std::string> trip_titles(store::Session& session, const std::vector<std::int64_t>& ids) {
    std::map<std::int64_t, std::string> titles;
    store::each_row_of(session, SVC_BY_IDS("SELECT id, title FROM svc_trips WHERE", "id", ""), ids,
                       [&](std::int64_t id, const std::string& title) { titles[id] = title; });
    return titles;
}

Conversion conversion(store::Session& session, const Asked& asked) {
    const auto params = span_params(asked);
    Conversion is;
    is.sessions =
        session.number(
            "SELECT COUNT(*) FROM svc_booking_sessions WHERE created_at >= :from AND created_at < :until AND trip_id"
            " IS NOT NULL AND travel_date IS NOT NULL",
            params) +
        session.number(
            "SELECT CAST(COALESCE(SUM(sessions), 0) AS BIGINT) FROM svc_session_hours WHERE hour >= :from / 3600000000"
            " AND hour < :until / 3600000000",
            params);
    is.bookings = session.number("SELECT COUNT(*) FROM svc_bookings b WHERE b.source = 'web' AND " SVC_COUNTED
                                 " AND b.created_at >= :from AND b.created_at < :until",
                                 params);
    return is;
}

}  // namespace svc::reports
