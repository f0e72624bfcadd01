-- E-mails are looked up by the folded address alone (0080), so a second index of the address only made each slower to
-- queue.
DROP INDEX svc_email_outbox_to;
