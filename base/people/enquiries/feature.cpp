// The differences of enquiries from other resources.
#include "base/people/enquiries/feature.hpp"

#include "base/catalog/classifications/permalink.hpp"
#include "base/people/enquiries/hooks.hpp"
#include "base/platform/limits/client_address.hpp"
#include "shared/api/author.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/query.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/person_name.hpp"
#include "shared/core/text.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::enquiries {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr const char* may_view = "svc_view_enquiries";
constexpr const char* may_respond = "svc_respond_to_enquiries";
constexpr const char* may_delete = "svc_delete_enquiries";
constexpr const char* thanks = "Thank you. We have received your enquiry and will answer by e-mail.";
constexpr int days_with_client = 90;

std::string header_of(const Request& request, std::string_view name, std::size_t most) {
    const std::string_view value = request.header ? request.header(name) : std::string_view{};
    return std::string(text::first(text::clean(value), most));
}

// Hidden in forms. Its name is none that browsers and password managers fill in, as they do with "website".
constexpr const char* hidden_field = "left_empty";

// Limits enquiries of one sender, whose address another person may enter.
constexpr limits::Limit enquiries_of_address{10, std::chrono::hours(1)};
constexpr auto quickest_form = std::chrono::seconds(2);

// People take longer to write a question. Without the field nothing is known.
bool is_too_quick(const Request& request) {
    const auto opened = Instant::parse(request.body.text_or("form_opened_at"));
    return opened && request.now < opened->plus(quickest_form);
}

Value traveler_row(const char* title, std::int64_t count) {
    return Value::object({{"id", nullptr}, {"title", title}, {"count", count}});
}

// Older forms send adults and children instead of metadata.
Value traveler_counts_of(const Value& body) {
    auto rows = Value::array();
    for (const auto& [member, title] : {std::pair{"adults", "Adults"}, {"children", "Children"}})
        if (const auto count = body.maybe_integer(member); count && *count > 0)
            rows.push(traveler_row(title, *count));
    return rows.size() > 0 ? rows : Value();
}

void count_travelers(Enquiry& enquiry, const Value& body) {
    if (enquiry.traveler_counts.is_null())
        enquiry.traveler_counts = traveler_counts_of(body);
    if (enquiry.travelers_count || !enquiry.traveler_counts.is_array())
        return;
    std::int64_t all = 0;
    for (const Value& row : enquiry.traveler_counts.items())
        all += row["count"].integer();
    if (all > 0)
        enquiry.travelers_count = all;
}

void add_message(store::Transaction& tx, std::int64_t id, const std::string& body, const Request& request) {
    tx.run(
        "INSERT INTO svc_enquiry_messages (enquiry_id, direction, body, author_id, created_at)"
        " VALUES (:id, 'out', :body, :author, :now)",
        {{"id", id}, {"body", body}, {"author", api::author(request.caller)}, {"now", request.now}});
}

// The customer whose address it is, if there is one.
std::optional<std::int64_t> customer_of(store::Session& session, std::string_view email) {
    const auto id =
        session.number("SELECT id FROM svc_customers WHERE email_lower = :email", {{"email", text::folded(email)}});
    return id > 0 ? std::optional(id) : std::nullopt;
}

std::vector<resource::BulkAction> bulk_actions() {
    using Does = resource::BulkAction::Does;
    std::vector<resource::BulkAction> actions{{.name = "delete", .does = Does::remove, .capability = may_delete},
                                              {.name = "restore", .does = Does::restore}};
    for (const auto& [name, status] : {std::pair{"spam", "spam"},
                                       {"mark_spam", "spam"},
                                       {"trash", "trash"},
                                       {"mark_trash", "trash"},
                                       {"mark_read", "read"},
                                       {"mark_pending", "pending"},
                                       {"mark_responded", "responded"},
                                       {"mark_completed", "completed"},
                                       {"mark_closed", "closed"},
                                       {"archive", "archived"}})
        actions.push_back({.name = name, .status = status});
    return actions;
}

}  // namespace

Feature::Feature(const Site& site, const catalog::trips::Feature& trips, booking::Feature& bookings)
    : svc::Feature(site),
      trips_(trips.service),
      bookings_(bookings),
      human_(site.settings, site.hooks, site.fetch),
      enquiries_(enquiry_record(), options(), rules()) {}

