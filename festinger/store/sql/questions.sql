-- Questions that are put to people about candidates and items of the inbox.

-- name: asking_tenants
-- Memories in which somebody may have to be asked, or a question is open; with $2 those,
-- too, in which something waits in the inbox.
select t.tenant from tenants t
where exists (select from candidates f
              where f.tenant = t.tenant and f.expires_at > $1
                and f.status = 'pending_validation')
   or exists (select from candidates f
              where f.tenant = t.tenant and f.expires_at > $1 and f.flagged)
   or exists (select from questions q
              where q.tenant = t.tenant and q.status in ('waiting', 'posting', 'posted'))
   or $2 and exists (select from inbox i
                     where i.tenant = t.tenant and i.deferred_at is null)
order by t.tenant;

-- name: close_questions
-- Those of candidates that are over or decided, and those whose answer was known once
-- they had the time of any other. Who was never shown one is not told of it.
update questions q
set status = 'closed', closed_at = $2,
    closed_because = case when q.gold or f.status = 'expired' or f.expires_at <= $2
                          then 'expired' else 'decided' end
from candidates f
where q.tenant = $1 and q.status in ('waiting', 'posting', 'posted')
  and f.tenant = q.tenant and f.id = q.candidate_id
  and case when q.gold then q.created_at <= $3
           else f.status = 'expired' or f.expires_at <= $2
                or (f.status <> 'pending_validation' and not f.flagged) end;

-- name: open_item_questions
-- Those about items that do not wait any more. What was put aside does not.
select distinct q.place, q.number from questions q
where q.tenant = $1 and q.number is not null
  and q.status in ('waiting', 'posting', 'posted')
  and not exists (select from inbox i
                  where i.tenant = q.tenant and i.place = q.place
                    and i.number = q.number and i.deferred_at is null);

-- name: close_item_questions
-- All about an item; what was never posted has nothing to be brought up to date.
update questions
set status = 'closed', closed_because = $4, closed_at = $5, outcome = $6,
    shown = status = 'waiting'
where tenant = $1 and place = $2 and number = $3
  and status in ('waiting', 'posting', 'posted');

-- name: asked_items
-- Whom these items were put to. What could not be posted does not count.
select place, number, q.recipient, q.channel, q.created_at,
       q.status in ('waiting', 'posting', 'posted') as open
from questions q
join unnest($2::smallint[], $3::bigint[]) as asked (place, number) using (place, number)
where q.tenant = $1 and q.status <> 'failed';

-- name: items_spent
-- How many items went where since a moment, and those that are to be posted.
select recipient, channel, count(*) as count from questions
where tenant = $1 and number is not null
  and (status in ('waiting', 'posting') or posted_at >= $2)
group by recipient, channel;

-- name: cases
-- Candidates about which somebody may be asked, with whom was asked, and who answered.
-- The same statement of another candidate, lately, is not asked of the same again.
select f.*,
       array(select json_build_array(q.lane, q.recipient, q.channel, q.status,
                                     extract(epoch from q.created_at))
             from questions q
             where q.tenant = f.tenant and q.candidate_id = f.id
               and not q.gold and not q.evidence
             order by q.id) as asked,
       exists (select from questions q
               where q.tenant = f.tenant and q.candidate_id = f.id and q.evidence)
           as evidence_asked,
       array(select json_build_array(said.responder, said.response)
             from (select distinct on (e.responder) e.responder, e.response
                   from validation_events e
                   where e.tenant = f.tenant and e.candidate_id = f.id
                   order by e.responder, e.created_at desc) said) as said,
       array(select json_build_array(q.recipient, q.channel)
             from candidates twin
             join questions q on q.tenant = twin.tenant and q.candidate_id = twin.id
             where twin.tenant = f.tenant and twin.id <> f.id
               and twin.concept = f.concept and twin.parent = f.parent
               and twin.dimension = f.dimension and twin.is_isa = f.is_isa
               and twin.negated = f.negated
               and q.posted_at > $3) as elsewhere
from candidates f
where f.tenant = $1 and f.expires_at > $2
  and (f.status = 'pending_validation' or f.flagged and f.status <> 'expired')
order by array_position(array['critical', 'high', 'normal', 'low'], f.priority),
         f.expires_at, f.id
limit $4;

-- name: case_of
-- Whom one candidate was asked about, as in `cases`.
select array(select json_build_array(q.lane, q.recipient, q.channel, q.status,
                                     extract(epoch from q.created_at))
             from questions q
             where q.tenant = $1 and q.candidate_id = $2
               and not q.gold and not q.evidence
             order by q.id) as asked,
       false as evidence_asked,
       array(select json_build_array(said.responder, said.response)
             from (select distinct on (e.responder) e.responder, e.response
                   from validation_events e
                   where e.tenant = $1 and e.candidate_id = $2
                   order by e.responder, e.created_at desc) said) as said,
       '{}'::json[] as elsewhere;

-- name: questions_spent
-- How many messages went where since a moment, with those under way; a digest is one.
select recipient, channel, count(distinct coalesce(-digest_id, id)) as count
from questions
where tenant = $1 and id <> all($4::bigint[])
  and (posted_at >= $2 or status = 'posting' or ($3 and status = 'waiting'))
group by recipient, channel;

-- name: waiting_digests
select recipient, channel, due_at, digest_id, count(*) as count from questions
where tenant = $1 and status = 'waiting' and digest_id is not null
group by recipient, channel, due_at, digest_id;

-- name: add_question
insert into questions (
    tenant, id, candidate_id, bot, lane, recipient, channel, text, why, prompt_hash,
    evidence, gold, gold_answer, place, number, digest_id, due_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::boolean is not null, $12, $13,
        $14, $15, $16, $17)
