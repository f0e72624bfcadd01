// SQL of the travelers of one booking.
#include <algorithm>

#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/traveler_row.hpp"
#include "shared/core/words.hpp"
#include "shared/record/rows.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

const record::Rows<TravelerRow>& traveler_record() {
    using record::column;
    static const record::Rows<TravelerRow> travelers{
        {.table = "svc_booking_travelers"},
        {record::id(&TravelerRow::id), column("booking_id", &TravelerRow::booking_id, api::id()),
         column("traveler_index", &TravelerRow::index, api::integer(1)),
         column("is_lead", &TravelerRow::is_lead, api::boolean()),
         column("fields", &TravelerRow::fields, api::map(api::anything())),
         column("sealed", &TravelerRow::sealed, api::raw_text(100'000)),
         column("category_id", &TravelerRow::category_id, api::id())}};
    return travelers;
}

// The parameters of a traveler's row.
store::Params traveler_params(std::int64_t booking_id, std::int64_t index, const json::Value& traveler,
                              const Sealing& sealing) {
    json::Value fields = traveler;
    const auto category = fields.maybe_integer("category_id");
    fields.erase("category_id");
    const Sealing::AtRest rest = sealing.seal(fields, Sealing::of_traveler(booking_id, index));
    return {{"booking_id", booking_id},    {"traveler_index", index}, {"is_lead", index == 1},
            {"fields", rest.plain.dump()}, {"sealed", rest.sealed},   {"search", traveler_search_text(rest.plain)},
            {"category_id", category}};
}

void insert_traveler(store::Transaction& tx, store::Params params) {
    store::run_later(
        tx,
        "INSERT INTO svc_booking_travelers (booking_id, traveler_index, is_lead, fields, sealed, search,"
        " category_id) VALUES (:booking_id, :traveler_index, :is_lead, :fields, :sealed, :search, :category_id)",
        std::move(params));
}

// The existing row of each position; 0: none.
std::vector<std::int64_t> rows_kept(const std::vector<std::int64_t>& known, const std::vector<std::int64_t>& ids,
                                    std::size_t travelers) {
    std::vector<std::int64_t> row_ids(travelers, 0);
    const bool named = std::any_of(ids.begin(), ids.end(), [](std::int64_t id) { return id > 0; });
    for (std::size_t at = 0; at < travelers; ++at) {
        const std::int64_t id = named ? (at < ids.size() ? ids[at] : 0) : at < known.size() ? known[at] : 0;
        const bool is_free = std::find(row_ids.begin(), row_ids.end(), id) == row_ids.end();
        if (is_free && std::find(known.begin(), known.end(), id) != known.end())
            row_ids[at] = id;
    }
    return row_ids;
}

}  // namespace

Traveler TravelerRow::traveler(const Sealing* sealing) const {
    return {.id = id,
            .index = index,
            .is_lead = is_lead,
            .fields =
                sealing && sealed ? sealing->unseal(fields, *sealed, Sealing::of_traveler(booking_id, index)) : fields,
            .category_id = category_id};
}

std::string traveler_search_text(const json::Value& fields) {
    std::string all;
    for (const auto& [name, value] : fields.members())
        if (value.is_string())
            all += value.text() + " ";
    return text::search_key(all);
}

void Repository::replace_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                   const std::vector<std::int64_t>& ids, const Sealing& sealing) {
    const auto known =
        store::numbers(tx, "SELECT id FROM svc_booking_travelers WHERE booking_id = :id ORDER BY traveler_index",
                       {{"id", booking_id}});
    const auto row_ids = rows_kept(known, ids, travelers.size());
    for (const std::int64_t id : known)
        if (std::find(row_ids.begin(), row_ids.end(), id) == row_ids.end())
            tx.run("DELETE FROM svc_booking_travelers WHERE id = :id", {{"id", id}});
    // Moves the rows beyond all places first, since a place has one row at a time.
    constexpr std::int64_t beyond = 1'000'000;
    tx.run("UPDATE svc_booking_travelers SET traveler_index = traveler_index + :beyond WHERE booking_id = :id",
           {{"beyond", beyond}, {"id", booking_id}});
    for (std::size_t at = 0; at < travelers.size(); ++at) {
        store::Params params =
            traveler_params(booking_id, static_cast<std::int64_t>(at) + 1, travelers.items()[at], sealing);
        if (row_ids[at] == 0) {
            insert_traveler(tx, std::move(params));
            continue;
        }
        params.emplace_back("id", row_ids[at]);
        tx.run(
            "UPDATE svc_booking_travelers SET traveler_index = :traveler_index, is_lead = :is_lead, fields = :fields,"
            " sealed = :sealed, search = :search, category_id = :category_id"
            " WHERE id = :id AND booking_id = :booking_id",
            params);
    }
}

void Repository::insert_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                  const Sealing& sealing) {
    std::int64_t index = 0;
    for (const json::Value& traveler : travelers.items())
        insert_traveler(tx, traveler_params(booking_id, ++index, traveler, sealing));
}

std::vector<Traveler> Repository::travelers(store::Session& session, std::int64_t booking_id, const Sealing* sealing) {
    static const std::string of_booking =
        traveler_record().select("WHERE r.booking_id = :id ORDER BY r.traveler_index");
    std::vector<Traveler> travelers;
    for (const TravelerRow& row : traveler_record().all(session, of_booking, {{"id", booking_id}}))
        travelers.push_back(row.traveler(sealing));
    return travelers;
}

void Repository::keep_travelers(store::Transaction& tx, std::int64_t booking_id, std::int64_t most) {
    tx.run(
        "DELETE FROM svc_booking_travelers WHERE id IN (SELECT id FROM svc_booking_travelers WHERE booking_id = :id"
        " ORDER BY is_lead DESC, traveler_index LIMIT 10000 OFFSET :most)",
        {{"id", booking_id}, {"most", most}});
}

}  // namespace svc::booking
