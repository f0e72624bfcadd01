/* The ability svc.pages/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
/* ---- svc.pages/1: pages of the site, their files and the addresses they need ---------------------------------------
 * page: {"path" ("/consent/{token}": a word, then words and names), "type" (of its body class and template), "template"
 * (mustache, as files of the theme), "module", "forms" (POST reaches show too), "shared" (the same for all visitors:
 * the base keeps it as its own pages, and the request names nobody but with ?preview=1), "origins"}. The base renders
 * it in the site's layout and keeps nothing of one that is not shared. origins: {"form": […], "script": […], "frame":
 * […], "connect": […], "image": […] (https needs none)}, each scheme and host; a page's policy names them. request:
 * {"method", "path", "names" {…}, "query" {…}, "form" {…}, "user_id" (0: nobody), "address", "agent"}. show answers
 * {"model" {…}, "title", "status" (200), "go" (303 to that address), "language"}. Of the model, {"date": "2027-05-04"}
 * is shown as the site writes days, {"moment": …} times, {"amount": 12.5, "currency": "USD"} sums, and {"sentence": …}
 * in the page's language. CAPABILITIES.md tells since when. */
#define SVC_PAGES_1 "svc.pages/1"
typedef struct svc_pages_1 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED: malformed, or path or type is taken. show: [any thread], may wait; SVC_REFUSED shows the page of its
     * status, SVC_FAILED that of 500. [start-up] */
    svc_status (*add_page)(void* self, svc_text page, void* context,
                           svc_status (*show)(void* context, svc_text request, svc_answer* answer));
    /* A file ending in .js, .css or .svg, copied, at most 1 MiB. Models of pages get its address as
     * assets.NAME, with an underscore for what is no letter or digit. SVC_REFUSED: no such name, or taken. [start-up]
     */
    svc_status (*add_asset)(void* self, svc_text name, svc_text content);
    /* What pages need on which `of`, a gateway's id, is offered. SVC_REFUSED: malformed. [start-up] */
    svc_status (*declare_origins)(void* self, svc_text of, svc_text origins);
    /* Since minor 5. As add_page, for a page of the account: "path" is one word, the page is at /{account}/word for
     * signed-in visitors alone (user_id is never 0), and "label" (1 to 60 characters) is its entry in the account's
     * menu. Its template stands beside that menu. [start-up] */
    svc_status (*add_account_page)(void* self, svc_text page, void* context,
                                   svc_status (*show)(void* context, svc_text request, svc_answer* answer));
    /* Since minor 7. A script that counts visits, on pages of visitors who allowed its purpose: the base asks them, and
     * names the tag to them. tag: {"id" (a word), "name" (1 to 60 characters), "purpose" ("analytics" or "marketing"),
     * "asset" (a file of add_asset, .js), "module", "origins", "cookies" (names that its script sets, "_ga*" for all
     * that begin so: told to visitors, and deleted when they refuse)}. Pages that are the same for everybody have tags,
     * and those of choosing and of a made booking. configure is asked as a page is made: {"page" (its type),
     * "language", "allowed" {"analytics", "marketing"}, "facts"}, and answers what the script reads from the element
     * <script type="application/json" id="svc-tag-ID">; null: the tag is not on this page. It is asked for the page
     * "privacy-choices" too: a tag with null there is off, and visitors are not asked about it. facts: "view" {"item"}
     * on a trip's page, "begin" {"item", "currency", "value"} on the first page of its booking, "purchase"
     * {"reference", "currency", "value", "tax", "coupon", "item", "travel_date"} on the page of a booking, once per
     * booking: to the first visitor who allowed any purpose when making it. Forms with date and party take the id of an
     * event that a script reported as they are sent from a field _cart: svc_checkout_event_v1 has it. item: {"id",
     * "name", "price", "currency", "quantity"}; members that a page does not know are absent. A second tag of an id
     * replaces the base's own while its module is on. [start-up]
     */
    svc_status (*add_tag)(void* self, svc_text tag, void* context,
                          svc_status (*configure)(void* context, svc_text request, svc_answer* answer));
} svc_pages_1;

#ifdef __cplusplus
}
#endif
