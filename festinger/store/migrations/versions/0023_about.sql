-- What was read in somebody's conversation is theirs to confirm: nobody else can know it.

create or replace view inbox_records with (security_invoker = true) as
select tenant, cost, id as number, 2 as place, kind, deferred_at, project,
       case when subject <> '' then '@' || subject else 'moderator' end as answerer, rule,
       coalesce(nullif(extractor, ''), proposer) as source,
       type,
       array_remove(array[
           case when contradicts <> '{}' then 'contradicts' end,
           case when confidence >= 0.7 then 'likely' when confidence < 0.5 then 'unlikely'
               end], null) as marks,
       pending_since as waits_since, concat_ws(' ', content, subject) as said,
       exists (
           select from chunks c
           where c.tenant = memory_records.tenant and c.id = memory_records.chunk_id
             and not c.current
             and not exists (  -- said elsewhere in it, or among other words
                 select from chunks n
                 where n.tenant = c.tenant and n.document_id = c.document_id
                   and n.current
                   and strpos(n.text, substr(c.text, span_start + 1,
                                             span_end - span_start)) > 0)) as gone
from memory_records where status = 'candidate';
