// Stores staged records of a former installation, one at a time, by the rules of staff's input; no mail, no event.
#pragma once

#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/data/import_export/csv_kinds.hpp"
#include "base/feature/feature.hpp"
#include "base/people/reviews/review.hpp"
#include "base/sales/booking/record/booking.hpp"
#include "base/sales/discounts/feature.hpp"

namespace svc::wordpress_import {

enum class Outcome : std::uint8_t { migrated, skipped };

// Any thread.
class RecordMigration {
  public:
    struct Needs {
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
        discounts::Feature& discounts;
        import_export::CsvKinds& csv;
    };
    RecordMigration(const Site& site, const Needs& lower)
        : site_(site), lower_(lower), reviews_(reviews::make_record(site.clock)) {}

    struct Options {
        std::int64_t task_id = 0;
        bool force = false;  // overwrites records that exist already
    };
    using Remarks = std::vector<std::string>;  // a sentence for each value that was left out
    // In the transaction. Skips records that exist already.
    Result<Outcome> migrate(store::Transaction& tx, std::string_view kind, const json::Value& fields,
                            const Options& options, Remarks& remarks) const;

    // Fetches the pictures of a trip or term and, unless `only_looks`, stores them, outside of any transaction. Returns
    // their ids and a sentence for each failure. Rejects addresses outside the public Internet.
    struct FetchedPictures {
        std::vector<std::int64_t> ids;
        std::size_t seen = 0;  // pictures that came
        std::vector<std::string> problems;
    };
    [[nodiscard]] FetchedPictures fetch_pictures(const json::Value& fields, bool only_looks) const;
    // Whether the trip or term has no pictures yet; `if_missing`: the answer for one that is not stored.
    [[nodiscard]] bool wants_pictures(const json::Value& fields, bool force, bool if_missing) const;
    // Null: they were not wanted.
    Result<Outcome> migrate_pictures(store::Transaction& tx, const json::Value& fields,
                                     const FetchedPictures* fetched) const;

    // The file of payments is done: bookings whose payments were not known have these or none, but for `still`.
    void know_payments(store::Transaction& tx, const std::vector<std::string>& still) const;

  private:
    Result<Outcome> migrate_class(store::Transaction& tx, catalog::classifications::Type type,
                                  const json::Value& fields) const;
    Result<Outcome> migrate_coupon(store::Transaction& tx, const json::Value& fields) const;
    Result<Outcome> migrate_enquiry(store::Transaction& tx, const json::Value& fields, Remarks& remarks) const;
    Result<Outcome> migrate_review(store::Transaction& tx, const json::Value& fields, Remarks& remarks) const;
    Result<Outcome> migrate_category_price(store::Transaction& tx, const json::Value& fields, bool force) const;
    // {category_id, regular_price, sale_price, …} of a staged price; makes the category where there is none like it.
    Result<json::Value> category_price(store::Transaction& tx, const json::Value& fields) const;
    Result<std::int64_t> category_of(store::Transaction& tx, const json::Value& fields) const;
    Result<Outcome> migrate_date(store::Transaction& tx, const json::Value& fields, bool force, Remarks& remarks) const;
    Result<Outcome> migrate_days(store::Transaction& tx, const json::Value& fields, bool force) const;
    Result<Outcome> migrate_booking(store::Transaction& tx, const json::Value& fields, std::int64_t task_id) const;
    Result<void> take_seats(store::Transaction& tx, const booking::Booking& booking, const catalog::trips::Trip& trip,
                            const json::Value& fields) const;
    Result<Outcome> migrate_payment(store::Transaction& tx, const json::Value& fields) const;
    Result<std::int64_t> customer_of(store::Transaction& tx, const json::Value& fields) const;
    Result<std::int64_t> departure_of(store::Transaction& tx, const catalog::trips::Trip& trip,
                                      const json::Value& fields, std::int64_t seats) const;
    Result<Outcome> migrate_by_rules(store::Transaction& tx, std::string_view kind, json::Value fields, bool force,
                                     Remarks& remarks) const;
    Result<Outcome> change_trip(store::Transaction& tx, std::int64_t id, const json::Value& change) const;

    const Site& site_;
    const Needs lower_;
    const record::Record<reviews::Review> reviews_;
};

}  // namespace svc::wordpress_import