resource::Options Feature::options() const {
    return {.store = site_.store,
            .path = "/enquiries",
            .one = "enquiry",
            .many = "enquiries",
            .reads = Permission::can(may_view),
            .writes = Permission::can(may_respond),
            .removes = Permission::can(may_delete),
            .filters = {{.name = "trip_id", .type = api::id(), .help = "Only enquiries about this trip."}},
            .bulk = bulk_actions(),
            .restored_status = "new",
            .zone = [this] { return site_.settings.zone(); },
            .rejected =
                [](bool is_new) {
                    return is_new ? Error{errc::enquiry_failed}
                                  : Error{errc::enquiry_failed, Sentence::verbatim("Failed to update enquiry.")};
                }};
}

resource::Rules<Enquiry> Feature::rules() const {
    return {.adjust =
                [](const Enquiry* before, Enquiry& after, const Value& body, Faults&) {
                    if (!before)
                        count_travelers(after, body);
                },
            .check =
                [](const Enquiry* before, const Enquiry& after, Faults& faults) {
                    if (!before && text::clean_lines(after.message).empty())
                        faults.at("message", "Write your question."_sentence);
                    if (auto good = check_person_name("customer_name", after.name); !before && !good)  // staff may
                        faults.at("customer_name", good.error().message());
                },
            .after_write =
                [this](store::Transaction& tx, const Enquiry* before, const Enquiry* after, const record::Writer&) {
                    if (before || !after)
                        return;
                    Value shown = enquiry_record().to_json(*enquiry_record().find(tx, after->id));
                    shown.set("trip", after->trip_id ? Value::object({{"id", *after->trip_id},
                                                                      {"title", shown["trip_title"]},
                                                                      {"slug", shown["trip_slug"]}})
                                                     : Value());
                    site_.hooks.emit(tx, enquiry_created, {std::move(shown)});
                },
            .add_counts = [this](store::Session& session, Value& counts) { count_more(session, counts); }};
}

void Feature::declare() { declare_hooks(site_.hooks); }

void Feature::add_routes() {
    auto stats = enquiries_.stats_route();
    stats.summary = "Count enquiries by status; `all` excludes spam and trash.";
    stats.answer = api::object(stats.answer.members->plus(
        {{.name = "unread", .type = api::integer(0), .help = "New enquiries.", .required = true},
         {.name = "this_week", .type = api::integer(0), .help = "Enquiries since Monday.", .required = true},
         {.name = "avg_response_hours",
          .type = api::decimal(0),
          .help = "Average response time; 0 without responses.",
          .required = true}}));
    for (auto spec :
         {enquiries_.list_route(), std::move(stats), read_route(), submit_route(), enquiries_.update_route(),
          enquiries_.remove_route(), enquiries_.bulk_route(api::Method::put), respond_route()}) {
        if (spec.method != api::Method::get)
            spec.errors.push_back(&errc::enquiry_failed);
        site_.routes.add(std::move(spec));
    }
}

void Feature::add_jobs() {
    // Where an enquiry came from serves against abuse alone, which shows itself soon.
    site_.housekeeping.add("enquiry_clients", [](store::Transaction& tx, Instant now, int most) {
        return tx.run(
            "UPDATE svc_enquiries SET ip_hash = '', user_agent = '', referrer = '' WHERE id IN (SELECT id FROM"
            " svc_enquiries WHERE created_at < :before AND (ip_hash <> '' OR user_agent <> '' OR referrer <> '')"
            " ORDER BY created_at LIMIT :most)",
            {{"before", now.minus(std::chrono::hours(24 * days_with_client))}, {"most", most}});
    });
}

std::optional<std::int64_t> Feature::trip_of_slug(const std::string& slug) const {
    auto trip = trips_.public_trips().by_slug(slug);
    if (!trip)
        trip = trips_.public_trips().by_old_slug(slug);
    return trip ? std::optional(trip->trip.id) : std::nullopt;
}

std::optional<std::int64_t> Feature::trip_of(const Value& body, std::string_view referrer) const {
    if (const auto id = body.maybe_integer("trip_id"))
        return trips_.published(*id) ? id : std::nullopt;
    if (const auto slug = body.text_or("trip_slug"); !slug.empty())
        return trip_of_slug(slug);
    const std::string pages =
        site_.installation.address + "/" + catalog::classifications::bases_of(site_.settings, site_.hooks).trip + "/";
    if (!referrer.starts_with(pages))
        return std::nullopt;
    std::string_view slug = referrer.substr(pages.size());
    slug = slug.substr(0, slug.find_first_of("/?#"));
    const auto decoded = api::percent_decoded(slug, false);
    return decoded && !decoded->empty() ? trip_of_slug(*decoded) : std::nullopt;
}

