// Sending and fetching the files that answer a form. Anonymous callers send them within a session and within limits by
// session and by network; what they send is checked by content and sealed before it is stored.
#include "base/sales/booking/desk/file_routes.hpp"

#include "base/catalog/media/multipart.hpp"
#include "base/platform/limits/client_address.hpp"
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/form/later.hpp"
#include "base/sales/booking/record/proof.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/masked_answers.hpp"
#include "shared/api/named.hpp"
#include "shared/core/text.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using form::FileRepository;
using form::KeptFile;
using json::Value;

// What was sent by a stranger is a download under no type that a browser shows.
constexpr const char* unknown_bytes = "application/octet-stream";
constexpr std::string_view code_alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t around_file = std::size_t{64} << 10;  // around the file
constexpr std::size_t longest_name = 200;
constexpr std::size_t most_megabytes = 10;
// Of one session, or of one booking.
constexpr std::int64_t most_files = 40, most_bytes = std::int64_t{64} << 20;
constexpr limits::Limit by_network{60, std::chrono::hours(1)};

const api::Schema beside_file{
    {.name = "field",
     .type = api::text(100, 1),
     .help = "The field that the file answers: section and id, such as traveler_form.passport.",
     .required = true}};

Value list_json(const std::vector<KeptFile>& files, const crypto::Keyring& keyring) {
    return json::array_of(files, [&](const KeptFile& file) { return file_json(file, keyring); });
}

struct SentForm {
    std::string_view bytes;
    std::string name, field;
};

Result<SentForm> form_sent_by(const Request& request) {
    SVC_ASSIGN_OR_RETURN(
        auto form, catalog::media::read_upload(request.header("content-type"), request.raw_body, request.route->body));
    SVC_ASSIGN_OR_RETURN(const auto clean, beside_file.check(form.fields, true));
    return SentForm{form.file.content, text::clean(form.file.file_name.value_or("")), clean.text_or("field")};
}

Result<void> check_room(const std::vector<KeptFile>& known, std::size_t more) {
    std::int64_t bytes = static_cast<std::int64_t>(more);
    for (const KeptFile& each : known)
        bytes += each.byte_size;
    if (std::ssize(known) >= most_files || bytes > most_bytes)
        return Error{errc::payload_too_large, "There are too many files already."_sentence}.at(
            "file", "There are too many files already."_sentence);
    return {};
}

// Of a session or of a booking.
struct PlaceOfFiles {
    std::optional<std::int64_t> session_id = {}, booking_id = {};
    [[nodiscard]] std::vector<KeptFile> files(store::Session& session) const {
        return session_id ? FileRepository::of_session(session, *session_id)
                          : FileRepository::of_booking(session, *booking_id);
    }
};

Result<KeptFile> kept_file(const FileRoutes& routes, const SentForm& sent, const Value& asked,
                           const PlaceOfFiles& place) {
    const auto megabytes = static_cast<std::size_t>(routes.settings.integer("form_file_megabytes"));
    if (sent.bytes.size() > megabytes << 20)
        return Error{errc::payload_too_large, "This file is too large."_sentence}.at(
            "file", "This file is too large."_sentence);
    const Value* field = form::file_field(asked, sent.field);
    if (!field)
        return invalid("field", "The form asks for no file there."_sentence);
    SVC_ASSIGN_OR_RETURN(const auto kind, form::kind_of_file(sent.bytes, sent.name, (*field)["accepts"]));
    KeptFile file{.code = "file-" + crypto::random_code(12, code_alphabet) + "." + kind.ending,
                  .field = sent.field,
                  .mime_type = kind.mime_type,
                  .byte_size = static_cast<std::int64_t>(sent.bytes.size()),
                  .created_at = routes.clock.now()};
    // Cut here, not where it came: its ending was judged.
    file.name = routes.keyring.seal(text::first(sent.name, longest_name), file.place("name"));
    const std::string content = routes.keyring.seal(sent.bytes, file.place("content"));
    return routes.store.transact<KeptFile>([&](store::Transaction& tx) -> Result<KeptFile> {
        SVC_RETURN_IF_ERROR(check_room(place.files(tx), sent.bytes.size()));
        FileRepository::insert(tx, file, content, place.session_id, place.booking_id);
        return file;
    });
}

Reply stored_once(const FileRoutes& routes, const Request& request, const SentForm& sent, const Value& asked,
                  const PlaceOfFiles& place) {
    return api::respond_once(
        request, [&] { return kept_file(routes, sent, asked, place); },
        [&](const KeptFile& kept) { return api::created(file_json(kept, routes.keyring)); });
}

