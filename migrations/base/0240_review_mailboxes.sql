-- Who wrote a review is known by the mailbox, as shared/core/mailbox.hpp reads it, not by a spelling of the address.
ALTER TABLE svc_reviews ADD COLUMN mailbox TEXT NOT NULL DEFAULT '';
UPDATE svc_reviews SET mailbox = email_lower WHERE email_lower LIKE '%@%';
-- Up to the first plus sign, then from the last at sign on: LTRIM and RTRIM take off all characters but that one.
UPDATE svc_reviews SET mailbox = SUBSTR(mailbox, 1, LENGTH(mailbox) - LENGTH(LTRIM(mailbox, REPLACE(mailbox, '+', ''))))
    || SUBSTR(mailbox, LENGTH(RTRIM(mailbox, REPLACE(mailbox, '@', ''))))
 WHERE mailbox LIKE '_%+%@%';
UPDATE svc_reviews SET mailbox = REPLACE(mailbox, '@googlemail.com', '@gmail.com')
 WHERE mailbox LIKE '_%@googlemail.com';
UPDATE svc_reviews SET mailbox = REPLACE(SUBSTR(mailbox, 1, LENGTH(mailbox) - LENGTH('@gmail.com')), '.', '')
    || '@gmail.com'
 WHERE mailbox LIKE '_%@gmail.com';
-- Of several reviews of a trip by one mailbox the oldest gets the mailbox's key; the others keep theirs and stay.
UPDATE svc_reviews SET author_key = 'm:' || mailbox
 WHERE id IN (SELECT MIN(f.id) FROM svc_reviews f WHERE f.author_key LIKE 'm_%' AND f.mailbox <> ''
              GROUP BY f.trip_id, f.mailbox)
   AND NOT EXISTS (SELECT 1 FROM svc_reviews o WHERE o.trip_id = svc_reviews.trip_id
                   AND o.author_key = 'm:' || svc_reviews.mailbox);
