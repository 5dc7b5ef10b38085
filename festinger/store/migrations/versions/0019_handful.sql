-- A question is about a candidate, or else about an item of the inbox, which moderators
-- are asked about in chats as well.
alter table questions alter column candidate_id drop not null;
-- names the item, as the view `inbox` does
alter table questions add column place smallint, add column number bigint;
-- what became of the item, in a sentence; of a candidate its state says so
alter table questions add column outcome text not null default '';
alter table questions add constraint questions_about_check check (
    (candidate_id is null) = (number is not null)
    and (place is null) = (number is null));
-- nobody is asked twice about an item
create unique index questions_item_once on questions
    (tenant, place, number, recipient, channel) where number is not null;
create index questions_items_open on questions (tenant, id)
    where number is not null and status in ('waiting', 'posting', 'posted');
