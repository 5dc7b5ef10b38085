-- A doubtful statement that waits for people's votes is called a candidate everywhere.

alter table factoids rename to candidates;
alter table assertions rename column factoid_id to candidate_id;
alter table validation_events rename column factoid_id to candidate_id;
alter table questions rename column factoid_id to candidate_id;
alter table backlog rename column factoid_id to candidate_id;

-- Errors name constraints, so these are called like their tables.
do $$
declare
    old record;
begin
    for old in
        select c.conrelid::regclass as owner, c.conname as name from pg_constraint c
        where c.connamespace = current_schema()::regnamespace
          and c.conname like '%factoid%'
    loop
        execute format('alter table %s rename constraint %I to %I',
            old.owner, old.name, replace(old.name, 'factoid', 'candidate'));
    end loop;
    for old in
        select c.relname as name from pg_class c
        where c.relnamespace = current_schema()::regnamespace
          and c.relkind = 'i' and c.relname like '%factoid%'
    loop
        execute format('alter index %I rename to %I',
            old.name, replace(old.name, 'factoid', 'candidate'));
    end loop;
end $$;

alter table id_blocks drop constraint id_blocks_kind_check;
update id_blocks set kind = 'candidate' where kind = 'factoid';
alter table id_blocks add constraint id_blocks_kind_check check (kind in (
    'concept', 'assertion', 'conflict', 'candidate', 'model', 'run',
    'document', 'wave', 'interaction', 'claim', 'edit', 'rejection',
    'question', 'digest', 'backlog', 'dream', 'calibration', 'turn'));

-- What repeated calls are answered from is read by the names of its parts.
update requests
set response = response - 'factoid_id'
    || jsonb_build_object('candidate_id', response -> 'factoid_id')
where response ? 'factoid_id';
