-- Language models, what was spent on them, and the settings that choose them.

-- name: models
-- All models of a tenant, or one, with what was spent on a day: one row for each purpose.
select m.id, m.provider, m.model_name, m.base_url, m.api_key_hint, m.created_at,
       m.last_answer_at, m.last_error,
       u.purpose, u.calls, u.failures, u.input_tokens, u.output_tokens
from models m
left join model_usage u on u.tenant = m.tenant and u.model_id = m.id and u.day = $2
where m.tenant = $1 and ($3::bigint is null or m.id = $3)
order by m.id, u.purpose;

-- name: model_named
select provider || ' ' || model_name from models where tenant = $1 and id = $2;

-- name: asked
-- How often models answered for a purpose on a day.
select coalesce(sum(calls), 0)::bigint from model_usage
where tenant = $1 and purpose = $2 and day = $3;

-- name: model_key
select api_key from models where tenant = $1 and id = $2;

-- name: add_model
insert into models (tenant, id, provider, model_name, base_url, api_key, api_key_hint)
values ($1, $2, $3, $4, $5, $6, $7);

-- name: claim_request
-- Nobody else may have answered it: a second one waits for the first, and finds it.
insert into requests (tenant, principal, request_id, method, payload_hash, response)
values ($1, $2, $3, $4, $5, $6::jsonb)
on conflict do nothing
returning request_id;

-- name: lock_model
-- Until the transaction ends nobody removes it.
select id from models where tenant = $1 and id = $2 for update;

-- name: settings_naming
select key from config where tenant = $1 and key = any($2::text[]) and value = $3
order by key;

-- name: remove_model
delete from models where tenant = $1 and id = $2;

-- name: sealed_keys
select id, provider, api_key from models
where tenant = $1 and api_key is not null
order by id
for update;

-- name: reseal_key
update models set api_key = $3 where tenant = $1 and id = $2;

-- name: spend
-- Nothing is counted for a model that was removed meanwhile.
insert into model_usage (
    tenant, model_id, day, purpose, calls, failures, input_tokens, output_tokens)
select $1, id, $3, $4, $5, $6, $7, $8 from models where tenant = $1 and id = $2
on conflict (tenant, model_id, day, purpose) do update
set calls = model_usage.calls + excluded.calls,
    failures = model_usage.failures + excluded.failures,
    input_tokens = model_usage.input_tokens + excluded.input_tokens,
    output_tokens = model_usage.output_tokens + excluded.output_tokens;

-- name: note_answer
update models set last_answer_at = $3, last_error = '' where tenant = $1 and id = $2;

-- name: note_error
update models set last_error = $3 where tenant = $1 and id = $2;

-- name: spent
select coalesce(sum(input_tokens + output_tokens), 0)::bigint
from model_usage where tenant = $1 and day = $2;

-- name: settings
select key, value, updated_at from config where tenant = $1;

-- name: change_setting
insert into config (tenant, key, value, updated_at) values ($1, $2, $3, $4)
on conflict (tenant, key) do update
set value = excluded.value, updated_at = excluded.updated_at;