on conflict do nothing
returning id;

-- name: settled
-- Candidates that are decided for good, and of which somebody knows nothing: they
-- neither wrote nor answered them, and were not asked. In a channel anybody may have.
select f.* from candidates f
where f.tenant = $1 and f.status in ('confirmed', 'rejected') and f.decided_by is not null
  and not f.belief and not f.flagged and not f.sensitive
  and (f.expires_at is null or f.expires_at <= $2 or f.decision_rule = 'moderator')
  and $3 not in (f.author, f.proposer, f.decided_by)
  and not exists (select from validation_events e
                  where e.tenant = f.tenant and e.candidate_id = f.id
                    and (e.responder = $3 or $3 = '' and e.role <> 'moderator'))
  and not exists (select from questions q
                  where q.tenant = f.tenant and q.candidate_id = f.id
                    and q.recipient = $3 and q.channel = $4)
order by f.decided_at desc, f.id desc
limit $5;

-- name: lock_questions
-- One at a time is given questions of a memory, or closes several, until the transaction
-- ends: else two bots together would ask too often, and two who close would each wait for
-- the other. Whoever has the pen may take it; nobody who has it takes the pen.
insert into leases (tenant, name, holder, expires_at)
values ($1, 'lock: questions', gen_random_uuid(), '-infinity')
on conflict (tenant, name) do update set expires_at = excluded.expires_at;

-- name: postable_questions
-- What a platform could post: due, or leased by somebody who did not report.
select q.id, q.recipient, q.channel, coalesce(q.digest_id, 0) as digest_id,
       coalesce(f.priority = 'critical', false) and not q.gold as critical
from questions q
left join candidates f on f.tenant = q.tenant and f.id = q.candidate_id
where q.tenant = $1
  and (q.status = 'waiting' and q.due_at <= $2
       or q.status = 'posting' and q.leased_until <= $2)
  and (q.recipient = any($3) or q.channel = any($4))
  and case when q.number is not null
           then exists (select from inbox i
                        where i.tenant = q.tenant and i.place = q.place
                          and i.number = q.number and i.deferred_at is null)
           else (q.gold or f.expires_at > $2 or q.evidence)
                and (f.status = 'pending_validation' or f.flagged or q.gold) end
  and not exists (select from opt_outs o
                  where o.tenant = q.tenant
                    and (o.principal = q.recipient
                         or o.principal = f.author and q.lane = 'community'
                            and not q.gold))
order by array_position(array['critical', 'high', 'normal', 'low'], f.priority),
         q.due_at, q.id
limit $5
for update of q skip locked;

-- name: lease_questions
update questions
set status = 'posting', platform = $3, leased_by = $4, leased_until = $5
where tenant = $1 and id = any($2);

-- name: lease_closed_questions
-- Those whose message has to say that they are closed.
update questions
set leased_by = $5, leased_until = $6
where tenant = $1 and id in (
    select id from questions
    where tenant = $1 and platform = $2 and status = 'closed' and not shown
      and reference <> '' and due_at <= $7
      and (leased_until is null or leased_until <= $7)
      and (recipient = any($3) or channel = any($4))
    order by closed_at, id
    limit $8
    for update skip locked)
returning id;

-- name: questions_by_number
select q.*, f.cid as candidate_cid, f.status as candidate_status, f.belief
from questions q
left join candidates f on f.tenant = q.tenant and f.id = q.candidate_id
where q.tenant = $1 and q.id = any($2)
order by array_position($2, q.id);

-- name: question_to_report
select q.*, f.cid as candidate_cid, f.status as candidate_status, f.belief
from questions q
left join candidates f on f.tenant = q.tenant and f.id = q.candidate_id
where q.tenant = $1 and q.id = $2
for update of q;

-- name: save_question
update questions
set status = $3, platform = $4, reference = $5, context_message_cid = $6, shown = $7,
    attempts = $8, last_error = $9, due_at = $10, posted_at = $11, closed_at = $12,
    leased_by = null, leased_until = null
where tenant = $1 and id = $2;

-- name: questions_by_reference
select q.*, f.cid as candidate_cid, f.status as candidate_status, f.belief
from questions q
left join candidates f on f.tenant = q.tenant and f.id = q.candidate_id
where q.tenant = $1 and q.platform = $2 and q.reference = $3 and q.reference <> ''
order by q.id;

-- name: questions
select q.*, f.cid as candidate_cid, f.status as candidate_status, f.belief
from questions q
left join candidates f on f.tenant = q.tenant and f.id = q.candidate_id
where q.tenant = $1 and ($2::bigint = 0 or q.candidate_id = $2)
  and ($3::text[] = '{}' or q.status = any($3))
  and ($4::bigint = 0 or q.id < $4)
order by q.id desc
limit $5;

-- name: opted_out
select principal from opt_outs where tenant = $1;

-- name: opt_out
insert into opt_outs (tenant, principal, said_by, created_at) values ($1, $2, $3, $4)
on conflict do nothing;

-- name: opt_in
delete from opt_outs where tenant = $1 and principal = $2;

-- name: close_for_opt_out
-- Whoever opts out is asked nothing more, and nothing they wrote is asked in public.
update questions q
set status = 'closed', closed_because = 'opted_out', closed_at = $3
where q.tenant = $1 and q.status in ('waiting', 'posting', 'posted')
  and (q.recipient = $2
       or q.lane = 'community' and not q.gold
          and exists (select from candidates f
                      where f.tenant = q.tenant and f.id = q.candidate_id
                        and f.author = $2));

-- name: breaker_open
select exists (select from ratings where tenant = $1 and open_until > $2);
