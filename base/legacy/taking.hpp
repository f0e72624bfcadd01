// Takes staged records of a former installation, one at a time, by the rules of staff's input; no mail, no event.
#pragma once

#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/discounts/feature.hpp"
#include "base/reviews/review.hpp"
#include "base/site/feature.hpp"
#include "base/transfer/csv_kinds.hpp"

namespace svc::legacy {

enum class Came : std::uint8_t { migrated, skipped };

// Any thread.
class Taking {
  public:
    struct Lower {
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
        discounts::Feature& discounts;
        transfer::CsvKinds& csv;
    };
    Taking(const Site& site, const Lower& lower)
        : site_(site), lower_(lower), reviews_(reviews::make_record(site.clock)) {}

    struct Wish {
        std::int64_t task_id = 0;
        bool force = false;  // overwrites records that exist already
    };
    using Remarks = std::vector<std::string>;  // sentences about fields that a record came without
    // In the transaction. Skips records that exist already.
    Result<Came> take(store::Transaction& tx, std::string_view kind, const json::Value& fields, const Wish& wish,
                      Remarks& remarks) const;

    // Outside of any transaction: fetches the pictures of a trip and stores them; their numbers, and a sentence for
    // each that could not be had. Addresses outside the public Internet are refused.
    struct Fetched {
        std::vector<std::int64_t> ids;
        std::vector<std::string> problems;
    };
    [[nodiscard]] Fetched fetch_pictures(const json::Value& fields) const;
    // Whether the trip is here and has no pictures yet.
    [[nodiscard]] bool wants_pictures(const json::Value& fields, bool force) const;
    Result<Came> take_pictures(store::Transaction& tx, const json::Value& fields,
                               const std::vector<std::int64_t>& ids) const;

  private:
    Result<Came> take_class(store::Transaction& tx, catalog::classifications::Type type,
                            const json::Value& fields) const;
    Result<Came> take_coupon(store::Transaction& tx, const json::Value& fields) const;
    Result<Came> take_enquiry(store::Transaction& tx, const json::Value& fields, Remarks& remarks) const;
    Result<Came> take_review(store::Transaction& tx, const json::Value& fields, Remarks& remarks) const;
    Result<Came> take_category_price(store::Transaction& tx, const json::Value& fields, bool force) const;
    Result<Came> take_days(store::Transaction& tx, const json::Value& fields, bool force) const;
    Result<Came> take_booking(store::Transaction& tx, const json::Value& fields, std::int64_t task_id) const;
    Result<std::int64_t> customer_of(store::Transaction& tx, const json::Value& fields) const;
    Result<std::int64_t> departure_of(store::Transaction& tx, const catalog::trips::Trip& trip,
                                      const json::Value& fields, std::int64_t seats) const;
    Result<Came> take_by_rules(store::Transaction& tx, std::string_view kind, json::Value fields, bool force,
                               Remarks& remarks) const;
    Result<Came> change_trip(store::Transaction& tx, std::int64_t id, const json::Value& change) const;

    const Site& site_;
    const Lower lower_;
    const std::unique_ptr<const record::Record<reviews::Review>> reviews_;
};

}  // namespace svc::legacy
