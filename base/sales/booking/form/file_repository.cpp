// SQL of the files that answer forms.
#include <algorithm>

#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::booking::form {
namespace {

#define SVC_FORM_FILE \
    "SELECT id, code, field, name, mime_type, byte_size, is_answer, created_at FROM svc_booking_form_files"

KeptFile read(std::int64_t id, const std::string& code, const std::string& field, const std::string& name,
              const std::string& mime_type, std::int64_t byte_size, bool is_answer, Instant created_at) {
    return {.id = id,
            .code = code,
            .field = field,
            .name = name,
            .mime_type = mime_type,
            .byte_size = byte_size,
            .is_answer = is_answer,
            .created_at = created_at};
}
constexpr auto reading = [](std::int64_t id, const std::string& code, const std::string& field, const std::string& name,
                            const std::string& mime_type, std::int64_t byte_size, bool is_answer, Instant created_at) {
    return read(id, code, field, name, mime_type, byte_size, is_answer, created_at);
};

// Whether any of them named a file.
bool drop_codes(json::Value& answers, const std::vector<KeptFile>& files) {
    std::vector<std::string> names;
    if (answers.is_object())
        for (const auto& [name, answer] : answers.members())
            if (answer.is_string() && std::any_of(files.begin(), files.end(),
                                                  [&](const KeptFile& file) { return file.code == answer.text(); }))
                names.push_back(name);
    for (const std::string& name : names)
        answers.erase(name);
    return !names.empty();
}

// A code without its file is no answer.
void drop_answers(store::Transaction& tx, std::int64_t booking_id, const std::vector<KeptFile>& files,
                  const Sealing& sealing) {
    Particulars known = Repository::particulars(tx, booking_id, &sealing);
    const bool of_contact = drop_codes(known.contact_data, files);
    if (drop_codes(known.emergency_contact, files) || of_contact)
        Repository::set_answers(tx, booking_id, known, sealing);
    json::Value travelers = json::Value::array();
    std::vector<std::int64_t> ids;
    bool of_travelers = false;
    for (Traveler& each : Repository::travelers(tx, booking_id, &sealing)) {
        of_travelers = drop_codes(each.fields, files) || of_travelers;
        if (each.category_id)
            each.fields.set("category_id", *each.category_id);
        ids.push_back(each.id);
        travelers.push(std::move(each.fields));
    }
    if (of_travelers)
        Repository::replace_travelers(tx, booking_id, travelers, ids, sealing);
}

}  // namespace

std::vector<KeptFile> FileRepository::of_session(store::Session& session, std::int64_t session_id) {
    return store::all_rows(session,
                           SVC_FORM_FILE " WHERE session_id = :id AND booking_id IS NULL ORDER BY id LIMIT 1000",
                           {{"id", session_id}}, reading);
}

std::vector<KeptFile> FileRepository::of_booking(store::Session& session, std::int64_t booking_id) {
    return store::all_rows(session, SVC_FORM_FILE " WHERE booking_id = :id ORDER BY id LIMIT 1000",
                           {{"id", booking_id}}, reading);
}

