-- What waits for people: candidates, what was answered about them, and what is left of it.

-- name: candidate_by_cid
select * from candidates where tenant = $1 and cid = $2;

-- name: candidate_by_external_id
select * from candidates where tenant = $1 and external_id = $2;

-- name: pending_candidates
-- Those of these statements that wait already.
select f.* from candidates f
join unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::boolean[])
    as asked (concept, parent, dimension, is_isa, negated)
  using (concept, parent, dimension, is_isa, negated)
where f.tenant = $1 and f.status = 'pending_validation';

-- name: candidates_over
-- Those whose time is over, the oldest first.
select * from candidates
where tenant = $1 and status = 'pending_validation' and expires_at <= $2
order by expires_at, id
limit $3;

-- name: tenants_over
-- The memories that have one.
select distinct tenant from candidates
where status = 'pending_validation' and expires_at <= $1
order by tenant;

-- name: events
-- What was answered about a candidate, oldest first.
select e.*, f.cid as candidate_cid from validation_events e
join candidates f on f.tenant = e.tenant and f.id = e.candidate_id
where e.tenant = $1 and e.candidate_id = $2
order by e.created_at, e.cid;

-- name: event_of_delivery
select e.*, f.cid as candidate_cid from validation_events e
join candidates f on f.tenant = e.tenant and f.id = e.candidate_id
where e.tenant = $1 and e.bot_id = $2 and e.delivery = $3;

-- name: reputations
select rater, yes_skill, no_skill, of_true, of_false, bloc from raters where tenant = $1;

-- name: breaker
select prior, open_until from ratings where tenant = $1;

-- name: question_asked
select q.id, q.candidate_id, q.recipient, q.gold_answer, q.context_message_cid,
       q.prompt_hash
from questions q where q.tenant = $1 and q.id = $2;

-- name: is_stated_since
-- Whether anybody stated what is held after the candidate that made it was confirmed.
select exists (
    select from assertions a
    where a.tenant = $1 and a.concept = $2 and a.parent = $3 and a.dimension = $4
      and a.is_isa = $5 and a.negated = $6 and a.id > $7
      and a.outcome in ('held', 'corroborated') and a.rule <> $8);

-- name: add_candidate
insert into candidates (
    tenant, id, concept, parent, dimension, is_isa, negated, confidence, source, rule,
    reason, proposer, author, subject, sentence, assertion_id, created_at, cid,
    external_id, predicate, subject_raw, object_raw, message_cid, chunk_id,
    channel, extractor_version, prompt_hash, model_version, justification, priority,
    lane, sensitive, contradicts, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
        $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33,
        $34);

-- name: count_on_candidate
-- A further statement of the same counts on the pending candidate.
update candidates
set statement_count = statement_count + 1, confidence = greatest(confidence, $3),
    external_id = case when external_id = '' then $4 else external_id end
where tenant = $1 and id = $2
returning id;

-- name: update_candidate
update candidates
set status = $3, decided_by = $4, decided_at = $5, decision_rule = $6, posterior = $7,
    belief = $8, confirmed_as = $9, flagged = $10, lane = $11, priority = $12,
    expires_at = $13, cid = $14, evidence_wanted = $15
where tenant = $1 and id = $2;

-- name: add_event
insert into validation_events (
    tenant, cid, candidate_id, proposer, responder, role, response, before_visible, note,
    bot_id, context_message_cid, question_id, delivery, prompt_hash, model_version,
    message_cid, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- name: add_audit
-- The first answer is the one that tells; that it is disputed may be said later.
insert into audits (tenant, question_id, responder, answer, disputed, note, created_at)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (tenant, question_id, responder) do update
set disputed = audits.disputed or excluded.disputed,
    note = case when excluded.note = '' then audits.note else excluded.note end;

-- name: end_question
update questions set status = 'closed', closed_because = $3, closed_at = $4, shown = false
where tenant = $1 and id = $2 and status in ('waiting', 'posting', 'posted');

-- name: end_questions
-- Those about a candidate that is decided or over; those whose answer is known stay.
update questions
set status = 'closed', closed_because = $3, closed_at = $4,
    -- what was never posted has nothing to be brought up to date
    shown = status = 'waiting'
where tenant = $1 and candidate_id = $2 and not gold
  and status in ('waiting', 'posting', 'posted');

-- name: add_backlog
-- What waits for dreaming already waits once.
insert into backlog (tenant, id, candidate_id, reason, priority, due_at, created_at)
values ($1, $2, $3, $4, $5, $6, $6)
on conflict (tenant, candidate_id) where state in ('waiting', 'leased') do nothing;
