/* The abilities with a header of their own: svc_plugin.h includes this one, and its rules and types hold in each. */
#pragma once

#include "svc_bookings.h"     /* svc.bookings/1 */
#include "svc_calls.h"        /* svc.calls/1 */
#include "svc_changes.h"      /* svc.changes/1 */
#include "svc_documents.h"    /* svc.documents/1 */
#include "svc_fetch.h"        /* svc.fetch/2 */
#include "svc_housekeeping.h" /* svc.housekeeping/1 */
#include "svc_limits.h"       /* svc.limits/1 */
#include "svc_mails.h"        /* svc.mails/1 */
#include "svc_pages.h"        /* svc.pages/1 */