// As a download that no browser runs: it was sent by a stranger.
Reply download(const FileRoutes& routes, std::int64_t booking_id, const std::string& code) {
    std::optional<KeptFile> file;
    std::string sealed;
    routes.store.read([&](store::Session& session) {
        file = FileRepository::find(session, booking_id, code);
        if (file)
            sealed = FileRepository::content(session, file->id);
    });
    if (!file)
        return api::failed(errc::not_found);
    const auto bytes = routes.keyring.open(sealed, file->place("content"));
    if (!bytes)
        return api::failed(Error{errc::unavailable}.because("a form's file cannot be opened"));
    Reply reply = api::prebuilt(std::make_shared<const std::string>(*bytes));
    reply.content_type = unknown_bytes;
    reply.headers = {{"Content-Disposition", "attachment; filename=\"" + file->code + "\""},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Content-Security-Policy", "sandbox; default-src 'none'"},
                     {"Cache-Control", "private, no-store"}};
    return reply;
}

Result<CheckoutSession> session_of(const FileRoutes& routes, const Request& request) {
    return with_session<CheckoutSession>(routes, request, [&](const std::string& secret) {
        auto found = routes.store.reading<Result<CheckoutSession>>(
            [&](store::Session& reading) { return routes.sessions.live(reading, secret, request.caller); });
        return found && found->status != "open" ? Result<CheckoutSession>(errc::session_expired) : found;
    });
}

api::RouteSpec upload_route(std::string path, Permission who, std::string summary) {
    return {.method = Method::post,
            .path = std::move(path),
            .who = std::move(who),
            .module = std::string(plugin::slugs::dynamic_form_field),
            .summary = std::move(summary),
            .body = catalog::media::upload_form(beside_file, "A PDF or a picture (JPEG, PNG, WebP)."),
            .answer = form_file_answer(),
            .success = 201,
            .errors = {&errc::unsupported_media_type, &errc::payload_too_large, &errc::bad_request},
            .body_limit = (most_megabytes << 20) + around_file,
            .raw_body_only = true,
            .raw_media = "multipart/form-data"};
}

void add_of_sessions(api::RouteTable& routes, const FileRoutes& files) {
    auto upload = upload_route("/booking/session/form-files", Permission::everyone(),
                               "Send a file that answers a field of the form of the session's trip. It is deleted"
                               " within two days unless a booking has it as an answer.");
    upload.query = session_fields();
    upload.errors.push_back(&errc::session_expired);
    upload.limit = {.burst = 40, .seconds = 600};
    upload.keeps_replay = false;  // a repeated file is swept
    upload.lane = api::Lane::checkout;
    upload.handle = [files](const Request& request) -> Reply {
        SVC_ASSIGN_OR_RETURN(const auto session, session_of(files, request));
        SVC_RETURN_IF_ERROR(
            limits::answer_of(files.limits.take("form_files", limits::network_of(request.address), by_network)));
        SVC_ASSIGN_OR_RETURN(const auto sent, form_sent_by(request));
        SVC_ASSIGN_OR_RETURN(const auto asked, files.forms.customer_form(session.trip_id));
        return stored_once(files, request, sent, *asked, {.session_id = session.id});
    };
    routes.add(std::move(upload));
    routes.add({.method = Method::get,
                .path = "/booking/session/form-files",
                .who = Permission::everyone(),
                .module = std::string(plugin::slugs::dynamic_form_field),
                .summary = "List the files that were sent in the session.",
                .query = session_fields(),
                .answer = api::list(form_file_answer(), 1000),
                .errors = {&errc::session_expired},
                .lane = api::Lane::checkout,
                .handle = [files](const Request& request) -> Reply {
                    SVC_ASSIGN_OR_RETURN(const auto session, session_of(files, request));
                    return api::ok(files.store.reading<Value>([&](store::Session& reading) {
                        return list_json(FileRepository::of_session(reading, session.id), files.keyring);
                    }));
                }});
}

