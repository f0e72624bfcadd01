// The writes of a resource inside a transaction.
#include "shared/resource/engine.hpp"

#include <algorithm>

namespace svc::resource {
namespace {

constexpr std::string_view trash_status = "trash";

void check(const record::Table& table, const Differences& differences, store::Session& session, const void* before,
           const void* after, Faults& faults) {
    if (differences.check)
        differences.check(before, after, faults);
    table.check_links(session, after, faults);
    if (differences.check_stored)
        differences.check_stored(session, before, after, faults);
}

Result<void> settle(const Differences& differences, store::Transaction& tx, const void* before, void* after,
                    const json::Value& body) {
    return differences.settle ? differences.settle(tx, before, after, body) : Result<void>{};
}

}  // namespace

std::string with_article(const std::string& noun) {
    // A leading u of the nouns in use sounds as in "user".
    const bool is_vowel = !noun.empty() && std::string_view("aeio").find(noun.front()) != std::string_view::npos;
    return (is_vowel ? "an " : "a ") + noun;
}

record::Writer writer_of(const api::Request& request) {
    return {.user_id = request.caller.user_id > 0 ? std::optional(request.caller.user_id) : std::nullopt,
            .now = request.now};
}

Engine::Engine(const record::Wire& wire, Options options, Differences differences)
    : wire_(wire),
      table_(wire.table()),
      options_(std::move(options)),
      differences_(std::move(differences)),
      versioned_(table_.has("row_version")),
      has_trash_([&] {
          const auto statuses = table_.statuses();
          return std::find(statuses.begin(), statuses.end(), trash_status) != statuses.end();
      }()) {}

bool Engine::is_trashed(const void* record) const {
    return has_trash_ && table_.text(record, "status") == trash_status;
}

Result<record::Any> Engine::find(store::Session& session, std::int64_t id, std::optional<std::int64_t> version) const {
    auto found = table_.find(session, id);
    if (!found)
        return errc::not_found;
    if (version && versioned_ && table_.integer(found.get(), "row_version") != *version)
        return Error{
            errc::conflict,
            "This {noun} was changed in the meantime and is not overwritten. Read it again first."_sentence.with(
                "noun", Sentence::of(options_.one))}
            .with("row_version", std::to_string(table_.integer(found.get(), "row_version")));
    return found;
}

// Stores the trash's data of a record that is trashed, and clears it on restore.
void Engine::note_trash(const void* before, void* after, const record::Writer& writer) const {
    if (!has_trash_)
        return;
    const bool was = before && is_trashed(before), is = is_trashed(after);
    if (was == is)
        return;
    table_.set_instant(after, "deleted_at", is ? std::optional(writer.now) : std::nullopt);
    table_.set_maybe_text(after, "status_before_trash",
                          is && before ? std::optional(table_.text(before, "status")) : std::nullopt);
}

void Engine::finish(store::Transaction& tx, const Writing& writing) const {
    if (writing.in_bulk)
        return;
    if (options_.changed)
        tx.after_commit(options_.changed);
    if (options_.note_change)
        options_.note_change(tx);
}

void Engine::take(const void* before, void* after, const json::Value& body, Faults& faults) const {
    json::Value sent = body;
    if (differences_.prepare)
        differences_.prepare(before, after, sent, faults);
    wire_.patch(after, sent, before == nullptr, faults);
    if (differences_.adjust)
        differences_.adjust(before, after, sent, faults);
}

Result<record::Any> Engine::create(store::Transaction& tx, record::Any fresh, const json::Value& body,
                                   const record::Writer& writer) const {
    Faults faults;
    take(nullptr, fresh.get(), body, faults);
    check(table_, differences_, tx, nullptr, fresh.get(), faults);
    SVC_RETURN_IF_ERROR(faults.outcome());
    SVC_RETURN_IF_ERROR(settle(differences_, tx, nullptr, fresh.get(), body));
    note_trash(nullptr, fresh.get(), writer);
    table_.insert(tx, fresh.get(), writer);
    if (differences_.after_write)
        differences_.after_write(tx, nullptr, fresh.get(), writer);
    auto stored = table_.find(tx, table_.integer(fresh.get(), "id"));
    if (const auto& events = options_.events; events.hooks && events.created)
        events.hooks->emit(tx, *events.created, {wire_.to_json(stored.get())});
    finish(tx, {writer});
    return stored;
}

Result<record::Any> Engine::store_change(store::Transaction& tx, const record::Any& before, record::Any after,
                                         const json::Value& body, Faults faults, const Writing& writing) const {
    const record::Writer& writer = writing.writer;
    check(table_, differences_, tx, before.get(), after.get(), faults);
    SVC_RETURN_IF_ERROR(faults.outcome());
    if (wire_.is_same(before.get(), after.get()))
        return table_.copy(before.get());
    SVC_RETURN_IF_ERROR(settle(differences_, tx, before.get(), after.get(), body));
    note_trash(before.get(), after.get(), writer);
    if (!table_.update(tx, after.get(), writer))
        return errc::conflict;
    if (differences_.after_write)
        differences_.after_write(tx, before.get(), after.get(), writer);
    auto stored = table_.find(tx, table_.integer(after.get(), "id"));
    if (const auto& events = options_.events; events.hooks && events.updated)
        events.hooks->emit(tx, *events.updated, {wire_.to_json(stored.get()), wire_.to_json(before.get())});
    finish(tx, writing);
    return stored;
}

Result<record::Any> Engine::update(store::Transaction& tx, std::int64_t id, const json::Value& body,
                                   std::optional<std::int64_t> version, const record::Writer& writer) const {
    table_.lock(tx, id, false);
    SVC_ASSIGN_OR_RETURN(const auto before, find(tx, id, version));
    auto after = table_.copy(before.get());
    Faults faults;
    take(before.get(), after.get(), body, faults);
    return store_change(tx, before, std::move(after), body, std::move(faults), {writer});
}

Result<record::Any> Engine::change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                                   const Change& change, const record::Writer& writer) const {
    table_.lock(tx, id, false);
    SVC_ASSIGN_OR_RETURN(const auto before, find(tx, id, version));
    auto after = table_.copy(before.get());
    Faults faults;
    change(after.get(), faults);
    return store_change(tx, before, std::move(after), json::Value::object(), std::move(faults), {writer});
}

