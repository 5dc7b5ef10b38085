-- What votes confirmed is looked at again once their weights were learnt anew.

alter table ratings
    -- the learning after which that was done to the end; null if it never was
    add column revised_at timestamptz;
