-- A model is asked once more about sentences of change from which it read nothing.
alter table unread_turns add column reread boolean not null default false;