Result<void> Engine::remove(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                            const record::Writer& writer) const {
    return apply_removal(tx, id, version, {writer});
}

Result<void> Engine::apply_removal(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                                   const Writing& writing) const {
    const record::Writer& writer = writing.writer;
    table_.lock(tx, id, true);
    SVC_ASSIGN_OR_RETURN(const auto before, find(tx, id, version));
    const bool for_good = !has_trash_ || options_.deletes_at_once || is_trashed(before.get());
    if (differences_.may_delete)
        SVC_RETURN_IF_ERROR(differences_.may_delete(tx, before.get(), for_good));
    if (!for_good) {
        auto after = table_.copy(before.get());
        table_.set_text(after.get(), "status", trash_status);
        SVC_RETURN_IF_ERROR(settle(differences_, tx, before.get(), after.get(), json::Value::object()));
        note_trash(before.get(), after.get(), writer);
        if (!table_.update(tx, after.get(), writer))
            return errc::conflict;
        if (differences_.after_write)
            differences_.after_write(tx, before.get(), after.get(), writer);
        const auto stored = table_.find(tx, id);
        if (const auto& events = options_.events; events.hooks && events.updated)
            events.hooks->emit(tx, *events.updated, {wire_.to_json(stored.get()), wire_.to_json(before.get())});
    } else {
        SVC_RETURN_IF_ERROR(settle(differences_, tx, before.get(), nullptr, json::Value::object()));
        table_.remove(tx, id);
        if (differences_.after_write)
            differences_.after_write(tx, before.get(), nullptr, writer);
        if (const auto& events = options_.events; events.hooks && events.deleted)
            events.hooks->emit(tx, *events.deleted, {json::Value(id), wire_.to_json(before.get())});
    }
    finish(tx, writing);
    return {};
}

Result<record::Any> Engine::restore(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                                    const record::Writer& writer) const {
    return apply_restore(tx, id, version, {writer});
}

Result<record::Any> Engine::apply_restore(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                                          const Writing& writing) const {
    table_.lock(tx, id, false);
    SVC_ASSIGN_OR_RETURN(const auto before, find(tx, id, version));
    if (!is_trashed(before.get()))
        return Error{errc::conflict, "This {noun} is not in the trash and cannot be restored."_sentence.with(
                                         "noun", Sentence::of(options_.one))};
    auto after = table_.copy(before.get());
    const std::string status =
        table_.has("status_before_trash") ? table_.text(before.get(), "status_before_trash") : std::string();
    table_.set_text(after.get(), "status", status.empty() ? options_.restored_status : status);
    return store_change(tx, before, std::move(after), json::Value::object(), {}, writing);
}

Result<void> Engine::run(store::Transaction& tx, const BulkAction& action, std::int64_t id,
                         const record::Writer& writer) const {
    const Writing writing{.writer = writer, .in_bulk = true};
    const auto done = [](const Result<record::Any>& changed) {
        return changed ? Result<void>{} : Result<void>{changed.error()};
    };
    switch (action.does) {
        case BulkAction::Does::restore:
            return done(apply_restore(tx, id, {}, writing));
        case BulkAction::Does::remove: {
            SVC_ASSIGN_OR_RETURN(const auto found, find(tx, id, {}));
            if (has_trash_ && !options_.deletes_at_once && !is_trashed(found.get()))  // a bulk deletion is permanent
                SVC_RETURN_IF_ERROR(apply_removal(tx, id, {}, writing));
            return apply_removal(tx, id, {}, writing);
        }
        case BulkAction::Does::set_status:
            break;
    }
    table_.lock(tx, id, action.status == trash_status);
    SVC_ASSIGN_OR_RETURN(const auto before, find(tx, id, {}));
    if (action.status == trash_status) {
        if (is_trashed(before.get()))
            return {};
        if (!options_.deletes_at_once)
            return apply_removal(tx, id, {}, writing);
    }
    auto after = table_.copy(before.get());
    table_.set_text(after.get(), "status", action.status);
    return done(store_change(tx, before, std::move(after), json::Value::object(), {}, writing));
}

Result<std::vector<FieldError>> Engine::faults_of(const api::Request& request, bool is_new) const {
    return options_.store.reading<Result<std::vector<FieldError>>>(
        [&](store::Session& session) -> Result<std::vector<FieldError>> {
            Faults faults;
            record::Any before;
            if (!is_new) {
                auto found = find(session, request.path_id(), {});
                if (!found)  // the write reports it; the body's errors come first
                    return std::vector<FieldError>{};
                before = std::move(*found);
            }
            const auto after = before ? table_.copy(before.get()) : table_.make();
            take(before.get(), after.get(), request.body, faults);
            check(table_, differences_, session, before.get(), after.get(), faults);
            return faults.none() ? std::vector<FieldError>{} : faults.error().fields();
        });
}

}  // namespace svc::resource
