// Reads the bookings of a span once and adds them up in every way that a report shows.
#include "base/admin/reports/booking_facts.hpp"

#include <cstdlib>
#include <deque>
#include <functional>

#include "base/admin/reports/day_sums.hpp"
#include "base/admin/reports/statements.hpp"
#include "shared/json/value.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reports {
namespace {

struct WordSum {
    std::int64_t bookings = 0, total = 0;
};
using WordSums = std::unordered_map<std::string, WordSum>;

void add_to(WordSums& sums, const std::string& word, std::int64_t bookings, std::int64_t total) {
    WordSum& sum = sums[word];
    sum.bookings += bookings;
    sum.total += total;
}

// Most bookings first.
template <class Made>
std::vector<Made> by_bookings(const WordSums& sums, std::size_t most) {
    std::vector<Made> all;
    for (const auto& [word, sum] : sums)
        all.push_back({word, sum.bookings, sum.total});
    std::sort(all.begin(), all.end(), [](const Made& a, const Made& b) {
        if (a.bookings != b.bookings)
            return a.bookings > b.bookings;
        if constexpr (requires { a.name; })
            return a.name < b.name;
        else
            return a.via < b.via;
    });
    all.resize(std::min(all.size(), most));
    return all;
}

std::size_t lead_bucket(std::int64_t days) { return days < 7 ? 0 : days < 30 ? 1 : days < 90 ? 2 : days < 180 ? 3 : 4; }

// Bookings of one payment status; `owing` ones have paid less than their total, `deposits` less than was due at once.
struct PaymentSum {
    std::int64_t bookings = 0, total = 0, paid = 0, pay_now = 0;
    bool owing = false, deposits = false;
};

class Composer {
  public:
    void add_day(Date day, const std::string& status, std::int64_t trip_id, std::int64_t count, std::int64_t total,
                 std::int64_t travelers) {
        days_.add(day, status, trip_id, count, total, travelers);
    }
    void add_place(const BookingPlace& place) { facts_.places.add(place); }
    void add_payment(const std::string& status, const PaymentSum& sum) {
        PaymentState& state = states_[status];
        state.bookings += sum.bookings;
        state.total += sum.total;
        if (!sum.owing)
            return;
        state.due += sum.total - sum.paid;
        facts_.owed.bookings += sum.bookings;
        facts_.owed.due += sum.total - sum.paid;
        if (!sum.deposits)
            return;
        facts_.owed.deposits += sum.bookings;
        facts_.owed.deposits_due += sum.pay_now - sum.paid;
    }
    void add_lead(std::int64_t days, std::int64_t count) {
        facts_.lead_time.buckets[lead_bucket(days)] += count;
        facts_.lead_time.bookings += count;
        facts_.lead_time.days += std::max<std::int64_t>(days, 0) * count;
    }
    void add_party(std::int64_t travelers, std::int64_t count) { parties_[travelers] += count; }
    void add_source(const std::string& source, std::int64_t count, std::int64_t total, bool is_booked) {
        if (source == "web")
            facts_.web_bookings += count;
        if (is_booked)
            add_to(sources_, source, count, total);
    }
    void add_country(const std::string& country, std::int64_t count, std::int64_t total) {
        add_to(countries_, country, count, total);
    }
    void add_cancelled(const std::string& via, std::int64_t count, std::int64_t total) {
        add_to(cancelled_, via, count, total);
    }
    void add_counts(const std::string& counts, std::int64_t count) { add_to(counts_, counts, count, 0); }
    void add_customer(const CustomerSums& sums) {
        CustomerSums& all = customers_.try_emplace(sums.id, CustomerSums{sums.id, sums.first_booking}).first->second;
        all.first_booking = std::min(all.first_booking, sums.first_booking);
        all.bookings += sums.bookings;
        all.total += sums.total;
    }

    BookingFacts facts() {
        facts_.places.sort();
        facts_.days = days_.sorted([](const DaySums::Sum& sum, const std::string& status) {
            return DayOfBookings{sum.day, status, sum.trip_id, sum.count, sum.amount, sum.more};
        });
        for (auto& [status, state] : states_) {
            state.status = status;
            facts_.payment_states.push_back(state);
        }
        std::stable_sort(facts_.payment_states.begin(), facts_.payment_states.end(),
                         [](const PaymentState& a, const PaymentState& b) { return a.bookings > b.bookings; });
        for (const auto& [travelers, bookings] : parties_)
            facts_.parties.push_back({travelers, bookings});
        facts_.sources = by_bookings<Share>(sources_, sources_.size());
        facts_.countries = by_bookings<Share>(countries_, 50);
        facts_.cancellations = by_bookings<Cancellation>(cancelled_, cancelled_.size());
        add_categories();
        for (const auto& [id, sums] : customers_)
            facts_.customers.push_back(sums);
        return std::move(facts_);
    }

