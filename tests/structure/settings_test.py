#!/usr/bin/python3
"""Every setting that can be set does something: the program reads it somewhere, or a reason stands here.

settings_test.py SVC
"""
import re
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from made_docs import printed  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SVC = None
DECLARED = r'\.key\s*=\s*'
MODULES = ROOT / "shared" / "plugin" / "pro_modules.hpp"  # slugs, and some are spelled like a setting
# Keys that are put together where they are read: the pattern of the keys, and the text that reading them needs.
COMPOSED = {
    r"recaptcha_protect_(booking|enquiry|registration)": '"recaptcha_protect_" + std::string(form)',
    r"abandoned_bookings_\w+": 'site.settings.get(key_of(name))',
    r"google_calendar_\w+": 'site.settings.get(key_of(name))',
    r"dynamic_pricing_\w+": 'site.settings.get(key_of(name))',
    r"email_template_\w+": 'settings.flag(keys_of(which, ',
    r"email_tpl_\w+_(subject|body|cc|bcc)": 'settings.text(keys.subject)',
}
# Read by nobody here, and settings all the same: each with its reader.
OUTSIDE = {
    "sms_notifications": "plugins that send text messages read it through svc.settings; listed with the base's settings",
    "sms_provider": "the same",
    "sms_api_key": "the same",
    "enable_push_notifications": "the same, for push messages",
    "auto_confirm_bookings": "the step 0058 of the schema makes auto_confirm_mode of it",
    "auto_confirm_pay_later": "kept of older releases, as their exports have it; auto_confirm_mode says it all",
    "require_email_verification": "the same; the mailed page sets the password, so that no account is without a proven address",
}


def sources():
    return {path: path.read_text() for top in ("base", "pro", "shared", "shell")
            for path in (ROOT / top).rglob("*") if path.suffix in (".cpp", ".hpp") and path != MODULES}


def is_read(key, texts):
    if any(re.fullmatch(pattern, key) and any(needed in text for text in texts)
           for pattern, needed in COMPOSED.items()):
        return True
    quoted = re.escape(f'"{key}"')
    # A key in its declaration, its check, its other name or a list of plain flags is no reading.
    return any(re.search(rf"(?<!\.key = ){quoted}", re.sub(rf"{DECLARED}{quoted}|declare_naming\({quoted}|\b(flag|text)\({quoted}, *(\"|true|false)", "", text))
               for text in texts if f'"{key}"' in text)


class Settings(unittest.TestCase):
    def test_each_is_read_by_somebody(self):
        keys = re.findall(r"(?m)^\| `(\w+)`", printed(SVC, "catalogue", "settings"))
        self.assertGreater(len(keys), 200)
        texts = list(sources().values())
        unread = {key for key in keys if not is_read(key, texts)}
        self.assertEqual(unread - OUTSIDE.keys(), set(), "settings that nothing reads")
        self.assertEqual(OUTSIDE.keys() - unread, set(), "named as read outside, and read here, or no settings at all")

    def test_a_declaration_alone_is_no_reading(self):
        declared = '.declare({.key = "seats", .type = integer()}); flag("queue", "People wait.");'
        self.assertFalse(is_read("seats", [declared]))
        self.assertFalse(is_read("queue", [declared]))
        self.assertFalse(is_read("map", ['flag("map", true, "A map is shown."); text("map", "Its title.");']))
        self.assertFalse(is_read("seats", [declared, 'settings.declare_naming("seats", check);']))
        self.assertTrue(is_read("seats", [declared, 'settings.integer("seats")']))
        self.assertTrue(is_read("queue", [declared, 'settings.flag("queue")']))
        self.assertFalse(is_read("email_tpl_booking_subject", [declared]))


if __name__ == "__main__":
    SVC = sys.argv.pop(1)
    unittest.main(argv=sys.argv)