api::RouteSpec Feature::submit_route() const {
    auto spec = enquiries_.create_route();
    spec.who = Permission::everyone();
    spec.summary = "Send an enquiry. Without trip_id, the trip is determined from trip_slug or the Referer.";
    spec.body = spec.body
                    .plus({{.name = "trip_slug", .type = api::text(255), .help = "Slug of the trip, without trip_id."},
                           {.name = "adults", .type = api::integer(0, 500), .help = "Only without metadata."},
                           {.name = "children", .type = api::integer(0, 500), .help = "Only without metadata."},
                           {.name = "subject", .type = api::anything(), .ignored = true},
                           {.name = hidden_field,
                            .type = api::raw_text(2'000),
                            .help = "A hidden field; an enquiry that fills it in is spam."},
                           {.name = "form_opened_at",
                            .type = api::instant(),
                            .help = "When the form was opened. An enquiry sent within two seconds is spam."},
                           {.name = "recaptcha_token", .type = api::raw_text(4'096)}})
                    .named("EnquiryCreate");
    spec.answer = api::object({{.name = "enquiry_id", .type = api::id(), .required = true},
                               {.name = "message", .type = api::text(200), .required = true}});
    spec.errors = {&errc::recaptcha_failed, &errc::rate_limited};
    spec.has_etag = false;
    spec.limit = {.burst = 5, .seconds = 60, .per = api::RateLimit::Per::address};
    spec.lane = api::Lane::provider;  // may ask the verification service
    spec.handle = [this](const Request& request) { return submit(request); };
    return spec;
}

Reply Feature::submit(const Request& request) const {
    const std::string address = text::folded(request.body.text_or("customer_email"));
    SVC_RETURN_IF_ERROR(limits::answer_of(site_.limits.take("enquiry", mailbox_key(address), enquiries_of_address)));
    SVC_RETURN_IF_ERROR(human_.check("enquiry", request.body.text_or("recaptcha_token"), request.address));
    Enquiry enquiry;
    enquiry.referrer = header_of(request, "referer", 2'000);
    enquiry.user_agent = header_of(request, "user-agent", 300);
    // A proxy that does not forward its clients' addresses counts as no client.
    if (const auto known = limits::Address::parse(request.address);
        known && !site_.installation.trusted_proxies.contains(*known))
        enquiry.ip_hash = crypto::base64(site_.keyring->mac("enquiry-client", limits::network_of(request.address)));
    // A program that fills in every field gets the same answer as a person; and where a person's browser filled it in,
    // staff find the question.
    if (!request.body.text_or(hidden_field).empty() || is_too_quick(request))
        enquiry.status = Status::spam;
    Value body = request.body;
    body.set("trip_id", trip_of(body, enquiry.referrer));
    const auto answer = [](const Enquiry& stored) {
        return api::created(Value::object({{"enquiry_id", stored.id}, {"message", thanks}}));
    };
    return enquiries_.engine().guarded(true, [&] {
        const auto work = [&](store::Transaction& tx) {
            enquiry.customer_id = customer_of(tx, body.text_or("customer_email"));
            return enquiries_.create(tx, enquiry, body, resource::writer_of(request));
        };
        return api::respond_once(
            request, [&] { return site_.store.transact<Enquiry>(work); }, answer);
    });
}

api::RouteSpec Feature::respond_route() const {
    auto spec = enquiries_.action_route(
        "respond", "Respond to an enquiry; stores the response and sets the status responded.",
        {{.name = "response", .type = api::raw_text(5'000), .help = "The text of the response.", .required = true}},
        [this](store::Transaction& tx, const Request& request,
               std::optional<std::int64_t> version) -> Result<record::Any> {
            const auto response = text::clean_lines(request.body.text_or("response"));
            if (response.empty())
                return invalid("response", "Write a response."_sentence);
            auto responded = enquiries_.engine().change(
                tx, request.path_id(), version,
                [&](void* record, Faults&) {
                    auto& enquiry = *static_cast<Enquiry*>(record);
                    enquiry.status = Status::responded;
                    enquiry.response_notes = response;
                    enquiry.responded_at = request.now;
                    enquiry.responded_by = api::author(request.caller);
                },
                resource::writer_of(request));
            if (responded)
                add_message(tx, request.path_id(), response, request);
            if (responded)
                site_.hooks.emit(
                    tx, enquiry_responded,
                    {enquiry_record().to_json(*static_cast<const Enquiry*>(responded->get())), Value(response)});
            return responded;
        });
    spec.name = "respondToEnquiry";
    return spec;
}

api::Type thread_answer() {
    return api::list(api::object({{.name = "direction",
                                   .type = api::choice({"in", "out"}),
                                   .help = "in: from the sender; out: from staff.",
                                   .required = true},
                                  {.name = "body", .type = api::raw_text(5'000), .required = true},
                                  {.name = "author_name", .type = api::text(255).or_null(), .required = true},
                                  {.name = "created_at", .type = api::instant(), .required = true}}),
                     500);
}

Value thread_of(store::Session& session, const Enquiry& enquiry) {
    auto thread = Value::array();
    thread.push(Value::object({{"direction", "in"},
                               {"body", enquiry.message},
                               {"author_name", enquiry.name},
                               {"created_at", enquiry.created_at}}));
    store::each_row(
        session,
        "SELECT m.direction, m.body, COALESCE(NULLIF(u.display_name, ''), u.login), m.created_at FROM"
        " svc_enquiry_messages m LEFT JOIN svc_users u ON u.id = m.author_id WHERE m.enquiry_id = :id"
        " ORDER BY m.id LIMIT 499",
        {{"id", enquiry.id}},
        [&](const std::string& direction, const std::string& body, const std::optional<std::string>& author,
            Instant at) {
            thread.push(Value::object({{"direction", direction},
                                       {"body", body},
                                       {"author_name", direction == "in" ? Value(enquiry.name) : Value(author)},
                                       {"created_at", at}}));
        });
    return thread;
}

api::RouteSpec Feature::read_route() const {
    auto spec = enquiries_.read_route();
    spec.summary = "Return an enquiry with its messages.";
    spec.answer = api::object(
        enquiry_record()
            .answer_schema()
            .plus({{.name = "messages", .type = thread_answer(), .help = "The oldest first.", .required = true}})
            .named("EnquiryWithMessages"));
    spec.handle = [this](const Request& request) -> Reply {
        Value messages;
        const auto found = site_.store.reading<std::optional<Enquiry>>([&](store::Session& session) {
            auto enquiry = enquiry_record().find(session, request.path_id());
            if (enquiry)
                messages = thread_of(session, *enquiry);
            return enquiry;
        });
        if (!found)
            return api::failed(errc::not_found);
        Reply reply = enquiries_.engine().reply_with(&*found);
        reply.data.set("messages", std::move(messages));
        return api::unless_known(request, std::move(reply));
    };
    return spec;
}

Result<void> Feature::convert(store::Transaction& tx, std::int64_t enquiry_id, const booking::Booking& booking,
                              std::optional<std::int64_t> user_id, Instant now) const {
    const auto converted =
        enquiries_.change(tx, enquiry_id,
                          [&](Enquiry& enquiry, Faults& faults) {
                              if (enquiry.booking_id && enquiry.booking_id != booking.id)
                                  faults.at("enquiry_id", "This enquiry has become another booking already."_sentence);
                              enquiry.status = Status::converted;
                              enquiry.booking_id = booking.id;
                              enquiry.customer_id = booking.customer_id;
                          },
                          {.user_id = user_id, .now = now});
    if (converted)
        return {};
    if (&converted.error().code() == &errc::not_found)
        return invalid("enquiry_id", "This enquiry does not exist."_sentence);
    return converted.error();
}

void Feature::count_more(store::Session& session, Value& counts) const {
    counts.set("all", counts["all"].integer() - counts["spam"].integer());
    counts.set("unread", counts["new"]);
    const Date today = site_.settings.zone().date_at(site_.clock.now());
    const Date monday = today.plus_days(-static_cast<int>((today.weekday() + 6) % 7));
    counts.set("this_week",
               session.number("SELECT COUNT(*) FROM svc_enquiries WHERE created_at >= :monday AND status <> 'trash'"
                              " AND status <> 'spam'",
                              {{"monday", site_.settings.zone().instant_of(monday, {})}}));
    const auto micros = session.number(
        "SELECT CAST(AVG(responded_at - created_at) AS BIGINT) FROM svc_enquiries WHERE responded_at IS NOT NULL", {});
    constexpr std::int64_t tenth_of_an_hour = 360'000'000;
    const auto tenths = (micros + tenth_of_an_hour / 2) / tenth_of_an_hour;
    counts.set("avg_response_hours", json::Number{std::to_string(tenths / 10) + "." + std::to_string(tenths % 10)});
}

}  // namespace svc::enquiries
