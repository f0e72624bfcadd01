// The downloads as a member of their trip, and the writing of a whole set.
#include <algorithm>

#include "base/catalog/downloads/repository.hpp"
#include "base/catalog/downloads/service.hpp"
#include "base/catalog/downloads/wire.hpp"

namespace svc::catalog::downloads {
namespace {

// The items to store. Rejects one whose file does not exist, or leaves it out when the write is lenient.
Result<std::vector<Download>> checked_items(store::Session& session, const json::Value& items,
                                            const trips::Part::Writing& writing, const std::string& field) {
    const json::Array none;
    std::vector<Download> all;
    std::int64_t place = 0;
    for (const auto& body : items.is_null() ? none : items.items()) {
        const std::string at = field + "." + std::to_string(++place) + ".attachment_id";
        Download draft = download_of(body);
        const std::string file = rows::file_name(session, draft.media_id);
        if (file.empty()) {
            if (!writing.lenient)
                return invalid(at, "This file does not exist."_sentence);
            if (writing.left_out)
                writing.left_out->push_back(at);
            continue;
        }
        draft.title = draft.title.empty() ? file : draft.title;
        draft.sort_order = body.maybe_integer("sort_order").value_or(place - 1);
        all.push_back(std::move(draft));
    }
    return all;
}

class Items : public trips::Part {
  public:
    explicit Items(const media::Service& media) : media_(media) {}

    [[nodiscard]] std::string_view name() const override { return "downloadable_items"; }
    [[nodiscard]] api::Type body_type() const override { return api::list(item(), most_downloads).or_null(); }
    [[nodiscard]] api::Type answer_type() const override { return api::list(answer()); }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        rows::read(session, trip_ids, [&](std::int64_t trip_id, const std::vector<Download>& downloads) {
            auto list = json::array_of(downloads, [&](const Download& one) { return to_json(one, media_); });
            take(trip_id, std::move(list));
        });
    }

    // That there are files for those who have booked is no secret; the files are.
    [[nodiscard]] json::Value public_value(const json::Value& staff) const override {
        auto list = json::Value::array();
        for (const auto& one : staff.items())
            if (one["enabled"].boolean()) {
                auto seen = one;
                seen.erase("download_count");
                if (one["visibility"].text() != name_of(Visibility::public_))
                    seen.erase("attachment_id");
                list.push(std::move(seen));
            }
        return list;
    }

    [[nodiscard]] Result<void> check(store::Session& session, const trips::Trip& /*trip*/, const json::Value& value,
                                     const Writing& writing) const override {
        const auto items = checked_items(session, value, writing, std::string(name()));
        return items ? Result<void>{} : items.error();
    }

    Result<void> write(store::Transaction& tx, const trips::Trip& trip, const json::Value& value,
                       const Writing& writing) const override {
        return write_items(tx, trip.id, value, writing, std::string(name()));
    }

  private:
    const media::Service& media_;
};

}  // namespace

Result<void> write_items(store::Transaction& tx, std::int64_t trip_id, const json::Value& items,
                         const trips::Part::Writing& writing, const std::string& field) {
    SVC_ASSIGN_OR_RETURN(auto items_to_store, checked_items(tx, items, writing, field));
    std::vector<Download> known;
    rows::read(tx, std::span(&trip_id, 1), [&](std::int64_t, std::vector<Download> all) { known = std::move(all); });
    for (Download& one : items_to_store) {
        one.trip_id = trip_id;
        const auto old =
            std::find_if(known.begin(), known.end(), [&](const Download& each) { return each.id == one.id; });
        if (old != known.end()) {
            download_record().update(tx, one, {.now = writing.now});
            known.erase(old);
        } else {
            download_record().insert(tx, one, {.now = writing.now});
        }
    }
    for (const Download& left : known)
        download_record().remove(tx, left.id);
    return {};
}

std::shared_ptr<const trips::Part> make_part(const media::Service& media) { return std::make_shared<Items>(media); }

}  // namespace svc::catalog::downloads
