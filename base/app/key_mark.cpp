// Reads, checks and writes the mark.
#include "base/app/key_mark.hpp"

#include <filesystem>
#include <stdexcept>

#include "base/data/import_export/whole.hpp"
#include "shared/core/date.hpp"
#include "shared/store/typed.hpp"

namespace svc::app {
namespace {

constexpr std::string_view bound_to = "mark of the key", content = "svc";
constexpr const char* way_out =
    " Let files.key_file name the key file that this installation had, or copy that file there (mode 0400). If it is"
    " lost, svc key accept --yes takes the present key: gateway keys and mail passwords must then be entered again, and"
    " application passwords issued anew.";

std::string missing(const std::string& path) {
    return "The key file " + path + " is missing, and without it what is stored in the database cannot be opened." +
           way_out;
}

std::string other(const std::string& path) {
    return "The key file " + path +
           " holds another key than the one of the database: what is stored cannot be opened." + way_out;
}

bool is_there(const std::string& path) {
    // What cannot be looked at may be there: opening it says why not.
    std::error_code unknown;
    return std::filesystem::symlink_status(path, unknown).type() != std::filesystem::file_type::not_found;
}

bool has_table(store::Session& session, const std::string& name) {
    return session.number(session.dialect() == store::Dialect::sqlite
                              ? "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = :name"
                              : "SELECT CASE WHEN to_regclass(:name) IS NULL THEN 0 ELSE 1 END",
                          {{"name", name}}) > 0;
}

bool holds_records(store::Store& store) {
    return store.reading<bool>([](store::Session& session) {
        return has_table(session, "svc_bookings") && !import_export::is_empty_installation(session);
    });
}

struct Stored {
    bool has_table = false;
    std::string mark;
};

Stored stored_in(store::Store& store) {
    return store.reading<Stored>([](store::Session& session) {
        Stored stored{.has_table = has_table(session, "svc_key_mark"), .mark = {}};
        if (stored.has_table)
            stored.mark = store::value<std::string>(session, "SELECT mark FROM svc_key_mark", {}).value_or("");
        return stored;
    });
}

bool opens(const crypto::Keyring& keyring, const std::string& mark) {
    return static_cast<bool>(keyring.open(std::string_view(mark), bound_to));
}

}  // namespace

std::shared_ptr<const crypto::Keyring> keyring_of(const BaseOptions& options, store::Store& store) {
    if (!is_there(options.key_file) && holds_records(store))
        throw std::runtime_error(missing(options.key_file));
    auto keyring = crypto::Keyring::open(options.key_file);
    const Stored stored = stored_in(store);
    if (!stored.has_table || (!stored.mark.empty() && opens(*keyring, stored.mark)))
        return keyring;
    if (!stored.mark.empty() && holds_records(store))
        throw std::runtime_error(other(options.key_file));
    mark(store, *keyring);
    return keyring;
}

std::string key_fault(const BaseOptions& options, store::Store& store) {
    const Stored stored = stored_in(store);
    if (!is_there(options.key_file))
        return holds_records(store) ? missing(options.key_file) : "";
    return stored.mark.empty() || opens(*crypto::Keyring::open(options.key_file), stored.mark) || !holds_records(store)
               ? ""
               : other(options.key_file);
}

void check_mark(const BaseOptions& options, const std::string& mark) {
    if (mark.empty())
        return;
    if (!is_there(options.key_file))
        throw std::runtime_error("The key file " + options.key_file +
                                 " is missing: first copy the key file of the backup's installation there (mode 0400)."
                                 " If it is lost, add --any-key.");
    if (!opens(*crypto::Keyring::open(options.key_file), mark))
        throw std::runtime_error("The key file " + options.key_file +
                                 " holds another key than the backup's installation had: first copy that one's key file"
                                 " there (mode 0400). If it is lost, add --any-key.");
}

void mark(store::Store& store, const crypto::Keyring& keyring) {
    const std::string sealed = keyring.seal(content, bound_to);
    const auto done = store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "INSERT INTO svc_key_mark (id, mark, made_at) VALUES (1, :mark, :now)"
            " ON CONFLICT (id) DO UPDATE SET mark = excluded.mark, made_at = excluded.made_at",
            {{"mark", sealed}, {"now", SystemClock().now()}});
        return {};
    });
    if (!done)
        throw std::runtime_error(done.error().message().english());
}

}  // namespace svc::app
