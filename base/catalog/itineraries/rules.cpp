// Looking up what days and entries refer to.
#include "base/catalog/itineraries/rules.hpp"

#include <algorithm>

#include "base/catalog/itineraries/repository.hpp"
#include "base/platform/html/html.hpp"

namespace svc::catalog::itineraries {
namespace {

// An error, unless missing references may be left out.
Result<void> missing_reference(const Strictness& strictness, const char* field, SentenceId what) {
    if (!strictness.left_out)
        return invalid(strictness.before + field, "This {noun} does not exist."_sentence.with("noun", what));
    strictness.left_out->push_back(strictness.before + field);
    return {};
}

using Reference = std::optional<std::int64_t> Entry::*;

// Whether an entry that is there already refers to the same.
bool is_own(const Entry& before, const Entry& entry, Reference what, const Strictness& strictness) {
    const auto same = [&](const Entry& each) { return each.*what == entry.*what; };
    return same(before) ||
           (strictness.own && std::any_of(strictness.own->begin(), strictness.own->end(), [&](const DayPlan& day) {
                return std::any_of(day.entries.begin(), day.entries.end(), same);
            }));
}

Result<void> look_at_item(store::Session& session, const Entry& before, Entry& entry, const EntryChange& change,
                          const Strictness& strictness) {
    std::optional<rows::Item> item;
    if (entry.item_id) {
        item = rows::find_item(session, *entry.item_id);
        if (!item || (item->in_trash && !is_own(before, entry, &Entry::item_id, strictness))) {
            item.reset();
            entry.item_id.reset();
            SVC_RETURN_IF_ERROR(missing_reference(strictness, "item_id", "item"_sentence));
        }
    }
    // An entry gets its item's type unless a type is sent. A restored entry may have an older type.
    if (item && (!entry.item_type_id || !change.item_type_id || strictness.left_out))
        entry.item_type_id = item->item_type_id;
    if (entry.item_type_id && !is_own(before, entry, &Entry::item_type_id, strictness) &&
        !rows::has_item_type(session, *entry.item_type_id)) {
        entry.item_type_id.reset();
        entry.item_id.reset();
        SVC_RETURN_IF_ERROR(missing_reference(strictness, "item_type_id", "item type"_sentence));
    }
    if (item && entry.item_id && entry.item_type_id != item->item_type_id)
        return invalid(strictness.before + "item_type_id", "The item has a different type."_sentence);
    if (entry.title.empty() && item)
        entry.title = item->name;
    return {};
}

}  // namespace

Result<Day> ready(store::Session& session, const trips::Trip& trip, Day day, const DayChange& change,
                  const Strictness& strictness) {
    day.trip_id = trip.id;
    if (change.number)
        day.number = *change.number;
    if (change.title)
        day.title = *change.title;
    if (day.title.empty())
        day.title = "Day " + std::to_string(day.number);
    if (change.description)
        day.description = html::clean_html(*change.description);
    if (change.image_id)
        day.image_id = *change.image_id;
    // A list of days calls it day_number, an address that is one day's day.
    if (trip.is_public() && change.number && day.number > trip.length())
        return invalid(strictness.before.empty() ? "day" : strictness.before + "day_number",
                       "The trip has {length} days."_sentence.with("length", trip.length()));
    if (day.image_id && !rows::has_media(session, *day.image_id)) {
        day.image_id.reset();
        SVC_RETURN_IF_ERROR(missing_reference(strictness, "image_id", "public file"_sentence));
    }
    return day;
}

Result<Entry> ready(store::Session& session, const trips::Trip& trip, Entry entry, const EntryChange& change,
                    const Strictness& strictness) {
    const bool named = change.title ? !change.title->empty() : !entry.title.empty() || entry.item_id || change.item_id;
    const Entry before = entry;
    auto draft = changed(std::move(entry), change, trip.currency, strictness.before);
    if (!draft) {
        Error faults = std::move(draft.error());
        if (!named)
            faults.at(strictness.before + "title", missing("title").message());
        return faults;
    }
    SVC_RETURN_IF_ERROR(look_at_item(session, before, *draft, change, strictness));
    if (draft->title.empty())
        return missing(strictness.before + "title");
    if (change.gallery) {
        auto& gallery = draft->gallery;
        const auto is_gone = [&](const Shown& one) { return one.media_id && !rows::has_media(session, *one.media_id); };
        const auto end = std::remove_if(gallery.begin(), gallery.end(), is_gone);
        if (end != gallery.end()) {
            gallery.erase(end, gallery.end());
            SVC_RETURN_IF_ERROR(missing_reference(strictness, "gallery", "public file"_sentence));
        }
    }
    return draft;
}

}  // namespace svc::catalog::itineraries
