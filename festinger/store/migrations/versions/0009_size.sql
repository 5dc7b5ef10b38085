-- Less room: most words are met once, and most arrays are empty.

-- The counters of a word stand in its row, without a key of their own.
drop view concepts;
alter table soas
    drop created_at,
    add encounter_count bigint not null default 0 check (encounter_count >= 0),
    add last_seen timestamptz,
    add check (encounter_count = 0 or last_seen is not null);
update soas s set encounter_count = e.encounter_count, last_seen = e.last_seen
from encounters e where e.tenant = s.tenant and e.id = s.id;
drop table encounters;
-- room for counting within a page
alter table soas set (fillfactor = 60);
create view concepts as
select tenant, id, token, encounter_count, last_seen,
       case when is_dictionary then 0
            else log(greatest(encounter_count, 1)::double precision)
       end as saliency,
       novelty, is_dictionary
from soas;

-- A word gets its row when it is met again (`festinger.services.world.counters`).
delete from soas s
where s.encounter_count <= 1 and s.novelty = 0 and not s.is_dictionary
  and not exists (
      select from named_concepts n where n.tenant = s.tenant and n.id = s.id)
  and not exists (
      select from write_queue q where q.tenant = s.tenant and q.concept_id = s.id);

-- A turn's sentences are lines of one text, since an array adds six bytes to each.
create function pg_temp.as_lines(texts text[]) returns text language sql as $$
    select string_agg(replace(line, E'\n', ' '), E'\n' order by at)
    from unnest(texts) with ordinality as each (line, at)
$$;
create function pg_temp.as_bits(marks integer[]) returns bytea language sql as $$
    select string_agg(int2send(mark::smallint), '' order by at)
    from unnest(marks) with ordinality as each (mark, at)
$$;
alter table turns
    alter sentences type text using coalesce(pg_temp.as_lines(sentences), ''),
    -- null where no sentence has one
    alter headings drop not null,
    alter headings type text
        using case when '' <> any(headings) then pg_temp.as_lines(headings) end,
    -- two bytes a sentence
    alter marks type bytea using coalesce(pg_temp.as_bits(marks), ''),
    alter answers type text
        using case when '' <> any(answers) then pg_temp.as_lines(answers) end,
    -- null where none is
    alter confirmed drop not null,
    alter confirmed drop default,
    alter confirmed type integer[] using nullif(confirmed, '{}');

-- Most changes are of one kind: null where there is none of the others.
alter table change_log
    alter concept_ids drop not null,
    alter subjects drop not null,
    alter subjects drop default,
    alter turns drop not null,
    alter turns drop default;
