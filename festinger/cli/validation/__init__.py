"""Commands for votes, nights and what was learnt."""