std::optional<KeptFile> FileRepository::find(store::Session& session, std::int64_t booking_id,
                                             const std::string& code) {
    auto found = store::all_rows(session, SVC_FORM_FILE " WHERE booking_id = :id AND code = :code",
                                 {{"id", booking_id}, {"code", code}}, reading);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::string FileRepository::content(store::Session& session, std::int64_t id) {
    return store::value<std::string>(session, "SELECT content FROM svc_booking_form_files WHERE id = :id", {{"id", id}})
        .value_or(std::string());
}

void FileRepository::insert(store::Transaction& tx, const KeptFile& file, const std::string& content,
                            std::optional<std::int64_t> session_id, std::optional<std::int64_t> booking_id) {
    tx.run(
        "INSERT INTO svc_booking_form_files (code, session_id, booking_id, field, name, mime_type, byte_size, content,"
        " is_answer, created_at) VALUES (:code, :session_id, :booking_id, :field, :name, :mime_type, :byte_size,"
        " :content, 0, :now)",
        {{"code", file.code},
         {"session_id", session_id},
         {"booking_id", booking_id},
         {"field", file.field},
         {"name", file.name},
         {"mime_type", file.mime_type},
         {"byte_size", file.byte_size},
         {"content", content},
         {"now", file.created_at}});
}

void FileRepository::keep(store::Transaction& tx, std::int64_t session_id, std::int64_t booking_id,
                          const std::vector<NamedFile>& named) {
    for (const NamedFile& each : named)
        tx.run(
            "UPDATE svc_booking_form_files SET booking_id = :booking_id, session_id = NULL, is_answer = 1"
            " WHERE code = :code AND session_id = :session_id AND booking_id IS NULL",
            {{"booking_id", booking_id}, {"code", each.code}, {"session_id", session_id}});
}

void FileRepository::settle(store::Transaction& tx, std::int64_t booking_id, const Sealing& sealing) {
    const auto files = of_booking(tx, booking_id);
    if (files.empty())
        return;
    const Particulars known = Repository::particulars(tx, booking_id, &sealing);
    const std::vector<Traveler> travelers = Repository::travelers(tx, booking_id, &sealing);
    std::vector<const json::Value*> answers{&known.contact_data, &known.emergency_contact};
    for (const Traveler& each : travelers)
        answers.push_back(&each.fields);
    for (const KeptFile& file : files) {
        const bool is_answer = std::any_of(answers.begin(), answers.end(), [&](const json::Value* each) {
            return each->is_object() &&
                   std::any_of(each->members().begin(), each->members().end(), [&](const auto& one) {
                       return one.second.is_string() && one.second.text() == file.code;
                   });
        });
        if (is_answer && !file.is_answer)
            tx.run("UPDATE svc_booking_form_files SET is_answer = 1 WHERE id = :id", {{"id", file.id}});
        if (!is_answer && file.is_answer)
            tx.run("DELETE FROM svc_booking_form_files WHERE id = :id", {{"id", file.id}});
    }
}

std::int64_t FileRepository::remove_unused(store::Transaction& tx, Instant before, int most) {
    return tx.run(
        "DELETE FROM svc_booking_form_files WHERE id IN (SELECT id FROM svc_booking_form_files WHERE is_answer = 0"
        " AND created_at < :before ORDER BY id LIMIT :most)",
        {{"before", before}, {"most", most}});
}

std::int64_t FileRepository::remove_after_trip(store::Transaction& tx, Date before, int most, const Sealing& sealing) {
    std::int64_t removed = 0;
    for (const std::int64_t id :
         store::numbers(tx,
                        "SELECT DISTINCT f.booking_id FROM svc_booking_form_files f JOIN svc_bookings b"
                        " ON b.id = f.booking_id WHERE b.end_date < :before ORDER BY f.booking_id LIMIT :most",
                        {{"before", before}, {"most", most}})) {
        drop_answers(tx, id, of_booking(tx, id), sealing);
        removed += tx.run("DELETE FROM svc_booking_form_files WHERE booking_id = :id", {{"id", id}});
    }
    return removed;
}

std::optional<std::int64_t> FileRepository::renew_next(store::Transaction& tx, const crypto::Keyring& keyring,
                                                       std::int64_t& behind) {
    const auto found =
        store::all_rows(tx, SVC_FORM_FILE " WHERE id > :behind ORDER BY id LIMIT 1", {{"behind", behind}}, reading);
    if (found.empty())
        return std::nullopt;
    const KeptFile& file = found.front();
    behind = file.id;
    const auto content = keyring.renewed(FileRepository::content(tx, file.id), file.place("content"));
    const auto name = keyring.renewed(file.name, file.place("name"));
    if (content)
        tx.run("UPDATE svc_booking_form_files SET content = :text WHERE id = :id",
               {{"text", *content}, {"id", file.id}});
    if (name)
        tx.run("UPDATE svc_booking_form_files SET name = :text WHERE id = :id", {{"text", *name}, {"id", file.id}});
    return (content ? 1 : 0) + (name ? 1 : 0);
}

}  // namespace svc::booking::form
