-- Less room: most words are met once, and most arrays are empty.

-- A word gets its row when it is met again (`festinger.flows.counters`).
delete from soas s using encounters e
where e.tenant = s.tenant and e.id = s.id and e.encounter_count <= 1
  and s.novelty = 0 and not s.is_dictionary
  and not exists (
      select from named_concepts n where n.tenant = s.tenant and n.id = s.id)
  and not exists (
      select from write_queue q where q.tenant = s.tenant and q.concept_id = s.id);
