/* An example of a plugin beside Pro: a gateway, a route, a listener and a page, in plain C against svc_plugin.h.
 *
 * It counts the bookings that were made since the server started, answers the count by GET /svc/v1/example/bookings,
 * shows it on the page /example, and lets customers pay in cash at an office. Build it with `make`; docs/plugins.md
 * says how an installation takes it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <svc/svc_plugin.h>

/* Read from the file before any code of it runs: the base refuses another major, and a minor above its own. */
SVC_PLUGIN_NOTE(SVC_ABI_MAJOR, 0);

#define TEXT(literal) ((svc_text){literal, sizeof(literal) - 1})

/* Everything of this plugin; `context` of its functions. Functions run on any thread, several at once. */
static struct {
    const svc_log_1* log;
    atomic_long bookings;
} example;

static void write_log(uint32_t level, svc_text event, svc_text fields) {
    if (SVC_HAS(svc_log_1, example.log, write)) /* an older base may lack an ability: ask for each */
        example.log->write(example.log->self, level, event, fields);
}

/* The listener: runs after the commit of each booking, at least once. Its arguments are a JSON array. */
static svc_status booking_created(void* context, svc_text arguments) {
    (void)context;
    (void)arguments;
    atomic_fetch_add(&example.bookings, 1);
    write_log(SVC_LOG_INFO, TEXT("example_booking_counted"), TEXT("{}"));
    return SVC_OK;
}

static svc_status answer_count(svc_answer* answer, const char* form) {
    char text[200];
    const int size = snprintf(text, sizeof text, form, atomic_load(&example.bookings));
    answer->json(answer->self, (svc_text){text, (size_t)size});
    return SVC_OK;
}

/* The route: the base has asked for the permission and checked the request before it calls. */
static svc_status count_bookings(void* context, svc_text request, svc_answer* answer) {
    (void)context;
    (void)request;
    return answer_count(answer, "{\"status\": 200, \"data\": {\"bookings\": %ld}}");
}

/* The page: the base renders the template with this model, in the layout of the site. */
static svc_status show_page(void* context, svc_text request, svc_answer* answer) {
    (void)context;
    (void)request;
    return answer_count(answer, "{\"title\": \"Example\", \"model\": {\"bookings\": %ld}}");
}

/* The gateway: cash at an office, for any amount. */
static int32_t is_available(void* context, svc_text config, int64_t amount_minor, svc_text currency) {
    (void)context;
    (void)config;
    (void)currency;
    return amount_minor > 0;
}

static svc_status instructions(void* context, svc_text config, svc_text booking, svc_answer* answer) {
    (void)context;
    (void)config;
    (void)booking;
    answer->json(answer->self, TEXT("\"Pay in cash at our office, and name your booking reference.\""));
    return SVC_OK;
}

static const svc_gateway_1 cash = {
    .size = sizeof(svc_gateway_1), .context = NULL, .available = is_available, .instructions = instructions};

/* Whether one registration worked; the reason goes to the log line by which the base refuses the plugin. */
static int done(svc_status status, svc_answer* why_not, const char* what) {
    if (status == SVC_OK)
        return 1;
    why_not->error(why_not->self, TEXT("svc_conflict"), (svc_text){what, strlen(what)}, TEXT(""));
    return 0;
}

/* Registers everything, or nothing: the base puts it in place only when this returns SVC_OK. */
static svc_status attach(const svc_host* host, void** self, svc_answer* why_not) {
    *self = NULL;
    example.log = host->service(host->self, SVC_LOG_1);
    const svc_hooks_1* hooks = host->service(host->self, SVC_HOOKS_1);
    const svc_routes_1* routes = host->service(host->self, SVC_ROUTES_1);
    const svc_pages_1* pages = host->service(host->self, SVC_PAGES_1);
    const svc_gateways_1* gateways = host->service(host->self, SVC_GATEWAYS_1);
    if (!hooks || !routes || !pages || !gateways)
        return done(SVC_REFUSED, why_not, "This plugin needs hooks, routes, pages and gateways.") ? SVC_OK
                                                                                                  : SVC_REFUSED;

    const int is_whole =
        done(hooks->on(hooks->self, TEXT("svc_booking_created"), TEXT("{\"name\": \"example_count\"}"), NULL,
                       booking_created),
             why_not, "There is no action svc_booking_created.") &&
        done(routes->add(routes->self,
                         TEXT("{\"method\": \"GET\", \"path\": \"/example/bookings\","
                              " \"summary\": \"Return how many bookings were made since the start.\","
                              " \"who\": {\"rule\": \"any_of\", \"capabilities\": [\"svc_view_bookings\"]},"
                              " \"answer\": {\"shape\": \"object\", \"members\":"
                              " [{\"name\": \"bookings\", \"required\": true, \"type\": {\"shape\": \"integer\"}}]}}"),
                         NULL, count_bookings),
             why_not, "The route /example/bookings is taken.") &&
        done(pages->add_page(pages->self,
                             TEXT("{\"path\": \"/example\", \"type\": \"example\","
                                  " \"template\": \"<h1>Example</h1><p>Bookings since the start: {{bookings}}</p>\"}"),
                             NULL, show_page),
             why_not, "The page /example is taken.") &&
        done(gateways->add(gateways->self,
                           TEXT("{\"id\": \"cash_at_office\", \"title\": \"Cash at the office\","
                                " \"description\": \"Pay in cash at our office.\", \"is_offline\": true,"
                                " \"requires_pro\": false, \"fields\": []}"),
                           &cash),
             why_not, "The gateway cash_at_office is taken.");
    return is_whole ? SVC_OK : SVC_REFUSED;
}

static void detach(void* self) {
    (void)self;
    example.log = NULL;
}

__attribute__((visibility("default"))) const svc_plugin* svc_plugin_entry(void);
const svc_plugin* svc_plugin_entry(void) {
    static const svc_plugin plugin = {sizeof(svc_plugin), SVC_ABI_MAJOR, 0,     {"example", 7},
                                      {"1.0.0", 5},       attach,        detach};
    return &plugin;
}
