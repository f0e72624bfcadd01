// Files that answer a form (a passport, a certificate): what is taken, and the rows that hold them. Sealed with the
// installation's key, outside the public media; an answer is the file's code, "file-7GK2M9QXA4TB.pdf".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/record/sealing.hpp"
#include "shared/store/store.hpp"

namespace svc::booking::form {

// -- what is taken
struct FileKind {
    std::string mime_type, ending;  // "application/pdf", "pdf"
};
// By the content, with a name that says the same. A fault names `file`: another kind than `accepts` has (pdf, picture),
// a picture that cannot be decoded, a name with the ending of another kind or with two endings.
Result<FileKind> kind_of_file(std::string_view bytes, const std::string& name, const json::Value& accepts);

// -- answers
struct NamedFile {
    std::string code;   // the answer
    std::string field;  // "traveler_form.passport"
    std::string name;   // on the wire: "travelers.1.passport"
};
// Answers to the form's fields of files; without those that `stored` has already.
std::vector<NamedFile> named_files(const json::Value& form, const Answers& answers, const Answers& stored = {});
struct KeptFile;
// A fault for each that is none of these files, by its name on the wire.
Result<void> check_files(const std::vector<NamedFile>& named, const std::vector<KeptFile>& kept);
// A section's field of files that is asked; null: there is none. `field`: "traveler_form.passport".
const json::Value* file_field(const json::Value& form, std::string_view field);

// -- rows
struct KeptFile {
    std::int64_t id = 0;
    std::string code, field;
    std::string name = {};  // sealed
    std::string mime_type = {};
    std::int64_t byte_size = 0;
    bool is_answer = false;
    Instant created_at = {};
    // Where its sealed texts belong: they are of no use in another row or column.
    [[nodiscard]] std::string place(std::string_view column) const;
};

class FileRepository {
  public:
    // Of a session that is not booked yet, or of a booking.
    static std::vector<KeptFile> of_session(store::Session& session, std::int64_t session_id);
    static std::vector<KeptFile> of_booking(store::Session& session, std::int64_t booking_id);
    static std::optional<KeptFile> find(store::Session& session, std::int64_t booking_id, const std::string& code);
    static std::string content(store::Session& session, std::int64_t id);  // sealed
    // `session_id` or `booking_id`.
    static void insert(store::Transaction& tx, const KeptFile& file, const std::string& content,
                       std::optional<std::int64_t> session_id, std::optional<std::int64_t> booking_id);
    // The session's files that answer its booking become the booking's.
    static void keep(store::Transaction& tx, std::int64_t session_id, std::int64_t booking_id,
                     const std::vector<NamedFile>& named);
    // After a change of a booking's answers: files that they name are answers; those that were and are not any more are
    // deleted.
    static void settle(store::Transaction& tx, std::int64_t booking_id, const Sealing& sealing);
    // Files that no booking has an answer of, sent before that; at most `most`. Returns how many.
    static std::int64_t remove_unused(store::Transaction& tx, Instant before, int most);
    // Files of bookings whose last day is before that day, with the answers that name them: at most of `most` bookings.
    // Returns how many files.
    static std::int64_t remove_after_trip(store::Transaction& tx, Date before, int most, const Sealing& sealing);
    // Seals what another key sealed with the key in use, one file at a time, behind that id; moves it to the last one
    // seen. Returns how many of them were sealed anew; nothing: there are no more.
    static std::optional<std::int64_t> renew_next(store::Transaction& tx, const crypto::Keyring& keyring,
                                                  std::int64_t& behind);
};

}  // namespace svc::booking::form
