-- Tokens of a balance's session say so. Those of the release before are known by their time: a guest's counts for a day
-- at least from its making, theirs for less but at the very end.
UPDATE svc_access_tokens SET payload = '{"session":"balance"}'
    WHERE purpose = 'booking_guest' AND payload = '{}' AND expires_at - created_at < 86400000000;
