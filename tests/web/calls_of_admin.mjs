// The calls that the admin's own code names, as "METHOD /path". What the generic screens make of the interface's
// description is not among them.
import fs from 'node:fs';
import path from 'node:path';

const files = (folder) => fs.readdirSync(folder, { withFileTypes: true, recursive: true }).filter((one) => one.isFile() && /\.tsx?$/.test(one.name)).map((one) => path.join(one.parentPath ?? one.path, one.name));
const verbs = { get: 'GET', list: 'GET', post: 'POST', put: 'PUT', remove: 'DELETE' };

export function calls_of_admin(sources) {
  const found = new Set();
  for (const file of ['admin', 'kit'].flatMap((one) => files(path.join(sources, one)))) {
    const text = fs.readFileSync(file, 'utf8');
    for (const [, verb, route] of text.matchAll(/\bapi\s*\.(get|list|post|put|remove)\(\s*'(\/[^']+)'/g)) found.add(`${verbs[verb]} ${route}`);
    for (const [, method, route] of text.matchAll(/\bjson(?:<[^()]*?>)?\(\s*'(get|post|put|delete)',\s*'(\/[^']+)'/g)) found.add(`${method.toUpperCase()} ${route}`);
    for (const [, route] of text.matchAll(/\bsetAction\('(\/[^']+)'\)/g)) found.add(`POST ${route}`);
    for (const [, route] of text.matchAll(/\bfile\(\s*'(\/[^']+)'/g)) found.add(`GET ${route}`);
  }
  return [...found].sort();
}

// The calls that no part of the browser test presses yet, and a test that makes them over the interface.
const elsewhere = {
  'DELETE /auth/sessions': 'base/admin/admin_test.cpp',
  'DELETE /cache/clear-all': 'e2e/tools_test.py',
  'DELETE /cache/clear-group': 'base/maintenance/tools_test.cpp',
  'DELETE /cache/clear-item': 'e2e/tools_test.py',
  'DELETE /cache/clear-pattern': 'base/maintenance/tools_test.cpp',
  'DELETE /enquiries/{id}': 'base/people/enquiries/inbox_test.cpp',
  'DELETE /reviews/{id}': 'base/people/reviews/reviews_test.cpp',
  'DELETE /sample-data/cleanup': 'e2e/faults_test.py',
  'DELETE /tools/jobs/{job_id}': 'base/data/import_export/transfer_test.cpp',
  'GET /auth/nonce': 'base/people/identity/sign_in_test.cpp',
  'GET /google-calendar/calendars': 'e2e/google_calendar_test.py',
  'GET /modules/{slug}/settings': 'base/modules/modules_test.cpp',
  'GET /payment/{payment_id}/credit-note': 'base/admin/reports/reports_test.cpp',
  'GET /payment/{payment_id}/invoice': 'base/sales/documents/issuing_test.cpp',
  'POST /bookings/{id}/charge': 'e2e/card_payments_test.py',
  'POST /bookings/{id}/form-files': 'pro/form_fields/files_test.cpp',
  'POST /bookings/{id}/new-link': 'e2e/booking_links_test.py',
  'POST /cache/toggle': 'base/maintenance/tools_test.cpp',
  'POST /consent/signed/preview': 'pro/consent/signing_test.cpp',
  'POST /email-templates/overrides/reorder': 'pro/email_automation/templates_test.cpp',
  'POST /google-calendar/calendars': 'e2e/google_calendar_test.py',
  'POST /license/activate': 'pro/license/license_test.cpp',
  'POST /license/check': 'pro/app/assembled_test.cpp',
  'POST /license/deactivate': 'pro/license/license_test.cpp',
  'POST /license/evaluate': 'pro/license/evaluation_test.cpp',
  'POST /migration/cancel': 'base/data/wordpress_import/legacy_test.cpp',
  'POST /migration/clear': 'base/data/wordpress_import/legacy_test.cpp',
  'POST /migration/migrate': 'base/data/wordpress_import/legacy_test.cpp',
  'POST /migration/migrate-all': 'e2e/legacy_test.py',
  'POST /migration/upload': 'base/data/wordpress_import/uploads_test.cpp',
  'POST /modules/bulk-toggle': 'pro/app/plans_test.cpp',
  'POST /sample-data/import': 'base/data/samples/samples_test.cpp',
  'POST /tools/cron-run': 'base/maintenance/tools_test.cpp',
  'POST /usage-tracking/clear-cache': 'base/admin/notices/notices_test.cpp',
  'POST /usage-tracking/delete-snapshots': 'base/admin/notices/notices_test.cpp',
  'POST /usage-tracking/send': 'base/admin/notices/notices_test.cpp',
  'POST /usage-tracking/settings': 'base/admin/notices/notices_test.cpp',
  'PUT /customers/me': 'base/people/my_account/whose_test.cpp',
  'PUT /enquiries/{id}': 'base/people/enquiries/inbox_test.cpp',
  'PUT /modules/{slug}/settings': 'base/modules/modules_test.cpp',
};

// The path of a call as its test writes it, where that is not the call's own.
const written = {
  'DELETE /cache/clear-group': 'clear("clear-group?',
  'DELETE /cache/clear-pattern': 'clear("clear-pattern?',
  'DELETE /reviews/{id}': 'call("DELETE", path,',
  'POST /bookings/{id}/form-files': 'site.send(path + "/form-files"',
  'POST /consent/signed/preview': 'base.make("/consent/signed/preview"',
  'POST /license/activate': 'base.post("activate", key)',
  'POST /license/deactivate': 'base.post("deactivate")',
  'POST /email-templates/overrides/reorder': 'base.make("/email-templates/overrides/reorder"',
  'GET /payment/{payment_id}/credit-note': '"/credit-note?refund_id="',
  'GET /payment/{payment_id}/invoice': '"/payment/" + std::to_string(payment) + "/invoice"',
};

// The calls of `made` that no test makes: no part has `called` them, and the file that the list above names has no line
// with their method and path.
export function untested(made, called, tests) {
  const is_made = (call) => {
    if (!elsewhere[call]) return false;
    const lines = fs.readFileSync(path.join(tests, elsewhere[call]), 'utf8').split('\n');
    if (written[call]) return lines.some((line) => line.includes(written[call]));
    const [method, route] = call.split(' ');
    const parts = route.split(/\{[^}]*\}/);
    return lines.some((line) => (line.includes(`"${method}"`) || line.includes(`.${method.toLowerCase()}(`)) && parts.every((part) => line.includes(part)));
  };
  return made.filter((call) => !called.has(call) && !is_made(call));
}
