// What a client's author has to know before the first call; everything about single routes is derived from them.
#include "base/app/docs_introduction.hpp"

#include "base/platform/html/html.hpp"
#include "shared/core/result.hpp"

namespace svc::app {
namespace {

using html::escaped;
using json::Value;

std::string code_block(const std::string& text) { return "<pre tabindex=\"0\">" + escaped(text) + "</pre>"; }

std::string error_example() {
    const Error fault = Error{errc::validation_error, "This field is required."_sentence}.at(
        "contact_email", "This field is required."_sentence);
    const Value body = Value::object(
        {{"code", fault.code().name},
         {"message", fault.message().english()},
         {"data",
          Value::object({{"status", fault.code().status},
                         {"field", "contact_email"},
                         {"errors", Value::object({{"contact_email", Value::array({"This field is required."})}})}})}});
    return body.dump();
}

}  // namespace

std::vector<Introduced> docs_introduction(const About& about) {
    const std::string root = about.site_url + about.base_path;
    const std::string access =
        "<p>Programs send a login and an <b>application password</b> with HTTP Basic. Make one under My account in "
        "the admin; it has the rights of that account and can be revoked at any time.</p>" +
        code_block("curl -u LOGIN:APPLICATION_PASSWORD '" + root + "/bookings?per_page=5'") +
        "<p>Browsers sign in with <code>POST /auth/login</code>. Each further call sends the cookie and, in the header "
        "<code>X-Host-Nonce</code>, a nonce of <code>GET /auth/nonce</code>; a cookie without a nonce counts as "
        "nobody.</p>"
        "<p>Guests need no account. A checkout session proves itself by <code>session_id</code> or the header "
        "<code>X-Svc-Session</code>, a booking by <code>booking_token</code> or the header "
        "<code>X-Svc-Booking-Token</code>.</p>"
        "<p>Each route below says who may call it. A missing or wrong credential is answered with 401, a missing "
        "right with 403.</p>";
    const std::string answers =
        "<p>A success is <code>{\"success\": true, \"data\": …}</code>, for lists with <code>meta</code>. An error has "
        "a code that does not change, a sentence for people, and the HTTP status. With a body or query at fault, "
        "<code>data.errors</code> maps every field at fault to its sentences. Items of lists are named by their index, "
        "from 0: <code>price_types.0.original_price</code>; the travelers of a booking by their number, from 1: "
        "<code>travelers.1.first_name</code>.</p>" +
        code_block(error_example()) +
        "<p>Keys of a body that no field has are ignored; a <code>Warning</code> header names them. Every answer "
        "carries <code>X-Request-Id</code>, under which the server logs the call.</p>";
    const std::string lists =
        "<p>Lists take <code>page</code> and <code>per_page</code> (20 unless the route says otherwise, at most 100), "
        "<code>orderby</code>, <code>order</code> and <code>search</code>. <code>meta</code> and the headers "
        "<code>X-Host-Total</code> and <code>X-Host-TotalPages</code> hold the totals, <code>Link</code> the "
        "neighbouring pages. A page past the end is empty.</p>"
        "<p>To follow changes, call a list with <code>orderby=updated_at&amp;order=asc</code> and "
        "<code>updated_since</code> set to the last <code>updated_at</code> that you have seen. Items of that moment "
        "come again, so none is missed.</p>" +
        code_block("curl -u LOGIN:APPLICATION_PASSWORD '" + root +
                   "/bookings?updated_since=2030-06-10T09:00:00Z&orderby=updated_at&order=asc'");
    const std::string repeating =
        "<p>Send an <code>Idempotency-Key</code> with every write, for example a UUID. When the answer is lost, repeat "
        "the request with the same key and body within 24 hours: it takes effect once, and you get the first answer. "
        "The same key with another request is refused with 422.</p>"
        "<p>Records with an <code>ETag</code> take <code>If-Match</code> on writes, so that nobody overwrites what "
        "somebody else changed meanwhile (409), and <code>If-None-Match</code> on reads (304).</p>";
    const std::string limits =
        "<p>Calls are counted for each user, and without one for each address. <code>RateLimit-Limit</code>, "
        "<code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> say how many are left and in how many "
        "seconds all are left again. A call beyond the limit is answered with 429 and <code>Retry-After</code>, and "
        "changes nothing.</p>";
    const std::string dates =
        "<p>Calendar dates are <code>YYYY-MM-DD</code> and clock times <code>HH:MM</code>, both in the site's time "
        "zone. Moments are RFC 3339 in UTC: <code>2030-06-10T09:00:00Z</code>. Where a list takes <code>from</code> "
        "and <code>to</code>, a date counts whole.</p>";
    const std::string money =
        "<p>Amounts are JSON numbers in the currency of the same record, with at most its decimals: "
        "<code>1299.5</code> euros, <code>1300</code> yen. Read and write them as decimals, not as binary floats. "
        "Countries are their two letters, languages codes such as <code>de</code>.</p>";
    const std::string changes =
        "<p>Within <code>" + escaped(about.base_path) +
        "</code> fields and routes are added and never removed without notice: a deprecated one is answered with a "
        "<code>Deprecation</code> header and named in <code>notices</code>. Ignore members that you do not "
        "know.</p>";
    return {{"access", "Access", access},
            {"answers", "Answers and errors", answers},
            {"lists", "Lists and changes", lists},
            {"repeating", "Repeated requests", repeating},
            {"limits", "Limits", limits},
            {"dates", "Dates and times", dates},
            {"money", "Money", money},
            {"changes", "Changes of the interface", changes}};
}

}  // namespace svc::app
