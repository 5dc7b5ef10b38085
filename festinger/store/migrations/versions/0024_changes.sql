-- A statement of change that collides is committed, and then decided as its speaker wants. A
-- server that ends in between leaves the decision to be made.

alter table resolution_queue add column changed_by text not null default '';

create index resolution_queue_changes on resolution_queue (tenant, id)
    where changed_by <> '' and status = 'pending';