  private:
    void add_categories() {
        std::map<std::int64_t, std::int64_t> travelers;
        for (const auto& [text, sum] : counts_)
            if (const auto counts = json::parse(text); counts && counts->is_object())
                for (const auto& [category, count] : counts->members())
                    travelers[std::atoll(category.c_str())] += count.integer() * sum.bookings;
        for (const auto& [id, count] : travelers)
            facts_.categories.push_back({id, {}, count});
        std::stable_sort(facts_.categories.begin(), facts_.categories.end(),
                         [](const CategoryFigure& a, const CategoryFigure& b) { return a.travelers > b.travelers; });
    }

    BookingFacts facts_;
    DaySums days_;
    std::map<std::string, PaymentState> states_;
    std::map<std::int64_t, std::int64_t> parties_;
    WordSums sources_, countries_, cancelled_, counts_;
    std::unordered_map<std::int64_t, CustomerSums> customers_;
};

// What a raw row's status tells, found once a status.
class Statuses {
  public:
    struct Is {
        std::string word;
        bool is_booked = false, gone = false, trashed = false;
    };
    const Is& of(const std::string& status) {
        for (const Is& is : known_)
            if (is.word == status)
                return is;
        const DayOfBookings one{.day = {}, .status = status};
        return known_.emplace_back(Is{status, one.is_booked(), one.is_gone(), status == "trash"});
    }

