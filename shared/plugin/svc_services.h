/* The abilities with a header of their own: svc_plugin.h includes this one, and its rules and types hold in each. */
#pragma once

#include "svc_calls.h" /* svc.calls/1 */
#include "svc_mails.h" /* svc.mails/1 */
#include "svc_pages.h" /* svc.pages/1 */
