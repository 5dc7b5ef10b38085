-- The directory: which server serves a tenant, by its `server.name`; empty for any.
alter table heads add column server text not null default '';
