-- The language that an enquiry was written in, for the e-mails to its sender; NULL: the site's.
ALTER TABLE svc_enquiries ADD COLUMN locale TEXT;
