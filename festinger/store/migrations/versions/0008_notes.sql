-- What people decided is so may be told as well: who follows must read it anew.

alter table change_log add column notes boolean not null default false;
