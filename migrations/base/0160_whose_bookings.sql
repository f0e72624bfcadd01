-- A booking or an enquiry is its account's, or of the person who has proven its own address; see base/people/identity/whose.hpp.
-- 1: the account owns the booking by a proof of the contact's address alone; another address ends that.
ALTER TABLE svc_bookings ADD COLUMN owned_by_address BIGINT NOT NULL DEFAULT 0 CHECK (owned_by_address IN (0, 1));
CREATE INDEX svc_bookings_guest_contact ON svc_bookings (LOWER(contact_email)) WHERE user_id IS NULL;
ALTER TABLE svc_enquiries ADD COLUMN user_id BIGINT REFERENCES svc_users(id) ON DELETE SET NULL;
CREATE INDEX svc_enquiries_user ON svc_enquiries (user_id) WHERE user_id IS NOT NULL;
UPDATE svc_enquiries SET user_id = (SELECT u.id FROM svc_users u WHERE u.email_lower = svc_enquiries.email_lower
    AND u.email_verified_at IS NOT NULL) WHERE email_lower <> '';
