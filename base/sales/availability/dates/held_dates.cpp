// Dates by their members, or all of them as one text.
#include "base/sales/availability/dates/held_dates.hpp"

#include <algorithm>
#include <atomic>

#include "base/sales/availability/dates/wire.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::availability {
namespace {

constexpr std::size_t bytes_of_date = 700;  // as text

// A name that no other answer of this process has.
std::string next_version() {
    static std::atomic<std::uint64_t> last{0};
    return std::to_string(++last);
}

}  // namespace

HeldDates::HeldDates(Offer offer, bool is_lasting, const HeldDates* before)
    : offer_(std::move(offer)),
      version_(!is_lasting                                                       ? std::string()
               : before && !before->version_.empty() && before->offer_ == offer_ ? before->version_
                                                                                 : next_version()) {}

std::size_t HeldDates::bytes() const {
    return sizeof *this + offer_.dates.capacity() * sizeof(Bookable) + offer_.dates.size() * bytes_of_date;
}

const HeldDates::Text& HeldDates::text() const {
    std::call_once(written_, [this] {
        std::string body;
        body.reserve(offer_.dates.size() * bytes_of_date + 100);  // so that the head of it is written first
        body = R"({"success":true,"data":)";
        add_dates(body, offer_.dates, offer_.waitlist);
        // A single page, as in every list without paging.
        const auto total = static_cast<std::int64_t>(offer_.dates.size());
        body += R"(,"meta":{"page":1,"per_page":)" + std::to_string(std::max<std::int64_t>(1, total)) + R"(,"total":)" +
                std::to_string(total) + R"(,"total_pages":)" + (total > 0 ? "1" : "0") + R"(,"next_from_date":)";
        body += offer_.goes_on ? '"' + offer_.goes_on->text() + '"' : "null";
        body += "}}";
        text_.etag = api::entity_tag(body);
        text_.body = std::make_shared<const std::string>(std::move(body));
    });
    return text_;
}

json::Value HeldDates::read(std::size_t index, api::Members members) const {
    return DateValues(offer_.dates, offer_.waitlist, members).at(index);
}

json::Value HeldDates::data(api::Members members) const {
    const DateValues values(offer_.dates, offer_.waitlist, members);
    json::Array all;
    all.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
        all.push_back(values.at(i));
    return json::Value(std::move(all));
}

}  // namespace svc::availability
