-- The origin of the licence server that the stored key was given for: it goes to no other one. Empty: of an earlier release.
ALTER TABLE svc_license ADD COLUMN key_origin TEXT NOT NULL DEFAULT '';
