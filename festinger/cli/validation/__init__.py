"""Commands for votes, dreaming and learning."""
