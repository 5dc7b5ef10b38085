-- Typed memories and entities are called memory records everywhere.

alter table claims rename to memory_records;
alter table edits rename column claim_id to record_id;
alter index edits_of_claim rename to edits_of_record;

-- Errors name constraints, so these are called like their table.
do $$
declare
    old record;
begin
    for old in
        select c.conname as name from pg_constraint c
        where c.conrelid = 'memory_records'::regclass and c.conname like 'claims%'
    loop
        execute format('alter table memory_records rename constraint %I to %I',
            old.name, replace(old.name, 'claims', 'memory_records'));
    end loop;
    for old in
        select c.relname as name from pg_class c
        where c.relnamespace = current_schema()::regnamespace
          and c.relkind = 'i' and c.relname like 'claims%'
    loop
        execute format('alter index %I rename to %I',
            old.name, replace(old.name, 'claims', 'memory_records'));
    end loop;
end $$;

alter table id_blocks drop constraint id_blocks_kind_check;
update id_blocks set kind = 'record' where kind = 'claim';
alter table id_blocks add constraint id_blocks_kind_check check (kind in (
    'concept', 'assertion', 'conflict', 'candidate', 'model', 'run',
    'document', 'wave', 'interaction', 'record', 'edit', 'rejection',
    'question', 'digest', 'backlog', 'dream', 'calibration', 'turn'));

-- What repeated calls are answered from, and what extractions found, is read by the names
-- of its parts.
update requests
set response = response - 'claims' || jsonb_build_object('records', response -> 'claims')
where response ? 'claims';
update interactions
set findings = (
    select jsonb_agg(
        found.each - 'claim_id'
            || jsonb_build_object('record_id', found.each -> 'claim_id')
        order by found.place)
    from jsonb_array_elements(findings) with ordinality as found (each, place))
where findings <> '[]';
