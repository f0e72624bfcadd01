// A form that travelers sign.
#pragma once

#include "pro/common/site.hpp"
#include "pro/consent/content.hpp"
#include "shared/record/record.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::consent {

struct ConsentForm : record::Audit, record::Trash {
    std::int64_t id = 0;
    std::string name, description;
    std::string status{"draft"};  // publish, draft, archived, trash
    std::int64_t version = 1;     // of the text
    std::string sha256;           // of the text
    bool require_signature = true, require_initials = false;
    std::string applicable_to{"all"};  // all, specific_trips
    std::vector<std::int64_t> trip_ids{};
    std::string send_to{"all_travelers"};  // all_travelers, lead_traveler, primary_contact
    std::int64_t send_before_days = 7;
    std::string reminder_days{"3,1"};
    std::optional<std::int64_t> expiry_hours;
    json::Value fields = json::Value::array(), content_blocks = json::Value::array();
    std::int64_t signed_count = 0, pending_count = 0;  // read alone

    [[nodiscard]] Content content() const;
    [[nodiscard]] bool is_of(std::int64_t trip_id) const;
    [[nodiscard]] bool is_published() const { return status == "publish"; }
};
const record::Record<ConsentForm>& form_record();

resource::Resource<ConsentForm> form_resource(const Site& site);

// Those that apply to bookings now.
std::vector<ConsentForm> published_forms(store::Session& session);
Content version_of(store::Session& session, std::int64_t form_id, std::int64_t version);

// A copy as a draft of its own.
Result<ConsentForm> duplicate(const resource::Resource<ConsentForm>& forms, store::Transaction& tx, std::int64_t id,
                              const record::Writer& writer);

}  // namespace svc::pro::consent