void add_of_staff(api::RouteTable& routes, const FileRoutes& files) {
    auto upload =
        upload_route("/bookings/{id}/form-files", Permission::can("svc_edit_bookings"),
                     "Send a file for a booking. It is deleted within two days unless it becomes the answer of"
                     " the booking's contact or of a traveler.");
    upload.errors.push_back(&errc::booking_not_found);
    upload.stores_reply = true;
    upload.handle = [files](const Request& request) -> Reply {
        const auto booking = files.records.seen(request.path_id(), request.caller);
        if (!booking)
            return api::failed(errc::booking_not_found);
        SVC_ASSIGN_OR_RETURN(const auto sent, form_sent_by(request));
        SVC_ASSIGN_OR_RETURN(const auto asked, files.forms.form_for_staff(booking->trip_id));
        return stored_once(files, request, sent, asked, {.booking_id = booking->id});
    };
    routes.add(std::move(upload));
    routes.add({.method = Method::get,
                .path = "/bookings/{id}/form-files",
                .who = Permission::can("svc_view_bookings"),
                .module = std::string(plugin::slugs::dynamic_form_field),
                .summary = "List the files that answer a booking's form; their names are masked without"
                           " svc_view_sensitive_answers.",
                .answer = api::list(form_file_answer(), 1000),
                .errors = {&errc::booking_not_found},
                .handle = [files](const Request& request) -> Reply {
                    const auto booking = files.records.seen(request.path_id(), request.caller);
                    if (!booking)
                        return api::failed(errc::booking_not_found);
                    Value all = files.store.reading<Value>([&](store::Session& reading) {
                        return list_json(FileRepository::of_booking(reading, booking->id), files.keyring);
                    });
                    if (!api::may_read_sealed(request.caller))
                        for (Value& each : all.items())
                            each.set("name", std::string(api::masked_answer));
                    return api::ok(std::move(all));
                }});
    routes.add({.method = Method::get,
                .path = "/bookings/{id}/form-files/{key}",
                .who = Permission::can(std::string(api::reads_sealed_answers)),  // of bookings that one may see
                .module = std::string(plugin::slugs::dynamic_form_field),
                .summary = "Return a file that answers a booking's form.",
                .enveloped = false,
                .files = {unknown_bytes},
                .errors = {&errc::booking_not_found, &errc::not_found},
                .handle = [files](const Request& request) -> Reply {
                    const auto booking = files.records.seen(request.path_id(), request.caller);
                    return booking ? download(files, booking->id, request.path["key"].text())
                                   : api::failed(errc::booking_not_found);
                }});
}

void add_of_owners(api::RouteTable& routes, const FileRoutes& files) {
    auto upload = upload_route("/customers/my-bookings/{id}/form-files", files.reads_own,
                               "Send a file for one of the caller's bookings, until the departure. It is deleted within"
                               " two days unless it becomes an answer (PUT /customers/my-bookings/{id}/answers).");
    upload.query = {booking_token_field(), session_id_field()};
    upload.errors.push_back(&errc::booking_not_found);
    upload.errors.push_back(&errc::conflict);
    upload.limit = {.burst = 40, .seconds = 600};
    upload.keeps_replay = false;  // a repeated file is swept
    upload.handle = [files](const Request& request) -> Reply {
        const auto booking = files.records.find(request.path_id());
        if (!booking || booking->status == status::trash)
            return api::failed(errc::booking_not_found);
        SVC_RETURN_IF_ERROR(
            limits::answer_of(files.limits.take("form_files", limits::network_of(request.address), by_network)));
        if (!files.later->is_open(*booking))
            return api::failed(Error{errc::conflict, too_late_to_answer});
        SVC_ASSIGN_OR_RETURN(const auto sent, form_sent_by(request));
        SVC_ASSIGN_OR_RETURN(const auto asked, files.later->form_of(*booking));
        if (const Value* field = form::file_field(asked, sent.field); field && !form::may_answer_later(*field))
            return api::failed(invalid("field", "This cannot be answered after booking."_sentence));
        return stored_once(files, request, sent, asked, {.booking_id = booking->id});
    };
    routes.add(std::move(upload));
    routes.add({.method = Method::get,
                .path = "/customers/my-bookings/{id}/form-files/{key}",
                .who = files.reads_own,
                .module = std::string(plugin::slugs::dynamic_form_field),
                .summary = "Return a file that answers the form of one of the caller's bookings.",
                .query = {booking_token_field(), session_id_field()},
                .enveloped = false,
                .files = {unknown_bytes},
                .errors = {&errc::booking_not_found, &errc::not_found},
                .handle = [files](const Request& request) -> Reply {
                    return download(files, request.path_id(), request.path["key"].text());
                }});
}

}  // namespace

api::Type form_file_answer() {
    using namespace api;
    using api::text;
    const Schema file{
        {.name = "file",
         .type = text(60),
         .help = "The answer to the field: send it as the field's value.",
         .required = true},
        {.name = "field", .type = text(100), .help = "Section and id of the field.", .required = true},
        {.name = "name", .type = text(200), .help = "As it was sent."},
        {.name = "type", .type = text(60), .help = "image/jpeg, image/png, image/webp or application/pdf."},
        {.name = "size", .type = integer(1), .help = "Bytes."},
        {.name = "sent_at", .type = instant()}};
    return object("FormFile", file);
}

Value file_json(const KeptFile& file, const crypto::Keyring& keyring) {
    const auto name = keyring.open(file.name, file.place("name"));
    return Value::object({{"file", file.code},
                          {"field", file.field},
                          {"name", name ? Value(*name) : Value("")},
                          {"type", file.mime_type},
                          {"size", file.byte_size},
                          {"sent_at", file.created_at}});
}

void add_file_routes(api::RouteTable& routes, const FileRoutes& files) {
    add_of_sessions(routes, files);
    add_of_staff(routes, files);
    add_of_owners(routes, files);
}

}  // namespace svc::booking
