-- Blocks are put back where they were told, and only what is new goes to the end. Who
-- chose another position keeps it.
update config set value = 'sticky'
where key = 'recollection_position' and value = 'system' and updated_at is null;
