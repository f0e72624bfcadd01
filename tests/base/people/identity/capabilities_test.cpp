// The holders of each right.
#include "base/people/identity/capabilities.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

using namespace svc::identity;

namespace {

bool holds(std::string_view role, std::string_view capability) {
    const auto* held = capabilities_of(role);
    return held && std::binary_search(held->begin(), held->end(), capability, std::less<std::string_view>{});
}

}  // namespace

TEST_CASE("each right is once in the table and names known roles") {
    std::set<std::string_view> seen;
    std::string letters;
    for (const auto& role : system_roles)
        letters += role.letter;
    for (const auto& right : rights) {
        CAPTURE(right.capability);
        CHECK(seen.insert(right.capability).second);
        CHECK_FALSE(right.roles.empty());
        CHECK(right.roles.find_first_not_of(letters) == std::string_view::npos);
    }
    for (const auto& rule : implied) {
        CHECK(is_capability(rule.capability));
        CHECK(is_capability(rule.implies));
    }
}

TEST_CASE("roles hold what was agreed on") {
    CHECK(holds("administrator", "manage_options"));
    CHECK(holds("administrator", "create_users"));
    CHECK_FALSE(holds("owner", "manage_options"));
    CHECK(holds("owner", "svc_delete_bookings"));
    for (const auto& role : system_roles)
        if (role.slug != "owner")
            CHECK_FALSE(holds(role.slug, "svc_delete_bookings"));
    CHECK(holds("front_desk", "svc_change_booking_status"));
    CHECK_FALSE(holds("front_desk", "svc_edit_bookings"));
    CHECK(holds("accountant", "svc_view_financial_reports"));
    CHECK(holds("accountant", "svc_refund_bookings"));
    CHECK_FALSE(holds("manager", "svc_manage_settings"));
    CHECK_FALSE(holds("guide", "svc_view_customers"));
    for (const char* role : {"owner", "manager", "guide"})
        CHECK(holds(role, "svc_view_sensitive_answers"));
    for (const char* role : {"sales_agent", "front_desk", "accountant", "marketing", "auditor"})
        CHECK_FALSE(holds(role, "svc_view_sensitive_answers"));
    CHECK(holds("auditor", "svc_view_audit_log"));
    CHECK(capabilities_of("svc_customer")->empty());
    CHECK(capabilities_of("nobody") == nullptr);
}

TEST_CASE("who edits trips may see and create them; unknown names give nothing") {
    CHECK(expanded({"svc_edit_trips", "svc_edit_trips", "root"}) ==
          std::vector<std::string>{"svc_create_trips", "svc_edit_trips", "svc_view_trips"});
}