  private:
    std::deque<Is> known_;
};

constexpr std::int64_t day_micros = 86'400'000'000;

using DayOf = std::function<Date(std::int64_t)>;  // of a day's number

// Runs a statement once by the day of travel, or stretch by stretch by the day of booking; `of(params, day_of)` reads
// it.
template <class Of>
void each_part(const ReportFilter& filter, const Of& of) {
    auto params = span_params(filter);
    if (filter.basis == Basis::travel) {
        // An hour of summer time moves no booking's lead time by a day that matters.
        params.emplace_back("offset", std::int64_t{filter.span.from.days()} * day_micros -
                                          filter.zone.instant_of(filter.span.from, {}).micros());
        return of(params, [](std::int64_t number) { return Date::from_days(static_cast<std::int32_t>(number)); });
    }
    for (const Stretch& stretch : stretches_of(filter.span, filter.zone)) {
        const store::Params of_stretch{{"from", stretch.from},
                                       {"until", stretch.until},
                                       {"offset", stretch.offset},
                                       {"currency", filter.currency.code()}};
        of(of_stretch, [&](std::int64_t number) { return stretch.day_of(number); });
    }
}

#define SVC_MADE_DAY "(b.created_at + :offset) / 86400000000"
#define SVC_TRAVEL_DAY "(CAST(b.travel_date AS DATE) - DATE '1970-01-01')"  // of PostgreSQL
// Of all bookings of the span, since money of those that no figure counts is counted; `b.currency = :currency` tells
// which do.
#define SVC_RAW_ROWS(made_day, travel_day, columns)                                                          \
    BySpan {                                                                                                 \
        "SELECT b.currency = :currency, " made_day                                                           \
        ", b.status, b.trip_id, b.total_minor, b.travelers_count, b.id" columns                              \
        " FROM svc_bookings b INDEXED BY svc_bookings_booked WHERE b.created_at >= :from AND b.created_at <" \
        " :until",                                                                                           \
            "SELECT b.currency = :currency, " travel_day                                                     \
            ", b.status, b.trip_id, b.total_minor, b.travelers_count, b.id" columns                          \
            " FROM svc_bookings b INDEXED BY svc_bookings_travelling WHERE b.travel_date >= :first AND"      \
            " b.travel_date <= :last"                                                                        \
    }

// `DayCell`: the number of a day, or the text of a date.
template <class DayCell>
void read_plain_part(store::Session& session, std::string_view statement, const store::Params& params,
                     Composer& composer, Statuses& statuses, const std::function<Date(DayCell)>& day_of) {
    store::each_row(session, statement, params,
                    [&](bool in_currency, DayCell cell, const std::string& status, std::int64_t trip,
                        std::int64_t total, std::int64_t travelers, std::int64_t id) {
                        const Date day = day_of(cell);
                        const Statuses::Is& is = statuses.of(status);
                        composer.add_place({id, day, trip});
                        if (in_currency && !is.trashed)
                            composer.add_day(day, status, trip, 1, total, travelers);
                    });
}

void read_plain_rows(store::Session& session, const ReportFilter& filter, Composer& composer) {
    static constexpr auto statement = SVC_RAW_ROWS(SVC_MADE_DAY, "b.travel_date", "");
    Statuses statuses;
    if (filter.basis == Basis::travel)
        return read_plain_part<Date>(session, statement.travelling, span_params(filter), composer, statuses,
                                     [](Date day) { return day; });
    each_part(filter, [&](const store::Params& params, const DayOf& day_of) {
        read_plain_part<std::int64_t>(session, statement.booked, params, composer, statuses, day_of);
    });
}

void read_composed_rows(store::Session& session, const ReportFilter& filter, Composer& composer) {
    static constexpr auto statement =
        SVC_RAW_ROWS(SVC_MADE_DAY, SVC_MADE_DAY,
                     ", b.travel_date, b.source, b.customer_id, b.payment_status, CASE WHEN b.payments_unknown <> 0"
                     " THEN 2 WHEN b.payment_method <> 'full' THEN 1 ELSE 0 END, b.amount_paid_minor, b.pay_now_minor, "
                     "b.contact_country, COALESCE(b.cancelled_via, ''),"
                     " b.traveler_counts");
    const bool by_travel = filter.basis == Basis::travel;
    Statuses statuses;
    each_part(filter, [&](const store::Params& params, const DayOf& day_of) {
        store::each_row(
            session, chosen(statement, filter), params,
            [&](bool in_currency, std::int64_t made, const std::string& status, std::int64_t trip, std::int64_t total,
                std::int64_t travelers, std::int64_t id, Date travel, const std::string& source, std::int64_t customer,
                const std::string& payment_status, std::int64_t way, std::int64_t paid, std::int64_t pay_now,
                const std::string& country, const std::string& via, const std::string& counts) {
                const Date day = by_travel ? travel : day_of(made);
                const Statuses::Is& is = statuses.of(status);
                composer.add_place({id, day, trip});
                if (!in_currency || is.trashed)
                    return;
                composer.add_day(day, status, trip, 1, total, travelers);
                composer.add_source(source, 1, total, is.is_booked);
                if (is.gone)
                    composer.add_cancelled(via, 1, total);
                if (!is.is_booked)
                    return;
                composer.add_payment(payment_status,
                                     {1, total, paid, pay_now, way != 2 && paid < total, way == 1 && paid < pay_now});
                composer.add_lead(travel.days() - made, 1);
                composer.add_party(travelers, 1);
                composer.add_country(country, 1, total);
                composer.add_counts(counts, 1);
                composer.add_customer({customer, id, 1, total});
            });
    });
}

void read_plain_groups(store::Session& session, const ReportFilter& filter, Composer& composer) {
    static constexpr auto statement =
        BySpan{"SELECT " SVC_MADE_DAY
               ", b.status, b.trip_id, COUNT(*), CAST(SUM(b.total_minor) AS BIGINT),"
               " CAST(SUM(b.travelers_count) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED
               " AND b.created_at >= :from AND b.created_at < :until GROUP BY 1, 2, 3",
               "SELECT b.travel_date, b.status, b.trip_id, COUNT(*), CAST(SUM(b.total_minor) AS BIGINT),"
               " CAST(SUM(b.travelers_count) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED
               " AND b.travel_date >= :first AND b.travel_date <= :last GROUP BY 1, 2, 3"};
    if (filter.basis == Basis::travel)
        return store::each_row(
            session, statement.travelling, span_params(filter),
            [&](Date day, const std::string& status, std::int64_t trip, std::int64_t count, std::int64_t total,
                std::int64_t travelers) { composer.add_day(day, status, trip, count, total, travelers); });
    each_part(filter, [&](const store::Params& params, const DayOf& day_of) {
        store::each_row(session, statement.booked, params,
                        [&](std::int64_t number, const std::string& status, std::int64_t trip, std::int64_t count,
                            std::int64_t total, std::int64_t travelers) {
                            composer.add_day(day_of(number), status, trip, count, total, travelers);
                        });
    });
}

// One row for each group of each way to group: `way` tells which, `word` and `number` what of. `kind` is 1 of bookings
// that stand and 2 of those that are gone; `owes` is 1 where less than the total is paid, 2 where also less than was
// due at once.
#define SVC_WAYS "f.day, f.payment_status, f.lead, f.party, f.source, f.country, f.via, f.counts, f.customer_id"
enum Way : std::int64_t {
    by_day = 0b011111111,
    by_payment = 0b101111111,
    by_lead = 0b110111111,
    by_party = 0b111011111,
    by_source_of = 0b111101111,
    by_country_of = 0b111110111,
    by_via = 0b111111011,
    by_counts = 0b111111101,
    by_customer = 0b111111110
};
#define SVC_COMPOSED_GROUPS(day, condition)                                                                           \
    "SELECT GROUPING(" SVC_WAYS                                                                                       \
    "), COALESCE(f.status, f.payment_status, f.source, f.country, f.via, f.counts, ''), COALESCE(CAST(f.day AS"       \
    " BIGINT), f.lead, f.party, f.customer_id, 0), COALESCE(f.kind, 0), COALESCE(f.owes, 0), COALESCE(f.trip_id, 0)," \
    " COUNT(*), CAST(SUM(f.total) AS BIGINT), CAST(SUM(f.travelers) AS BIGINT), CAST(SUM(f.paid) AS BIGINT),"         \
    " CAST(SUM(f.pay_now) AS BIGINT), MIN(f.id) FROM (SELECT " day                                                    \
    " AS day, b.status, b.trip_id, b.total_minor AS total, b.travelers_count AS travelers, b.travelers_count AS"      \
    " party, b.id, CASE WHEN " SVC_STANDS " THEN 1 WHEN " SVC_GONE                                                    \
    " THEN 2 ELSE 0 END AS kind, b.payment_status, b.amount_paid_minor AS paid, b.pay_now_minor AS pay_now, CASE"     \
    " WHEN b.amount_paid_minor >= b.total_minor OR b.payments_unknown <> 0 THEN 0 WHEN b.payment_method <> 'full'"    \
    " AND b.amount_paid_minor < b.pay_now_minor THEN 2 ELSE 1 END AS owes, " SVC_TRAVEL_DAY " - " SVC_MADE_DAY        \
    " AS lead, b.source, b.contact_country AS country, COALESCE(b.cancelled_via, '') AS via, b.traveler_counts AS"    \
    " counts, b.customer_id FROM svc_bookings b WHERE " SVC_COUNTED " AND " condition                                 \
    ") f GROUP BY GROUPING SETS ((f.day, f.status, f.trip_id), (f.kind, f.payment_status, f.owes), (f.kind, f.lead)," \
    " (f.kind, f.party), (f.kind, f.source), (f.kind, f.country), (f.kind, f.via), (f.kind, f.counts), (f.kind,"      \
    " f.customer_id))"

void read_composed_groups(store::Session& session, const ReportFilter& filter, Composer& composer) {
    static constexpr auto statement =
        BySpan{SVC_COMPOSED_GROUPS(SVC_MADE_DAY, "b.created_at >= :from AND b.created_at < :until"),
               SVC_COMPOSED_GROUPS(SVC_TRAVEL_DAY, "b.travel_date >= :first AND b.travel_date <= :last")};
    each_part(filter, [&](const store::Params& params, const DayOf& day_of) {
        store::each_row(
            session, chosen(statement, filter), params,
            [&](std::int64_t way, const std::string& word, std::int64_t number, std::int64_t kind, std::int64_t owes,
                std::int64_t trip, std::int64_t count, std::int64_t total, std::int64_t travelers, std::int64_t paid,
                std::int64_t pay_now, std::int64_t first_id) {
                if (way == Way::by_day)
                    return composer.add_day(day_of(number), word, trip, count, total, travelers);
                if (way == Way::by_source_of)
                    return composer.add_source(word, count, total, kind == 1);
                if (way == Way::by_via)
                    return kind == 2 ? composer.add_cancelled(word, count, total) : void();
                if (kind != 1)
                    return;
                switch (way) {
                    case Way::by_payment:
                        return composer.add_payment(word, {count, total, paid, pay_now, owes > 0, owes == 2});
                    case Way::by_lead:
                        return composer.add_lead(number, count);
                    case Way::by_party:
                        return composer.add_party(number, count);
                    case Way::by_country_of:
                        return composer.add_country(word, count, total);
                    case Way::by_counts:
                        return composer.add_counts(word, count);
                    default:
                        return composer.add_customer({number, first_id, count, total});
                }
            });
    });
}

}  // namespace

void BookingPlaces::sort() {
    std::sort(places_.begin(), places_.end(), [](const BookingPlace& a, const BookingPlace& b) { return a.id < b.id; });
}

const BookingPlace* BookingPlaces::find(std::int64_t id) const {
    const auto found = std::lower_bound(places_.begin(), places_.end(), id,
                                        [](const BookingPlace& place, std::int64_t of) { return place.id < of; });
    return found == places_.end() || found->id != id ? nullptr : &*found;
}

bool BookingPlaces::is_dense() const {
    return !places_.empty() && last() - first() < 3 * static_cast<std::int64_t>(places_.size());
}

BookingFacts booking_facts(store::Session& session, const ReportFilter& filter, bool composed) {
    Composer composer;
    if (session.dialect() == store::Dialect::sqlite)
        (composed ? read_composed_rows : read_plain_rows)(session, filter, composer);
    else
        (composed ? read_composed_groups : read_plain_groups)(session, filter, composer);
    return composer.facts();
}

}  // namespace svc::reports
