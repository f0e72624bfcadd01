// Permissions, before and after the request is read.
#include "shared/api/permission.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "shared/api/route.hpp"

using namespace svc;
using api::Caller;
using api::Permission;

namespace {

Caller user(std::vector<std::string> capabilities) {
    Caller caller;
    caller.kind = Caller::Kind::user;
    caller.user_id = 1;
    caller.capabilities = std::move(capabilities);
    return caller;
}

int status(const Permission& permission, const Caller& caller) {
    const auto admitted = permission.admits(caller);
    return admitted ? 200 : admitted.error().code().status;
}

}  // namespace

TEST_CASE("without the right, strangers are asked to sign in and users are refused") {
    const Caller stranger, plain = user({}), editor = user({"edit_posts", "svc_edit_trips"});
    CHECK(status(Permission::everyone(), stranger) == 200);
    CHECK(status(Permission::signed_in(), stranger) == 401);
    CHECK(status(Permission::signed_in(), plain) == 200);
    CHECK(status(Permission::can("svc_edit_trips"), stranger) == 401);
    CHECK(status(Permission::can("svc_edit_trips"), plain) == 403);
    CHECK(status(Permission::can("svc_edit_trips"), editor) == 200);
    CHECK(status(Permission::any_of({"svc_view_trips", "edit_posts"}), editor) == 200);
    CHECK(status(Permission::any_of({"svc_view_trips", "svc_view_bookings"}), editor) == 403);
}

TEST_CASE("manage_options passes every svc_ check and no other") {
    const Caller owner = user({"manage_options"});
    CHECK(owner.can("svc_edit_trips"));
    CHECK(owner.can("manage_options"));
    CHECK_FALSE(owner.can("edit_posts"));
    CHECK_FALSE(owner.can("manage_svc"));
}

TEST_CASE("a stranger has no capability, whatever the list contains") {
    Caller stranger = user({"manage_options"});
    stranger.kind = Caller::Kind::anonymous;
    CHECK_FALSE(stranger.can("svc_edit_trips"));
    CHECK_FALSE(stranger.can("manage_options"));
}

TEST_CASE("a permission decided by the request asks it, and is public until then") {
    const auto permission = Permission::decided_by("booking owner", [](const api::Request& request) -> Result<void> {
        if (request.id == "owner")
            return {};
        return errc::booking_not_found;
    });
    CHECK(status(permission, Caller{}) == 200);
    CHECK(permission.is_public());
    api::Request request;
    CHECK(permission.admits(request).error().code().status == 404);
    request.id = "owner";
    CHECK(permission.admits(request));
    CHECK(Permission::signed_in().admits(request));
}

TEST_CASE("a permission describes its callers") {
    CHECK(Permission::everyone().text() == "everyone");
    CHECK(Permission::any_of({"a", "b"}).text() == "a or b");
    CHECK(Permission::any_of({"a", "b"}).capabilities() == std::vector<std::string>{"a", "b"});
    CHECK_FALSE(Permission::can("a").is_public());
    CHECK_FALSE(Permission::signed_in().is_public());
    CHECK_THROWS_AS(Permission::any_of({}), std::logic_error);
    CHECK_THROWS_AS(Permission::decided_by("x", nullptr), std::logic_error);
}
