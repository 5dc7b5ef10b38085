-- How many values a subject has (null: nobody said), and the words that mean a predicate.

alter table predicates
    add column cardinality text check (
        cardinality in ('single', 'multi', 'symmetric', 'event', 'rule')
    ),
    add column synonyms text[] not null default '{}';
